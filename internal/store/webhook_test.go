package store

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/webhook"
)

// hooked makes a webhook that asks for events; for all without any.
func hooked(t *testing.T, s *Store, sc organization.Scope, events ...webhook.Event) webhook.Webhook {
	t.Helper()
	h := webhook.New(webhook.Change{URL: ptr("https://example.org/hook"), Events: events}, noon)
	must(t, s.CreateWebhook(t.Context(), sc, h, nil))
	return h
}

// noted gives the deliveries of a webhook, oldest event first.
func noted(t *testing.T, s *Store, sc organization.Scope, h webhook.Webhook) []webhook.Delivery {
	t.Helper()
	p, err := s.Deliveries(context.Background(), sc, h.ID, webhook.Query{Limit: 500})
	must(t, err)
	if p.Total != int64(len(p.Deliveries)) {
		t.Fatalf("%d deliveries of %d", len(p.Deliveries), p.Total)
	}
	slices.Reverse(p.Deliveries)
	return p.Deliveries
}

// events are what deliveries tell, in a line each.
func events(list []webhook.Delivery) []string {
	lines := []string{}
	for _, d := range list {
		lines = append(lines, string(d.Event)+" "+string(d.AppendData(nil)))
	}
	return lines
}

// batch asks for a batch.
func batch(t *testing.T, s *Store, sc organization.Scope, h webhook.Webhook, before *webhook.Turn) *webhook.Turn {
	t.Helper()
	turn, err := s.Turn(context.Background(), sc, h.ID, before)
	must(t, err)
	return turn
}

// outcome sets what came of a whole batch.
func outcome(s *Store, turn *webhook.Turn, status int) *webhook.Turn {
	for i := range turn.Outcomes {
		turn.Outcomes[i] = webhook.Outcome{At: s.now(), Status: status}
		if status != 200 {
			turn.Outcomes[i].Problem = webhook.Status
		}
	}
	return turn
}

// looks are the moments at which jobs look for deliveries of a webhook, the latest last.
func looks(t *testing.T, s *Store, sc organization.Scope, h webhook.Webhook) (n int64) {
	t.Helper()
	must(t, s.engine.Once(context.Background(), idOf(t, sc),
		db.One(db.Into(&n), `SELECT count(*) FROM river_job WHERE kind = $1 AND args->>'subject' = $2`, job.Deliver,
			h.ID)))
	return n
}

