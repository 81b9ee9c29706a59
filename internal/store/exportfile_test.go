package store

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
)

// asked has a file of a result asked for.
func askedFor(t *testing.T, s *Store, sc organization.Scope, r export.Result, f export.Format) string {
	t.Helper()
	must(t, s.Keep(t.Context(), sc, r.Job.ID, f, ""))
	return export.FileSubject(r.Job.ID, f)
}

// making takes the making of a file.
func making(t *testing.T, s *Store, sc organization.Scope, subject string) *export.FileWork {
	t.Helper()
	w, wait, err := s.ClaimFile(t.Context(), sc, subject)
	must(t, err)
	if w == nil || wait != 0 {
		t.Fatalf("nothing to make of %s, wait %s", subject, wait)
	}
	return w
}

// made makes a file of so many bytes and gives its name.
func made(t *testing.T, s *Store, sc organization.Scope, r export.Result, f export.Format, size int64) string {
	t.Helper()
	w := making(t, s, sc, askedFor(t, s, sc, r, f))
	name := export.FileName(sc.Organization.String(), f)
	must(t, s.ExpectFile(t.Context(), sc, w, name))
	kept, err := s.FinishFile(t.Context(), sc, w, name, size)
	must(t, err)
	if !kept {
		t.Fatalf("a file of %d bytes is not kept", size)
	}
	return name
}

func kept(t *testing.T, s *Store, sc organization.Scope, jobID string, f export.Format) export.Kept {
	t.Helper()
	r, err := s.Result(t.Context(), sc, jobID)
	must(t, err)
	k, err := s.Kept(t.Context(), sc, jobID, r.Version, f)
	must(t, err)
	return k
}

// sum is what the files of an organization are said to take, which must be what they do.
func sum(t *testing.T, s *Store, sc organization.Scope) (files int64) {
	t.Helper()
	var sizes int64
	must(t, s.engine.Once(t.Context(), idOf(t, sc),
		db.One(db.Into(&files), `SELECT COALESCE(SUM(files), 0) FROM export_storage WHERE organization = $1`,
			idOf(t, sc)),
		db.One(db.Into(&sizes), `SELECT COALESCE(SUM(size), 0) FROM export_file WHERE organization = $1`, idOf(t, sc))))
	if files != sizes {
		t.Errorf("the files are summed up to %d bytes and take %d", files, sizes)
	}
	return files
}

func TestAFileOfAResultIsMadeOnceAndKept(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s, beside := p.open(still), p.open(still)
		sc, other := tenant(t, s, "A"), tenant(t, s, "B")
		film(t, s, sc, session("a", &noon), walked(3, "A", -1))
		r := exported(t, s, sc, export.Request{})
		if k := kept(t, s, sc, r.Job.ID, export.CSV); k != (export.Kept{Ask: true}) {
			t.Errorf("before anybody asks: %+v", k)
		}
		subject := askedFor(t, s, sc, r, export.CSV)
		askedFor(t, beside, sc, r, export.CSV)
		if n := queued(t, s, job.ExportFile, subject); n != 1 {
			t.Errorf("asked for on two nodes it is made %d times", n)
		}
		if k := kept(t, s, sc, r.Job.ID, export.CSV); k != (export.Kept{}) {
			t.Errorf("while it is made: %+v", k)
		}
		must(t, s.Keep(t.Context(), other, r.Job.ID, export.NDJSON, "")) // no job of theirs
		if w, wait, err := s.ClaimFile(t.Context(), other, subject); w != nil || wait != 0 || err != nil {
			t.Errorf("to another organization: %+v %s %v", w, wait, err)
		}
		w := making(t, s, sc, subject)
		if again, wait, err := beside.ClaimFile(t.Context(), sc, subject); again != nil || wait <= 0 || err != nil {
			t.Errorf("at the same time: %+v, wait %s, %v", again, wait, err)
		}
		name := export.FileName(sc.Organization.String(), export.CSV)
		if !strings.HasPrefix(name, "export/org="+sc.Organization.String()+"/") || w.Rows != 3 ||
			w.Version != r.Version || w.Room <= 0 {
			t.Errorf("the work is %+v, the name %s", w, name)
		}
		must(t, s.Extend(t.Context(), w.Held))
		must(t, s.ExpectFile(t.Context(), sc, w, name))
		if ok, err := s.FinishFile(t.Context(), sc, w, name, 100); err != nil || !ok {
			t.Fatal(ok, err)
		}
		if k := kept(t, beside, sc, r.Job.ID, export.CSV); k != (export.Kept{Name: name, Writers: export.Writers}) {
			t.Errorf("when it is made: %+v", k)
		}
		if w, wait, err := s.ClaimFile(t.Context(), sc, subject); w != nil || wait != 0 || err != nil {
			t.Errorf("made once more: %+v %s %v", w, wait, err)
		}
		askedFor(t, s, sc, r, export.CSV)
		if n := queued(t, s, job.ExportFile, subject); n != 1 || sum(t, s, sc) != 100 || len(erasable(t, s, sc)) > 0 {
			t.Errorf("a file that is there is made %d times, %d bytes", n, sum(t, s, sc))
		}
		// One that the folder or the bucket has lost is made again.
		must(t, s.Keep(t.Context(), sc, r.Job.ID, export.CSV, name))
		must(t, s.Keep(t.Context(), sc, r.Job.ID, export.CSV, name))
		if n := queued(t, s, job.ExportFile, subject); n != 2 || sum(t, s, sc) != 0 {
			t.Errorf("a file that was lost is made %d times, %d bytes", n, sum(t, s, sc))
		}
		made(t, s, sc, r, export.CSV, 7)
	})
}

