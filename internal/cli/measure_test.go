package cli_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/movement"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// stands is a table of the force of a person who stands on one leg.
func stands(weight float64) string {
	var b strings.Builder
	b.WriteString("time (s),Fz (N)\n")
	for i := range 3000 {
		fmt.Fprintf(&b, "%.3f,%.2f\n", float64(i)/1000, weight+math.Sin(float64(i)))
	}
	return b.String()
}

// age makes all recordings of an organization those of an earlier version, of which the first
// has a value that nobody finds today. It gives their sessions.
func (s *shell) age(org string) (sessions []string) {
	s.t.Helper()
	ctx := context.Background()
	kept, err := store.Open(ctx, store.Options{Data: s.env["KINEBASE_DATA"]})
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = kept.Close() }()
	sc := organization.In(org)
	all, err := kept.Outdated(ctx, sc, "earlier", upload.Outdated{}, 100)
	if err != nil {
		s.t.Fatal(err)
	}
	for i, o := range all {
		c, err := kept.Stored(ctx, sc, o.SessionID)
		if err != nil {
			s.t.Fatal(err)
		}
		var info frames.Info
		if err := json.Unmarshal(c.Info, &info); err != nil || info.Computed == nil {
			s.t.Fatalf("%v: %s", err, c.Info)
		}
		if info.Computed.Library = "earlier"; i == 0 {
			info.Computed.Metrics = append(info.Computed.Metrics,
				frames.ComputedMetric{Column: "jump_height", Value: new(0.3)},
				frames.ComputedMetric{Column: "jump_flight_time", Value: new(0.5)})
		}
		raw, err := json.Marshal(info)
		if err != nil {
			s.t.Fatal(err)
		}
		if err := kept.Recomputed(ctx, sc, c, raw); err != nil {
			s.t.Fatal(err)
		}
		sessions = append(sessions, o.SessionID)
	}
	return sessions
}

func TestWhatAnotherVersionMeasuredIsMeasuredAgainAndADryRunOnlyTellsIt(t *testing.T) {
	testkit.Long(t)
	s := newShell(t)
	a, b := s.organization("A"), s.organization("B")
	folder := t.TempDir()
	for i := range 5 {
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("trial%d.csv", i)), []byte(stands(600+float64(i))),
			0o600); err != nil {
			t.Fatal(err)
		}
	}
	type result struct {
		Library    string `json:"library"`
		Recordings int    `json:"recordings"`
		Changed    int    `json:"changed"`
		Values     int    `json:"values"`
		Failed     int    `json:"failed"`
	}
	version := movement.Read().Version
	holds := func(want result, args ...string) {
		t.Helper()
		var got result
		r := s.run(append([]string{"measure", "--json"}, args...)...).ok()
		if r.into(&got); got != want || r.err != "" {
			t.Errorf("%s: %+v and %q, want %+v", r.command, got, r.err, want)
		}
	}
	for _, org := range []string{a, b} {
		s.run("import", "--org", org, "--activity", "jump", "--movement", "countermovement", folder).ok()
	}
	holds(result{Library: version}, "--all", "--dry-run")
	sessions := s.age(a)
	s.age(b)
	if len(sessions) != 5 {
		t.Fatalf("%d recordings", len(sessions))
	}
	holds(result{version, 10, 2, 4, 0}, "--all", "--dry-run")
	holds(result{version, 5, 1, 2, 0}, "--org", b, "--dry-run")
	if r := s.run("measure", "--org", b, "--workers", "1").ok(); r.out !=
		fmt.Sprintf("Measured 5 recordings by version %s of the library: 2 values of 1 recording changed; 0 could "+
			"not be measured.\n", version) {
		t.Errorf("printed %q", r.out)
	}
	holds(result{version, 5, 1, 2, 0}, "--all")
	holds(result{Library: version}, "--all")
}

func TestWhoMeasuresSaysOfWhichOrganization(t *testing.T) {
	s := newShell(t)
	org := s.organization("A")
	for _, args := range [][]string{{"measure"}, {"measure", "--all", "--org", org},
		{"measure", "--all", "--workers", "-1"}} {
		if r := s.run(args...); r.code != 2 {
			t.Errorf("%s ended with %d: %s", r.command, r.code, r.err)
		}
	}
	if r := s.run("measure", "--org", organization.NewUUID()); r.code != 1 ||
		!strings.Contains(r.err, "there is no organization") {
		t.Errorf("ended with %d: %s", r.code, r.err)
	}
}
