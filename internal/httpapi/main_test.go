package httpapi

import (
	"log/slog"
	"testing"

	"go.uber.org/goleak"

	"github.com/kinebase/kinebase/internal/testkit"
)

func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler)) // tests that look at the log have one of their own
	// net/http lingers half a second on a connection whose request it has not read.
	testkit.Main(m, goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait"))
}
