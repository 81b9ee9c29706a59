package app_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/internal/testkit/openid"
)

func TestASignInThatWasTamperedWithSignsNobodyIn(t *testing.T) {
	p := openid.Start(t)
	a := apptest.Start(t, apptest.SQLite, signingIn(p)...)
	org := a.Organization()
	p.Person("subject", member(org, "staff"))
	now := time.Now().Unix()
	with := func(callback, name, value string) string {
		u, err := url.Parse(callback)
		if err != nil {
			t.Fatal(err)
		}
		q := u.Query()
		q.Set(name, value)
		u.RawQuery = q.Encode()
		return u.String()
	}
	other := newVisitor(t)
	elsewhere := other.begin(a, "/")
	for what, c := range map[string]struct {
		change func(openid.Claims)
		sent   func(string) string
		status int
	}{
		"nothing":                 {nil, func(s string) string { return s }, 303},
		"another state":           {nil, func(s string) string { return with(s, "state", "x") }, 401},
		"no state":                {nil, func(s string) string { return with(s, "state", "") }, 401},
		"the callback of another": {nil, func(string) string { return elsewhere }, 401},
		"another code":            {nil, func(s string) string { return with(s, "code", "x") }, 401},
		"the code of another sign-in": {nil,
			func(s string) string { u, _ := url.Parse(elsewhere); return with(s, "code", u.Query().Get("code")) }, 401},
		"another provider's answer": {nil, func(s string) string { return with(s, "iss", "https://evil.example") },
			401},
		"a refusal": {nil, func(s string) string { return with(s, "error", "access_denied") }, 403},
		"a refusal with a script": {nil,
			func(s string) string { return with(s, "error", "<script>alert(1)</script>") }, 403},
		"another nonce":    {func(c openid.Claims) { c["nonce"] = "x" }, nil, 401},
		"no nonce":         {func(c openid.Claims) { delete(c, "nonce") }, nil, 401},
		"another audience": {func(c openid.Claims) { c["aud"] = "other" }, nil, 401},
		"another party": {func(c openid.Claims) {
			c["aud"] = []string{openid.Client, "other"}
			c["azp"] = "other"
		}, nil, 401},
		"another issuer":               {func(c openid.Claims) { c["iss"] = "https://evil.example" }, nil, 401},
		"its end past":                 {func(c openid.Claims) { c["exp"] = now - 120 }, nil, 401},
		"no end":                       {func(c openid.Claims) { delete(c, "exp") }, nil, 401},
		"a day of the future":          {func(c openid.Claims) { c["iat"] = now + 86400 }, nil, 401},
		"no day":                       {func(c openid.Claims) { delete(c, "iat") }, nil, 401},
		"the hash of another token":    {func(c openid.Claims) { c["at_hash"] = "AAAAAAAAAAAAAAAAAAAAAA" }, nil, 401},
		"no subject":                   {func(c openid.Claims) { c["sub"] = "" }, nil, 401},
		"a clock that is seconds late": {func(c openid.Claims) { c["iat"], c["exp"] = now+20, now+900 }, nil, 303},
	} {
		p.Change(c.change)
		v := newVisitor(t)
		callback := v.begin(a, "/")
		if c.sent != nil {
			callback = c.sent(callback)
		}
		answer, body := v.ask(a, "GET", callback)
		if answer.StatusCode != c.status || strings.Contains(body, "<script") ||
			(v.cookies["kinebase_session"] != nil) != (c.status == 303) {
			t.Errorf("with %s it ends with %d %s and %v", what, answer.StatusCode, body, v.cookies)
		}
	}
}

