package e2e

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/internal/httpapi"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/internal/testkit/fixture"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
)

// tenant is an organization with one of everything.
type tenant struct {
	org, secret string
	ids         map[string]string // by the variable of a route's pattern
}

func newTenant(t *testing.T, a *apptest.App) tenant {
	t.Helper()
	org := a.Organization()
	made := fixture.Organization{ID: org, Athletes: 1, Captures: 1, Jobs: 1}
	var records []manifest.Record
	for r := range made.Records() {
		if r.Capture != nil {
			r.Capture.AthleteIDs = []string{made.AthleteID(0)}
		}
		records = append(records, r)
	}
	a.Import(org, records...)
	_, other := a.TokenWithID(org, organization.CapturesRead)
	secret := a.Token(org)
	var hook, delivery, link struct{ ID string }
	a.Post("/shares", secret, `{"captures":["`+made.CaptureID(0)+`"]}`).Want(200).Into(&link)
	a.Post("/webhooks", secret, `{"url":"https://receiver.invalid","enabled":false}`).Want(200).Into(&hook)
	a.Post("/webhooks/"+hook.ID+"/test", secret, "").Want(200).Into(&delivery)
	testkit.Until(t, "the test of the webhook has ended", func() bool {
		return a.Get("/webhooks/"+hook.ID+"/deliveries?state=failed", secret).Want(200).Object()["total_count"] == 1.0
	})
	return tenant{org, secret, map[string]string{
		"athleteId": made.AthleteID(0), "captureId": made.CaptureID(0), "jobId": made.Job(0).ID, "id": other,
		"webhookId": hook.ID, "deliveryId": delivery.ID, "shareId": link.ID,
	}}
}

// nobodys are ids that look like everybody else's and are nobody's.
func nobodys() map[string]string {
	return map[string]string{
		"athleteId": organization.NewUUID(), "captureId": organization.NewUUID() + "_1",
		"jobId": organization.NewUUID(), "id": organization.NewUUID(),
		"webhookId": organization.NewUUID(), "deliveryId": organization.NewUUID(), "shareId": organization.NewUUID(),
	}
}

// at writes a route's path with the ids in it.
func at(t *testing.T, r httpapi.Route, ids map[string]string) string {
	t.Helper()
	path := strings.TrimPrefix(r.Pattern, "/v1")
	for {
		before, rest, ok := strings.Cut(path, "{")
		if !ok {
			return path
		}
		name, after, _ := strings.Cut(rest, "}")
		if ids[name] == "" {
			t.Fatalf("the route %s %s names a thing that this test has none of: %s", r.Method, r.Pattern, name)
		}
		path = before + ids[name] + after
	}
}

// named says whether a route is about one thing that its path names.
func named(r httpapi.Route) bool { return !r.Public && strings.Contains(r.Pattern, "{") }

// body is a body that a route takes.
func body(t *testing.T, r httpapi.Route) string {
	t.Helper()
	if r.Method != http.MethodPost && r.Method != http.MethodPatch || strings.HasSuffix(r.Pattern, "/rotate") {
		return ""
	}
	bodies := map[string]string{
		"/v1/athletes":                       `{"first_name":"Eve"}`,
		"/v1/athletes/{athleteId}":           `{"last_name":"Changed"}`,
		"/v1/athletes/{athleteId}/merge":     `{"from":"0191a0c4-5c1e-7d2a-9f3b-2c6f1e8d4b70"}`,
		"/v1/captures":                       `{"file_name":"new.c3d"}`,
		"/v1/captures/{captureId}":           `{"fps":50}`,
		"/v1/captures/{captureId}/athletes":  `{"athlete_id":"0191a0c4-5c1e-7d2a-9f3b-2c6f1e8d4b70"}`,
		"/v1/captures/{captureId}/reprocess": `{}`,
		"/v1/data/export":                    `{}`,
		"/v1/data/export/estimate":           `{}`,
		"/v1/data/export/job/{jobId}/cancel": `{}`,
		"/v1/shares":                         `{"captures":["a_1"]}`,
		"/v1/tokens":                         `{"name":"new","role":"viewer"}`,
		"/v1/webhooks":                       `{"url":"https://receiver.invalid"}`,
		"/v1/webhooks/{webhookId}":           `{"enabled":true}`,
		"/v1/webhooks/{webhookId}/test":      `{}`,
		"/v1/webhooks/{webhookId}/deliveries/{deliveryId}/replay": `{}`,
	}
	if bodies[r.Pattern] == "" {
		t.Fatalf("this test has no body for the route %s %s", r.Method, r.Pattern)
	}
	return bodies[r.Pattern]
}

