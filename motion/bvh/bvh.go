package bvh

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/text"
)

// Header is what a BVH file says about itself, checked against its frames.
type Header struct {
	Joints   []Joint
	Rate     float64 // frames a second; 0 when Frame Time is not usable
	Frames   int     // frames really there
	Warnings quality.Warnings
}

// ReadHeader reads a BVH file to its end, for only its numbers tell how many
// frames there are. The error is a *quality.Unreadable when the file is to blame,
// and r's own when reading failed.
func ReadHeader(r io.Reader) (*Header, error) {
	h, _, err := read(r, nil)
	return h, err
}

// Read reads a BVH file of that many bytes: where every joint is in every frame,
// by the skeleton and its turns, and every turn as a joint angle in degrees, called
// after its joint and its channel. Errors are those of ReadHeader.
func Read(r io.Reader, size int64) (*record.Recording, error) {
	columns := text.NewColumns(0, size)
	h, columns, err := read(r, columns)
	if err != nil {
		return nil, err
	}
	rec := &record.Recording{Rate: h.Rate, Frames: h.Frames, FirstFrame: 1}
	column := 0
	for _, j := range h.Joints {
		for _, c := range j.Channels {
			if c.Turn {
				rec.Angles = append(rec.Angles, record.Channel{
					Name: j.Name + "_" + c.Name, Unit: "deg", Rate: h.Rate, PerFrame: 1, Values: columns.Column(column),
				})
			}
			column++
		}
	}
	names := make([]string, len(rec.Angles))
	for i, c := range rec.Angles {
		names[i] = c.Name
	}
	names, _, _ = label.Distinct(names, len(names))
	for i, name := range names {
		rec.Angles[i].Name = name
	}
	rec.Points = h.place(columns)
	rec.Warnings = h.Warnings // those about places are the last
	for i, j := range h.Joints {
		if j.Parent >= 0 {
			rec.Bones = append(rec.Bones, [2]int{j.Parent, i})
		}
	}
	rec.Subjects = label.Prefixes(h.Points())
	return rec, nil
}

// Points gives the names of the joints.
func (h *Header) Points() []string {
	names := make([]string, len(h.Joints))
	for i, j := range h.Joints {
		names[i] = j.Name
	}
	return names
}

// Angles gives the names of the turns, as Read calls them.
func (h *Header) Angles() []string {
	var names []string
	for _, j := range h.Joints {
		for _, c := range j.Channels {
			if c.Turn {
				names = append(names, j.Name+"_"+c.Name)
			}
		}
	}
	names, _, _ = label.Distinct(names, len(names))
	return names
}

func read(r io.Reader, columns *text.Columns) (*Header, *text.Columns, error) {
	h := &Header{}
	w := &words{lines: text.NewLines(r)}
	err := func() (err error) {
		if h.Joints, err = readSkeleton(w, &h.Warnings); err != nil {
			return err
		}
		return h.readMotion(w, columns)
	}()
	var unreadable *quality.Unreadable
	if err != nil && !errors.As(err, &unreadable) {
		err = fmt.Errorf("reading the BVH file: %w", err)
	}
	return h, columns, err
}

// readMotion reads what stands behind the word MOTION.
func (h *Header) readMotion(w *words, columns *text.Columns) error {
	announced, _, err := w.value("Frames:")
	if err != nil {
		return err
	}
	seconds, last, err := w.value("Frame Time:")
	if err != nil {
		return err
	}
	if h.Rate = 1 / seconds; !record.Usable(h.Rate) || seconds >= record.Longest { // milliseconds, or a rate
		h.Rate = 0
		h.Warnings.Add(quality.RateMissing, "The file's time of a frame is %g s, which cannot be.", seconds)
	} else {
		h.settleRate(seconds, last)
		if seconds >= record.DoubtfulPace {
			h.Warnings.Add(quality.TimeUnitUnknown,
				"The file's time of a frame is %g s, which is longer than recordings have; it was taken for seconds.",
				seconds)
		}
	}
	channels := 0
	for _, j := range h.Joints {
		channels += len(j.Channels)
	}
	if channels == 0 {
		return w.wrong("No joint of the skeleton has a channel, so nothing moves")
	}
	if columns != nil {
		// Beside its channels a joint will take three numbers a frame.
		columns.Need(channels)
		columns.Weigh(1 + int64(3*len(h.Joints)/channels))
	}
	if err := h.readFrames(w, &frames{channels: channels, announced: announced, columns: columns}); err != nil {
		return err
	}
	if h.Frames == 0 {
		return &quality.Unreadable{Reason: "The file has a skeleton but not one whole frame", Line: w.lines.Number(),
			Hint: quality.CopyAgain}
	}
	if announced != float64(h.Frames) {
		h.Warnings.Add(quality.FramesDisagree, "The file announces %g frames, but has %s.", announced,
			quality.Thousands(int64(h.Frames)))
	}
	return nil
}

// settleRate makes a rate of the time of a frame, of which 1 in the last digit is worth so much.
func (h *Header) settleRate(seconds, last float64) {
	rate, least, most := record.RateOfPace(seconds, last)
	if h.Rate = rate; least < most {
		h.Warnings.Add(quality.RateDisagrees,
			"The file's time of a frame, %g s, has so few digits that it may be any rate from %.4g to %.4g Hz; it was "+
				"taken for %g Hz.", seconds, least, most, rate)
	}
}

// value reads a name, such as Frames:, the number behind it, and what 1 in its
// last digit is worth.
func (w *words) value(name string) (number, last float64, err error) {
	for _, want := range strings.Fields(name) {
		word, err := w.must(name)
		if err != nil {
			return 0, 0, err
		}
		// The number may stand right behind the colon.
		if rest, ok := cutPrefixFold(word, want); ok && rest != "" {
			w.line = append([]byte(rest), w.line...)
		} else if !ok {
			return 0, 0, w.wrong("%q stands where %s should", clip(word), name)
		}
	}
	word, err := w.must("the number of " + name)
	if err != nil {
		return 0, 0, err
	}
	number, last, ok := text.Stated([]byte(word))
	if !ok {
		return 0, 0, w.wrong("%s is %q and not a number", name, clip(word))
	}
	return number, last, nil
}

func cutPrefixFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}
