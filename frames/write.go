package frames

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/quality"
)

// Source is a recording that is gone through a stretch at a time, as motion.File
// is: Stretch gives n frames from the one at place from on, and everything that is
// known of the whole recording beside its numbers, even of no frames at all.
type Source interface {
	Stretch(from, n int) (*motion.Recording, error)
}

// Memory of the writer: a stretch has about stretchValues numbers, and a row group
// is written once it has groupValues. Bigger groups make a smaller index, smaller
// ones are what a reader of a few rows likes.
const (
	stretchValues = 1 << 18
	groupValues   = 1 << 20
	largestGroup  = 1 << 20 // rows; a stretch may come on top
)

// Write writes the tables of a recording of so many frames: the motion table, a
// row a frame, and the table of samples, a row for every sample of the fastest
// channel, of which nothing is written when no channel has several samples a frame.
// Both are Parquet files whose first columns are frame (from 0) and time (seconds);
// all others are numbers in the file's own unit, NULL where they are missing: of 32 bits,
// and of 64 where 32 cannot hold them.
//
// Of a channel with several samples the motion table has the first one of each
// frame. A channel slower than the fastest has its samples where they fall in time,
// and NULL between.
//
// It gives what is known of the recording, and whether there is a table of samples.
// Nothing is written of a video. Memory does not grow with the number of frames.
func Write(table, samples io.Writer, kind motion.Kind, frames int, src Source) (Info, bool, error) {
	info, fast, _, err := WriteKeeping(table, samples, kind, frames, src, nil)
	return info, fast, err
}

// WriteKeeping is Write, and keeps in memory the numbers of the columns that wanted names, by what is known of the
// recording before its numbers are. What is kept is nil where that would be too much.
func WriteKeeping(table, samples io.Writer, kind motion.Kind, frames int, src Source,
	wanted func(*Info) []string) (Info, bool, *Kept, error) {
	head, err := src.Stretch(0, 0)
	if err != nil {
		return Info{}, false, nil, err
	}
	info, err := describe(head, kind, frames)
	if err != nil {
		return Info{}, false, nil, err
	}
	whole := head
	if head.Video != nil {
		frames, info.Frames = 0, frames
	} else if head.Times != nil {
		if whole, err = src.Stretch(0, frames); err != nil {
			return Info{}, false, nil, err
		}
	}
	w := &writer{times: newClock(whole, frames), missing: make([]int64, len(runs(head, nil)))}
	if head.Video != nil {
		info.settle(head, w.missing, w.times)
		return info, false, nil, nil
	}
	if err := w.open(table, samples, info); err != nil {
		return Info{}, false, nil, err
	}
	var kept *Kept
	if wanted != nil {
		kept = w.keep(&info, wanted(&info))
	}
	doubts := head.Doubts // of no frame yet
	for from := 0; from < frames; from += w.step {
		n := min(w.step, frames-from)
		rec, err := src.Stretch(from, n)
		if err != nil {
			return Info{}, false, nil, err
		}
		if err := w.add(rec, from, n); err != nil {
			return Info{}, false, nil, err
		}
		doubts.Add(rec.Doubts)
	}
	var found quality.Warnings
	doubts.Tell(&found)
	for _, w := range found {
		info.Warnings = append(info.Warnings, Warning{string(w.Code), w.Message})
	}
	if err := w.close(); err != nil {
		return Info{}, false, nil, err
	}
	info.settle(head, w.missing, w.times)
	return info, w.samples != nil, kept, nil
}

// writer is both tables under way.
type writer struct {
	times   *clock
	table   *pages
	samples *pages // nil when there are none
	fast    []int  // the columns in samples
	per     int    // rows of samples a frame
	step    int    // frames of a stretch
	missing []int64
	kept    []*run // what is kept of each column, nil for nothing of it; nil where nothing is kept

	runs    []run
	room    [2]Numbers // of 32 and of 64 bits
	numbers []int64
	seconds []float64
}

