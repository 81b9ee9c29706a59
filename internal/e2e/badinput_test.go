//go:build corpus_badinput

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/internal/testkit/corpus"
	"github.com/kinebase/kinebase/internal/testkit/fixture"
	"github.com/kinebase/kinebase/internal/testkit/need"
	"github.com/kinebase/kinebase/organization"
)

// mostGrowth is how much memory hostile requests may make the server take, all of
// them together.
const mostGrowth = 32 << 20

// TestBadInput runs the hostile and odd requests of cases.json by the run.py that
// lies beside it, in the folder that KINEBASE_TEST_BADINPUT names, while somebody
// else goes on reading.
func TestBadInput(t *testing.T) {
	folder := corpus.Folder(t, "KINEBASE_TEST_BADINPUT")
	python, err := exec.LookPath("python3")
	if err != nil {
		need.Missing(t, "no python3 for the run.py of KINEBASE_TEST_BADINPUT; to run this test: apt-get install "+
			"python3-minimal")
	}
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		m := newMachine(t, e)
		s := m.serve()
		values := badInputFixtures(t, m, s)
		text, err := json.Marshal(values)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(m.home, "fixtures.json")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}

		begin := memory(t, s, "VmRSS")
		for pass := range 2 { // what is left behind would add up
			stop := keepReading(t, s, values["token"])
			ctx, cancel := context.WithTimeout(t.Context(), 5*testkit.Patience)
			out, err := exec.CommandContext(ctx, python, filepath.Join(folder, "run.py"), s.url, file,
				filepath.Join(folder, "cases.json")).CombinedOutput()
			cancel()
			stop()
			if err != nil {
				t.Errorf("run.py ended with %v", err)
			}
			for line := range strings.Lines(string(out)) {
				// each is a complaint; that an answer was slow says how busy the machine is
				if !strings.HasPrefix(line, "cases ") && !strings.HasPrefix(line, "slow ") {
					t.Errorf("it says: %s", line)
				}
			}
			t.Logf("pass %d: %s", pass, bytes.TrimSpace(out))
		}
		peak := memory(t, s, "VmHWM")
		t.Logf("memory: %d KiB before, %d KiB at most", begin>>10, peak>>10)
		if peak-begin > mostGrowth {
			t.Errorf("the server grew by %d MiB", (peak-begin)>>20)
		}
		if n := s.logged(`"status":5`); n != 0 {
			t.Errorf("%d requests were answered with 5xx:\n%s", n, tail(s.logs()))
		}
		if n := s.logged(`"panic"`); n != 0 {
			t.Errorf("%d panics:\n%s", n, tail(s.logs()))
		}
	})
}

// keepReading asks for a page of captures all the time, which must be answered at
// once, whatever others send.
func keepReading(t *testing.T, s *server, token string) (stop func()) {
	t.Helper()
	c := s.client(token)
	enough := make(chan struct{})
	var done sync.WaitGroup
	done.Go(func() {
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for {
			if _, err := c.ListCaptures(t.Context(), client.CaptureFilter{}); err != nil {
				t.Errorf("meanwhile a page of captures is answered: %v", err)
				return
			}
			select {
			case <-enough:
				return
			case <-tick.C:
			}
		}
	})
	return func() {
		close(enough)
		done.Wait()
	}
}

// memory reads a figure of proc(5) about the server's process, in bytes.
func memory(t *testing.T, s *server, figure string) int64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), figure+":")
	var kib int64
	if _, err := fmt.Sscanf(rest, "%d kB", &kib); err != nil {
		t.Fatalf("%s of the server: %v", figure, err)
	}
	return kib << 10
}

// badInputFixtures makes what the cases name.
func badInputFixtures(t *testing.T, m *machine, s *server) map[string]string {
	t.Helper()
	orgA, orgB := m.organization(), m.organization()
	_, a := m.token(orgA)
	_, b := m.token(orgB)
	var readonly struct{ Token string }
	m.run(&readonly, "token", "create", "--org", orgA, "--name", "reader", "--role", "viewer")
	revokedID, revoked := m.token(orgA)
	var gone struct{ ID string }
	m.run(&gone, "token", "revoke", revokedID)
	_, expired := m.token(orgA, "--expires", "1s")
	testkit.Until(t, "a token of a second expires", func() bool {
		_, err := s.client(expired).ListCaptures(t.Context(), client.CaptureFilter{})
		return status(err) == http.StatusUnauthorized
	})

	// Two athletes with a capture each, one of whom is deleted, and the same of the
	// other organization.
	ours := fixture.Organization{ID: "bad input A", Athletes: 2, Captures: 2}
	theirs := fixture.Organization{ID: "bad input B", Athletes: 1, Captures: 1, Jobs: 1}
	for org, made := range map[string]fixture.Organization{orgA: ours, orgB: theirs} {
		var manifest bytes.Buffer
		n := 0
		for r := range made.Records() {
			if r.Capture != nil {
				r.Capture.AthleteIDs = []string{made.AthleteID(n)}
				n++
			}
			manifest.Write(append(fixture.Line(r), '\n'))
		}
		file := filepath.Join(m.home, org+".ndjson")
		if err := os.WriteFile(file, manifest.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		var done summary
		if m.run(&done, "import", "--org", org, file); done.Failed != 0 {
			t.Fatalf("the import of the fixtures says %+v", done)
		}
	}
	c := s.client(a)
	if _, err := c.DeleteAthlete(t.Context(), ours.AthleteID(1)); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Capture(t.Context(), ours.CaptureID(1)); status(err) != http.StatusNotFound {
		t.Fatalf("the deleted capture is answered %v", err)
	}
	return map[string]string{
		"token": a, "token_readonly": readonly.Token, "token_b": b, "token_expired": expired, "token_revoked": revoked,
		"token_bad_checksum": badChecksum(a),
		"org_b":              orgB,
		"athlete_a":          ours.AthleteID(0), "athlete_b": theirs.AthleteID(0), "athlete_deleted": ours.AthleteID(1),
		"capture_a": ours.CaptureID(0), "capture_b": theirs.CaptureID(0), "capture_deleted": ours.CaptureID(1),
		"job_b": theirs.Job(0).ID, "unknown_uuid": organization.NewUUID(),
	}
}

// badChecksum changes the last character of a token.
func badChecksum(token string) string {
	last := byte('0')
	if token[len(token)-1] == last {
		last = '1'
	}
	return token[:len(token)-1] + string(last)
}
