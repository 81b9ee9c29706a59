package jobs_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/blob"
	"github.com/kinebase/kinebase/internal/jobs"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/storetest"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
	"github.com/kinebase/kinebase/webhook"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// memory is a temporary file as a reader gives it.
type memory struct{ *bytes.Reader }

func (memory) Close() error  { return nil }
func (m memory) Size() int64 { return m.Reader.Size() }

// script is a reader that does with a file what its bytes say.
type script struct {
	lock  sync.Mutex
	seen  map[string]int
	begun chan string // when not nil, told of every file that is begun

	measure func(ctx context.Context, m upload.Measured, info []byte, table upload.File) ([]byte, error)
	of      func(organization.Scope) // when not nil, told of every recording that is measured

	open      chan struct{} // those that are slow wait for it
	now, most int           // files that are read, and were at the most
}

// mostAtOnce is how many files were read at the same time.
func (s *script) mostAtOnce() int {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.most
}

// times is how often a file was read.
func (s *script) times(text string) int {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.seen[text]
}

// Measure does what measure does; without it, it finds nothing.
func (s *script) Measure(ctx context.Context, of organization.Scope, m upload.Measured, info []byte, table,
	_ upload.File) ([]byte, error) {
	if s.of != nil {
		s.of(of)
	}
	if s.measure == nil {
		return info, nil
	}
	return s.measure(ctx, m, info, table)
}

// Read does it.
func (s *script) Read(ctx context.Context, org organization.Scope, of upload.Source, f upload.File) (*upload.Reading,
	error) {
	text, err := io.ReadAll(io.NewSectionReader(f, 0, f.Size()))
	for _, v := range of.Views { // a file of cameras is what its videos are
		seen, failed := io.ReadAll(io.NewSectionReader(v.File, 0, v.File.Size()))
		text, err = append(text[:0:0], text...), errors.Join(err, failed)
		if v.Name == of.Views[0].Name {
			text = nil
		}
		text = append(text, string(seen)+string(v.Configuration)...)
	}
	if err != nil {
		return nil, err
	}
	s.lock.Lock()
	s.seen[string(text)]++
	s.now++
	s.most = max(s.most, s.now)
	defer func() {
		s.lock.Lock()
		s.now--
		s.lock.Unlock()
	}()
	times := s.seen[string(text)]
	s.lock.Unlock()
	if s.begun != nil {
		s.begun <- string(text)
	}
	switch word, _, _ := strings.Cut(string(text), " "); {
	case word == "damaged":
		return nil, &upload.Unreadable{Reason: "It is damaged at byte 7. Export it again."}
	case word == "deadly", word == "sometimes" && times < 3:
		return nil, &upload.Died{Reason: "It needed too much memory."}
	case word == "stopped", word == "pausing" && times <= upload.MaxStops:
		return nil, fault.Busy(&upload.Stopped{Reason: "It was asked to end."}, time.Second, "It was stopped.")
	case word == "unlucky" && times == 1:
		return nil, errors.New("the network failed")
	case word == "slow":
		of.Tell(0.5)
		<-s.open
	case word == "endless":
		<-ctx.Done()
		return nil, ctx.Err()
	}
	got := &upload.Reading{Info: []byte(`{"format":"c3d","frames":7}`), Rate: 120,
		Table:   memory{bytes.NewReader([]byte("table of " + string(text)))},
		Samples: memory{bytes.NewReader([]byte("samples"))}}
	got.Info, err = s.Measure(ctx, org, *of.As, got.Info, got.Table, got.Samples)
	return got, err
}

// office is a store with files and workers.
type office struct {
	t       *testing.T
	store   *store.Store
	files   *blob.Disk
	sender  webhook.Sender // nil: nothing is delivered
	through upload.Files   // when not nil, what workers have instead of files
	folder  string
	scope   organization.Scope
	reader  *script
	jobs    *jobs.Jobs
	closed  bool
}

// offices runs a test on both engines, at the same time.
func offices(t *testing.T, test func(*testing.T, *office)) {
	t.Helper()
	for name, options := range map[string]store.Options{
		"SQLite": {Data: storetest.Empty.Folder(t)}, "PostgreSQL": {DatabaseURL: storetest.Empty.Database(t)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := &office{t: t, folder: t.TempDir(), reader: &script{seen: map[string]int{}}}
			var err error
			o.store, err = store.Open(t.Context(), options)
			o.must(err)
			t.Cleanup(func() { o.must(o.store.Close()) })
			o.files, err = blob.OpenDisk(o.folder)
			o.must(err)
			o.scope = organization.Scope{Organization: organization.NewID()}
			o.must(o.store.CreateOrganization(t.Context(),
				organization.Organization{ID: o.scope.Organization, Name: "Lab", CreatedAt: time.Now()}))
			o.open()
			test(t, o)
		})
	}
}