func (w *writer) open(table, samples io.Writer, info Info) error {
	w.per = 1
	var names, fast []heading
	values := 0 // a frame
	for i := range info.Channels {
		c := &info.Channels[i]
		for _, name := range c.Columns {
			h := heading{name: name, wide: c.Wide()}
			if c.PerFrame > 1 {
				w.fast = append(w.fast, len(names))
				fast = append(fast, h)
			}
			names = append(names, h)
			values += max(1, c.PerFrame)
		}
		w.per = max(w.per, c.PerFrame)
	}
	w.step = max(1, min(1<<16, stretchValues/max(1, values)))
	note, err := json.Marshal(fileNote{Layout: 1, Rate: info.Rate, Start: info.Start, Frames: info.Frames,
		FirstFrame: info.FirstFrame, Unit: info.Unit, Metres: info.Metres, PerFrame: 1})
	if err != nil {
		return err
	}
	if w.table, err = newPages(table, names, string(note)); err != nil {
		return err
	}
	w.table.file.Seal()
	if w.fast == nil {
		return nil
	}
	note, err = json.Marshal(fileNote{Layout: 1, Rate: info.Rate, Start: info.Start, Frames: info.Frames,
		FirstFrame: info.FirstFrame, Unit: info.Unit, Metres: info.Metres, PerFrame: w.per})
	if err != nil {
		return err
	}
	if w.samples, err = newPages(samples, fast, string(note)); err == nil {
		w.samples.file.Seal()
	}
	return err
}

// fileNote is what a table says of itself under noteKey: enough to make seconds
// and metres of it, and nothing of whose movement it is.
type fileNote struct {
	Layout     int      `json:"layout"`
	Rate       *float64 `json:"rate"`
	Start      float64  `json:"start"`       // time of frame 0
	Frames     int      `json:"frames"`      // that rows are of
	FirstFrame int      `json:"first_frame"` // number of frame 0, as the file counts
	Unit       string   `json:"unit"`
	Metres     float64  `json:"metres"`
	PerFrame   int      `json:"per_frame"`       // rows a frame
	Every      int      `json:"every,omitempty"` // a part has every n-th of them; 0 in the tables
}

const noteKey = "kinebase"

// add writes a stretch.
func (w *writer) add(rec *motion.Recording, from, n int) error {
	if w.runs = runs(rec, w.runs); len(w.runs) != len(w.missing) {
		return fmt.Errorf("a stretch has %d columns and the recording %d", len(w.runs), len(w.missing))
	}
	for i, r := range w.runs {
		if r.Len() != n*r.per {
			return fmt.Errorf("column %d has %d values for %d frames of %d samples", i, r.Len(), n, r.per)
		}
		w.missing[i] += r.absent()
		if w.kept != nil && w.kept[i] != nil {
			to := &w.kept[i].Numbers
			to.Narrow, to.Wide = append(to.Narrow, r.Narrow...), append(to.Wide, r.Wide...)
		}
	}
	w.numbers, w.seconds = w.numbers[:0], w.seconds[:0]
	for i := range n {
		w.numbers, w.seconds = append(w.numbers, int64(from+i)), append(w.seconds, w.times.at(from+i))
	}
	if err := w.table.begin(w.numbers, w.seconds); err != nil {
		return err
	}
	for i, r := range w.runs {
		if err := w.table.add(i, w.every(r, n)); err != nil {
			return err
		}
	}
	if err := w.table.end(n); err != nil || w.samples == nil {
		return err
	}
	w.numbers, w.seconds = w.numbers[:0], w.seconds[:0]
	for i := range n {
		for j := range w.per {
			w.numbers, w.seconds = append(w.numbers, int64(from+i)), append(w.seconds, w.times.within(from+i, j, w.per))
		}
	}
	if err := w.samples.begin(w.numbers, w.seconds); err != nil {
		return err
	}
	for at, i := range w.fast {
		if err := w.samples.add(at, w.spread(w.runs[i])); err != nil {
			return err
		}
	}
	return w.samples.end(n * w.per)
}

// every gives the first sample of each frame.
func (w *writer) every(r run, n int) Numbers {
	if r.per == 1 {
		return r.Numbers
	}
	room := &w.room[r.Bits()/64]
	*room = Numbers{room.Narrow[:0], room.Wide[:0]}.pick(r.Numbers, 0, n*r.per, r.per)
	return *room
}

// spread gives as many values a frame as the fastest channel has.
func (w *writer) spread(r run) Numbers {
	if r.per == w.per {
		return r.Numbers
	}
	room := &w.room[r.Bits()/64]
	*room = r.Numbers.spread(*room, r.per, w.per)
	return *room
}

func (w *writer) close() error {
	if err := w.table.close(); err != nil || w.samples == nil {
		return err
	}
	return w.samples.close()
}
