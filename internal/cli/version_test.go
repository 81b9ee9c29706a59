package cli

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestAReleaseNamesItsCommitAndItsTime(t *testing.T) {
	release, commit, date = "1.2.3", "0123456789abcdef0123456789abcdef01234567", "2026-05-13T12:00:00Z"
	t.Cleanup(func() { release, commit, date = "", "", "" })
	says := func(args ...string) string {
		var out bytes.Buffer
		if code := Main(t.Context(), args,
			&World{Out: &out, Err: &out, Env: func(string) (string, bool) { return "", false }}); code != 0 {
			t.Fatalf("%v ended with %d: %s", args, code, &out)
		}
		return out.String()
	}
	if got := says("version"); !strings.HasPrefix(got,
		"kinebase 1.2.3 (commit 0123456789ab of 2026-05-13T12:00:00Z, go") {
		t.Errorf("printed %q", got)
	}
	var v struct{ Version, Commit, Date string }
	if err := json.Unmarshal([]byte(says("version", "--json")), &v); err != nil || v.Version != release ||
		v.Commit != commit || v.Date != date {
		t.Errorf("printed %+v (%v)", v, err)
	}
}

func TestAHealthCheckNeedsNoPlaceForData(t *testing.T) {
	var out bytes.Buffer
	code := Main(t.Context(), []string{"healthcheck", "--listen", "127.0.0.1:1"},
		&World{Out: &out, Err: &out, Env: func(string) (string, bool) { return "", false }})
	if code == 0 || !strings.Contains(out.String(), "no server can be reached at 127.0.0.1:1") {
		t.Errorf("ended with %d and printed %q", code, &out)
	}
}
