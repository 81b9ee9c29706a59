package jobs

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/riverqueue/river"
	"golang.org/x/sync/semaphore"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// desk hands out the making of one file and notes what it hears.
type desk struct {
	job.Leases
	export.FileBuilder
	upload.Store
	work  *export.FileWork
	said  []string
	lost  bool // ExpectFile says that the work is another's
	again time.Time
}

func (d *desk) ClaimFile(context.Context, organization.Scope, string) (*export.FileWork, time.Duration, error) {
	return d.work, 0, nil
}

func (d *desk) ExpectFile(_ context.Context, s organization.Scope, _ *export.FileWork, name string) error {
	d.said = append(d.said, "intend "+strings.SplitAfter(name, s.Organization.String())[0])
	if d.lost {
		return job.ErrLost
	}
	return nil
}

func (d *desk) FinishFile(_ context.Context, _ organization.Scope, _ *export.FileWork, _ string, size int64) (bool,
	error) {
	d.said = append(d.said, "finish")
	if size == 0 {
		return false, errors.New("an empty file")
	}
	return true, nil
}

func (d *desk) ReleaseFile(_ context.Context, _ organization.Scope, _ *export.FileWork, again time.Time) error {
	d.said, d.again = append(d.said, "release"), again
	return nil
}

func (d *desk) GiveUpFile(context.Context, organization.Scope, *export.FileWork) error {
	d.said = append(d.said, "give up")
	return nil
}

func (d *desk) Forget(context.Context, organization.Scope, ...string) error {
	d.said = append(d.said, "forget")
	return nil
}

func (d *desk) Extend(context.Context, job.Held) error { return nil }

// Parts has none: a result without rows is a line of names.
func (d *desk) Parts(context.Context, organization.Scope, string, string, int64, int) ([]export.Part, error) {
	return nil, nil
}

func (d *desk) Result(context.Context, organization.Scope, string) (export.Result, error) {
	return d.work.Result, nil
}

// room takes files, until it breaks.
type room struct {
	upload.Files
	files  map[string]string
	broken error
}

func (r *room) Put(_ context.Context, name string, from io.Reader, _ int64) (int64, error) {
	if r.broken != nil {
		return 0, r.broken
	}
	var b bytes.Buffer
	n, err := b.ReadFrom(from)
	if err == nil {
		r.files[name] = b.String()
	}
	return n, err
}

func TestAFileIsKeptOrItIsSaidWhyNot(t *testing.T) {
	for what, c := range map[string]struct {
		room   int64
		broken error
		lost   bool
		stops  bool
		want   string
		files  int
	}{
		"with room":        {room: 1 << 20, want: "intend finish", files: 1},
		"to the byte":      {room: 114, want: "intend finish", files: 1},
		"a byte too large": {room: 113, want: "intend forget give up"},
		"a bucket that is away": {room: 1 << 20, broken: fault.Busy(nil, time.Second, "away"),
			want: "intend forget release"},
		"a disk that is full": {room: 1 << 20, broken: fault.Busy(syscall.ENOSPC, time.Second, "full"),
			want: "intend forget give up"},
		"taken over":              {room: 1 << 20, lost: true, want: "intend forget"},
		"a server that is ending": {room: 1 << 20, stops: true, want: "forget release"},
	} {
		d := &desk{lost: c.lost, work: &export.FileWork{Format: export.CSV, Held: job.Held{Attempt: 1}, Room: c.room}}
		files := &room{files: map[string]string{}, broken: c.broken}
		ctx, stop := context.WithCancel(t.Context())
		if c.stops {
			stop()
		}
		w := &fileBuilder{Options: Options{Downloads: new(export.ActiveDownloads), Leases: d, Copies: d, Uploads: d,
			Results: d, Files: files, Log: slog.New(slog.DiscardHandler)}, room: semaphore.NewWeighted(copyRoom)}
		err := w.Work(ctx, &river.Job[copying]{
			Args: copying{job.Job{Organization: organization.ID{1}.String(), Subject: "csv/J"}}})
		stop()
		said := strings.ReplaceAll(strings.Join(d.said, " "), " export/org="+organization.ID{1}.String(), "")
		if err != nil || said != c.want || len(files.files) != c.files {
			t.Errorf("%s: it says %q, keeps %q, and fails with %v", what, said, files.files, err)
		}
		if said == "intend forget release" && !d.again.After(time.Now()) || c.stops && !d.again.IsZero() {
			t.Errorf("%s: again at %s", what, d.again)
		}
		for name, text := range files.files {
			if !strings.HasPrefix(name, "export/org="+organization.ID{1}.String()+"/") ||
				!strings.HasSuffix(name, ".csv") || !strings.HasPrefix(text, "sessionid,") || len(text) != 114 {
				t.Errorf("%s: %s has %d bytes: %q", what, name, len(text), text)
			}
		}
	}
}

func TestMakingAFileGivesWayToWhoHasAResultWrittenForAWhile(t *testing.T) {
	for what, c := range map[string]struct {
		again bool
		ends  time.Duration // of the caller's file
		want  time.Duration
	}{
		"until it is written":     {ends: 20 * time.Second, want: 20 * time.Second},
		"and no longer":           {ends: time.Hour, want: export.Patience},
		"unless somebody waits":   {ends: time.Hour, again: true},
		"and not when it is over": {},
	} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := &desk{work: &export.FileWork{Format: export.CSV, Room: 1 << 20, Again: c.again}}
				downloads := new(export.ActiveDownloads)
				if end := downloads.Begin(); c.ends > 0 {
					time.AfterFunc(c.ends, end)
				} else {
					end()
				}
				w := &fileBuilder{Options: Options{Downloads: downloads, Leases: d, Copies: d, Uploads: d, Results: d,
					Files: &room{files: map[string]string{}}, Log: slog.New(slog.DiscardHandler)},
					room: semaphore.NewWeighted(copyRoom)}
				begun := time.Now()
				err := w.Work(t.Context(),
					&river.Job[copying]{Args: copying{job.Job{Organization: organization.ID{1}.String(),
						Subject: "csv/J"}}})
				if took := time.Since(begun); err != nil || took < c.want || took > c.want+quietEvery ||
					d.said[len(d.said)-1] != "finish" {
					t.Errorf("after %s: %q, %v", took, d.said, err)
				}
			})
		})
	}
}
