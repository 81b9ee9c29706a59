package intake

import (
	"context"
	"fmt"
	"time"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/manifest"
)

// writer hands batches to the store and reports what became of each item.
type writer struct {
	*Import
	pace    *pace
	summary Summary
	named   map[string]bool // athletes that a dry run would have created
	in      <-chan batch
	held    *batch      // was taken from in, and comes next
	taken   func(batch) // reports progress
	ticks   <-chan time.Time
	tick    func() // does so at each of the ticks
}

// next gives the next batch; false at the end of the import.
func (w *writer) next(ctx context.Context) (batch, bool) {
	if b := w.held; b != nil {
		w.held = nil
		return *b, true
	}
	for {
		select {
		case b, ok := <-w.in:
			return b, ok && ctx.Err() == nil
		case <-w.ticks:
			w.tick()
		case <-ctx.Done():
			return batch{}, false
		}
	}
}

// records are those of a batch that the store is to take.
func (b batch) records() []manifest.Record {
	var records []manifest.Record
	for _, it := range b.items {
		if it.record != (manifest.Record{}) && it.err == nil {
			records = append(records, it.record)
		}
	}
	return records
}

func (w *writer) write(ctx context.Context, b batch) error {
	if b.written != nil {
		close(b.written)
		return nil
	}
	records := b.records()
	if w.Series != nil && !w.Dry && len(records) > 0 && b.plain() {
		if begun, err := w.series(ctx, b, records); begun || err != nil {
			return err
		}
	}
	var outcomes []manifest.Outcome
	if len(records) > 0 {
		before := w.standIns(records)
		begun := time.Now()
		var err error
		outcomes, err = w.Store.Import(ctx, w.Scope, append(before, records...), w.Dry)
		if err != nil {
			return err
		}
		w.pace.took(len(records), time.Since(begun))
		if len(outcomes) != len(before)+len(records) {
			return fmt.Errorf("the store told the outcome of %d records out of %d", len(outcomes),
				len(before)+len(records))
		}
		outcomes = outcomes[len(before):]
	}
	for _, it := range b.items {
		switch {
		case it.fatal != nil:
			return it.fatal
		case it.noticed != nil:
			if w.Noticed != nil {
				w.Noticed(*it.noticed)
			}
		case it.renamed:
			w.summary.Landmarks = true
		case it.skipped != "":
			if w.Skipped != nil {
				w.Skipped(Skip{it.path, it.line, it.skipped})
			}
		case it.made != nil:
			w.summary.Captures++
			w.summary.Warnings += int64(it.made.Warnings)
			if w.Captured != nil {
				w.Captured(*it.made)
			}
		case it.err != nil:
			w.refuse(it, it.err)
		case outcomes[0].Effect == manifest.Refused:
			w.refuse(it, outcomes[0].Err)
			outcomes = outcomes[1:]
		default:
			w.accept(it, outcomes[0].Effect)
			outcomes = outcomes[1:]
		}
	}
	b.count = int64(len(b.items))
	w.taken(b)
	return nil
}

// standIns gives athletes that earlier batches of a dry run would have created,
// for the captures that link them: each batch is undone before the next.
func (w *writer) standIns(records []manifest.Record) []manifest.Record {
	if !w.Dry {
		return nil
	}
	var before []manifest.Record
	there := map[string]bool{}
	for _, r := range records {
		if r.Capture == nil {
			continue
		}
		for _, id := range r.Capture.AthleteIDs {
			if w.named[id] && !there[id] {
				there[id] = true
				before = append(before, manifest.Record{Athlete: &athlete.Athlete{ID: id, FirstName: "?"}})
			}
		}
	}
	return before
}

func (w *writer) accept(it item, e manifest.Effect) {
	switch r := it.record; {
	case r.Athlete != nil:
		w.summary.Athletes++
		if w.Dry && e == manifest.Created {
			w.named[r.Athlete.ID] = true
		}
	case r.Capture != nil:
		w.summary.Captures++
		if w.Captured != nil {
			w.Captured(Capture{Path: it.path, Line: it.line, Capture: r.Capture, Effect: e})
		}
	case r.Job != nil:
		w.summary.ExportJobs++
	}
}

func (w *writer) refuse(it item, err error) {
	w.summary.Failed++
	if w.Refused == nil {
		return
	}
	for _, r := range refusals(it.path, it.line, err) {
		w.Refused(r)
	}
}
