package store

import (
	"testing"
	"time"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

func TestAFileThatComesAfterItsNameWasErasedIsErasedOnceMore(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		ahead := clock(s)
		sc := tenant(t, s, "A")
		gone := create(t, s, sc, person("1"))[0]
		until := s.now().Add(time.Hour)
		coming := reserve(t, s, sc, organization.NewUUID(), gone).Capture.SessionID
		must(t, s.Expect(t.Context(), sc, coming, "coming", until))
		read, _ := arrived(t, s, sc)
		dead := claimed(t, s, sc, read)
		must(t, s.ExpectMade(t.Context(), sc, dead, until, "half a table"))

		must(t, s.DeleteAthlete(t.Context(), sc, gone, anybody))
		ahead(job.Lease + time.Second)
		claimed(t, s, sc, read)
		names := []string{"coming", "half a table"}
		same(t, "due at once", erasable(t, s, sc), names)
		must(t, s.Erased(t.Context(), sc, names))
		same(t, "due while they may be coming", erasable(t, s, sc), []string{})
		ahead(time.Hour)
		same(t, "due at the end", erasable(t, s, sc), names)
		must(t, s.Erased(t.Context(), sc, names))
		ahead(time.Hour)
		same(t, "due for ever", erasable(t, s, sc), []string{})
	})
}

// taken has the queue believe that a worker is at every job of a kind.
func taken(t *testing.T, s *Store, sc organization.Scope, work string) {
	t.Helper()
	must(t, s.write(t.Context(), idOf(t, sc), func(w *writeTx) error {
		return w.Do(db.Exec(`UPDATE river_job SET state = 'running', attempt = 1, attempted_at = created_at WHERE kind = $1 AND finalized_at IS NULL`, work))
	}))
}

// arrivedAndTaken has a worker of the queue be at a new file.
func arrivedAndTaken(t *testing.T, s *Store, sc organization.Scope) string {
	t.Helper()
	session, _ := arrived(t, s, sc)
	taken(t, s, sc, job.Process)
	return session
}

// reclaim reclaims everything that has begun, and says how many that were.
func reclaim(t *testing.T, s *Store) int {
	t.Helper()
	begun, err := s.Begun(t.Context())
	must(t, err)
	for _, b := range begun {
		must(t, s.Reclaim(t.Context(), b))
	}
	return len(begun)
}

func TestAJobWhoseWorkerDiedBeforeItTookALeaseIsPutIntoTheQueueAgain(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		file, _ := arrived(t, s, sc)
		made, err := s.CreateJob(t.Context(), sc, export.Request{}, nil)
		must(t, err)
		if n := reclaim(t, s); n != 0 {
			t.Errorf("%d jobs have begun that wait", n)
		}
		for work, subject := range map[string]string{job.Process: file, job.Export: made.ID} {
			for round := range 10 {
				taken(t, s, sc, work)
				reclaim(t, s)
				reclaim(t, s) // it waits now, and is put there only once
				if n := queued(t, s, work, subject); n != 1 {
					t.Fatalf("round %d: %d jobs (%s), not 1", round, n, work)
				}
			}
		}

		claimed(t, s, sc, file)
		second, _ := arrived(t, s, sc)
		taken(t, s, sc, job.Process)
		claimed(t, s, sc, second)
		reclaim(t, s)
		if n := queued(t, s, job.Process, second); n != 1 {
			t.Errorf("%d jobs for a file that somebody is at", n)
		}
		done := claimed(t, s, sc, arrivedAndTaken(t, s, sc))
		must(t, s.Finish(t.Context(), sc, done, upload.Outcome{Info: []byte(`{}`)}))
		reclaim(t, s)
		if n := queued(t, s, job.Process, done.Capture.SessionID); n != 0 {
			t.Errorf("%d jobs of a dead worker for a file that was read", n)
		}
		gone, _ := arrived(t, s, sc)
		taken(t, s, sc, job.Process)
		begun, err := s.Begun(t.Context())
		must(t, err)
		must(t, s.DeleteCapture(t.Context(), sc, gone, func(string) error { return nil }))
		for _, b := range begun {
			must(t, s.Reclaim(t.Context(), b))
		}
		if n := queued(t, s, job.Process, gone); n != 0 {
			t.Errorf("%d jobs for what has gone", n)
		}
	})
}
