package app_test

import (
	"testing"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// TestAServerWorksThroughAPoolerOfWholeSessions has pgbouncer between a server and its PostgreSQL: for migrations,
// requests, jobs, and a backup.
func TestAServerWorksThroughAPoolerOfWholeSessions(t *testing.T) {
	place := apptest.PostgreSQL.Place(t)
	place["database-url"] = testkit.Pooler(t, testkit.Postgres(t).Database(t))
	a := apptest.Start(t, apptest.PostgreSQL, apptest.At(place), apptest.With("KINEBASE_BACKUP", t.TempDir()))
	l := &lab{t, a, a.Token(a.Organization())}
	id := l.reserve()
	l.send(id).Want(204)
	l.await(id, "completed")
	job := a.Post("/data/export", l.token, `{}`).Want(200).Object()["jobId"].(string)
	a.Until("the export is built", func() bool {
		return a.Get("/data/export/job/"+job, l.token).Want(200).Object()["status"] == "COMPLETED"
	})
	a.Until("a backup is made", func() bool {
		value := figure(scrape(a), "kinebase_backup_last_success_timestamp_seconds")
		return value != "" && value != "0"
	})
}
