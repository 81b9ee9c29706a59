package httpapi_test

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/need"
	"golang.org/x/sys/unix"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// shortage is something that the machine under a server lacks for a while.
type shortage struct {
	name  string
	begin func(t *testing.T, files, temporary string) (end func())
}

func shortages() []shortage {
	rename := func(t *testing.T, from, to string) {
		t.Helper()
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	return []shortage{
		{"no file descriptor is left", func(t *testing.T, _, _ string) func() {
			var before unix.Rlimit
			if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &before); err != nil {
				t.Fatal(err)
			}
			set := func(n uint64) {
				if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: n, Max: before.Max}); err != nil {
					t.Fatal(err)
				}
			}
			set(0)
			return func() { set(before.Cur) }
		}},
		{"the temporary folder is gone", func(t *testing.T, _, temporary string) func() {
			rename(t, temporary, temporary+".away")
			return func() { rename(t, temporary+".away", temporary) }
		}},
		{"the temporary folder is full", func(t *testing.T, _, temporary string) func() {
			if err := unix.Mount("tmpfs", temporary, "tmpfs", 0, "size=4k,mode=700"); err != nil {
				need.Missing(t, "a small disk cannot be mounted here: %v", err)
			}
			if err := os.WriteFile(filepath.Join(temporary, "full"), bytes.Repeat([]byte("x"), 4096), 0o600); err !=
				nil {
				t.Error(err)
			}
			return func() {
				if err := unix.Unmount(temporary, unix.MNT_DETACH); err != nil {
					t.Errorf("the small disk stays mounted: %v", err)
				}
			}
		}},
		{"the folder for incoming files cannot be entered", func(t *testing.T, files, _ string) func() {
			incoming := filepath.Join(files, "incoming")
			rename(t, incoming, files+".away")
			if err := os.WriteFile(incoming, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			return func() {
				if err := os.Remove(incoming); err != nil {
					t.Fatal(err)
				}
				rename(t, files+".away", incoming)
			}
		}},
	}
}

// While the machine lacks something, each operation either answers or says 503; and
// what was asked for meanwhile is done once the machine has it again. One server meets
// all of it in turn, and what it then tries again it tries again at the same time.
func TestWhatTheMachineLacksIs503AndHarmsNoCapture(t *testing.T) {
	testkit.Long(t)
	if os.Getuid() != 0 {
		t.Skip("only root can mount a small disk: run this test as root")
	}
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		place, temporary := e.Place(t), t.TempDir()
		if place["files"] == "" {
			place["files"] = filepath.Join(t.TempDir(), "files")
		}
		t.Setenv("TMPDIR", temporary) // from here on: the server's own folders lie elsewhere
		a := apptest.Start(t, e, apptest.At(place))
		token := a.Token(a.Organization())
		jo, _ := person(t, a, token, `{"first_name":"Jo"}`)
		body := fmt.Sprintf(`{"athlete_id":%q,"file_name":"walk.trc"}`, jo)
		var before []affected
		for range shortages() {
			before = append(before, affected{"/captures/" + recorded(t, a, token, body), reserve(t, a, token, body),
				reserve(t, a, token, body)})
		}
		var sent []string
		for i, s := range shortages() {
			t.Run(s.name, func(t *testing.T) {
				s.affects(t, a, token, body, temporary, before[i])
				sent = append(sent, before[i].waiting.SessionID, before[i].late.SessionID)
			})
		}
		for _, id := range sent {
			if status := settled(a, token, id); status != "completed" {
				t.Errorf("%s is %s: %s", id, status, a.Get("/captures/"+id, token).Body)
			}
		}
	})
}

// affected are the captures that one shortage meets: the path of one that is completed,
// one whose file comes meanwhile, and one whose file has just come.
type affected struct {
	path          string
	waiting, late reservation
}

// reconnecting is a client without a descriptor for a new connection. It seldom needs one: the transport of net/http
// gives up a connection whose request took longer than 50 ms to be reported as written, as on a busy machine.
type reconnecting struct {
	http.RoundTripper
	connect func() // ends the shortage for as long as a connection takes
}

// RoundTrip asks, and asks again through a new connection where there was none.
func (r reconnecting) RoundTrip(asked *http.Request) (*http.Response, error) {
	answer, err := r.RoundTripper.RoundTrip(asked)
	for errors.Is(err, unix.EMFILE) {
		r.connect()
		again := asked.Clone(asked.Context())
		if asked.GetBody != nil {
			if again.Body, err = asked.GetBody(); err != nil {
				return nil, err
			}
		}
		answer, err = r.RoundTripper.RoundTrip(again)
	}
	return answer, err
}

// affects asks the server for everything during the shortage.
func (s shortage) affects(t *testing.T, a *apptest.App, token, body, temporary string, its affected) {
	t.Helper()
	sent := upload(t, a, its.late, threeFrames)

	var end func()
	begin := func() { end = sync.OnceFunc(s.begin(t, a.Place["files"], temporary)) }
	begin()
	t.Cleanup(func() { end() }) // the next shortage begins without this one, however this test ends
	direct := a.HTTP.Transport
	defer func() { a.HTTP.Transport = direct }()
	a.HTTP.Transport = reconnecting{direct, func() {
		end()
		a.Page("/healthz").Want(200) // which leaves an idle connection
		begin()
	}}
	sent.Want(204)
	refused := 0
	ask := func(got *apptest.Answer) *apptest.Answer {
		if got.Status == 503 {
			refused++
		} else if got.Status >= 500 {
			t.Errorf("answered %d: %s", got.Status, got.Body)
		}
		return got
	}
	for range 2 { // what fails once leaves nothing that fails in another way
		for _, part := range []string{"", "/motion", "/frames", "/file", "/file?format=csv", "/file?format=c3d"} {
			ask(a.Get(its.path+part, token))
		}
		ask(a.Get("/captures", token))
		ask(a.Post("/captures", token, body))
		ask(a.Post("/data/export", token, `{}`))
	}
	took := ask(upload(t, a, its.waiting, threeFrames))
	end()

	if refused == 0 {
		t.Error("nothing was refused, so nothing was lacking")
	}
	if took.Status == 503 {
		upload(t, a, its.waiting, threeFrames).Want(204)
	}
	a.Get(its.path+"/file?format=csv", token).Want(200)
}
