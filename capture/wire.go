package capture

import (
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/payload"
)

// RowVersion is the version of what AppendJSON writes. Stores keep it with the rows that they keep ready, and
// write those of an older one again: it is raised with every change of the bytes.
const RowVersion = 1

// AppendJSON appends the capture as section 2.1 of the interface shows it, with
// one of its athletes, or null for "". The dimensions that its pair has and that
// are known follow the eight fixed fields.
func (c *Capture) AppendJSON(b []byte, athleteID string) []byte {
	b = appendHead(b, c.SessionID, athleteID)
	b = append(b, `,"activity":`...)
	b = appendText(b, c.Activity)
	b = append(b, `,"movement":`...)
	b = appendText(b, c.Movement)
	b = append(b, `,"status":`...)
	b = appendString(b, string(c.Status))
	b = append(b, `,"error":`...)
	b = appendText(b, c.Error)
	b = appendCaptureTime(b, c.CaptureTime)
	b = append(b, `,"fps_detected":`...)
	if c.FPSDetected == nil || math.IsNaN(*c.FPSDetected) || math.IsInf(*c.FPSDetected, 0) {
		b = append(b, "null"...)
	} else {
		b = strconv.AppendFloat(b, *c.FPSDetected, 'f', -1, 64)
	}
	if c.Activity != nil && c.Movement != nil {
		for _, name := range Dimensions(*c.Activity, *c.Movement) {
			if v, ok := c.Dimensions[name]; ok {
				b = append(b, ',')
				b = appendString(b, name)
				b = append(b, ':')
				b = appendString(b, v)
			}
		}
	}
	return append(b, '}')
}

func appendHead(b []byte, sessionID, athleteID string) []byte {
	b = appendString(append(b, `{"session_id":`...), sessionID)
	b = append(b, `,"athlete_id":`...)
	if athleteID == "" {
		return append(b, "null"...)
	}
	return appendString(b, athleteID)
}

func appendCaptureTime(b []byte, t *time.Time) []byte {
	return payload.AppendTime(append(b, `,"capture_time":`...), t)
}

// AppendPage appends the answer of a list around ready rows: those from q.Offset on
// of all rows that the list has. total counts captures.
func AppendPage(b []byte, rows [][]byte, total, all int64, q Query) []byte {
	b = append(b, `{"captures":[`...)
	for i, row := range rows {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, row...)
	}
	b = append(b, `],"total_count":`...)
	b = strconv.AppendInt(b, total, 10)
	b = append(b, `,"offset":`...)
	b = strconv.AppendInt(b, q.Offset, 10)
	b = append(b, `,"limit":`...)
	b = strconv.AppendInt(b, int64(q.Limit), 10)
	if q.Include&IncludeNext != 0 {
		b = organization.AppendNextOffset(b, q.Offset, int64(len(rows)), all)
	}
	return append(b, '}')
}

func appendText(b []byte, s *string) []byte {
	if s == nil {
		return append(b, "null"...)
	}
	return appendString(b, *s)
}

const hex = "0123456789abcdef"

// appendString appends a JSON string. Bytes that are not UTF-8 cannot be stored,
// but if some were, they would become the replacement character rather than
// break the answer. U+2028 and U+2029 are escaped for JavaScript's older readers.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c >= 0x20 && c != '"' && c != '\\' && c != 0x7f {
				i++
				continue
			}
			b = append(b, s[start:i]...)
			switch c {
			case '"', '\\':
				b = append(b, '\\', c)
			case '\n':
				b = append(b, '\\', 'n')
			case '\t':
				b = append(b, '\\', 't')
			case '\r':
				b = append(b, '\\', 'r')
			default:
				b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			}
			i++
			start = i
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			b = append(b, s[start:i]...)
			b = append(b, "\ufffd"...)
			i++
			start = i
			continue
		}
		if r == '\u2028' || r == '\u2029' {
			b = append(b, s[start:i]...)
			b = append(b, `\u202`...)
			b = append(b, hex[r&15])
			start = i + n
		}
		i += n
	}
	b = append(b, s[start:]...)
	return append(b, '"')
}
