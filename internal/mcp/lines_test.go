package mcp_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/mcp"
	"github.com/kinebase/kinebase/internal/testkit"
)

const initialize = `{"jsonrpc":"2.0","id":"begin","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

// typed is a conversation by lines, over a server that gives one answer to everything.
type typed struct {
	asks    io.WriteCloser
	answers *bufio.Reader
	ended   chan error
}

func talk(t *testing.T, answer http.HandlerFunc) *typed {
	t.Helper()
	web := httptest.NewServer(answer)
	t.Cleanup(web.Close)
	server, err := client.New(web.URL+"/v1", "kb_token", client.WithLargestAnswer(mcp.LargestAnswer))
	if err != nil {
		t.Fatal(err)
	}
	in, asks := io.Pipe()
	answers, out := io.Pipe()
	c := &typed{asks, bufio.NewReader(answers), make(chan error, 1)}
	go func() { c.ended <- mcp.Serve(t.Context(), mcp.New(server, "test"), in, out) }()
	return c
}

type told struct {
	ID    any
	Error *struct {
		Code    int
		Message string
	}
	Result json.RawMessage
}

func (c *typed) say(t interface{ Fatal(...any) }, line string) (got told) {
	if _, err := io.WriteString(c.asks, line+"\n"); err != nil {
		t.Fatal(err)
	}
	answer, err := c.answers.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(answer, &got)
	}
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestALineThatIsNoMessageIsAnsweredAndTheConversationGoesOn(t *testing.T) {
	c := talk(t, http.NotFound)
	for _, line := range []string{"hello", "{", `{"jsonrpc":"2.0"} {}`, "\x00\xff", strings.Repeat("x", 5<<20)} {
		if got := c.say(t, line); got.ID != nil || got.Error == nil || got.Error.Code != -32700 {
			t.Errorf("%.40q is answered with %+v", line, got)
		}
	}
	for _, line := range []string{"[]", "1", "null", `"a"`, "{}", `{"jsonrpc":"1.0","id":1,"method":"ping"}`,
		"[" + initialize + "]"} {
		if got := c.say(t, line); got.ID != nil || got.Error == nil || got.Error.Code != -32600 {
			t.Errorf("%.40q is answered with %+v", line, got)
		}
	}
	if got := c.say(t, "\r\n  \n"+initialize+"\r"); got.ID != "begin" || got.Result == nil {
		t.Errorf("after all of that it is answered with %+v", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		// The line below has an answer, whatever stands in the line above.
		line := strings.NewReplacer("\n", "", "\r",
			"").Replace(rapid.StringMatching(`[\x00-\x7f]{1,40}`).Draw(t, "line")) + "x"
		if got := c.say(t, line); got.Error == nil || got.Error.Code != -32700 {
			t.Fatalf("%q is answered with %+v", line, got)
		}
		if got := c.say(t, `{"jsonrpc":"2.0","id":"again","method":"ping"}`); got.ID != "again" || got.Error != nil {
			t.Fatalf("then the answer is %+v", got)
		}
	})
	if err := c.asks.Close(); err != nil {
		t.Fatal(err)
	}
	if err := testkit.Receive(t, c.ended, "the conversation ends with its input"); err != nil && err != io.EOF {
		t.Error(err)
	}
}

func TestAnAnswerOfAnySizeIsNotReadToItsEnd(t *testing.T) {
	c := talk(t, func(w http.ResponseWriter, _ *http.Request) {
		_, err := io.WriteString(w, `{"captures":["`)
		for part := []byte(strings.Repeat("a", 1<<20)); err == nil; {
			_, err = w.Write(part)
		}
	})
	c.say(t, initialize)
	if _, err := io.WriteString(c.asks, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	got := c.say(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_captures","arguments":{}}}`)
	if !strings.Contains(string(got.Result), "more than the 67108864 bytes") {
		t.Errorf("the answer is %.300s %+v", got.Result, got.Error)
	}
	_ = c.asks.Close()
}
