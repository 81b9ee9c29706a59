package oidc_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/oidc"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/openid"
)

// clock is a clock that a test drives.
type clock struct {
	lock sync.Mutex
	at   time.Time
}

func (c *clock) now() time.Time {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.at
}

func (c *clock) pass(d time.Duration) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.at = c.at.Add(d)
}

func provider(t *testing.T) (*openid.Provider, *oidc.Provider, *clock) {
	at, c := openid.Start(t), &clock{at: time.Now()}
	return at, oidc.New(oidc.Options{Issuer: at.Issuer, ClientID: openid.Client, ClientSecret: openid.Secret,
		Audience: openid.Audience, PublicURL: "https://kb.example",
		Log: slog.New(slog.DiscardHandler), Now: c.now}), c
}

func TestAnAccessTokenCountsWhenTheProviderHasSignedItForUsAndForNow(t *testing.T) {
	at, p, c := provider(t)
	now := c.now().Unix()
	stranger, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	good := at.Access("subject", openid.Claims{"sid": "s"})
	got, err := p.AccessToken(t.Context(), at.Sign(good))
	if err != nil || got.Subject != "subject" || got.SID != "s" || got.Issuer != at.Issuer ||
		got.IssuedAt.Unix() != now {
		t.Fatalf("%+v, %v", got, err)
	}
	unsigned := strings.Split(at.Sign(good), ".")
	for what, token := range map[string]string{
		"of another audience":        at.Sign(at.Access("s", openid.Claims{"aud": "other"})),
		"of none":                    at.Sign(at.Access("s", openid.Claims{"aud": nil})),
		"of another issuer":          at.Sign(at.Access("s", openid.Claims{"iss": "https://evil.example"})),
		"of an issuer with a slash":  at.Sign(at.Access("s", openid.Claims{"iss": at.Issuer + "/"})),
		"that ended":                 at.Sign(at.Access("s", openid.Claims{"exp": now - 61})),
		"without an end":             at.Sign(at.Access("s", openid.Claims{"exp": nil})),
		"that does not begin":        at.Sign(at.Access("s", openid.Claims{"nbf": now + 90})),
		"of the future":              at.Sign(at.Access("s", openid.Claims{"iat": now + 90})),
		"of nobody":                  at.Sign(at.Access("", nil)),
		"of a subject with NUL":      at.Sign(at.Access("a\x00b", nil)),
		"of a subject with lines":    at.Sign(at.Access("a\nb", nil)),
		"of an ID token, by typ":     at.Sign(at.Access("s", openid.Claims{"typ": "ID"})),
		"of a refresh token":         at.Sign(at.Access("s", openid.Claims{"typ": "Refresh"})),
		"of an ID token, by its use": at.Sign(at.Access("s", openid.Claims{"token_use": "id"})),
		"that never begins":          at.Sign(at.Access("s", openid.Claims{"nbf": 1e300})),
		"of a long subject":          at.Sign(at.Access(strings.Repeat("s", 256), nil)),
		"that is an ID token":        at.Sign(at.Access("s", openid.Claims{"nonce": "n"})),
		"with the hash of another":   at.Sign(at.Access("s", openid.Claims{"at_hash": "AAAAAAAAAAAAAAAAAAAAAA"})),
		"of a client that is none of it": at.Sign(at.Access("s", openid.Claims{"at_hash": "AAAAAAAAAAAAAAAAAAAAAA",
			"aud": []string{openid.Audience, "robot"}, "azp": "other"})),
		"that ends sessions":   at.Sign(at.Logout(openid.Claims{"sub": "s", "aud": openid.Audience})),
		"of another key":       at.SignWith(jose.ES256, stranger, at.KeyID(), good),
		"of an unknown key":    at.SignWith(jose.ES256, stranger, "other", good),
		"signed by a password": at.SignWith(jose.HS256, []byte(openid.Secret+openid.Secret), at.KeyID(), good),
		"unsigned":             "eyJhbGciOiJub25lIn0." + unsigned[1] + ".",
		"cut":                  strings.Join(unsigned[:2], ".") + ".",
		"changed":              unsigned[0] + "." + unsigned[1][:len(unsigned[1])-1] + "." + unsigned[2],
		"that is none":         "a.b.c",
	} {
		if _, err := p.AccessToken(t.Context(), token); !fault.Is(err, fault.Unauthorized) {
			t.Errorf("a token %s is %v", what, err)
		}
	}
	for what, claims := range map[string]openid.Claims{
		"said to be one":     {"typ": "Bearer", "token_use": "access"},
		"ended a moment ago": {"exp": now - 30}, "of a clock that is ahead": {"iat": now + 30, "nbf": now + 30},
		"for several": {"aud": []string{"other", openid.Audience}},
		"that Dex gives a client for another": {"at_hash": "AAAAAAAAAAAAAAAAAAAAAA", "azp": "robot",
			"aud": []string{openid.Audience, "robot"}},
	} {
		if _, err := p.AccessToken(t.Context(), at.Sign(at.Access("s", claims))); err != nil {
			t.Errorf("a token %s is %v", what, err)
		}
	}
}

func TestKeysAreFetchedForAnUnknownOneAtMostOnceAMinute(t *testing.T) {
	at, p, c := provider(t)
	counts := func(want error) {
		t.Helper()
		_, err := p.AccessToken(t.Context(),
			at.Sign(at.Access("s", openid.Claims{"iat": c.now().Unix(), "exp": c.now().Add(time.Hour).Unix()})))
		if want == nil && err != nil || want != nil && !fault.Is(err, want.(*fault.Error).Code) {
			t.Fatalf("a token is %v, want %v", err, want)
		}
	}
	asked := func(want int) {
		t.Helper()
		if got := at.Asked("/keys"); got != want {
			t.Fatalf("keys were asked for %d times, want %d", got, want)
		}
	}
	unauthorized := fault.New(fault.Unauthorized, "")
	for range 3 {
		counts(nil)
	}
	asked(1)
	c.pass(30 * time.Second)
	at.Rotate()
	for range 3 {
		counts(unauthorized) // a minute has not passed
	}
	asked(1)
	c.pass(30 * time.Second)
	counts(nil)
	asked(2)
	at.Rotate()
	c.pass(time.Minute)
	at.Gone(true)
	counts(fault.New(fault.Unavailable, ""))
	asked(3)
	at.Gone(false)
	counts(fault.New(fault.Unavailable, ""))
	asked(3)
	c.pass(time.Minute)
	counts(nil)
	asked(4)
}

func TestAKeyThatTheProviderHasTakenBackCountsAnHourAtMost(t *testing.T) {
	at, p, c := provider(t)
	old := at.Sign(at.Access("s", openid.Claims{"exp": c.now().Add(24 * time.Hour).Unix()}))
	if _, err := p.AccessToken(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	at.Rotate()
	c.pass(59 * time.Minute)
	if _, err := p.AccessToken(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	c.pass(time.Minute)
	testkit.Until(t, "the key counts no more", func() bool {
		// the first one has the keys fetched, and goes by those that are known
		_, err := p.AccessToken(t.Context(), old)
		if err != nil && !fault.Is(err, fault.Unauthorized) {
			t.Fatal(err)
		}
		return err != nil
	})
	if got := at.Asked("/keys"); got != 2 {
		t.Errorf("keys were asked for %d times", got)
	}
}
