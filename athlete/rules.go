package athlete

import (
	"cmp"
	"strings"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/field"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/payload"
)

// New makes an athlete from the body of a creation. null and "" are the same as
// absent there, but for first_name, which is required. now decides which dates
// of birth lie ahead, and is the time of creation. The error is a
// fault.BadRequest with every problem of the body.
func New(body payload.Object, now time.Time) (Athlete, error) {
	r := reader{now: now.UTC()}
	r.read(body)
	a := r.whole(body)
	if err := r.err(); err != nil {
		return Athlete{}, err
	}
	a.ID = organization.NewUUID()
	a.CreatedAt = now.UTC().Truncate(time.Millisecond)
	a.UpdatedAt, a.Version = a.CreatedAt, 1
	return a, nil
}

// Change reads the body of a partial update. The function that it gives is the
// change: what is not in the body stays, and an athlete that comes out as it
// went in keeps its version and its time. Rules between fields are judged on the
// athlete as it would be, so the change can fail too.
func Change(body payload.Object, now time.Time) (func(Athlete) (Athlete, error), error) {
	r := reader{now: now.UTC(), updating: true}
	r.read(body)
	if _, ok := body.Get("activity"); ok {
		if _, ok := body.Get("positions"); ok { // both are known: judge them now, with the rest
			var a Athlete
			r.apply(&a)
			r.judgePositions(a)
		}
	}
	if err := r.err(); err != nil {
		return nil, err
	}
	return func(old Athlete) (Athlete, error) {
		a := old
		r.apply(&a)
		after := reader{} // its own problems: a transaction that is run again judges again
		after.judgePositions(a)
		if len(a.CustomAttributes) > maxAttributes {
			after.tooManyAttributes()
		}
		if err := after.err(); err != nil {
			return Athlete{}, err
		}
		if Equal(a, old) {
			return old, nil
		}
		a.Version++
		if at := now.UTC().Truncate(time.Millisecond); at.After(a.UpdatedAt) {
			a.UpdatedAt = at
		}
		return a, nil
	}, nil
}

// FromImport reads an athlete in the read shape, with id, created_at and
// updated_at, from a line of an import. null counts as absent, an athlete
// without an id keeps ID empty, and absent times stay zero. "type" has been read
// by whoever chose this noun.
func FromImport(line payload.Object, now time.Time) (Athlete, error) {
	r := reader{now: now.UTC(), importing: true}
	r.read(line)
	a := r.whole(line)
	if !a.CreatedAt.IsZero() && !a.UpdatedAt.IsZero() && a.UpdatedAt.Before(a.CreatedAt) {
		r.problems.Add("updated_at", "updated_at must not be before created_at")
	}
	if err := r.err(); err != nil {
		return Athlete{}, err
	}
	a.Version = 1
	return a, nil
}

// reader collects what one body asks for and what is wrong with it.
type reader struct {
	now       time.Time
	updating  bool
	importing bool
	problems  fault.Problems
	edits     []func(*Athlete)
}

func (r *reader) edit(f func(*Athlete)) { r.edits = append(r.edits, f) }

func (r *reader) apply(a *Athlete) {
	for _, edit := range r.edits {
		edit(a)
	}
}

// read takes every field of the body. What is not a field is refused by name:
// nothing that a caller sends is dropped in silence.
func (r *reader) read(body payload.Object) {
	for _, m := range body.Members() {
		f := named[m.Name]
		switch {
		case r.importing && m.Name == kindOfLine:
		case f == nil || f.imported && !r.importing:
			r.unknown(m.Name)
		case !m.Value.Null():
			f.read(r, m.Name, m.Value)
		case r.updating:
			r.problems.Add(m.Name, "%s must not be null: leave it out to keep it, or send %s", m.Name,
				cmp.Or(f.clear, `"" to clear it`))
		}
	}
}

// kindOfLine names the noun of a line of an import.
const kindOfLine = "type"

// unknown refuses a field, and helps where only the casing is wrong.
func (r *reader) unknown(name string) {
	lower := strings.ToLower(name)
	switch f := named[lower]; {
	case f == nil || f.imported && lower != name:
		r.problems.Add(name, "%s is not a field of an athlete", payload.Quote(name))
	case lower != name:
		r.problems.Add(name, "%s is not a field of an athlete: it is written %s", payload.Quote(name), lower)
	default:
		r.problems.Add(name, "%s cannot be set", name)
	}
}

// whole makes a whole athlete of the edits and judges what only a whole one can
// break.
func (r *reader) whole(body payload.Object) Athlete {
	var a Athlete
	r.apply(&a)
	if v, _ := body.Get("first_name"); v.Null() {
		r.problems.Add("first_name", "first_name is required")
	}
	r.judgePositions(a)
	if len(a.CustomAttributes) > maxAttributes {
		r.tooManyAttributes()
	}
	return a
}

func (r *reader) judgePositions(a Athlete) {
	for _, p := range r.problems {
		if p.Field == "activity" || p.Field == "positions" {
			return // what is known to be wrong by itself would be blamed twice
		}
	}
	if rule := positionsRule(a); rule != "" {
		r.problems.Add("positions", "%s", rule)
	}
}

// mostProblems is how many problems one answer tells. No body that means well has
// as many, and one that does not must not be answered with ten times its size.
const mostProblems = 200

func (r *reader) err() error {
	if more := len(r.problems) - mostProblems; more > 0 {
		r.problems = r.problems[:mostProblems]
		r.problems.Add("", "there are %d more problems", more)
	}
	return r.problems.Err()
}

func readID(r *reader, name string, v payload.Value) {
	id, ok := organization.ParseUUID(v.String())
	if !ok {
		r.problems.Add(name, "%s must be a UUID of 36 characters", name)
		return
	}
	r.edit(func(a *Athlete) { a.ID = id })
}

// moment makes the row of a time of RFC 3339 that an import sets, cut to the millisecond, as everything that is
// shown. Without a zone it is UTC.
func moment(name string, at func(*Athlete) *time.Time) row {
	return imported(name, func(r *reader, name string, v payload.Value) {
		var t time.Time
		s := strings.TrimSpace(v.String())
		if t.UnmarshalText([]byte(s)) != nil && t.UnmarshalText([]byte(s+"Z")) != nil || t.UTC().Year() < 1 ||
			t.UTC().Year() > 9999 {
			r.problems.Add(name, "%s must be a time such as 2026-05-13T12:00:00.000Z", name)
			return
		}
		r.edit(func(a *Athlete) { *at(a) = t.UTC().Truncate(time.Millisecond) })
	}, field.Field[Athlete]{Time: at})
}
