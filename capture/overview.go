package capture

import (
	"strconv"
	"time"

	"github.com/kinebase/kinebase/payload"
)

// The bounds of an overview.
const (
	DefaultDays   = 30
	MaxDays       = 366
	MaxRecent     = 20 // captures that are named
	MaxDayLabels  = 20 // movements that are told apart
	overviewBytes = 4 << 10
)

// Overview is what an organization has, and what became of it lately, at one moment.
type Overview struct {
	From, To time.Time // the first and the last UTC day, at midnight
	PerDay   []DayCount

	Captures int64
	Athletes int64
	ByStatus map[Status]int64

	Failed []Brief // with the status Error, the one that was changed last first
	Recent []Brief // of any status, the one that was changed last first

	Include Include // what Failed and Recent have besides

	OriginalBytes int64
	ExportBytes   int64 // of files that are kept of exports' results

	FileBytes        int64 // of the captures' files, with what was made of them
	FileBytesAllowed int64 // 0: there is no bound
}

// DayCount is how many captures there are of a UTC day and a movement.
type DayCount struct {
	Day      time.Time // at midnight
	Movement string    // folded; "" for none
	Others   bool      // all movements that are not told apart; Movement is ""
	Count    int64
}

// Brief is a capture in short.
type Brief struct {
	SessionID          string
	Status             Status
	Activity, Movement *string
	CaptureTime        *time.Time
	LastModified       time.Time
	Error              *string
	More               Included // as far as it is asked for; the athlete is the first one
}

// AppendJSON appends the overview as the interface shows it.
func (o *Overview) AppendJSON(b []byte) []byte {
	if b == nil {
		b = make([]byte, 0, overviewBytes)
	}
	day := func(t time.Time) { b = append(t.UTC().AppendFormat(append(b, '"'), time.DateOnly), '"') }
	number := func(name string, n int64) { b = strconv.AppendInt(append(b, name...), n, 10) }
	b = append(b, `{"from":`...)
	day(o.From)
	b = append(b, `,"to":`...)
	day(o.To)
	b = append(b, `,"captures_per_day":[`...)
	for i, c := range o.PerDay {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"day":`...)
		day(c.Day)
		b = append(b, `,"movement":`...)
		if c.Movement == "" {
			b = append(b, "null"...)
		} else {
			b = appendString(b, c.Movement)
		}
		b = strconv.AppendBool(append(b, `,"others":`...), c.Others)
		number(`,"count":`, c.Count)
		b = append(b, '}')
	}
	number(`],"total_captures":`, o.Captures)
	number(`,"total_athletes":`, o.Athletes)
	b = append(b, `,"by_status":{`...)
	for i, s := range Statuses {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, string(s))
		number(":", o.ByStatus[s])
	}
	b = append(b, `},"failed":`...)
	b = appendBriefs(b, o.Failed, o.Include)
	b = append(b, `,"recent":`...)
	b = appendBriefs(b, o.Recent, o.Include)
	number(`,"storage":{"original_bytes":`, o.OriginalBytes)
	number(`,"export_bytes":`, o.ExportBytes)
	number(`,"file_bytes":`, o.FileBytes)
	if o.FileBytesAllowed > 0 {
		number(`,"file_bytes_allowed":`, o.FileBytesAllowed)
	} else {
		b = append(b, `,"file_bytes_allowed":null`...)
	}
	return append(b, "}}"...)
}

func appendBriefs(b []byte, list []Brief, include Include) []byte {
	b = append(b, '[')
	for i, c := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(append(b, `{"session_id":`...), c.SessionID)
		b = appendString(append(b, `,"status":`...), string(c.Status))
		b = appendText(append(b, `,"activity":`...), c.Activity)
		b = appendText(append(b, `,"movement":`...), c.Movement)
		b = appendCaptureTime(b, c.CaptureTime)
		b = payload.AppendTime(append(b, `,"last_modified":`...), &c.LastModified)
		b = appendText(append(b, `,"error":`...), c.Error)
		b = appendIncluded(b, include, &list[i].More)
		b = append(b, '}')
	}
	return append(b, ']')
}