func TestASignInIsFinishedOnce(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		p := openid.Start(t)
		a := apptest.Start(t, e, signingIn(p)...)
		p.Person("subject", member(a.Organization(), "staff"))
		v := newVisitor(t)
		callback := v.begin(a, "/")
		flow := v.cookies["kinebase_sign_in"]
		if flow == nil || !flow.HttpOnly || flow.SameSite != http.SameSiteLaxMode || flow.MaxAge != 600 ||
			flow.Path != "/console/sign-in" {
			t.Errorf("a sign-in on its way is kept as %v", flow)
		}
		if answer, _ := v.ask(a, "GET", callback); answer.StatusCode != 303 {
			t.Fatalf("it ends with %d", answer.StatusCode)
		}
		asked := p.Asked("/token")
		if answer, _ := v.ask(a, "GET", callback); answer.StatusCode != 401 {
			t.Errorf("without what was begun it ends again with %d", answer.StatusCode)
		}
		v.cookies["kinebase_sign_in"] = flow
		if answer, _ := v.ask(a, "GET", callback); answer.StatusCode != 401 || p.Asked("/token") != asked {
			t.Errorf("a second time it ends with %d, and the provider was asked", answer.StatusCode)
		}
	})
}

func TestAfterASignInNobodyIsLedElsewhere(t *testing.T) {
	p := openid.Start(t)
	a := apptest.Start(t, apptest.SQLite, signingIn(p)...)
	p.Person("subject", member(a.Organization(), "staff"))
	for to, want := range map[string]string{
		"/captures?status=completed": "/captures?status=completed", "/captures/a%2Fb": "/captures/a%2Fb", "": "/",
		"/sign-in": "/", "/nowhere": "/",
		"//evil.example": "/", "///evil.example/captures": "/", "https://evil.example/captures": "/",
		"/\\evil.example": "/", "\\\\evil.example": "/",
		"//evil.example/captures": "/", "javascript:alert(1)": "/", "/captures\r\nSet-Cookie: a=b": "/",
		"//user@evil.example/": "/", "/%2Fevil.example": "/", "/%5Cevil.example": "/",
		"/captures/../../evil": "/", "/captures#//evil.example": "/captures", "captures": "/",
	} {
		v := newVisitor(t)
		if answer, _ := v.ask(a, "GET", v.begin(a, to)); answer.Header.Get("Location") != want {
			t.Errorf("from %q it leads to %q, want %q", to, answer.Header.Get("Location"), want)
		}
	}
}

// TestANeighbourCannotHaveSomebodyEndItsSignIn plants the sign-in that a neighbour has begun, as a page of
// another host below the same domain can, under any name but the one that browsers keep for the host alone.
func TestANeighbourCannotHaveSomebodyEndItsSignIn(t *testing.T) {
	p := openid.Start(t)
	const secured = "https://kinebase.example"
	a := apptest.Start(t, apptest.SQLite, signingIn(p, apptest.With("KINEBASE_PUBLIC_URL", secured))...)
	p.Person("subject", member(a.Organization(), "staff"))
	begin := func(v *visitor) (callback string) {
		answer, _ := v.ask(a, "GET", "/console/sign-in")
		r, err := http.NewRequestWithContext(t.Context(), "GET", answer.Header.Get("Location"), nil)
		if err != nil {
			t.Fatal(err)
		}
		given, err := a.HTTP.Transport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = given.Body.Close()
		return strings.TrimPrefix(given.Header.Get("Location"), secured)
	}
	neighbour, v := newVisitor(t), newVisitor(t)
	callback := begin(neighbour)
	begun := neighbour.cookies["__Host-kinebase_sign_in"]
	if begun == nil || !begun.Secure || begun.Path != "/" || begun.Domain != "" {
		t.Fatalf("a sign-in on its way is kept as %v, which is none for this host alone", neighbour.cookies)
	}
	v.cookies["kinebase_sign_in"] = &http.Cookie{Name: "kinebase_sign_in", Value: begun.Value, Path: "/"}
	if answer, _ := v.ask(a, "GET", callback); answer.StatusCode != 401 {
		t.Errorf("a planted sign-in ends with %d", answer.StatusCode)
	}
	if answer, body := neighbour.ask(a, "GET", begin(neighbour)); answer.StatusCode != 303 ||
		neighbour.cookies["__Host-kinebase_sign_in"] != nil {
		t.Errorf("its own ends with %d and %v: %s", answer.StatusCode, neighbour.cookies, body)
	}
}