func (o *office) must(err error) {
	o.t.Helper()
	if err != nil {
		o.t.Fatal(err)
	}
}

// open starts workers, which end with the test.
func (o *office) open() {
	o.t.Helper()
	lite, server, err := o.store.QueueDB(context.Background())
	o.must(err)
	files := upload.Files(o.files)
	if o.through != nil {
		files = o.through
	}
	o.jobs, err = jobs.Start(context.Background(),
		jobs.Options{SQLite: lite, Postgres: server, Await: o.store.AwaitJobs, Organizations: o.store, Library: o.store,
			Leases: o.store, Readings: o.store, Uploads: o.store, Pieces: o.store, Files: files, Reader: o.reader,
			Exports: o.store, Copies: o.store, Results: o.store, Webhooks: o.store, Sender: o.sender,
			WaitEvery: time.Millisecond, ExportBudget: export.Budget,
			Workers: workers, ReadTime: testkit.Patience, Log: slog.New(slog.NewTextHandler(o.t.Output(), nil))})
	o.must(err)
	o.closed = false
	o.t.Cleanup(func() {
		if !o.closed {
			o.close()
		}
		if lite != nil {
			o.must(lite.Close())
		} else {
			server.Close()
		}
	})
}

func (o *office) close() {
	o.t.Helper()
	o.closed = true
	if err := o.jobs.Close(); err != nil {
		o.t.Error("closing the workers:", err)
	}
}

// reserve keeps a place for a file for some time.
func (o *office) reserve(window time.Duration) string {
	o.t.Helper()
	now := time.Now().UTC().Truncate(time.Millisecond)
	r, err := o.store.Reserve(context.Background(), o.scope, upload.Reservation{
		Capture: capture.Capture{Status: capture.AwaitingUpload, Source: capture.SourceAPI, CaptureTime: &now},
		Group:   organization.NewUUID(), FileName: "walk.c3d", Expires: now.Add(window),
	}, nil)
	o.must(err)
	return r.Capture.SessionID
}

// send stores a file for a capture.
func (o *office) send(session, text string) {
	o.t.Helper()
	name := upload.OriginalName(o.scope.Organization.String())
	o.must(o.store.Expect(context.Background(), o.scope, session, name, time.Now().Add(time.Hour)))
	_, err := o.files.Put(context.Background(), name, strings.NewReader(text), int64(len(text)))
	o.must(err)
	o.must(o.store.Arrive(context.Background(), o.scope, session, name, int64(len(text)), ""))
}

func (o *office) sent(text string) string {
	o.t.Helper()
	session := o.reserve(upload.Window)
	o.send(session, text)
	return session
}

// await asks until the capture has the status: the work is done by others.
func (o *office) await(session string, want capture.Status) (got upload.Stored) {
	o.t.Helper()
	testkit.Until(o.t, "the capture is "+string(want), func() (done bool) {
		var err error
		got, err = o.store.Stored(context.Background(), o.scope, session)
		o.must(err)
		return got.Capture.Status == want
	})
	return got
}

// left are the files that are there.
func (o *office) left() (names []string) {
	o.t.Helper()
	o.must(filepath.WalkDir(o.folder, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it was being erased
		}
		if err == nil && d.Type().IsRegular() {
			names = append(names, strings.TrimPrefix(path, o.folder))
		}
		return err
	}))
	return names
}

// emptied asks until no file is left.
func (o *office) emptied() {
	o.t.Helper()
	testkit.Until(o.t, "no file is left", func() bool { return len(o.left()) == 0 })
}

func TestAFileThatArrivesIsReadAndItsTablesAreKeptUntilItsCaptureGoes(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		got := o.await(o.sent("good"), capture.Completed)
		if *got.Capture.FPSDetected != 120 ||
			!strings.HasPrefix(got.Table, "motion/org="+o.scope.Organization.String()+
				"/activity=__HIVE_DEFAULT_PARTITION__/") || got.Samples == "" {
			t.Errorf("stored %+v", got)
		}
		raw, err := os.ReadFile(filepath.Join(o.folder, got.Table))
		o.must(err)
		if string(raw) != "table of good" {
			t.Errorf("the table holds %q", raw)
		}
		_, err = o.store.ChangeCapture(t.Context(), o.scope, got.Capture.SessionID, nil,
			func(c capture.Capture, _ string) (capture.Capture, error) {
				golf := "Golf"
				c.Activity = &golf
				return c, nil
			})
		o.must(err)
		testkit.Until(t, "the table has moved", func() bool {
			moved, err := o.store.Stored(t.Context(), o.scope, got.Capture.SessionID)
			o.must(err)
			return strings.Contains(moved.Table, "/activity=golf/") && len(o.left()) == 3
		})
		o.must(o.store.DeleteCapture(t.Context(), o.scope, got.Capture.SessionID, func(string) error { return nil }))
		o.emptied()
	})
}

