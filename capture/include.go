package capture

import (
	"strconv"
	"strings"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/payload"
)

// Include says what an answer has beside the fields of the interface.
type Include uint8

// The parts that an answer can include.
const (
	IncludeFile     Include = 1 << iota // file_name
	IncludeAthlete                      // athlete_name
	IncludeWarnings                     // warning_count
	IncludeNext                         // next_offset of the list
	IncludeUpdated                      // updated_at
	IncludeTime                         // capture_time_from
)

var includes = map[string]Include{
	"file": IncludeFile, "athlete": IncludeAthlete, "warnings": IncludeWarnings, "next": IncludeNext,
	"updated": IncludeUpdated, "time": IncludeTime,
}

// ParseInclude reads the words of include, separated by commas.
func ParseInclude(s string) (Include, error) {
	var i Include
	for word := range strings.SplitSeq(s, ",") {
		bit, ok := includes[word]
		if !ok {
			return 0, fault.New(fault.BadRequest,
				"include takes file, athlete, warnings, next, updated and time, with commas between them.")
		}
		i |= bit
	}
	return i, nil
}

// IncludeFields gives the field that each word of include adds.
func IncludeFields() map[string]string {
	return map[string]string{"file": "file_name", "athlete": "athlete_name", "warnings": "warning_count",
		"next": "next_offset", "updated": "updated_at", "time": "capture_time_from"}
}

// Rows says whether each row has something included.
func (i Include) Rows() bool { return i&^IncludeNext != 0 }

// Included is what a row can have beside the fields of the interface.
type Included struct {
	FileName    *string // as the caller calls the file; nil: there never was one
	AthleteName *string // first and last name of the row's athlete; nil: it has none
	Warnings    *int64  // how many there are about the file; nil: no file has been read
	UpdatedAt   time.Time
	TimeFrom    *string // where the capture time comes from: given, file or upload; nil: not known
}

// AppendRow appends a ready row with what is included in it behind its own fields.
func AppendRow(b, row []byte, i Include, more *Included) []byte {
	if !i.Rows() {
		return append(b, row...)
	}
	return append(appendIncluded(append(b, row[:len(row)-1]...), i, more), '}')
}

// appendIncluded appends the fields that are included, each behind a comma.
func appendIncluded(b []byte, i Include, more *Included) []byte {
	if i&IncludeFile != 0 {
		b = appendText(append(b, `,"file_name":`...), more.FileName)
	}
	if i&IncludeAthlete != 0 {
		b = appendText(append(b, `,"athlete_name":`...), more.AthleteName)
	}
	if i&IncludeWarnings != 0 {
		b = append(b, `,"warning_count":`...)
		if more.Warnings == nil {
			b = append(b, "null"...)
		} else {
			b = strconv.AppendInt(b, *more.Warnings, 10)
		}
	}
	if i&IncludeUpdated != 0 {
		b = payload.AppendTime(append(b, `,"updated_at":`...), &more.UpdatedAt)
	}
	if i&IncludeTime != 0 {
		b = appendText(append(b, `,"capture_time_from":`...), more.TimeFrom)
	}
	return b
}
