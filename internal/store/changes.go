package store

import (
	"cmp"
	"context"
	"slices"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/feed"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
)

// Each row of capture, athlete and export_job has, in changed, the position of its latest change; of what was deleted
// the table deletion has it. The feed of changes is these rows by position: what changes again moves to the end.
// docs/adr/0029-changes.md says why no change is passed over.

// latestOf are the latest positions of all kinds, up to one.
var latestOf = []string{
	`SELECT COALESCE(MAX(changed), 0) FROM capture WHERE organization = $1 AND changed <= $2`,
	`SELECT COALESCE(MAX(changed), 0) FROM athlete WHERE organization = $1 AND changed <= $2`,
	`SELECT COALESCE(MAX(changed), 0) FROM export_job WHERE organization = $1 AND changed <= $2`,
	`SELECT COALESCE(MAX(changed), 0) FROM deletion WHERE organization = $1 AND changed <= $2`,
}

// positioned is a change and its place in the feed.
type positioned struct {
	feed.Change
	at int64
}

// Changes gives a page of the feed.
func (s *Store) Changes(ctx context.Context, sc organization.Scope, q feed.Query) (feed.Page, error) {
	org := sc.Organization
	// The rows below are read in a snapshot of a later moment than this one.
	ended, given, err := s.engine.Settled(ctx, org)
	if err != nil {
		return feed.Page{}, db.ToFault(err)
	}
	until := lastPlace(ended)
	var page feed.Page
	err = s.engine.Read(ctx, org, func(t db.Tx) error {
		page = feed.Page{}
		var forgotten int64
		if err := t.Do(db.One(db.Into(&forgotten), `SELECT forgotten FROM organization WHERE id = $1`, org)); err !=
			nil {
			return err
		}
		if q.After != nil {
			page.Next = *q.After
		} else if page.Next.Began, err = latest(t, org, until, forgotten); err != nil {
			return err
		}
		if page.Next.Position > lastPlace(given) || forgotten > max(page.Next.Position, page.Next.Began) {
			return fault.New(fault.Gone,
				"The changes after this cursor are not known any more. Ask for all changes again, without after.")
		}
		r := changeReader{t: t, org: org, after: page.Next, until: until, limit: q.Limit + 1, objects: q.Objects}
		found, err := r.all(q.Kinds)
		if err != nil {
			return err
		}
		if page.More = len(found) > q.Limit; page.More {
			found = found[:q.Limit]
			page.Next.Position = found[q.Limit-1].at
		} else {
			// Changes of kinds that were not asked for have been passed too, so that a reader who comes often is
			// never told that their deletions were forgotten.
			end, err := latest(t, org, until, forgotten)
			if err != nil {
				return err
			}
			page.Next.Position = max(page.Next.Position, end)
		}
		page.Changes, err = r.withoutReturned(found)
		return err
	})
	return page, db.ToFault(err)
}

// latest is the position of the organization's latest change up to one, forgotten ones included.
func latest(t db.Tx, org db.ID, until, forgotten int64) (int64, error) {
	positions := make([]int64, len(latestOf))
	statements := make([]db.Statement, len(latestOf))
	for i, sql := range latestOf {
		statements[i] = db.One(db.Into(&positions[i]), sql, org, until)
	}
	err := t.Do(statements...)
	return max(slices.Max(positions), forgotten), err
}

// changeReader reads the changes after a mark up to a position, limit of each kind.
type changeReader struct {
	t     db.Tx
	org   db.ID
	after feed.Mark
	until int64
	limit int

	objects bool
	found   []positioned
}

// all gives the first changes of some kinds by their position.
func (r *changeReader) all(kinds []feed.Kind) ([]positioned, error) {
	var statements []db.Statement
	for _, k := range kinds {
		statements = append(statements, r.deletions(k))
		switch k {
		case feed.Capture:
			statements = append(statements, r.captures())
		case feed.Athlete:
			statements = append(statements, r.athletes())
		case feed.Export:
			statements = append(statements, r.exports())
		}
	}
	if err := r.t.Do(statements...); err != nil {
		return nil, err
	}
	slices.SortFunc(r.found, func(a, b positioned) int { return cmp.Compare(a.at, b.at) })
	return r.found[:min(len(r.found), r.limit)], nil
}

func (r *changeReader) captures() db.Statement {
	take := func(row db.Rows) error {
		c := positioned{Change: feed.Change{Kind: feed.Capture}}
		var at int64
		places := db.Into(&c.at, &c.ID, &at, &c.Capture)
		if !r.objects {
			places = places[:3]
		}
		if err := row.Scan(places...); err != nil {
			return err
		}
		c.At = db.FromMicros(at)
		r.found = append(r.found, c)
		return nil
	}
	if !r.objects {
		return db.Each(take, `SELECT c.changed, c.session_id, COALESCE(c.changed_at, c.updated_at) FROM capture c /*+ INDEXED BY capture_position */
WHERE c.organization = $1 AND c.changed > $2 AND c.changed <= $3 ORDER BY c.changed LIMIT $4`, r.org, r.after.Position, r.until, r.limit)
	}
	return db.Each(take, `SELECT c.changed, c.session_id, COALESCE(c.changed_at, c.updated_at), r.body
FROM capture c /*+ INDEXED BY capture_position */ CROSS JOIN capture_row r
WHERE c.organization = $1 AND c.changed > $2 AND c.changed <= $3
AND r.organization = c.organization AND r.sort_time = c.sort_time AND r.session_id = c.session_id AND r.place = 0
ORDER BY c.changed LIMIT $4`, r.org, r.after.Position, r.until, r.limit)
}

