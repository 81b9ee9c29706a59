package athlete

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/kinebase/kinebase/organization"
)

const (
	// timeFormat is how every time is written: UTC, RFC 3339, milliseconds.
	timeFormat = "2006-01-02T15:04:05.000Z"
	// midnight follows the day of birth in answers.
	midnight = "T00:00:00.000Z"
)

// AppendRead appends the read shape (interface, section 2.2) as reading one
// athlete answers it: {"athlete":{…}}.
func AppendRead(b []byte, a Athlete) []byte {
	return append(AppendJSON(append(b, `{"athlete":`...), a), '}')
}

// AppendWritten appends the ten fields with which creating and updating answer:
// {"athlete":{…}}.
func AppendWritten(b []byte, a Athlete) []byte {
	b = append(b, `{"athlete":`...)
	b = appendHead(b, a)
	return append(appendTail(b, a), '}')
}

// AppendJSON appends the bare read shape. Every field is there, always: unset
// strings, numbers and dates are null, positions is [], custom_attributes is {}.
func AppendJSON(b []byte, a Athlete) []byte {
	b = appendHead(b, a)
	b = appendText(append(b, `,"phone":`...), a.Phone)
	b = appendText(append(b, `,"gender":`...), a.Gender)
	b = appendText(append(b, `,"dominant_arm":`...), a.DominantArm)
	b = appendText(append(b, `,"dominant_leg":`...), a.DominantLeg)
	b = appendText(append(b, `,"activity":`...), a.Activity)
	b = append(b, `,"positions":[`...)
	for i, p := range a.Positions {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, p)
	}
	b = appendText(append(b, `],"competition_level":`...), a.CompetitionLevel)
	return appendTail(b, a)
}

// AppendPage appends the answer of a list: {"athletes":[…],"total_count":…,
// "offset":…,"limit":…,"next_offset":…}, each athlete in the read shape.
func AppendPage(b []byte, p Page, q Query) []byte {
	b = append(b, `{"athletes":[`...)
	for i, a := range p.Athletes {
		if i > 0 {
			b = append(b, ',')
		}
		b = AppendJSON(b, a)
	}
	b = strconv.AppendInt(append(b, `],"total_count":`...), p.TotalCount, 10)
	b = strconv.AppendInt(append(b, `,"offset":`...), q.Offset, 10)
	b = strconv.AppendInt(append(b, `,"limit":`...), int64(q.Limit), 10)
	return append(organization.AppendNextOffset(b, q.Offset, int64(len(p.Athletes)), p.TotalCount), '}')
}

// AppendLinked appends the answer about the athletes of a capture:
// {"athletes":[{"id":…,"first_name":…,"last_name":…},…]}.
func AppendLinked(b []byte, linked []Linked) []byte {
	b = append(b, `{"athletes":[`...)
	for i, a := range linked {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(append(b, `{"id":`...), a.ID)
		b = appendString(append(b, `,"first_name":`...), a.FirstName)
		b = append(appendText(append(b, `,"last_name":`...), a.LastName), '}')
	}
	return append(b, "]}"...)
}

// Tag is the athlete's entity tag, without quotes: another one after every
// change, the same in every answer about this version. It covers what can be
// read as well as the version, because an athlete that was deleted and imported
// anew begins at version 1 again.
func (a Athlete) Tag() string {
	h := xxhash.Sum64(strconv.AppendInt(AppendJSON(make([]byte, 0, 1024), a), a.Version, 10))
	return strconv.FormatInt(a.Version, 36) + "-" + strconv.FormatUint(h, 36)
}

func appendHead(b []byte, a Athlete) []byte {
	b = appendString(append(b, `{"id":`...), a.ID)
	b = appendString(append(b, `,"first_name":`...), a.FirstName)
	b = appendText(append(b, `,"last_name":`...), a.LastName)
	b = append(b, `,"date_of_birth":`...)
	if a.DateOfBirth == nil {
		b = append(b, "null"...)
	} else {
		b = append(b, '"')
		b = a.DateOfBirth.UTC().AppendFormat(b, time.DateOnly)
		b = append(append(b, midnight...), '"')
	}
	return appendText(append(b, `,"email":`...), a.Email)
}

func appendTail(b []byte, a Athlete) []byte {
	b = appendNumber(append(b, `,"height":`...), a.Height)
	b = appendNumber(append(b, `,"weight":`...), a.Weight)
	b = append(b, `,"custom_attributes":{`...)
	for i, k := range slices.Sorted(maps.Keys(a.CustomAttributes)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendString(b, k), ':')
		b = appendString(b, a.CustomAttributes[k])
	}
	b = appendTime(append(b, `},"created_at":`...), a.CreatedAt)
	b = appendTime(append(b, `,"updated_at":`...), a.UpdatedAt)
	return append(b, '}')
}

func appendTime(b []byte, t time.Time) []byte {
	b = append(b, '"')
	b = t.UTC().Truncate(time.Millisecond).AppendFormat(b, timeFormat)
	return append(b, '"')
}

func appendNumber(b []byte, n int) []byte {
	if n == 0 {
		return append(b, "null"...)
	}
	return strconv.AppendInt(b, int64(n), 10)
}

func appendText(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return appendString(b, s)
}

// appendString appends a JSON string. The error can only be text that is not
// UTF-8, which the rules keep out; were there any, it would be written with
// replacement characters, which is better than no answer.
func appendString(b []byte, s string) []byte {
	b, _ = jsontext.AppendQuote(b, s)
	return b
}
