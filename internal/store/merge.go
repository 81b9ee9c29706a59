package store

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/feed"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/webhook"
)

// MergeAthletes makes one athlete of two: what the one from has becomes that of the other, and it is erased.
func (s *Store) MergeAthletes(ctx context.Context, sc organization.Scope, athleteID, fromID string,
	once *organization.Once[athlete.Athlete], merge func(into, from athlete.Athlete) (athlete.Athlete, error)) (
	athlete.Athlete, error) {
	org := sc.Organization
	key, ok := organization.ParseID(athleteID)
	if !ok {
		return athlete.Athlete{}, noAthlete()
	}
	var merged athlete.Athlete
	err := writeOnce(ctx, s, org, once, &merged, func(w *writeTx) (db.ID, error) {
		if err := s.apart(w); err != nil {
			return db.ID{}, err
		}
		if err := w.Line(); err != nil {
			return db.ID{}, err
		}
		into, from, err := w.lockTwo(athleteID, fromID)
		if err != nil {
			return db.ID{}, err
		}
		if merged, err = merge(*into, *from); err != nil {
			return db.ID{}, err
		}
		if err := w.noBuilds(); err != nil {
			return db.ID{}, err
		}
		gone, _ := organization.ParseID(from.ID)
		w.alsoAbout("athlete", from.ID)
		if err := s.relink(w, gone, key); err != nil {
			return db.ID{}, err
		}
		if err := w.handParts(gone, key, fullName(merged.FirstName, merged.LastName)); err != nil {
			return db.ID{}, err
		}
		if _, err := w.position(); err != nil { // the two may have no captures
			return db.ID{}, err
		}
		if err := w.tell(webhook.Data{Event: webhook.AthleteMerged, ID: into.ID, From: from.ID}); err != nil {
			return db.ID{}, err
		}
		if err := s.eraseAthlete(w, gone); err != nil {
			return db.ID{}, err
		}
		if err := w.Do(db.Exec(`UPDATE deletion SET merged_into = $4 WHERE organization = $1 AND kind = $2 AND id = $3`,
			w.Org, int64(feed.Athlete), gone.String(), key.String())); err != nil {
			return db.ID{}, err
		}
		return key, w.amend(key, *into, merged)
	})
	return merged, err
}

// lockTwo reads and locks two athletes, in the order of their ids.
func (w *writeTx) lockTwo(athleteID, fromID string) (into, from *athlete.Athlete, err error) {
	ids := []string{athleteID, fromID}
	slices.Sort(ids)
	found := map[string]*athlete.Athlete{}
	for _, name := range ids {
		key, _ := organization.ParseID(name) // the nil UUID is nobody's
		a, find := findAthlete(w.Org, key, " FOR UPDATE")
		if err := w.Do(find); err == nil {
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

// noBuilds refuses while an export is being built: it has its captures and athletes from before, and would
// leave those out that are linked otherwise now. The line is the transaction's, so that none begins.
func (w *writeTx) noBuilds() error {
	var some bool
	if err := w.Do(db.One(db.Into(&some),
		`SELECT EXISTS (SELECT 1 FROM export_build b JOIN export_job j ON j.organization = b.organization AND j.id = b.job
WHERE b.organization = $1 AND j.status = 'RUNNING')`, w.Org)); err != nil {
		return err
	}
	if some {
		return fault.New(fault.Conflict, "An export is being built. Merge the athletes when it is done.")
	}
	return nil
}

// relink links the captures of one athlete to another one, in its place.
func (s *Store) relink(w *writeTx, from, into db.ID) error {
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

// handParts makes the rows of finished exports that are one athlete's those of another. Where a result has
// rows of both for a capture, one of them goes, and so does a row that is the one athlete.
func (w *writeTx) handParts(from, into db.ID, name string) error {
	both := `athlete = $2 AND (session_id = '' OR EXISTS (SELECT 1 FROM export_part o WHERE o.organization = export_part.organization AND o.job = export_part.job AND o.session_id = export_part.session_id AND o.athlete = $3))`
	twice, err := w.withdrawWhere(both, w.Org, from, into)
	if err != nil {
		return err
	}
	w.Erased = w.Erased || len(twice) > 0
	var statements []db.Statement
	var jobs []string
	if err := w.Do(db.Each(func(r db.Rows) error {
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
		statements = append(statements,
			db.Exec(`UPDATE export_part SET athlete = $4, facts = $5 WHERE organization = $1 AND job = $2 AND n = $3`,
				w.Org, job, n, into, string(named)))
		if !slices.Contains(jobs, job) {
			jobs = append(jobs, job)
		}
		return err
	}, `SELECT job, n, facts FROM export_part WHERE organization = $1 AND athlete = $2 ORDER BY job, n FOR UPDATE`,
		w.Org, from)); err != nil {
		return err
	}
	for _, job := range jobs {
		statements = append(statements,
			db.Exec(`UPDATE export_build SET version = version + 1 WHERE organization = $1 AND job = $2`, w.Org, job))
	}
	statements = append(statements,
		db.Exec(`UPDATE export_build SET request = replace(request, $2, $3) WHERE organization = $1 AND request LIKE $4`,
			w.Org, quoted(from), quoted(into), "%"+quoted(from)+"%"))
	if err := w.Do(statements...); err != nil {
		return err
	}
	if err := w.withdrawFiles(jobs); err != nil {
		return err
	}
	return w.resultsChanged(jobs)
}
