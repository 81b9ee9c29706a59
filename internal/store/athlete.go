package store

import (
	"context"
	"crypto/sha256"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/feed"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/webhook"
)

// athletes are the columns of athlete.Fields and of the version, then the keys that lists are sorted and searched by.
var athletes = db.NewTable("athlete", []string{"organization"}, append(athleteFields(),
	db.AsIs("version", func(a *athlete.Athlete) *int64 { return &a.Version }),
	db.Written("first_key", func(a *athlete.Athlete) any { return sortKey(a.FirstName) }),
	db.Written("last_key", func(a *athlete.Athlete) any { return sortKey(a.LastName) }),
	db.Written("born_key", func(a *athlete.Athlete) any {
		if a.DateOfBirth == nil {
			return int64(math.MaxInt64)
		}
		return db.Micros(*a.DateOfBirth)
	}),
	db.Written("search_key", func(a *athlete.Athlete) any {
		return athlete.Fold(a.FirstName + " " + a.LastName + "\n" + a.Email)
	}),
	db.Beside[athlete.Athlete]("changed"), db.Beside[athlete.Athlete]("changed_at"))...)

func athleteFields() []db.Column[athlete.Athlete] {
	columns := db.FieldColumns(athlete.Fields)
	for i, c := range columns {
		if c.Name == "id" {
			columns[i] = db.Keyed(db.UUID("id", athlete.Fields[i].Text))
		}
	}
	return columns
}

// sortKey is what a name is sorted by. Unset keys come last: U+10FFFF is a noncharacter, which no name can hold.
func sortKey(name string) string {
	if name == "" {
		return "\U0010FFFF"
	}
	return athlete.Fold(name)
}

func scanAthlete(r db.Rows) (a athlete.Athlete, err error) {
	err = athletes.Scan(r, &a)
	return a, err
}

func noAthlete() error { return fault.New(fault.NotFound, "there is no such athlete") }

func findAthlete(org, key db.ID, lock string) (*athlete.Athlete, db.Statement) {
	a := new(athlete.Athlete)
	return a, db.Statement{
		SQL:  `SELECT ` + athletes.List + ` FROM athlete WHERE organization = $1 AND id = $2` + lock,
		Args: []any{org, key},
		Read: func(r db.Rows) (err error) {
			if !r.Next() {
				if err := r.Err(); err != nil {
					return err
				}
				return noAthlete()
			}
			*a, err = scanAthlete(r)
			return err
		},
	}
}

// Athlete finds one by id.
func (s *Store) Athlete(ctx context.Context, sc organization.Scope, athleteID string) (athlete.Athlete, error) {
	org := sc.Organization
	key, ok := organization.ParseID(athleteID)
	if !ok {
		return athlete.Athlete{}, noAthlete()
	}
	a, find := findAthlete(org, key, "")
	err := s.engine.Once(ctx, org, find)
	return *a, db.ToFault(err)
}

// CreateAthlete keeps a new athlete.
func (s *Store) CreateAthlete(ctx context.Context, sc organization.Scope, a athlete.Athlete,
	once *organization.Once[athlete.Athlete]) error {
	org := sc.Organization
	key, ok := organization.ParseID(a.ID)
	if !ok {
		return fault.New(fault.BadRequest, "id must be a UUID of 36 characters")
	}
	return writeOnce(ctx, s, org, once, &a, func(w *writeTx) (db.ID, error) {
		w.called(key)
		return key, w.insertAthlete(a)
	})
}

func (w *writeTx) insertAthlete(a athlete.Athlete) error {
	at, err := w.stamped()
	if err != nil {
		return err
	}
	w.about("athlete", a.ID)
	if err := w.tell(webhook.Data{Event: webhook.AthleteCreated, ID: a.ID}); err != nil {
		return err
	}
	return w.Do(insertAthlete(w.Org, a, at)...)
}

func insertAthlete(org db.ID, a athlete.Athlete, at stamped) []db.Statement {
	return append([]db.Statement{db.Exec(athletes.Insert, append(athletes.Args(&a, org), at.position, at.now)...)},
		insertAttributes(org, a)...)
}

// insertAttributes keeps the custom attributes where a list can find them. Only
// a hash of the value is kept: that is all an exact match needs.
func insertAttributes(org db.ID, a athlete.Athlete) []db.Statement {
	key, _ := organization.ParseID(a.ID)
	var list []db.Statement
	for name, value := range a.CustomAttributes {
		list = append(list, db.Exec(
			`INSERT INTO athlete_attribute (organization, athlete, name, value_hash) VALUES ($1, $2, $3, $4)`, org,
			key, name, valueHash(value)))
	}
	return list
}

func valueHash(value string) []byte {
	h := sha256.Sum256([]byte(value))
	return h[:16]
}

func updateAthlete(org db.ID, a athlete.Athlete, at stamped) []db.Statement {
	key, _ := organization.ParseID(a.ID)
	return append([]db.Statement{
		db.Exec(athletes.Update, append(athletes.Args(&a, org), at.position, at.now)...),
		db.Exec(`DELETE FROM athlete_attribute WHERE organization = $1 AND athlete = $2`, org, key),
	}, insertAttributes(org, a)...)
}

