package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// walked is what is known of a recording of so many frames, with a marker, and an
// event at a frame unless that is negative.
func walked(n int, marker string, event int) []byte {
	i := frames.Info{Frames: n,
		Channels: []frames.Channel{{Name: marker, Kind: frames.KindPoint,
			Columns: []string{marker + "_x", marker + "_y", marker + "_z"}}}}
	if event >= 0 {
		i.Events = []frames.Event{{Label: "Foot Strike", Context: "left", Frame: &event}}
	}
	b, err := json.Marshal(i)
	if err != nil {
		panic(err)
	}
	return b
}

// film brings a completed capture with its motion.
func film(t *testing.T, s *Store, sc organization.Scope, c capture.Capture, info []byte) {
	t.Helper()
	must(t, s.ExpectBrought(t.Context(), sc, c.SessionID, time.Now().Add(time.Hour), "original of "+c.SessionID,
		"table of "+c.SessionID))
	must(t, s.Bring(t.Context(),
		sc, upload.Brought{Capture: c, FileName: "f.c3d", Original: "original of " + c.SessionID, Size: 7,
			Outcome: upload.Outcome{Table: "table of " + c.SessionID, Info: info}}))
}

// builds is how a worker builds in tests: it lists a piece when before lets it. A step ends
// with its first parts.
type builds struct {
	before func(context.Context) error
	open   export.Opener
	budget int64
	step   time.Duration
}

func (b builds) Acquire(ctx context.Context, _ int64) error { return b.before(ctx) }
func (b builds) Release(int64)                              {}

// site builds with something that happens before each piece of the list, and tables
// that can all be read.
func site(before func(context.Context) error) builds {
	return builds{before: before, open: func(context.Context, string, int) (string, error) { return "", nil },
		budget: export.Budget}
}

// step does one step of a job, as a worker does that is never late.
func step(ctx context.Context, s *Store, sc organization.Scope, jobID string, at builds) (wait time.Duration,
	err error) {
	b, wait, err := s.ClaimBuild(ctx, sc, jobID, at.budget)
	if err != nil || b == nil {
		return wait, err
	}
	why := export.Advance(ctx, b, at, at.open, at.step)
	if why == nil {
		return 0, nil
	}
	lost := errors.Is(why, job.ErrLost)
	err = b.Release(context.WithoutCancel(ctx), !lost && ctx.Err() == nil)
	if lost {
		return 0, err
	}
	return 0, why
}

// about names work of a kind.
func about(sc organization.Scope, work, subject string) job.Job {
	return job.Job{Work: work, Organization: sc.Organization.String(), Subject: subject}
}

// turn lets nobody wait.
func turn(context.Context) error { return nil }

// exported asks for an export and builds it.
func exported(t *testing.T, s *Store, sc organization.Scope, r export.Request) export.Result {
	t.Helper()
	j, err := s.CreateJob(t.Context(), sc, r, nil)
	must(t, err)
	if j.Status != export.Running || queued(t, s, job.Export, j.ID) != 1 {
		t.Errorf("the job is %+v", j)
	}
	return built(t, s, sc, j.ID)
}

func built(t *testing.T, s *Store, sc organization.Scope, jobID string) export.Result {
	t.Helper()
	return builtAt(t, s, sc, jobID, site(turn))
}

// builtAt does the steps of a job until there are no more.
func builtAt(t *testing.T, s *Store, sc organization.Scope, jobID string, at builds) export.Result {
	t.Helper()
	for steps := 0; ; steps++ {
		if wait, err := step(t.Context(), s, sc, jobID, at); err != nil || wait != 0 {
			t.Fatalf("wait %s, %v", wait, err)
		}
		j, err := s.Job(t.Context(), sc, jobID, export.Left{})
		must(t, err)
		if j.Status != export.Running {
			break
		}
		if steps > 1000 {
			t.Fatalf("the job does not end: %+v", j)
		}
	}
	r, err := s.Result(t.Context(), sc, jobID)
	must(t, err)
	return r
}

