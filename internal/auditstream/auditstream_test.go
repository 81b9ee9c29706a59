package auditstream_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/audit"
	"github.com/kinebase/kinebase/internal/auditstream"
	"github.com/kinebase/kinebase/internal/testkit"
)

var noon = time.Date(2026, 5, 13, 12, 0, 0, 250_000_000, time.UTC)

// some are entries with the ids from first on.
func some(first, n int) (all []audit.Streamed) {
	for i := range n {
		all = append(all, audit.Streamed{Organization: "o", Entry: audit.Entry{ID: fmt.Sprint(first + i), At: noon,
			Action: "createAthlete", Actor: audit.Actor{Kind: audit.Token, ID: "t", Name: "nightly 🌙\n<1>1 forged"}}})
	}
	return all
}

func opened(t *testing.T, address string) audit.Sink {
	t.Helper()
	s, err := auditstream.Open(address)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ids are those of lines of JSON, each of which must be whole.
func ids(t *testing.T, lines []string) (all []string) {
	t.Helper()
	for _, l := range lines {
		var e audit.Streamed
		if err := json.Unmarshal([]byte(l), &e); err != nil {
			t.Fatalf("%q is no entry: %v", l, err)
		}
		if e.Organization != "o" || !e.At.Equal(noon) || e.Actor.Name != "nightly 🌙\n<1>1 forged" {
			t.Errorf("the entry is %+v", e)
		}
		all = append(all, e.ID)
	}
	return all
}

func fileIDs(t *testing.T, path string) []string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return ids(t, strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n"))
}

func TestAnAddressSaysWhereEntriesGo(t *testing.T) {
	for _, good := range []string{"/var/log/a.ndjson", "syslog+udp://h", "syslog+udp://h:5", "syslog+tcp://[::1]:6514",
		"syslog+unix:///dev/log"} {
		opened(t, good)
	}
	for _, wrong := range []string{"a.ndjson", "udp://h", "syslog+udp://", "syslog+tcp://h/x", "syslog+unix://dev/log",
		"syslog+tcp://u:p@h", "syslog+unix://", "http://h", "syslog+udp://%", t.TempDir(), "/not/there/"} {
		if _, err := auditstream.Open(wrong); err == nil {
			t.Errorf("%q is taken", wrong)
		}
	}
}

func TestAFileGetsALineForEachEntryAndMayBeMovedAwayAtAnyTime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.ndjson")
	s := opened(t, path)
	for n := range 3 {
		if err := s.Send(t.Context(), some(n*2, 2)); err != nil {
			t.Fatal(err)
		}
		if n == 1 {
			if err := os.Rename(path, path+".1"); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := fileIDs(t, path+".1"); !slices.Equal(got, []string{"0", "1", "2", "3"}) {
		t.Errorf("the file that was moved has %v", got)
	}
	if got := fileIDs(t, path); !slices.Equal(got, []string{"4", "5"}) {
		t.Errorf("the new file has %v", got)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o007 != 0 {
		t.Errorf("others may read it: %v %v", info.Mode(), err)
	}
}

func TestALineThatWasCutOffIsTakenAwayBeforeItsEntryComesAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.ndjson")
	s := opened(t, path)
	if err := s.Send(t.Context(), some(0, 9)); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for cut := 0; cut < len(whole); cut += 97 {
		for _, rest := range []string{"", strings.Repeat("x", 9000)} { // also longer than what is read at a time
			if err := os.WriteFile(path, append(slices.Clone(whole[:cut]), rest...), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := s.Send(t.Context(), some(100, 1)); err != nil {
				t.Fatal(err)
			}
			kept := strings.Count(string(whole[:cut]), "\n")
			if got := fileIDs(t, path); len(got) != kept+1 || got[kept] != "100" {
				t.Fatalf("cut at %d there are %v", cut, got)
			}
		}
	}
	if err := opened(t, filepath.Join(path, "below a file")).Send(t.Context(), some(0, 1)); err == nil {
		t.Error("a file that cannot be made is no error")
	}
}

var rfc5424 = regexp.MustCompile(`(?s)^<109>1 2026-05-13T12:00:00\.250000Z [!-~]+ kinebase \d+ audit - (\{.*\})$`)

// texts are the texts of messages.
func texts(t *testing.T, messages []string) (all []string) {
	t.Helper()
	for _, m := range messages {
		parts := rfc5424.FindStringSubmatch(m)
		if parts == nil {
			t.Fatalf("%q is no message of RFC 5424", m)
		}
		all = append(all, parts[1])
	}
	return all
}

func TestDatagramsHaveAnEntryEach(t *testing.T) {
	for _, network := range []string{"udp", "unixgram"} {
		address, to := "127.0.0.1:0", "syslog+udp://"
		if network == "unixgram" {
			address, to = filepath.Join(t.TempDir(), "log"), "syslog+unix://"
		}
		server, err := net.ListenPacket(network, address)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = server.Close() }()
		if err := opened(t, to+server.LocalAddr().String()).Send(t.Context(), some(0, 3)); err != nil {
			t.Fatal(err)
		}
		var got []string
		for range 3 {
			b := make([]byte, 4096)
			n, _, err := server.ReadFrom(b)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, string(b[:n]))
		}
		if got := ids(t, texts(t, got)); !slices.Equal(got, []string{"0", "1", "2"}) {
			t.Errorf("%s: came %v", network, got)
		}
	}
}

// counted splits what came by the number before each message.
func counted(t *testing.T, raw string) (all []string) {
	t.Helper()
	for raw != "" {
		head, rest, _ := strings.Cut(raw, " ")
		n, err := strconv.Atoi(head)
		if err != nil || n > len(rest) {
			t.Fatalf("%q begins with no length", raw)
		}
		all, raw = append(all, rest[:n]), rest[n:]
	}
	return all
}

func TestAStreamCountsOctetsAndEndsWhenTheServerHasReadAll(t *testing.T) {
	for _, network := range []string{"tcp", "unix"} {
		address, to := "127.0.0.1:0", "syslog+tcp://"
		if network == "unix" {
			address, to = filepath.Join(t.TempDir(), "log"), "syslog+unix://"
		}
		server, err := net.Listen(network, address)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = server.Close() }()
		came := make(chan string, 1)
		go func() {
			conn, err := server.Accept()
			if err != nil {
				return
			}
			raw, _ := io.ReadAll(conn)
			came <- string(raw)
			_ = conn.Close()
		}()
		if err := opened(t, to+server.Addr().String()).Send(t.Context(), some(0, 200)); err != nil {
			t.Fatal(err)
		}
		if got := ids(t, texts(t, counted(t, testkit.Receive(t, came, "the messages")))); len(got) != 200 ||
			got[199] != "199" {
			t.Errorf("%s: came %v", network, got)
		}
	}
}

