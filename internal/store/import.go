package store

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/webhook"
)

// errDry rolls a dry run back.
var errDry = errors.New("dry run")

// Import writes the records in their order in one transaction and says of each
// what was done.
func (s *Store) Import(ctx context.Context, sc organization.Scope, records []manifest.Record,
	dry bool) ([]manifest.Outcome, error) {
	org := sc.Organization
	var outcomes []manifest.Outcome
	err := s.bulk(ctx, org, func(w *writeTx) error {
		i := importing{s: s, w: w, now: s.now().UTC().Truncate(time.Millisecond),
			outcomes: make([]manifest.Outcome, 0, len(records))}
		outcomes = nil
		if err := w.Exclude(); err != nil {
			return err
		}
		if err := i.all(records); err != nil {
			return err
		}
		outcomes = i.outcomes
		if dry {
			return errDry
		}
		return nil
	})
	if dry && errors.Is(err, errDry) {
		err = nil
	}
	if err == nil && !dry {
		s.engine.Filled(ctx, len(records))
	}
	return outcomes, db.ToFault(err)
}

// ImportRecords is how many records one Import should be given at most. On SQLite the cost of a
// transaction is in the pages that it changes, and of more records more share a page. PostgreSQL
// writes rows to its log, and has no use for larger ones.
func (s *Store) ImportRecords() int { return s.engine.BulkRecords() }

// apart keeps a transaction that locks captures and athletes, and has met another
// one that does so in another order, from meeting it again.
func (s *Store) apart(w *writeTx) error {
	if w.Attempt == 1 {
		return nil
	}
	return w.Exclude()
}

// importRun bounds the records that are looked up and written together. A page of a table that
// several of them lie on is written once.
const importRun = 8192

func kind(r manifest.Record) int {
	switch {
	case r.Athlete != nil:
		return 0
	case r.Capture != nil:
		return 1
	}
	return 2
}

type importing struct {
	s        *Store
	w        *writeTx
	now      time.Time
	outcomes []manifest.Outcome
}

// all writes runs of one kind together, in the order in which they come.
func (i *importing) all(records []manifest.Record) error {
	for len(records[len(i.outcomes):]) > 0 {
		rest := records[len(i.outcomes):]
		n := 1
		for n < len(rest) && n < importRun && kind(rest[n]) == kind(rest[0]) {
			n++
		}
		if err := i.run(rest[:n]); err != nil {
			return err
		}
	}
	return nil
}

func (i *importing) run(records []manifest.Record) error {
	switch kind(records[0]) {
	case 0:
		return i.athletes(records)
	case 1:
		return i.captures(records)
	default:
		return i.jobs(records)
	}
}

func (i *importing) done(e manifest.Effect) {
	i.outcomes = append(i.outcomes, manifest.Outcome{Effect: e})
}

func (i *importing) refuse(field, format string, args ...any) {
	var p fault.Problems
	p.Add(field, format, args...)
	i.outcomes = append(i.outcomes, manifest.Outcome{Effect: manifest.Refused, Err: p.Err()})
}

func (i *importing) athletes(records []manifest.Record) error {
	org := i.w.Org
	stored := map[string]athlete.Athlete{}
	for part := range slices.Chunk(records, writeChunk) {
		in, args := parameterList(org, part, func(r manifest.Record) any {
			key, _ := organization.ParseID(r.Athlete.ID)
			return key
		})
		if err := i.w.Do(db.Each(func(r db.Rows) error {
			a, err := scanAthlete(r)
			stored[a.ID] = a
			return err
		}, `SELECT `+athletes.List+` FROM athlete WHERE organization = $1 AND id IN (`+in+`) ORDER BY id FOR UPDATE`,
			args...)); err != nil {
			return err
		}
	}
	var writes []db.Statement
	for _, r := range records {
		a := *r.Athlete
		key, ok := organization.ParseID(a.ID)
		if !ok {
			i.refuse("id", "id must be a UUID of 36 characters, and not the nil UUID")
			continue
		}
		old, exists := stored[a.ID]
		if !exists {
			a.Version = 1
			a.CreatedAt, a.UpdatedAt = orTime(a.CreatedAt, i.now), orTime(a.UpdatedAt, orTime(a.CreatedAt, i.now))
			if a.UpdatedAt.Before(a.CreatedAt) { // updated_at alone was given, and it is past
				a.CreatedAt = a.UpdatedAt
			}
			at, err := i.w.stamped()
			if err != nil {
				return err
			}
			if err := i.w.tell(webhook.Data{Event: webhook.AthleteCreated, ID: a.ID}); err != nil {
				return err
			}
			writes = append(writes, insertAthlete(org, a, at)...)
			i.w.called(key)
			stored[a.ID] = a
			i.done(manifest.Created)
			continue
		}
		next := a
		next.Version, next.CreatedAt, next.UpdatedAt = old.Version, orTime(a.CreatedAt, old.CreatedAt),
			orTime(a.UpdatedAt, old.UpdatedAt)
		if next.UpdatedAt.Before(old.UpdatedAt) { // it never goes backwards
			next.UpdatedAt = old.UpdatedAt
		}
		if next.UpdatedAt.Before(next.CreatedAt) {
			i.refuse("created_at", "created_at must not be after updated_at, which is %s",
				next.UpdatedAt.Format(time.RFC3339))
			continue
		}
		if athlete.Equal(next, old) {
			i.done(manifest.Unchanged)
			continue
		}
		next.Version++
		i.w.renamed(key, old, next)
		if a.UpdatedAt.IsZero() && i.now.After(old.UpdatedAt) {
			next.UpdatedAt = i.now
		}
		at, err := i.w.stamped()
		if err != nil {
			return err
		}
		if err := i.w.tell(webhook.Data{Event: webhook.AthleteUpdated, ID: next.ID}); err != nil {
			return err
		}
		writes = append(writes, updateAthlete(org, next, at)...)
		if err := i.w.shownBy(key, old, next); err != nil {
			return err
		}
		stored[a.ID] = next
		i.done(manifest.Updated)
	}
	return i.w.Do(writes...)
}

