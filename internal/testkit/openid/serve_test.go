//go:build walk

package openid_test

import (
	"os"
	"os/signal"
	"syscall"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/openid"
)

// TestAProviderServesUntilItIsStopped is the provider of scripts/try-walk. It writes its address into a file.
func TestAProviderServesUntilItIsStopped(t *testing.T) {
	p := openid.Start(t)
	p.Person("ada", openid.Claims{"organization": "Our Lab", "groups": []string{"motion-heads"}, "name": "Ada"})
	if err := os.WriteFile(os.Getenv("KINEBASE_WALK_ISSUER"), []byte(p.Issuer), 0o600); err != nil {
		t.Fatal(err)
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT)
	<-stop
}
