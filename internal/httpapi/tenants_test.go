package httpapi_test

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/httpapi"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/organization"
)

// tenant is an organization with one record of every kind, by the name that the
// route table gives to the kind's id.
type tenant struct {
	org, token string
	ids        map[string]string
}

func newTenant(t *testing.T, a *apptest.App, mark string) tenant {
	t.Helper()
	x := tenant{org: a.Organization(), ids: map[string]string{"captureId": mark + "-capture", "jobId": mark + "-job"}}
	x.token = a.Token(x.org)
	x.ids["athleteId"], _ = person(t, a, x.token, fmt.Sprintf(`{"first_name":%q,"custom_attributes":{"mark":%q}}`, mark,
		mark))
	_, x.ids["id"] = a.TokenWithID(x.org)
	x.ids["captureId"] = recorded(t, a, x.token,
		fmt.Sprintf(`{"athlete_id":%q,"file_name":%q,"movement_attributes":{"activity":%q}}`, x.ids["athleteId"],
			mark+".trc", mark))
	var hook, delivery struct{ ID string }
	a.Post("/webhooks", x.token, `{"url":"https://receiver.invalid","enabled":false}`).Want(200).Into(&hook)
	a.Post("/webhooks/"+hook.ID+"/test", x.token, "").Want(200).Into(&delivery)
	a.Until("the test of the webhook has ended", func() bool {
		return a.Get("/webhooks/"+hook.ID+"/deliveries?state=failed", x.token).Want(200).Object()["total_count"] == 1.0
	})
	x.ids["webhookId"], x.ids["deliveryId"] = hook.ID, delivery.ID
	var link struct{ ID, Secret string }
	a.Post("/shares", x.token, fmt.Sprintf(`{"captures":[%q]}`, x.ids["captureId"])).Want(200).Into(&link)
	x.ids["shareId"], x.ids["secret"], x.ids["number"] = link.ID, link.Secret, "1"
	var progress struct{ Secret string }
	a.Post("/shares", x.token,
		fmt.Sprintf(`{"kind":"progress","progress":{"athlete_id":%q,"activity":%q,"movement":"m","metric":"k"}}`,
			x.ids["athleteId"], mark)).Want(200).Into(&progress)
	x.ids["progress"] = progress.Secret
	fill(t, a, x.org, fmt.Sprintf(`{"type":"export_job","jobId":%q,"status":"RUNNING"}`, x.ids["jobId"]))
	return x
}

// pathOf fills a pattern with ids.
func pathOf(pattern string, ids map[string]string) string {
	path := strings.TrimPrefix(pattern, "/v1")
	for name, id := range ids {
		path = strings.Replace(path, "{"+name+"}", id, 1)
	}
	return path
}

// with gives ids of which one is another.
func with(ids map[string]string, name, id string) map[string]string {
	ids = maps.Clone(ids)
	ids[name] = id
	return ids
}

// send sends a request that the operation of the route would carry out on things
// with these ids.
func send(a *apptest.App, r httpapi.Route, ids map[string]string, token string, headers ...string) *apptest.Answer {
	body := ""
	switch r.Method + " " + r.Pattern {
	case "POST /v1/uploads":
		headers = append(headers, "Content-Type", "multipart/form-data; boundary=B")
		return a.Do(r.Method, "/uploads", token, "--B--\r\n", headers...)
	case "POST /v1/shares":
		body = fmt.Sprintf(`{"captures":[%q]}`, ids["captureId"])
	case "POST /v1/captures/{captureId}/athletes":
		body = fmt.Sprintf(`{"athlete_id":%q}`, ids["athleteId"])
	case "POST /v1/athletes/{athleteId}/merge":
		body = fmt.Sprintf(`{"from":%q}`, organization.NewUUID())
	case "PUT /v1/landmarks":
		body = `{"landmarks":[{"name":"pelvis","points":[["HIPS"]]}]}`
	case "PUT /v1/skeletons":
		body = `{"skeletons":[{"name":"own","bones":[["A","B"]]}]}`
	case "PATCH /v1/captures/{captureId}":
		body = `{"movement":"swing"}`
	case "PATCH /v1/webhooks/{webhookId}":
		body = `{"enabled":false}`
	default:
		if r.Method == http.MethodPost {
			body = "{}"
		}
	}
	if r.Public { // a visitor, who shows what the link has
		secret := ids["secret"]
		if strings.HasPrefix(r.Pattern, "/v1/shared/athletes/") {
			secret = ids["progress"]
		}
		headers, token = append(headers, "Kinebase-Share", secret), ""
	}
	if body != "" {
		headers = append(headers, "Content-Type", "application/json")
	}
	return a.Do(r.Method, pathOf(r.Pattern, ids), token, body, headers...)
}

