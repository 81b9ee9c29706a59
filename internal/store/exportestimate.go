package store

import (
	"context"
	"slices"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/store/tally"
	"github.com/kinebase/kinebase/organization"
)

// estimateWalk is how many rows of the list an estimate walks along. The recordings of
// export.LookedAt captures among them are looked at.
const estimateWalk = 100_000

// estimating is an estimate on its way.
type estimating struct {
	t        db.Tx
	org      db.ID
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
func (s *Store) estimate(ctx context.Context, sc organization.Scope, r export.Request, most int64,
	looked int) (e export.Estimate, err error) {
	org := sc.Organization
	if r.Shape == export.RowPerAthlete {
		e, err = s.estimatePeople(ctx, org, r)
		return e, db.ToFault(err)
	}
	err = s.engine.Aside(ctx, org, func(t db.Tx) error {
		filter := capture.Filter{Status: capture.Completed, Activity: r.Activity, Movement: r.Movement}
		selected, err := s.selectCombinations(t, org, filter)
		if err != nil {
			return err
		}
		w := &estimating{t: alert{t, ctx}, org: org, request: r, set: selected.set, bounds: boundsOf(r),
			times: map[string]int{}, most: most, looked: looked}
		if len(r.Captures) > 0 {
			err = s.estimateNamed(w)
		} else {
			err = w.walk()
		}
		if err != nil {
			return err
		}
		e, err = w.look()
		return err
	})
	return e, db.ToFault(err)
}

// estimateNamed finds the rows of the captures that the request names, which are all looked for.
func (s *Store) estimateNamed(w *estimating) error {
	for part := range slices.Chunk(w.request.Athletes, writeChunk) {
		if _, err := w.athletes(part); err != nil {
			return err
		}
	}
	if err := allThere(w.t, w.org, w.request.Captures); err != nil {
		return err
	}
	return s.eachChosen(w.t, w.org, w.request, func(c chosen) (bool, error) {
		if c.why == "" {
			w.count(c.session)
		}
		return true, nil
	})
}

// By its last change a capture is found in one table and its athletes in another, which
// takes about four times as long.
const changedShare = 4

// The rows of the list that an estimate walks along, and when their captures were
// changed where that matters. Each stops after so many rows, whatever matches.
const (
	walkAll        = `SELECT session_id, combination, 0 FROM capture_row /*+ NOT INDEXED */ WHERE organization = $1 AND sort_time >= $2 AND sort_time <= $3 ORDER BY sort_time, session_id, athlete LIMIT $4`
	walkOne        = `SELECT session_id, combination, 0 FROM capture_row /*+ INDEXED BY capture_row_athlete */ WHERE organization = $1 AND athlete = $5 AND sort_time >= $2 AND sort_time <= $3 ORDER BY sort_time, session_id LIMIT $4`
	walkAllChanged = `SELECT c.session_id, c.combination, c.updated_at FROM (SELECT organization, sort_time, session_id, combination, updated_at FROM capture /*+ INDEXED BY capture_changed */
WHERE organization = $1 AND updated_at >= $2 AND updated_at <= $3 ORDER BY updated_at DESC, session_id DESC LIMIT $4) c
CROSS JOIN capture_row r WHERE r.organization = c.organization AND r.sort_time = c.sort_time AND r.session_id = c.session_id`
	walkOneChanged = `SELECT r.session_id, r.combination, c.updated_at FROM (SELECT organization, session_id, combination FROM capture_row /*+ INDEXED BY capture_row_athlete */
WHERE organization = $1 AND athlete = $3 ORDER BY sort_time, session_id LIMIT $2) r
CROSS JOIN capture c WHERE c.organization = r.organization AND c.session_id = r.session_id`
)

// walk finds the captures, one athlete after the other where athletes are named.
func (w *estimating) walk() error {
	b, changed := w.bounds, w.request.DateMode == export.ByLastModified
	if changed {
		w.most = max(1, w.most/changedShare)
	}
	if len(w.request.Athletes) == 0 {
		if changed {
			return w.t.Do(db.Each(w.take, walkAllChanged, w.org, b.from, b.to, w.most))
		}
		return w.t.Do(db.Each(w.take, walkAll, w.org, b.firstSort, b.lastSort, w.most))
	}
	for part := range slices.Chunk(w.request.Athletes, writeChunk) {
		keys, err := w.athletes(part)
		if err != nil {
			return err
		}
		// A few at a time: each of them may have as many captures as are left to walk.
		for few := range slices.Chunk(keys, 8) {
			left := w.most - w.walked
			if left <= 0 {
				break // it is only looked whether they are there
			}
			statements := make([]db.Statement, len(few))
			for i, key := range few {
				if changed {
					statements[i] = db.Each(w.take, walkOneChanged, w.org, left, key)
				} else {
					statements[i] = db.Each(w.take, walkOne, w.org, b.firstSort, b.lastSort, left, key)
				}
			}
			if err := w.t.Do(statements...); err != nil {
				return err
			}
		}
	}
	return nil
}

// athletes gives the keys of athletes, all of which must be there.
func (w *estimating) athletes(list []string) ([]db.ID, error) {
	keys := make([]db.ID, len(list))
	unknown := map[db.ID]string{}
	for i, a := range list {
		keys[i], _ = organization.ParseID(a)
		unknown[keys[i]] = a
	}
	in, args := parameterList(w.org, keys, func(k db.ID) any { return k })
	if err := w.t.Do(db.Each(func(row db.Rows) error {
		var key db.ID
		err := row.Scan(&key)
		delete(unknown, key)
		return err
	}, `SELECT id FROM athlete WHERE organization = $1 AND id IN (`+in+`)`, args...)); err != nil {
		return nil, err
	}
	for _, key := range keys {
		if a, ok := unknown[key]; ok {
			return nil, noSuchAthlete(a)
		}
	}
	return keys, nil
}

func noSuchAthlete(a string) error {
	return fault.New(fault.BadRequest, "athletes names %s, which is no athlete of the organization", a)
}

// take takes a row of the list.
func (w *estimating) take(row db.Rows) error {
	var session string
	var combination, changed int64
	if err := row.Scan(&session, &combination, &changed); err != nil {
		return err
	}
	if w.walked++; w.walked > w.most || !w.set.Has(uint32(combination)) {
		return nil
	}
	if w.request.DateMode == export.ByLastModified && (changed < w.bounds.from || changed > w.bounds.to) {
		return nil
	}
	w.count(session)
	return nil
}

// count takes a capture for one athlete.
func (w *estimating) count(session string) {
	if w.times[session]++; w.times[session] == 1 {
		w.sessions = append(w.sessions, session)
	}
}

// look opens what is known of some captures and extrapolates for the others. They lie
// evenly among all of them: the first alone may be of another kind than the rest.
func (w *estimating) look() (e export.Estimate, err error) {
	some := w.sessions
	if len(some) > w.looked {
		some = make([]string, w.looked)
		for i := range some {
			some[i] = w.sessions[i*len(w.sessions)/w.looked]
		}
	}
	missing := newWanted(w.request)
	for part := range slices.Chunk(some, writeChunk) {
		in, args := parameterList(w.org, part, func(s string) any { return s })
		if err := w.t.Do(db.Each(func(row db.Rows) error {
			var session string
			var raw []byte
			var rate float64
			if err := row.Scan(&session, &raw, &rate); err != nil {
				return err
			}
			if info, err := infoOf(raw, rate); err == nil { // what cannot be read is left out of an export
				_, n, why := rowsOf(w.request, info)
				if missing.see(info, why == ""); why == "" {
					e.Captures++
					e.Rows += n * int64(w.times[session])
				}
			}
			return nil
		}, `SELECT session_id, info, rate FROM recording WHERE organization = $1 AND session_id IN (`+in+
			`) AND motion_table <> ''`, args...)); err != nil {
			return e, err
		}
	}
	e.Exact = w.walked < w.most && len(some) == len(w.sessions)
	if e.Exact && len(some) > 0 {
		return e, missing.fault()
	}
	if len(some) > 0 {
		more := float64(len(w.sessions)) / float64(len(some))
		e.Captures, e.Rows = int64(float64(e.Captures)*more), int64(float64(e.Rows)*more)
	}
	return e, nil
}
