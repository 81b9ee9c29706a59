package httpapi_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/organization"
)

func TestATokenIsCreatedUsedRotatedAndRevoked(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		admin, adminID := a.TokenWithID(a.Organization())
		made := a.Post("/tokens", admin, `{"name":" dashboard ","role":"viewer"}`).Want(200).Object()
		secret, id := made["token"].(string), made["id"].(string)
		if made["name"] != "dashboard" || fmt.Sprint(made["scopes"]) != "[captures:read athletes:read exports:read]" ||
			made["last_used_at"] != nil || made["revoked_at"] != nil {
			t.Errorf("made %v", made)
		}
		created, err := time.Parse(time.RFC3339, made["created_at"].(string))
		if expires, err2 := time.Parse(time.RFC3339, made["expires_at"].(string)); err != nil || err2 != nil ||
			expires.Sub(created) != 90*24*time.Hour {
			t.Errorf("lives from %v to %v", made["created_at"], made["expires_at"])
		}
		a.Get("/captures", secret).Want(200)
		a.Get("/tokens", secret).Want(403)

		var list struct {
			Tokens []map[string]any
		}
		a.Get("/tokens", admin).Want(200).Into(&list)
		if len(list.Tokens) != 2 || list.Tokens[0]["id"] != adminID || list.Tokens[1]["id"] != id {
			t.Errorf("lists %v", list.Tokens)
		}
		for _, one := range list.Tokens {
			if _, shown := one["token"]; shown {
				t.Errorf("a secret is shown again: %v", one)
			}
		}

		for _, body := range []string{"", "{}"} {
			rotated := a.Post("/tokens/"+id+"/rotate", admin, body).Want(200).Object()
			next := rotated["token"].(string)
			if rotated["id"] != id || next == secret {
				t.Errorf("rotated to %v", rotated)
			}
			a.Get("/captures", secret).Want(401)
			a.Get("/captures", next).Want(200)
			secret = next
		}
		a.Post("/tokens/"+id+"/rotate", admin, `{"name":"x"}`).Want(400)

		a.Delete("/tokens/"+id, admin).Want(200)
		a.Get("/captures", secret).Want(401)
		a.Delete("/tokens/"+id, admin).Want(200)
		a.Post("/tokens/"+id+"/rotate", admin, "").Want(409)
		a.Get("/tokens", admin).Want(200).Into(&list)
		if list.Tokens[1]["revoked_at"] == nil {
			t.Errorf("lists %v", list.Tokens[1])
		}
	})
}

func TestTokensOfOthersAreUnknown(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		admin := a.Token(a.Organization())
		secret, foreign := a.TokenWithID(a.Organization())
		for _, id := range []string{foreign, organization.NewUUID(), "x", strings.Repeat("a", 300)} {
			for _, answer := range []*apptest.Answer{a.Delete("/tokens/"+id, admin).Want(404),
				a.Post("/tokens/"+id+"/rotate", admin, "").Want(404)} {
				if got := string(answer.Body); got != `{"error":"NotFound","message":"There is no such token."}` {
					t.Errorf("%s answers %s", id, got)
				}
			}
		}
		a.Delete("/tokens/%ff", admin).Want(400)
		a.Get("/captures", secret).Want(200)
	})
}

func TestATokenIsCreatedByTheRules(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite)
	admin := a.Token(a.Organization())
	soon := time.Now().Add(time.Hour).UTC().Truncate(time.Millisecond).Format("2006-01-02T15:04:05.000Z")
	for body, expires := range map[string]any{
		`{"name":"x","scopes":["admin","captures:read","admin"],"expires_at":"never"}`: nil,
		`{"name":"x","role":"editor","expires_at":"` + soon + `"}`:                     soon,
	} {
		if got := a.Post("/tokens", admin, body).Want(200).Object()["expires_at"]; got != expires {
			t.Errorf("%s expires at %v, want %v", body, got, expires)
		}
	}
	for body, blamed := range map[string]string{
		`{}`:               "name role",
		`{"name":"x"}`:     "role",
		`{"role":"admin"}`: "name",
		`{"name":"x","role":"admin","scopes":["admin"]}`:                               "scopes",
		`{"name":" ","role":"admin"}`:                                                  "name",
		`{"name":"a\nb","role":"admin"}`:                                               "name",
		`{"name":7,"role":"Admin"}`:                                                    "name role",
		`{"name":"x","scopes":[]}`:                                                     "scopes",
		`{"name":"x","scopes":["all"]}`:                                                "scopes",
		`{"name":"x","scopes":"admin"}`:                                                "scopes",
		`{"name":"x","scopes":[null]}`:                                                 "scopes",
		`{"name":"x","role":"admin","expires_at":null}`:                                "expires_at",
		`{"name":"x","role":"admin","expires_at":""}`:                                  "expires_at",
		`{"name":"x","role":"admin","expires_at":"2020-01-01T00:00:00Z"}`:              "expires_at",
		`{"name":"x","role":"admin","expires_at":"9999-01-01T00:00:00Z"}`:              "expires_at",
		`{"name":"x","role":"admin","organization":"y","token":"z","id":"w"}`:          "organization token id",
		`{"name":"` + strings.Repeat("x", 129) + `","role":"viewer","expires_at":"x"}`: "expires_at",
		`{"name":"` + strings.Repeat("x", 129) + `","role":"viewer"}`:                  "name",
	} {
		messages, _ := a.Post("/tokens", admin, body).Want(400).Object()["messages"].(string)
		for _, name := range strings.Fields(blamed) {
			if !strings.Contains(messages, name) {
				t.Errorf("%s does not blame %s: %q", body, name, messages)
			}
		}
		if n := len(strings.Split(messages, "; ")); n != len(strings.Fields(blamed)) {
			t.Errorf("%s has %d problems: %q", body, n, messages)
		}
	}
}

