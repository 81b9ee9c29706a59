package store

import (
	"context"
	"math"
	"slices"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
)

// Where a row of an export is an athlete, a part of it has no capture: its session is the empty text, and what it
// knows of a recording is the athlete as reading one answers it. It goes with the athlete, whom a merge ends too.

// eachPerson calls f for every athlete that a request is about, until it gives false: those that it names in their
// order, or all in the order in which they were created.
func eachPerson(t db.Tx, org db.ID, r export.Request, f func(chosen) (bool, error)) error {
	if len(r.Athletes) > 0 {
		return eachNamedPerson(t, org, r.Athletes, f)
	}
	created := int64(math.MinInt64)
	var last db.ID
	for {
		people, err := readPeople(t, `SELECT `+athletes.List+` FROM athlete WHERE organization = $1 AND (created_at, id) > ($2, $3) ORDER BY created_at, id LIMIT $4`,
			org, created, last, chosenPage)
		if err != nil {
			return err
		}
		for i := range people {
			if more, err := f(ofPerson(&people[i])); err != nil || !more {
				return err
			}
		}
		if len(people) < chosenPage {
			return nil
		}
		end := people[len(people)-1]
		created = db.Micros(end.CreatedAt)
		last, _ = organization.ParseID(end.ID)
	}
}

// eachNamedPerson leaves out who was erased since the request.
func eachNamedPerson(t db.Tx, org db.ID, ids []string, f func(chosen) (bool, error)) error {
	for part := range slices.Chunk(ids, writeChunk) {
		in, args := parameterList(org, part, func(id string) any {
			key, _ := organization.ParseID(id)
			return key
		})
		people, err := readPeople(t, `SELECT `+athletes.List+` FROM athlete WHERE organization = $1 AND id IN (`+in+`)`,
			args...)
		if err != nil {
			return err
		}
		found := make(map[string]*athlete.Athlete, len(people))
		for i := range people {
			found[people[i].ID] = &people[i]
		}
		for _, id := range part {
			if found[id] == nil {
				continue
			}
			if more, err := f(ofPerson(found[id])); err != nil || !more {
				return err
			}
		}
	}
	return nil
}

func readPeople(t db.Tx, sql string, args ...any) (people []athlete.Athlete, err error) {
	return people, t.Do(db.Each(func(r db.Rows) error {
		a, err := scanAthlete(r)
		people = append(people, a)
		return err
	}, sql, args...))
}

// ofPerson is a part of an athlete.
func ofPerson(a *athlete.Athlete) chosen {
	key, _ := organization.ParseID(a.ID)
	return chosen{athlete: key, person: athlete.AppendJSON(nil, *a)}
}

// countChosen says how many captures, or athletes, an export is about at most.
func countChosen(t db.Tx, org db.ID, r export.Request) (n int64, err error) {
	sql, named := `SELECT count(*) FROM capture WHERE organization = $1`, int64(len(r.Captures))
	if r.Shape == export.RowPerAthlete {
		sql, named = `SELECT count(*) FROM athlete WHERE organization = $1`, int64(len(r.Athletes))
	}
	if err := t.Do(db.One(db.Into(&n), sql, org)); err != nil || named == 0 {
		return n, err
	}
	return min(n, named), nil
}

// estimatePeople says how many athletes an export would hold.
func (s *Store) estimatePeople(ctx context.Context, org db.ID, r export.Request) (e export.Estimate, err error) {
	err = s.engine.Read(ctx, org, func(t db.Tx) error {
		w := &estimating{t: t, org: org}
		for part := range slices.Chunk(r.Athletes, writeChunk) {
			if _, err := w.athletes(part); err != nil {
				return err
			}
		}
		e = export.Estimate{Exact: true}
		e.Rows, err = countChosen(t, org, r)
		return err
	})
	return e, err
}
