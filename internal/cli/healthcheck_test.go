package cli_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

func TestAHealthcheckThatWaitsAsksUntilTheServerIsReady(t *testing.T) {
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) < 4 {
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = w.Write([]byte(`{"status":"migrating"}`))
			return
		}
		_, _ = w.Write([]byte(`{"status":"ready"}`))
	}))
	t.Cleanup(server.Close)
	address := strings.TrimPrefix(server.URL, "http://")
	s := newShell(t)
	s.run("healthcheck", "--listen", address).fails(1, "is not ready: migrating")
	if asked.Load() != 1 {
		t.Errorf("without --wait it asked %d times", asked.Load())
	}
	if out := s.run("healthcheck", "--listen", address, "--wait", "10m").ok().out; out != "ready\n" ||
		asked.Load() != 4 {
		t.Errorf("it printed %q after %d questions", out, asked.Load())
	}
	server.Close()
	s.run("healthcheck", "--listen", address, "--wait", "1ms").fails(1, "no server can be reached at "+address)
}
