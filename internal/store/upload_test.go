package store

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// reservation asks for a place in a group.
func reservation(group string, athletes ...string) upload.Reservation {
	now := time.Now().UTC().Truncate(time.Millisecond)
	return upload.Reservation{
		Capture: capture.Capture{Status: capture.AwaitingUpload, Source: capture.SourceAPI, CaptureTime: &now,
			AthleteIDs: athletes},
		Group: group, FileName: "walk.c3d", Expires: now.Add(upload.Window),
	}
}

func reserve(t *testing.T, s *Store, sc organization.Scope, group string, athletes ...string) upload.Reservation {
	t.Helper()
	r, err := s.Reserve(t.Context(), sc, reservation(group, athletes...), nil)
	must(t, err)
	return r
}

// clock makes a store's clock movable.
func clock(s *Store) (ahead func(time.Duration)) {
	var offset atomic.Int64
	s.now = func() time.Time { return time.Now().Add(time.Duration(offset.Load())) }
	return func(d time.Duration) { offset.Add(int64(d)) }
}

// arrived reserves a place and lets a file arrive.
func arrived(t *testing.T, s *Store, sc organization.Scope, athletes ...string) (session, name string) {
	t.Helper()
	session = reserve(t, s, sc, organization.NewUUID(), athletes...).Capture.SessionID
	name = upload.OriginalName(sc.Organization.String())
	must(t, s.Expect(t.Context(), sc, session, name, time.Now().Add(time.Hour)))
	must(t, s.Arrive(t.Context(), sc, session, name, 123, "hash"))
	return session, name
}

// claimed takes the work on a file, which must be there to be taken.
func claimed(t *testing.T, s *Store, sc organization.Scope, session string) *upload.Work {
	t.Helper()
	w, wait, err := s.Claim(t.Context(), sc, session)
	must(t, err)
	if w == nil {
		t.Fatalf("there is no work to be taken, wait %s", wait)
	}
	return w
}

// queued is how many jobs about a subject are not done.
func queued(t *testing.T, s *Store, work, subject string) (n int) {
	t.Helper()
	text := `SELECT count(*) FROM river_job WHERE kind = $1 AND args->>'subject' = $2 AND finalized_at IS NULL`
	must(t, s.engine.Once(context.Background(), db.ID{}, db.One(db.Into(&n), text, work, subject)))
	return n
}

// erasable are the names that are due.
func erasable(t *testing.T, s *Store, sc organization.Scope) []string {
	t.Helper()
	names, err := s.Erasable(t.Context(), sc, 1000)
	must(t, err)
	slices.Sort(names)
	return names
}

func status(t *testing.T, s *Store, sc organization.Scope, session string) (capture.Status, string) {
	t.Helper()
	got, err := s.Stored(t.Context(), sc, session)
	must(t, err)
	if got.Capture.Error != nil {
		return got.Capture.Status, *got.Capture.Error
	}
	return got.Capture.Status, ""
}

func TestReservationsOfAGroupAreNumberedOneByOneWhoeverAsks(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s, second := p.open(), p.open()
		sc := tenant(t, s, "A")
		a := create(t, s, sc, person("1"))[0]
		group := organization.NewUUID()
		var lock sync.Mutex
		var ids []string
		var wait sync.WaitGroup
		for i := range 16 {
			wait.Go(func() {
				r, err := []*Store{s, second}[i%2].Reserve(context.Background(), sc, reservation(group, a), nil)
				if err != nil {
					t.Error(err)
				}
				lock.Lock()
				defer lock.Unlock()
				ids = append(ids, strings.TrimPrefix(r.Capture.SessionID, group+"_"))
			})
		}
		wait.Wait()
		slices.SortFunc(ids, func(a, b string) int { return len(a)*100 + strings.Compare(a, b) - len(b)*100 })
		same(t, "numbers", ids, strings.Fields("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16"))
		if n := listed(t, s, sc,
			capture.Query{AthleteID: a, Filter: capture.Filter{Status: capture.AwaitingUpload, Source: "api"}}).
			Total; n != 16 {
			t.Errorf("%d captures are listed", n)
		}
		for _, id := range ids {
			if queued(t, s, job.Expire, group+"_"+id) != 1 {
				t.Errorf("nobody looks after the window of %s", id)
			}
		}
	})
}

