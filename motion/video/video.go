// Package video reads what MP4 and QuickTime files (.mp4, .mov) say of their
// pictures: how many there are, how fast they follow one another, how they are
// turned. The pictures themselves are not looked at.
//
// What is known of the format comes from Apple's QuickTime file format
// specification and ISO/IEC 14496-12. A file is made of boxes, each with its size
// and its kind. The box moov has an index of every track, with a table of how long
// the pictures last; in a fragmented file the index goes on in boxes moof.
//
// The rate is the number of pictures by the sum of how long they last: durations
// that headers state are rounded, count edits, or are those of the sound.
package video

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
)

// first are the kinds of boxes that a file begins with.
var first = []string{"ftyp", "moov", "mdat", "moof", "styp", "sidx", "wide", "free", "skip", "pnot", "uuid"}

// Read reads the index of a video of that many bytes, and never more than that.
// The recording has frames and a rate, and no channels. The error is a
// *quality.Unreadable when the file is to blame, and r's own when reading failed.
func Read(r io.ReaderAt, size int64) (*record.Recording, error) {
	if size <= 0 {
		return nil, quality.Empty()
	}
	m := movie{file: file{r: r, size: size}, extends: map[uint32]uint32{}, byID: map[uint32]*track{}}
	started := false
	err := m.each(0, size, func(b box) error {
		if !started && !slices.Contains(first, b.kind) {
			return notVideo()
		}
		started = true
		return m.visit(b)
	})
	var unreadable *quality.Unreadable
	if errors.As(err, &unreadable) && !started {
		return nil, notVideo()
	}
	if err != nil {
		return nil, err
	}
	if !started {
		return nil, notVideo()
	}
	return m.recording()
}

func notVideo() error {
	return &quality.Unreadable{Reason: "This is neither an MP4 nor a QuickTime file",
		Hint: "Check what kind of file it is, or export it again as MP4."}
}

// movie is what is gathered from the file.
type movie struct {
	file
	there     bool      // the index is there
	packed    bool      // the index is compressed
	timescale uint32    // of the edits
	created   time.Time // as the header has it, or zero
	made      time.Time // as the metadata have it, or zero
	tracks    []*track
	byID      map[uint32]*track
	extends   map[uint32]uint32
}

// tracksMost bounds the tracks of a file: a file of nothing but tracks must not
// take many times its size.
const tracksMost = 1000

// visit takes one box of the outermost level into account.
func (m *movie) visit(b box) error {
	switch b.kind {
	case "moov":
		m.there = true
		if err := m.each(b.start, b.end, m.visitIndex); err != nil {
			return err
		}
		for _, t := range m.tracks {
			t.defaultDelta = m.extends[t.id]
			m.byID[t.id] = t
		}
	case "moof":
		return m.readFragment(b, m.byID)
	}
	return nil
}

// madeAt reads a time of the format: seconds since 1904. What is before there were
// such files is none; programs that do not know write 0.
func madeAt(seconds int64) time.Time {
	const to1970 = 2_082_844_800
	if unix := seconds - to1970; plausible(unix) {
		return time.Unix(unix, 0).UTC()
	}
	return time.Time{}
}

// plausible says whether a time, in seconds since 1970, is from 1990 to 2100.
func plausible(unix int64) bool { return unix >= 631_152_000 && unix < 4_102_444_800 }

func (m *movie) visitIndex(b box) error {
	switch b.kind {
	case "mvhd":
		c, ok, err := m.content(b, 24)
		if ok {
			at, created := 12, int64(binary.BigEndian.Uint32(c[4:]))
			if c[0] == 1 { // times of 64 bits
				at, created = 20, int64(binary.BigEndian.Uint64(c[4:]))
			}
			m.timescale = binary.BigEndian.Uint32(c[at:])
			m.created = madeAt(created)
		}
		return err
	case "trak":
		if len(m.tracks) == tracksMost {
			return nil
		}
		t, err := m.readTrack(b)
		m.tracks = append(m.tracks, t)
		return err
	case "mvex":
		return m.readExtends(b, m.extends)
	case "meta":
		return m.aside(b, m.readMeta)
	case "udta":
		return m.aside(b, m.readUserData)
	case "cmov":
		m.packed = true
	}
	return nil
}

