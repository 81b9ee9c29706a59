package limit

import (
	"flag"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit"
)

// The tests of an outage wait for most of their time, for a Redis that is stopped or for a beat
// that is due: many of them run beside one another on few cores.
func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", "12"); err != nil {
		panic(err)
	}
	testkit.Main(m)
}
