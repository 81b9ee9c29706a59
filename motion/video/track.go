package video

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"github.com/kinebase/kinebase/motion/record"
)

// track is one track of the file: pictures, sound, or something else.
type track struct {
	id            uint32
	handler       string // vide for pictures
	codec         string
	width, height int
	rotation      int
	timescale     uint32 // of durations, in parts of a second
	runs          []run
	sizes         int64 // pictures, as the table of their sizes counts them; -1 when there is none
	edits         []edit
	defaultDelta  uint32 // of pictures in fragments
	fragmented    bool
}

// run is a number of pictures, one after another, that last equally long.
type run struct {
	count int64
	delta uint32
}

// edit is one entry of the edit list.
type edit struct {
	duration int64 // in parts of a second of the file
	start    int64 // in parts of a second of the track; negative for a part without pictures
}

// add takes pictures into account. Equal runs are kept as one, so that a fragment
// for each picture does not make as many runs.
func (t *track) add(count int64, delta uint32) {
	if count <= 0 {
		return
	}
	if n := len(t.runs); n > 0 && t.runs[n-1].delta == delta {
		t.runs[n-1].count += count
		return
	}
	t.runs = append(t.runs, run{count, delta})
}

// sum gives the number of pictures and how long they last altogether, those of a
// negative time aside.
func (t *track) sum() (frames int64, duration float64) {
	for _, r := range t.runs {
		if frames += r.count; !r.backwards() {
			duration += float64(r.count) * float64(r.delta)
		}
	}
	return frames, duration
}

// backwards says whether the pictures last a negative time, as programs write it that
// lost some or put them in another order: the format knows no sign, but no picture
// lasts 2^31 parts of a second.
func (r run) backwards() bool { return r.delta >= 1<<31 }

// backwards gives how many pictures last a negative time.
func (t *track) backwards() int64 {
	n := int64(0)
	for _, r := range t.runs {
		if r.backwards() {
			n += r.count
		}
	}
	return n
}

// variable says whether the pictures are not evenly spaced: half of them last more
// than a hundredth longer or shorter than their mean.
func (t *track) variable() bool {
	frames, duration := t.sum()
	if frames -= t.backwards(); frames < 2 {
		return false
	}
	// Nobody asks for their order any more, and a copy would take as much again.
	slices.SortFunc(t.runs, func(a, b run) int { return cmp.Compare(a.delta, b.delta) })
	var median float64
	at := int64(0)
	for _, r := range t.runs {
		if at += r.count; 2*at >= frames {
			median = float64(r.delta)
			break
		}
	}
	mean := duration / float64(frames)
	return math.Abs(median-mean) > 0.01*mean
}

// readTrack reads the box of a track.
func (f *file) readTrack(b box) (*track, error) {
	t := &track{sizes: -1}
	readers := map[string]func(box) error{
		"tkhd": func(b box) error { return f.readTrackHeader(b, t) },
		"elst": func(b box) error { return f.readEdits(b, t) },
		"mdhd": func(b box) error { return f.readMediaHeader(b, t) },
		"hdlr": func(b box) error {
			c, ok, err := f.content(b, 12)
			// QuickTime has a second one that says where the bytes are.
			if ok && t.handler == "" && string(c[8:12]) != "alis" && string(c[8:12]) != "url " {
				t.handler = string(c[8:12])
			}
			return err
		},
		"stsd": func(b box) error { return f.readDescription(b, t) },
		"stts": func(b box) error { return f.readTimes(b, t) },
		"stsz": func(b box) error {
			c, ok, err := f.content(b, 12)
			if ok {
				t.sizes = int64(binary.BigEndian.Uint32(c[8:]))
			}
			return err
		},
	}
	// The boxes that are read lie in boxes of these kinds, four deep. Deeper ones only occur in
	// bad files, and would cost time.
	var open func(b box, deep int) error
	open = func(b box, deep int) error {
		return f.each(b.start, b.end, func(b box) error {
			switch b.kind {
			case "edts", "mdia", "minf", "stbl":
				if deep < 4 {
					return open(b, deep+1)
				}
			}
			if read := readers[b.kind]; read != nil {
				return read(b)
			}
			return nil
		})
	}
	return t, open(b, 1)
}

// readTrackHeader reads the number of the track, and how its pictures are turned:
// the matrix has the cosine and the sine of the angle in its first row.
func (f *file) readTrackHeader(b box, t *track) error {
	c, ok, err := f.content(b, 84)
	if err != nil || !ok {
		return err
	}
	id, matrix := 12, 40
	if c[0] == 1 { // times of 64 bits
		if c, ok, err = f.content(b, 96); err != nil || !ok {
			return err
		}
		id, matrix = 20, 52
	}
	t.id = binary.BigEndian.Uint32(c[id:])
	cos := float64(int32(binary.BigEndian.Uint32(c[matrix:])))
	sin := float64(int32(binary.BigEndian.Uint32(c[matrix+4:])))
	turn := int(math.Round(math.Atan2(sin, cos)/(math.Pi/2))) * 90
	t.rotation = (turn + 360) % 360
	return nil
}

func (f *file) readMediaHeader(b box, t *track) error {
	c, ok, err := f.content(b, 24)
	if err != nil || !ok {
		return err
	}
	at := 12
	if c[0] == 1 {
		at = 20
	}
	t.timescale = binary.BigEndian.Uint32(c[at:])
	return nil
}

// readDescription reads the coding of the pictures and their size.
func (f *file) readDescription(b box, t *track) error {
	c, ok, err := f.content(b, 16)
	if err != nil || !ok {
		return err
	}
	t.codec = kind(c[12:16])
	if c, ok, err = f.content(b, 44); ok {
		t.width, t.height = int(binary.BigEndian.Uint16(c[40:])), int(binary.BigEndian.Uint16(c[42:]))
	}
	return err
}

// readTimes reads how long the pictures last.
func (f *file) readTimes(b box, t *track) error {
	c, ok, err := f.content(b, 8)
	if err != nil || !ok {
		return err
	}
	return f.table(b, 8, 8, binary.BigEndian.Uint32(c[4:]), func(e []byte) {
		t.add(int64(binary.BigEndian.Uint32(e)), binary.BigEndian.Uint32(e[4:]))
	})
}

// editsMost is how many edits are kept. Files have one or two.
const editsMost = 1000

func (f *file) readEdits(b box, t *track) error {
	c, ok, err := f.content(b, 8)
	if err != nil || !ok {
		return err
	}
	wide := 12
	if c[0] == 1 {
		wide = 20
	}
	count := min(binary.BigEndian.Uint32(c[4:]), editsMost)
	return f.table(b, 8, wide, count, func(e []byte) {
		if wide == 20 {
			t.edits = append(t.edits, edit{int64(binary.BigEndian.Uint64(e)), int64(binary.BigEndian.Uint64(e[8:]))})
			return
		}
		t.edits = append(t.edits, edit{int64(binary.BigEndian.Uint32(e)), int64(int32(binary.BigEndian.Uint32(e[4:])))})
	})
}

// shown gives the edits in seconds.
func (t *track) shown(timescale uint32) []record.Edit {
	var all []record.Edit
	for _, e := range t.edits {
		shown := record.Edit{Start: -1, Duration: float64(e.duration) / float64(max(1, timescale))}
		if e.start >= 0 {
			shown.Start = float64(e.start) / float64(max(1, t.timescale))
		}
		all = append(all, shown)
	}
	return all
}
