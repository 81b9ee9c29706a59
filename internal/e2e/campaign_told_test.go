//go:build campaign

package e2e

import (
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// TestCampaignFeedAndWebhooksMissNothing lets two servers on one store be killed again and again under random changes,
// while receivers fail one call in three: copies that are built from the feed equal the store, and every change is
// delivered with a valid signature.
func TestCampaignFeedAndWebhooksMissNothing(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) { tell(t, e, rounds(t, 10_000), rounds(t, 50)) })
}
