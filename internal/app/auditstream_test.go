package app_test

import (
	"bufio"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/kinebase/kinebase/audit"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// streamed are the ids of entries in a file, as often as they stand there.
func streamed(t *testing.T, path string) map[string]int {
	t.Helper()
	ids := map[string]int{}
	file, err := os.Open(path)
	if os.IsNotExist(err) {
		return ids
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var e audit.Streamed
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatalf("%q is no entry: %v", lines.Text(), err)
		}
		ids[e.ID]++
	}
	return ids
}

func TestTheStreamGoesOnWhereItWasWhenTheServerIsStartedAgain(t *testing.T) {
	testkit.Long(t)
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		place, path := e.Place(t), filepath.Join(t.TempDir(), "audit.ndjson")
		stream := apptest.With("KINEBASE_AUDIT_STREAM", path)
		a := apptest.Start(t, e, apptest.At(place)) // nothing is streamed yet
		org := a.Organization()
		token := a.Token(org)
		a.Post("/athletes", token, `{"first_name":"A"}`).Want(200)
		for range 2 {
			if err := a.Stop(); err != nil {
				t.Fatal(err)
			}
			a = apptest.Start(t, e, apptest.At(place), stream)
			a.Post("/athletes", token, `{"first_name":"B"}`).Want(200)
			all := entries(t, a, org, audit.Query{})
			a.Until("the file has every entry", func() bool { return len(streamed(t, path)) == len(all) })
			for id, n := range streamed(t, path) {
				if n != 1 {
					t.Errorf("the entry %s is there %d times", id, n)
				}
			}
		}
	})
}

func TestASyslogServerThatHangsKeepsNoRequestWaiting(t *testing.T) {
	testkit.Long(t)
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Close() }()
	a := apptest.Start(t, apptest.SQLite,
		apptest.With("KINEBASE_AUDIT_STREAM", "syslog+tcp://"+server.Addr().String()))
	token := a.Token(a.Organization())
	a.Post("/athletes", token, `{"first_name":"A"}`).Want(200)
	conn, err := server.Accept() // and never reads
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		a.Post("/athletes", token, `{"first_name":"B"}`).Want(200)
	}
	if err := a.Stop(); err != nil { // it is not waited for either
		t.Error(err)
	}
	_ = conn.Close()
}
