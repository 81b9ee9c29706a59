package store

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
)

// An export is built from one snapshot, which says what it is about, in pieces that
// are committed one by one. The pieces of several exports take turns, so that a large
// one holds up nobody. A piece looks at its captures as they are when it is written:
// what was deleted since the snapshot does not come in. When a worker dies, the next
// begins anew; until the last piece is in nobody sees anything.

// build is the row in export_build.
type build struct {
	request  export.Request
	erased   bool
	attempt  int64
	deaths   int
	lease    int64
	version  int64
	rowCount int64
}

var errNotMine = errors.New("the export is built by another, or not any more")

// lockBuild reads and locks a job and how it is built; nil when it was imported.
func lockBuild(w *writeTx, jobID string) (j export.Job, b *build, err error) {
	if j, err = lockJob(w, jobID); err != nil {
		return j, nil, err
	}
	err = w.do(each(func(r rows) error {
		b = new(build)
		return b.scan(r)
	}, `SELECT `+buildColumns+` FROM export_build WHERE organization = $1 AND job = $2`, w.org, jobID))
	return j, b, err
}

const buildColumns = `request, erased, attempt, deaths, lease, version, row_count`

func (b *build) scan(r rows) error {
	var request string
	var erased int64
	if err := r.Scan(&request, &erased, &b.attempt, &b.deaths, &b.lease, &b.version, &b.rowCount); err != nil {
		return err
	}
	b.erased = erased != 0
	return json.Unmarshal([]byte(request), &b.request)
}

// Build builds a job from its beginning to its end. With wait above 0 another is at it.
func (s *Store) Build(ctx context.Context, sc organization.Scope, jobID string, site export.Site) (wait time.Duration, err error) {
	org, err := scope(sc)
	if err != nil {
		return 0, err
	}
	p := &building{s: s, org: org, job: jobID, site: site}
	if wait, err = p.claim(ctx); err != nil || wait > 0 || p.attempt == 0 {
		return wait, tell(err)
	}
	err = s.engine.aside(ctx, org, func(t tx) error {
		if err := t.do(one(into(&p.total), `SELECT count(*) FROM capture WHERE organization = $1`, org)); err != nil {
			return err
		}
		return s.eachChosen(t, org, p.request, func(c chosen) (bool, error) {
			if p.waiting = append(p.waiting, c); len(p.waiting) < buildPiece {
				return true, nil
			}
			if err := site.Turn(ctx); err != nil {
				return false, err
			}
			return !p.tooLarge(), p.piece(ctx)
		})
	})
	if err == nil && len(p.waiting) > 0 {
		err = p.piece(ctx)
	}
	if err == nil {
		err = p.finish(ctx)
	}
	if errors.Is(err, errNotMine) {
		return 0, nil
	}
	if err != nil {
		p.release(context.WithoutCancel(ctx))
	}
	return 0, tell(err)
}

// buildPiece is how many parts are written in one transaction.
const buildPiece = 100

// BlockParts is how many parts a block sums up.
const blockParts = 256

// building is one attempt to build an export.
type building struct {
	s       *Store
	org     id
	job     string
	site    export.Site
	attempt int64
	request export.Request
	total   int64 // captures of the organization, of which some are looked at

	waiting []chosen
	parts   int64
	block   int64           // rows of the block that is not full
	known   map[string]bool // names of columns
	width   int64           // what they take of the budget
	skipped int
	missing wanted
}

