package intake_test

import (
	"context"
	"maps"
	"reflect"
	"sync"
	"testing"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/intake"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
)

const org = "0190f0e5-7b1c-7cc3-98c4-dc0c0c07398f"

func TestMain(m *testing.M) { testkit.Main(m) }

// memory is a manifest.Store that keeps one organization in maps: what the real
// stores promise, small enough to be seen to be right.
type memory struct {
	mu       sync.Mutex
	athletes map[string]athlete.Athlete
	captures map[string]capture.Capture
	jobs     map[string]export.Job
	calls    [][]manifest.Outcome
	fail     error // what the next call fails with
}

func newMemory() *memory {
	return &memory{athletes: map[string]athlete.Athlete{}, captures: map[string]capture.Capture{},
		jobs: map[string]export.Job{}}
}

func (m *memory) Import(ctx context.Context, s organization.Scope, records []manifest.Record,
	dry bool) ([]manifest.Outcome, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return nil, m.fail
	}
	if s.Organization.String() != org {
		return nil, fault.New(fault.NotFound, "there is no such organization")
	}
	if dry {
		athletes, captures, jobs := maps.Clone(m.athletes), maps.Clone(m.captures), maps.Clone(m.jobs)
		defer func() { m.athletes, m.captures, m.jobs = athletes, captures, jobs }()
	}
	var outcomes []manifest.Outcome
	for _, r := range records {
		outcomes = append(outcomes, m.one(r))
	}
	m.calls = append(m.calls, outcomes)
	return outcomes, nil
}

func (m *memory) one(r manifest.Record) manifest.Outcome {
	switch {
	case r.Athlete != nil:
		return put(m.athletes, r.Athlete.ID, *r.Athlete)
	case r.Job != nil:
		return put(m.jobs, r.Job.ID, *r.Job)
	}
	for _, id := range r.Capture.AthleteIDs {
		if _, ok := m.athletes[id]; !ok {
			var p fault.Problems
			p.Add("athlete_ids", "athlete_ids must name athletes that exist (%s does not)", id)
			return manifest.Outcome{Effect: manifest.Refused, Err: p.Err()}
		}
	}
	return put(m.captures, r.Capture.SessionID, *r.Capture)
}

func put[T any](in map[string]T, id string, v T) manifest.Outcome {
	old, ok := in[id]
	in[id] = v
	switch {
	case !ok:
		return manifest.Outcome{Effect: manifest.Created}
	case reflect.DeepEqual(old, v):
		return manifest.Outcome{Effect: manifest.Unchanged}
	}
	return manifest.Outcome{Effect: manifest.Updated}
}

// effects counts what the last import did, and forgets it.
func (m *memory) effects() map[manifest.Effect]int {
	count := map[manifest.Effect]int{}
	for _, call := range m.calls {
		for _, o := range call {
			count[o.Effect]++
		}
	}
	m.calls = nil
	return count
}

// report collects what an import tells.
type report struct {
	refused  []intake.Refusal
	skipped  []string
	progress []intake.Progress
}

// run imports the paths and gives summary and report; the import must not stop.
func run(t *testing.T, im *intake.Import, paths ...string) (intake.Summary, report) {
	t.Helper()
	var r report
	im.Scope = organization.In(org)
	im.Refused = func(f intake.Refusal) { r.refused = append(r.refused, f) }
	im.Skipped = func(s intake.Skip) { r.skipped = append(r.skipped, s.Path+": "+s.Why) }
	im.Progress = func(p intake.Progress) { r.progress = append(r.progress, p) }
	s, err := im.Run(context.Background(), paths...)
	if err != nil {
		t.Fatal(err)
	}
	return s, r
}
