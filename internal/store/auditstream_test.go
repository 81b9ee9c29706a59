package store

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/kinebase/kinebase/audit"
	"github.com/kinebase/kinebase/organization"
)

// gathered is a sink that keeps what it is given.
type gathered struct {
	ids  []string
	fail error // instead
}

func (g *gathered) Send(_ context.Context, entries []audit.Streamed) error {
	if g.fail != nil {
		return g.fail
	}
	for _, e := range entries {
		g.ids = append(g.ids, e.Organization+" "+e.ID)
	}
	return nil
}

// logged writes entries of an organization and gives their ids as a sink has them.
func logged(t *testing.T, s *Store, sc organization.Scope, n int) (ids []string) {
	t.Helper()
	for range n {
		id := organization.NewUUID()
		must(t, s.Record(t.Context(), sc, audit.Entry{ID: id, Action: "listCaptures", Status: 200}))
		ids = append(ids, sc.Organization.String()+" "+id)
	}
	return ids
}

func TestEveryEntryOfTheAuditLogIsStreamedOnceWhateverFails(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		a, b := tenant(t, s, "a"), tenant(t, s, "b")
		var to gathered
		streams := func(s *Store, who string, want int) {
			t.Helper()
			if n, err := s.Stream(t.Context(), who, &to); err != nil || n != want {
				t.Errorf("%d were streamed, not %d: %v", n, want, err)
			}
		}
		want := append(logged(t, s, a, 2), logged(t, s, b, audit.Batch+1)...)
		down := errors.New("the server is down")
		to.fail = down
		if _, err := s.Stream(t.Context(), "one", &to); !errors.Is(err, down) {
			t.Errorf("a sink that fails gives %v", err)
		}
		to.fail = nil
		streams(s, "one", len(want))
		streams(s, "one", 0)
		more := logged(t, s, a, 1)
		streams(s, "one", 1)
		want = append(want, more...)

		again := p.open(still) // as after a restart
		more = logged(t, again, b, 1)
		if _, err := again.Stream(t.Context(), "two", &to); !errors.Is(err, audit.ErrElsewhere) {
			t.Errorf("two stream at a time: %v", err)
		}
		clock := again.now
		again.now = func() time.Time { return clock().Add(audit.TurnFor + time.Second) }
		streams(again, "two", 1)
		want = append(want, more...)
		if _, err := s.Stream(t.Context(), "one", &to); !errors.Is(err, audit.ErrElsewhere) {
			t.Errorf("one that was away goes on beside the other: %v", err)
		}

		must(t, s.EndTurn(t.Context(), "one")) // it has none
		must(t, again.EndTurn(t.Context(), "two"))
		streams(s, "one", 0)
		must(t, s.EndTurn(t.Context(), "one"))

		act := audit.Entry{ID: organization.NewUUID(), Action: audit.OrgDelete}
		must(t, again.DeleteOrganization(audit.With(t.Context(), act), a.Organization))
		streams(again, "two", 1)
		must(t, again.eraseLate(t.Context()))
		streams(again, "two", 0)
		want = append(want, a.Organization.String()+" "+act.ID)

		slices.Sort(want)
		slices.Sort(to.ids)
		if !slices.Equal(to.ids, want) {
			t.Errorf("%d entries were streamed, not the %d that there are", len(to.ids), len(want))
		}
	})
}
