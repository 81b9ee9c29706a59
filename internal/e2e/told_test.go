package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// telling is a trial of what programs are told: two servers on one store, tellers who make random changes, programs
// that follow the feed, receivers of webhooks that fail, and servers that are killed.
type telling struct {
	*testing.T
	m       *machine
	secret  string
	servers [2]atomic.Pointer[reached]

	want      int64        // acknowledged changes, after which the tellers end
	changes   atomic.Int64 // so far
	lost      atomic.Int64 // calls without an answer
	refused   atomic.Int64 // with 503
	receivers []*receiver
	tellers   []*teller
	followers []*feedCopy
}

// reached is a server with a client of it.
type reached struct {
	*server
	client *client.Client
}

// occurrence is an event of an object.
type occurrence struct{ event, id string }

// receiver is a program that verifies what it is told. A delivery fails there once, every other one on average, so that
// one call in three does.
type receiver struct {
	testing.TB
	asked []string // events, or "*"
	hook  string   // the webhook's id

	sync.Mutex
	verifier *standardwebhooks.Webhook
	chance   *rand.Rand
	failed   map[string]bool                  // by webhook-id
	taken    map[string]int                   // how often, by webhook-id
	events   map[occurrence]map[string]string // bodies by webhook-id
	calls    int
	failures int
}

// tell makes a trial of so many changes, while servers are killed so often.
func tell(t *testing.T, e apptest.Engine, changes, kills int) {
	m := newMachine(t, e)
	m.env = append(m.env, "KINEBASE_WEBHOOK_PRIVATE=on")
	run := &telling{T: t, m: m, want: int64(changes)}
	_, run.secret = m.token(m.organization())
	for n := range run.servers {
		run.start(n)
	}
	chance := seeded(t)
	for _, asked := range [][]string{{"*"}, {"athlete.created", "capture.deleted"}} {
		run.receivers = append(run.receivers, run.listen(asked, rand.New(rand.NewPCG(chance.Uint64(), 0))))
	}
	var writing, following sync.WaitGroup
	enough := make(chan struct{})
	end := sync.OnceFunc(func() {
		writing.Wait()
		close(enough)
		following.Wait()
	})
	defer end()
	for n := range 4 {
		w := &teller{telling: run, name: fmt.Sprint("w", n), chance: rand.New(rand.NewPCG(chance.Uint64(), 0)),
			links: map[string][]string{}, due: map[occurrence]int{}}
		run.tellers = append(run.tellers, w)
		writing.Go(w.work)
	}
	for range 3 {
		f := &feedCopy{telling: run, chance: rand.New(rand.NewPCG(chance.Uint64(), 0)),
			objects: map[occurrence]string{}}
		run.followers = append(run.followers, f)
		following.Go(func() { f.follow(enough) })
	}
	for n := range kills {
		at := int64((n + 1) * changes / (kills + 1))
		testkit.Until(t, "changes go on", func() bool { return t.Failed() || run.changes.Load() >= at })
		victim := chance.IntN(len(run.servers))
		run.servers[victim].Load().kill()
		run.start(victim)
	}
	if end(); t.Failed() {
		t.FailNow()
	}
	run.settle()
	run.hold(changes, kills)
}

// start has a new server in a place.
func (run *telling) start(n int) {
	s := run.m.serve()
	run.servers[n].Store(&reached{s, s.client(run.secret)})
}

// listen makes a webhook with its receiver.
func (run *telling) listen(asked []string, chance *rand.Rand) *receiver {
	run.Helper()
	r := &receiver{TB: run.T, asked: asked, chance: chance, failed: map[string]bool{}, taken: map[string]int{},
		events: map[occurrence]map[string]string{}}
	server := httptest.NewServer(r)
	run.Cleanup(server.Close)
	r.Lock() // until its secret is known
	defer r.Unlock()
	hook, err := run.servers[0].Load().client.CreateWebhook(run.Context(),
		client.NewWebhook{URL: server.URL, Events: asked})
	if err != nil {
		run.Fatal(err)
	}
	r.hook = hook.ID
	if r.verifier, err = standardwebhooks.NewWebhook(hook.Secret); err != nil {
		run.Fatal(err)
	}
	return r
}