func TestAGroupKeepsItsAthletesAndSourceAndItsNumbersAreNotGivenTwice(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc, other := tenant(t, s, "A"), tenant(t, s, "B")
		ids := create(t, s, sc, person("1"), person("2"))
		group := organization.NewUUID()
		first := reserve(t, s, sc, group, ids...)
		_, err := s.Reserve(t.Context(), sc, reservation(group, ids[0]), nil)
		refused(t, err, fault.Conflict, "other athletes")
		reserve(t, s, sc, group, ids[1], ids[0]) // the order is of no meaning
		if got := reserve(t, s, other, group).Capture.SessionID; got != group+"_1" {
			t.Errorf("in another organization the group begins with %s", got)
		}
		must(t, s.DeleteCapture(t.Context(), sc, first.Capture.SessionID, func(string) error { return nil }))
		if got := reserve(t, s, sc, group, ids...).Capture.SessionID; got != group+"_3" {
			t.Errorf("after a deletion comes %s", got)
		}

		imported := organization.NewUUID()
		put(t, s, sc, session(imported+"_1", &noon), session(imported+"_7", &noon))
		_, err = s.Reserve(t.Context(), sc, reservation(imported), nil)
		refused(t, err, fault.Conflict, "another source (import)")
		foreign := session(imported+"_9", &noon)
		foreign.Source = capture.SourceAPI
		group = organization.NewUUID()
		foreign.SessionID = group + "_9"
		put(t, s, sc, foreign)
		if got := reserve(t, s, sc, group).Capture.SessionID; got != group+"_10" {
			t.Errorf("after imported captures comes %s", got)
		}
		_, err = s.Reserve(t.Context(), sc, reservation(organization.NewUUID(), organization.NewUUID()), nil)
		refused(t, err, fault.BadRequest, "athlete_id not found")
		_, err = s.Reserve(t.Context(), other, reservation(organization.NewUUID(), ids[0]), nil)
		refused(t, err, fault.BadRequest, "athlete_id not found")
	})
}

func TestARepeatedReservationIsTheSamePlaceAsLongAsItWaitsAndIsGoneWithIt(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		ahead := clock(s)
		sc := tenant(t, s, "A")
		group := organization.NewUUID()
		must(t, func() error {
			_, err := s.Reserve(t.Context(), sc, reservation(group), once[upload.Reservation]("key", "body", "answer"))
			return err
		}())
		again := once[upload.Reservation]("key", "body", "another answer")
		_, err := s.Reserve(t.Context(), sc, reservation(group), again)
		must(t, err)
		if string(again.Replay) != "answer" {
			t.Errorf("replayed %q", again.Replay)
		}
		ahead(upload.Window + time.Second)
		late, other := once[upload.Reservation]("key", "body", "other"), reservation(group)
		other.Expires = other.Expires.Add(upload.Window + time.Second)
		_, err = s.Reserve(t.Context(), sc, other, late)
		must(t, err)
		if late.Replayed() {
			t.Error("the answer of a reservation that has ended is given again")
		}
		must(t, s.DeleteCapture(t.Context(), sc, group+"_2", func(string) error { return nil }))
		_, err = s.Reserve(t.Context(), sc, reservation(group), once[upload.Reservation]("key", "body", ""))
		refused(t, err, fault.NotFound, "erased")
	})
}

func TestTheFirstFileCountsAndEveryOtherIsErased(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc, other := tenant(t, s, "A"), tenant(t, s, "B")
		session := reserve(t, s, sc, organization.NewUUID()).Capture.SessionID
		until := time.Now().Add(time.Hour)
		for _, name := range []string{"first", "second", "third"} {
			must(t, s.Expect(t.Context(), sc, session, name, until))
		}
		refused(t, s.Expect(t.Context(), other, session, "foreign", until), fault.NotFound, "no such capture")
		same(t, "due", erasable(t, s, sc), nil)
		must(t, s.Arrive(t.Context(), sc, session, "second", 5, "hash"))
		refused(t, s.Arrive(t.Context(), sc, session, "first", 5, "hash"), fault.Conflict, "uploaded already")
		refused(t, s.Expect(t.Context(), sc, session, "fourth", until), fault.Conflict, "uploaded already")
		same(t, "due", erasable(t, s, sc), []string{"first"})
		must(t, s.Forget(t.Context(), sc, "third"))
		same(t, "due", erasable(t, s, sc), []string{"first", "third"})
		same(t, "due elsewhere", erasable(t, s, other), nil)
		must(t, s.Erased(t.Context(), sc, []string{"first", "third"}))
		same(t, "due", erasable(t, s, sc), nil)
		got, err := s.Stored(t.Context(), sc, session)
		must(t, err)
		if got.Original != "second" || got.Size != 5 || got.Capture.Status != capture.Processing ||
			queued(t, s, job.Process, session) != 1 {
			t.Errorf("stored %+v, %d jobs", got, queued(t, s, job.Process, session))
		}
		put(t, s, sc, capture.Capture{SessionID: "imported", Status: capture.AwaitingUpload,
			Source: capture.SourceImport})
		refused(t, s.Expect(t.Context(), sc, "imported", "x", until), fault.Conflict, "not reserved")
	})
}

