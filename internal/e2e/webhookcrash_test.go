package e2e

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// TestWhatAServerWasTellingWhenItWasKilledIsToldByTheNext kills a server that waits for the answer of a
// receiver. The next one believes it to be alive for as long as its lease lasts.
func TestWhatAServerWasTellingWhenItWasKilledIsToldByTheNext(t *testing.T) {
	testkit.Long(t)
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		m := newMachine(t, e)
		m.env = append(m.env, "KINEBASE_WEBHOOK_PRIVATE=on")
		var mu sync.Mutex
		told := map[string]int{} // by webhook-id
		deaf := true
		var verifier *standardwebhooks.Webhook
		waits := make(chan struct{}, 100)
		receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return
			}
			mu.Lock()
			hangs := deaf
			if err := verifier.Verify(body, r.Header); err != nil {
				t.Errorf("%s: %v", body, err)
			}
			told[r.Header.Get("webhook-id")]++
			mu.Unlock()
			if hangs {
				waits <- struct{}{}
				<-r.Context().Done()
			}
		}))
		t.Cleanup(receiver.Close)
		org := m.organization()
		_, secret := m.token(org)
		s := m.serve()
		hook, err := s.client(secret).CreateWebhook(context.Background(),
			client.NewWebhook{URL: receiver.URL, Events: []string{"athlete.created"}})
		if err != nil {
			t.Fatal(err)
		}
		mu.Lock()
		if verifier, err = standardwebhooks.NewWebhook(hook.Secret); err != nil {
			t.Error(err)
		}
		mu.Unlock()
		const people = 20 // more than one batch
		for n := range people {
			if _, err := s.client(secret).CreateAthlete(context.Background(),
				client.AthleteFields{FirstName: ptr(fmt.Sprint("n", n))}); err != nil {
				t.Fatal(err)
			}
		}
		testkit.Receive(t, waits, "the receiver is told something")
		s.kill()
		mu.Lock()
		deaf = false
		mu.Unlock()
		s = m.serve()
		testkit.Until(t, "all deliveries have arrived", func() bool {
			page, err := s.client(secret).ListDeliveries(context.Background(), hook.ID,
				client.DeliveryFilter{State: "delivered", Limit: 1})
			if err != nil {
				t.Fatal(err)
			}
			return page.TotalCount == people
		})
		mu.Lock()
		defer mu.Unlock()
		twice := 0
		for _, n := range told {
			if n > 1 {
				twice++
			}
		}
		if len(told) != people || twice == 0 {
			t.Errorf("%d deliveries were told, %d of them twice", len(told), twice)
		}
	})
}
