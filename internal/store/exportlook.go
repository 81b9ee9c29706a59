package store

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/internal/store/db"
)

// Before an export of frames is done, the table of each of its parts is opened: one that cannot
// be read must not end it while it is given out. Rows of captures are made without tables. How
// far that has come is kept with each piece, so that another worker goes on from there.

// openedAtOnce is how many parts a piece has at the most.
const openedAtOnce = 100

// Unopened gives the next parts that are there, whose tables are to be opened.
func (p *building) Unopened(ctx context.Context) (parts []export.Unopened, last bool, err error) {
	if p.request.Shape.Whole() {
		return nil, true, nil
	}
	err = p.s.engine.Read(ctx, p.org, func(t db.Tx) error {
		parts = nil
		return t.Do(db.Each(func(r db.Rows) error {
			var u export.Unopened
			var raw []byte
			if err := r.Scan(&u.N, &u.SessionID, &u.Table, &raw); err != nil {
				return err
			}
			var info frames.Info
			err := json.Unmarshal(raw, &info)
			u.Frames = info.Frames
			parts = append(parts, u)
			return err
		}, `SELECT n, session_id, motion_table, info FROM export_part WHERE organization = $1 AND job = $2 AND n >= $3 ORDER BY n LIMIT $4`, p.org, p.job, p.looked, openedAtOnce))
	})
	return parts, len(parts) < openedAtOnce, db.ToFault(err)
}

// Opened takes those out that cannot be read. With the last part the job is done.
func (p *building) Opened(ctx context.Context, parts []export.Unopened, unreadable map[string]string,
	next export.Next) error {
	looked := p.chosen
	if next != export.Done {
		looked = parts[len(parts)-1].N + 1
	}
	err := p.s.write(ctx, p.org, func(w *writeTx) error {
		if next != export.More {
			if err := w.Line(); err != nil {
				return err
			}
		}
		if err := p.still(w); err != nil {
			return err
		}
		// Parts are locked before the job, as by who deletes a capture.
		if err := p.takeOut(w, parts, unreadable); err != nil {
			return err
		}
		j, err := p.mine(w, allDone/2+allDone/2*looked/max(1, p.chosen))
		if err != nil {
			return err
		}
		if err := w.Do(db.Exec(`UPDATE export_build SET looked = $3, failures = 0 WHERE organization = $1 AND job = $2`,
			p.org, p.job, looked)); err != nil {
			return err
		}
		switch next {
		case export.Done:
			return p.s.end(w, &j, export.Completed, "")
		case export.Others:
			if err := w.Do(db.Exec(`UPDATE export_build SET lease = 0 WHERE organization = $1 AND job = $2`, p.org,
				p.job)); err != nil {
				return err
			}
			return p.s.goOn(w, p.job)
		}
		return nil
	})
	p.looked = looked
	return db.ToFault(err)
}

// takeOut removes parts whose tables cannot be read and names their captures. Parts
// that are not there any more were deleted, and are not named.
func (p *building) takeOut(w *writeTx, parts []export.Unopened, unreadable map[string]string) error {
	why := map[string]string{}
	var numbers []int64
	for _, u := range parts {
		if reason := unreadable[u.Table]; reason != "" {
			why[u.SessionID] = reason
			numbers = append(numbers, u.N)
		}
	}
	for some := range slices.Chunk(numbers, writeChunk) {
		in, args := parameterList(w.Org, some, func(n int64) any { return n })
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
