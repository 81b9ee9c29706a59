package telemetry_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/telemetry"
)

func TestCallsAreCountedByOperationAndFailureWithoutMemory(t *testing.T) {
	m, rightly := telemetry.NewMetrics(""), errors.New("not there")
	c := m.Calls("kinebase_test", "calls of a test", "operation",
		func(err error) bool { return !errors.Is(err, rightly) }, "a", "b")
	for _, err := range []error{nil, rightly, errors.New("down")} {
		_, call := c.Begin(t.Context(), "a")
		if got := scrape(m); !strings.Contains(got, `kinebase_test_running{operation="a"} 1`) {
			t.Errorf("a call under way is not told: %s", got)
		}
		call.End(err)
	}
	got := scrape(m)
	for _, want := range []string{`kinebase_test_duration_seconds_count{operation="a"} 3`,
		`kinebase_test_errors_total{operation="a"} 1`, `kinebase_test_running{operation="a"} 0`,
		`kinebase_test_duration_seconds_count{operation="b"} 0`, `kinebase_test_errors_total{operation="b"} 0`} {
		if !strings.Contains(got, want) {
			t.Errorf("a scrape misses %s", want)
		}
	}
	ctx := t.Context()
	for what, c := range map[string]*telemetry.Calls{"counted": c, "not counted": nil} {
		if n := testing.AllocsPerRun(100, func() {
			_, call := c.Begin(ctx, "b")
			call.End(nil)
		}); n > 0 {
			t.Errorf("a call that is %s allocates %v times", what, n)
		}
	}
}

func TestAFigureThatIsNotKnownIsMissing(t *testing.T) {
	m, fails := telemetry.NewMetrics(""), false
	m.Table("queue", []telemetry.Column{{Name: "kinebase_waiting", Help: "Jobs."}},
		func(ctx context.Context) ([]telemetry.Row, error) {
			if _, bounded := ctx.Deadline(); !bounded {
				t.Error("a look may take for ever")
			}
			if fails {
				return []telemetry.Row{{Label: "slow", Values: []float64{0}}}, errors.New("down")
			}
			return []telemetry.Row{{Label: "slow", Values: []float64{7}}}, nil
		})
	if got := scrape(m); !strings.Contains(got, `kinebase_waiting{queue="slow"} 7`) {
		t.Errorf("a scrape is %s", got)
	}
	fails = true
	if got := scrape(m); strings.Contains(got, "kinebase_waiting{") || !strings.Contains(got, "go_goroutines") {
		t.Errorf("while it is not known a scrape is %s", got)
	}
}

func BenchmarkACall(b *testing.B) {
	c := telemetry.NewMetrics("").Calls("kinebase_test", "calls", "operation", func(error) bool { return true }, "a")
	ctx := b.Context()
	b.ReportAllocs()
	for b.Loop() {
		_, call := c.Begin(ctx, "a")
		call.End(nil)
	}
}
