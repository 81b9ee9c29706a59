package app_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/organization"
)

// hookReceiver is a program that is told what changes.
type hookReceiver struct {
	*httptest.Server
	t      *testing.T
	mu     sync.Mutex
	secret string   // the newest one that it knows
	told   []string // type and id of what came
	ids    []string // the webhook-id of each
	status int
}

func receives(t *testing.T) *hookReceiver {
	h := &hookReceiver{t: t, status: http.StatusNoContent}
	h.Server = httptest.NewServer(http.HandlerFunc(h.take))
	t.Cleanup(h.Close)
	return h
}

func (h *hookReceiver) take(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	verifier, err := standardwebhooks.NewWebhook(h.secret)
	if err == nil {
		err = verifier.Verify(body, r.Header)
	}
	if err != nil {
		h.t.Errorf("%s: %v", body, err)
	}
	var m struct {
		Type string
		Data struct{ ID string }
	}
	if err := json.Unmarshal(body, &m); err != nil || strings.Contains(string(body), "Unmistakable") {
		h.t.Errorf("%s: %v", body, err)
	}
	h.told, h.ids = append(h.told, m.Type+" "+m.Data.ID), append(h.ids, r.Header.Get("webhook-id"))
	w.WriteHeader(h.status)
}

func (h *hookReceiver) knows(secret string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.secret = secret
}

func (h *hookReceiver) answers(status int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.status = status
}

// heard waits until something was told, so many times.
func (h *hookReceiver) heard(what string, times int) {
	h.t.Helper()
	testkit.Until(h.t, fmt.Sprintf("%q is told %d times", what, times), func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		n := 0
		for _, told := range h.told {
			if told == what {
				n++
			}
		}
		return n >= times
	})
}

