package upload

import (
	"errors"
	"math"

	"github.com/kinebase/kinebase/fault"
)

// ErrNoRoom says that an organization's files take all that they may. The error around it
// is a fault.Conflict with what they take and may take.
var ErrNoRoom = errors.New("there is no room for the file")

// Room is what the files of an organization's captures take, in bytes: as they came, and
// what was made of them.
type Room struct {
	Used    int64
	Allowed int64 // 0: there is no bound
}

// Left is how many bytes more there may be.
func (r Room) Left() int64 {
	if r.Allowed == 0 {
		return math.MaxInt64
	}
	return max(0, r.Allowed-r.Used)
}

// Take refuses a file of so many bytes that does not fit: ErrNoRoom.
func (r Room) Take(size int64) error {
	if size <= r.Left() && (r.Allowed == 0 || r.Used <= r.Allowed) {
		return nil
	}
	return fault.Wrap(ErrNoRoom, fault.Conflict,
		"The organization's files take %d bytes of the %d that they may take, so that no file of more than %d bytes "+
			"fits. Delete captures to make room; the server's operator can allow more with kinebase org quota, or "+
			"everybody with KINEBASE_FILE_STORAGE.",
		r.Used, r.Allowed, r.Left())
}