// transcript is everything of an answer that may tell one case from another.
func transcript(a *apptest.Answer) string {
	var b strings.Builder
	fmt.Fprintln(&b, a.Status)
	for _, name := range slices.Sorted(maps.Keys(a.Header)) {
		switch name {
		case "Date", "X-Request-Id", "Ratelimit", "Ratelimit-Policy":
		default:
			fmt.Fprintf(&b, "%s: %s\n", name, strings.Join(a.Header[name], " | "))
		}
	}
	return b.String() + "\n" + string(a.Body)
}

// ask sends a request of a route with what it takes.
func ask(t *testing.T, a *apptest.App, r httpapi.Route, path, token string, headers ...string) string {
	t.Helper()
	content := body(t, r)
	if content != "" {
		headers = append(headers, "Content-Type", "application/json")
	}
	return transcript(a.Do(r.Method, path, token, content, headers...))
}

func TestAForeignIDIsAnsweredAsAMadeUpOneByteForByte(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		ours, theirs, nobody := newTenant(t, a), newTenant(t, a), nobodys()
		owned := func(who tenant) string {
			var all strings.Builder
			for _, r := range httpapi.Routes() {
				if r.Method == http.MethodGet && !r.Public && r.Pattern != "/v1/tokens" { // which tells of its own use
					all.WriteString(ask(t, a, r, at(t, r, who.ids), who.secret))
				}
			}
			return all.String()
		}
		before := owned(theirs)
		tag := a.Get("/athletes/"+theirs.ids["athleteId"], theirs.secret).Want(200).Header.Get("ETag")

		cases := 0
		for _, r := range httpapi.Routes() {
			if !named(r) {
				continue
			}
			for what, headers := range map[string][]string{
				"plain":                 nil,
				"with their entity tag": {"If-Match", tag},
				"if it has changed":     {"If-None-Match", tag},
				"with a key":            {"Idempotency-Key", "k" + r.Pattern},
			} {
				cases++
				foreign := ask(t, a, r, at(t, r, theirs.ids), ours.secret, headers...)
				unknown := ask(t, a, r, at(t, r, nobody), ours.secret, headers...)
				if foreign != unknown {
					t.Errorf("%s %s %s: a foreign id is answered\n%s\nand an unknown one\n%s", r.Method, r.Pattern,
						what, foreign, unknown)
				}
				if !strings.HasPrefix(unknown, "404\n") {
					t.Errorf("%s %s %s: an unknown id is answered\n%s", r.Method, r.Pattern, what, unknown)
				}
			}
			// In capitals and with white space, as far as an id may have them.
			for _, change := range []func(string) string{strings.ToUpper,
				func(id string) string { return "%20" + id + "%20" }} {
				cases++
				foreign := ask(t, a, r, at(t, r, changed(theirs.ids, change)), ours.secret)
				unknown := ask(t, a, r, at(t, r, changed(nobody, change)), ours.secret)
				if foreign != unknown {
					t.Errorf("%s %s: a foreign id in other writing is answered\n%s\nand an unknown one\n%s", r.Method,
						r.Pattern, foreign, unknown)
				}
			}
		}
		for _, filter := range []string{"", "&status=completed", "&limit=1&offset=1"} {
			cases++
			foreign := transcript(a.Get("/captures?athlete_id="+theirs.ids["athleteId"]+filter, ours.secret))
			unknown := transcript(a.Get("/captures?athlete_id="+nobody["athleteId"]+filter, ours.secret))
			if foreign != unknown || !strings.Contains(foreign, "athlete_id not found") {
				t.Errorf("a foreign athlete as a filter is answered\n%s\nand an unknown one\n%s", foreign, unknown)
			}
		}
		if cases < 20 {
			t.Errorf("only %d cases", cases)
		}

		if after := owned(theirs); after != before {
			t.Errorf("what they own has changed from\n%s\nto\n%s", before, after)
		}
		if text := owned(ours); strings.Contains(text, theirs.org) || containsAny(text, theirs.ids) {
			t.Errorf("lists of one organization show what another owns:\n%s", text)
		}
	})
}

func changed(ids map[string]string, change func(string) string) map[string]string {
	other := map[string]string{}
	for name, id := range ids {
		other[name] = change(id)
	}
	return other
}

func containsAny(text string, ids map[string]string) bool {
	for _, id := range ids {
		if strings.Contains(text, id) {
			return true
		}
	}
	return false
}

