package store

import (
	"bytes"
	"testing"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/feed"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
)

func TestRowsThatAnotherVersionHasWrittenAreWrittenAgainAndNothingElseChanges(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		athletes := create(t, s, sc, person("Ada"), person("Bea"))
		var captures []capture.Capture
		for _, name := range []string{"alone", "both", "nobody"} {
			captures = append(captures,
				session(name, &noon, map[string][]string{"alone": athletes[:1], "both": athletes}[name]...))
		}
		put(t, s, sc, captures...)
		searched := capture.Query{Search: "both"}
		found := listed(t, s, sc, searched).sessions() // the texts are in memory from now on
		before := pageOf(t, s, sc, capture.Query{})
		changes := changesOf(t, s, sc)

		org := idOf(t, sc)
		must(t, s.write(t.Context(), org, func(w *writeTx) error {
			stray := db.Exec(`INSERT INTO capture_row (organization, sort_time, session_id, athlete, place, combination, body, renderer) VALUES ($1, 0, 'a stray row', $1, 0, 0, $2, 0)`, org, []byte("{}"))
			return w.Do(db.Exec(`UPDATE capture_row SET body = $2, renderer = 0 WHERE organization = $1`, org,
				[]byte(`{"session_id":"old"}`)), stray)
		}))
		must(t, s.renderOutdated(t.Context())) // a row without a capture does not keep it from its end
		must(t, s.write(t.Context(), org, func(w *writeTx) error {
			return w.Do(db.Exec(`DELETE FROM capture_row WHERE organization = $1 AND session_id = 'a stray row'`, org))
		}))
		if after := pageOf(t, s, sc, capture.Query{}); !bytes.Equal(after, before) {
			t.Errorf("the list is\n%s\nand not\n%s", after, before)
		}
		same(t, "what is found", listed(t, s, sc, searched).sessions(), found)
		same(t, "the feed", changesOf(t, s, sc), changes)
		var outdated int64
		must(t, s.engine.Once(t.Context(), org,
			db.One(db.Into(&outdated), `SELECT count(*) FROM capture_row WHERE organization = $1 AND renderer <> $2`,
				org, int64(capture.RowVersion))))
		if outdated != 0 {
			t.Errorf("%d rows are still of another version", outdated)
		}
	})
}

// pageOf is the first page of a list as a client gets it.
func pageOf(t *testing.T, s *Store, sc organization.Scope, q capture.Query) []byte {
	t.Helper()
	q.Limit = 100
	a, err := s.Captures(t.Context(), sc, q)
	must(t, err)
	return a.Body
}

// changesOf are the changes of an organization, in their order.
func changesOf(t *testing.T, s *Store, sc organization.Scope) (ids []string) {
	t.Helper()
	page, err := s.Changes(t.Context(), sc, feed.Query{After: &feed.Mark{}, Kinds: feed.Kinds, Limit: 100})
	must(t, err)
	for _, c := range page.Changes {
		ids = append(ids, c.ID+" "+c.At.String())
	}
	return ids
}
