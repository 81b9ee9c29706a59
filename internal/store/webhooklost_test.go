package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/webhook"
)

// changer makes random changes of things of its own, and notes what a receiver must be told.
type changer struct {
	r      *rand.Rand
	name   string
	sc     organization.Scope
	states map[string]string // of captures, export jobs and athletes
	want   map[string]int    // how often each event is to be told
}

func (c *changer) tell(event, name, state string) { c.want[event+" "+name+" "+state]++ }

// change does one thing on one of the servers.
func (c *changer) change(ctx context.Context, s *Store) error {
	name := fmt.Sprintf("%s-%d", c.name, c.r.IntN(6))
	state := c.states[name]
	switch c.r.IntN(4) {
	case 0:
		name = "job-" + name
		status := export.Statuses[c.r.IntN(len(export.Statuses))]
		j := export.Job{ID: name, Status: status, CreatedAt: noon}
		if status != export.Running {
			j.CompletedAt = &noon
		}
		if status == export.Failed {
			j.ErrorMessage = "It failed."
		}
		if _, err := s.Import(ctx, c.sc, []manifest.Record{{Job: &j}}, false); err != nil {
			return err
		}
		if status != export.Running && string(status) != c.states[name] {
			c.tell(map[export.Status]string{export.Completed: "export.completed", export.Failed: "export.failed",
				export.Canceled: "export.canceled"}[status], name, string(status))
		}
		c.states[name] = string(status)
	case 1:
		a := person("Jo")
		if err := s.CreateAthlete(ctx, c.sc, a, nil); err != nil {
			return err
		}
		c.tell("athlete.created", a.ID, "")
		if _, err := s.ChangeAthlete(ctx, c.sc, a.ID, nil, renames("Joe", 1)); err != nil {
			return err
		}
		c.tell("athlete.updated", a.ID, "")
		if c.r.IntN(2) == 0 {
			c.tell("athlete.deleted", a.ID, "")
			return s.DeleteAthlete(ctx, c.sc, a.ID, func(athlete.Athlete) error { return nil })
		}
	case 2:
		if state == "" {
			return nil
		}
		delete(c.states, name)
		c.tell("capture.deleted", name, "")
		return s.DeleteCapture(ctx, c.sc, name, func(string) error { return nil })
	default:
		one := session(name, ptr(noon.Add(time.Duration(c.r.IntN(1<<30))*time.Second)))
		one.Status = capture.Statuses[c.r.IntN(len(capture.Statuses))]
		next := string(one.Status)
		if _, err := s.Import(ctx, c.sc, []manifest.Record{{Capture: &one}}, false); err != nil {
			return err
		}
		if state == "" {
			c.tell("capture.created", name, next)
		}
		switch {
		case next != state && (next == "completed" || next == "error"):
			c.tell("capture."+next, name, next)
		case state != "":
			c.tell("capture.updated", name, next)
		}
		c.states[name] = next
	}
	return nil
}

// receiver verifies as a program of somebody else does, and fails one call in three.
type receiver struct {
	t        *testing.T
	mu       sync.Mutex
	r        *rand.Rand
	verifier *standardwebhooks.Webhook
	failures map[string]int
	got      map[string]map[string]bool // the ids by what was told
}

// Send is called for each attempt.
func (c *receiver) Send(now time.Time, w webhook.Webhook, d webhook.Delivery) webhook.Outcome {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.r.IntN(3) == 0 && c.failures[d.ID] < 5 {
		c.failures[d.ID]++
		return webhook.Outcome{At: now, Status: 500, Problem: webhook.Status}
	}
	body := d.Body()
	h := http.Header{}
	h.Set("webhook-id", d.ID)
	h.Set("webhook-timestamp", strconv.FormatInt(now.Unix(), 10))
	h.Set("webhook-signature", webhook.Sign(d.ID, now, body, w.Secrets(now)))
	if err := c.verifier.VerifyIgnoringTimestamp(body, h); err != nil {
		c.t.Errorf("%s: %v", body, err)
	}
	what := string(d.Event) + " " + d.Data.ID + " " + d.Status
	if !strings.Contains(string(body), `"type":"`+string(d.Event)+`"`) ||
		!strings.Contains(string(body), `"id":"`+d.Data.ID+`"`) {
		c.t.Errorf("%s says %s", what, body)
	}
	if c.got[what] == nil {
		c.got[what] = map[string]bool{}
	}
	c.got[what][d.ID] = true
	return webhook.Outcome{At: now, Status: 200}
}

// work makes batches as a worker does, and dies now and then with one in its hands, before or after it was sent.
func (c *receiver) work(ctx context.Context, s *Store, r *rand.Rand, sc organization.Scope, h webhook.Webhook) error {
	turn, err := s.Turn(ctx, sc, h.ID, nil)
	for err == nil && turn != nil {
		if r.IntN(10) == 0 {
			return nil
		}
		for i := range turn.Deliveries {
			turn.Outcomes[i] = c.Send(s.now(), turn.Webhook, turn.Deliveries[i])
		}
		if r.IntN(10) == 0 {
			return nil
		}
		turn, err = s.Turn(ctx, sc, h.ID, turn)
	}
	return err
}

func TestEveryChangeIsDeliveredWhateverFailsAndWhoeverDies(t *testing.T) {
	testkit.Long(t)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	engines(t, func(t *testing.T, p place) {
		servers := []*Store{p.open(), p.open()}
		ahead := clock(servers[0])
		servers[1].now = servers[0].now
		sc := tenant(t, servers[0], "A")
		h := hooked(t, servers[0], sc)
		verifier, err := standardwebhooks.NewWebhook(string(h.Secret))
		must(t, err)
		c := &receiver{t: t, r: rand.New(rand.NewPCG(seed, 1)), verifier: verifier, failures: map[string]int{},
			got: map[string]map[string]bool{}}

		var running sync.WaitGroup
		var writers []*changer
		for n := range 3 {
			w := &changer{r: rand.New(rand.NewPCG(seed, uint64(10+n))), name: fmt.Sprint(n), sc: sc,
				states: map[string]string{}, want: map[string]int{}}
			writers = append(writers, w)
			running.Go(func() {
				for range 40 {
					if err := w.change(context.Background(), servers[w.r.IntN(2)]); err != nil {
						t.Error(err)
					}
				}
			})
		}
		for n, s := range servers {
			running.Go(func() {
				r := rand.New(rand.NewPCG(seed, uint64(20+n)))
				for range 10 {
					if err := c.work(context.Background(), s, r, sc, h); err != nil {
						t.Error(err)
					}
				}
			})
		}
		running.Wait()
		r := rand.New(rand.NewPCG(seed, 30))
		waiting := func() bool {
			state := webhook.Pending
			p, err := servers[0].Deliveries(t.Context(), sc, h.ID, webhook.Query{State: &state, Limit: 1})
			must(t, err)
			return p.Total > 0
		}
		for rounds := 0; waiting(); rounds++ {
			if rounds == 1000 {
				t.Fatal("deliveries wait for ever")
			}
			ahead(max(job.Lease, 10*time.Minute))
			must(t, c.work(t.Context(), servers[rounds%2], r, sc, h))
		}
		changes := 0
		for _, w := range writers {
			for what, n := range w.want {
				changes += n
				if got := len(c.got[what]); got != n {
					t.Errorf("%s was told %d times, want %d", what, got, n)
				}
			}
		}
		told := 0
		for _, ids := range c.got {
			told += len(ids)
		}
		if told != changes || changes < 60 {
			t.Errorf("%d events were told, and %d were to be told", told, changes)
		}
	})
}
