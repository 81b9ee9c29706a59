package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/job"
)

func TestTheOldestFilesGiveWayAndResultsThatCannotAreABound(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still, func(o *Options) { o.ExportStorage = 3*export.PartBytes + 1000 })
		ahead := clock(s)
		sc := tenant(t, s, "A")
		film(t, s, sc, session("a", &noon), walked(3, "A", -1))
		first := exported(t, s, sc, export.Request{})
		second := exported(t, s, sc, export.Request{})
		oldest := made(t, s, sc, first, export.CSV, 900)
		ahead(time.Second)
		newer := made(t, s, sc, first, export.NDJSON, 4000)
		if sum(t, s, sc) != 4900 {
			t.Errorf("the files take %d bytes", sum(t, s, sc))
		}
		ahead(time.Second)
		newest := made(t, s, sc, second, export.CSV, 500)
		same(t, "due", erasable(t, s, sc), []string{oldest})
		if k := kept(t, s, sc, first.Job.ID, export.CSV); k != (export.Kept{Ask: true}) || sum(t, s, sc) != 4500 {
			t.Errorf("the oldest: %+v, %d bytes", k, sum(t, s, sc))
		}
		w := making(t, s, sc, askedFor(t, s, sc, second, export.Parquet))
		if w.Room != 5096 {
			t.Errorf("there is room for %d bytes", w.Room)
		}
		must(t, s.ExpectFile(t.Context(), sc, w, "large"))
		if ok, err := s.FinishFile(t.Context(), sc, w, "large", 5097); ok || err != nil {
			t.Errorf("one that never has room: %v, %v", ok, err)
		}
		if k := kept(t, s, sc, second.Job.ID, export.Parquet); k != (export.Kept{}) {
			t.Errorf("one that never has room: %+v", k)
		}
		if due := erasable(t, s, sc); !slices.Contains(due, "large") || slices.Contains(due, newest) {
			t.Errorf("due are %q", due)
		}
		// Results come before files: the third takes the room of both.
		third := exported(t, s, sc, export.Request{})
		if due := erasable(t, s, sc); !slices.Contains(due, newer) || sum(t, s, sc) != 500 {
			t.Errorf("due are %q, files take %d", due, sum(t, s, sc))
		}
		_, err := s.CreateJob(t.Context(), sc, export.Request{}, nil)
		refused(t, err, fault.Conflict,
			fmt.Sprintf("take all of the %d bytes that they may have. A result is erased 7 days after it was made; "+
				"the server's operator can allow more with kinebase org quota, or everybody with "+
				"KINEBASE_EXPORT_STORAGE.", 3*export.PartBytes+1000))
		// An export that turns out to have no room fails with the same words.
		ahead(export.Life + time.Minute)
		for _, r := range []export.Result{first, second, third} {
			if _, err := s.ForgetResult(t.Context(), sc, r.Job.ID); err != nil {
				t.Error(err)
			}
		}
		for n := range 4 {
			film(t, s, sc, session(fmt.Sprint(n), &noon), walked(1, "A", -1))
		}
		failed := exported(t, s, sc, export.Request{})
		if failed.Job.Status != export.Failed || !strings.Contains(failed.Job.ErrorMessage, "KINEBASE_EXPORT_STORAGE") {
			t.Errorf("of five parts: %+v", failed.Job)
		}
		if _, err := s.ForgetResult(t.Context(), sc, failed.Job.ID); err != nil {
			t.Error(err)
		}
		// What is deleted makes room.
		must(t, s.DeleteCapture(t.Context(), sc, "0", func(string) error { return nil }))
		must(t, s.DeleteCapture(t.Context(), sc, "1", func(string) error { return nil }))
		full := exported(t, s, sc, export.Request{})
		_, err = s.CreateJob(t.Context(), sc, export.Request{}, nil)
		refused(t, err, fault.Conflict, "KINEBASE_EXPORT_STORAGE")
		must(t, s.DeleteCapture(t.Context(), sc, "2", func(string) error { return nil }))
		exported(t, s, sc, export.Request{Athletes: []string{create(t, s, sc, person("Ann"))[0]}})
		// What is erased makes room.
		ahead(export.Life + time.Minute)
		if _, err := s.ForgetResult(t.Context(), sc, full.Job.ID); err != nil {
			t.Error(err)
		}
		exported(t, s, sc, export.Request{})
		if s := (&Store{}); s.storage() != 20<<30 {
			t.Errorf("by default it is %d", s.storage())
		}
		if err := noRoom(20 << 30); !strings.Contains(err.Error(), "all of the 20 GiB") {
			t.Error(err)
		}
	})
}