func TestAProgramIsToldWhatChangesAndKnowsWhoTellsIt(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e, apptest.With("KINEBASE_WEBHOOK_PRIVATE", "on"))
		second := apptest.Start(t, e, apptest.At(a.Place), apptest.With("KINEBASE_WEBHOOK_PRIVATE", "on"))
		org := a.Organization()
		token := a.Token(org)
		h := receives(t)
		var hook struct {
			ID, Secret, URL, State string
			Reason                 *string
			Events                 []string
		}
		body := fmt.Sprintf(`{"url":%q,"events":["athlete.created","athlete.deleted"],"description":"warehouse"}`,
			h.URL+"/hook")
		first := a.Post("/webhooks", token, body, "Idempotency-Key", "make").Want(200).Into(&hook)
		h.knows(hook.Secret)
		if again := second.Post("/webhooks", token, body, "Idempotency-Key", "make").Want(200); string(again.Body) !=
			string(first.Body) || again.Header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("made again: %s", again.Body)
		}
		// the secret is not another token's
		second.Post("/webhooks", a.Token(org), body, "Idempotency-Key", "make").Want(409)
		if list := string(a.Get("/webhooks", token).Want(200).Body); strings.Contains(list, "whsec_") ||
			strings.Count(list, `"id"`) != 1 {
			t.Errorf("the list: %s", list)
		}
		if one := a.Get("/webhooks/"+strings.ToUpper(hook.ID), token).Want(200); strings.Contains(string(one.Body),
			"whsec_") {
			t.Errorf("read: %s", one.Body)
		}

		var ping, replayed struct{ ID string }
		create := func(a *apptest.App, name string) (id string) {
			return a.Post("/athletes", token, fmt.Sprintf(`{"first_name":%q}`, name)).Want(200).Object()["athlete"].(map[string]any)["id"].(string)
		}
		made := create(second, "Unmistakable")
		h.heard("athlete.created "+made, 1)
		a.Delete("/athletes/"+made, token).Want(200)
		h.heard("athlete.deleted "+made, 1)
		a.Post("/webhooks/"+hook.ID+"/test", token, "", "Idempotency-Key", "ping").Want(200).Into(&ping)
		h.heard("webhook.test "+hook.ID, 1)
		if again := a.Post("/webhooks/"+hook.ID+"/test", token, "", "Idempotency-Key",
			"ping").Want(200); again.Header.Get("Idempotency-Replayed") != "true" || again.Object()["id"] != ping.ID {
			t.Errorf("pinged again: %s", again.Body)
		}

		// The receiver that knows the new secret alone verifies by one of the two signatures; so does one
		// that knows the old.
		old := hook.Secret
		a.Post("/webhooks/"+hook.ID+"/rotate", token, "").Want(200).Into(&hook)
		if old == hook.Secret {
			t.Error("the secret is the same after a rotation")
		}
		made = create(a, "by the old one")
		h.heard("athlete.created "+made, 1)
		h.knows(hook.Secret)
		made = create(a, "by the new one")
		h.heard("athlete.created "+made, 1)

		state := func(query string) (ids []string) {
			var page struct {
				Deliveries []struct{ ID, State, Type string }
			}
			a.Get("/webhooks/"+hook.ID+"/deliveries?"+query, token).Want(200).Into(&page)
			for _, d := range page.Deliveries {
				ids = append(ids, d.ID)
			}
			return ids
		}
		a.Until("all deliveries have ended", func() bool { return len(state("state=delivered")) == 5 })
		if one := state("limit=1&offset=1"); !slices.Equal(one, state("")[1:2]) {
			t.Errorf("the second page of one: %v", one)
		}
		for _, wrong := range []string{"state=x", "state=failed&state=failed", "limit=0", "offset=-1"} {
			a.Get("/webhooks/"+hook.ID+"/deliveries?"+wrong, token).Want(400)
		}
		last := state("")[0]
		a.Post("/webhooks/"+hook.ID+"/deliveries/"+last+"/replay", token, "", "Idempotency-Key",
			"again").Want(200).Into(&replayed)
		h.heard("athlete.created "+made, 2)
		h.mu.Lock()
		if h.ids[len(h.ids)-1] != last || replayed.ID != last {
			t.Errorf("%s was replayed as %s under the id %s", last, replayed.ID, h.ids[len(h.ids)-1])
		}
		h.mu.Unlock()
		a.Until("it has arrived once more", func() bool { return len(state("state=delivered")) == 5 })
		// the key counts for the path
		a.Post("/webhooks/"+hook.ID+"/deliveries/"+state("")[1]+"/replay", token, "", "Idempotency-Key",
			"again").Want(200)
		h.heard("athlete.created "+made, 2)

		// A receiver that wants nothing any more is told nothing, until its owner says so.
		h.answers(http.StatusGone)
		create(a, "gone")
		a.Until("the webhook is paused", func() bool {
			a.Get("/webhooks/"+hook.ID, token).Want(200).Into(&hook)
			return hook.State == "paused"
		})
		if hook.Reason == nil || *hook.Reason != "gone" {
			t.Errorf("paused for %v", hook.Reason)
		}
		h.answers(http.StatusOK)
		create(a, "unheard")
		a.Do("PATCH", "/webhooks/"+hook.ID, token, `{"enabled":true,"events":["*"]}`, "Content-Type",
			"application/json").Want(200).Into(&hook)
		made = create(a, "heard")
		h.heard("athlete.created "+made, 1)
		a.Delete("/webhooks/"+hook.ID, token).Want(200)
		a.Get("/webhooks/"+hook.ID, token).Want(404)
		a.Post("/webhooks", token, body, "Idempotency-Key", "make").Want(404) // what it made is gone

		var log struct {
			Entries []struct {
				Action string
				Object struct{ Kind, ID string }
			}
		}
		a.Get("/audit?object="+hook.ID, token).Want(200).Into(&log)
		var acts []string
		for _, e := range log.Entries {
			if e.Object.Kind != "webhook" {
				t.Errorf("%+v", e)
			}
			acts = append(acts, e.Action)
		}
		if want := []string{"createWebhook", "testWebhook", "rotateWebhook", "replayDelivery", "replayDelivery",
			"changeWebhook", "deleteWebhook"}; !slices.Equal(acts, want) {
			t.Errorf("the audit log has %v, want %v", acts, want)
		}
		for _, lines := range []string{a.Logs(), second.Logs()} {
			if strings.Contains(lines, "whsec_") {
				t.Error("a secret is in the log")
			}
		}
	})
}

func TestWhoMayMakeWebhooksCannotReachWhatIsNotPublic(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite)
	org := a.Organization()
	token := a.Token(org)
	for _, url := range []string{"http://example.org", "https://127.0.0.1", "https://localhost/x",
		"https://169.254.169.254/latest/meta-data", "https://[::ffff:10.0.0.1]"} {
		a.Post("/webhooks", token, fmt.Sprintf(`{"url":%q}`, url)).Want(400)
	}
	a.Post("/webhooks", a.Token(org, organization.CapturesRead, organization.AthletesWrite),
		`{"url":"https://example.org"}`).Want(403)
	h := receives(t)
	// One that was made while private addresses were allowed is judged again.
	open := apptest.Start(t, apptest.SQLite, apptest.At(a.Place), apptest.With("KINEBASE_WEBHOOK_PRIVATE", "on"))
	var hook struct{ ID string }
	open.Post("/webhooks", token, fmt.Sprintf(`{"url":%q}`, h.URL)).Want(200).Into(&hook)
	if err := open.Stop(); err != nil {
		t.Fatal(err)
	}
	a.Post("/webhooks/"+hook.ID+"/test", token, "").Want(200)
	a.Until("the test has failed", func() bool {
		var page struct {
			Deliveries []struct{ State, Problem string }
		}
		a.Get("/webhooks/"+hook.ID+"/deliveries?state=failed", token).Want(200).Into(&page)
		return len(page.Deliveries) == 1 && page.Deliveries[0].Problem == "address"
	})
	if len(h.told) > 0 {
		t.Errorf("it was told %v", h.told)
	}
}