// seen is all that a caller can see of an answer, but for what differs from one
// answer to the next anyway.
func seen(a *apptest.Answer) string {
	h := a.Header.Clone()
	for _, name := range []string{"Date", "X-Request-Id", "RateLimit", "RateLimit-Policy", "Kinebase-Token-Expires"} {
		h.Del(name)
	}
	return fmt.Sprint(a.Status, h, string(a.Body))
}

func TestForeignDeletedAndUnknownIDsLookTheSameEverywhere(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		mine, foreign := newTenant(t, a, "mine"), newTenant(t, a, "foreign")
		dead, _ := person(t, a, mine.token, `{"first_name":"Al"}`)
		deadCapture := recorded(t, a, mine.token, fmt.Sprintf(`{"athlete_id":%q,"file_name":"dead.trc"}`, dead))
		a.Delete("/athletes/"+dead, mine.token).Want(200)
		deleted := map[string]string{"athleteId": dead, "captureId": deadCapture}

		reads := func() (all []string) {
			for _, r := range httpapi.Routes() {
				if r.Method == http.MethodGet && !strings.HasPrefix(r.Pattern, "/v1/uploads/") {
					all = append(all, seen(send(a, r, foreign.ids, foreign.token).Want(200)))
				}
			}
			return all
		}
		before := reads()
		for _, r := range httpapi.Routes() {
			if strings.HasPrefix(r.Pattern, "/v1/uploads/") { // what is signed in its address is nobody's id
				continue
			}
			for _, name := range variables(r.Pattern) {
				if r.Public { // its numbers count within the link
					continue
				}
				if foreign.ids[name] == "" {
					t.Fatalf("%s %s: the test knows no record of {%s}", r.Method, r.Pattern, name)
				}
				unknown := seen(send(a, r, with(mine.ids, name, organization.NewUUID()), mine.token).Want(404))
				for what, id := range map[string]string{"foreign": foreign.ids[name],
					"foreign, in capitals": strings.ToUpper(foreign.ids[name]), "deleted": deleted[name]} {
					if id == "" {
						continue
					}
					for _, headers := range [][]string{nil, {"If-Match", "*"}, {"If-None-Match", "*"},
						{"If-Match", `"x"`}, {"Range", "bytes=0-0"}, {"Accept", "text/csv"}} {
						if got := seen(send(a, r, with(mine.ids, name, id), mine.token, headers...)); got != unknown {
							t.Errorf("%s %s, %s %s %v:\n%s\nunknown:\n%s", r.Method, r.Pattern, what, name, headers,
								got, unknown)
						}
					}
				}
			}
		}
		for i, after := range reads() {
			if lastUse.ReplaceAllString(after, "") != lastUse.ReplaceAllString(before[i], "") {
				t.Errorf("what the other organization reads has changed from\n%s\nto\n%s", before[i], after)
			}
		}
	})
}

// lastUse is when a token was used last, which is written now and then, and with it the length of the answer.
var lastUse = regexp.MustCompile(`"(uses|last_used_at)":[^,}]+|Content-Length:\[\d+\] `)

// variables are the names of a pattern's variable segments.
func variables(pattern string) (names []string) {
	for _, part := range strings.Split(pattern, "/") {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			names = append(names, strings.TrimSuffix(name, "}"))
		}
	}
	return names
}

func TestAnAthleteOfOthersCannotBeLinked(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		mine, foreign := newTenant(t, a, "mine"), newTenant(t, a, "foreign")
		dead, _ := person(t, a, mine.token, `{"first_name":"Al"}`)
		a.Delete("/athletes/"+dead, mine.token).Want(200)
		link := func(id string) string {
			return seen(a.Post("/captures/"+mine.ids["captureId"]+"/athletes", mine.token,
				fmt.Sprintf(`{"athlete_id":%q}`, id)).Want(400))
		}
		reserve := func(id string) string {
			return seen(a.Post("/captures", mine.token, fmt.Sprintf(`{"athlete_id":%q,"file_name":"a.c3d"}`, id)).Want(
				400))
		}
		for _, try := range []func(string) string{link, reserve} {
			unknown := try(organization.NewUUID())
			if !strings.Contains(unknown, `"message":"athlete_id not found"`) {
				t.Errorf("an unknown athlete: %s", unknown)
			}
			for what, id := range map[string]string{"foreign": foreign.ids["athleteId"], "deleted": dead} {
				if got := try(id); got != unknown {
					t.Errorf("a %s athlete: %s", what, got)
				}
			}
		}
		group, _, _ := strings.Cut(foreign.ids["captureId"], "_")
		own := a.Post("/captures", mine.token, fmt.Sprintf(`{"session_group_id":%q,"file_name":"a.c3d"}`, group)).Want(
			200).Object()
		if own["session_id"] != group+"_1" {
			t.Errorf("a group of the same id elsewhere makes it %v", own["session_id"])
		}
	})
}

