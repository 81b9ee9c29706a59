package store

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/feed"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
)

// follower keeps a copy of an organization by the feed alone.
type follower struct {
	sc    organization.Scope
	after *feed.Mark
	kinds []feed.Kind
	copy  map[string]string // what is shown of each object, by kind and id
	told  []string          // the changes of the last call, such as +capture a
}

func follows(sc organization.Scope) *follower {
	return &follower{sc: sc, kinds: feed.Kinds, copy: map[string]string{}}
}

// page takes one page in and says whether there is more.
func (f *follower) page(s *Store, limit int) (bool, error) {
	ctx := context.Background()
	page, err := s.Changes(ctx, f.sc, feed.Query{After: f.after, Kinds: f.kinds, Limit: limit, Objects: true})
	if err != nil {
		return false, err
	}
	f.after = &page.Next
	f.told = nil
	for _, c := range page.Changes {
		name := c.Kind.String() + " " + c.ID
		if c.Deleted {
			f.told = append(f.told, "-"+name)
			delete(f.copy, name)
			continue
		}
		f.told = append(f.told, "+"+name)
		if f.copy[name], err = shown(ctx, s, f.sc, c); err != nil {
			return false, err
		}
		if f.copy[name] == "" {
			delete(f.copy, name)
		}
	}
	return page.More, nil
}

// rest goes to the end and gives what it was told.
func (f *follower) rest(t *testing.T, s *Store) (told []string) {
	t.Helper()
	for {
		more, err := f.page(s, 1+rand.IntN(20))
		must(t, err)
		told = append(told, f.told...)
		if !more {
			return told
		}
	}
}

// shown is what a reader keeps of an object. A capture is read once more, to have the name of its athlete; ""
// when it has gone meanwhile.
func shown(ctx context.Context, s *Store, sc organization.Scope, c feed.Change) (string, error) {
	switch c.Kind {
	case feed.Capture:
		a, err := s.Capture(ctx, sc, c.ID, capture.IncludeAthlete)
		if fault.Is(err, fault.NotFound) {
			return "", nil
		}
		return string(a.Body), err
	case feed.Athlete:
		return string(athlete.AppendRead(nil, *c.Athlete)), nil
	}
	return string(c.Export.Status), nil
}

// stored is what there is, in the form of a copy.
func stored(t *testing.T, s *Store, sc organization.Scope) map[string]string {
	t.Helper()
	all := map[string]string{}
	org := idOf(t, sc)
	var sessions []string
	must(t, s.engine.Once(t.Context(), org, db.Each(func(r db.Rows) error {
		var session string
		err := r.Scan(&session)
		sessions = append(sessions, session)
		return err
	}, `SELECT session_id FROM capture WHERE organization = $1`, org)))
	for _, session := range sessions {
		a, err := s.Capture(t.Context(), sc, session, capture.IncludeAthlete)
		must(t, err)
		all["capture "+session] = string(a.Body)
	}
	people, err := s.Athletes(t.Context(), sc, athlete.Query{Sort: athlete.ByName, Limit: 500})
	must(t, err)
	for _, a := range people.Athletes {
		all["athlete "+a.ID] = string(athlete.AppendRead(nil, a))
	}
	jobs, _, err := s.Jobs(t.Context(), sc, 500, 0)
	must(t, err)
	for _, j := range jobs {
		all["export "+j.ID] = string(j.Status)
	}
	return all
}

// equal holds a copy against the store.
func (f *follower) equal(t *testing.T, what string, want map[string]string) {
	t.Helper()
	for name, shown := range want {
		if f.copy[name] != shown {
			t.Errorf("%s: %s is\n%s\nand in the store\n%s", what, name, f.copy[name], shown)
		}
	}
	for name := range f.copy {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: %s is not in the store", what, name)
		}
	}
}
