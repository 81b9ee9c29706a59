package app_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/internal/testkit/openid"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/person"
)

const public = "http://kinebase.example"

// signingIn are the settings of a server that people sign in to by a provider.
func signingIn(p *openid.Provider, more ...apptest.Option) []apptest.Option {
	return append([]apptest.Option{
		apptest.With("KINEBASE_OIDC_ISSUER", p.Issuer), apptest.With("KINEBASE_OIDC_CLIENT_ID", openid.Client),
		apptest.With("KINEBASE_OIDC_CLIENT_SECRET", openid.Secret),
		apptest.With("KINEBASE_OIDC_ORGANIZATION_CLAIM", "lab.organization"),
		apptest.With("KINEBASE_OIDC_ROLE_CLAIM", "groups"),
		apptest.With("KINEBASE_OIDC_ROLE_MAP", "staff=editor,heads=admin,guests=viewer"),
		apptest.With("KINEBASE_OIDC_AUDIENCE", openid.Audience),
		apptest.With("KINEBASE_PUBLIC_URL", public),
	}, more...)
}

// member are the claims of somebody who belongs to an organization.
func member(org, group string, more ...openid.Claims) openid.Claims {
	c := openid.Claims{"lab": openid.Claims{"organization": org}, "groups": []string{"others", group},
		"name": "Jane <b>Doe</b>", "sid": "session-1"}
	for _, m := range more {
		for k, v := range m {
			c[k] = v
		}
	}
	return c
}

// visitor is a browser that keeps cookies and follows nothing by itself.
type visitor struct {
	t       *testing.T
	cookies map[string]*http.Cookie
}

func newVisitor(t *testing.T) *visitor { return &visitor{t, map[string]*http.Cookie{}} }

func (v *visitor) ask(a *apptest.App, method, path string, headers ...string) (*http.Response, string) {
	v.t.Helper()
	r, err := http.NewRequestWithContext(v.t.Context(), method, a.Root+path, http.NoBody)
	if err != nil {
		v.t.Fatal(err)
	}
	for name, c := range v.cookies {
		if strings.HasPrefix(r.URL.Path, c.Path) {
			r.AddCookie(&http.Cookie{Name: name, Value: c.Value})
		}
	}
	if method != http.MethodGet {
		r.Header.Set("Origin", public)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := a.HTTP.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	for _, c := range answer.Cookies() {
		if v.cookies[c.Name] = c; c.MaxAge < 0 {
			delete(v.cookies, c.Name)
		}
	}
	return answer, string(body)
}

// begin begins a sign-in at a server, goes to the provider and gives what that sends the browser back with.
func (v *visitor) begin(a *apptest.App, to string) (callback string) {
	v.t.Helper()
	answer, body := v.ask(a, "GET", "/console/sign-in?to="+url.QueryEscape(to), "Sec-Fetch-Site", "none")
	if answer.StatusCode != http.StatusSeeOther {
		v.t.Fatalf("a sign-in begins with %d %s", answer.StatusCode, body)
	}
	r, err := http.NewRequestWithContext(v.t.Context(), "GET", answer.Header.Get("Location"), nil)
	if err != nil {
		v.t.Fatal(err)
	}
	given, err := a.HTTP.Transport.RoundTrip(r)
	if err != nil {
		v.t.Fatal(err)
	}
	_ = given.Body.Close()
	back, ok := strings.CutPrefix(given.Header.Get("Location"), public)
	if !ok {
		v.t.Fatalf("the provider answers %d and leads to %q", given.StatusCode, given.Header.Get("Location"))
	}
	return back
}

// signIn begins at one server and ends at another.
func (v *visitor) signIn(from, at *apptest.App) {
	v.t.Helper()
	if answer, body := v.ask(at, "GET", v.begin(from, "/captures"), "Sec-Fetch-Site",
		"cross-site"); answer.StatusCode != http.StatusSeeOther || answer.Header.Get("Location") != "/captures" {
		v.t.Fatalf("a sign-in ends with %d %q %s", answer.StatusCode, answer.Header.Get("Location"), body)
	}
}

func (v *visitor) want(status int, a *apptest.App, method, path string) string {
	v.t.Helper()
	answer, body := v.ask(a, method, path)
	if answer.StatusCode != status {
		v.t.Fatalf("%s %s answers %d, want %d: %s", method, path, answer.StatusCode, status, body)
	}
	return body
}

func TestAPersonSignsInByTheProviderAtOneServerAndWorksAtAnother(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		p := openid.Start(t)
		first := apptest.Start(t, e, signingIn(p)...)
		second := apptest.Start(t, e, signingIn(p, apptest.At(first.Place))...)
		org := first.Organization()
		p.Person("subject-1", member(org, "heads"))
		v := newVisitor(t)
		if got := v.want(200, first, "GET", "/console/ways"); got != `{"provider":"`+
			strings.TrimPrefix(p.Issuer, "http://")+`"}` {
			t.Errorf("the ways to sign in are %s", got)
		}
		v.signIn(first, second)
		c := v.cookies["kinebase_session"]
		if c == nil || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/console" ||
			c.MaxAge < 3500 || c.MaxAge > 3600 {
			t.Errorf("the cookie is %v: it ends when the token does", c)
		}
		if v.cookies["kinebase_sign_in"] != nil {
			t.Error("what the sign-in was held against stays in the browser")
		}
		var s struct {
			Organization struct{ ID string }
			Token        struct {
				ID, Name, Kind string
				Scopes         []string
			}
		}
		if err := json.Unmarshal([]byte(v.want(200, first, "GET", "/console/session")), &s); err != nil {
			t.Fatal(err)
		}
		id := person.ID(p.Issuer, "subject-1").String()
		if s.Organization.ID != org || s.Token.ID != id || s.Token.Name != "Jane <b>Doe</b>" ||
			s.Token.Kind != "person" || len(s.Token.Scopes) != len(organization.AllPermissions) {
			t.Errorf("the session is %+v", s)
		}

		v.want(200, first, "GET", "/console/v1/captures")
		var made struct{ ID, Token string }
		answer := first.Do("POST", "/tokens", first.Token(org), `{"name":"x","role":"viewer"}`).Want(200)
		answer.Into(&made)
		v.want(200, second, "DELETE", "/console/v1/tokens/"+made.ID)
		log := first.Get("/audit?actor="+id, first.Token(org)).Want(200).Object()
		entries := log["entries"].([]any)
		if len(entries) != 1 {
			t.Fatalf("the audit log has %v", log)
		}
		if actor := entries[0].(map[string]any)["actor"].(map[string]any); actor["kind"] != "person" ||
			actor["name"] != "subject-1" {
			t.Errorf("it was done by %v", actor)
		}
		for _, logs := range []string{first.Logs(), second.Logs()} {
			if strings.Contains(logs, "Jane") || strings.Contains(logs, openid.Secret) ||
				strings.Contains(logs, "session-1") {
				t.Error("the log has a name, a secret or the provider's session")
			}
		}

		out := v.want(200, second, "DELETE", "/console/session")
		var to struct {
			GoTo string `json:"go_to"`
		}
		if err := json.Unmarshal([]byte(out), &to); err != nil {
			t.Fatal(err)
		}
		u, err := url.Parse(to.GoTo)
		if err != nil || !strings.HasPrefix(to.GoTo, p.Issuer+"/end?") || u.Query().Get("realm") != "lab" ||
			u.Query().Get("post_logout_redirect_uri") != public+"/sign-in" ||
			strings.Count(u.Query().Get("id_token_hint"), ".") != 2 || u.Query().Get("client_id") != openid.Client {
			t.Errorf("it ends at the provider by %s", to.GoTo)
		}
		if v.cookies["kinebase_session"] != nil || v.cookies["kinebase_id_token"] != nil {
			t.Errorf("after signing out the browser has %v", v.cookies)
		}
		v.cookies["kinebase_session"] = c // somebody has copied it
		second.Until("the session is over where it was ended",
			func() bool { a, _ := v.ask(second, "GET", "/console/v1/captures"); return a.StatusCode == 401 })
		v.cookies["kinebase_session"] = c
		first.Until("and at the other server", func() bool {
			v.cookies["kinebase_session"] = c
			a, _ := v.ask(first, "GET", "/console/v1/captures")
			return a.StatusCode == 401
		})
	})
}

