package intake_test

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/intake"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/upload"
)

func TestAFolderTwiceReadsNothingAndChangesNothing(t *testing.T) {
	labs(t, func(t *testing.T, l *lab) {
		folder := lay(t, map[string]string{"a.trc": "good", "b/c.trc": "good c", "broken.c3d": "damaged",
			"heavy.c3d": "deadly", "kinebase.csv": "file,movement\n**,squat\n"})
		first := l.bring(folder,
			func(im *intake.Import) { im.Folders.Defaults = capture.Capture{Activity: new("jump")} }).went(t)
		before := l.stored(first, "a.trc")
		l.reader.reads()
		o := l.bring(folder+"/",
			func(im *intake.Import) { im.Folders.Defaults = capture.Capture{Activity: new("jump")} }).went(t)
		if e := o.effects(); e[manifest.Unchanged] != 4 || len(e) != 1 || o.summary != first.summary {
			t.Errorf("effects %v, summary %+v, the first time %+v", e, o.summary, first.summary)
		}
		if n := l.reader.reads(); n != 0 {
			t.Errorf("%d files were read again", n)
		}
		if after := l.stored(o, "a.trc"); after.Version != before.Version || after.Original != before.Original {
			t.Errorf("%+v became %+v", before, after)
		}
	})
}

func TestAfterAChangeOfOneFileThatFileAloneIsRead(t *testing.T) {
	labs(t, func(t *testing.T, l *lab) {
		folder := lay(t, map[string]string{"a.trc": "good", "b.trc": "good b", "c.trc": "good c"})
		l.bring(folder).went(t)
		l.reader.reads()
		l.rewrite(folder, "b.trc", "good and better")
		o := l.bring(folder).went(t)
		if e := o.effects(); e[manifest.Unchanged] != 2 || e[manifest.Created] != 1 ||
			l.reader.seen["good and better"] != 1 || l.reader.reads() != 1 {
			t.Errorf("effects %v", e)
		}
		if got := l.stored(o, "b.trc"); l.text(got.Table) != "table of good and better" {
			t.Errorf("kept is %+v", got)
		}
	})
}

func TestAnImportThatIsStoppedGoesOnWhereItStopped(t *testing.T) {
	labs(t, func(t *testing.T, l *lab) {
		files := map[string]string{"m.trc": "slow"}
		for i := range 10 {
			files["a"+strconv.Itoa(i)+".trc"], files["z"+strconv.Itoa(i)+".trc"] = "good a"+strconv.Itoa(i),
				"good z"+strconv.Itoa(i)
		}
		folder := lay(t, files)
		ctx, stop := context.WithCancel(t.Context())
		l.reader.told, l.reader.wait = make(chan string, 100), make(chan struct{})
		went := make(chan int, 100)
		go func() {
			told := 0
			for told < 10 {
				told = <-went
			}
			for name := ""; name != "m.trc"; name = <-l.reader.told {
			}
			stop()
		}()
		o := l.bringUntil(ctx, folder, func(im *intake.Import) {
			im.Progress = func(p intake.Progress) { went <- int(p.Files) }
		})
		if !errors.Is(o.err, context.Canceled) || o.summary.Captures != 10 {
			t.Fatalf("it ended with %v and %+v", o.err, o.summary)
		}
		l.reader.told = nil
		close(l.reader.wait)
		first := l.reader.reads()
		o = l.bring(folder).went(t)
		again := l.reader.reads()
		if e := o.effects(); o.summary.Captures != 21 || e[manifest.Unchanged] < 10 || e[manifest.Created] != again ||
			e[manifest.Updated] != 0 {
			t.Errorf("effects %v, %d files read first and %d then", e, first, again)
		}
		l.erase()
		if kept := l.keeps(); len(kept) != 3*21 {
			t.Errorf("%d files are kept: %q", len(kept), kept)
		}
	})
}

func TestWhatAKilledImportLeftIsErasedInTime(t *testing.T) {
	labs(t, func(t *testing.T, l *lab) {
		// What is there right before Bring: a file under a name that was planned.
		name := upload.OriginalName(l.scope.Organization.String())
		l.must(l.store.ExpectBrought(t.Context(), l.scope, "killed", time.Now().Add(-time.Second), name))
		_, err := l.files.Put(t.Context(), name, strings.NewReader("good"), 4)
		l.must(err)
		o := l.bring(lay(t, map[string]string{"a.trc": "good"})).went(t)
		l.erase()
		if kept := l.keeps(); len(kept) != 3 || l.text(l.stored(o, "a.trc").Original) != "good" {
			t.Errorf("kept is %q", kept)
		}
	})
}

func TestAFailureThatIsNotTheFilesStopsTheImportAndWhatWentInStays(t *testing.T) {
	labs(t, func(t *testing.T, l *lab) {
		folder := lay(t, map[string]string{"a.trc": "good", "b.trc": "good b"})
		broken := errors.New("no more processes")
		one := func(im *intake.Import) { im.Folders.Workers = 1 }
		l.bring(lay(t, map[string]string{"a.trc": "good"}), one).went(t)
		l.reader.fail = broken
		o := l.bring(folder, one)
		if !errors.Is(o.err, broken) || o.summary.Captures != 1 {
			t.Errorf("it ended with %v and %+v", o.err, o.summary)
		}
		l.reader.fail = nil
		l.erase()
		if kept := l.keeps(); len(kept) != 3 {
			t.Errorf("kept is %q", kept)
		}
		// A disk that fails is no fault of the file either.
		o = l.bring(folder, one, func(im *intake.Import) { im.Folders.Files = full{im.Folders.Files} })
		if !errors.Is(o.err, errFull) || o.summary.Captures != 1 {
			t.Errorf("it ended with %v and %+v", o.err, o.summary)
		}
		l.erase()
		if kept := l.keeps(); len(kept) != 3 {
			t.Errorf("kept is %q", kept)
		}
		if o := l.bring(folder).went(t); o.effects()[manifest.Created] != 1 {
			t.Errorf("then %v", o.effects())
		}
	})
}

func TestACaptureOfAnEarlierVersionGetsItsFileAndKeepsWhatPeopleAdded(t *testing.T) {
	labs(t, func(t *testing.T, l *lab) {
		folder := lay(t, map[string]string{"a.trc": "dated 2026-05-13T12:00:00.1239Z"})
		id := l.bring(folder, func(im *intake.Import) { im.Dry = true }).made["a.trc"].SessionID
		at := time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC)
		old := capture.Capture{SessionID: id, Status: capture.Completed, Source: "import", Activity: new("gait"),
			CaptureTime: &at, FPSDetected: new(60.0)}
		_, err := l.store.Import(t.Context(), l.scope, []manifest.Record{{Capture: &old}}, false)
		l.must(err)
		o := l.bring(folder).went(t)
		got := l.stored(o, "a.trc")
		if o.made["a.trc"].Effect != manifest.Updated || got.Original == "" || got.Table == "" ||
			label(got.Capture.Activity) != "gait" || !got.Capture.CaptureTime.Equal(at) ||
			*got.Capture.FPSDetected != 120 {
			t.Errorf("it became %+v", got)
		}
		if o := l.bring(folder).went(t); o.made["a.trc"].Effect != manifest.Unchanged {
			t.Errorf("the third time: %v", o.effects())
		}
	})
}

// full is a disk without room for tables.
type full struct{ upload.Files }

var errFull = errors.New("the disk is full")

func (f full) Put(ctx context.Context, name string, r io.Reader, size int64) (int64, error) {
	if strings.HasPrefix(name, "motion/") {
		return 0, errFull
	}
	return f.Files.Put(ctx, name, r, size)
}
