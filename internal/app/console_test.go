package app_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/organization"
)

// browser keeps the console's cookie as a browser does.
type browser struct {
	t      *testing.T
	cookie string
}

// at asks a server; a change comes from the server's own page.
func (b *browser) at(a *apptest.App, method, path, body string) (*http.Response, string) {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, a.Root+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Cookie", b.cookie)
	if method != http.MethodGet {
		r.Header.Set("Origin", a.Root)
		r.Header.Set("Content-Type", "application/json")
	}
	response, err := a.HTTP.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, c := range response.Cookies() {
		if b.cookie = c.Name + "=" + c.Value; c.MaxAge < 0 {
			b.cookie = ""
		}
	}
	return response, string(text)
}

// want ends the test when the status is another one, and gives the body.
func (b *browser) want(status int, a *apptest.App, method, path, body string) string {
	b.t.Helper()
	response, text := b.at(a, method, path, body)
	if response.StatusCode != status {
		b.t.Fatalf("%s %s answers %d, want %d: %s", method, path, response.StatusCode, status, text)
	}
	return text
}

func TestASessionOfTheConsoleActsForItsToken(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		admin := a.Token(org)
		secret, id := a.TokenWithID(org, organization.CapturesRead, organization.AthletesRead,
			organization.AthletesWrite)
		b := &browser{t: t}
		b.want(401, a, "GET", "/console/session", "")
		b.want(401, a, "POST", "/console/session", `{"token":"kb_nothing"}`)
		who := b.want(200, a, "POST", "/console/session", `{"token":"`+secret+`"}`)
		for _, want := range []string{org, id, `"scopes":["captures:read","athletes:read","athletes:write"]`,
			`"version":"test"`, `"max_upload_bytes":2147483648`} {
			if !strings.Contains(who, want) {
				t.Errorf("the session does not hold %s: %s", want, who)
			}
		}
		b.want(200, a, "GET", "/console/v1/captures", "")
		b.want(200, a, "POST", "/console/v1/athletes", `{"first_name":"Ada"}`)
		if list := b.want(200, a, "GET", "/console/v1/athletes", ""); !strings.Contains(list, "Ada") ||
			list != string(a.Get("/athletes", secret).Want(200).Body) {
			t.Errorf("the console lists %s", list)
		}
		b.want(403, a, "GET", "/console/v1/tokens", "")
		b.want(404, a, "GET", "/console/v1/nowhere", "")
		b.want(401, a, "GET", "/v1/captures", "") // the interface itself reads no cookie
		b.want(200, a, "GET", "/console/session", "")

		a.Delete("/tokens/"+id, admin).Want(200)
		b.want(401, a, "GET", "/console/v1/captures", "")
		if b.cookie != "" {
			t.Error("the cookie of a revoked token stays")
		}
		for name, dead := range map[string]string{"expired": a.ExpiredToken(org), "revoked": a.RevokedToken(org)} {
			if text := b.want(401, a, "POST", "/console/session", `{"token":"`+dead+`"}`); b.cookie != "" {
				t.Errorf("an %s token signs in: %s", name, text)
			}
		}
		for _, s := range []string{secret, b.cookie} {
			if s != "" && strings.Contains(a.Logs(), s) {
				t.Error("the log holds a secret")
			}
		}
	})
}

func TestASessionCountsOnAllServersOfADatabase(t *testing.T) {
	place := apptest.PostgreSQL.Place(t)
	one := apptest.Start(t, apptest.PostgreSQL, apptest.At(place))
	two := apptest.Start(t, apptest.PostgreSQL, apptest.At(place))
	b := &browser{t: t}
	b.want(200, one, "POST", "/console/session", `{"token":"`+one.Token(one.Organization())+`"}`)
	b.want(200, two, "GET", "/console/session", "")
	b.want(200, two, "GET", "/console/v1/captures", "")
}

func TestRatesHoldForTheConsoleToo(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite, apptest.With("KINEBASE_RATE_LIMIT", "1:3"))
	b := &browser{t: t}
	b.want(200, a, "POST", "/console/session", `{"token":"`+a.Token(a.Organization())+`"}`)
	b.want(200, a, "GET", "/console/v1/captures", "")
	b.want(200, a, "GET", "/console/session", "")
	response, text := b.at(a, "GET", "/console/v1/captures", "")
	if response.StatusCode != 429 || response.Header.Get("Retry-After") == "" || b.cookie == "" {
		t.Errorf("the fourth request answers %d %s", response.StatusCode, text)
	}
	if !strings.Contains(response.Header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Error("an answer of the interface below /console/ is not guarded")
	}
	guesses := 0
	for range 200 {
		if response, _ := (&browser{t: t}).at(a, "POST", "/console/session",
			`{"token":"kb_guess"}`); response.StatusCode == 429 {
			return
		}
		guesses++
	}
	t.Errorf("%d guesses of tokens were answered", guesses)
}

func TestTheConsolesPagesAnswerInEveryPhase(t *testing.T) {
	place := apptest.SQLite.Place(t)
	release := holdMigration(t, apptest.SQLite, place)
	a := apptest.Start(t, apptest.SQLite, apptest.At(place), apptest.Early())
	b := &browser{t: t}
	look := func(phase string) {
		for _, path := range []string{"/", "/captures", "/captures/1", "/sign-in"} {
			response, text := b.at(a, "GET", path, "")
			// 404 is what a program without a build answers, with how to build it.
			if code := response.StatusCode; code != 200 && code != 404 ||
				!strings.HasPrefix(response.Header.Get("Content-Type"), "text/html") ||
				!strings.Contains(text, "Kinebase") {
				t.Errorf("%s: %s answers %d %.200s", phase, path, code, text)
			}
		}
	}
	look("starting")
	if text := b.want(503, a, "GET", "/console/session", ""); !strings.Contains(text, "starting") {
		t.Errorf("a session while the server starts: %s", text)
	}
	release()
	a.AwaitReady()
	look("ready")
	b.want(401, a, "GET", "/console/session", "")
}

func TestAFileIsSentThroughTheConsole(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite, apptest.With("KINEBASE_MAX_UPLOAD", "1MiB"))
	b := &browser{t: t}
	b.want(200, a, "POST", "/console/session", `{"token":"`+a.Token(a.Organization())+`"}`)
	var reserved struct {
		SessionID string `json:"session_id"`
	}
	if err := json.Unmarshal([]byte(b.want(200, a, "POST", "/console/v1/captures", `{"file_name":"a b.csv"}`)),
		&reserved); err != nil {
		t.Fatal(err)
	}
	path := "/console/v1/captures/" + reserved.SessionID + "/file"
	b.want(413, a, "PUT", path, strings.Repeat("x", 1<<20+1))
	b.want(204, a, "PUT", path+"?file_name=a%20b.csv", "frame,A_x\n1,2\n")
	b.want(409, a, "PUT", path, "frame,A_x\n")
	if got := b.want(200, a, "GET", path, ""); got != "frame,A_x\n1,2\n" {
		t.Errorf("the file came back as %q", got)
	}
}
