// Package tally counts the captures of a list without looking at them: a list
// is cut into blocks of neighbours in the list's order, each with a count per
// combination of what a filter can ask for, so that totals and places come from
// adding up a few hundred numbers whatever the list's length. Changes are kept
// beside the blocks, in the order of their commits, until they are folded in.
//
// The package is pure: it knows neither SQL nor transactions. The blocks and the
// changes of one moment give the exact counts of that moment.
package tally

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/kinebase/kinebase/capture"
)

// Athlete is an athlete's id in binary; the zero value names nobody.
type Athlete = [16]byte

// Change says that a capture came into the lists or left them. A capture whose
// place, combination or links change leaves as it was and comes as it is.
type Change struct {
	Key         capture.Key
	Combination uint32
	Gone        bool
	Athletes    []Athlete
}

// Rows is how many rows of the organization's list the capture takes: one per
// linked athlete, one when it is linked to nobody.
func (c *Change) Rows() int { return max(1, len(c.Athletes)) }

// Append appends the change's bytes:
//
//	flags byte (1: gone) · time varint · combination uvarint ·
//	length of session id uvarint · session id · athletes uvarint · 16 bytes each
func (c *Change) Append(b []byte) []byte {
	flags := byte(0)
	if c.Gone {
		flags = 1
	}
	b = append(b, flags)
	b = binary.AppendVarint(b, c.Key.Time)
	b = binary.AppendUvarint(b, uint64(c.Combination))
	b = binary.AppendUvarint(b, uint64(len(c.Key.SessionID)))
	b = append(b, c.Key.SessionID...)
	b = binary.AppendUvarint(b, uint64(len(c.Athletes)))
	for _, a := range c.Athletes {
		b = append(b, a[:]...)
	}
	return b
}

// called is the flags byte of an entry that is no change of a capture: it says that an athlete
// came, or that its place in a list of athletes may be another. The 16 bytes of the id follow.
const called = 2

// nobody begins the id of an entry that says that an athlete was erased; the mark of the athlete
// follows in the last 4 bytes. An older program takes it for an athlete who is not there.
var nobody = [12]byte{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}

// AppendErased appends that an athlete with this mark was erased.
func AppendErased(b []byte, mark uint32) []byte {
	return binary.BigEndian.AppendUint32(append(append(b, called), nobody[:]...), mark)
}

// AppendMarks appends marks, of 4 bytes each.
func AppendMarks(b []byte, marks []uint32) []byte {
	for _, m := range marks {
		b = binary.BigEndian.AppendUint32(b, m)
	}
	return b
}

// ParseMarks reads what AppendMarks wrote.
func ParseMarks(b []byte) (marks []uint32, err error) {
	if len(b)%4 != 0 {
		return nil, errBytes
	}
	for ; len(b) > 0; b = b[4:] {
		marks = append(marks, binary.BigEndian.Uint32(b))
	}
	return marks, nil
}

// AppendCalled appends that an athlete came or is listed or called otherwise.
func AppendCalled(b []byte, a Athlete) []byte { return append(append(b, called), a[:]...) }

var errBytes = errors.New("tally: damaged bytes")

// ParseChanges appends the changes in b to into.
func ParseChanges(into []Change, b []byte) ([]Change, error) {
	into, _, _, err := ParseEntries(into, b)
	return into, err
}

// ParseEntries appends the changes in b to into, and gives the athletes who came
// or are listed or called otherwise, some of them perhaps twice, and the marks of those who
// were erased. An entry with a mark is among the athletes too, for an athlete may have that id.
func ParseEntries(into []Change, b []byte) (_ []Change, people []Athlete, marks []uint32, _ error) {
	r := reader{b: b}
	for len(r.b) > 0 {
		flags := r.byte()
		if flags == called {
			if id := r.take(16); id != nil {
				people = append(people, Athlete(id))
				if mark, ok := bytes.CutPrefix(id, nobody[:]); ok {
					marks = append(marks, binary.BigEndian.Uint32(mark))
				}
			}
			continue
		}
		c := Change{Gone: flags == 1}
		c.Key.Time = r.varint()
		c.Combination = uint32(r.uvarint())
		c.Key.SessionID = string(r.take(r.uvarint()))
		n := r.uvarint()
		if n > uint64(len(r.b))/16 {
			r.bad = true
		}
		if r.bad {
			return into, nil, nil, errBytes
		}
		if n > 0 {
			c.Athletes = make([]Athlete, n)
			for i := range c.Athletes {
				copy(c.Athletes[i][:], r.take(16))
			}
		}
		into = append(into, c)
	}
	if r.bad {
		return into, nil, nil, errBytes
	}
	return into, people, marks, nil
}

// reader takes numbers off bytes; a wrong one makes it bad and everything after
// it zero.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) byte() byte {
	v := r.take(1)
	if len(v) == 0 {
		return 0
	}
	return v[0]
}

func (r *reader) take(n uint64) []byte {
	if r.bad || n > uint64(len(r.b)) {
		r.bad, r.b = true, nil
		return nil
	}
	v := r.b[:n]
	r.b = r.b[n:]
	return v
}

func (r *reader) uvarint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) varint() int64 {
	v, n := binary.Varint(r.b)
	if n <= 0 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return v
}

// String describes the change for a failing test.
func (c Change) String() string {
	sign := "+"
	if c.Gone {
		sign = "-"
	}
	return fmt.Sprintf("%s%d/%q combination %d, %d athletes", sign, c.Key.Time, c.Key.SessionID, c.Combination,
		len(c.Athletes))
}
