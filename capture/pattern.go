package capture

import (
	"bytes"
	"math"
	"time"
)

// A ready row (AppendJSON) says few things that no other row says: the session id, the athlete and the
// capture time. Without them it is a pattern, which many captures with the same labels, status, rate and
// dimensions share. Key and athlete make the row of a pattern again, byte for byte.

// cut stands in a pattern where the capture time was: no row has this byte, for rows are UTF-8.
const cut = 0xFF

// AppendPattern appends the pattern of the ready row of a capture and one of its athletes. ok is false where
// the row does not have session id, athlete and capture time where AppendJSON writes them; b is unchanged then.
func (k Key) AppendPattern(b, row []byte, athleteID string) (pattern []byte, ok bool) {
	var room [192]byte
	head := appendHead(room[:0], k.SessionID, athleteID)
	if !bytes.HasPrefix(row, head) {
		return b, false
	}
	row = row[len(head):]
	at := k.appendTime(room[:0])
	i := bytes.Index(row, at)
	if i < 0 || bytes.IndexByte(row, cut) >= 0 {
		return b, false
	}
	b = append(append(b, row[:i]...), cut)
	return append(b, row[i+len(at):]...), true
}

// AppendRow appends the row of which AppendPattern made the pattern.
func (k Key) AppendRow(b []byte, pattern, athleteID string) []byte {
	b = appendHead(b, k.SessionID, athleteID)
	for i := range len(pattern) {
		if pattern[i] == cut {
			b = k.appendTime(append(b, pattern[:i]...))
			return append(b, pattern[i+1:]...)
		}
	}
	return append(b, pattern...)
}

func (k Key) appendTime(b []byte) []byte {
	if k.Time == math.MaxInt64 {
		return appendCaptureTime(b, nil)
	}
	t := time.UnixMicro(-k.Time)
	return appendCaptureTime(b, &t)
}