func TestEachChangeIsToBeToldToTheWebhooksThatAskForIt(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc, other := tenant(t, s, "A"), tenant(t, s, "B")
		foreign := hooked(t, s, other)
		all, few := hooked(t, s, sc), hooked(t, s, sc, webhook.CaptureCompleted, webhook.AthleteMerged)
		off := hooked(t, s, sc)
		_, err := s.ChangeWebhook(t.Context(), sc, off.ID, nil, func(h webhook.Webhook) (webhook.Webhook, error) {
			return webhook.Change{Enabled: ptr(false)}.Apply(h, noon), nil
		})
		must(t, err)
		var want []string
		tell := func(line string, args ...any) { want = append(want, fmt.Sprintf(line, args...)) }

		jo, ann := person("Jo"), person("Ann")
		create(t, s, sc, jo, ann)
		tell(`athlete.created {"id":"%s"}`, jo.ID)
		tell(`athlete.created {"id":"%s"}`, ann.ID)
		_, err = s.ChangeAthlete(t.Context(), sc, jo.ID, nil, renames("Joe", 1))
		must(t, err)
		tell(`athlete.updated {"id":"%s"}`, jo.ID)
		_, err = s.ChangeAthlete(t.Context(), sc, jo.ID, nil, renames("Joe", 0)) // nothing
		must(t, err)
		put(t, s, sc, session("a", &noon, jo.ID)) // born completed
		tell(`capture.created {"id":"a","status":"completed"}`)
		tell(`capture.completed {"id":"a","status":"completed"}`)
		put(t, s, sc, session("a", &noon, jo.ID)) // as it is
		put(t, s, sc, session("a", &noon, jo.ID, ann.ID))
		tell(`capture.updated {"id":"a","status":"completed"}`)
		waiting := session("b", &noon)
		waiting.Status = capture.AwaitingUpload
		put(t, s, sc, waiting)
		tell(`capture.created {"id":"b","status":"awaiting_upload"}`)
		waiting.Status = capture.Processing
		put(t, s, sc, waiting)
		tell(`capture.updated {"id":"b","status":"processing"}`)
		waiting.Status = capture.Error
		put(t, s, sc, waiting)
		tell(`capture.error {"id":"b","status":"error"}`)
		must(t, s.DeleteCapture(t.Context(), sc, "b", func(string) error { return nil }))
		tell(`capture.deleted {"id":"b"}`)
		_, err = s.Import(t.Context(), sc, []manifest.Record{{Capture: ptr(session("dry", nil))}}, true)
		must(t, err)
		_, err = s.MergeAthletes(t.Context(), sc, ann.ID, jo.ID, nil, merging)
		must(t, err)
		tell(`capture.updated {"id":"a","status":"completed"}`)
		tell(`athlete.merged {"id":"%s","from":"%s"}`, ann.ID, jo.ID)
		tell(`athlete.deleted {"id":"%s"}`, jo.ID)
		for _, status := range []export.Status{export.Running, export.Completed} {
			j := export.Job{ID: "job", Status: status, CreatedAt: noon}
			if status == export.Completed {
				j.CompletedAt = &noon
			}
			_, err = s.Import(t.Context(), sc, []manifest.Record{{Job: &j}}, false)
			must(t, err)
		}
		tell(`export.completed {"id":"job","status":"COMPLETED"}`)
		must(t, s.DeleteAthlete(t.Context(), sc, ann.ID, anybody))
		tell(`capture.deleted {"id":"a"}`)
		tell(`athlete.deleted {"id":"%s"}`, ann.ID)

		got := events(noted(t, s, sc, all))
		if last := fmt.Sprintf(`athlete.updated {"id":"%s"}`, ann.ID); slices.Contains(got, last) {
			// merging may fill fields
			want = slices.Insert(want, slices.Index(got, last), last)
		}
		same(t, "all", got, want)
		same(t, "few", events(noted(t, s, sc, few)),
			[]string{`capture.completed {"id":"a","status":"completed"}`,
				fmt.Sprintf(`athlete.merged {"id":"%s","from":"%s"}`, ann.ID, jo.ID)})
		same(t, "disabled", events(noted(t, s, sc, off)), []string{})
		same(t, "another organization's", events(noted(t, s, other, foreign)), []string{})
		if n := looks(t, s, sc, all); n == 0 {
			t.Error("no job looks for them")
		}
	})
}

func TestABatchIsOneWorkersAndIsGivenOutAgainWhenItDies(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s, second := p.open(), p.open()
		sc := tenant(t, s, "A")
		ahead := clock(s)
		second.now = s.now
		h := hooked(t, s, sc)
		put(t, s, sc, session("a", &noon), session("b", &noon))
		first := batch(t, s, sc, h, nil)
		// Each capture has two events, and the second waits for the first.
		same(t, "the first batch", events(first.Deliveries),
			[]string{`capture.created {"id":"a","status":"completed"}`,
				`capture.created {"id":"b","status":"completed"}`})
		before := looks(t, s, sc, h)
		for range 3 {
			if turn := batch(t, second, sc, h, nil); turn != nil {
				t.Fatalf("another worker was given %v", events(turn.Deliveries))
			}
		}
		if n := looks(t, s, sc, h); n != before {
			t.Errorf("%d jobs look, and %d did while nobody asked", n, before)
		}
		ahead(job.Lease + time.Second)
		again := batch(t, second, sc, h, nil)
		same(t, "after its death", events(again.Deliveries), events(first.Deliveries))
		if turn := batch(t, s, sc, h, outcome(s, first, 200)); turn != nil {
			t.Error("the dead worker goes on")
		}
		for _, d := range noted(t, s, sc, h) {
			if d.State != webhook.Pending || d.Attempts != 0 {
				t.Errorf("what the dead worker says counts: %+v", d)
			}
		}
		next := batch(t, second, sc, h, outcome(second, again, 200))
		same(t, "the second batch", events(next.Deliveries),
			[]string{`capture.completed {"id":"a","status":"completed"}`,
				`capture.completed {"id":"b","status":"completed"}`})
		next.Last = true
		put(t, s, sc, session("c", &noon))
		if turn := batch(t, second, sc, h, outcome(second, next, 200)); turn != nil {
			t.Error("the last batch of a worker has one behind it")
		}
		if turn := batch(t, s, sc, h, nil); turn == nil || len(turn.Deliveries) != 1 {
			t.Error("nobody goes on")
		}
	})
}

