package cli_test

import (
	"bufio"
	"io"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/cli"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

func TestAnAssistantIsAnsweredOnStandardOutputUntilItsInputEnds(t *testing.T) {
	testkit.Long(t)
	s := newShell(t)
	if r := s.run("mcp"); r.code != 2 || !strings.Contains(r.err, "KINEBASE_URL") {
		t.Errorf("without a server it ends with %d: %s", r.code, r.err)
	}
	org := s.organization("A")
	_, secret := s.token(org, "--role", "viewer")
	a := apptest.Start(t, apptest.SQLite, apptest.At(map[string]string{"data": s.env["KINEBASE_DATA"]}))
	s.env["KINEBASE_URL"], s.env["KINEBASE_TOKEN"] = a.URL, secret
	in, asks := io.Pipe()
	answers, out := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- cli.Main(t.Context(), []string{"mcp"},
			&cli.World{In: in, Out: out, Err: io.Discard,
				Env: func(name string) (string, bool) { v, ok := s.env[name]; return v, ok }})
	}()
	lines := bufio.NewReader(answers)
	say(t, asks, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	if got := hear(t, lines); !strings.Contains(got, `"serverInfo":{`) {
		t.Errorf("it answers %s", got)
	}
	say(t, asks, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	say(t, asks, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_captures","arguments":{}}}`)
	if got := hear(t, lines); !strings.Contains(got, `"structuredContent":{"captures":[],"total":0}`) {
		t.Errorf("it answers %s", got)
	}
	if err := asks.Close(); err != nil {
		t.Fatal(err)
	}
	if code := testkit.Receive(t, ended, "the command ends with its input"); code != 0 {
		t.Errorf("it ends with %d", code)
	}
}

func say(t *testing.T, to io.Writer, line string) {
	t.Helper()
	if _, err := io.WriteString(to, line+"\n"); err != nil {
		t.Fatal(err)
	}
}

func hear(t *testing.T, from *bufio.Reader) string {
	t.Helper()
	line, err := from.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return line
}
