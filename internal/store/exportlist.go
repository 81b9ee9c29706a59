package store

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/internal/store/db"
)

// The parts of an export are listed from one snapshot, which says what it is about, in
// pieces that are committed one by one. The pieces of several exports take turns. A
// piece looks at its captures as they are when it is written: what was deleted since
// the snapshot does not come in. When the worker dies its snapshot is gone, and the next
// lists them again; until the last piece is in nobody opens a table.

// listing is how far the parts are listed.
type listing struct {
	waiting []chosen
	total   int64           // captures of the organization, of which some are chosen
	seen    int64           // captures that were chosen
	parts   int64           // that were listed
	known   map[string]bool // names of columns
	width   int64           // what they take of the budget
	spent   bool            // the organization has no room for the parts
	missing *wanted
	matched int64 // of the captures that were chosen, and are there
}

// buildPiece is how many parts are listed in one transaction.
const buildPiece = 100

// blockParts is how many parts a block sums up.
const blockParts = 256

// alert is a transaction whose statements notice that their caller has gone.
type alert struct {
	db.Tx
	ctx context.Context
}

func (a alert) Do(statements ...db.Statement) error {
	if err := a.ctx.Err(); err != nil {
		return err
	}
	return a.Tx.Do(statements...)
}

// List lists the parts, unless that is done.
func (p *building) List(ctx context.Context, turns export.Turns) (ended bool, err error) {
	if p.chosen != notChosen {
		return false, nil
	}
	if err := p.beginAnew(ctx); err != nil {
		return false, db.ToFault(err)
	}
	err = p.s.engine.Aside(ctx, p.org, func(t db.Tx) error {
		t = alert{t, ctx}
		var err error
		if p.list.total, err = countChosen(t, p.org, p.request); err != nil {
			return err
		}
		return p.s.eachChosen(t, p.org, p.request, func(c chosen) (bool, error) {
			if p.list.waiting = append(p.list.waiting, c); len(p.list.waiting) < buildPiece {
				return true, nil
			}
			err := p.piece(ctx, turns)
			return !p.tooLarge() && !p.list.spent, err
		})
	})
	if err == nil {
		ended, err = p.listed(ctx)
	}
	return ended, db.ToFault(err)
}

// beginAnew removes what an earlier worker has listed.
func (p *building) beginAnew(ctx context.Context) error {
	p.list = listing{known: map[string]bool{}, missing: newWanted(p.request)}
	if p.held.Attempt == 1 {
		return nil
	}
	for left := true; left; {
		if err := p.s.write(ctx, p.org, func(w *writeTx) (err error) {
			if left, err = w.forgetSome(p.job); err != nil {
				return err
			}
			if _, err = p.mine(w, 0); err != nil {
				return err
			}
			return w.Do(db.Exec(`UPDATE export_build SET parts = 0, skipped = 0, row_count = 0 WHERE organization = $1 AND job = $2`, p.org, p.job))
		}); err != nil {
			return err
		}
	}
	return nil
}

// piece lists the parts of what is waiting, when its turn has come.
func (p *building) piece(ctx context.Context, turns export.Turns) error {
	if err := turns.Acquire(ctx, 1); err != nil {
		return err
	}
	defer turns.Release(1)
	var after listing
	err := p.s.write(ctx, p.org, func(w *writeTx) error {
		after = p.list.copy()
		return p.put(w, &after)
	})
	if err == nil {
		p.list = after
	}
	return err
}