// pictures is the track of pictures; of several, the one with most of them.
func (m *movie) pictures() *track {
	var best *track
	var most int64 = -1
	for _, t := range m.tracks {
		if frames, _ := t.sum(); t.handler == "vide" && frames > most {
			best, most = t, frames
		}
	}
	return best
}

// recording settles everything.
func (m *movie) recording() (*record.Recording, error) {
	t := m.pictures()
	var frames int64
	var parts float64
	if t != nil {
		frames, parts = t.sum()
	}
	if !m.made.IsZero() {
		m.created = m.made
	}
	switch {
	case m.packed:
		return nil, &quality.Unreadable{Reason: "The index of the video is compressed", Hint: "Save it again as MP4."}
	case !m.there:
		return nil, &quality.Unreadable{
			Reason: "The file has no index of its pictures, so the recording was not ended or the file was cut",
			Offset: m.size, Hint: quality.CopyAgain,
		}
	case t == nil:
		return nil, &quality.Unreadable{Reason: "The file has no pictures, perhaps only sound",
			Hint: "Check whether it is the right file."}
	case frames == 0:
		return nil, &quality.Unreadable{Reason: "The file has a track of pictures without a picture in it",
			Hint: quality.CopyAgain}
	case frames > m.size:
		return nil, &quality.Unreadable{
			Reason: fmt.Sprintf("The file announces %s pictures, more than it has bytes", quality.Thousands(frames)),
			Hint:   quality.CopyAgain,
		}
	}
	rec := &record.Recording{Frames: int(frames), FirstFrame: 1, Video: &record.Video{
		Width: t.width, Height: t.height, Rotation: t.rotation, Codec: t.codec,
		Variable: t.variable(), Fragmented: t.fragmented, Edits: t.shown(m.timescale), Created: m.created,
	}}
	timed := float64(frames - t.backwards())
	if seconds := parts / float64(t.timescale); t.timescale > 0 && seconds > 0 && record.Usable(timed/seconds) {
		rec.Video.Duration = seconds
		rec.Rate = record.RoundRate(timed / seconds)
	} else {
		rec.Warnings.Add(quality.RateMissing, "The file does not tell how long its pictures last.")
	}
	m.report(rec, t)
	return rec, nil
}

// report notes what is odd.
func (m *movie) report(rec *record.Recording, t *track) {
	if n := t.backwards(); n > 0 {
		rec.Warnings.Add(quality.TimesUneven,
			"%s of the %s pictures last a negative time; they were counted, and left out of the rate.",
			quality.Thousands(n), quality.Thousands(int64(rec.Frames)))
	}
	if rec.Video.Variable && rec.Rate > 0 {
		rec.Warnings.Add(quality.TimesUneven,
			"The pictures do not follow one another at an even pace; %g a second is their mean.", rec.Rate)
	}
	if m.cut {
		rec.Warnings.Add(quality.CutShort, "The file announces more bytes than it has, so it was probably cut.")
	}
	if t.sizes >= 0 && !t.fragmented && t.sizes != int64(rec.Frames) {
		rec.Warnings.Add(quality.FramesDisagree, "The file has times for %s pictures and sizes for %s.",
			quality.Thousands(int64(rec.Frames)), quality.Thousands(t.sizes))
	}
	shown, pause := 0.0, 0.0
	for _, e := range rec.Video.Edits {
		switch {
		case e.Start >= 0:
			shown += e.Duration
		case shown == 0:
			pause += e.Duration
		}
	}
	if pause > 0 {
		rec.Warnings.Add(quality.EditsIgnored,
			"Players show nothing for %.2f s before the first picture; the pictures were timed from the first one on.",
			pause)
	}
	// An edit of no length goes on to the end of what fragments will bring.
	if frame := rec.Video.Duration / float64(rec.Frames); shown > 0 && shown < rec.Video.Duration-1.5*frame {
		rec.Warnings.Add(quality.EditsIgnored,
			"Players show %.2f s of the %.2f s of pictures in the file; all of them were counted.", shown,
			rec.Video.Duration)
	}
}