func TestASignInEndsHoweverLongTheAddressOfItsScreen(t *testing.T) {
	p := openid.Start(t)
	a := apptest.Start(t, apptest.SQLite, signingIn(p)...)
	p.Person("subject", member(a.Organization(), "staff"))
	for captures, kept := range map[int]bool{1: true, 40: true, 60: false, 150: false} {
		to := "/compare?capture=" + strings.Repeat("&capture=4f6f2d4e-9e0b-4f0c-8a58-6f3b8d9b7a10_1", captures)
		want := map[bool]string{true: to, false: "/"}[kept]
		v := newVisitor(t)
		callback := v.begin(a, to)
		if c := v.cookies["kinebase_sign_in"]; len(c.String()) > 4096 {
			t.Errorf("a cookie of %d bytes is kept by no browser", len(c.String()))
		}
		if answer, body := v.ask(a, "GET", callback); answer.StatusCode != 303 ||
			answer.Header.Get("Location") != want {
			t.Errorf("with %d captures it ends with %d and leads to %.100s: %s", captures, answer.StatusCode,
				answer.Header.Get("Location"), body)
		}
		v.want(200, a, "GET", "/console/v1/captures")
	}
}

func TestASignInGivesASessionOfItsOwn(t *testing.T) {
	p := openid.Start(t)
	a := apptest.Start(t, apptest.SQLite, signingIn(p)...)
	org := a.Organization()
	p.Person("subject", member(org, "staff"))
	v := newVisitor(t)
	v.signIn(a, a)
	first := v.cookies["kinebase_session"]
	v.signIn(a, a)
	second := v.cookies["kinebase_session"]
	if first.Value == second.Value {
		t.Fatal("two sign-ins give one session")
	}
	v.want(200, a, "DELETE", "/console/session")
	v.cookies["kinebase_session"] = first
	v.want(200, a, "GET", "/console/v1/captures") // the other one goes on
	v.cookies["kinebase_session"] = second
	v.want(401, a, "GET", "/console/v1/captures")

	secure := apptest.Start(t, apptest.SQLite,
		signingIn(p, apptest.With("KINEBASE_PUBLIC_URL", "https://kinebase.example"))...)
	answer, _ := v.ask(secure, "GET", "/console/sign-in")
	for _, c := range answer.Cookies() {
		if !c.Secure {
			t.Errorf("by https %s goes by http too", c.Name)
		}
	}
	if to, _ := url.Parse(answer.Header.Get("Location")); to.Query().Get("redirect_uri") !=
		"https://kinebase.example/console/sign-in/callback" || to.Query().Get("scope") != "openid profile" {
		t.Errorf("the provider is asked %s", to)
	}
}

func TestAServerStartsWithoutItsProvider(t *testing.T) {
	p := openid.Start(t)
	p.Gone(true)
	a := apptest.Start(t, apptest.SQLite, signingIn(p)...)
	org := a.Organization()
	a.Get("/captures", a.Token(org)).Want(200)
	v := newVisitor(t)
	if answer, body := v.ask(a, "GET", "/console/sign-in"); answer.StatusCode != 503 ||
		!strings.Contains(body, "provider does not answer") {
		t.Errorf("a sign-in begins with %d %s", answer.StatusCode, body)
	}
	a.Get("/captures", p.Sign(p.Access("subject", member(org, "staff")))).Want(503)

	p.Gone(false)
	p.Hang(true)
	b := apptest.Start(t, apptest.SQLite, signingIn(p)...)
	b.Get("/captures", b.Token(b.Organization())).Want(200)
	got := make(chan int, 1)
	go func() { got <- b.Get("/captures", p.Sign(p.Access("subject", nil))).Status }()
	b.Until("the provider was asked", func() bool { return p.Asked("/.well-known/openid-configuration") > 1 })
	b.Get("/captures", b.Token(b.Organization())).Want(200) // while one waits for the provider
	p.Hang(false)
	if status := <-got; status != 403 {
		t.Errorf("once it answers the call is %d, want 403: the token names no organization", status)
	}
}