func TestAReceiverThatFailsIsTriedLessOftenAndThenPaused(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		ahead := clock(s)
		h := hooked(t, s, sc, webhook.AthleteCreated)
		create(t, s, sc, person("Jo"))
		began := s.now()
		var tries []time.Duration
		turn := batch(t, s, sc, h, nil)
		for n := 0; n < 20 && turn != nil; n++ {
			tries = append(tries, s.now().Sub(began).Round(time.Second))
			if again := batch(t, s, sc, h, outcome(s, turn, 500)); again != nil {
				t.Fatal("it is tried again at once")
			}
			if list := noted(t, s, sc, h); list[0].DueAt != nil {
				ahead(list[0].DueAt.Sub(s.now()) + time.Millisecond)
			}
			turn = batch(t, s, sc, h, nil)
		}
		var want []time.Duration
		sum := time.Duration(0)
		for _, wait := range []time.Duration{0, 5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour,
			5 * time.Hour, 10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour} {
			sum += wait
			want = append(want, sum)
		}
		same(t, "the attempts", tries, want)
		failed := noted(t, s, sc, h)[0]
		if failed.State != webhook.Failed || failed.LastCode != 500 || failed.Problem != webhook.Status {
			t.Errorf("in the end it is %+v", failed)
		}

		// Of many that wait, one batch is tried, and no other one until the rest is over.
		var people []athlete.Athlete
		for range 40 {
			people = append(people, person("many"))
		}
		create(t, s, sc, people...)
		ahead(5 * time.Minute)
		turn = batch(t, s, sc, h, nil)
		if len(turn.Deliveries) != webhook.Batch || batch(t, s, sc, h, outcome(s, turn, 500)) != nil {
			t.Error("a failing receiver is tried without a rest")
		}
		ping, err := s.Ping(t.Context(), sc, h.ID, nil)
		must(t, err)
		turn = batch(t, s, sc, h, nil)
		if len(turn.Deliveries) != 1 || turn.Deliveries[0].ID != ping.ID {
			t.Errorf("a test waits: %v", events(turn.Deliveries))
		}
		batch(t, s, sc, h, outcome(s, turn, 500))
		ahead(webhook.Patience)
		turn = batch(t, s, sc, h, nil)
		batch(t, s, sc, h, outcome(s, turn, 503))
		now, err := s.Webhook(t.Context(), sc, h.ID)
		must(t, err)
		if now.State != webhook.Paused || now.Reason != webhook.Failing {
			t.Errorf("after five days it is %s for %q", now.State, now.Reason)
		}
		for _, d := range noted(t, s, sc, h) {
			if d.State == webhook.Pending {
				t.Errorf("%s still waits", d.ID)
			}
		}
		create(t, s, sc, person("unheard"))
		if list := noted(t, s, sc, h); len(list) != 42 {
			t.Errorf("%d deliveries", len(list))
		}
		_, err = s.Replay(t.Context(), sc, h.ID, failed.ID, nil)
		refused(t, err, fault.Conflict, "paused")
		_, err = s.ChangeWebhook(t.Context(), sc, h.ID, nil, func(h webhook.Webhook) (webhook.Webhook, error) {
			return webhook.Change{Enabled: ptr(true)}.Apply(h, s.now()), nil
		})
		must(t, err)
		again, err := s.Replay(t.Context(), sc, h.ID, failed.ID, nil)
		must(t, err)
		turn = batch(t, s, sc, h, nil)
		if len(turn.Deliveries) != 1 || turn.Deliveries[0].ID != again.ID ||
			string(turn.Deliveries[0].Body()) != string(failed.Body()) {
			t.Errorf("replayed %v", events(turn.Deliveries))
		}
		batch(t, s, sc, h, outcome(s, turn, 410))
		if now, err = s.Webhook(t.Context(), sc, h.ID); err != nil || now.State != webhook.Paused ||
			now.Reason != webhook.Gone {
			t.Errorf("after 410 it is %s for %q, %v", now.State, now.Reason, err)
		}
	})
}