// claim makes the job this worker's and removes what an earlier one has left.
func (p *building) claim(ctx context.Context) (wait time.Duration, err error) {
	err = p.s.engine.write(ctx, p.org, func(w *writeTx) error {
		wait, p.attempt = 0, 0
		j, b, err := lockBuild(w, p.job)
		if err != nil || b == nil || j.Status != export.Running {
			return ignoreMissing(err)
		}
		now := p.s.now()
		if wait = p.s.left(b.lease); wait > 0 {
			return nil
		}
		if b.lease != 0 {
			b.deaths++
		}
		if b.deaths >= export.MaxDeaths {
			return p.s.end(w, j, export.Failed, "The export was ended three times while it was built. Narrow the date range or request fewer athletes.")
		}
		p.attempt, p.request = b.attempt+1, b.request
		w.enqueue(job.Job{Work: job.WatchExport, Organization: p.org.String(), Subject: p.job, At: now.Add(export.Lease)})
		if err := w.forgetParts(p.job); err != nil {
			return err
		}
		return w.do(exec(`UPDATE export_build SET attempt = $3, deaths = $4, lease = $5, parts = 0, total = 0, done = 0, row_count = 0 WHERE organization = $1 AND job = $2`,
			p.org, p.job, p.attempt, int64(b.deaths), micros(now.Add(export.Lease))))
	})
	p.known, p.missing = map[string]bool{}, newWanted(p.request)
	return wait, err
}

// mine extends the lease, or says that the job is not this worker's any more.
func (p *building) mine(w *writeTx) error {
	j, b, err := lockBuild(w, p.job)
	if err != nil {
		return err
	}
	if j.Status != export.Running || b == nil || b.attempt != p.attempt || b.lease == 0 {
		return errNotMine
	}
	return w.do(exec(`UPDATE export_build SET lease = $3, total = $4, done = $5, parts = $6 WHERE organization = $1 AND job = $2`,
		p.org, p.job, micros(p.s.now().Add(export.Lease)), p.total, min(p.parts, p.total), p.parts))
}

// piece writes the parts of what is waiting.
func (p *building) piece(ctx context.Context) error {
	unreadable, err := p.look(ctx)
	if err != nil {
		return err
	}
	var after building
	err = p.s.engine.write(ctx, p.org, func(w *writeTx) error {
		after = p.copy()
		if err := after.mine(w); err != nil {
			return err
		}
		return after.write(w, p.waiting, unreadable)
	})
	if err != nil {
		return err
	}
	after.waiting = p.waiting[:0]
	*p = after
	return nil
}

// looksAtOnce is how many tables are opened at a time: a bucket takes its time.
const looksAtOnce = 8

// look opens the tables of what is waiting, and gives the reasons why some of them
// cannot be read.
func (p *building) look(ctx context.Context) (unreadable map[string]string, err error) {
	type table struct {
		name string
		rows int
	}
	var tables []table
	for part := range slices.Chunk(p.waiting, writeChunk) {
		in, args := parameterList(p.org, part, func(c chosen) any { return c.session })
		if err := p.s.engine.once(ctx, p.org, each(func(row rows) error {
			var t table
			var raw []byte
			if err := row.Scan(&t.name, &raw); err != nil {
				return err
			}
			var info frames.Info
			if t.name != "" && json.Unmarshal(raw, &info) == nil {
				t.rows = info.Frames
				tables = append(tables, t)
			}
			return nil
		}, `SELECT motion_table, info FROM recording WHERE organization = $1 AND session_id IN (`+in+`)`, args...)); err != nil {
			return nil, err
		}
	}
	unreadable = map[string]string{}
	var lock sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(looksAtOnce)
	for _, t := range tables {
		group.Go(func() error {
			reason, err := p.site.Look(ctx, t.name, t.rows)
			if reason != "" {
				lock.Lock()
				defer lock.Unlock()
				unreadable[t.name] = reason
			}
			return err
		})
	}
	return unreadable, group.Wait()
}

// copy is the state to which a transaction that may run again adds.
func (p *building) copy() building {
	c := *p
	c.known, c.missing = maps.Clone(p.known), maps.Clone(p.missing)
	return c
}

