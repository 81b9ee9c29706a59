package store

import (
	"context"
	"testing"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
)

// issue makes and keeps a token.
func issue(t *testing.T, s *Store, sc organization.Scope, name string) (organization.Token, organization.SecretHash) {
	t.Helper()
	token, secret, err := organization.NewToken(sc.Organization, name,
		organization.Permissions{organization.CapturesRead, organization.Admin}, 48*time.Hour,
		time.Now().UTC().Truncate(time.Millisecond))
	must(t, err)
	must(t, s.CreateToken(t.Context(), sc, token, secret.Hash(), nil))
	return token, secret.Hash()
}

func revoke(t *testing.T, s *Store, sc organization.Scope, tokenID organization.ID) {
	t.Helper()
	_, err := s.ChangeToken(t.Context(), sc, tokenID, nil,
		func(token organization.Token) (organization.Token, *organization.SecretHash, error) {
			token.RevokedAt = ptr(noon)
			return token, nil, nil
		})
	must(t, err)
}

func sameToken(t *testing.T, got, want organization.Token) {
	t.Helper()
	same(t, "permissions", got.Permissions, want.Permissions)
	if got.ID != want.ID || got.Organization != want.Organization || got.Name != want.Name || got.Life != want.Life ||
		!got.CreatedAt.Equal(want.CreatedAt) ||
		(got.ExpiresAt == nil) != (want.ExpiresAt == nil) || got.ExpiresAt != nil &&
		!got.ExpiresAt.Equal(*want.ExpiresAt) ||
		(got.RevokedAt == nil) != (want.RevokedAt == nil) || (got.LastUsedAt == nil) != (want.LastUsedAt == nil) {
		t.Fatalf("got %+v and not %+v", got, want)
	}
}

func TestOrganizationsAreKeptAndListedInTheOrderOfTheirCreation(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		var want []organization.Organization
		for i, name := range []string{"Größe & Söhne", "second", "third"} {
			o := organization.Organization{ID: organization.NewID(), Name: name,
				CreatedAt: noon.Add(-time.Duration(i) * time.Hour)}
			must(t, s.CreateOrganization(t.Context(), o))
			want = append([]organization.Organization{o}, want...)
		}
		got, err := s.Organizations(t.Context())
		must(t, err)
		same(t, "organizations", got, want)
		one, err := s.Organization(t.Context(), want[1].ID)
		must(t, err)
		if one != want[1] {
			t.Errorf("got %+v", one)
		}
		refused(t, s.CreateOrganization(t.Context(), want[0]), fault.Conflict, want[0].ID.String())
		_, err = s.Organization(t.Context(), organization.NewID())
		refused(t, err, fault.NotFound, "no organization")
		_, err = s.Organization(t.Context(), organization.In("me").Organization)
		refused(t, err, fault.NotFound, "no organization")
	})
}

func TestATokenIsFoundByItsSecretWithEverythingThatIsKeptOfIt(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc, other := tenant(t, s, "A"), tenant(t, s, "B")
		token, hash := issue(t, s, sc, "laboratory")
		for range 2 { // from the database, then from memory
			got, err := s.Authenticate(t.Context(), hash)
			must(t, err)
			sameToken(t, got, token)
		}
		forever := token
		forever.ID, forever.Life, forever.ExpiresAt, forever.Name = organization.NewID(), 0, nil, "forever"
		must(t, s.CreateToken(t.Context(), sc, forever, organization.SecretHash{1}, nil))
		got, err := s.Authenticate(t.Context(), organization.SecretHash{1})
		must(t, err)
		sameToken(t, got, forever)

		found, err := s.FindToken(t.Context(), token.ID)
		must(t, err)
		sameToken(t, found, token)
		all, err := s.Tokens(t.Context(), sc)
		must(t, err)
		if len(all) != 2 {
			t.Fatalf("got %d tokens", len(all))
		}
		sameToken(t, all[0], token)
		sameToken(t, all[1], forever)

		_, err = s.Authenticate(t.Context(), organization.SecretHash{2})
		refused(t, err, fault.NotFound, "no such token")
		_, err = s.Token(t.Context(), other, token.ID)
		refused(t, err, fault.NotFound, "no such token")
		_, err = s.ChangeToken(t.Context(), other, token.ID, nil,
			func(t organization.Token) (organization.Token, *organization.SecretHash, error) { return t, nil, nil })
		refused(t, err, fault.NotFound, "no such token")
	})
}