func TestNobodyGrantsMoreThanTheirOwnScopes(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		small := a.Token(org, organization.Admin, organization.CapturesRead)
		_, whole := a.TokenWithID(org)
		a.Post("/tokens", small, `{"name":"x","role":"viewer"}`).Want(403)
		a.Post("/tokens", small, `{"name":"x","scopes":["captures:write"]}`).Want(403)
		a.Post("/tokens/"+whole+"/rotate", small, "").Want(403)
		a.Post("/tokens", small, `{"name":"x","scopes":["captures:read","admin"]}`).Want(200)
		a.Delete("/tokens/"+whole, small).Want(200)
	})
}

func TestASecretIsShownAgainToItsCallerAlone(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		admin, other := a.Token(org), a.Token(org)
		const body = `{"name":"x","role":"viewer"}`
		first := a.Post("/tokens", admin, body, "Idempotency-Key", "k").Want(200)
		again := a.Post("/tokens", admin, body, "Idempotency-Key", "k").Want(200)
		if string(again.Body) != string(first.Body) || again.Header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("first %s, again %s %v", first.Body, again.Body, again.Header)
		}
		if got := a.Post("/tokens", other, body, "Idempotency-Key", "k").Want(409); strings.Contains(string(got.Body),
			"kb_") {
			t.Errorf("another caller is answered %s", got.Body)
		}
		a.Post("/tokens", admin, `{"name":"y","role":"viewer"}`, "Idempotency-Key", "k").Want(422)

		id := first.Object()["id"].(string)
		rotated := a.Post("/tokens/"+id+"/rotate", admin, "", "Idempotency-Key", "k").Want(200)
		repeated := a.Post("/tokens/"+id+"/rotate", admin, "", "Idempotency-Key", "k").Want(200)
		if string(rotated.Body) != string(repeated.Body) || repeated.Header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("rotated %s, repeated %s", rotated.Body, repeated.Body)
		}
		a.Get("/captures", rotated.Object()["token"].(string)).Want(200)
	})
}

func TestAKeptSecretIsShownAgainAfterItsEnd(t *testing.T) {
	testkit.Long(t)
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		admin := a.Token(a.Organization())
		var end time.Time
		var body string
		var first *apptest.Answer
		for life := time.Second; ; life *= 2 { // on a busy machine the end may come before the request
			end = time.Now().Add(life)
			body = `{"name":"x","role":"viewer","expires_at":"` + end.UTC().Format(time.RFC3339Nano) + `"}`
			if first = a.Post("/tokens", admin, body, "Idempotency-Key", "k"); first.Status == 200 ||
				life > testkit.Patience {
				break
			}
		}
		first.Want(200)
		for past := false; !past; { // once more after the end
			past = time.Now().After(end)
			again := a.Post("/tokens", admin, body, "Idempotency-Key", "k").Want(200)
			if string(again.Body) != string(first.Body) {
				t.Fatalf("first %s, again %s", first.Body, again.Body)
			}
		}
		a.Post("/tokens", admin, body, "Idempotency-Key", "another").Want(400)
		if n := strings.Count(string(a.Get("/tokens", admin).Want(200).Body), `"name":"x"`); n != 1 {
			t.Errorf("%d tokens were made", n)
		}
		// a failure keeps no key
		a.Post("/tokens", admin, `{"name":"y","role":"viewer"}`, "Idempotency-Key", "another").Want(200)
	})
}
