package sending_test

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
)

// tripped does something before a request goes out.
type tripped func(*http.Request)

// RoundTrip is http.RoundTripper.
func (f tripped) RoundTrip(r *http.Request) (*http.Response, error) {
	f(r)
	return http.DefaultTransport.RoundTrip(r)
}

func TestAFileIsRefusedOfWhichTheBytesAloneChangeWhileItIsSent(t *testing.T) {
	for what, frames := range map[string]int{"small": 3, "long": 60_000, "of two blocks": 90_000} {
		t.Run(what, func(t *testing.T) {
			a := apptest.Start(t, apptest.SQLite)
			token := a.Token(a.Organization())
			text := trc(frames)
			dir := folder(t, map[string][]byte{"walk.trc": text})
			path := filepath.Join(dir, "walk.trc")
			later := bytes.Clone(text)
			later[len(later)-3] = '7' // a digit of its last row
			once := sync.OnceFunc(func() {
				info, err := os.Stat(path)
				if err == nil {
					err = os.WriteFile(path, later, 0o600)
				}
				if err == nil {
					err = os.Chtimes(path, info.ModTime(), info.ModTime())
				}
				if err != nil {
					t.Error(err)
				}
			})
			got := send(t.Context(), t, a.URL, token, false, &http.Client{Transport: tripped(func(r *http.Request) {
				if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/captures") {
					once()
				}
			})}, dir)
			if got.err != nil || got.Failed != 1 || !strings.Contains(strings.Join(got.said, ""),
				"changed while it was read") {
				t.Errorf("%+v", got)
			}
			again := send(t.Context(), t, a.URL, token, false, a.HTTP, dir)
			if again.err != nil || again.effects()[manifest.Created] != 1 {
				t.Fatalf("the second time: %+v", again)
			}
			completed := a.Get("/captures?status=completed", token).Want(200).Object()["captures"].([]any)
			if len(completed) != 1 {
				t.Fatalf("there are %v", completed)
			}
			body := a.Get("/captures/"+again.captures[0].SessionID+"/file", token).Want(200).Body
			if !bytes.Equal(body, later) {
				t.Error("the file is not as it is now")
			}
		})
	}
}

func TestADryRunRefusesWhatTheServerWould(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite)
	org := a.Organization()
	dir := folder(t, map[string][]byte{"a.trc": trc(3), `left\right.trc`: trc(4)})
	people := filepath.Join(t.TempDir(), "people.ndjson")
	if err := os.WriteFile(people, []byte(`{"type":"athlete","first_name":"Ann"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var said [2]string
	for n, dry := range []bool{true, false} {
		got := send(t.Context(), t, a.URL, a.Token(org), dry, a.HTTP, dir)
		if said[n] = strings.Join(got.said, "\n"); got.err != nil || got.Failed != 1 || len(got.captures) != 1 {
			t.Errorf("dry %v: %+v", dry, got)
		}
	}
	if said[0] != said[1] || !strings.Contains(said[0], "is not taken: ") {
		t.Errorf("a dry run says %q, and the real one %q", said[0], said[1])
	}
	const reads = organization.CapturesRead
	for what, c := range map[string]struct {
		token string
		paths []string
	}{
		"a file":     {a.Token(org, reads, organization.AthletesRead, organization.AthletesWrite), []string{dir}},
		"an athlete": {a.Token(org, reads, organization.CapturesWrite, organization.AthletesRead), []string{people}},
	} {
		for _, dry := range []bool{true, false} {
			if err := os.WriteFile(filepath.Join(dir, "new.trc"), trc(5), 0o600); err != nil {
				t.Fatal(err)
			}
			got := send(t.Context(), t, a.URL, c.token, dry, a.HTTP, c.paths...)
			if got.err == nil || !strings.Contains(got.err.Error(), "403") {
				t.Errorf("%s without its scope, dry %v: %+v", what, dry, got)
			}
		}
	}
	if got := send(t.Context(), t, a.URL, a.ReadOnlyToken(org), true, a.HTTP, folder(t, map[string][]byte{
		"a.trc": trc(3)})); got.err != nil || got.effects()[manifest.Unchanged] != 1 {
		t.Errorf("what needs nothing to be written: %+v", got)
	}
}

// TestOfTwoThatSendAFolderAtOnceOneHasBroughtEachFile has both of them find that no file is there, before either sends.
func TestOfTwoThatSendAFolderAtOnceOneHasBroughtEachFile(t *testing.T) {
	testkit.Long(t)
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		token := a.Token(a.Organization())
		dir := folder(t, map[string][]byte{"a.trc": trc(3), "long.trc": trc(60_000), "longer.trc": trc(900_000)})
		var mu sync.Mutex
		both := map[string]*sync.WaitGroup{} // one for each request that both make
		meet := func(query string) {
			mu.Lock()
			if both[query] == nil {
				both[query] = new(sync.WaitGroup)
				both[query].Add(2)
			}
			all := both[query]
			mu.Unlock()
			all.Done()
			all.Wait()
		}
		var got [2]sent
		var sending sync.WaitGroup
		for n := range got {
			var seen sync.Map
			sending.Go(func() {
				way := tripped(func(r *http.Request) {
					if q := r.URL.Query().Get("q"); q != "" {
						if _, again := seen.LoadOrStore(q, true); !again {
							meet(q)
						}
					}
				})
				got[n] = send(t.Context(), t, a.URL, token, false, &http.Client{Transport: way}, dir)
			})
		}
		sending.Wait()
		created := map[string]int{}
		for n, s := range got {
			if s.err != nil || s.Failed > 0 || len(s.captures) != 3 {
				t.Fatalf("%d: %+v", n, s)
			}
			for _, c := range s.captures {
				if c.Status != "completed" {
					t.Errorf("%s is %s", c.Path, c.Status)
				}
				switch name := filepath.Base(c.Path); c.Effect {
				case manifest.Created:
					created[name]++
				case manifest.Unchanged:
				default:
					t.Errorf("%s: the effect is %v", name, c.Effect)
				}
			}
		}
		for _, name := range []string{"a.trc", "long.trc", "longer.trc"} {
			if created[name] != 1 {
				t.Errorf("%s was told to be new %d times", name, created[name])
			}
		}
		if n := rows(a, token); n != 3 {
			t.Errorf("there are %d captures", n)
		}
	})
}
