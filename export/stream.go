package export

import (
	"context"
	"errors"
	"sync"
)

const (
	cursors = 2 // that read at once
	ahead   = 2 // blocks that each of them has
)

// piece is the frames of one part that are to be read, and what was.
type piece struct {
	part     Part
	from, to int64
	blocks   chan *block
	err      error // once blocks is closed
}

var errGap = errors.New("the parts of an export do not follow each other")

// stream reads the rows [from, to) in order, several parts at a time, and has each
// block visited, which from then on is the visitor's to release.
func (r *Reader) stream(ctx context.Context, from, to int64, visit func(*block) error) (err error) {
	from, to = max(0, from), min(to, r.result.Rows)
	stop := make(chan struct{})
	pieces, order := make(chan *piece), make(chan *piece, cursors)
	var all sync.WaitGroup
	defer all.Wait()
	defer close(stop)
	var failed error // of finding parts, once order is closed
	all.Go(func() {
		defer close(pieces)
		defer close(order)
		failed = r.divide(ctx, from, to, func(p *piece) bool {
			for _, c := range []chan *piece{order, pieces} {
				select {
				case c <- p:
				case <-stop:
					return false
				}
			}
			return true
		})
	})
	for range cursors {
		c := &cursor{r: r, free: make(chan *block, ahead), stop: stop}
		for range ahead {
			c.free <- &block{home: c.free}
		}
		all.Go(func() {
			defer c.close()
			for p := range pieces {
				p.err = c.read(ctx, &p.part, p.from, p.to, p.blocks)
				close(p.blocks)
			}
		})
	}
	for p := range order {
		for b := range p.blocks {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := visit(b); err != nil {
				return err
			}
		}
		if p.err != nil {
			return p.err
		}
	}
	return failed
}

// divide finds the parts that have the rows.
func (r *Reader) divide(ctx context.Context, from, to int64, give func(*piece) bool) error {
	for from < to {
		if err := ctx.Err(); err != nil {
			return err
		}
		parts, err := r.parts(from)
		if err != nil {
			return err
		}
		begun := from
		for _, p := range parts {
			end := min(to, p.First+p.Rows)
			if from >= end {
				continue
			}
			if p.First > from {
				return errGap
			}
			first := p.Frame - p.First
			if !give(&piece{part: p, from: first + from, to: first + end, blocks: make(chan *block, ahead)}) {
				return nil
			}
			from = end
		}
		if from == begun {
			return errGap
		}
	}
	return nil
}
