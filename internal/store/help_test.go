package store

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	command "os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
)

// noon is a moment that does not change from run to run.
var noon = time.Date(2026, 5, 13, 12, 0, 0, 0, time.UTC)

func ptr[T any](v T) *T { return &v }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// refused holds an error to its code, and to a part of its message.
func refused(t *testing.T, err error, code fault.Code, message string) {
	t.Helper()
	var f *fault.Error
	if !errors.As(err, &f) || f.Code != code || !strings.Contains(f.Message, message) {
		t.Fatalf("got %v, and not a %s with %q", err, code, message)
	}
}

// idOf gives the organization as the engine knows it.
func idOf(t *testing.T, sc organization.Scope) db.ID {
	t.Helper()
	org, ok := organization.ParseID(sc.Organization.String())
	if !ok {
		t.Fatalf("%q is no organization", sc.Organization)
	}
	return org
}

// person makes a new athlete.
func person(first string, edit ...func(*athlete.Athlete)) athlete.Athlete {
	a := athlete.Athlete{ID: organization.NewUUID(), FirstName: first, CreatedAt: noon, UpdatedAt: noon, Version: 1}
	for _, f := range edit {
		f(&a)
	}
	return a
}

// create keeps athletes and gives their ids.
func create(t *testing.T, s *Store, sc organization.Scope, people ...athlete.Athlete) []string {
	t.Helper()
	var ids []string
	for _, a := range people {
		must(t, s.CreateAthlete(t.Context(), sc, a, nil))
		ids = append(ids, a.ID)
	}
	return ids
}

// session makes a capture.
func session(name string, at *time.Time, athletes ...string) capture.Capture {
	return capture.Capture{SessionID: name, CaptureTime: at, AthleteIDs: athletes, Status: capture.Completed,
		Source: capture.SourceImport}
}

// put imports captures, none of which may be refused, and gives the effects.
func put(t *testing.T, s *Store, sc organization.Scope, captures ...capture.Capture) []manifest.Effect {
	t.Helper()
	records := make([]manifest.Record, len(captures))
	for i := range captures {
		records[i].Capture = &captures[i]
	}
	outcomes, err := s.Import(context.Background(), sc, records, false)
	must(t, err)
	var effects []manifest.Effect
	for _, o := range outcomes {
		must(t, o.Err)
		effects = append(effects, o.Effect)
	}
	return effects
}

// wirePage is a list as a client reads it.
type wirePage struct {
	Captures []struct {
		SessionID string  `json:"session_id"`
		AthleteID *string `json:"athlete_id"`
	} `json:"captures"`
	Total  int64 `json:"total_count"`
	Offset int64 `json:"offset"`
	Limit  int   `json:"limit"`
}

// sessions lists the ids, row by row.
func (p wirePage) sessions() []string {
	list := []string{}
	for _, c := range p.Captures {
		list = append(list, c.SessionID)
	}
	return list
}

// listed asks for a page.
func listed(t *testing.T, s *Store, sc organization.Scope, q capture.Query) wirePage {
	t.Helper()
	if q.Limit == 0 {
		q.Limit = 100
	}
	a, err := s.Captures(context.Background(), sc, q)
	must(t, err)
	var p wirePage
	must(t, json.Unmarshal(a.Body, &p))
	if p.Offset != q.Offset || p.Limit != q.Limit || a.Tag == "" {
		t.Fatalf("asked for %+v, got offset %d, limit %d, tag %q", q, p.Offset, p.Limit, a.Tag)
	}
	return p
}

// folded folds what waits, in this store.
func folded(t *testing.T, s *Store, sc organization.Scope) {
	t.Helper()
	org := idOf(t, sc)
	testkit.Until(t, "the changes are folded", func() bool {
		must(t, s.fold(context.Background(), org, nil))
		var n int64
		must(t, s.engine.Once(context.Background(), org,
			db.One(db.Into(&n), `SELECT count(*) FROM list_delta WHERE organization = $1`, org)))
		return n == 0
	})
}

// still keeps the loop behind the scenes from folding: the test says when.
func still(o *Options) { o.FoldAfter = time.Hour }

func same[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Fatalf("%s:\n got %v\nwant %v", what, got, want)
	}
}

// child says that this process is the helper of a test: it runs the same test,
// which must then do what is asked and return.
func child() string { return os.Getenv("KINEBASE_STORE_CHILD") }

// again runs the test at hand in another process, with the same data.
func (p place) again(role string) *command.Cmd {
	name, _, _ := strings.Cut(p.t.Name(), "/")
	cmd := command.Command(os.Args[0], "-test.run=^"+name+"$", "-test.count=1")
	cmd.Env = append(os.Environ(), "KINEBASE_STORE_CHILD="+role, "KINEBASE_STORE_DATA="+p.options.Data,
		"KINEBASE_STORE_URL="+p.options.DatabaseURL)
	return cmd
}

// inherited is the place that a helper process was given.
func inherited(t *testing.T) place {
	return place{t, Options{Data: os.Getenv("KINEBASE_STORE_DATA"), DatabaseURL: os.Getenv("KINEBASE_STORE_URL")}}
}
