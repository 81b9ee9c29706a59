package payload

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// TimeLayout is how every time is written: UTC, RFC 3339, milliseconds.
const TimeLayout = "2006-01-02T15:04:05.000Z"

// AppendTime appends a time as a JSON string, cut to the millisecond, or null.
func AppendTime(b []byte, t *time.Time) []byte {
	if t == nil {
		return append(b, "null"...)
	}
	b = append(b, '"')
	b = t.UTC().Truncate(time.Millisecond).AppendFormat(b, TimeLayout)
	return append(b, '"')
}

// AppendString appends a JSON string. Text that is not UTF-8 gets replacement
// characters: rules keep it out, and an answer with them is better than none.
func AppendString(b []byte, s string) []byte {
	b, _ = jsontext.AppendQuote(b, s)
	return b
}
