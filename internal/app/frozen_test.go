package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/breaker"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// steps is a motion file of so many frames.
func steps(frames int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "PathFileType\t4\t(X/Y/Z)\ta.trc\nDataRate\tNumFrames\tNumMarkers\tUnits\n100\t%d\t1\tm\nFrame#\t"+
		"Time\tA\t\t\n\t\tX1\tY1\tZ1\n\n", frames)
	for i := range frames {
		fmt.Fprintf(&b, "%d\t%.2f\t1\t2\t3\n", i+1, float64(i)/100)
	}
	return b.String()
}

// lab is an organization whose captures' files lie in a bucket.
type lab struct {
	*testing.T
	*apptest.App
	token string
}

func inABucket(t *testing.T, e apptest.Engine, server *testkit.S3Server, clock *testkit.Timers,
	more ...apptest.Option) *lab {
	b := server.Bucket(t)
	a := apptest.Start(t, e, append(more, apptest.BucketTimers(clock), apptest.With("KINEBASE_S3_ENDPOINT", b.Endpoint),
		apptest.With("KINEBASE_S3_REGION", b.Region), apptest.With("KINEBASE_S3_BUCKET", b.Name),
		apptest.With("KINEBASE_S3_ACCESS_KEY_ID", b.AccessKey),
		apptest.With("KINEBASE_S3_SECRET_ACCESS_KEY", b.SecretKey))...)
	return &lab{t, a, a.Token(a.Organization())}
}

// reserve makes a capture that awaits its file.
func (l *lab) reserve() (id string) {
	l.Helper()
	athlete := l.Post("/athletes", l.token, `{"first_name":"Ada"}`).Want(200).Object()["athlete"].(map[string]any)["id"].(string)
	return l.Post("/captures", l.token,
		fmt.Sprintf(`{"athlete_id":%q,"file_name":"a.trc","movement_attributes":{"activity":"walk","movement":"walk"}}`,
			athlete)).Want(200).Object()["session_id"].(string)
}

func (l *lab) send(id string) *apptest.Answer {
	l.Helper()
	return l.Do("PUT", "/captures/"+id+"/file", l.token, steps(20), "Content-Type", "application/octet-stream")
}

func (l *lab) await(id, status string) {
	l.Helper()
	l.Until("capture "+id+" is "+status,
		func() bool { return l.Get("/captures/"+id, l.token).Want(200).Object()["status"] == status })
}

// beside asks beside the test.
func beside(ask func() *apptest.Answer) <-chan *apptest.Answer {
	answer := make(chan *apptest.Answer, 1)
	go func() { answer <- ask() }()
	return answer
}

func refusedBusy(t *testing.T, what string, a *apptest.Answer) {
	t.Helper()
	if a.Status != 503 || a.Header.Get("Retry-After") == "" {
		t.Errorf("%s: %d %s", what, a.Status, a.Body)
	}
}

// allRefused says that requests which need a frozen neighbour are refused: those under way
// when it is found out, and further ones at once.
func allRefused(t *testing.T, clock *testkit.Timers, needs map[string]func() *apptest.Answer) {
	t.Helper()
	var under []<-chan *apptest.Answer
	for _, ask := range needs {
		under = append(under, beside(ask))
	}
	clock.Await(t, breaker.AnswerTime, breaker.Patience)
	for _, answer := range under {
		refusedBusy(t, "a request under way",
			testkit.Receive(t, answer, "a request that needs the neighbour is answered"))
	}
	for what, ask := range needs {
		refusedBusy(t, what, testkit.Receive(t, beside(ask), what+" is refused at once"))
	}
}

