package demo_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/internal/demo"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
)

func TestMain(m *testing.M) { testkit.Main(m) }

var now = time.Date(2026, 5, 13, 12, 0, 0, 0, time.UTC)

// sample is the made-up organization, taken apart.
func sample(seed uint64) (athletes []*athlete.Athlete, captures []*capture.Capture, jobs []*export.Job) {
	for _, r := range demo.Records(seed, now) {
		switch {
		case r.Athlete != nil:
			athletes = append(athletes, r.Athlete)
		case r.Capture != nil:
			captures = append(captures, r.Capture)
		case r.Job != nil:
			jobs = append(jobs, r.Job)
		}
	}
	return athletes, captures, jobs
}

func TestTheSameSeedGivesTheSameOrganization(t *testing.T) {
	if !reflect.DeepEqual(demo.Records(7, now), demo.Records(7, now)) {
		t.Error("two runs of one seed differ")
	}
	if reflect.DeepEqual(demo.Records(7, now), demo.Records(8, now)) {
		t.Error("two seeds give the same")
	}
}

func TestThereIsAsMuchAsIsPromised(t *testing.T) {
	athletes, captures, jobs := sample(1)
	if len(athletes) != demo.Athletes || len(captures) != demo.Captures || len(jobs) != demo.Jobs {
		t.Errorf("%d athletes, %d captures, %d jobs", len(athletes), len(captures), len(jobs))
	}
}

func TestAllOfItGoesInAndASecondTimeChangesNothing(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		records := demo.Records(1, now)
		a.Import(org, records...)
		secret := a.ReadOnlyToken(org)
		for path, want := range map[string]int{"/athletes": demo.Athletes, "/captures": demo.Captures} {
			if got := a.Get(path+"?limit=1", secret).Want(200).Object()["total_count"]; got != float64(want) {
				t.Errorf("%s counts %v, want %d", path, got, want)
			}
		}
		outcomes, err := a.Store.Import(t.Context(), organization.In(org), records, false)
		if err != nil {
			t.Fatal(err)
		}
		for i, o := range outcomes {
			if o.Effect != manifest.Unchanged {
				t.Fatalf("the second time record %d is %v (%v)", i+1, o.Effect, o.Err)
			}
		}
	})
}

func TestCapturesAreOfEveryKind(t *testing.T) {
	_, captures, _ := sample(1)
	pairs, statuses, sessions := map[[2]string]int{}, map[capture.Status]int{}, map[string]bool{}
	var timeless, unlinked, shared int
	lo, hi := 1e9, 0.0
	oldest := now
	for _, c := range captures {
		pairs[[2]string{capture.Fold(*c.Activity), *c.Movement}]++
		statuses[c.Status]++
		sessions[c.SessionID] = true
		switch len(c.AthleteIDs) {
		case 0:
			unlinked++
		case 2:
			shared++
		}
		if c.CaptureTime == nil {
			timeless++
		} else if c.CaptureTime.Before(oldest) {
			oldest = *c.CaptureTime
		}
		if c.CaptureTime != nil && c.CaptureTime.After(now) {
			t.Errorf("capture %s was recorded in the future", c.SessionID)
		}
		if c.FPSDetected != nil {
			lo, hi = min(lo, *c.FPSDetected), max(hi, *c.FPSDetected)
		}
		if (c.Status == capture.Error) != (c.Error != nil) {
			t.Errorf("capture %s is %s with the error %v", c.SessionID, c.Status, c.Error)
		}
		for name, value := range c.Dimensions {
			if value == "" || !slices.Contains(capture.Dimensions(*c.Activity, *c.Movement), name) {
				t.Errorf("%s/%s has %s %q", *c.Activity, *c.Movement, name, value)
			}
		}
	}
	for _, p := range capture.Pairs() {
		if pairs[p] == 0 {
			t.Errorf("no capture of %s/%s", p[0], p[1])
		}
	}
	for _, s := range capture.Statuses {
		if statuses[s] == 0 {
			t.Errorf("no capture is %s", s)
		}
	}
	if share := float64(statuses[capture.Completed]) / demo.Captures; share < .9 {
		t.Errorf("only %.0f %% are completed", share*100)
	}
	if timeless == 0 || unlinked == 0 || shared == 0 {
		t.Errorf("%d without a time, %d without an athlete, %d of two athletes; want some of each", timeless, unlinked,
			shared)
	}
	if lo > 60 || hi < 1000 {
		t.Errorf("frame rates from %g to %g, want 60 to 1000", lo, hi)
	}
	if now.Sub(oldest) < 600*24*time.Hour {
		t.Errorf("the oldest capture is of %s, want almost two years back", oldest)
	}
	if len(sessions) != len(captures) {
		t.Errorf("%d ids for %d captures", len(sessions), len(captures))
	}
}

func TestAthletesKeepTheRulesOfTheirFields(t *testing.T) {
	athletes, _, _ := sample(1)
	scripts := map[string]bool{}
	for _, a := range athletes {
		if _, ok := organization.ParseUUID(a.ID); !ok || a.FirstName == "" {
			t.Errorf("athlete %q has the id %q", a.FirstName, a.ID)
		}
		for _, s := range []string{a.FirstName, a.LastName} {
			if !norm.NFC.IsNormalString(s) || strings.TrimSpace(s) != s {
				t.Errorf("%q is not in the form that names are stored in", s)
			}
		}
		for _, r := range a.FirstName {
			for name, table := range unicode.Scripts {
				if name != "Common" && name != "Inherited" && unicode.Is(table, r) {
					scripts[name] = true
				}
			}
		}
		if len(a.Positions) > 0 && a.Activity == "" {
			t.Errorf("%s has positions and no activity", a.FirstName)
		}
		if a.Height < 0 || a.Height > 120 || a.Weight < 0 || a.Weight > 1500 {
			t.Errorf("%s is %d inches high and weighs %d pounds", a.FirstName, a.Height, a.Weight)
		}
		if a.UpdatedAt.Before(a.CreatedAt) || a.UpdatedAt.After(now) {
			t.Errorf("%s was created at %s and updated at %s", a.FirstName, a.CreatedAt, a.UpdatedAt)
		}
	}
	if len(scripts) < 12 {
		t.Errorf("names in %d scripts only", len(scripts))
	}
}

func TestJobsEndedInEveryWayBeforeResultsThatAreKept(t *testing.T) {
	_, _, jobs := sample(1)
	seen := map[export.Status]bool{}
	for _, j := range jobs {
		seen[j.Status] = true
		if err := j.Check(); err != nil {
			t.Errorf("job %s: %v", j.ID, err)
		}
		if j.CompletedAt == nil || now.Sub(*j.CompletedAt) <= export.Life {
			t.Errorf("job %s ended at %v, and its result would be there still", j.ID, j.CompletedAt)
		}
	}
	if len(seen) != len(export.Statuses)-1 || seen[export.Running] {
		t.Errorf("states %v, want all but %s", seen, export.Running)
	}
}
