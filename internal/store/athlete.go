package store

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/feed"
	"github.com/kinebase/kinebase/organization"
)

// athletes are the columns of athlete.Fields and of the version, then the keys that lists are sorted and searched by.
var athletes = newTable("athlete", []string{"organization"}, append(athleteFields(),
	asIs("version", func(a *athlete.Athlete) *int64 { return &a.Version }),
	written("first_key", func(a *athlete.Athlete) any { return sortKey(a.FirstName) }),
	written("last_key", func(a *athlete.Athlete) any { return sortKey(a.LastName) }),
	written("born_key", func(a *athlete.Athlete) any {
		if a.DateOfBirth == nil {
			return int64(math.MaxInt64)
		}
		return micros(*a.DateOfBirth)
	}),
	written("search_key", func(a *athlete.Athlete) any {
		return athlete.Fold(a.FirstName + " " + a.LastName + "\n" + a.Email)
	}),
	beside[athlete.Athlete]("changed"), beside[athlete.Athlete]("changed_at"))...)

func athleteFields() []tableColumn[athlete.Athlete] {
	columns := fieldColumns(athlete.Fields)
	for i, c := range columns {
		if c.name == "id" {
			columns[i] = keyed(uuid("id", athlete.Fields[i].Text))
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

func scanAthlete(r rows) (a athlete.Athlete, err error) {
	err = athletes.scan(r, &a)
	return a, err
}

// toJSON keeps lists and maps of strings as JSON text, "" when they are empty.
func toJSON[T []string | map[string]string](v T) string {
	if len(v) == 0 {
		return ""
	}
	b, err := json.Marshal(v)
	if err != nil { // strings always encode
		panic(err)
	}
	return string(b)
}

func fromJSON[T []string | map[string]string](s string, v *T) error {
	if s == "" {
		return nil
	}
	if words, ok := plainJSON(s); ok {
		switch to := any(v).(type) {
		case *[]string:
			if s[0] == '[' {
				*to = words
				return nil
			}
		case *map[string]string:
			if s[0] == '{' {
				*to = make(map[string]string, len(words)/2)
				for pair := range slices.Chunk(words, 2) {
					(*to)[pair[0]] = pair[1]
				}
				return nil
			}
		}
	}
	return json.Unmarshal([]byte(s), v)
}

// plainJSON reads a list or a map of strings as toJSON writes it, in a fraction of the time of encoding/json, for a
// page of a list has a hundred of each. ok is false for everything else, such as strings with escapes. The words of
// a map are its keys, each followed by its value.
func plainJSON(s string) (words []string, ok bool) {
	if len(s) < 4 || strings.IndexByte(s, '\\') >= 0 || !utf8.ValidString(s) {
		return nil, false
	}
	separators, end := ",,", byte(']')
	if s[0] == '{' {
		separators, end = ":,", '}'
	} else if s[0] != '[' {
		return nil, false
	}
	words = make([]string, 0, 1+strings.Count(s, `,"`)+strings.Count(s, `":`))
	for at := 1; at < len(s) && s[at] == '"'; at++ {
		long := strings.IndexByte(s[at+1:], '"')
		if long < 0 || strings.ContainsFunc(s[at+1:at+1+long], func(r rune) bool { return r < 0x20 }) {
			return nil, false
		}
		words = append(words, s[at+1:at+1+long])
		if at += long + 2; at == len(s)-1 {
			return words, s[at] == end && (end == ']' || len(words)%2 == 0)
		}
		if at >= len(s) || s[at] != separators[(len(words)-1)%2] {
			return nil, false
		}
	}
	return nil, false
}

func noAthlete() error { return fault.New(fault.NotFound, "there is no such athlete") }

func findAthlete(org, key id, lock string) (*athlete.Athlete, statement) {
	a := new(athlete.Athlete)
	return a, statement{
		sql:  `SELECT ` + athletes.list + ` FROM athlete WHERE organization = $1 AND id = $2` + lock,
		args: []any{org, key},
		read: func(r rows) (err error) {
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
	org, err := scope(sc)
	key, ok := parseID(athleteID)
	if err != nil || !ok {
		return athlete.Athlete{}, noAthlete()
	}
	a, find := findAthlete(org, key, "")
	err = s.engine.once(ctx, org, find)
	return *a, toFault(err)
}

// CreateAthlete keeps a new athlete.
func (s *Store) CreateAthlete(ctx context.Context, sc organization.Scope, a athlete.Athlete, once *organization.Once) error {
	org, err := scope(sc)
	if err != nil {
		return err
	}
	key, ok := parseID(a.ID)
	if !ok {
		return fault.New(fault.BadRequest, "id must be a UUID of 36 characters")
	}
	return s.writeOnce(ctx, org, once, func(w *writeTx) (any, id, error) {
		w.called(key)
		return a, key, w.insertAthlete(a)
	})
}

func (w *writeTx) insertAthlete(a athlete.Athlete) error {
	at, err := w.stamped()
	if err != nil {
		return err
	}
	w.about("athlete", a.ID)
	return w.do(insertAthlete(w.org, a, at)...)
}

func insertAthlete(org id, a athlete.Athlete, at stamped) []statement {
	return append([]statement{exec(athletes.insert, append(athletes.args(&a, org), at.position, at.now)...)}, insertAttributes(org, a)...)
}

// insertAttributes keeps the custom attributes where a list can find them. Only
// a hash of the value is kept: that is all an exact match needs.
func insertAttributes(org id, a athlete.Athlete) []statement {
	key, _ := parseID(a.ID)
	var list []statement
	for name, value := range a.CustomAttributes {
		list = append(list, exec(`INSERT INTO athlete_attribute (organization, athlete, name, value_hash) VALUES ($1, $2, $3, $4)`, org, key, name, valueHash(value)))
	}
	return list
}

func valueHash(value string) []byte {
	h := sha256.Sum256([]byte(value))
	return h[:16]
}

func updateAthlete(org id, a athlete.Athlete, at stamped) []statement {
	key, _ := parseID(a.ID)
	return append([]statement{
		exec(athletes.update, append(athletes.args(&a, org), at.position, at.now)...),
		exec(`DELETE FROM athlete_attribute WHERE organization = $1 AND athlete = $2`, org, key),
	}, insertAttributes(org, a)...)
}

// ChangeAthlete reads the athlete, lets change decide and writes what it returns.
func (s *Store) ChangeAthlete(ctx context.Context, sc organization.Scope, athleteID string, once *organization.Once, change func(athlete.Athlete) (athlete.Athlete, error)) (athlete.Athlete, error) {
	org, err := scope(sc)
	key, ok := parseID(athleteID)
	if err != nil || !ok {
		return athlete.Athlete{}, noAthlete()
	}
	var changed athlete.Athlete
	err = s.writeOnce(ctx, org, once, func(w *writeTx) (any, id, error) {
		if err := s.apart(w); err != nil {
			return nil, id{}, err
		}
		a, find := findAthlete(org, key, " FOR UPDATE")
		if err := w.do(find); err != nil {
			return nil, id{}, err
		}
		if changed, err = change(*a); err != nil {
			return nil, id{}, err
		}
		return changed, key, w.amend(key, *a, changed)
	})
	return changed, err
}

// amend writes an athlete over what it was, with all that follows from it; nothing where the version is the same.
func (w *writeTx) amend(key id, old, next athlete.Athlete) error {
	if next.Version == old.Version {
		return nil
	}
	at, err := w.stamped()
	if err != nil {
		return err
	}
	w.renamed(key, old, next)
	if err := w.do(updateAthlete(w.org, next, at)...); err != nil {
		return err
	}
	return w.shownBy(key, old, next)
}

// renamed notes whether an athlete is called, sorted or found otherwise than before.
func (w *writeTx) renamed(key id, old, next athlete.Athlete) {
	if old.FirstName != next.FirstName || old.LastName != next.LastName || old.Email != next.Email || !old.CreatedAt.Equal(next.CreatedAt) ||
		!sameMicros(microsOrNil(old.DateOfBirth), microsOrNil(next.DateOfBirth)) || !maps.Equal(old.CustomAttributes, next.CustomAttributes) {
		w.called(key)
	}
}

// sessionsOf gives the captures that an athlete is linked to, in the order of their ids.
func (w *writeTx) sessionsOf(athlete id) (sessions []string, err error) {
	err = w.do(each(func(r rows) error {
		var session string
		err := r.Scan(&session)
		sessions = append(sessions, session)
		return err
	}, `SELECT session_id FROM capture_row /*+ INDEXED BY capture_row_athlete */ WHERE organization = $1 AND athlete = $2 ORDER BY session_id`, w.org, athlete))
	return sessions, err
}

// shownBy notes that captures show an athlete by another name than before. The athlete is locked.
func (w *writeTx) shownBy(key id, old, next athlete.Athlete) error {
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
func (s *Store) DeleteAthlete(ctx context.Context, sc organization.Scope, athleteID string, allow func(athlete.Athlete) error) error {
	return s.deleteAthlete(ctx, sc, athleteID, allow, eraseCaptures)
}

// left says what becomes of captures that are left with nobody.
type left bool

const (
	eraseCaptures left = false
	keepCaptures  left = true // what a restore erases has the captures listed that went
)

func (s *Store) deleteAthlete(ctx context.Context, sc organization.Scope, athleteID string, allow func(athlete.Athlete) error, alone left) error {
	org, err := scope(sc)
	key, ok := parseID(athleteID)
	if err != nil || !ok {
		return noAthlete()
	}
	return toFault(s.engine.write(ctx, org, func(w *writeTx) error {
		if err := s.apart(w); err != nil {
			return err
		}
		a, find := findAthlete(org, key, " FOR UPDATE")
		if err := w.do(find); err != nil {
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
func (s *Store) eraseAthlete(w *writeTx, key id) error {
	org := w.org
	if err := w.withdrawAthlete(key); err != nil {
		return err
	}
	if err := w.unlog(key); err != nil {
		return err
	}
	if err := w.buried(feed.Athlete, key.String()); err != nil {
		return err
	}
	w.gone(key) // an answer about this athlete is no longer true, even without captures
	w.then(func() {
		s.answers.forget(org)
		s.finder.forget(org, key)
		s.rosters.forgetListed(org, key)
	})
	return w.do(
		exec(`DELETE FROM athlete_attribute WHERE organization = $1 AND athlete = $2`, org, key),
		exec(`DELETE FROM athlete WHERE organization = $1 AND id = $2`, org, key),
		exec(`DELETE FROM list WHERE organization = $1 AND athlete = $2`, org, key),
		exec(`DELETE FROM list_block WHERE organization = $1 AND athlete = $2`, org, key),
		eraseAnswers(org, key))
}

// likePattern makes a LIKE pattern that finds the text anywhere.
func likePattern(text string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text) + "%"
}