func TestAFileThatCannotBeReadIsAnErrorAtOnceAndOneThatKillsItsReaderAfterThreeDeaths(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		damaged, deadly, sometimes, unlucky := o.sent("damaged"), o.sent("deadly"), o.sent("sometimes"),
			o.sent("unlucky")
		if got := o.await(damaged, capture.Error); *got.Capture.Error != "It is damaged at byte 7. Export it again." ||
			o.reader.times("damaged") != 1 {
			t.Errorf("%s, read %d times", *got.Capture.Error, o.reader.times("damaged"))
		}
		if got := o.await(deadly, capture.Error); *got.Capture.Error != "It needed too much memory. It was tried "+
			"3 times." || o.reader.times("deadly") != 3 {
			t.Errorf("%s, read %d times", *got.Capture.Error, o.reader.times("deadly"))
		}
		o.await(sometimes, capture.Completed)
		o.await(unlucky, capture.Completed)
	})
}

func TestAReaderThatIsStoppedIsInnocentAtFirstAndDiesOfItsFileWhenThatGoesOn(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		stopped, pausing := o.sent("stopped"), o.sent("pausing")
		if got := o.await(stopped, capture.Error); *got.Capture.Error != "It was asked to end. It was tried 3 times." ||
			o.reader.times("stopped") != upload.MaxStops+job.MaxDeaths {
			t.Errorf("%s, read %d times", *got.Capture.Error, o.reader.times("stopped"))
		}
		o.await(pausing, capture.Completed)
	})
}

func TestAReservationWithoutAFileEndsByItself(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		got := o.await(o.reserve(time.Second), capture.Error)
		if !strings.Contains(*got.Capture.Error, "No file was uploaded") {
			t.Error(*got.Capture.Error)
		}
	})
}

func TestWhatIsBeingReadWhenWorkersStopIsReadByTheNext(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		o.reader.begun = make(chan string, 100)
		session := o.sent("endless")
		<-o.reader.begun
		o.close()
		got, err := o.store.Stored(t.Context(), o.scope, session)
		o.must(err)
		if got.Capture.Status != capture.Processing {
			t.Errorf("the capture is %s", got.Capture.Status)
		}
		o.open()
		<-o.reader.begun // by another worker, at once: the first has given it back
	})
}

func TestTheFileOfAWorkerThatDiedIsTakenOver(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		o.close()
		session := o.sent("good")
		work, _, err := o.store.Claim(t.Context(), o.scope, session) // by a worker that is never heard of again
		o.must(err)
		if work == nil {
			t.Fatal("there was nothing to be claimed")
		}
		o.open()
		o.await(session, capture.Completed)
		if err := o.store.Finish(t.Context(), o.scope, work, upload.Outcome{}); !errors.Is(err, job.ErrLost) {
			t.Errorf("the dead finished its work: %v", err)
		}
	})
}

func TestFilesOfAnAttemptThatNobodyFinishedAreErased(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		session := o.reserve(upload.Window)
		const name = "original/left behind"
		// The file comes first: on a busy machine a time that is short enough for a test may
		// be over before it comes.
		_, err := o.files.Put(t.Context(), name, strings.NewReader("half"), 4)
		o.must(err)
		o.must(o.store.Expect(t.Context(), o.scope, session, name, time.Now().Add(time.Second)))
		o.emptied()
	})
}

// awaitExport asks until the job has ended.
func (o *office) awaitExport(jobID string) (got export.Job) {
	o.t.Helper()
	testkit.Until(o.t, "the export has ended", func() bool {
		var err error
		got, err = o.store.Job(context.Background(), o.scope, jobID, export.Left{})
		o.must(err)
		return got.Status != export.Running
	})
	return got
}

func TestExportsAreBuiltAndOfATableThatIsNoneItIsSaid(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		session := o.sent("good") // whose table is a text
		o.await(session, capture.Completed)
		for range 3 { // at the same time
			j, err := o.store.CreateJob(t.Context(), o.scope, export.Request{}, nil)
			o.must(err)
			defer func() {
				got := o.awaitExport(j.ID)
				if got.Status != export.Completed || *got.RowCount != 0 || len(got.Skipped) != 1 ||
					got.Skipped[0].SessionID != session || !strings.Contains(got.Skipped[0].Reason, "cannot be read") {
					t.Errorf("the export is %+v", got)
				}
			}()
		}
	})
}
