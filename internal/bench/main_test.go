package bench

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit"
)

// workEnv holds the job of a child: servers and imports run in processes of
// their own, so that their memory and their processor time are theirs alone.
const workEnv = "KINEBASE_BENCH_JOB"

func TestMain(m *testing.M) {
	raw := os.Getenv(workEnv)
	if raw == "" {
		testkit.Main(m)
	}
	var j job
	err := json.Unmarshal([]byte(raw), &j)
	if err == nil {
		err = j.run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}
