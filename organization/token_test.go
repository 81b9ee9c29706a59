package organization_test

import (
	"testing"
	"time"

	"github.com/kinebase/kinebase/organization"
)

func TestATokenIsMadeAtTheMomentThatIsShown(t *testing.T) {
	moment := time.Date(2026, 5, 13, 12, 0, 0, 123_456_789, time.UTC)
	token, _, err := organization.NewToken(organization.NewID(), "t", organization.AllPermissions, time.Hour, moment)
	if err != nil {
		t.Fatal(err)
	}
	shown := time.Date(2026, 5, 13, 12, 0, 0, 123_000_000, time.UTC)
	if !token.CreatedAt.Equal(shown) || !token.ExpiresAt.Equal(shown.Add(time.Hour)) {
		t.Errorf("made at %v and expires at %v, want %v and an hour later", token.CreatedAt, token.ExpiresAt, shown)
	}
}
