package app_test

import (
	"strings"
	"testing"

	"github.com/kinebase/kinebase/audit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// TestTheAddressThatATrustedProxyTellsCountsForTheLimitTheLogAndTheAuditLog is the whole server with the setting, and
// another one without it, which must believe nobody.
func TestTheAddressThatATrustedProxyTellsCountsForTheLimitTheLogAndTheAuditLog(t *testing.T) {
	const guesser, other, field = "203.0.113.5", "203.0.113.6", "X-Forwarded-For"
	for proxies, believed := range map[string]bool{"127.0.0.1": true, "": false} {
		a := apptest.Start(t, apptest.SQLite, apptest.With("KINEBASE_RATE_LIMIT", "500"),
			apptest.With("KINEBASE_TRUSTED_PROXIES", proxies))
		org := a.Organization()
		secret := a.Token(org)
		want := "127.0.0.1"
		if believed {
			want = guesser
		}
		a.Do("POST", "/athletes", secret, `{"first_name":"Ada"}`, "Content-Type", "application/json", field,
			"198.51.100.9, "+guesser).Want(200)
		made := entries(t, a, org, audit.Query{Action: "createAthlete"})
		if len(made) != 1 || made[0].Address != want {
			t.Errorf("with the proxies %q the audit log has %+v", proxies, made)
		}
		limited := false
		for range 1000 {
			if limited = a.Do("GET", "/captures", "wrong", "", field, guesser).Status == 429; limited {
				break
			}
		}
		if !limited {
			t.Fatal("a thousand wrong tokens in a row were all looked at")
		}
		status := 429 // all callers behind the proxy have one address
		if believed {
			status = 401
		}
		a.Do("GET", "/captures", "wrong", "", field, other).Want(status)
		if told := strings.Contains(a.Logs(), guesser); told != believed ||
			strings.Contains(a.Logs(), "198.51.100.9") {
			t.Errorf("with the proxies %q the log has the client's address: %t", proxies, told)
		}
	}
}