func TestNobodyIsLetInByDefault(t *testing.T) {
	p := openid.Start(t)
	a := apptest.Start(t, apptest.SQLite, signingIn(p)...)
	org, barred, gone := a.Organization(), a.Organization(), a.Organization()
	id := func(text string) organization.ID { v, _ := organization.ParseID(text); return v }
	at := time.Now()
	if err := a.Store.SuspendOrganization(t.Context(), id(barred), &at); err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		claims openid.Claims
		says   string
	}{
		"no organization": {openid.Claims{"groups": []string{"heads"}}, "names no organization"},
		"an empty one":    {member("", "heads"), "names no organization"},
		"one of another type": {openid.Claims{"groups": []string{"heads"}, "lab": openid.Claims{"organization": 7}},
			"names no organization"},
		"two": {openid.Claims{"groups": []string{"heads"},
			"lab": openid.Claims{"organization": []string{org, barred}}}, "several organizations"},
		"an unknown one":          {member("Elsewhere", "heads"), "is not known here"},
		"one that was never made": {member("01890000-0000-7000-8000-000000000000", "heads"), "is not known here"},
		"a suspended one":         {member(barred, "heads"), "suspended"},
		"no role": {openid.Claims{"lab": openid.Claims{"organization": org}},
			"no role of yours counts"},
		"a role of another name": {member(org, "Heads"), "no role of yours counts"},
	} {
		p.Person("subject-2", c.claims)
		v := newVisitor(t)
		answer, body := v.ask(a, "GET", v.begin(a, "/"))
		if answer.StatusCode != 403 || !strings.Contains(body, c.says) || v.cookies["kinebase_session"] != nil ||
			!strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html") {
			t.Errorf("%s: the sign-in ends with %d %s %v", what, answer.StatusCode, body, v.cookies)
		}
		token := p.Sign(p.Access("subject-2", c.claims))
		if got := a.Get("/captures", token).Want(403).Object()["message"].(string); !strings.Contains(got, c.says) {
			t.Errorf("%s: the interface says %q", what, got)
		}
	}

	p.Person("subject-2", member(gone, "guests"))
	v := newVisitor(t)
	v.signIn(a, a)
	v.want(200, a, "GET", "/console/v1/captures")
	v.want(403, a, "GET", "/console/v1/tokens") // a guest reads
	if err := a.Store.SuspendOrganization(t.Context(), id(gone), &at); err != nil {
		t.Fatal(err)
	}
	v.want(403, a, "GET", "/console/v1/captures")
	if err := a.Store.DeleteOrganization(t.Context(), id(gone)); err != nil {
		t.Fatal(err)
	}
	v.want(401, a, "GET", "/console/v1/captures")
}
