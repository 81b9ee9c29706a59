package jobs

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/kinebase/kinebase/internal/testkit/storetest"
	"github.com/kinebase/kinebase/job"
)

func TestAJobThatWasNotAnnouncedIsAnnouncedWhenItIsDueAndNoOther(t *testing.T) {
	url := storetest.Empty.Database(t)
	pool, err := pgxpool.New(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	run := func(sql string, args ...any) {
		t.Helper()
		if _, err := conn.Exec(t.Context(), sql, args...); err != nil {
			t.Fatal(err)
		}
	}
	for queue, state := range map[string]string{job.Slow: "available", job.Exports: "scheduled",
		job.Copies: "running"} {
		run(`INSERT INTO river_job (args, kind, max_attempts, priority, queue, state) VALUES ('{}', 'process', 1, 1, $1,
$2::text::river_job_state)`, queue, state)
	}
	run(`LISTEN "public.` + insertTopic + `"`)
	tick := make(chan time.Time)
	go Options{Postgres: pool, Workers: 1}.announceWaiting(t.Context(), tick)
	heard := func() string {
		t.Helper()
		n, err := conn.WaitForNotification(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return n.Payload
	}
	tick <- time.Now()
	if got := heard(); got != `{"queue" : "`+job.Slow+`"}` {
		t.Errorf("announced was %s", got)
	}
	tick <- time.Now() // the look before is over, and so is what it announced
	if got := heard(); got != `{"queue" : "`+job.Slow+`"}` {
		t.Errorf("announced was %s", got)
	}
	run(`UPDATE river_job SET state = 'running' WHERE state = 'available'`)
	tick <- time.Now()
	tick <- time.Now() // taken after the look before
	run(`NOTIFY "public.` + insertTopic + `", 'the last one'`)
	// The last look may still be under way, and finds nothing either.
	if got := heard(); got != "the last one" {
		t.Errorf("announced was %s of a queue in which nothing waits", got)
	}
}
