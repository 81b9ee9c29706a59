package httpapi

import (
	"errors"
	"io"
	"time"

	"github.com/kinebase/kinebase/fault"
)

// How much of a file is given, and for how long, before the next look whether it still
// exists.
const (
	lookBytes = 8 << 20
	lookEvery = time.Second
)

var errErased = errors.New("the file was erased while it was given")

// revocable is a file that is given only as long as it is there: of an erased one,
// whoever has opened it on a disk could read everything to its end.
type revocable struct {
	file io.ReaderAt
	now  func() time.Time
	same func() (bool, error) // whether the file is still the one that was asked for
	left int64                // bytes until the next look
	next time.Time            // of the next look in any case
}

func newRevocable(file io.ReaderAt, now func() time.Time, same func() (bool, error)) *revocable {
	return &revocable{file: file, now: now, same: same, left: lookBytes, next: now().Add(lookEvery)}
}

// ReadAt is io.ReaderAt, for one caller at a time.
func (l *revocable) ReadAt(p []byte, off int64) (int, error) {
	if now := l.now(); l.left <= 0 || now.After(l.next) {
		// When the answer cannot be known just now, reading goes on.
		if same, err := l.same(); fault.Is(err, fault.NotFound) || err == nil && !same {
			return 0, errErased
		}
		l.left, l.next = lookBytes, now.Add(lookEvery)
	}
	n, err := l.file.ReadAt(p, off)
	l.left -= int64(n)
	return n, err
}
