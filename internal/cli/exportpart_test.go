package cli_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// keeper is a server of one file that it gives in parts, and cuts.
type keeper struct {
	text    string
	tag     string
	cuts    []int    // after so many bytes the answers break off; those that follow do not
	streams int      // so many answers are written before the file is kept
	asked   []string // the ranges
}

func (k *keeper) serve(w http.ResponseWriter, r *http.Request) {
	k.asked = append(k.asked, r.Header.Get("Range"))
	w.Header().Set("Etag", k.tag)
	w.Header().Set("Content-Type", "text/csv")
	if len(k.cuts) > 0 {
		w = &cutting{w, k.cuts[0]}
		k.cuts = k.cuts[1:]
	}
	if k.streams > 0 {
		k.streams--
		w.Header().Set("Accept-Ranges", "none")
		_, _ = io.WriteString(w, k.text)
		return
	}
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(k.text))
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
	if got, want := fmt.Sprint(k.asked),
		"[ bytes=500000- bytes=500001- bytes=600001- bytes=600002- bytes=600003-]"; got != want {
		t.Errorf("asked was for %s, want %s", got, want)
	}

	// When nothing comes any more the part stays, and is gone on with by the job.
	k.cuts = []int{400_000, 0, 0, 0}
	s.run("export", "-o", file).fails(1, "of it are in "+file+
		".part. To go on: kinebase export --job J --format csv -o "+file)
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
	for what, args := range map[string][]string{"another job": {"--job", "K"},
		"another kind": {"--job", "J", "--spreadsheet"}, "another locale": {"--job", "J", "--locale", "de"},
		"a new export": nil, "too much": {"--job", "J"}} {
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

func TestAFirstDownloadGoesOnWhereItWasAsSoonAsTheFileIsKept(t *testing.T) {
	s := newShell(t)
	k := &keeper{text: "sessionid\n" + strings.Repeat("0123456789\n", 100_000), tag: `"one"`}
	scriptedRequest(t, s, nil, k.serve)
	for _, to := range []string{filepath.Join(t.TempDir(), "x.csv"), "-"} {
		// It is written twice for this caller, and then kept.
		k.cuts, k.streams, k.asked = []int{500_000, 200_000, 300_000}, 2, nil
		r := s.run("export", "--format", "csv", "-o", to).ok()
		got := r.out
		if to != "-" {
			b, err := os.ReadFile(to)
			if err != nil {
				t.Fatal(err)
			}
			got = string(b)
		}
		if got != k.text {
			t.Errorf("to %s: %d bytes of %d", to, len(got), len(k.text))
		}
		if got, want := fmt.Sprint(k.asked), "[ bytes=500000- bytes=500000- bytes=800000-]"; got != want {
			t.Errorf("asked was for %s, want %s", got, want)
		}
	}

	// A part stays that came while the file was written, and one longer than the file is not believed.
	file := filepath.Join(t.TempDir(), "y.csv")
	for _, longer := range []bool{false, true} {
		k.cuts, k.streams, k.asked = []int{400_000, 0, 0, 0}, 4, nil
		s.run("export", "-o", file).fails(1, "To go on: kinebase export --job J --format csv -o "+file)
		if longer {
			if err := os.WriteFile(file+".part", bytes.Repeat([]byte("y"), 2_000_000), 0o600); err != nil {
				t.Fatal(err)
			}
			k.streams = 9
		}
		s.run("export", "--job", "J", "-o", file).ok()
		if b, err := os.ReadFile(file); err != nil || string(b) != k.text {
			t.Errorf("the file has %d bytes of %d: %v", len(b), len(k.text), err)
		}
		k.streams = 0
	}
}
