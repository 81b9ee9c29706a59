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
	samples upload.File) (_ []byte, err error) {
	var info frames.Info
	if err := json.Unmarshal(raw, &info); err != nil {
		return nil, err
	}
	if info.Computed, err = r.found(ctx, s, m, info, raw, table, samples); err != nil {
		return nil, err
	}
	info.Computed.Landmarks = m.Own.Version()
	return json.Marshal(info)
}

// found is what was found, or why nothing was.
func (r *Runner) found(ctx context.Context, s organization.Scope, m upload.Measured, info frames.Info, raw []byte,
	table, samples upload.File) (*frames.Computed, error) {
	if known := movement.Read().Find(m.Activity, m.Movement); known == nil || len(known.Columns) == 0 || table == nil {
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
	return found, json.Unmarshal(got.Info, &found)
}

// damagedOr is what a reader says of a table that it cannot read.
func damagedOr(err error) (result, error) {
	var damaged *frames.Damaged
	if errors.As(err, &damaged) {
		return result{Damaged: err.Error()}, nil
	}
	return result{}, err
}

// measure is what a reader does: files are what is known of the recording, the motion
// table, and the table of samples where there is one.
func measure(m upload.Measured, files []*os.File) (result, error) {
	if len(files) < 2 {
		return result{}, fmt.Errorf("%d files came with a recording to be measured", len(files))
	}
	rec := movement.Recording{Handedness: m.Handedness, Own: m.Own}
	if err := json.NewDecoder(io.NewSectionReader(files[0], 0, largestResult)).Decode(&rec.Info); err != nil {
		return result{}, err
	}
	rec.Info = rec.Info.Corrected(m.Rate)
	for i, to := range []**frames.Table{&rec.Table, &rec.Samples} {
		if i+1 == len(files) {
			break
		}
		stat, err := files[i+1].Stat()
		if err != nil {
			return result{}, err
		}
		if *to, err = frames.Open(files[i+1], stat.Size()); err != nil {
			return damagedOr(err)
		}
	}
	found := movement.Measure(m.Activity, m.Movement, &rec)
	for _, t := range []*frames.Table{rec.Table, rec.Samples} {
		if t != nil && t.Damage() != nil { // what was found beside it is not told either
			return damagedOr(t.Damage())
		}
	}
	raw, err := json.Marshal(found)
	return result{Info: raw}, err
}
