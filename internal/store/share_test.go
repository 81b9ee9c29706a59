package store

import (
	"testing"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/share"
)

// linkTo makes a share of a capture that ends in an hour, and gives the hash of its secret.
func linkTo(t *testing.T, s *Store, sc organization.Scope, session string) (share.Share, organization.SecretHash) {
	t.Helper()
	made, hash := share.Share{ID: organization.NewID(), Kind: share.Capture, Captures: []string{session},
		CreatedAt: noon, ExpiresAt: time.Now().Add(time.Hour)}, organization.NewLinkSecret().Hash()
	must(t, s.CreateShare(t.Context(), sc, made, hash, nil))
	return made, hash
}

func TestALinkEndsAtItsMomentAndAClockThatGoesBackBringsItNotBack(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		put(t, s, sc, session("shown", &noon))
		made, hash := linkTo(t, s, sc, "shown")
		_, org, err := s.Shown(t.Context(), hash, made.ExpiresAt.Add(-time.Second))
		must(t, err)
		if org != sc.Organization {
			t.Errorf("it is of %s", org)
		}
		_, _, err = s.Shown(t.Context(), hash, made.ExpiresAt)
		refused(t, err, fault.NotFound, "no such share")
		now := s.now
		s.now = func() time.Time { return made.ExpiresAt }
		_, _, err = s.Shown(t.Context(), hash, made.ExpiresAt.Add(-time.Minute))
		refused(t, err, fault.NotFound, "")
		s.now = now
		_, _, err = s.Shown(t.Context(), hash, now())
		refused(t, err, fault.NotFound, "")
	})
}

func TestNoLinkOfABackupCountsAfterARestore(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		put(t, s, sc, session("shown", &noon))
		kept, hash := linkTo(t, s, sc, "shown")
		taken, other := linkTo(t, s, sc, "shown")
		b := snapshotOf(t, s)
		must(t, s.DeleteShare(t.Context(), sc, taken.ID))
		restored, _ := b.restored(t, p, s)
		for _, h := range []organization.SecretHash{hash, other} {
			_, _, err := restored.Shown(t.Context(), h, time.Now())
			refused(t, err, fault.NotFound, "no such share")
		}
		list, err := restored.Shares(t.Context(), sc)
		must(t, err)
		if len(list) != 0 {
			t.Errorf("there are %v", list)
		}
		// The store that the backup is of goes on with its own.
		if found, _, err := s.Shown(t.Context(), hash, time.Now()); err != nil || found.ID != kept.ID {
			t.Errorf("it shows %v, %v", found, err)
		}
	})
}

func TestAnOrganizationHasSoManyLinksAndThoseThatEndedLongAgoMakeRoom(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		put(t, s, sc, session("shown", &noon))
		for range share.Most {
			linkTo(t, s, sc, "shown")
		}
		one := share.Share{ID: organization.NewID(), Captures: []string{"shown"}, ExpiresAt: time.Now().Add(time.Hour)}
		refused(t, s.CreateShare(t.Context(), sc, one, organization.SecretHash{}, nil), fault.Conflict,
			"as many as it may have")
		now := s.now
		s.now = func() time.Time { return now().Add(keptAfterEnd + 2*time.Hour) }
		must(t, s.CreateShare(t.Context(), sc, one, organization.SecretHash{}, nil))
		list, err := s.Shares(t.Context(), sc)
		must(t, err)
		if len(list) != 1 || list[0].ID != one.ID {
			t.Errorf("there are %d", len(list))
		}
	})
}
