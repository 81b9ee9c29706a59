package capture

import (
	"math"
	"strings"
)

// Key is a place in the order of the list: newest capture time first, no capture
// time last, then session id by code point. All rows of a capture share its key.
type Key struct {
	Time      int64 // minus the capture time in microseconds; MaxInt64 without one
	SessionID string
}

// Key gives the capture's place.
func (c Capture) Key() Key {
	k := Key{Time: math.MaxInt64, SessionID: c.SessionID}
	if c.CaptureTime != nil {
		k.Time = -c.CaptureTime.UnixMicro()
	}
	return k
}

// Compare orders keys as the list is ordered.
func (k Key) Compare(o Key) int {
	switch {
	case k.Time < o.Time:
		return -1
	case k.Time > o.Time:
		return 1
	}
	return strings.Compare(k.SessionID, o.SessionID)
}
