package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/internal/testkit/need"
)

// blow is what happens to a program of the page at one of its requests.
type blow int

const (
	never  blow = iota
	before      // it is killed when it asks
	within      // half of the answer comes
	after       // it is killed when it has the answer
	blows
)

// gate passes the requests of a program on to a server, and strikes at one of them.
type gate struct {
	*telling

	sync.Mutex
	program *exec.Cmd
	blow    blow
	left    int // requests up to the one at which it strikes
	struck  map[blow]int
}

// ServeHTTP is http.Handler.
func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.Lock()
	defer g.Unlock()
	now := never
	if g.left--; g.left == 0 {
		now = g.blow
		g.struck[now]++
	}
	if now == before {
		_ = g.program.Process.Kill()
		panic(http.ErrAbortHandler)
	}
	ask, err := http.NewRequestWithContext(r.Context(), r.Method, g.servers[0].Load().root()+r.URL.String(), nil)
	if err != nil {
		g.Error(err)
		return
	}
	ask.Header = r.Header
	answer, err := http.DefaultClient.Do(ask)
	if err != nil {
		panic(http.ErrAbortHandler) // the server was killed
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Content-Length", fmt.Sprint(len(body)))
	w.WriteHeader(answer.StatusCode)
	if now == within {
		body = body[:len(body)/2]
	}
	_, _ = w.Write(body) // it may have been killed
	switch now {
	case within:
		panic(http.ErrAbortHandler)
	case after:
		_ = http.NewResponseController(w).Flush()
		_ = g.program.Process.Kill()
	}
}

// run runs the program once, with a blow at a request, and says whether it ended well.
func (g *gate) run(url, token, folder, text string, blow blow, at int) bool {
	g.Helper()
	cmd := exec.Command("python3", "-c", text)
	cmd.Dir, cmd.Env = folder, append(os.Environ(), "KINEBASE_URL="+url, "KINEBASE_TOKEN="+token)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	var said testkit.Buffer
	cmd.Stderr = &said
	g.Lock()
	g.program, g.blow, g.left = cmd, blow, at
	err := cmd.Start()
	g.Unlock()
	if err != nil {
		g.Fatal(err)
	}
	if err = cmd.Wait(); err != nil && blow == never {
		g.Logf("the program ended with %v: %s", err, said.String())
	}
	return err == nil
}

// TestTheNightlySyncOfThePageSurvivesKillsAndDeletions runs the program of docs/sync.md again and again, kills it and
// the server, while others make, change and delete what it copies. In the end the copy is what the server has.
func TestTheNightlySyncOfThePageSurvivesKillsAndDeletions(t *testing.T) {
	testkit.Long(t)
	t.Parallel() // it waits for leases of killed servers
	if _, err := exec.LookPath("python3"); err != nil {
		need.Missing(t, "no python3; to run this test: apt-get install python3")
	}
	text := ""
	for _, b := range page(t, "docs/sync.md", "## Every night, into SQLite") {
		if b.kind == "python" && text == "" {
			text = b.text
		}
	}
	if lines := strings.Count(text, "\n"); lines > 25 || lines < 5 {
		t.Fatalf("the program has %d lines:\n%s", lines, text)
	}
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		m := newMachine(t, e)
		org := m.organization()
		run := &telling{T: t, m: m, want: 80}
		_, run.secret = m.token(org)
		var few struct{ Token string }
		m.run(&few, "token", "create", "--org", org, "--name", "few", "--scopes", "captures:read")
		chance := seeded(t)
		var lines strings.Builder
		for n := range 600 { // more than a page
			fmt.Fprintf(&lines, `{"type":"capture","session_id":"s%d","status":"completed","athlete_ids":[]}`+"\n", n)
		}
		manifest := filepath.Join(t.TempDir(), "m.ndjson")
		if err := os.WriteFile(manifest, []byte(lines.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		m.run(new(struct{}), "import", "--org", org, manifest)
		for n := range run.servers {
			run.start(n)
		}
		g := &gate{telling: run, struck: map[blow]int{}}
		way := httptest.NewServer(g)
		defer way.Close()
		folder := t.TempDir()
		if !g.run(way.URL+"/v1", few.Token, folder, text, never, 0) {
			t.Fatal("it has not ended well")
		}
		// From now on by a token that may read more, for which it has to begin again.
		var writing sync.WaitGroup
		defer writing.Wait()
		for n := range 2 {
			w := &teller{telling: run, name: fmt.Sprint("w", n), chance: rand.New(rand.NewPCG(chance.Uint64(), 0)),
				links: map[string][]string{}, due: map[occurrence]int{}}
			run.tellers = append(run.tellers, w)
			writing.Go(w.work)
		}
		for round := range 9 {
			at := 1
			if round < 3 { // while it takes in all that there is
				at += chance.IntN(2)
			}
			g.run(way.URL+"/v1", run.secret, folder, text, blow(1+round%(int(blows)-1)), at)
			if round%4 == 2 {
				victim := chance.IntN(len(run.servers))
				run.servers[victim].Load().kill()
				run.start(victim)
			}
		}
		if writing.Wait(); t.Failed() {
			t.FailNow()
		}
		run.settle()
		if !g.run(way.URL+"/v1", run.secret, folder, text, never, 0) {
			t.Fatal("it has not ended well")
		}
		if g.struck[before] == 0 || g.struck[within] == 0 || g.struck[after] == 0 {
			t.Errorf("it was struck %v times: nothing was tried", g.struck)
		}
		f := &feedCopy{telling: run, objects: map[occurrence]string{}}
		said := python(t, "python3", folder, nil, "-c", "import json, sqlite3\n"+
			"print(json.dumps(sqlite3.connect('copy.db').execute('SELECT kind, id, object FROM object').fetchall()))")
		var rows [][3]string
		if err := json.Unmarshal([]byte(said), &rows); err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			f.objects[occurrence{r[0], r[1]}] = r[2]
		}
		stored := run.stored()
		if typed := f.typed(); !maps.Equal(typed, stored) || len(rows) != len(stored) {
			t.Errorf("the copy has %d objects, the server %d", len(rows), len(stored))
			for of, object := range stored {
				if typed[of] != object {
					t.Logf("%v is %s, on the server %s", of, typed[of], object)
				}
			}
		}
		t.Logf("%d objects after %d changes; struck before, within and after an answer: %v", len(stored),
			run.changes.Load(), g.struck)
	})
}