// ChangeAthlete reads the athlete, lets change decide and writes what it returns.
func (s *Store) ChangeAthlete(ctx context.Context, sc organization.Scope, athleteID string,
	once *organization.Once[athlete.Athlete],
	change func(athlete.Athlete) (athlete.Athlete, error)) (athlete.Athlete, error) {
	org := sc.Organization
	key, ok := organization.ParseID(athleteID)
	if !ok {
		return athlete.Athlete{}, noAthlete()
	}
	var changed athlete.Athlete
	err := writeOnce(ctx, s, org, once, &changed, func(w *writeTx) (db.ID, error) {
		if err := s.apart(w); err != nil {
			return db.ID{}, err
		}
		a, find := findAthlete(org, key, " FOR UPDATE")
		if err := w.Do(find); err != nil {
			return db.ID{}, err
		}
		var err error
		if changed, err = change(*a); err != nil {
			return db.ID{}, err
		}
		return key, w.amend(key, *a, changed)
	})
	return changed, err
}

// amend writes an athlete over what it was, with all that follows from it; nothing where the version is the same.
func (w *writeTx) amend(key db.ID, old, next athlete.Athlete) error {
	if next.Version == old.Version {
		return nil
	}
	at, err := w.stamped()
	if err != nil {
		return err
	}
	if err := w.tell(webhook.Data{Event: webhook.AthleteUpdated, ID: next.ID}); err != nil {
		return err
	}
	w.renamed(key, old, next)
	if err := w.Do(updateAthlete(w.Org, next, at)...); err != nil {
		return err
	}
	return w.shownBy(key, old, next)
}

// renamed notes whether an athlete is called, sorted or found otherwise than before.
func (w *writeTx) renamed(key db.ID, old, next athlete.Athlete) {
	if old.FirstName != next.FirstName || old.LastName != next.LastName || old.Email != next.Email ||
		!old.CreatedAt.Equal(next.CreatedAt) ||
		!sameMicros(db.MicrosOrNil(old.DateOfBirth), db.MicrosOrNil(next.DateOfBirth)) ||
		!maps.Equal(old.CustomAttributes, next.CustomAttributes) {
		w.called(key)
	}
}

// sessionsOf gives the captures that an athlete is linked to, in the order of their ids.
func (w *writeTx) sessionsOf(athlete db.ID) (sessions []string, err error) {
	err = w.Do(db.Each(func(r db.Rows) error {
		var session string
		err := r.Scan(&session)
		sessions = append(sessions, session)
		return err
	}, `SELECT session_id FROM capture_row /*+ INDEXED BY capture_row_athlete */ WHERE organization = $1 AND athlete = $2 ORDER BY session_id`, w.Org, athlete))
	return sessions, err
}

// shownBy notes that captures show an athlete by another name than before. The athlete is locked.
func (w *writeTx) shownBy(key db.ID, old, next athlete.Athlete) error {
	if old.FirstName == next.FirstName && old.LastName == next.LastName {
		return nil
	}
	sessions, err := w.sessionsOf(key)
	if err != nil {
		return err
	}
	return w.shownOtherwise(sessions)
}

func sameMicros(a, b *int64) bool { return a == b || a != nil && b != nil && *a == *b }

// DeleteAthlete removes the athlete and all associated data, in one transaction:
// the links, and every capture that is linked to nobody else. A capture that is
// shared loses the link only.
func (s *Store) DeleteAthlete(ctx context.Context, sc organization.Scope, athleteID string,
	allow func(athlete.Athlete) error) error {
	return s.deleteAthlete(ctx, sc, athleteID, allow, eraseCaptures)
}

// left says what becomes of captures that are left with nobody.
type left bool

const (
	eraseCaptures left = false
	keepCaptures  left = true // what a restore erases has the captures listed that went
)

func (s *Store) deleteAthlete(ctx context.Context, sc organization.Scope, athleteID string,
	allow func(athlete.Athlete) error, alone left) error {
	org := sc.Organization
	key, ok := organization.ParseID(athleteID)
	if !ok {
		return noAthlete()
	}
	return db.ToFault(s.write(ctx, org, func(w *writeTx) error {
		if err := s.apart(w); err != nil {
			return err
		}
		a, find := findAthlete(org, key, " FOR UPDATE")
		if err := w.Do(find); err != nil {
			return err
		}
		if err := allow(*a); err != nil {
			return err
		}
		sessions, err := w.sessionsOf(key)
		if err != nil {
			return err
		}
		for part := range slices.Chunk(sessions, writeChunk) {
			if err := s.unlink(w, part, key, alone); err != nil {
				return err
			}
		}
		return s.eraseAthlete(w, key)
	}))
}

// eraseAthlete removes an athlete who is locked and linked to nothing any more.
func (s *Store) eraseAthlete(w *writeTx, key db.ID) error {
	org := w.Org
	if err := w.withdrawAthlete(key); err != nil {
		return err
	}
	if err := w.unshareAthlete(key); err != nil {
		return err
	}
	if err := w.unlog(key); err != nil {
		return err
	}
	if err := w.buried(feed.Athlete, key.String()); err != nil {
		return err
	}
	if err := w.tell(webhook.Data{Event: webhook.AthleteDeleted, ID: key.String()}); err != nil {
		return err
	}
	w.gone(key) // an answer about this athlete is no longer true, even without captures
	w.Then(func() {
		s.answers.forget(org)
		s.finder.forget(org, key)
		s.rosters.forgetListed(org, key)
	})
	return w.Do(
		db.Exec(`DELETE FROM athlete_attribute WHERE organization = $1 AND athlete = $2`, org, key),
		db.Exec(`DELETE FROM athlete WHERE organization = $1 AND id = $2`, org, key),
		db.Exec(`DELETE FROM list WHERE organization = $1 AND athlete = $2`, org, key),
		db.Exec(`DELETE FROM list_block WHERE organization = $1 AND athlete = $2`, org, key),
		eraseAnswers(org, key))
}

// likePattern makes a LIKE pattern that finds the text anywhere.
func likePattern(text string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text) + "%"
}