func (r *changeReader) athletes() db.Statement {
	if !r.objects {
		return db.Each(func(row db.Rows) error {
			c := positioned{Change: feed.Change{Kind: feed.Athlete}}
			var id db.ID
			var at int64
			if err := row.Scan(&c.at, &id, &at); err != nil {
				return err
			}
			c.ID, c.At = id.String(), db.FromMicros(at)
			r.found = append(r.found, c)
			return nil
		}, `SELECT changed, id, changed_at FROM athlete /*+ INDEXED BY athlete_position */
WHERE organization = $1 AND changed > $2 AND changed <= $3 ORDER BY changed LIMIT $4`, r.org, r.after.Position, r.until, r.limit)
	}
	return db.Each(func(row db.Rows) error {
		c := positioned{Change: feed.Change{Kind: feed.Athlete, Athlete: new(athlete.Athlete)}}
		var at int64
		if err := athletes.Scan(row, c.Athlete, &c.at, &at); err != nil {
			return err
		}
		c.ID, c.At = c.Athlete.ID, db.FromMicros(at)
		r.found = append(r.found, c)
		return nil
	}, `SELECT `+athletes.List+`, changed, changed_at FROM athlete /*+ INDEXED BY athlete_position */
WHERE organization = $1 AND changed > $2 AND changed <= $3 ORDER BY changed LIMIT $4`, r.org, r.after.Position, r.until, r.limit)
}

func (r *changeReader) exports() db.Statement {
	return db.Each(func(row db.Rows) error {
		c := positioned{Change: feed.Change{Kind: feed.Export, Export: new(export.Job)}}
		var at int64
		var err error
		if *c.Export, err = scanJob(row, &c.at, &at); err != nil {
			return err
		}
		c.ID, c.At = c.Export.ID, db.FromMicros(at)
		r.found = append(r.found, c)
		return nil
	}, `SELECT `+jobColumns+`, j.changed, j.changed_at`+jobTables+`
WHERE j.organization = $1 AND j.changed > $2 AND j.changed <= $3 ORDER BY j.changed LIMIT $4`, r.org, r.after.Position, r.until, r.limit)
}

// deletions reads those of a kind. What was deleted before the reader began is nothing that the reader has.
func (r *changeReader) deletions(k feed.Kind) db.Statement {
	return db.Each(func(row db.Rows) error {
		c := positioned{Change: feed.Change{Kind: k, Deleted: true}}
		var at int64
		if err := row.Scan(&c.at, &c.ID, &at); err != nil {
			return err
		}
		c.At = db.FromMicros(at)
		r.found = append(r.found, c)
		return nil
	}, `SELECT changed, id, changed_at FROM deletion WHERE organization = $1 AND kind = $2 AND changed > $3 AND changed <= $4 ORDER BY changed LIMIT $5`,
		r.org, int64(k), max(r.after.Position, r.after.Began), r.until, r.limit)
}

// withoutReturned gives the changes without the deletions of what is there again: it stands at the place of its return.
func (r *changeReader) withoutReturned(found []positioned) ([]feed.Change, error) {
	type object struct {
		kind feed.Kind
		id   string
	}
	there := map[object]bool{}
	for _, k := range feed.Kinds {
		var gone []string
		for i := range found {
			if found[i].Kind == k && found[i].Deleted {
				gone = append(gone, found[i].ID)
			}
		}
		for part := range slices.Chunk(gone, writeChunk) {
			if err := r.t.Do(thoseThere(r.org, k, part, func(id string) { there[object{k, id}] = true })); err != nil {
				return nil, err
			}
		}
	}
	changes := make([]feed.Change, 0, len(found))
	for i := range found {
		if c := found[i].Change; !c.Deleted || !there[object{c.Kind, c.ID}] {
			changes = append(changes, c)
		}
	}
	return changes, nil
}

// thoseThere finds which of the objects are there.
func thoseThere(org db.ID, k feed.Kind, ids []string, found func(id string)) db.Statement {
	if k == feed.Athlete {
		in, args := parameterList(org, ids, func(text string) any { key, _ := organization.ParseID(text); return key })
		return db.Each(func(row db.Rows) error {
			var key db.ID
			err := row.Scan(&key)
			found(key.String())
			return err
		}, `SELECT id FROM athlete WHERE organization = $1 AND id IN (`+in+`)`, args...)
	}
	in, args := parameterList(org, ids, func(text string) any { return text })
	text := `SELECT session_id FROM capture WHERE organization = $1 AND session_id IN (` + in + `)`
	if k == feed.Export {
		text = `SELECT j.id FROM export_job j WHERE j.organization = $1 AND j.id IN (` + in + `)`
	}
	return db.Each(func(row db.Rows) error {
		var id string
		err := row.Scan(&id)
		found(id)
		return err
	}, text, args...)
}
