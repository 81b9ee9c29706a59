package demo

import (
	"time"

	"github.com/kinebase/kinebase/export"
)

// tooLarge is how a job ends whose rows do not fit into the memory of a build.
const tooLarge = "The export is too large to build. Narrow the date range or request fewer athletes."

// jobs makes export jobs up: most were done, some were not. All are older than results
// are kept, since there is none of them, and none still runs, since nothing builds it.
func (l lab) jobs() []export.Job {
	jobs := make([]export.Job, Jobs)
	for i := range jobs {
		j := &jobs[i]
		j.ID, j.Status = l.id(), export.Completed
		j.CreatedAt = l.ago(60 * 24 * time.Hour).Add(-export.Life - time.Hour)
		switch i {
		case 3, 7:
			j.Status, j.ErrorMessage = export.Failed, tooLarge
		case 5:
			j.Status = export.Canceled
		}
		ended := j.CreatedAt.Add(time.Duration(l.between(2_000, 90_000)) * time.Millisecond)
		j.CompletedAt = &ended
	}
	return jobs
}
