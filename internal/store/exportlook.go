package store

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/frames"
)

// Before an export of frames is done, the table of each of its parts is opened: one that cannot be
// read must not end it while it is given out. Rows of captures are made without tables. How far that has come is kept with each
// piece, so that another worker goes on from there.

// unseen is a part whose table was not opened yet.
type unseen struct {
	n       int64
	session string
	table   string
	frames  int
}

// A piece has so many parts, and fewer when opening them takes that long; so many
// tables are opened at a time, for a bucket takes its time.
const (
	lookedAtOnce = 100
	lookFor      = 5 * time.Second
	looksAtOnce  = 8
)

// look opens the tables of some parts, and takes those out that cannot be read. With
// the last part the job is done. more is true when this worker is to do more.
func (p *building) look(ctx context.Context) (more bool, err error) {
	parts, err := p.unseen(ctx)
	if err != nil {
		return false, err
	}
	opened, reasons, err := p.open(ctx, parts)
	if err != nil {
		return false, err
	}
	done := len(parts) < lookedAtOnce && opened == len(parts)
	looked := p.chosen
	if !done {
		looked = parts[opened-1].n + 1
	}
	enough := !done && p.s.now().Sub(p.begun) >= p.site.Step
	err = p.s.engine.write(ctx, p.org, func(w *writeTx) error {
		if done || enough {
			if err := p.s.engine.line(w); err != nil {
				return err
			}
		}
		if err := p.still(w); err != nil {
			return err
		}
		// Parts are locked before the job, as by who deletes a capture.
		if err := p.takeOut(w, parts[:opened], reasons); err != nil {
			return err
		}
		j, err := p.mine(w, allDone/2+allDone/2*looked/max(1, p.chosen))
		if err != nil {
			return err
		}
		if err := w.do(exec(`UPDATE export_build SET looked = $3, failures = 0 WHERE organization = $1 AND job = $2`, p.org, p.job, looked)); err != nil {
			return err
		}
		switch {
		case done:
			return p.s.end(w, &j, export.Completed, "")
		case enough:
			if err := w.do(exec(`UPDATE export_build SET lease = 0 WHERE organization = $1 AND job = $2`, p.org, p.job)); err != nil {
				return err
			}
			return p.s.goOn(w, p.job)
		}
		return nil
	})
	p.looked = looked
	return !done && !enough, err
}

// unseen gives the next parts that are there, whose tables are to be opened.
func (p *building) unseen(ctx context.Context) (parts []unseen, err error) {
	if p.request.Shape.Whole() {
		return nil, nil
	}
	err = p.s.engine.read(ctx, p.org, func(t tx) error {
		parts = nil
		return t.do(each(func(r rows) error {
			var u unseen
			var raw []byte
			if err := r.Scan(&u.n, &u.session, &u.table, &raw); err != nil {
				return err
			}
			var info frames.Info
			err := json.Unmarshal(raw, &info)
			u.frames = info.Frames
			parts = append(parts, u)
			return err
		}, `SELECT n, session_id, motion_table, info FROM export_part WHERE organization = $1 AND job = $2 AND n >= $3 ORDER BY n LIMIT $4`, p.org, p.job, p.looked, lookedAtOnce))
	})
	return parts, err
}

// open opens the tables of parts, until it has taken long enough, and gives how many
// that were, and the reasons why some of the tables cannot be read.
func (p *building) open(ctx context.Context, parts []unseen) (opened int, reasons map[string]string, err error) {
	reasons = map[string]string{}
	asked := map[string]bool{}
	var lock sync.Mutex
	begun := p.s.now()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(looksAtOnce)
	for _, u := range parts {
		if opened > 0 && p.s.now().Sub(begun) >= lookFor || ctx.Err() != nil {
			break
		}
		opened++
		if asked[u.table] {
			continue
		}
		asked[u.table] = true
		group.Go(func() error {
			reason, err := p.site.Look(ctx, u.table, u.frames)
			if reason != "" {
				lock.Lock()
				defer lock.Unlock()
				reasons[u.table] = reason
			}
			return err
		})
	}
	err = group.Wait()
	return opened, reasons, err
}

// takeOut removes parts whose tables cannot be read and names their captures. Parts
// that are not there any more were deleted, and are not named.
func (p *building) takeOut(w *writeTx, parts []unseen, reasons map[string]string) error {
	why := map[string]string{}
	var numbers []int64
	for _, u := range parts {
		if reason := reasons[u.table]; reason != "" {
			why[u.session] = reason
			numbers = append(numbers, u.n)
		}
	}
	for some := range slices.Chunk(numbers, writeChunk) {
		in, args := parameterList(w.org, some, func(n int64) any { return n })
		sessions, err := w.withdrawWhere(`n IN (`+in+`) AND job = $`+strconv.Itoa(len(args)+1), append(args, p.job)...)
		if err != nil {
			return err
		}
		out := make([]export.Skip, len(sessions))
		for i, session := range sessions {
			out[i] = export.Skip{SessionID: session, Reason: why[session]}
		}
		if err := w.leaveOut(p.job, out); err != nil {
			return err
		}
	}
	return nil
}