func TestWhatAServerHasNotReadDoesNotCountAsSent(t *testing.T) {
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Close() }()
	s := opened(t, "syslog+tcp://"+server.Addr().String())
	ctx, cancel := context.WithCancel(t.Context())
	accepted := make(chan net.Conn, 2)
	go func() {
		for {
			conn, err := server.Accept()
			if err != nil {
				return
			}
			accepted <- conn
		}
	}()
	ended := make(chan error, 1)
	go func() { ended <- s.Send(ctx, some(0, 1)) }() // the kernel takes it, and nobody reads
	hung := testkit.Receive(t, accepted, "a connection")
	defer func() { _ = hung.Close() }()
	cancel()
	if err := testkit.Receive(t, ended, "the end"); err == nil {
		t.Error("what hangs in the kernel is taken for sent")
	}
	go func() { ended <- s.Send(t.Context(), some(0, 1)) }()
	reset := testkit.Receive(t, accepted, "a connection").(*net.TCPConn)
	_ = reset.SetLinger(0)
	_ = reset.Close()
	if err := testkit.Receive(t, ended, "the end"); err == nil {
		t.Error("a connection that is reset counts as sent")
	}
	_ = server.Close()
	if err := s.Send(t.Context(), some(0, 1)); err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("without a server it is %v", err)
	}
}