// listed lists the last parts and says that they are all, or why the job has failed.
func (p *building) listed(ctx context.Context) (ended bool, err error) {
	var after listing
	err = p.s.write(ctx, p.org, func(w *writeTx) error {
		ended = false
		if err := w.Line(); err != nil {
			return err
		}
		after = p.list.copy()
		if err := p.put(w, &after); err != nil {
			return err
		}
		j, err := p.mine(w, allDone/2)
		if err != nil {
			return err
		}
		why := ""
		if room, err := p.s.makeRoom(w, nil, 0); err != nil {
			return err
		} else if !room {
			allowed, err := p.s.exportRoom(w, w.Org)
			if err != nil {
				return err
			}
			why = noRoom(allowed).Message
		} else if after.width > p.budget {
			why = export.TooLarge
		} else if missing := new(fault.Error); after.matched > 0 && errors.As(after.missing.fault(), &missing) {
			why = capture.ErrorText(missing.Messages())
		}
		if why != "" {
			ended = true
			return p.s.end(w, &j, export.Failed, why)
		}
		if err := w.setAside(p.job, p.request.Shape); err != nil {
			return err
		}
		if err := w.forgetNamed(p); err != nil {
			return err
		}
		return w.Do(db.Exec(`UPDATE export_build SET chosen = $3 WHERE organization = $1 AND job = $2`, p.org, p.job,
			after.parts))
	})
	p.chosen, p.list = after.parts, listing{}
	return ended, err
}

// tooLarge says whether giving the result out would not fit the budget.
func (p *building) tooLarge() bool { return p.list.width > p.budget }

// copy is the state to which a transaction that may run again adds.
func (l *listing) copy() listing {
	c := *l
	c.known, c.missing = maps.Clone(l.known), l.missing.copy()
	return c
}

// put adds parts for captures that wait and are still there, and the rows of these to
// the sums.
func (p *building) put(w *writeTx, l *listing) error {
	if err := p.still(w); err != nil {
		return err
	}
	list := l.waiting
	l.waiting = nil
	there, gone, err := w.stored(list)
	if err != nil {
		return err
	}
	var values [][]any
	var more []db.Statement
	var out []export.Skip
	uses := newUses(p.request.Shape)
	blocks := map[int64]int64{}
	first, count := l.parts, int64(0)
	add := func(n int64, part ...any) {
		values = append(values, append(append([]any{w.Org, p.job, l.parts}, part...), n))
		blocks[l.parts/blockParts] += n
		count += n
		l.parts++
	}
	for _, c := range list {
		if c.person != nil {
			if !gone[c.athlete] {
				add(1, "", c.athlete, "{}", "", c.person, 0.0, int64(0))
			}
			continue
		}
		r, ok := there[c.session]
		if !ok || gone[c.athlete] {
			continue // deleted since the snapshot
		}
		if c.why != "" {
			out = append(out, export.Skip{SessionID: c.session, Reason: c.why})
			continue
		}
		l.matched++
		if r.Table == "" {
			out = append(out, export.Skip{SessionID: c.session,
				Reason: "The capture has no motion: it is a video of which none was made, or was stored without " +
					"its file."})
			continue
		}
		info, err := infoOf(r.Info, r.Rate)
		if err != nil {
			out = append(out, export.Skip{SessionID: c.session, Reason: "What is known of its motion cannot be read."})
			continue
		}
		frame, n, why := rowsOf(p.request, info)
		l.missing.see(info, why == "")
		if why != "" {
			out = append(out, export.Skip{SessionID: c.session, Reason: why})
			continue
		}
		uses.add(info, c.facts, l.missing.rows)
		text, err := json.Marshal(c.facts)
		if err != nil {
			return err
		}
		table := r.Table
		if p.request.Shape.Whole() {
			table = "" // it is not read, and need not be kept
		}
		add(n, c.session, c.athlete, string(text), table, r.Info, r.Rate, frame)
	}
	l.seen += int64(len(list))
	for _, block := range slices.Sorted(maps.Keys(blocks)) {
		more = append(more, db.Exec(
			`INSERT INTO export_block (organization, job, block, row_count) VALUES ($1, $2, $3, $4)
ON CONFLICT (organization, job, block) DO UPDATE SET row_count = export_block.row_count + excluded.row_count`, w.Org, p.job, block, blocks[block]))
	}
	for _, name := range uses.order {
		if !l.known[name] {
			l.known[name] = true
			l.width += int64(len(name)) + export.ColumnBytes
		}
		more = append(more, uses.put(w.Org, p.job, name, int64(len(l.known))))
	}
	if err := w.Do(append(insertMany(
		`INSERT INTO export_part (organization, job, n, session_id, athlete, facts, motion_table, info, rate, frame, row_count) VALUES `, values), more...)...); err != nil {
		return err
	}
	// Captures are locked before the job, as by who deletes them.
	if _, err := p.mine(w, allDone/2*min(l.seen, l.total)/max(1, l.total)); err != nil {
		return err
	}
	if err := w.Do(db.Exec(`UPDATE export_build SET parts = parts + $3, row_count = row_count + $4 WHERE organization = $1 AND job = $2`, w.Org, p.job, l.parts-first, count)); err != nil {
		return err
	}
	if err := w.leaveOut(p.job, out); err != nil {
		return err
	}
	bytes, err := w.partsBytes()
	if err != nil {
		return err
	}
	allowed, err := p.s.exportRoom(w, w.Org)
	l.spent = bytes > allowed
	return err
}

