package httpapi

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/testkit/contract"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// fleeting is uploads and a result that are there when they are asked for, and deleted
// while they are given.
type fleeting struct {
	*uploads
	*finished
	asked int
}

func (f *fleeting) Stored(ctx context.Context, s organization.Scope, id string) (upload.Stored, error) {
	if f.asked++; f.asked > 1 {
		return upload.Stored{}, fault.New(fault.NotFound, "there is no such capture")
	}
	return f.uploads.Stored(ctx, s, id)
}

func (f *fleeting) Result(ctx context.Context, s organization.Scope, id string) (export.Result, error) {
	r, err := f.finished.Result(ctx, s, id)
	if f.asked++; f.asked > 1 {
		r.Version = "of fewer rows"
	}
	return r, err
}

func TestAFileThatIsDeletedWhileItIsGivenBreaksOff(t *testing.T) {
	const size = 3 * lookBytes
	for path, prefix := range map[string]string{"/v1/captures/a/file": "",
		"/v1/data/export/job/job%201/results?format=csv&bom=1": "\ufeff"} {
		f := &fleeting{uploads: newUploads()}
		f.uploads.recorded(t, "a")
		f.finished = walks(t, f.uploads)
		file := bytes.Repeat([]byte("0123456789abcdef"), size/16)
		f.files["original"], f.files["kept"] = file, file
		f.kept = map[export.Format]export.Kept{export.CSV: {Name: "kept", Writers: export.Writers}}
		tokens := newOneToken(t, time.Hour, organization.CapturesRead, organization.ExportsRead)
		h := contract.Of(t).Handler(
			New(Options{Tokens: tokens, Uploads: f, Exports: f, Requests: f, Results: f, Keeper: f, Files: f.uploads,
				Now: func() time.Time { return start }}))
		w := ask(h, tokens, "GET", path)
		if n := w.Body.Len(); w.Code != 200 || n < lookBytes || n > lookBytes+1<<20 ||
			!strings.HasPrefix(w.Body.String(), prefix+"0123456789") {
			t.Errorf("%s: %d, %d of %d bytes", path, w.Code, n, size)
		}
	}
}

func TestAFileThatIsTakenSlowlyIsLookedAfterEverySecond(t *testing.T) {
	now, looks := start, 0
	l := newRevocable(strings.NewReader(strings.Repeat("a", 100)), func() time.Time { return now },
		func() (bool, error) {
			looks++
			return looks < 3, nil
		})
	read := func(after time.Duration) error {
		now = now.Add(after)
		_, err := l.ReadAt(make([]byte, 1), 0)
		return err
	}
	for i, step := range []struct {
		after time.Duration
		looks int
	}{{0, 0}, {lookEvery, 0}, {1, 1}, {lookEvery, 1}, {1, 2}, {lookEvery, 2}} {
		if err := read(step.after); err != nil || looks != step.looks {
			t.Errorf("at step %d: %v after %d looks, want %d", i, err, looks, step.looks)
		}
	}
	if err := read(1); !errors.Is(err, errErased) {
		t.Errorf("a file that was erased is read with %v", err)
	}
}
