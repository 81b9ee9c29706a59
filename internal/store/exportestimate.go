package store

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/internal/store/tally"
	"github.com/kinebase/kinebase/organization"
)

// estimateWalk is how many rows of the list an estimate walks along. The recordings of
// the first export.LookedAt captures among them are looked at.
const estimateWalk = 100_000

// estimating is an estimate on its way.
type estimating struct {
	t        tx
	org      id
	request  export.Request
	set      tally.Set // completed captures with the labels
	bounds   bounds
	most     int64 // rows to walk along
	looked   int   // recordings to look at
	walked   int64
	sessions []string       // that match, in the order of the walk
	times    map[string]int // how many athletes of it match
}

// Estimate says how much an export would hold, in a time that does not depend on how
// much that is.
func (s *Store) Estimate(ctx context.Context, sc organization.Scope, r export.Request) (export.Estimate, error) {
	return s.estimate(ctx, sc, r, estimateWalk, export.LookedAt)
}

// estimate walks along so many rows at the most, and looks at so many recordings.
func (s *Store) estimate(ctx context.Context, sc organization.Scope, r export.Request, most int64, looked int) (e export.Estimate, err error) {
	org, err := scope(sc)
	if err != nil {
		return e, err
	}
	err = s.engine.aside(ctx, org, func(t tx) error {
		filter := capture.Filter{Status: capture.Completed, Activity: r.Activity, Movement: r.Movement}
		selected, err := s.selectCombinations(t, org, filter)
		if err != nil {
			return err
		}
		w := &estimating{t: alert{t, ctx}, org: org, request: r, set: selected.set, bounds: boundsOf(r), times: map[string]int{}, most: most, looked: looked}
		if err := w.walk(); err != nil {
			return err
		}
		e, err = w.look()
		return err
	})
	return e, tell(err)
}

// walk finds the captures, one athlete after the other where athletes are named.
func (w *estimating) walk() error {
	const list = `SELECT r.session_id, r.combination FROM capture_row r`
	join, where := ``, ` WHERE r.organization = $1 AND r.sort_time >= $2 AND r.sort_time <= $3`
	args := []any{w.org, w.bounds.firstSort, w.bounds.lastSort}
	if w.request.DateMode == export.ByLastModified {
		join = ` CROSS JOIN capture c`
		where += ` AND c.organization = r.organization AND c.session_id = r.session_id AND c.updated_at >= $5 AND c.updated_at <= $6`
	}
	const order = ` ORDER BY r.sort_time, r.session_id, r.athlete LIMIT $4`
	full := func() []any {
		a := append(slices.Clone(args), w.most-w.walked)
		if join != `` {
			a = append(a, w.bounds.from, w.bounds.to)
		}
		return a
	}
	if len(w.request.Athletes) == 0 {
		return w.t.do(each(w.take, list+join+where+order, full()...))
	}
	for part := range slices.Chunk(w.request.Athletes, writeChunk) {
		keys := make([]id, len(part))
		unknown := map[id]string{}
		for i, a := range part {
			keys[i], _ = parseID(a)
			unknown[keys[i]] = a
		}
		in, ids := parameterList(w.org, keys, func(k id) any { return k })
		if err := w.t.do(each(func(row rows) error {
			var key id
			err := row.Scan(&key)
			delete(unknown, key)
			return err
		}, `SELECT id FROM athlete WHERE organization = $1 AND id IN (`+in+`)`, ids...)); err != nil {
			return err
		}
		for _, key := range keys {
			if a, ok := unknown[key]; ok {
				return noSuchAthlete(a)
			}
		}
		of := ` AND r.athlete = $5`
		if join != `` {
			of = ` AND r.athlete = $7`
		}
		statements := make([]statement, len(keys))
		for i, key := range keys {
			statements[i] = each(w.take, list+join+where+of+order, append(full(), key)...)
		}
		if err := w.t.do(statements...); err != nil {
			return err
		}
	}
	return nil
}

func noSuchAthlete(a string) error {
	return fault.New(fault.BadRequest, "athletes names %s, which is no athlete of the organization", a)
}

// take takes a row of the list.
func (w *estimating) take(row rows) error {
	var session string
	var combination int64
	if err := row.Scan(&session, &combination); err != nil {
		return err
	}
	if w.walked++; w.walked > w.most || !w.set.Has(uint32(combination)) {
		return nil
	}
	if w.times[session]++; w.times[session] == 1 {
		w.sessions = append(w.sessions, session)
	}
	return nil
}

// look opens what is known of the first captures and extrapolates for the others.
func (w *estimating) look() (e export.Estimate, err error) {
	first := w.sessions[:min(len(w.sessions), w.looked)]
	missing := newWanted(w.request)
	for part := range slices.Chunk(first, writeChunk) {
		in, args := parameterList(w.org, part, func(s string) any { return s })
		if err := w.t.do(each(func(row rows) error {
			var session string
			var raw []byte
			var info frames.Info
			if err := row.Scan(&session, &raw); err != nil || json.Unmarshal(raw, &info) != nil {
				return err // what cannot be read is left out of an export
			}
			missing.see(info)
			if _, n, ok := rowsOf(w.request.RowFilter, info); ok {
				e.Captures++
				e.Rows += n * int64(w.times[session])
			}
			return nil
		}, `SELECT session_id, info FROM recording WHERE organization = $1 AND session_id IN (`+in+`) AND motion_table <> ''`, args...)); err != nil {
			return e, err
		}
	}
	e.Exact = w.walked < w.most && len(first) == len(w.sessions)
	if e.Exact && len(first) > 0 {
		return e, missing.fault()
	}
	if len(first) > 0 {
		more := float64(len(w.sessions)) / float64(len(first))
		e.Captures, e.Rows = int64(float64(e.Captures)*more), int64(float64(e.Rows)*more)
	}
	return e, nil
}