func TestADeletionTakesTheFileAwayAndHasItMadeAnew(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		ahead := clock(s)
		sc := tenant(t, s, "A")
		ids := create(t, s, sc, person("Ann"), person("Bob"))
		film(t, s, sc, session("of ann", &noon, ids[0]), walked(2, "A", -1))
		film(t, s, sc, session("of bob", &noon, ids[1]), walked(3, "A", -1))
		r := exported(t, s, sc, export.Request{})
		name := made(t, s, sc, r, export.CSV, 10)
		coming := making(t, s, sc, askedFor(t, s, sc, r, export.Parquet))
		must(t, s.ExpectFile(t.Context(), sc, coming, "coming"))
		waiting := askedFor(t, s, sc, r, export.NDJSON)

		must(t, s.DeleteAthlete(t.Context(), sc, ids[0], anybody))
		due := erasable(t, s, sc)
		if !slices.Contains(due, name) || !slices.Contains(due, "coming") || sum(t, s, sc) != 0 {
			t.Errorf("due are %q, files take %d", due, sum(t, s, sc))
		}
		if _, err := s.Kept(t.Context(), sc, r.Job.ID, r.Version, export.CSV); !fault.Is(err, fault.NotFound) {
			t.Errorf("of the old version: %v", err)
		}
		if k := kept(t, s, sc, r.Job.ID, export.CSV); k.Name != "" || k.Wait <= 0 || k.Ask {
			t.Errorf("one that was there: %+v", k)
		}
		if k := kept(t, s, sc, r.Job.ID, export.Parquet); k != (export.Kept{}) {
			t.Errorf("one that was only being made: %+v", k)
		}
		for subject, want := range map[string]int{export.FileSubject(r.Job.ID, export.CSV): 2,
			export.FileSubject(r.Job.ID, export.Parquet): 2, waiting: 1} {
			if n := queued(t, s, job.ExportFile, subject); n != want {
				t.Errorf("%s is made %d times, want %d", subject, n, want)
			}
		}
		if err := s.Extend(t.Context(), coming.Held); !errors.Is(err, job.ErrLost) {
			t.Errorf("who made it of the old version goes on: %v", err)
		}
		if ok, err := s.FinishFile(t.Context(), sc, coming, "coming", 5); ok || !errors.Is(err, job.ErrLost) {
			t.Errorf("who made it of the old version keeps it: %v, %v", ok, err)
		}
		// What was still on its way to the disk is erased once more when it has arrived.
		must(t, s.Erased(t.Context(), sc, due))
		ahead(export.FileTime + time.Minute)
		same(t, "due later", erasable(t, s, sc), []string{"coming"})
		if k := kept(t, s, sc, r.Job.ID, export.CSV); k != (export.Kept{}) {
			t.Errorf("when nobody has made it in time: %+v", k)
		}
		w := making(t, s, sc, export.FileSubject(r.Job.ID, export.CSV))
		if w.Rows != 3 || w.Version == r.Version {
			t.Errorf("the new one is made of %d rows, version %s", w.Rows, w.Version)
		}
		next := made(t, s, sc, r, export.NDJSON, 20)
		if k := kept(t, s, sc, r.Job.ID, export.NDJSON); k.Name != next {
			t.Errorf("made after the deletion: %+v", k)
		}
		// With the result everything of it goes.
		must(t, s.ExpectFile(t.Context(), sc, w, "coming too"))
		ahead(export.Life)
		if wait, err := s.ForgetResult(t.Context(), sc, r.Job.ID); err != nil || wait != 0 {
			t.Fatal(wait, err)
		}
		if due := erasable(t, s, sc); !slices.Contains(due, next) || !slices.Contains(due, "coming too") ||
			sum(t, s, sc) != 0 {
			t.Errorf("due are %q, files take %d", due, sum(t, s, sc))
		}
		must(t, s.Keep(t.Context(), sc, r.Job.ID, export.CSV, ""))
		if ok, err := s.FinishFile(t.Context(), sc, w, "coming too", 5); ok || !errors.Is(err, job.ErrLost) {
			t.Errorf("a file of an erased result is kept: %v, %v", ok, err)
		}
	})
}