// partsOf lists all parts of a result as "session/athlete rows at first".
func partsOf(t *testing.T, s *Store, sc organization.Scope, r export.Result) (list []string) {
	t.Helper()
	for _, p := range allParts(t, s, sc, r, 3) {
		list = append(list, fmt.Sprintf("%s/%s %d at %d", p.SessionID, p.Athlete, p.Rows, p.First))
	}
	return list
}

// allParts asks for all parts of a result, so many at a time.
func allParts(t *testing.T, s *Store, sc organization.Scope, r export.Result, limit int) (all []export.Part) {
	t.Helper()
	for row := int64(0); row < r.Rows; {
		parts, err := s.Parts(t.Context(), sc, r.Job.ID, r.Version, row, limit)
		must(t, err)
		if len(parts) == 0 {
			t.Fatalf("there is no part with row %d of %d", row, r.Rows)
		}
		all = append(all, parts...)
		last := parts[len(parts)-1]
		row = last.First + last.Rows
	}
	return all
}

func TestAnExportIsOfOneMomentAndHasWhatWasAskedFor(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc, other := tenant(t, s, "A"), tenant(t, s, "B")
		ann, bob := person("Ann"), person("Bob")
		bob.LastName = "Berg"
		create(t, s, sc, ann, bob)
		golf := func(c capture.Capture) capture.Capture {
			c.Activity, c.Movement, c.Dimensions = ptr("Golf"), ptr("Swing"),
				map[string]string{"handedness": "left", "eyes": "open"}
			return c
		}
		film(t, s, sc, session("late", ptr(noon.Add(time.Hour)), ann.ID), walked(10, "A", 4))
		film(t, s, sc, golf(session("shared", &noon, ann.ID, bob.ID)), walked(20, "B", -1))
		film(t, s, sc, session("timeless", nil), walked(5, "A", 0))
		film(t, s, other, session("foreign", &noon), walked(7, "F", 1))
		put(t, s, sc, session("without a file", &noon, ann.ID))
		broken := session("broken", &noon)
		broken.Status, broken.Error = capture.Error, ptr("no")
		put(t, s, sc, broken)

		all := exported(t, s, sc, export.Request{})
		list := partsOf(t, s, sc, all)
		want := []string{"late/Ann 10 at 0", "shared/Ann 20 at 10", "shared/Bob Berg 20 at 30", "timeless/ 5 at 50"}
		if ann.ID > bob.ID {
			want[1], want[2] = "shared/Bob Berg 20 at 10", "shared/Ann 20 at 30"
		}
		same(t, "parts", list, want)
		same(t, "own columns", ownOf(all), strings.Fields("A_x A_y A_z left_foot_strike B_x B_y B_z"))
		same(t, "events", ownOf(all, export.Event), []string{"left_foot_strike"})
		same(t, "dimensions", all.Columns.Dimensions, []string{"handedness"})
		if all.Job.Status != export.Completed || all.Rows != 55 || *all.Job.RowCount != 55 || all.Job.Progress != 1 ||
			len(all.Job.Skipped) != 1 || all.Job.Skipped[0].SessionID != "without a file" {
			t.Errorf("the job is %+v", all.Job)
		}
		for what, c := range map[string]struct {
			r    export.Request
			want []string
		}{
			"an athlete": {export.Request{Athletes: []string{bob.ID}}, []string{"shared/Bob Berg 20 at 0"}},
			"a movement": {export.Request{Activity: "golf", Movement: "swing", Athletes: []string{ann.ID}},
				[]string{"shared/Ann 20 at 0"}},
			"from":              {export.Request{Start: ptr(noon.Add(time.Minute))}, []string{"late/Ann 10 at 0"}},
			"half-open":         {export.Request{Start: ptr(noon.Add(-time.Hour)), End: &noon}, nil},
			"modified long ago": {export.Request{End: &noon, DateMode: export.ByLastModified}, nil},
			"frame 0": {export.Request{RowFilter: export.FrameZero, Athletes: []string{ann.ID}},
				[]string{"late/Ann 1 at 0", "shared/Ann 1 at 1"}},
			"an event": {export.Request{RowFilter: "left_foot_strike"},
				[]string{"late/Ann 1 at 0", "timeless/ 1 at 1"}},
		} {
			got := exported(t, s, sc, c.r)
			same(t, what, partsOf(t, s, sc, got), c.want)
		}
		event := exported(t, s, sc, export.Request{RowFilter: "left_foot_strike", Metrics: []string{"A_z", "A_x"}})
		same(t, "metrics", ownOf(event), []string{"A_z", "A_x"})
		parts, err := s.Parts(t.Context(), sc, event.Job.ID, event.Version, 0, 1)
		must(t, err)
		if parts[0].Frame != 4 || parts[0].Table != "table of late" {
			t.Errorf("the part is %+v", parts[0])
		}
		_, err = s.CreateJob(t.Context(), sc, export.Request{Metrics: []string{"A_x", "Z_x"}, RowFilter: "B_x"}, nil)
		refused(t, err, fault.BadRequest, "metrics names \"Z_x\"")
		_, err = s.CreateJob(t.Context(), other, export.Request{Athletes: []string{ann.ID}}, nil)
		refused(t, err, fault.BadRequest, ann.ID)
		_, err = s.Result(t.Context(), other, all.Job.ID)
		refused(t, err, fault.NotFound, "no such export job")
		jobs, total, err := s.Jobs(t.Context(), sc, 2, 0)
		must(t, err)
		if total != 9 || len(jobs) != 2 || jobs[0].ID != event.Job.ID {
			t.Errorf("%d jobs, the newest %+v", total, jobs)
		}
	})
}