// write adds parts for captures that are still there.
func (p *building) write(w *writeTx, list []chosen, unreadable map[string]string) error {
	there, err := p.stored(w, list)
	if err != nil {
		return err
	}
	var values [][]any
	var more []statement
	uses := newUses()
	for _, c := range list {
		r, ok := there[c.session]
		switch {
		case !ok:
			continue // deleted since the snapshot
		case r.Table == "":
			more = append(more, p.skip(c.session, "The capture has no motion: it is a video of which none was made, or was stored without its file.")...)
			continue
		case unreadable[r.Table] != "":
			more = append(more, p.skip(c.session, unreadable[r.Table])...)
			continue
		}
		var info frames.Info
		if err := json.Unmarshal(r.Info, &info); err != nil {
			more = append(more, p.skip(c.session, "What is known of its motion cannot be read.")...)
			continue
		}
		frame, n, ok := p.rowsOf(info)
		if !ok {
			continue
		}
		p.missing.see(info)
		uses.add(info, c.facts, p.request.Metrics)
		text, err := json.Marshal(c.facts)
		if err != nil {
			return err
		}
		values = append(values, []any{w.org, p.job, p.parts, c.session, c.athlete, string(text), r.Table, r.Info, r.Rate, frame, n})
		p.parts++
		p.block += n
		if p.parts%blockParts == 0 {
			more = append(more, p.endBlock(w.org, p.parts/blockParts-1))
		}
	}
	for _, name := range uses.order {
		if !p.known[name] {
			p.known[name] = true
			p.width += int64(len(name)) + export.ColumnBytes
		}
		more = append(more, uses.put(w.org, p.job, name, int64(len(p.known))))
	}
	return w.do(append(insertMany(`INSERT INTO export_part (organization, job, n, session_id, athlete, facts, motion_table, info, rate, frame, row_count) VALUES `, values), more...)...)
}

func (p *building) endBlock(org id, block int64) statement {
	n := p.block
	p.block = 0
	return exec(`INSERT INTO export_block (organization, job, block, row_count) VALUES ($1, $2, $3, $4)`, org, p.job, block, n)
}

// maxSkipped bounds the captures that a job names as left out.
const maxSkipped = 100

func (p *building) skip(session, why string) []statement {
	if p.skipped++; p.skipped > maxSkipped {
		return nil
	}
	return []statement{exec(`INSERT INTO export_skip (organization, job, session_id, reason) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`, p.org, p.job, session, why)}
}

// stored reads, and keeps from being deleted, the recordings of captures that are
// still there, and drops those whose athlete is not.
func (p *building) stored(w *writeTx, list []chosen) (map[string]recording, error) {
	there := map[string]recording{}
	for part := range slices.Chunk(list, writeChunk) {
		in, args := parameterList(w.org, part, func(c chosen) any { return c.session })
		if err := w.do(each(func(row rows) error {
			var session string
			err := row.Scan(&session)
			there[session] = recording{}
			return err
		}, `SELECT session_id FROM capture WHERE organization = $1 AND session_id IN (`+in+`) ORDER BY session_id FOR SHARE`, args...),
			each(func(row rows) error {
				var session string
				var r recording
				err := row.Scan(&session, &r.Table, &r.Info, &r.Rate)
				if _, ok := there[session]; ok {
					there[session] = r
				}
				return err
			}, `SELECT session_id, motion_table, info, rate FROM recording WHERE organization = $1 AND session_id IN (`+in+`) ORDER BY session_id FOR SHARE`, args...)); err != nil {
			return nil, err
		}
		gone := map[id]bool{}
		for _, c := range part {
			if c.athlete != (id{}) {
				gone[c.athlete] = true
			}
		}
		in, args = parameterList(w.org, part, func(c chosen) any { return c.athlete })
		if err := w.do(each(func(row rows) error {
			var key id
			err := row.Scan(&key)
			delete(gone, key)
			return err
		}, `SELECT id FROM athlete WHERE organization = $1 AND id IN (`+in+`) ORDER BY id FOR KEY SHARE`, args...)); err != nil {
			return nil, err
		}
		for _, c := range part {
			if gone[c.athlete] {
				delete(there, c.session) // shared with others it comes again, for them
			}
		}
	}
	return there, nil
}

