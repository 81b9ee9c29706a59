package httpapi

import (
	"log/slog"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit"
)

func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler)) // tests that look at the log have one of their own
	testkit.Main(m)
}
