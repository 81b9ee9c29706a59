package app_test

import (
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/internal/testkit/openid"
	"github.com/kinebase/kinebase/person"
)

func TestTheInterfaceTakesAccessTokensOfTheProvider(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		p := openid.Start(t)
		a := apptest.Start(t, e, signingIn(p)...)
		org := a.Organization()
		access := func(subject, group string, more ...openid.Claims) string {
			return p.Sign(p.Access(subject, member(org, group, more...)))
		}
		guest, head := access("guest", "guests"), access("head", "heads")
		if answer := a.Get("/captures", guest).Want(200); answer.Header.Get("Kinebase-Token-Expires") != "" {
			t.Error("an access token, which lives for an hour, is said to be about to expire")
		}
		a.Post("/athletes", guest, `{"first_name":"Ada"}`).Want(403)
		a.Get("/tokens", guest).Want(403)

		made := a.Post("/tokens", head, `{"name":"made by a person","role":"viewer"}`, "Idempotency-Key",
			"k").Want(200).Object()
		if again := a.Post("/tokens", head, `{"name":"made by a person","role":"viewer"}`, "Idempotency-Key",
			"k").Want(200).Object(); again["token"] != made["token"] {
			t.Error("the same person with the same token gets another answer")
		}
		a.Post("/tokens", access("head", "heads", openid.Claims{"jti": "another"}),
			`{"name":"made by a person","role":"viewer"}`, "Idempotency-Key", "k").Want(409)
		a.Get("/captures", made["token"].(string)).Want(200)
		// Programs have clients of their own: the audience says that the token is for us.
		a.Get("/captures", access("guest", "guests", openid.Claims{"azp": "a program"})).Want(200)
		if logs := a.Logs(); !strings.Contains(logs, person.ID(p.Issuer, "head").String()) ||
			strings.Contains(logs, "Jane") || strings.Contains(logs, guest) {
			t.Error("the log does not have the person's id, or has a name or a token")
		}
		actor := person.ID(p.Issuer, "head").String()
		entries := a.Get("/audit?actor="+actor, head).Want(200).Object()["entries"].([]any)
		if len(entries) == 0 || entries[0].(map[string]any)["action"] != "createToken" {
			t.Errorf("the audit log has %v", entries)
		}

		a.Get("/captures", p.Sign(p.Access("head", member(org, "heads", openid.Claims{"aud": openid.Client})))).Want(
			401)
		for _, token := range []string{"a.b.c", "..", strings.Repeat("a.", 9000), head + "x"} {
			a.Get("/captures", token).Want(401)
		}
	})
}

func TestWithoutAnAudienceNoAccessTokenIsTaken(t *testing.T) {
	p := openid.Start(t)
	a := apptest.Start(t, apptest.SQLite, signingIn(p, apptest.With("KINEBASE_OIDC_AUDIENCE", ""))...)
	a.Get("/captures", p.Sign(p.Access("head", member(a.Organization(), "heads")))).Want(401)
	if p.Asked("/keys") != 0 {
		t.Error("the provider was asked about a token that is not taken")
	}
	plain := apptest.Start(t, apptest.SQLite)
	plain.Get("/captures", p.Sign(p.Access("head", member(plain.Organization(), "heads")))).Want(401)
	v := newVisitor(t)
	if got := v.want(200, plain, "GET", "/console/ways"); got != `{"provider":null}` {
		t.Errorf("the ways to sign in are %s", got)
	}
	for _, path := range []string{"/console/sign-in", "/console/sign-in/callback?code=a&state=b",
		"/console/front-channel-logout?iss=a&sid=b"} {
		v.want(404, plain, "GET", path)
	}
}

func TestSomebodyOfTheProviderWhoBelongsNowhereHereIsCountedByAddress(t *testing.T) {
	p := openid.Start(t)
	a := apptest.Start(t, apptest.SQLite, signingIn(p, apptest.With("KINEBASE_RATE_LIMIT", "500:1000"))...)
	for what, claims := range map[string]openid.Claims{
		"without a role":             member(a.Organization(), "cleaners"),
		"of an unknown organization": member("Nowhere", "staff"), "of what is no name": member("a\x00b", "staff"),
	} {
		token := p.Sign(p.Access("subject", claims))
		for n := 0; ; n++ {
			status := a.Get("/captures", token).Status
			if status == 429 {
				break
			}
			if status != 403 || n > 1000 {
				t.Fatalf("somebody %s is answered %d at the call %d", what, status, n)
			}
		}
	}
}