func TestWhatIsDeletedLeavesResultsAndTablesThatAResultHasAreKept(t *testing.T) {
	testkit.Long(t)
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		ahead := clock(s)
		sc := tenant(t, s, "A")
		ids := create(t, s, sc, person("Ann"), person("Bob"))
		for n := range 2*blockParts + 40 {
			film(t, s, sc, session(fmt.Sprintf("of ann %03d", n), ptr(noon.Add(-time.Duration(n)*time.Hour)), ids[0]),
				walked(2, "A", -1))
		}
		film(t, s, sc, session("shared", &noon, ids...), walked(3, "A", -1))
		film(t, s, sc, session("of bob", ptr(noon.Add(-1e6*time.Second)), ids[1]), walked(4, "A", -1))
		r := exported(t, s, sc, export.Request{})
		if r.Rows != 2*(2*blockParts+40)+6+4 {
			t.Fatalf("%d rows", r.Rows)
		}
		canceled, err := s.CreateJob(t.Context(), sc, export.Request{}, nil)
		must(t, err)
		_, err = step(t.Context(), s, sc, canceled.ID, site(turn))
		must(t, err)
		_, err = s.CancelJob(t.Context(), sc, canceled.ID, nil)
		must(t, err)
		parts := func() (n int64) {
			must(t, s.engine.Once(t.Context(), idOf(t, sc),
				db.One(db.Into(&n), `SELECT count(*) FROM export_part WHERE job = $1`, canceled.ID)))
			return n
		}
		if n := parts(); n < forgottenAtOnce {
			t.Fatalf("%d parts are listed, which is not enough for two pieces", n)
		}
		if wait, err := s.ForgetResult(t.Context(), sc, canceled.ID); err != nil || wait != 0 || parts() != 0 {
			t.Errorf("of a canceled export %d parts are left: wait %s, %v", parts(), wait, err)
		}
		// A capture that is labelled again gets another table; the result keeps the old one.
		changed(t, s, sc, "of bob", func(c *capture.Capture) { c.Activity = ptr("golf") })
		w := claimed(t, s, sc, "of bob")
		must(t, s.ExpectMade(t.Context(), sc, w, s.now().Add(time.Hour), "moved table"))
		must(t, s.Finish(t.Context(), sc, w, upload.Outcome{Table: "moved table"}))
		if due := erasable(t, s, sc); slices.Contains(due, "table of of bob") {
			t.Error("a table that a result has is erased")
		}
		must(t, s.DeleteCapture(t.Context(), sc, "of ann 300", func(string) error { return nil }))
		if _, err := s.Parts(t.Context(), sc, r.Job.ID, r.Version, 0, 1); !fault.Is(err, fault.NotFound) {
			t.Errorf("parts of another moment: %v", err)
		}
		must(t, s.DeleteAthlete(t.Context(), sc, ids[0], anybody))
		left, err := s.Result(t.Context(), sc, r.Job.ID)
		must(t, err)
		same(t, "parts", partsOf(t, s, sc, left), []string{"shared/Bob 3 at 0", "of bob/Bob 4 at 3"})
		if left.Rows != 7 || left.Version == r.Version {
			t.Errorf("%d rows, version %s", left.Rows, left.Version)
		}
		for due := erasable(t, s, sc); len(due) > 0; due = erasable(t, s, sc) {
			must(t, s.Erased(t.Context(), sc, due))
		}
		if wait, err := s.ForgetResult(t.Context(), sc, r.Job.ID); err != nil || wait <= 0 {
			t.Errorf("a young result: wait %s, %v", wait, err)
		}
		ahead(export.Life + time.Minute)
		if wait, err := s.ForgetResult(t.Context(), sc, r.Job.ID); err != nil || wait != 0 {
			t.Errorf("an old result: wait %s, %v", wait, err)
		}
		same(t, "due", erasable(t, s, sc), []string{"table of of bob"})
		_, err = s.Result(t.Context(), sc, r.Job.ID)
		refused(t, err, fault.NotFound, "has been erased")
		if j, err := s.Job(t.Context(), sc, r.Job.ID, export.Left{}); err != nil || j.Status != export.Completed {
			t.Errorf("%+v, %v", j, err)
		}
	})
}