func orTime(t, otherwise time.Time) time.Time {
	if t.IsZero() {
		return otherwise
	}
	return t
}

func (i *importing) captures(records []manifest.Record) error {
	// Lines that are written together must have different ids; a repeated one begins the
	// next run.
	seen := map[string]bool{}
	for n, r := range records {
		if seen[r.Capture.SessionID] {
			records = records[:n]
			break
		}
		seen[r.Capture.SessionID] = true
	}
	var sessions []string
	for session := range seen {
		sessions = append(sessions, session)
	}
	slices.Sort(sessions)
	if i.w.sheaf.may(sessions) { // it came in an earlier part of the series
		if err := i.w.sheaf.write(i.w); err != nil {
			return err
		}
	}
	stored, err := i.s.loadCaptures(i.w, sessions)
	if err != nil {
		return err
	}
	present, err := i.present(records)
	if err != nil {
		return err
	}
	var puts []capturePut
	var relabeled []string
next:
	for _, r := range records {
		for _, a := range r.Capture.AthleteIDs {
			if !present[a] {
				i.refuse("athlete_ids", "athlete_ids names %s, which is no athlete of the organization", a)
				continue next
			}
		}
		old, next := stored[r.Capture.SessionID], *r.Capture
		switch {
		case old == nil:
			i.done(manifest.Created)
		case next.Equal(old.Capture):
			i.done(manifest.Unchanged)
			continue
		default:
			i.done(manifest.Updated)
			if !sameMeasure(old.Capture, next, 0, 0) {
				relabeled = append(relabeled, next.SessionID)
			}
		}
		puts = append(puts, capturePut{old: old, Capture: next})
	}
	if err := i.s.putCaptures(i.w, puts); err != nil {
		return err
	}
	return i.measureAgain(relabeled)
}

// measureAgain has the recordings of captures measured by their new labels.
func (i *importing) measureAgain(sessions []string) error {
	for _, session := range sessions {
		_, r, err := i.s.lockRecording(i.w, session)
		if err != nil {
			return err
		}
		if r == nil {
			continue // it never had a file
		}
		r.measureAgain(i.w, session)
		if err := i.w.updateRecording(session, r); err != nil {
			return err
		}
	}
	return nil
}

// present gives the linked athletes that exist. They are locked, so that they
// still do when the links are committed.
func (i *importing) present(records []manifest.Record) (map[string]bool, error) {
	wanted := map[string]bool{}
	for _, r := range records {
		for _, a := range r.Capture.AthleteIDs {
			wanted[a] = true
		}
	}
	var ids []string
	for a := range wanted {
		ids = append(ids, a)
	}
	slices.Sort(ids)
	present := make(map[string]bool, len(ids))
	for part := range slices.Chunk(ids, writeChunk) {
		in, args := parameterList(i.w.Org, part, func(a string) any { key, _ := organization.ParseID(a); return key })
		if err := i.w.Do(db.Each(func(r db.Rows) error {
			var key db.ID
			err := r.Scan(&key)
			present[key.String()] = true
			return err
		}, `SELECT id FROM athlete WHERE organization = $1 AND id IN (`+in+`) ORDER BY id FOR KEY SHARE`,
			args...)); err != nil {
			return nil, err
		}
	}
	return present, nil
}

func (i *importing) jobs(records []manifest.Record) error {
	for _, r := range records {
		j := *r.Job
		old, err := lockJob(i.w, j.ID)
		exists := err == nil
		if err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
		if j.CreatedAt.IsZero() {
			j.CreatedAt = i.now
			if exists {
				j.CreatedAt = old.CreatedAt
			}
			if j.CompletedAt != nil && j.CompletedAt.Before(j.CreatedAt) {
				j.CreatedAt = *j.CompletedAt
			}
		}
		switch {
		case exists && export.SameImport(old, j):
			i.done(manifest.Unchanged)
			continue
		case exists:
			i.done(manifest.Updated)
		default:
			i.done(manifest.Created)
		}
		if err := i.w.putJob(j, old.Status); err != nil {
			return err
		}
	}
	return nil
}