func TestAFileIsMadeByAnotherWhenItsWorkerDies(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		ahead := clock(s)
		sc := tenant(t, s, "A")
		film(t, s, sc, session("a", &noon), walked(3, "A", -1))
		r := exported(t, s, sc, export.Request{})
		subject := askedFor(t, s, sc, r, export.CSV)
		dead := making(t, s, sc, subject)
		must(t, s.ExpectFile(t.Context(), sc, dead, "half"))
		if wait, err := s.Watch(t.Context(), about(sc, job.ExportFile, subject)); err != nil || wait <= 0 {
			t.Errorf("while it lives: %s, %v", wait, err)
		}
		ahead(job.Lease + time.Second)
		if wait, err := s.Watch(t.Context(), about(sc, job.ExportFile, subject)); err != nil || wait != 0 ||
			queued(t, s, job.ExportFile, subject) != 2 {
			t.Errorf("when it is dead: %s, %v", wait, err)
		}
		w := making(t, s, sc, subject)
		same(t, "due", erasable(t, s, sc), []string{"half"})
		if ok, err := s.FinishFile(t.Context(), sc, dead, "half", 5); ok || !errors.Is(err, job.ErrLost) {
			t.Errorf("the dead one finishes: %v, %v", ok, err)
		}
		must(t, s.ReleaseFile(t.Context(), sc, w, time.Time{})) // a server that stops
		w = making(t, s, sc, subject)
		must(t, s.ReleaseFile(t.Context(), sc, w, s.now().Add(time.Second))) // a bucket that is away
		making(t, s, sc, subject)
		ahead(job.Lease + time.Second)
		if w, wait, err := s.ClaimFile(t.Context(), sc, subject); w != nil || wait != 0 || err != nil {
			t.Errorf("after three deaths: %+v %s %v", w, wait, err)
		}
		if k := kept(t, s, sc, r.Job.ID, export.CSV); k != (export.Kept{}) {
			t.Errorf("given up: %+v", k)
		}
		ahead(export.FileTrial + time.Second)
		if k := kept(t, s, sc, r.Job.ID, export.CSV); k != (export.Kept{Ask: true}) {
			t.Errorf("an hour later: %+v", k)
		}
		made(t, s, sc, r, export.CSV, 5)
	})
}
