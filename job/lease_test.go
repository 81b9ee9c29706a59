package job

import (
	"testing"
	"time"
)

func TestAJobThatWatchesAnotherKnowsWhichAndComesWhenTheLeaseHasRunOut(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, work := range []string{Process, Gather, Export, ExportFile} {
		j := Job{Work: work, Organization: "O", Subject: "S"}
		watching := j.Watching(now)
		if watching.Work == "" || watching.Work == work || !watching.At.Equal(now.Add(Lease)) ||
			watching.Queue() != Quick {
			t.Errorf("%s is watched by %+v", work, watching)
		}
		if got := watching.Watched(); got != j {
			t.Errorf("%+v watches %+v", watching, got)
		}
	}
}