func TestWhileABucketIsFrozenOnlyWhatNeedsItIsRefusedAndAfterwardsNothingIsLost(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		server := testkit.S3(t)
		var clock testkit.Timers
		l := inABucket(t, e, server, &clock)
		done, waits, late := l.reserve(), l.reserve(), l.reserve()
		l.send(done).Want(204)
		l.await(done, "completed")

		server.Stop(t)
		needs := map[string]func() *apptest.Answer{
			"frames":            func() *apptest.Answer { return l.Get("/captures/"+done+"/frames", l.token) },
			"the file":          func() *apptest.Answer { return l.Get("/captures/"+done+"/file", l.token) },
			"a converted file":  func() *apptest.Answer { return l.Get("/captures/"+done+"/file?format=c3d", l.token) },
			"a file that comes": func() *apptest.Answer { return l.send(waits) },
		}
		allRefused(t, &clock, needs)
		for _, path := range []string{"/captures", "/captures/" + done, "/captures/" + done + "/motion", "/athletes",
			"/data/export/job"} {
			l.Get(path, l.token).Want(200)
		}
		if ready := l.Page("/readyz").Want(200).Object(); ready["status"] != "ready" ||
			fmt.Sprint(ready["not_answering"]) != "[bucket]" {
			t.Errorf("/readyz says %v", ready)
		}
		if text := string(l.Page("/metrics").Want(200).Body); !strings.Contains(text, "\nkinebase_bucket_silent 1\n") ||
			!strings.Contains(text, "\nkinebase_bucket_lost 1\n") {
			t.Error("the metrics do not say that the bucket is silent")
		}
		job := l.Post("/data/export", l.token, `{}`).Want(200).Object()["jobId"].(string)
		gone := l.Post("/athletes", l.token, `{"first_name":"Bob"}`).Want(200).Object()["athlete"].(map[string]any)["id"].(string)
		l.Delete("/athletes/"+gone, l.token).Want(200)
		if status := l.Get("/data/export/job/"+job, l.token).Want(200).Object()["status"]; status != "RUNNING" {
			t.Errorf("an export that needs the bucket is %v", status)
		}

		server.Cont(t)
		l.Until("/readyz names nobody any more", func() bool {
			clock.Pass(breaker.Pause)
			return l.Page("/readyz").Want(200).Object()["not_answering"] == nil
		})
		for what, ask := range needs {
			if a := ask(); a.Status >= 300 {
				t.Errorf("%s: %d %s", what, a.Status, a.Body)
			}
		}
		l.send(late).Want(204)
		l.await(waits, "completed")
		l.await(late, "completed")
		l.Until("the export is done", func() bool {
			return l.Get("/data/export/job/"+job, l.token).Want(200).Object()["status"] == "COMPLETED"
		})
		if rows := l.Get("/data/export/job/"+job+"/results", l.token).Want(200).Object(); !slices.Contains(
			[]any{20.0, 40.0, 60.0}, rows["total_count"]) {
			// the others may be completed when it is listed
			t.Errorf("the export has %v rows", rows["total_count"])
		}
		text := l.Logs()
		if out, back := strings.Count(text, "the bucket does not answer"),
			strings.Count(text, "the bucket answers again"); out != 1 || back != 1 ||
			strings.Contains(text, "looked into") {
			t.Errorf("the log tells of it %d times and %d times:\n%s", out, back, text)
		}
	})
}

func TestWhileADatabaseIsFrozenRequestsAreRefusedAndAfterwardsNothingIsLostAndNoTryCounted(t *testing.T) {
	server := testkit.Postgres(t, testkit.Durable())
	place := map[string]string{"database-url": server.Database(t), "files": t.TempDir()}
	var clock testkit.Timers
	a := apptest.Start(t, apptest.PostgreSQL, apptest.At(place), apptest.DatabaseTimers(&clock))
	l := &lab{t, a, a.Token(a.Organization())}
	ids := []string{l.reserve(), l.reserve(), l.reserve()}
	l.send(ids[0]).Want(204)
	l.await(ids[0], "completed")
	l.send(ids[1]).Want(204)
	job := l.Post("/data/export", l.token, `{}`).Want(200).Object()["jobId"].(string)

	server.Stop(t)
	needs := map[string]func() *apptest.Answer{
		"a list":            func() *apptest.Answer { return l.Get("/captures", l.token) },
		"frames":            func() *apptest.Answer { return l.Get("/captures/"+ids[0]+"/frames", l.token) },
		"an athlete":        func() *apptest.Answer { return l.Post("/athletes", l.token, `{"first_name":"Bob"}`) },
		"an export":         func() *apptest.Answer { return l.Post("/data/export", l.token, `{}`) },
		"a file that comes": func() *apptest.Answer { return l.send(ids[2]) },
	}
	allRefused(t, &clock, needs)
	if ready := l.Page("/readyz").Want(503).Object(); ready["status"] != "the store does not answer" {
		t.Errorf("/readyz says %v", ready)
	}
	l.Page("/healthz").Want(200)
	if text := string(l.Page("/metrics").Want(200).Body); !strings.Contains(text, "\nkinebase_database_silent 1\n") {
		t.Error("the metrics do not say that the database is silent")
	}

	server.Cont(t)
	l.Until("the server is ready again", func() bool {
		clock.Pass(breaker.Pause)
		return l.Page("/readyz").Status == 200
	})
	for what, ask := range needs {
		if a := ask(); a.Status >= 300 {
			t.Errorf("%s: %d %s", what, a.Status, a.Body)
		}
	}
	l.await(ids[1], "completed")
	l.await(ids[2], "completed")
	l.Until("the export is done", func() bool {
		return l.Get("/data/export/job/"+job, l.token).Want(200).Object()["status"] == "COMPLETED"
	})
	db := outside(t, map[string]string{"database-url": server.Superuser(t, place["database-url"])})
	var counted int
	if err := db.QueryRowContext(t.Context(),
		`SELECT (SELECT coalesce(sum(deaths + failures), 0) FROM export_build) + (SELECT coalesce(sum(deaths), 0) FROM recording)`).Scan(&counted); err != nil || counted > 0 {
		t.Errorf("%d tries are counted (%v)", counted, err)
	}
	text := l.Logs()
	if out, back := strings.Count(text, "the database does not answer"),
		strings.Count(text, "the database answers again"); out != 1 || back != 1 {
		t.Errorf("the log tells of it %d times and %d times:\n%s", out, back, text)
	}
}
