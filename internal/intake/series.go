package intake

import (
	"context"
	"runtime/debug"
	"strings"
	"time"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/manifest"
)

// Batches of a manifest that come one right after the other are written in one transaction where the
// store has nobody else to serve. What became of their lines is told when they are kept, and until then only
// what is told is held in memory, not the lines.

// pause is how long a transaction waits for more lines, as from standard input.
const pause = 100 * time.Millisecond

// seriesBytes is the memory that the collector of garbage is to keep to meanwhile. What is held back in
// the store takes half of it.
const seriesBytes = 54 << 20

// manyRefusals end a transaction, so that they are told in time.
const manyRefusals = 1000

// plain says whether a batch has nothing but lines of manifests: a folder works with the store
// itself, and waits while a transaction is open.
func (b batch) plain() bool {
	for _, it := range b.items {
		if it.line == 0 {
			return false
		}
	}
	return true
}

// series writes b, of which records are to be stored, and the batches that follow. begun is false when
// the store took none.
func (w *writer) series(ctx context.Context, b batch, records []manifest.Record) (begun bool, err error) {
	was := debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(was, seriesBytes))
	defer debug.SetMemoryLimit(was)

	var open []kept
	refused := 0
	next := func() []manifest.Record {
		if records != nil {
			first := records
			records, open = nil, append(open, kept{batch: b})
			return first
		}
		if refused >= manyRefusals {
			return nil
		}
		select {
		case more, ok := <-w.in:
			if !ok {
				return nil
			}
			part := more.records()
			if len(part) == 0 || !more.plain() {
				w.held = &more
				return nil
			}
			open = append(open, kept{batch: more})
			return part
		case <-time.After(pause):
		case <-ctx.Done():
		}
		return nil
	}
	told := func(outcomes []manifest.Outcome) {
		refused += open[len(open)-1].settle(outcomes)
	}
	if begun, err = w.Series.ImportSeries(ctx, w.Scope, next, told); !begun || err != nil {
		return begun, err
	}
	for _, k := range open {
		k.tell(w)
		w.taken(k.batch)
	}
	return true, nil
}

// kept is a batch that is written, as far as it is told later.
type kept struct {
	batch
	notes []note // instead of the items, which take several times as much
}

// note is what is told of a line.
type note struct {
	path, session string
	line          int
	status        capture.Status
	problem       *string // the error of the capture
	effect        manifest.Effect
	made          kind
	err           error // why it is refused
}

// kind is what a line became.
type kind uint8

const (
	anAthlete kind = iota
	aCapture
	anExportJob
)

// settle keeps what is told of the items, and says how many are refused.
func (k *kept) settle(outcomes []manifest.Outcome) (refused int) {
	k.notes = make([]note, len(k.items))
	for i, it := range k.items {
		n := note{path: it.path, line: it.line, err: it.err}
		if it.err == nil {
			n.effect, n.err = outcomes[0].Effect, outcomes[0].Err
			outcomes = outcomes[1:]
		}
		switch c := it.record.Capture; {
		case n.err != nil:
			refused++
		case c != nil:
			n.made, n.session, n.status, n.problem = aCapture, strings.Clone(c.SessionID), c.Status, c.Error
		case it.record.Job != nil:
			n.made = anExportJob
		}
		k.notes[i] = n
	}
	k.count, k.items = int64(len(k.items)), nil
	return refused
}

// tell tells what became of the batch.
func (k *kept) tell(w *writer) {
	for _, n := range k.notes {
		it := item{path: n.path, line: n.line}
		switch {
		case n.err != nil:
			w.refuse(it, n.err)
			continue
		case n.made == anAthlete:
			it.record.Athlete = &athlete.Athlete{}
		case n.made == aCapture:
			it.record.Capture = &capture.Capture{SessionID: n.session, Status: n.status, Error: n.problem}
		default:
			it.record.Job = &export.Job{}
		}
		w.accept(it, n.effect)
	}
}
