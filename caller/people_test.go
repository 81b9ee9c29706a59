package caller_test

import (
	"context"
	"net/netip"
	"testing"
	"time"

	"github.com/kinebase/kinebase/audit"
	"github.com/kinebase/kinebase/caller"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/person"
)

// known is a person.Store with one organization.
type known struct {
	person.Store
	org   organization.ID
	ended map[person.Key]time.Time
}

func (k *known) Tenant(_ context.Context, named string) (organization.ID, error) {
	if named != "Lab" && named != k.org.String() {
		return organization.ID{}, fault.New(fault.NotFound, "none")
	}
	return k.org, nil
}

func (k *known) Ended(_ context.Context, keys []person.Key) (latest time.Time, err error) {
	for _, key := range keys {
		if at := k.ended[key]; at.After(latest) {
			latest = at
		}
	}
	return latest, nil
}

func TestAPersonComesInByTokenOrSessionWithOneRateUntilTheyHaveEnded(t *testing.T) {
	now := time.Date(2026, 5, 13, 12, 0, 0, 0, time.UTC)
	store, rates := &known{org: organization.NewID(), ended: map[person.Key]time.Time{}}, &gate{failures: 1000}
	claims := person.Claims{Issuer: "i", Subject: "s", SID: "sid", IssuedAt: now, Expires: now.Add(time.Hour),
		All: map[string]any{"org": "Lab", "role": "g"}}
	d := caller.Door{Tokens: &tokens{}, Gate: rates, People: &caller.People{
		Rules: person.Rules{OrganizationClaim: "org", RoleClaim: "role", Roles: map[string]string{"g": "viewer"}},
		Store: store,
		Verify: func(_ context.Context, token string) (person.Claims, error) {
			if token != "a.b.c" {
				return person.Claims{}, fault.New(fault.Unauthorized, "not valid")
			}
			return claims, nil
		},
	}}
	v, err := d.People.Presence(t.Context(), claims)
	if err != nil {
		t.Fatal(err)
	}
	session := v.NewSession(now)
	byToken, bySession := caller.Shown{Kind: caller.Bearer, Text: "a.b.c"},
		caller.Shown{Kind: caller.Session, Session: &session}
	from := netip.MustParseAddr("192.0.2.1")
	both := func(at time.Time, token, session fault.Code) {
		t.Helper()
		for shown, want := range map[caller.Shown]fault.Code{byToken: token, bySession: session} {
			c, err := d.Identify(t.Context(), shown, from, at)
			if want != "" {
				if !fault.Is(err, want) {
					t.Errorf("%v at %v is %v, want %s", shown, at, err, want)
				}
				continue
			}
			id := person.ID("i", "s")
			if err != nil || c.Actor() != (audit.Actor{Kind: audit.Person, ID: id.String(), Name: "s"}) ||
				c.Scope() != (organization.Scope{Organization: store.org}) || len(c.Permissions) != 3 {
				t.Fatalf("%v at %v is %+v, %v", shown, at, c, err)
			}
			rates.counted = nil
			if d.Count(t.Context(), c); rates.counted[0] != id.String()+" "+store.org.String() {
				t.Errorf("counted is %v", rates.counted)
			}
		}
	}
	both(now, "", "")
	both(now.Add(time.Hour), fault.Unauthorized, fault.Unauthorized)
	store.ended[session.Own()] = now
	both(now, "", fault.Unauthorized)
	store.ended = map[person.Key]time.Time{person.Everywhere(person.ID("i", "s")): now.Add(-time.Second),
		person.SessionAt("i", "other"): now, person.SessionAt("other", "sid"): now}
	both(now, "", "")
	store.ended[person.SessionAt("i", "sid")] = now
	both(now, fault.Unauthorized, fault.Unauthorized)
	store.ended = map[person.Key]time.Time{person.Everywhere(person.ID("i", "s")): now}
	both(now, fault.Unauthorized, fault.Unauthorized)
	store.ended = nil
	store.org = organization.NewID() // the one before is gone
	both(now, "", fault.Unauthorized)
	d.People.Verify = nil
	both(now, fault.Unauthorized, fault.Unauthorized)
	d.People = nil
	both(now, fault.Unauthorized, fault.Unauthorized)
	long := v
	long.Until = now.Add(48 * time.Hour)
	if got := long.NewSession(now); !got.Until.Equal(now.Add(12*time.Hour)) || got.Session == session.Session {
		t.Errorf("a session of a long token ends at %v", got.Until)
	}
}
