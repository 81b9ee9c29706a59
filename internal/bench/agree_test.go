package bench

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/fixture"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
)

// Both sides of a comparison must do the same work, or it means nothing.
func TestTheObviousImplementationGivesTheSameAnswers(t *testing.T) {
	testkit.Long(t)
	t.Run("SQLite", func(t *testing.T) {
		dir := t.TempDir()
		agree(t, &dataset{data: filepath.Join(dir, "data"), tables: filepath.Join(dir, "obvious.db")})
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		p := testkit.Postgres(t)
		agree(t, &dataset{url: p.Database(t), tablesURL: p.Database(t)})
	})
}

func agree(t *testing.T, d *dataset) {
	ctx := t.Context()
	for i, times := range []fixture.Times{fixture.Spread, fixture.NoTime, fixture.OneInstant} {
		d.organizations = append(d.organizations, fixture.Organization{
			ID: fmt.Sprintf("0190f0e5-7b1c-7cc3-98c6-%012d", i+1), Athletes: 20, Captures: 400, Shared: 0.1,
			Times: times,
		})
	}
	if _, err := prepare(ctx, d.data, d.url, d.organizations); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(ctx, store.Options{Data: d.data, DatabaseURL: d.url})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	o, err := openObvious(ctx, d.tables, d.tablesURL)
	if err != nil {
		t.Fatal(err)
	}
	defer o.close()
	if err := o.fill(ctx, d.tablesURL, d.organizations); err != nil {
		t.Fatal(err)
	}
	for _, org := range d.organizations {
		scope := organization.In(org.ID)
		var records []manifest.Record
		for r := range org.Records() {
			records = append(records, r)
		}
		if _, err := s.Import(ctx, scope, records, false); err != nil {
			t.Fatal(err)
		}
		queries := []capture.Query{{Limit: 100}, {Limit: 7, Offset: 311}, {Limit: 500}, {Limit: 10, Offset: 1_000},
			{Limit: 50, AthleteID: org.AthleteID(3)}}
		for _, f := range []capture.Filter{{Source: "api"}, {Status: capture.Error}, {Activity: "jump"},
			{Movement: "squat", Status: capture.Completed}} {
			queries = append(queries, capture.Query{Limit: 20, Offset: 3, Filter: f})
		}
		for _, q := range queries {
			ours, err := s.Captures(ctx, scope, q)
			if err != nil {
				t.Fatal(err)
			}
			theirs, err := o.Captures(ctx, scope, q)
			same(t, fmt.Sprintf("%+v", q), ours, theirs, err)
		}
		for i := range 20 {
			ours, err := s.Capture(ctx, scope, org.CaptureID(i), 0)
			if err != nil {
				t.Fatal(err)
			}
			theirs, err := o.Capture(ctx, scope, org.CaptureID(i), 0)
			same(t, org.CaptureID(i), ours, theirs, err)
		}
	}
}

func same(t *testing.T, what string, ours, theirs capture.Answer, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: the obvious implementation: %v", what, err)
	}
	var a, b any
	if err := json.Unmarshal(ours.Body, &a); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(theirs.Body, &b); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(a, b) {
		t.Errorf("%s: the answers differ:\n%s\n%s", what, ours.Body, theirs.Body)
	}
}
