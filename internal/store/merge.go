package store

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/feed"
	"github.com/kinebase/kinebase/organization"
)

// MergeAthletes makes one athlete of two: what the one from has becomes that of the other, and it is erased.
func (s *Store) MergeAthletes(ctx context.Context, sc organization.Scope, athleteID, fromID string, once *organization.Once, merge func(into, from athlete.Athlete) (athlete.Athlete, error)) (athlete.Athlete, error) {
	org, err := scope(sc)
	key, ok := parseID(athleteID)
	if err != nil || !ok {
		return athlete.Athlete{}, noAthlete()
	}
	var merged athlete.Athlete
	err = s.writeOnce(ctx, org, once, func(w *writeTx) (any, id, error) {
		if err := s.apart(w); err != nil {
			return nil, id{}, err
		}
		if err := s.engine.line(w); err != nil {
			return nil, id{}, err
		}
		into, from, err := w.lockTwo(athleteID, fromID)
		if err != nil {
			return nil, id{}, err
		}
		if merged, err = merge(*into, *from); err != nil {
			return nil, id{}, err
		}
		if err := w.noBuilds(); err != nil {
			return nil, id{}, err
		}
		gone, _ := parseID(from.ID)
		if err := s.relink(w, gone, key); err != nil {
			return nil, id{}, err
		}
		if err := w.handParts(gone, key, fullName(merged.FirstName, merged.LastName)); err != nil {
			return nil, id{}, err
		}
		if err := s.eraseAthlete(w, gone); err != nil {
			return nil, id{}, err
		}
		if err := w.do(exec(`UPDATE deletion SET merged_into = $4 WHERE organization = $1 AND kind = $2 AND id = $3`, w.org, int64(feed.Athlete), gone.String(), key.String())); err != nil {
			return nil, id{}, err
		}
		return merged, key, w.amend(key, *into, merged)
	})
	return merged, err
}

// lockTwo reads and locks two athletes, in the order of their ids.
func (w *writeTx) lockTwo(athleteID, fromID string) (into, from *athlete.Athlete, err error) {
	ids := []string{athleteID, fromID}
	slices.Sort(ids)
	found := map[string]*athlete.Athlete{}
	for _, name := range ids {
		key, _ := parseID(name) // the nil UUID is nobody's
		a, find := findAthlete(w.org, key, " FOR UPDATE")
		if err := w.do(find); err == nil {
			found[name] = a
		} else if !fault.Is(err, fault.NotFound) {
			return nil, nil, err
		}
	}
	switch {
	case found[athleteID] == nil:
		return nil, nil, noAthlete()
	case found[fromID] == nil:
		return nil, nil, fault.New(fault.BadRequest, "athlete_id not found")
	}
	return found[athleteID], found[fromID], nil
}

// noBuilds refuses while an export is being built: it has its captures and athletes from before, and would leave those out
// that are linked otherwise now. The line is the transaction's, so that none begins.
func (w *writeTx) noBuilds() error {
	var some bool
	if err := w.do(one(into(&some), `SELECT EXISTS (SELECT 1 FROM export_build b JOIN export_job j ON j.organization = b.organization AND j.id = b.job
WHERE b.organization = $1 AND j.status = 'RUNNING')`, w.org)); err != nil {
		return err
	}
	if some {
		return fault.New(fault.Conflict, "An export is being built. Merge the athletes when it is done.")
	}
	return nil
}

// relink links the captures of one athlete to another one, in its place.
func (s *Store) relink(w *writeTx, from, into id) error {
	sessions, err := w.sessionsOf(from)
	if err != nil {
		return err
	}
	for part := range slices.Chunk(sessions, writeChunk) {
		stored, err := s.loadCaptures(w, part)
		if err != nil {
			return err
		}
		var puts []capturePut
		for _, session := range part {
			c := stored[session]
			if c == nil {
				continue
			}
			next := c.Capture
			next.AthleteIDs = slices.Clone(c.AthleteIDs)
			at := slices.Index(next.AthleteIDs, from.String())
			switch {
			case at < 0:
				continue // it was unlinked before it was locked
			case slices.Contains(next.AthleteIDs, into.String()):
				next.AthleteIDs = slices.Delete(next.AthleteIDs, at, at+1)
			default:
				next.AthleteIDs[at] = into.String()
			}
			puts = append(puts, capturePut{old: c, Capture: next})
		}
		if err := w.eraseAnswersOf(puts); err != nil {
			return err
		}
		if err := s.putCaptures(w, puts); err != nil {
			return err
		}
	}
	return nil
}

// handParts makes the rows of finished exports that are one athlete's those of another. Where a result has rows of both for a
// capture, one of them goes.
func (w *writeTx) handParts(from, into id, name string) error {
	both := `athlete = $2 AND EXISTS (SELECT 1 FROM export_part o WHERE o.organization = export_part.organization AND o.job = export_part.job AND o.session_id = export_part.session_id AND o.athlete = $3)`
	twice, err := w.withdrawWhere(both, w.org, from, into)
	if err != nil {
		return err
	}
	w.erased = w.erased || len(twice) > 0
	var statements []statement
	var jobs []string
	if err := w.do(each(func(r rows) error {
		var job, text string
		var n int64
		if err := r.Scan(&job, &n, &text); err != nil {
			return err
		}
		var f facts
		if err := json.Unmarshal([]byte(text), &f); err != nil {
			return err
		}
		f.Name = name
		named, err := json.Marshal(f)
		statements = append(statements, exec(`UPDATE export_part SET athlete = $4, facts = $5 WHERE organization = $1 AND job = $2 AND n = $3`, w.org, job, n, into, string(named)))
		if !slices.Contains(jobs, job) {
			jobs = append(jobs, job)
		}
		return err
	}, `SELECT job, n, facts FROM export_part WHERE organization = $1 AND athlete = $2 ORDER BY job, n FOR UPDATE`, w.org, from)); err != nil {
		return err
	}
	for _, job := range jobs {
		statements = append(statements, exec(`UPDATE export_build SET version = version + 1 WHERE organization = $1 AND job = $2`, w.org, job))
	}
	statements = append(statements, exec(`UPDATE export_build SET request = replace(request, $2, $3) WHERE organization = $1 AND request LIKE $4`,
		w.org, from.String(), into.String(), "%"+from.String()+"%"))
	if err := w.do(statements...); err != nil {
		return err
	}
	if err := w.withdrawFiles(jobs); err != nil {
		return err
	}
	return w.resultsChanged(jobs)
}