func TestAReservationEndsWithItsWindowButNotUnderAFileThatIsComing(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		ahead := clock(s)
		sc := tenant(t, s, "A")
		session := reserve(t, s, sc, organization.NewUUID()).Capture.SessionID
		if wait, err := s.Expire(t.Context(), sc, session); err != nil || wait < 29*time.Minute ||
			wait > upload.Window {
			t.Errorf("at its beginning: wait %s, %v", wait, err)
		}
		must(t, s.Expect(t.Context(), sc, session, "coming", time.Now().Add(45*time.Minute)))
		ahead(upload.Window + time.Second)
		if wait, err := s.Expire(t.Context(), sc, session); err != nil || wait <= 0 {
			t.Errorf("while a file is coming: wait %s, %v", wait, err)
		}
		ahead(20 * time.Minute)
		if wait, err := s.Expire(t.Context(), sc, session); err != nil || wait != 0 {
			t.Errorf("at its end: wait %s, %v", wait, err)
		}
		if got, why := status(t, s, sc, session); got != capture.Error || !strings.Contains(why, "30 minutes") {
			t.Errorf("%s: %s", got, why)
		}
		refused(t, s.Arrive(t.Context(), sc, session, "coming", 1, ""), fault.Conflict, "No file was uploaded")
		same(t, "due", erasable(t, s, sc), []string{"coming"})
		if wait, err := s.Expire(t.Context(), sc, organization.NewUUID()); err != nil || wait != 0 {
			t.Errorf("of a capture that is gone: %s, %v", wait, err)
		}
	})
}

func TestAFinishedCaptureHasWhatTheFileTold(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		session, original := arrived(t, s, sc)
		w := claimed(t, s, sc, session)
		if w.Original != original || w.FileName != "walk.c3d" || w.Held.Attempt != 1 || w.Renew {
			t.Errorf("the work is %+v", w)
		}
		if queued(t, s, job.Watch, session) != 1 {
			t.Error("nobody watches the worker")
		}
		if second, wait, err := s.Claim(t.Context(), sc, session); err != nil || second != nil || wait <= 0 ||
			wait > job.Lease {
			t.Errorf("a second worker gets %+v, wait %s, %v", second, wait, err)
		}
		must(t, s.Extend(t.Context(), w.Held))
		must(t, s.ExpectMade(t.Context(), sc, w, time.Now().Add(time.Hour), "table", "samples"))
		must(t, s.Finish(t.Context(), sc, w, upload.Outcome{Table: "table", Samples: "samples", Info: []byte(`{}`),
			Rate: 120, Made: &noon}))
		got, err := s.Stored(t.Context(), sc, session)
		must(t, err)
		if got.Table != "table" || got.Samples != "samples" || string(got.Info) != "{}" ||
			got.Capture.Status != capture.Completed ||
			got.Capture.FPSDetected == nil || *got.Capture.FPSDetected != 120 || !got.Capture.CaptureTime.Equal(noon) ||
			got.TimeFrom != upload.TimeOfFile {
			t.Errorf("stored %+v", got)
		}
		same(t, "due", erasable(t, s, sc), nil)
		for what, err := range map[string]error{
			"finished twice":     s.Finish(t.Context(), sc, w, upload.Outcome{}),
			"extended afterward": s.Extend(t.Context(), w.Held),
			"failed afterwards":  s.Fail(t.Context(), sc, w, "x"),
		} {
			if !strings.Contains(err.Error(), job.ErrLost.Error()) {
				t.Errorf("%s: %v", what, err)
			}
		}
		if again, wait, err := s.Claim(t.Context(), sc, session); again != nil || wait != 0 || err != nil {
			t.Errorf("there is work left: %+v, %s, %v", again, wait, err)
		}
	})
}