// leaveOut keeps which captures a job leaves out, and how many for each reason: all of
// them, so that the numbers stay true when captures are deleted. One of several athletes may come
// several times.
func (w *writeTx) leaveOut(jobID string, list []export.Skip) error {
	if len(list) == 0 {
		return nil
	}
	statements, made := make([]db.Statement, len(list)), make([]int64, len(list))
	for i, skip := range list {
		statements[i] = db.Exec(
			`INSERT INTO export_skip (organization, job, session_id, reason) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`, w.Org, jobID, skip.SessionID, skip.Reason)
		statements[i].Affected = &made[i]
	}
	if err := w.Do(statements...); err != nil {
		return err
	}
	n, reasons := int64(0), map[string]int64{}
	for i, m := range made {
		n += m
		reasons[list[i].Reason] += m
	}
	statements = []db.Statement{
		db.Exec(`UPDATE export_build SET skipped = skipped + $3 WHERE organization = $1 AND job = $2`, w.Org, jobID, n)}
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		statements = append(statements,
			db.Exec(`INSERT INTO export_reason (organization, job, reason, captures) VALUES ($1, $2, $3, $4)
ON CONFLICT (organization, job, reason) DO UPDATE SET captures = export_reason.captures + excluded.captures`, w.Org, jobID, reason, reasons[reason]))
	}
	return w.Do(statements...)
}

// stored reads, and keeps from being deleted, the recordings of captures that are
// still there, and says which of the athletes are not: a capture that one of those
// shared with others stays, for the others.
func (w *writeTx) stored(list []chosen) (there map[string]recording, gone map[db.ID]bool, err error) {
	there, gone = map[string]recording{}, map[db.ID]bool{}
	for part := range slices.Chunk(list, writeChunk) {
		in, args := parameterList(w.Org, part, func(c chosen) any { return c.session })
		if err := w.Do(db.Each(func(row db.Rows) error {
			var session string
			err := row.Scan(&session)
			there[session] = recording{}
			return err
		}, `SELECT session_id FROM capture WHERE organization = $1 AND session_id IN (`+in+
			`) ORDER BY session_id FOR SHARE`, args...),
			db.Each(func(row db.Rows) error {
				var session string
				var r recording
				err := row.Scan(&session, &r.Table, &r.Info, &r.Rate)
				if _, ok := there[session]; ok {
					there[session] = r
				}
				return err
			}, `SELECT session_id, motion_table, info, rate FROM recording WHERE organization = $1 AND session_id IN (`+
				in+`) ORDER BY session_id FOR SHARE`, args...)); err != nil {
			return nil, nil, err
		}
		for _, c := range part {
			if c.athlete != (db.ID{}) {
				gone[c.athlete] = true
			}
		}
		in, args = parameterList(w.Org, part, func(c chosen) any { return c.athlete })
		if err := w.Do(db.Each(func(row db.Rows) error {
			var key db.ID
			err := row.Scan(&key)
			delete(gone, key)
			return err
		}, `SELECT id FROM athlete WHERE organization = $1 AND id IN (`+in+`) ORDER BY id FOR KEY SHARE`,
			args...)); err != nil {
			return nil, nil, err
		}
	}
	return there, gone, nil
}

// infoOf reads what is known of a recording as it is by the rate to which it was
// corrected, 0 where it was not: events may lie at frames by it that else lie at none.
func infoOf(raw []byte, rate float64) (frames.Info, error) {
	var info frames.Info
	err := json.Unmarshal(raw, &info)
	return info.Corrected(rate), err
}
