package httpapi

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// fleeting is a shelf and a result that are there when they are asked for, and deleted
// while they are given.
type fleeting struct {
	*shelf
	*finished
	asked int
}

func (f *fleeting) Stored(ctx context.Context, s organization.Scope, id string) (upload.Stored, error) {
	if f.asked++; f.asked > 1 {
		return upload.Stored{}, fault.New(fault.NotFound, "there is no such capture")
	}
	return f.shelf.Stored(ctx, s, id)
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
	for path, prefix := range map[string]string{"/v1/captures/a/file": "", "/v1/data/export/job/job%201/results?format=csv&bom=1": "\ufeff"} {
		f := &fleeting{shelf: newShelf()}
		f.shelf.recorded(t, "a")
		f.finished = walks(t, f.shelf)
		file := bytes.Repeat([]byte("0123456789abcdef"), size/16)
		f.files["original"], f.files["kept"] = file, file
		f.kept = map[export.Format]export.Kept{export.CSV: {Name: "kept", Writers: export.Writers}}
		tokens := newOneToken(t, time.Hour, organization.CapturesRead, organization.ExportsRead)
		h := testkit.Contract(t).Handler(New(Options{Tokens: tokens, Shelf: f, Exports: f, Requests: f, Results: f, Keeper: f, Files: f.shelf, Now: func() time.Time { return start }}))
		w := ask(h, tokens, "GET", path)
		if n := w.Body.Len(); w.Code != 200 || n < lookBytes || n > lookBytes+1<<20 || !strings.HasPrefix(w.Body.String(), prefix+"0123456789") {
			t.Errorf("%s: %d, %d of %d bytes", path, w.Code, n, size)
		}
	}
}