func TestAJobThatLooksTooEarlyHasAnotherOneLook(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		ahead := clock(s)
		h := hooked(t, s, sc)
		create(t, s, sc, person("Jo"))
		batch(t, s, sc, h, outcome(s, batch(t, s, sc, h, nil), 500)) // again in five seconds
		before := looks(t, s, sc, h)
		batch(t, s, sc, h, nil)
		if n := looks(t, s, sc, h); n != before {
			t.Errorf("%d jobs look, and %d did before", n, before)
		}
		ahead(5*time.Second - 100*time.Millisecond) // as by a clock that is slow
		if turn := batch(t, s, sc, h, nil); turn != nil {
			t.Fatal("it is tried before its time")
		}
		if n := looks(t, s, sc, h); n != before+1 {
			t.Errorf("%d jobs look, and %d did before: nobody comes back", n, before)
		}
	})
}

func TestOldDeliveriesAreForgottenAndThoseThatWaitAreNot(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		ahead := clock(s)
		h, gone := hooked(t, s, sc, webhook.AthleteCreated), hooked(t, s, sc)
		create(t, s, sc, person("told"))
		for turn := batch(t, s, sc, h, nil); turn != nil; {
			turn = batch(t, s, sc, h, outcome(s, turn, 200))
		}
		create(t, s, sc, person("waits"))
		must(t, s.write(t.Context(), idOf(t, sc), func(w *writeTx) error {
			// as of a change that was committed a moment later
			return w.Do(db.Exec(`DELETE FROM webhook WHERE organization = $1 AND id = $2`, w.Org, mustID(t, gone.ID)))
		}))
		must(t, s.forgetDeliveries(t.Context()))
		if n := len(noted(t, s, sc, h)); n != 2 {
			t.Errorf("%d deliveries at once", n)
		}
		ahead((webhook.KeepDays + 1) * 24 * time.Hour)
		must(t, s.forgetDeliveries(t.Context()))
		if list := noted(t, s, sc, h); len(list) != 1 || list[0].State != webhook.Pending {
			t.Errorf("left: %v", events(list))
		}
		var left int64
		must(t, s.engine.Once(t.Context(), idOf(t, sc),
			db.One(db.Into(&left), `SELECT count(*) FROM webhook_delivery WHERE organization = $1`, idOf(t, sc))))
		if left != 1 {
			t.Errorf("%d rows are left", left)
		}
		must(t, s.DeleteWebhook(t.Context(), sc, h.ID))
		_, err := s.Deliveries(t.Context(), sc, h.ID, webhook.Query{Limit: 1})
		refused(t, err, fault.NotFound, "webhook")
		for range webhook.Most {
			hooked(t, s, sc)
		}
		refused(t, s.CreateWebhook(t.Context(), sc, webhook.New(webhook.Change{URL: ptr("https://example.org")}, noon),
			nil), fault.Conflict, "as many")
	})
}

// exerciseWebhooks runs every statement about webhooks.
func exerciseWebhooks(t *testing.T, s *Store, sc organization.Scope) {
	t.Helper()
	ctx := context.Background()
	h := hooked(t, s, sc)
	_, err := s.Webhooks(ctx, sc)
	must(t, err)
	create(t, s, sc, person("told"))
	_, err = s.Ping(ctx, sc, h.ID, once[webhook.Delivery]("ping", "", ""))
	must(t, err)
	turn := batch(t, s, sc, h, nil)
	batch(t, s, sc, h, nil)
	ended := turn.Deliveries[0].ID
	for turn != nil {
		turn = batch(t, s, sc, h, outcome(s, turn, 200))
	}
	noted(t, s, sc, h)
	_, err = s.Replay(ctx, sc, h.ID, ended, nil)
	must(t, err)
	_, err = s.ChangeWebhook(ctx, sc, h.ID, nil, func(h webhook.Webhook) (webhook.Webhook, error) {
		return webhook.Change{Enabled: ptr(false)}.Apply(h.Rotated(noon), noon), nil
	})
	must(t, err)
	must(t, s.write(ctx, idOf(t, sc), func(w *writeTx) error {
		return w.Do(db.Exec(deliveryHead+`(`+parameters(1, 14)+`)`, w.Org, organization.NewID(), organization.NewID(),
			int64(1), "webhook.test", "", "", "", int64(0), int64(0), int64(0), int64(0), int64(0), ""))
	}))
	must(t, s.forgetDeliveries(ctx))
	must(t, s.DeleteWebhook(ctx, sc, h.ID))
}