func TestTheSameIDsInTwoOrganizationsAreTwoThings(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		made := fixture.Organization{ID: "twins", Athletes: 1}
		var secrets []string
		for n := range 2 {
			org := a.Organization()
			person, activity := made.Athlete(0), fmt.Sprintf("activity %d", n)
			var finished *time.Time
			if export.Statuses[n] != export.Running {
				finished = &person.CreatedAt
			}
			person.FirstName = fmt.Sprintf("Twin%d", n)
			a.Import(org, manifest.Record{Athlete: &person},
				manifest.Record{Capture: &capture.Capture{SessionID: "same_1", Status: capture.Completed,
					Activity: &activity, AthleteIDs: []string{person.ID}, Source: "api"}},
				manifest.Record{Job: &export.Job{ID: "same", Status: export.Statuses[n], CreatedAt: person.CreatedAt,
					CompletedAt: finished}})
			secrets = append(secrets, a.Token(org))
		}
		for n, secret := range secrets {
			for path, want := range map[string]string{
				"/captures/same_1":               fmt.Sprintf("activity %d", n),
				"/captures":                      fmt.Sprintf("activity %d", n),
				"/captures/same_1/athletes":      fmt.Sprintf("Twin%d", n),
				"/athletes/" + made.AthleteID(0): fmt.Sprintf("Twin%d", n),
				"/athletes":                      fmt.Sprintf("Twin%d", n),
				"/data/export/job/same":          string(export.Statuses[n]),
			} {
				if got := string(a.Get(path, secret).Want(200).Body); !strings.Contains(got, want) {
					t.Errorf("organization %d gets %s from %s, want %s in it", n, got, path, want)
				}
			}
			if got := a.Get("/captures", secret).Object()["total_count"]; got != 1.0 {
				t.Errorf("organization %d counts %v captures", n, got)
			}
		}
		// A deletion in one leaves the other's alone, and so does a key.
		key := []string{"Idempotency-Key", "the same"}
		first := a.Post("/athletes", secrets[0], `{"first_name":"Ada"}`, key...).Want(200)
		second := a.Post("/athletes", secrets[1], `{"first_name":"Ada"}`, key...).Want(200)
		if second.Header.Get("Idempotency-Replayed") != "" || string(first.Body) == string(second.Body) {
			t.Error("one organization gets the stored answer of another")
		}
		a.Delete("/athletes/"+made.AthleteID(0), secrets[0]).Want(200)
		a.Get("/captures/same_1", secrets[0]).Want(404)
		a.Get("/captures/same_1", secrets[1]).Want(200)
		a.Get("/athletes/"+made.AthleteID(0), secrets[1]).Want(200)
	})
}

func TestWithoutItsScopeNothingIsLearned(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		ours, theirs, nobody := newTenant(t, a), newTenant(t, a), nobodys()
		for _, r := range httpapi.Routes() {
			if r.Public { // it is not asked who sends a form, but whether the form is good
				continue
			}
			lacks := make([]organization.Permissions, 0, len(r.Needs)) // what a token must not have, each time
			for _, p := range r.Needs {
				lacks = append(lacks, organization.Permissions{p})
			}
			if r.Any {
				lacks = []organization.Permissions{r.Needs}
			}
			for _, missing := range lacks {
				secret := a.Token(ours.org,
					slices.DeleteFunc(slices.Clone(organization.AllPermissions),
						func(p organization.Permission) bool { return slices.Contains(missing, p) })...)
				first := ask(t, a, r, at(t, r, ours.ids), secret)
				if !strings.HasPrefix(first, "403\n") || !strings.Contains(first, `"Forbidden"`) ||
					!strings.Contains(first, "insufficient_scope") {
					t.Errorf("%s %s without %s is answered\n%s", r.Method, r.Pattern, missing, first)
				}
				for what, path := range map[string]string{
					"a foreign id": at(t, r, theirs.ids), "an unknown id": at(t, r, nobody),
					"bad parameters": at(t, r, ours.ids) + "?limit=x&limit=y",
				} {
					if got := ask(t, a, r, path, secret); got != first {
						t.Errorf("%s %s without %s and with %s is answered\n%s\nand else\n%s", r.Method, r.Pattern,
							missing, what, got, first)
					}
				}
				if r.Method == http.MethodPost {
					if got := transcript(a.Post(at(t, r, ours.ids), secret, `{"broken`)); got != first {
						t.Errorf("%s %s without %s and with a broken body is answered\n%s", r.Method, r.Pattern,
							missing, got)
					}
				}
			}
		}
	})
}