func TestARevokedTokenIsRevokedForTheNextRequest(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		token, hash := issue(t, s, sc, "laptop")
		if got, err := s.Authenticate(t.Context(), hash); err != nil || got.RevokedAt != nil {
			t.Fatal(got, err)
		}
		revoke(t, s, sc, token.ID)
		got, err := s.Authenticate(t.Context(), hash)
		must(t, err)
		if got.RevokedAt == nil {
			t.Fatal("the token still counts")
		}
	})
}

func TestATokenRevokedByAnotherProcessCountsNoLongerInTime(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		here, there := p.open(), p.open()
		now := time.Now()
		there.now = func() time.Time { return now }
		sc := tenant(t, here, "A")
		token, hash := issue(t, here, sc, "laptop")
		_, err := there.Authenticate(t.Context(), hash)
		must(t, err)
		revoke(t, here, sc, token.ID)
		revoked := func() bool {
			got, err := there.Authenticate(t.Context(), hash)
			must(t, err)
			return got.RevokedAt != nil
		}
		if p.options.Data != "" {
			if !revoked() {
				t.Fatal("on SQLite a revocation counts at once")
			}
			return
		}
		now = now.Add(rememberedLife - 1)
		if revoked() {
			t.Error("on PostgreSQL a token that was just looked up is looked up again")
		}
		now = now.Add(1)
		if !revoked() {
			t.Error("a token that was revoked elsewhere still counts after a second")
		}
	})
}

func TestARotationEndsTheOldSecret(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		token, old := issue(t, s, sc, "laptop")
		_, err := s.Authenticate(t.Context(), old)
		must(t, err)
		var secret organization.Secret
		rotated, err := s.ChangeToken(t.Context(), sc, token.ID, nil,
			func(token organization.Token) (organization.Token, *organization.SecretHash, error) {
				next, fresh, err := token.Rotated(time.Now().UTC().Add(time.Hour).Truncate(time.Millisecond))
				secret = fresh
				return next, ptr(fresh.Hash()), err
			})
		must(t, err)
		if rotated.ExpiresAt.Equal(*token.ExpiresAt) {
			t.Error("the rotated token has no new life")
		}
		_, err = s.Authenticate(t.Context(), old)
		refused(t, err, fault.NotFound, "no such token")
		got, err := s.Authenticate(t.Context(), secret.Hash())
		must(t, err)
		sameToken(t, got, rotated)
	})
}

func TestARefusedChangeOfATokenChangesNothing(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		token, hash := issue(t, s, sc, "laptop")
		_, err := s.ChangeToken(t.Context(), sc, token.ID, nil,
			func(token organization.Token) (organization.Token, *organization.SecretHash, error) {
				token.Name = "other"
				return token, &organization.SecretHash{9}, fault.New(fault.Conflict, "not now")
			})
		refused(t, err, fault.Conflict, "not now")
		got, err := s.Authenticate(t.Context(), hash)
		must(t, err)
		sameToken(t, got, token)
	})
}

func TestTimesOfLastUseAreWrittenTogetherToTheMinuteAndNeverBackwards(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		token, _ := issue(t, s, sc, "laptop")
		sc.Token = token.ID
		used := func() *time.Time {
			got, err := s.Token(t.Context(), sc, token.ID)
			must(t, err)
			return got.LastUsedAt
		}
		at := noon.Add(42 * time.Second)
		s.TokenUsed(sc, at)
		s.TokenUsed(sc, at.Add(-10*time.Minute))
		if used() != nil {
			t.Fatal("a use was written at once")
		}
		must(t, s.flushUses(t.Context()))
		if got := used(); got == nil || !got.Equal(noon) {
			t.Fatalf("last used at %v", got)
		}
		s.TokenUsed(sc, noon.Add(-time.Hour))
		must(t, s.flushUses(t.Context()))
		if got := used(); !got.Equal(noon) {
			t.Fatalf("the time of last use went back to %v", got)
		}
	})
}

func TestTimesOfLastUseThatCouldNotBeWrittenAreWrittenLaterAndAtTheEnd(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		token, _ := issue(t, s, sc, "laptop")
		sc.Token = token.ID
		s.TokenUsed(sc, noon)
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if err := s.flushUses(gone); err == nil {
			t.Fatal("they were written for a caller that has gone")
		}
		must(t, s.Close())
		s = p.open()
		got, err := s.Token(t.Context(), sc, token.ID)
		must(t, err)
		if got.LastUsedAt == nil || !got.LastUsedAt.Equal(noon) {
			t.Fatalf("last used at %v", got.LastUsedAt)
		}
	})
}
