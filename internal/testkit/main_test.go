package testkit

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/need"
)

// verdict records how a test ended instead of ending one.
type verdict struct {
	testing.TB
	said string
}

func (v *verdict) Helper() {}

func (v *verdict) Skipf(format string, args ...any) {
	v.said = "skip: " + fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func (v *verdict) Fatalf(format string, args ...any) {
	v.said = "fail: " + fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func TestWhatIsMissingSkipsAtHomeAndFailsInCI(t *testing.T) {
	for ci, want := range map[string]string{"": "skip: no PostgreSQL", "true": "fail: no PostgreSQL"} {
		t.Setenv("CI", ci)
		v := &verdict{TB: t}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			need.Missing(v, "no %s", "PostgreSQL")
		}()
		<-ended
		if v.said != want {
			t.Errorf("with CI=%q the test says %q, want %q", ci, v.said, want)
		}
	}
}
