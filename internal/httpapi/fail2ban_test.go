package httpapi

import (
	"bytes"
	"log/slog"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/organization"
)

func TestTheFilterOfFail2banFindsFailedSignInsAndNothingElse(t *testing.T) {
	raw, err := os.ReadFile("../../deploy/fail2ban/kinebase.conf")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(raw), "failregex = ")
	text, _, _ = strings.Cut(text, "\n")
	filter, err := regexp.Compile(strings.Replace(text, "<HOST>", `([0-9a-f.:]+)`, 1))
	if err != nil {
		t.Fatal(err)
	}
	tokens := newOneToken(t, time.Hour, organization.AllPermissions...)
	var log bytes.Buffer
	h := New(Options{Tokens: tokens, Captures: always(`{}`), Log: slog.New(slog.NewJSONHandler(&log, nil)),
		Now: func() time.Time { return start }})
	found := func() string {
		defer log.Reset()
		if m := filter.FindStringSubmatch(strings.TrimSpace(log.String())); m != nil {
			return m[1]
		}
		return ""
	}
	made := `","status":401,"address":"203.0.113.9"}` // a request id is up to the caller
	for name, c := range map[string]struct {
		tokens *oneToken
		want   string
	}{"without a token": {nil, "192.0.2.1"}, "with a token": {tokens, ""}} {
		if ask(h, c.tokens, "GET", "/v1/captures", "X-Request-Id", made); found() != c.want {
			t.Errorf("a request %s is not taken for what it is", name)
		}
	}
}