func TestListsHoldNothingOfOthers(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		mine, foreign := newTenant(t, a, "mine"), newTenant(t, a, "foreign")
		for _, r := range httpapi.Routes() {
			if r.Method != http.MethodGet || r.Public || len(variables(r.Pattern)) > 0 {
				continue
			}
			path := strings.TrimPrefix(r.Pattern, "/v1")
			for _, query := range []string{"", "?activity=foreign", "?q=foreign", "?mark=foreign", "?limit=500"} {
				answer := a.Get(path+query, mine.token).Want(200)
				for _, id := range append([]string{"foreign"}, foreign.ids["athleteId"], foreign.ids["captureId"],
					foreign.ids["id"]) {
					if strings.Contains(string(answer.Body), id) {
						t.Errorf("%s%s holds %s: %s", path, query, id, answer.Body)
					}
				}
			}
		}
	})
}

func TestEveryOperationNeedsItsScopesAndNoOther(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite)
	x := newTenant(t, a, "mine")
	unknown := map[string]string{}
	for name := range x.ids {
		unknown[name] = organization.NewUUID()
	}
	for _, r := range httpapi.Routes() {
		if r.Public {
			for _, token := range []string{"", a.Token(x.org), a.ExpiredToken(x.org), "kb_wrong"} {
				want := 400
				if r.Method == http.MethodGet { // by a link that shows nothing
					want = 404
				}
				if strings.HasPrefix(r.Pattern, "/v1/uploads/{") { // the address itself is judged first
					want = 403
				}
				if answer := send(a, r, unknown, token); answer.Status != want {
					t.Errorf("%s %s, which asks for no token, answers %d: %s", r.Method, r.Pattern, answer.Status,
						answer.Body)
				}
			}
			continue
		}
		if r.Any {
			var others organization.Permissions
			for _, p := range organization.AllPermissions {
				if !slices.Contains(r.Needs, p) {
					others = append(others, p)
				}
			}
			got := send(a, r, unknown, a.Token(x.org, others...)).Want(403).Object()["message"].(string)
			if !strings.Contains(got, strings.Join(r.Needs.Strings(), ", ")) {
				t.Errorf("%s %s does not name its scopes: %s", r.Method, r.Pattern, got)
			}
			for _, p := range r.Needs {
				send(a, r, unknown, a.Token(x.org, p)).Want(200)
			}
			continue
		}
		for _, missing := range r.Needs {
			var others organization.Permissions
			for _, p := range organization.AllPermissions {
				if p != missing {
					others = append(others, p)
				}
			}
			answer := send(a, r, unknown, a.Token(x.org, others...)).Want(403)
			if got := answer.Object()["message"].(string); !strings.Contains(got, string(missing)) {
				t.Errorf("%s %s does not name the scope %s: %s", r.Method, r.Pattern, missing, got)
			}
		}
		if got := send(a, r, unknown, a.Token(x.org, r.Needs...)); got.Status == 403 || got.Status == 401 {
			t.Errorf("%s %s with its scopes answers %d: %s", r.Method, r.Pattern, got.Status, got.Body)
		}
	}
}

func TestEveryOtherMethodIsRefusedWithTheOnesThereAre(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite)
	allowed := map[string]map[string]bool{}
	for _, r := range httpapi.Routes() {
		if allowed[r.Pattern] == nil {
			allowed[r.Pattern] = map[string]bool{}
		}
		allowed[r.Pattern][r.Method] = true
		if r.Method == http.MethodGet {
			allowed[r.Pattern][http.MethodHead] = true
		}
	}
	for pattern, methods := range allowed {
		path := pathOf(pattern, map[string]string{"captureId": "x", "athleteId": "x", "jobId": "x", "id": "x"})
		for _, m := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"} {
			if methods[m] {
				continue
			}
			answer := a.Do(m, path, "", "").Want(405)
			for _, allow := range strings.Split(answer.Header.Get("Allow"), ", ") {
				if !methods[allow] {
					t.Errorf("%s allows %q", path, allow)
				}
			}
		}
	}
}