// rowsOf gives the first frame of a recording that the request wants, and how many.
func (p *building) rowsOf(info frames.Info) (frame, n int64, ok bool) {
	switch p.request.RowFilter {
	case export.EveryFrame:
		return 0, int64(info.Frames), info.Frames > 0
	case export.FrameZero:
		return 0, 1, info.Frames > 0
	}
	for _, e := range info.EventColumns() {
		if e.Name == p.request.RowFilter {
			delete(p.missing, e.Name)
			return int64(e.Frame), 1, e.Frame >= 0 && e.Frame < info.Frames
		}
	}
	return 0, 0, false
}

// tooLarge says whether giving the result out would not fit the budget.
func (p *building) tooLarge() bool { return p.width > p.site.Budget }

// finish completes the job, or says why it failed.
func (p *building) finish(ctx context.Context) error {
	return p.s.engine.write(ctx, p.org, func(w *writeTx) error {
		if err := p.mine(w); err != nil {
			return err
		}
		j, err := lockJob(w, p.job)
		if err != nil {
			return err
		}
		if p.tooLarge() {
			return p.s.end(w, j, export.Failed, export.TooLarge)
		}
		if missing := p.missing.fault(); missing != nil && p.parts > 0 {
			return p.s.end(w, j, export.Failed, capture.ErrorText(missing.Error()))
		}
		var statements []statement
		if last := p.parts / blockParts; p.parts%blockParts != 0 {
			after := *p
			statements = append(statements, after.endBlock(w.org, last))
		}
		// What was deleted while the export was built has taken its rows along.
		statements = append(statements, exec(`UPDATE export_build SET lease = 0, deaths = 0, done = total, version = version + 1, parts = (SELECT count(*) FROM export_part p WHERE p.organization = $1 AND p.job = $2),
row_count = (SELECT COALESCE(SUM(p.row_count), 0) FROM export_part p WHERE p.organization = $1 AND p.job = $2) WHERE organization = $1 AND job = $2`, w.org, p.job))
		if err := w.do(statements...); err != nil {
			return err
		}
		return p.s.end(w, j, export.Completed, "")
	})
}

// release lets another worker begin at once.
func (p *building) release(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	err := p.s.engine.write(ctx, p.org, func(w *writeTx) error {
		return w.do(exec(`UPDATE export_build SET lease = 0 WHERE organization = $1 AND job = $2 AND attempt = $3`, p.org, p.job, p.attempt))
	})
	if err != nil {
		p.s.log.Warn("an export is taken over later", "error", err)
	}
}

// end brings a job to a final state and sees to it that its result is erased in time.
func (s *Store) end(w *writeTx, j export.Job, status export.Status, why string) error {
	now := s.now().UTC().Truncate(time.Millisecond)
	j.Status, j.ErrorMessage, j.CompletedAt = status, why, &now
	forget := job.Job{Work: job.ForgetExport, Organization: w.org.String(), Subject: j.ID}
	if status == export.Completed {
		forget.At = now.Add(export.Life)
	}
	w.enqueue(forget)
	return w.do(putJob(w.org, j))
}

// WatchBuild has a dead worker's job built again.
func (s *Store) WatchBuild(ctx context.Context, sc organization.Scope, jobID string) (wait time.Duration, err error) {
	return s.asked(ctx, sc, func(w *writeTx) (time.Duration, error) {
		j, b, err := lockBuild(w, jobID)
		if err != nil || b == nil || j.Status != export.Running || b.lease == 0 {
			return 0, err
		}
		if left := s.left(b.lease); left > 0 {
			return left + time.Second, nil
		}
		w.enqueue(job.Job{Work: job.Export, Organization: sc.Organization, Subject: jobID})
		return 0, nil
	})
}
