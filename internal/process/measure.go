package process

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/movement"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// Measure finds, in a reader, what the library of movements has for the movement. A
// recording that brings its reader down has no values, and is a recording all the same. A damaged
// table is an *upload.Damaged, and nothing is found of it.
func (r *Runner) Measure(ctx context.Context, s organization.Scope, m upload.Measured, raw []byte, table,
	samples upload.File) ([]byte, error) {
	var info frames.Info
	if err := json.Unmarshal(raw, &info); err != nil {
		return nil, err
	}
	computed, err := r.found(ctx, s, m, info, raw, table, samples)
	if err != nil {
		return nil, err
	}
	info.Computed = computed
	info.Computed.Landmarks = m.Own.Version()
	return json.Marshal(info)
}

// measures says whether the library has columns of the movement.
func measures(m upload.Measured) bool {
	known := movement.Read().Find(m.Activity, m.Movement)
	return known != nil && len(known.Columns) > 0
}

// measureLast has the reader measure what it has just read. Whatever becomes of it, the
// reader is taken back, or has ended.
func (r *Runner) measureLast(ctx context.Context, w *worker, as upload.Measured,
	got *upload.Reading) (*frames.Computed, error) {
	var files []*os.File
	for _, f := range []upload.File{got.Table, got.Samples} {
		if own, ok := f.(held); ok {
			files = append(files, own.File)
		}
	}
	answer, err := w.ask(ctx, request{Last: true},
		terms{what: "Reading the file", who: reader, memory: r.Memory, time: min(r.Time, hastyTime)}, files)
	if err != nil {
		return nil, err
	}
	w.last = answer
	r.back(w)
	if err := answer.refused(); err != nil {
		return nil, err
	}
	found, err := answer.found()
	if err == nil {
		found.Landmarks = as.Own.Version()
	}
	return found, err
}

// found is what was found, or why nothing was.
func (r *Runner) found(ctx context.Context, s organization.Scope, m upload.Measured, info frames.Info, raw []byte,
	table, samples upload.File) (*frames.Computed, error) {
	if !measures(m) || table == nil {
		return movement.Measure(m.Activity, m.Movement, &movement.Recording{Info: info}), nil
	}
	found, err := r.measured(ctx, s, m, raw, table, samples)
	var died *upload.Died
	var stopped *upload.Stopped
	switch {
	case errors.As(err, &died):
		return movement.NotMeasured(m.Activity, m.Movement, died.Reason), nil
	case errors.As(err, &stopped):
		return movement.NotMeasured(m.Activity, m.Movement, stopped.Reason), nil
	}
	return found, err
}

// measured has a reader measure the recording.
func (r *Runner) measured(ctx context.Context, s organization.Scope, m upload.Measured, raw []byte, table,
	samples upload.File) (found *frames.Computed, err error) {
	told, err := r.temporary()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, told.Close()) }()
	if _, err := told.Write(raw); err != nil {
		return nil, err
	}
	files := []*os.File{told}
	size := int64(len(raw))
	for _, f := range []upload.File{table, samples} {
		if f == nil {
			continue
		}
		file, done, err := r.input(f)
		if err != nil {
			return nil, err
		}
		defer func() { _ = done() }() // a copy that was only read
		files, size = append(files, file), size+f.Size()
	}
	got, err := r.child(ctx, s, request{Measure: &m}, size, files[0], files[1:]...)
	if err != nil {
		return nil, err
	}
	return got.found()
}

// found is what a reader has found, by the version of the library that is the reader's too.
func (r result) found() (*frames.Computed, error) {
	var found frames.Computed
	err := json.Unmarshal(r.Info, &found)
	found.Library = movement.Read().Version
	return &found, err
}

// damagedOr is what a reader says of a table that it cannot read.
func damagedOr(err error) (result, error) {
	var damaged *frames.Damaged
	if errors.As(err, &damaged) {
		return result{Damaged: err.Error()}, nil
	}
	return result{}, err
}

// last is the recording that a reader has read last, when it is to be measured.
type last struct {
	as   upload.Measured
	info *frames.Info // nil where there is none
	kept *frames.Kept // what is still in memory of its tables
}

// measure measures it. The files are the motion table, and the table of samples where there is one.
func (l *last) measure(files []*os.File) (result, error) {
	if l.info == nil {
		return result{}, errors.New("no recording was read that could be measured")
	}
	return found(l.as, *l.info, l.kept, files)
}

// measure is what a reader does: files are what is known of the recording, the motion
// table, and the table of samples where there is one.
func measure(m upload.Measured, files []*os.File) (result, error) {
	if len(files) < 2 {
		return result{}, fmt.Errorf("%d files came with a recording to be measured", len(files))
	}
	var info frames.Info
	if err := json.NewDecoder(io.NewSectionReader(files[0], 0, largestResult)).Decode(&info); err != nil {
		return result{}, err
	}
	return found(m, info, nil, files[1:])
}

// found measures a recording by what is known of it, what is still in memory, and its tables.
func found(m upload.Measured, info frames.Info, kept *frames.Kept, files []*os.File) (result, error) {
	rec := movement.Recording{Info: info.Corrected(m.Rate), Kept: kept, Handedness: m.Handedness, Own: m.Own}
	t := tables{files: files}
	if rec.Open = t.open; kept == nil { // a table that is damaged is told, even where nobody needs its numbers
		if _, _, err := t.open(); err != nil {
			return damagedOr(err)
		}
	}
	found := movement.Compute(m.Activity, m.Movement, &rec) // whoever asked knows the version of the library
	if err := t.damage(); err != nil {                      // what was found beside it is not told either
		return damagedOr(err)
	}
	raw, err := json.Marshal(found)
	return result{Info: raw}, err
}

// tables are those of a recording, which are opened when they are needed.
type tables struct {
	files []*os.File // of the motion table, and of the table of samples where there is one
	all   [2]*frames.Table
	err   error // of opening them
}

// open opens them, once.
func (t *tables) open() (table, samples *frames.Table, err error) {
	for i, f := range t.files {
		if t.all[i] != nil || t.err != nil {
			break
		}
		var stat os.FileInfo
		if stat, t.err = f.Stat(); t.err == nil {
			t.all[i], t.err = frames.Open(f, stat.Size())
		}
	}
	return t.all[0], t.all[1], t.err
}

// damage is what was met that is damaged, or why they cannot be opened; nil for nothing.
func (t *tables) damage() error {
	for _, table := range t.all {
		if table != nil && table.Damage() != nil {
			return table.Damage()
		}
	}
	return t.err
}
