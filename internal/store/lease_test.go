package store

import (
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/job"
)

func TestALeaseThatTheDatabaseLetNobodyExtendIsNoDeath(t *testing.T) {
	extended := noon
	until := db.Micros(extended.Add(job.Lease))
	for _, c := range []struct {
		what     string
		answered time.Time
		starved  bool
	}{
		{"the database always answered", time.Time{}, false},
		{"it was silent before the lease was extended", extended.Add(-time.Microsecond), false},
		{"it was silent until the lease could have been extended again", extended.Add(job.Beat), true},
		{"it was silent for longer than the lease", extended.Add(time.Hour), true},
	} {
		if got := starved(until, c.answered); got != c.starved {
			t.Errorf("%s: a lease that ran out counts as starved: %v", c.what, got)
		}
	}
}