func TestWhatIsDeletedWhileAnExportIsBuiltDoesNotComeIn(t *testing.T) {
	testkit.Long(t)
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		ids := create(t, s, sc, person("Ann"), person("Bob"))
		for n := range 3 * buildPiece {
			film(t, s, sc, session(fmt.Sprintf("%03d", n), ptr(noon.Add(-time.Duration(n)*time.Hour)), ids[n%2]),
				walked(2, "A", -1))
		}
		// What both share stays, for the other.
		film(t, s, sc, session("shared", ptr(noon.Add(-2*buildPiece*time.Hour-time.Minute)), ids...),
			walked(2, "A", -1))
		j, err := s.CreateJob(t.Context(), sc, export.Request{}, nil)
		must(t, err)
		turns := 0
		r := builtAt(t, s, sc, j.ID, site(func(context.Context) error {
			if turns++; turns == 2 {
				return s.DeleteAthlete(context.Background(), sc, ids[0], anybody)
			}
			return nil
		}))
		list := partsOf(t, s, sc, r)
		if all := strings.Join(list, ","); r.Rows != 3*buildPiece+2 || len(list) != 3*buildPiece/2+1 ||
			strings.Contains(all, "Ann") || !strings.Contains(all, "shared/Bob") {
			t.Errorf("%d rows in %d parts", r.Rows, len(list))
		}
	})
}