func TestTheProviderEndsSessionsByItsServerAndByItsPage(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		p := openid.Start(t)
		a := apptest.Start(t, e, signingIn(p)...)
		org := a.Organization()
		someone := func(subject, sid string) *visitor {
			p.Person(subject, member(org, "staff", openid.Claims{"sid": sid}))
			v := newVisitor(t)
			v.signIn(a, a)
			v.want(200, a, "GET", "/console/v1/captures")
			return v
		}
		logout := func(token string, want int) {
			t.Helper()
			body := url.Values{"logout_token": {token}}.Encode()
			r, err := http.NewRequestWithContext(t.Context(), "POST", a.Root+"/console/back-channel-logout",
				strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			answer, err := a.HTTP.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			_ = answer.Body.Close()
			if answer.StatusCode != want || answer.Header.Get("Cache-Control") != "no-store" {
				t.Errorf("the logout token answers %d, want %d", answer.StatusCode, want)
			}
		}
		jane, again, john := someone("jane", "s1"), someone("jane", "s2"), someone("john", "s3")
		now := time.Now().Unix()
		for what, c := range map[string]openid.Claims{
			"with a nonce": {"sid": "s1", "nonce": "x"}, "for another client": {"sid": "s1", "aud": "other"},
			"of another issuer": {"sid": "s1", "iss": "https://evil.example"},
			"of nobody":         {}, "that ended": {"sid": "s1", "exp": now - 600},
			"that is old": {"sid": "s1", "iat": now - 3600}, "of the future": {"sid": "s1", "iat": now + 3600},
			"of another event": {"sid": "s1", "events": openid.Claims{"x": openid.Claims{}}},
			"without an id":    {"sid": "s1", "jti": ""},
		} {
			logout(p.Sign(p.Logout(c)), 400)
			if answer, _ := jane.ask(a, "GET", "/console/v1/captures"); answer.StatusCode != 200 {
				t.Fatalf("a logout token %s ends a session", what)
			}
		}
		logout("rubbish", 400)
		logout("", 400)
		logout(p.Sign(p.Logout(openid.Claims{"sub": "jane", "sid": "s1"})), 200)
		jane.want(401, a, "GET", "/console/v1/captures")
		again.want(200, a, "GET", "/console/v1/captures")
		everywhere := p.Sign(p.Logout(openid.Claims{"sub": "jane"}))
		logout(everywhere, 200)
		again.want(401, a, "GET", "/console/v1/captures")
		john.want(200, a, "GET", "/console/v1/captures")
		a.Get("/captures", p.Sign(p.Access("jane", member(org, "staff", openid.Claims{"iat": now - 5})))).Want(401)

		p.Change(func(c openid.Claims) { c["iat"] = time.Now().Unix() + 2 }) // later, by the provider's clock
		back := someone("jane", "s4")
		logout(everywhere, 200) // sent again, it ends nothing that began later
		back.want(200, a, "GET", "/console/v1/captures")

		page := func(iss, sid string) {
			newVisitor(t).want(204, a, "GET", "/console/front-channel-logout?"+
				url.Values{"iss": {iss}, "sid": {sid}}.Encode())
		}
		page("https://evil.example", "s3")
		page(p.Issuer, "s9")
		john.want(200, a, "GET", "/console/v1/captures")
		page(p.Issuer, "s3")
		john.want(401, a, "GET", "/console/v1/captures")
	})
}
