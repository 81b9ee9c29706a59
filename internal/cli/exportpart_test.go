package cli_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// keeper is a server of one file that it gives in parts, and cuts.
type keeper struct {
	text  string
	tag   string
	cuts  []int    // after so many bytes the answers break off; those that follow do not
	asked []string // the ranges
}

func (k *keeper) serve(w http.ResponseWriter, r *http.Request) {
	k.asked = append(k.asked, r.Header.Get("Range"))
	w.Header().Set("Etag", k.tag)
	w.Header().Set("Content-Type", "text/csv")
	if len(k.cuts) == 0 {
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(k.text))
		return
	}
	left := k.cuts[0]
	k.cuts = k.cuts[1:]
	http.ServeContent(&cutting{w, left}, r, "", time.Time{}, strings.NewReader(k.text))
}

// cutting cuts the connection after some bytes.
type cutting struct {
	http.ResponseWriter
	left int
}

func (c *cutting) Write(b []byte) (int, error) {
	n, err := c.ResponseWriter.Write(b[:min(len(b), c.left)])
	if c.left -= n; c.left > 0 || err != nil {
		return n, err
	}
	if err := http.NewResponseController(c.ResponseWriter).Flush(); err != nil {
		return n, err
	}
	panic(http.ErrAbortHandler)
}

func TestADownloadThatBreaksOffGoesOnWhereItWas(t *testing.T) {
	s := newShell(t)
	k := &keeper{text: "sessionid\n" + strings.Repeat("0123456789\n", 100_000), tag: `"one"`}
	scriptedRequest(t, s, nil, k.serve)
	file := filepath.Join(t.TempDir(), "x.csv")
	whole := func() {
		t.Helper()
		if text, err := os.ReadFile(file); err != nil || string(text) != k.text {
			t.Errorf("the file has %d bytes of %d: %v", len(text), len(k.text), err)
		}
		if left, err := os.ReadDir(filepath.Dir(file)); err != nil || len(left) != 1 {
			t.Errorf("beside it there are %v, %v", left, err)
		}
	}
	// As long as something comes it goes on.
	k.cuts = []int{500_000, 1, 100_000, 1, 1}
	s.run("export", "-o", file).ok()
	whole()
	if got, want := fmt.Sprint(k.asked), "[ bytes=500000- bytes=500001- bytes=600001- bytes=600002- bytes=600003-]"; got != want {
		t.Errorf("asked was for %s, want %s", got, want)
	}

	// When nothing comes any more the part stays, and is gone on with by the job.
	k.cuts = []int{400_000, 0, 0, 0}
	s.run("export", "-o", file).fails(1, "of it are in "+file+".part. To go on: kinebase export --job J --format csv -o "+file)
	k.asked = nil
	s.run("export", "--job", "J", "-o", file).ok()
	whole()
	if got, want := fmt.Sprint(k.asked), "[bytes=400000-]"; got != want {
		t.Errorf("asked was for %s, want %s", got, want)
	}

	// Rows were deleted in between: the file is another, and comes whole.
	k.cuts = []int{400_000, 0, 0, 0}
	s.run("export", "-o", file).fails(1, "To go on")
	k.text, k.tag = strings.ReplaceAll(k.text[:700_010], "5", "x"), `"two"`
	s.run("export", "--job", "J", "-o", file).ok()
	whole()

	// So is one that is of another job, of another kind, or longer than all of it.
	for what, args := range map[string][]string{"another job": {"--job", "K"}, "another kind": {"--job", "J", "--spreadsheet"}, "a new export": nil, "too much": {"--job", "J"}} {
		k.cuts = []int{400_000, 0, 0, 0}
		s.run("export", "-o", file).fails(1, "To go on")
		if what == "too much" {
			if err := os.WriteFile(file+".part", bytes.Repeat([]byte("y"), 700_010), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		k.asked = nil
		s.run(append([]string{"export", "-o", file}, args...)...).ok()
		whole()
		if last := k.asked[len(k.asked)-1]; last != "" {
			t.Errorf("%s: asked was for %q", what, k.asked)
		}
	}
}
