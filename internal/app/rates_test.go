package app_test

import (
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

func TestATokenIsHeldToItsRate(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite, apptest.With("KINEBASE_RATE_LIMIT", "1:2"))
	org := a.Organization()
	secret := a.Token(org)
	for range 2 {
		if got := a.Get("/captures", secret).Want(200); got.Header.Get("RateLimit") == "" ||
			got.Header.Get("RateLimit-Policy") == "" {
			t.Errorf("an answer does not tell its limits: %v", got.Header)
		}
	}
	other := a.Token(org)
	if got := refused(t, a, secret); got.Header.Get("Retry-After") == "" {
		t.Error("a refusal does not say when to come back")
	}
	a.Get("/captures", other).Want(200) // another token has a bucket of its own
}

func TestAnOrganizationIsHeldToItsRateOverAllItsTokens(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite, apptest.With("KINEBASE_RATE_LIMIT", "off"),
		apptest.With("KINEBASE_RATE_LIMIT_ORG", "1:2"))
	org := a.Organization()
	another := a.Token(a.Organization())
	for range 2 {
		a.Get("/captures", a.Token(org)).Want(200)
	}
	refused(t, a, a.Token(org), a.Token(org))
	a.Get("/captures", another).Want(200)
}

// refused asks in turn with tokens that have spent what they may, until one is refused:
// a slow machine is given more meanwhile.
func refused(t *testing.T, a *apptest.App, secrets ...string) *apptest.Answer {
	t.Helper()
	for n := range 100 {
		if got := a.Get("/captures", secrets[n%len(secrets)]); got.Status != 200 {
			return got.Want(429)
		}
	}
	t.Fatal("a hundred requests more than may be were let through")
	return nil
}

func TestWithoutLimitsNoneIsToldAndNoneIsKept(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite, apptest.With("KINEBASE_RATE_LIMIT", "off"))
	secret := a.Token(a.Organization())
	for range 200 { // more than the failures that are allowed otherwise
		a.Get("/captures", "wrong").Want(401)
	}
	if got := a.Get("/captures", secret).Want(200); got.Header.Get("RateLimit") != "" ||
		got.Header.Get("RateLimit-Policy") != "" {
		t.Errorf("limits are told that are not there: %v", got.Header)
	}
}

func TestFailedAuthenticationIsLimitedByAddressButAGoodTokenPasses(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite, apptest.With("KINEBASE_RATE_LIMIT", "500"))
	secret := a.Token(a.Organization())
	limited := false
	for range 1000 {
		if limited = a.Get("/captures", "wrong").Status == 429; limited {
			break
		}
	}
	if !limited {
		t.Error("a thousand wrong tokens in a row were all looked at")
	}
	a.Get("/captures", secret).Want(200)
}

func TestTwoServersShareTheirLimitsThroughRedis(t *testing.T) {
	redis := apptest.With("KINEBASE_REDIS_URL", testkit.Redis(t).Addr)
	place := apptest.SQLite.Place(t)
	rate := apptest.With("KINEBASE_RATE_LIMIT", "1:20")
	a := apptest.Start(t, apptest.SQLite, apptest.At(place), redis, rate)
	b := apptest.Start(t, apptest.SQLite, apptest.At(place), redis, rate)
	// A Redis that answers too late, as on a busy machine, is an outage, and each server then
	// gives its share, a little more or less than the whole: such a round proves nothing.
	// Servers that do not share give 40 in every round.
	testkit.Until(t, "a round in which Redis answers in time gives 20 requests, and one more a second", func() bool {
		secret := a.Token(a.Organization())
		begun, allowed := time.Now(), 0
		for servers := []*apptest.App{a, b}; ; allowed++ {
			if got := servers[allowed%2].Get("/captures", secret); got.Status != 200 {
				got.Want(429)
				break
			}
		}
		// One more a second: each server alone would let 20 through.
		more := int(time.Since(begun).Seconds())
		return allowed >= 20 && allowed <= 20+more
	})
}

func TestTheLogHoldsNoSecrets(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite)
	secret := a.Token(a.Organization())
	a.Post("/athletes", secret, `{"first_name":"Gwendolyn","email":"gwen@example.org"}`).Want(200)
	a.Get("/athletes?q=gwen", secret).Want(200)
	a.Post("/athletes", secret, `{"first_name":"Gwendolyn","email":"gwen at example.org"}`).Want(400)
	a.Get("/captures", secret+"x").Want(401)
	if err := a.Stop(); err != nil {
		t.Fatal(err)
	}
	log := a.Logs()
	if n := strings.Count(log, `"msg":"request"`); n != 4 {
		t.Errorf("%d lines about requests, want 4:\n%s", n, log)
	}
	for _, private := range []string{secret, "Gwendolyn", "gwen"} {
		if strings.Contains(log, private) {
			t.Errorf("the log holds %q:\n%s", private, log)
		}
	}
}
