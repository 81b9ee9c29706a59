package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/motion/c3d/c3dtest"
)

// ask makes a call, and gives status and text of the answer.
func (s *server) ask(token, method, path, body string, header ...string) (int, string) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	for n := 0; n < len(header); n += 2 {
		r.Header.Set(header[n], header[n+1])
	}
	answer, err := s.http().Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// names says whether a text has anything of the athlete whose name, address and attribute have this word.
func names(text string) bool { return strings.Contains(strings.ToLower(text), "unmistakable") }

// listener is a program that is told, and keeps every byte of it.
type listener struct {
	sync.Mutex
	heard bytes.Buffer
}

// ServeHTTP is http.Handler.
func (l *listener) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	l.Lock()
	defer l.Unlock()
	_ = r.Header.Write(&l.heard) // neither fails
	_, _ = io.Copy(&l.heard, r.Body)
}

// TestADeletedAthleteIsNamedNowhere has somebody made, changed, recorded, looked for, exported, merged and deleted,
// with everything logged, and then looks into all that anybody hears: the feed, deliveries, the audit log, kept
// answers, results of exports and the server's own log.
func TestADeletedAthleteIsNamedNowhere(t *testing.T) {
	testkit.Long(t)
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		m := newMachine(t, e)
		m.env = append(m.env, "KINEBASE_WEBHOOK_PRIVATE=on", "KINEBASE_LOG_LEVEL=debug", "KINEBASE_AUDIT_READS=on")
		org := m.organization()
		_, secret := m.token(org)
		s := m.serve()
		c := s.client(secret)
		l := &listener{}
		program := httptest.NewServer(l)
		defer program.Close()
		hook, err := c.CreateWebhook(t.Context(), client.NewWebhook{URL: program.URL, Events: []string{"*"}})
		if err != nil {
			t.Fatal(err)
		}
		ask := func(want int, method, path, body string, header ...string) string {
			t.Helper()
			status, text := s.ask(secret, method, path, body, append(header, "Content-Type", "application/json")...)
			if status != want {
				t.Fatalf("%s %s: %d %s, want %d", method, path, status, text, want)
			}
			return text
		}
		called := func(first string) string {
			return fmt.Sprintf(`{"first_name":%q,"last_name":"Unmistakable","email":"unmistakable@example.org",`+
				`"custom_attributes":{"unmistakable_key":"unmistakable value"}}`, first)
		}
		made := func(first, key string) string {
			t.Helper()
			var a struct{ Athlete struct{ ID string } }
			if err := json.Unmarshal([]byte(ask(200, "POST", "/athletes", called(first), "Idempotency-Key", key)),
				&a); err != nil {
				t.Fatal(err)
			}
			return a.Athlete.ID
		}
		gone, twin := made("Ada", "made"), made("Twin", "twin")
		ask(200, "POST", "/athletes/"+gone, `{"phone":"unmistakable 1"}`, "Idempotency-Key", "changed")
		n := client.NewCapture{FileName: "Unmistakable jump.c3d", AthleteIDs: []string{gone}, Activity: "jump"}
		r, err := c.Reserve(t.Context(), n, client.IdempotencyKey("reserved"))
		if err == nil {
			err = c.Upload(t.Context(), r, bytes.NewReader(c3dtest.File(c3dtest.Options{Points: c3dtest.Many("P", 2),
				Frames: 5})))
		}
		if err != nil {
			t.Fatal(err)
		}
		j := &journey{T: t, machine: m, server: s, client: c}
		j.await(r.SessionID, "completed")
		for _, path := range []string{"/captures?include=file,athlete&q=Unmistakable", "/athletes?q=unmistakable",
			"/athletes?unmistakable_key=unmistakable+value", "/captures/" + r.SessionID + "?include=file,athlete"} {
			if text := ask(200, "GET", path, ""); !names(text) {
				t.Errorf("%s does not find her: %s", path, text)
			}
		}
		ask(400, "GET", "/captures?status=Unmistakable", "")
		ask(400, "POST", "/athletes", `{"first_name":"Unmistakable","height":"unmistakable"}`)
		ask(400, "POST", "/athletes/"+gone, `{"unmistakable":1}`)
		ask(404, "GET", "/athletes/Unmistakable", "")
		ask(404, "GET", "/captures/Unmistakable%20jump", "")
		ask(404, "GET", "/unmistakable", "")
		job, err := c.CreateExport(t.Context(), client.NewExport{Athletes: []string{gone}},
			client.IdempotencyKey("exported"))
		if err != nil {
			t.Fatal(err)
		}
		results := "/data/export/job/" + job.ID + "/results"
		testkit.Until(t, "the export has her rows", func() bool { return names(ask(200, "GET", results, "")) })
		if text := ask(200, "GET", "/changes?include=object", ""); !names(text) {
			t.Errorf("before, the feed does not name her: %s", text)
		}
		ask(200, "POST", "/athletes/"+gone+"/merge", fmt.Sprintf(`{"from":%q}`, twin), "Idempotency-Key", "merged")
		ask(200, "DELETE", "/athletes/"+gone, "")

		testkit.Until(t, "all deliveries have arrived", func() bool {
			page, err := c.ListDeliveries(t.Context(), hook.ID, client.DeliveryFilter{State: "pending", Limit: 1})
			if err != nil {
				t.Fatal(err)
			}
			return page.TotalCount == 0
		})
		if text := ask(200, "GET", results, ""); names(text) {
			t.Errorf("the export names her: %s", text)
		}
		for key, again := range map[string][2]string{
			"made":    {"/athletes", called("Ada")},
			"changed": {"/athletes/" + gone, `{"phone":"unmistakable 1"}`},
			"merged":  {"/athletes/" + gone + "/merge", fmt.Sprintf(`{"from":%q}`, twin)},
		} {
			if text := ask(404, "POST", again[0], again[1], "Idempotency-Key", key); names(text) {
				t.Errorf("the kept answer %q names her: %s", key, text)
			}
		}
		l.Lock()
		heard := l.heard.String()
		l.Unlock()
		for what, text := range map[string]string{
			"the feed":           ask(200, "GET", "/changes?include=object", ""),
			"the captures":       ask(200, "GET", "/captures?include=file,athlete", ""),
			"the athletes":       ask(200, "GET", "/athletes", ""),
			"the exports":        ask(200, "GET", "/data/export/job", ""),
			"the deliveries":     ask(200, "GET", "/webhooks/"+hook.ID+"/deliveries?limit=500", ""),
			"what was delivered": heard,
			"the audit log":      ask(200, "GET", "/audit?limit=1000", ""),
			"the figures":        s.text("/metrics"),
			"the server's log":   s.logs(),
		} {
			if names(text) {
				t.Errorf("%s names her: %s", what, text)
			}
			if text == "" {
				t.Errorf("%s is empty, so nothing was looked at", what)
			}
		}
		if !strings.Contains(heard, gone) || !strings.Contains(heard, "athlete.merged") {
			t.Errorf("what was delivered does not tell of her: %s", heard)
		}
	})
}