// TestFilesAndDeletionsMeetInEveryOrder has workers of two servers make files of one
// organization's results while captures are deleted, results erased and files asked
// for, and then looks whether every file that was ever stored is either kept, of the
// result as it is, or to be erased.
func TestFilesAndDeletionsMeetInEveryOrder(t *testing.T) {
	testkit.Long(t)
	engines(t, func(t *testing.T, p place) {
		roomy := func(o *Options) { o.ExportStorage = 400*export.PartBytes + 5_000 }
		first, second := p.open(still, roomy), p.open(still, roomy)
		stores := []*Store{first, second}
		sc := tenant(t, first, "A")
		r := chance(t)
		const captures = 40
		for n := range captures {
			film(t, first, sc, session(fmt.Sprint(n), &noon), walked(2, "A", -1))
		}
		var results []export.Result
		for range 5 {
			results = append(results, exported(t, first, sc, export.Request{}))
		}
		formats := []export.Format{export.CSV, export.NDJSON, export.Parquet}
		var lock sync.Mutex
		stored := map[string]bool{}
		var makers, deleters sync.WaitGroup
		over := make(chan struct{})
		for n := range 4 {
			s, r := stores[n%2], rand.New(rand.NewPCG(r.Uint64(), 0))
			makers.Go(func() {
				for more := 10; more > 0; {
					select {
					case <-over:
						more-- // so that some are kept in the end
					default:
					}
					of, format := results[r.IntN(len(results))], formats[r.IntN(3)]
					if err := s.Keep(context.Background(), sc, of.Job.ID, format, ""); err != nil {
						t.Error("ask:", err)
						return
					}
					w, _, err := s.ClaimFile(context.Background(), sc, export.FileSubject(of.Job.ID, format))
					if err != nil {
						t.Error("claim:", err)
						return
					}
					if w == nil {
						continue
					}
					name := export.FileName(sc.Organization.String(), format)
					err = s.ExpectFile(context.Background(), sc, w, name)
					if err == nil {
						lock.Lock()
						stored[name] = true
						lock.Unlock()
						if r.IntN(4) == 0 {
							err = s.ReleaseFile(context.Background(), sc, w, time.Time{})
						} else {
							_, err = s.FinishFile(context.Background(), sc, w, name, 500+r.Int64N(1000))
						}
					}
					if err != nil && !errors.Is(err, job.ErrLost) {
						t.Error("make:", err)
						return
					}
				}
			})
		}
		deleters.Go(func() {
			for n := range captures {
				if err := second.DeleteCapture(context.Background(), sc, fmt.Sprint(n),
					func(string) error { return nil }); err != nil {
					t.Error("delete:", err)
				}
				if n == captures/2 {
					err := first.write(context.Background(), idOf(t, sc), func(w *writeTx) error {
						_, err := w.forget(results[0].Job.ID, false)
						return err
					})
					if err != nil {
						t.Error("forget:", err)
					}
				}
			}
		})
		deleters.Wait()
		close(over)
		makers.Wait()

		accounted := map[string]bool{}
		files := 0
		must(t, first.engine.Once(t.Context(), idOf(t, sc),
			db.Each(func(r db.Rows) error {
				var name string
				err := r.Scan(&name)
				accounted[name] = true
				return err
			}, `SELECT name FROM erasure WHERE organization = $1`, idOf(t, sc)),
			db.Each(func(r db.Rows) error {
				var name, job string
				var version, now, erased int64
				err := r.Scan(&name, &job, &version, &now, &erased)
				if accounted[name] || version != now || erased != 0 {
					t.Errorf("a file is kept of version %d of a result that is at %d, erased %d, and to be erased: %v",
						version, now, erased, accounted[name])
				}
				accounted[name] = true
				files++
				return err
			}, `SELECT f.name, f.job, f.version, b.version, b.erased FROM export_file f JOIN export_build b ON b.organization = f.organization AND b.job = f.job WHERE f.organization = $1 AND f.name <> ''`, idOf(t, sc))))
		for name := range stored {
			if !accounted[name] {
				t.Errorf("%s is neither kept nor to be erased", name)
			}
		}
		if total := sum(t, first, sc); total > 200*export.PartBytes+3_000 || files == 0 || len(stored) < 20 {
			t.Errorf("%d files were stored, those kept take %d bytes", len(stored), total)
		}
		t.Logf("%d files were stored, %d are kept", len(stored), files)
	})
}
