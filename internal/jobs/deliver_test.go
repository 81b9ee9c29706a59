package jobs_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/webhook"
)

// post sends deliveries as a test says.
type post struct {
	mu   sync.Mutex
	hang map[string]bool // webhooks whose receivers do not answer
	sent []string        // ids of webhooks, one for each call
}

// Send is webhook.Sender.
func (p *post) Send(ctx context.Context, w webhook.Webhook, _ webhook.Delivery) webhook.Outcome {
	p.mu.Lock()
	p.sent = append(p.sent, w.ID)
	hang := p.hang[w.ID]
	p.mu.Unlock()
	if hang {
		<-ctx.Done()
		return webhook.Outcome{At: time.Now(), Problem: webhook.Timeout}
	}
	return webhook.Outcome{At: time.Now(), Status: 204}
}

func (p *post) hangs(id string, does bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hang[id] = does
}

func (p *post) calls(id string) (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, sent := range p.sent {
		if sent == id {
			n++
		}
	}
	return n
}

// hook makes a webhook.
func (o *office) hook(events ...webhook.Event) webhook.Webhook {
	o.t.Helper()
	url := "https://receiver.example.org"
	w := webhook.New(webhook.Change{URL: &url, Events: events}, time.Now())
	o.must(o.store.CreateWebhook(context.Background(), o.scope, w, nil))
	return w
}

func (o *office) newAthlete() {
	o.t.Helper()
	now := time.Now().UTC()
	o.must(o.store.CreateAthlete(context.Background(), o.scope,
		athlete.Athlete{ID: organization.NewUUID(), FirstName: "Jo", CreatedAt: now, UpdatedAt: now, Version: 1}, nil))
}

// arrived waits until all deliveries of a webhook have arrived.
func (o *office) arrived(w webhook.Webhook, want int64) {
	o.t.Helper()
	state := webhook.Delivered
	testkit.Until(o.t, "the deliveries have arrived", func() bool {
		p, err := o.store.Deliveries(context.Background(), o.scope, w.ID, webhook.Query{State: &state, Limit: 1})
		o.must(err)
		return p.Total == want
	})
}

func TestAReceiverThatHangsHoldsUpNoOtherAndAServerThatStopsGivesItsDeliveriesBack(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		p := &post{hang: map[string]bool{}}
		o.close()
		o.sender = p
		o.open()
		slow, quick := o.hook(), o.hook()
		p.hangs(slow.ID, true)
		for range 20 {
			o.newAthlete()
		}
		o.arrived(quick, 20)
		testkit.Until(t, "the slow receiver is asked", func() bool { return p.calls(slow.ID) > 0 })
		o.close()
		page, err := o.store.Deliveries(t.Context(), o.scope, slow.ID, webhook.Query{Limit: 100})
		o.must(err)
		for _, d := range page.Deliveries {
			if d.State != webhook.Pending || d.Attempts != 0 {
				t.Errorf("a delivery that was cut off counts as tried: %+v", d)
			}
		}
		p.hangs(slow.ID, false)
		begun := time.Now()
		o.open()
		o.arrived(slow, 20)
		t.Logf("%v after the start", time.Since(begun).Round(time.Millisecond))
		if n := p.calls(quick.ID); n != 20 {
			t.Errorf("the quick receiver was told %d times", n)
		}
	})
}