func TestAJobEndsInOneWayHoweverItsWorkersEnd(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		ahead := clock(s)
		sc := tenant(t, s, "A")
		for n := range 2 * buildPiece {
			film(t, s, sc, session(fmt.Sprintf("%03d", n), ptr(noon.Add(-time.Duration(n)*time.Hour))),
				walked(2, "A", -1))
		}
		create := func() string {
			j, err := s.CreateJob(t.Context(), sc, export.Request{}, nil)
			must(t, err)
			return j.ID
		}
		// A worker that dies in the middle is never heard of again.
		dies := func(jobID string) {
			life := &life{left: 2}
			if _, err := step(t.Context(), life.of(s), sc, jobID, site(turn)); err == nil || life.left >= 0 {
				t.Fatal("the worker did not die")
			}
		}
		once := create()
		dies(once)
		if wait, err := step(t.Context(), s, sc, once, site(turn)); err != nil || wait <= 0 {
			t.Errorf("under a living lease: wait %s, %v", wait, err)
		}
		ahead(job.Lease + time.Second)
		jobs := queued(t, s, job.Export, once)
		if wait, err := s.Watch(t.Context(), about(sc, job.Export, once)); err != nil || wait != 0 ||
			queued(t, s, job.Export, once) != jobs+1 {
			t.Errorf("of a dead worker: %s, %v", wait, err)
		}
		if r := built(t, s, sc, once); r.Rows != 4*buildPiece || len(partsOf(t, s, sc, r)) != 2*buildPiece {
			t.Errorf("after a death: %d rows", r.Rows)
		}
		deadly := create()
		for range job.MaxDeaths {
			dies(deadly)
			ahead(job.Lease + time.Second)
		}
		if r := built(t, s, sc, deadly); r.Job.Status != export.Failed ||
			!strings.Contains(r.Job.ErrorMessage, "three times") {
			t.Errorf("after three deaths: %+v", r.Job)
		}
		canceled := create()
		wait, err := step(t.Context(), s, sc, canceled, site(func(context.Context) error {
			_, err := s.CancelJob(context.Background(), sc, canceled, nil)
			return err
		}))
		if err != nil || wait != 0 {
			t.Error(wait, err)
		}
		if j, err := s.Job(t.Context(), sc, canceled, export.Left{}); err != nil || j.Status != export.Canceled ||
			j.CompletedAt == nil {
			t.Errorf("canceled: %+v, %v", j, err)
		}
		_, err = s.CancelJob(t.Context(), sc, canceled, nil)
		refused(t, err, fault.Conflict, "RUNNING")
		if _, err := s.ForgetResult(t.Context(), sc, canceled); err != nil {
			t.Error(err)
		}
		large := create()
		narrow := site(turn)
		narrow.budget = export.ColumnBytes
		if _, err := step(t.Context(), s, sc, large, narrow); err != nil {
			t.Error(err)
		}
		if j, err := s.Job(t.Context(), sc, large, export.Left{}); err != nil || j.Status != export.Failed ||
			j.ErrorMessage != export.TooLarge {
			t.Errorf("too large: %+v, %v", j, err)
		}
	})
}

func TestACaptureWhoseTableCannotBeReadIsLeftOutByName(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		film(t, s, sc, session("sound", &noon), walked(3, "A", -1))
		film(t, s, sc, session("spoiled", &noon), walked(4, "B", -1))
		j, err := s.CreateJob(t.Context(), sc, export.Request{}, nil)
		must(t, err)
		away := errors.New("the disk is away")
		at := site(turn)
		at.open = func(context.Context, string, int) (string, error) { return "", away }
		if _, err := step(t.Context(), s, sc, j.ID, at); !errors.Is(err, away) {
			t.Errorf("without a disk: %v", err)
		}
		at.open = func(_ context.Context, table string, rows int) (string, error) {
			if table == "table of spoiled" && rows == 4 {
				return "It is damaged.", nil
			}
			return "", nil
		}
		r := builtAt(t, s, sc, j.ID, at)
		same(t, "parts", partsOf(t, s, sc, r), []string{"sound/ 3 at 0"})
		same(t, "own columns", ownOf(r), strings.Fields("A_x A_y A_z"))
		same(t, "skipped", r.Job.Skipped, []export.Skip{{SessionID: "spoiled", Reason: "It is damaged."}})
	})
}
