// Package need says what becomes of a test that needs something from outside the repository.
package need

import (
	"os"
	"testing"
)

// Missing ends a test for want of something outside the repository: it skips,
// saying what and how to get it. Where CI=true it fails, for there everything
// must be at hand and a skipped test is an untested product.
func Missing(t testing.TB, format string, args ...any) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}
