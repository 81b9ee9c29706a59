package video

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"time"

	"github.com/kinebase/kinebase/motion/quality"
)

// When a recording was made stands in several places of a file. The header's time is
// that of the file: who trims, copies or sends a video often sets it again. What a camera
// writes beside it goes along unchanged, and has the zone: the key
// com.apple.quicktime.creationdate of the metadata (iPhones and others), or ©day.

const (
	keyMade  = "com.apple.quicktime.creationdate"
	itemMade = "\xa9day"
	dateMost = 64 // bytes of a date as text
	metaMost = 4096
)

// aside reads what the pictures do without: damage in it is none of the video.
func (m *movie) aside(b box, read func(box) error) error {
	cut := m.cut
	err := read(b)
	m.cut = cut
	var damaged *quality.Unreadable
	if errors.As(err, &damaged) {
		return nil
	}
	return err
}

// readMeta reads the metadata of the movie: names of keys, and a list of values, each
// under the number of its key or under four letters. In MP4 four bytes of version and
// flags come first, in QuickTime they do not.
func (m *movie) readMeta(b box) error {
	head, ok, err := m.content(b, 8)
	if err != nil || !ok {
		return err
	}
	if string(head[4:8]) != "hdlr" {
		b.start += 4
	}
	key := uint32(0)
	return m.each(b.start, b.end, func(b box) error {
		switch b.kind {
		case "keys":
			key, err = m.readKeys(b)
			return err
		case "ilst":
			return m.each(b.start, b.end, func(b box) error {
				if n := binary.BigEndian.Uint32([]byte(b.kind)); b.kind == itemMade || key > 0 && n == key {
					return m.readValue(b)
				}
				return nil
			})
		}
		return nil
	})
}

// readKeys gives the number, from 1, of the key that says when the recording was made;
// 0 when there is none. Each key is a box of which the kind is that of its name.
func (m *movie) readKeys(b box) (uint32, error) {
	b.start += 8 // version, flags and how many there are
	number, found := uint32(0), uint32(0)
	err := m.each(b.start, b.end, func(b box) error {
		if number++; found > 0 || number > metaMost || b.end-b.start != int64(len(keyMade)) {
			return nil
		}
		name, ok, err := m.content(b, len(keyMade))
		if ok && string(name) == keyMade {
			found = number
		}
		return err
	})
	return found, err
}

// readValue reads the box data of an item: four bytes of type, four of language, text.
func (m *movie) readValue(b box) error {
	return m.each(b.start, b.end, func(b box) error {
		if b.kind != "data" || b.end-b.start < 8 {
			return nil
		}
		c, ok, err := m.content(b, int(min(b.end-b.start, 8+dateMost)))
		if ok {
			m.dated(c[8:])
		}
		return err
	})
}

// readUserData reads ©day as QuickTime has it: two bytes of length, two of language,
// text. The metadata may be in here as well.
func (m *movie) readUserData(b box) error {
	return m.each(b.start, b.end, func(b box) error {
		switch b.kind {
		case "meta":
			return m.readMeta(b)
		case itemMade:
			c, ok, err := m.content(b, int(min(b.end-b.start, 4+dateMost)))
			if ok && len(c) > 4 {
				m.dated(c[4:min(len(c), 4+int(binary.BigEndian.Uint16(c)))])
			}
			return err
		}
		return nil
	})
}

// dated takes a date that the metadata state, the first one. One without a zone could
// be any of 26 hours and is none.
func (m *movie) dated(text []byte) {
	if !m.made.IsZero() {
		return
	}
	s := strings.TrimSpace(string(bytes.TrimRight(text, "\x00")))
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05-0700", "2006-01-02T15:04:05-07",
		"2006-01-02 15:04:05-0700", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05Z07:00"} {
		if t, err := time.Parse(layout, s); err == nil && plausible(t.Unix()) {
			m.made = t.UTC()
			return
		}
	}
}