// ServeHTTP takes a delivery, or fails as receivers do: with a status, without an answer, or before all was read.
func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.Lock()
	defer r.Unlock()
	id := req.Header.Get("webhook-id")
	r.calls++
	fails := !r.failed[id] && r.taken[id] == 0 && r.chance.IntN(2) == 0
	if fails {
		r.failed[id] = true
		r.failures++
		if r.chance.IntN(3) == 0 {
			panic(http.ErrAbortHandler)
		}
	}
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return // the server was killed
	}
	if err := r.verifier.Verify(body, req.Header); err != nil {
		r.Errorf("%s: %v", body, err)
	}
	if fails {
		w.WriteHeader([]int{http.StatusInternalServerError, http.StatusServiceUnavailable,
			http.StatusTooManyRequests}[r.chance.IntN(3)])
		return
	}
	var event struct {
		Type string
		Data struct{ ID string }
	}
	if err := json.Unmarshal(body, &event); err != nil {
		r.Errorf("%s: %v", body, err)
	}
	r.taken[id]++
	of := occurrence{event.Type, event.Data.ID}
	if r.events[of] == nil {
		r.events[of] = map[string]string{}
	}
	if before, again := r.events[of][id]; again && before != string(body) {
		r.Errorf("the delivery %s was %s, and is %s", id, before, body)
	}
	r.events[of][id] = string(body)
}

// asks says whether the webhook was made for an event.
func (r *receiver) asks(event string) bool {
	return r.asked[0] == "*" || slices.Contains(r.asked, event)
}

// insist makes a call at any of the servers until one answers, and gives the answer. What changes something has an
// idempotency key, or may be done twice.
func (run *telling) insist(chance *rand.Rand, call func(c *client.Client) error) error {
	for {
		err := call(run.servers[chance.IntN(len(run.servers))].Load().client)
		switch status(err) {
		case 0:
			run.lost.Add(1)
		case http.StatusServiceUnavailable:
			run.refused.Add(1)
			if wrong := unavailable(err); wrong != nil {
				return wrong
			}
		default:
			return err
		}
		if run.Context().Err() != nil {
			return err
		}
		<-time.After(fleetStep)
	}
}

// settle waits until files are read, exports built, and nothing is to be delivered any more.
func (run *telling) settle() {
	run.Helper()
	c := run.servers[0].Load().client
	for _, w := range run.tellers {
		for _, id := range w.recorded {
			testkit.Until(run.T, "a file is read", func() bool {
				one, err := c.Capture(run.Context(), id)
				if err != nil || one.Status == client.Failed {
					run.Fatalf("%+v: %v", one, err)
				}
				return one.Status == client.Completed
			})
		}
		for _, id := range w.exported {
			testkit.Until(run.T, "an export is built", func() bool {
				job, err := c.ExportJob(run.Context(), id)
				if err != nil {
					run.Fatal(err)
				}
				return job.Status != client.JobRunning
			})
		}
	}
	for _, r := range run.receivers {
		for left := int64(1); left > 0; {
			before := left
			testkit.Until(run.T, "deliveries go on", func() bool {
				page, err := c.ListDeliveries(run.Context(), r.hook, client.DeliveryFilter{State: "pending", Limit: 1})
				if err != nil {
					run.Fatal(err)
				}
				left = page.TotalCount
				return left != before
			})
		}
		page, err := c.ListDeliveries(run.Context(), r.hook, client.DeliveryFilter{State: "failed", Limit: 1})
		if err != nil || page.TotalCount > 0 {
			run.Errorf("deliveries have failed: %+v, %v", page, err)
		}
	}
}

// TestTheFeedAndWebhooksMissNothingWhileServersAreKilled is a small form of the campaign of this.
func TestTheFeedAndWebhooksMissNothingWhileServersAreKilled(t *testing.T) {
	testkit.Long(t)
	t.Parallel() // it waits for leases of killed servers, and for receivers that have failed
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) { tell(t, e, 200, 2) })
}