func TestADeadWorkersFileIsTakenOverAndTheThirdDeathOfItsReaderEndsIt(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		ahead := clock(s)
		sc := tenant(t, s, "A")
		session, _ := arrived(t, s, sc)
		dead := claimed(t, s, sc, session)
		must(t, s.ExpectMade(t.Context(), sc, dead, s.now().Add(time.Hour), "half a table"))
		if wait, err := s.Watch(t.Context(), about(sc, job.Process, session)); err != nil || wait <= 0 ||
			wait > job.Lease+2*time.Second {
			t.Errorf("of a living worker: wait %s, %v", wait, err)
		}
		ahead(job.Lease + time.Second)
		before := queued(t, s, job.Process, session)
		if wait, err := s.Watch(t.Context(), about(sc, job.Process, session)); err != nil || wait != 0 ||
			queued(t, s, job.Process, session) != before+1 {
			t.Errorf("of a dead worker: wait %s, %v", wait, err)
		}
		second := claimed(t, s, sc, session)
		if second.Held.Attempt != 2 || second.Deaths != 0 {
			t.Errorf("taken over as %+v", second)
		}
		same(t, "due", erasable(t, s, sc), []string{"half a table"})
		if err := s.Finish(t.Context(), sc, dead, upload.Outcome{}); !strings.Contains(err.Error(),
			job.ErrLost.Error()) {
			t.Errorf("the dead worker finished: %v", err)
		}
		must(t, s.Release(t.Context(), sc, second, time.Time{}, true, "It fell over."))
		again := claimed(t, s, sc, session)
		must(t, s.Release(t.Context(), sc, again, time.Time{}, true, "It fell over."))
		third := claimed(t, s, sc, session)
		must(t, s.Release(t.Context(), sc, third, time.Time{}, false, ""))
		fourth := claimed(t, s, sc, session)
		must(t, s.Release(t.Context(), sc, fourth, time.Time{}, true, "It needs more memory than 1 GiB."))
		if got, why := status(t, s, sc, session); got != capture.Error ||
			why != "It needs more memory than 1 GiB. It was tried 3 times." {
			t.Errorf("%s: %s", got, why)
		}

		innocent, _ := arrived(t, s, sc)
		for range 2 * job.MaxDeaths {
			claimed(t, s, sc, innocent)
			ahead(job.Lease + time.Second)
		}
		must(t, s.Finish(t.Context(), sc, claimed(t, s, sc, innocent), upload.Outcome{Info: []byte(`{}`)}))
		if got, why := status(t, s, sc, innocent); got != capture.Completed {
			t.Errorf("%s: %s", got, why)
		}
	})
}

func TestWithACaptureGoItsFilesItsTablesAndWhatIsBeingStoredForIt(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		a := create(t, s, sc, person("1"), person("2"))
		session, original := arrived(t, s, sc, a[0])
		w := claimed(t, s, sc, session)
		must(t, s.ExpectMade(t.Context(), sc, w, time.Now().Add(time.Hour), "table", "samples", "derived"))
		must(t, s.Finish(t.Context(), sc, w, upload.Outcome{Table: "table", Samples: "samples", Derived: "derived"}))
		shared, _ := arrived(t, s, sc, a...)
		working, second := arrived(t, s, sc, a[0])
		half := claimed(t, s, sc, working)
		must(t, s.ExpectMade(t.Context(), sc, half, time.Now().Add(time.Hour), "half a table"))
		coming := reserve(t, s, sc, organization.NewUUID(), a[0]).Capture.SessionID
		must(t, s.Expect(t.Context(), sc, coming, "coming", time.Now().Add(time.Hour)))

		must(t, s.DeleteAthlete(t.Context(), sc, a[0], func(athlete.Athlete) error { return nil }))
		want := []string{original, second, "table", "samples", "derived", "half a table", "coming"}
		slices.Sort(want)
		same(t, "due", erasable(t, s, sc), want)
		if queued(t, s, job.Erase, "") == 0 {
			t.Error("nobody erases")
		}
		for _, gone := range []string{session, working, coming} {
			for _, work := range []string{job.Process, job.Watch, job.Expire} {
				if n := queued(t, s, work, gone); n > 0 {
					t.Errorf("%d jobs (%s) still name a capture that has gone", n, work)
				}
			}
		}
		if queued(t, s, job.Process, shared) == 0 {
			t.Error("the shared capture's file is read by nobody")
		}
		if err := s.Finish(t.Context(), sc, half, upload.Outcome{Table: "half a table"}); !strings.Contains(err.Error(),
			job.ErrLost.Error()) {
			t.Errorf("work on what is gone was finished: %v", err)
		}
		refused(t, s.Arrive(t.Context(), sc, coming, "coming", 1, ""), fault.NotFound, "no such capture")
		for _, gone := range []string{session, working, coming} {
			_, err := s.Stored(t.Context(), sc, gone)
			refused(t, err, fault.NotFound, "no such capture")
		}
		if got, _ := status(t, s, sc, shared); got != capture.Processing {
			t.Errorf("the shared capture is %s", got)
		}
		must(t, s.DeleteCapture(t.Context(), sc, shared, func(string) error { return nil }))
		if n := listed(t, s, sc, capture.Query{}).Total; n != 0 {
			t.Errorf("%d captures are left", n)
		}
	})
}
