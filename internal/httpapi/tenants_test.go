package httpapi_test

import (
	"fmt"
	"net/http"
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
	x.ids["athleteId"], _ = person(t, a, x.token, fmt.Sprintf(`{"first_name":%q,"custom_attributes":{"mark":%q}}`, mark, mark))
	_, x.ids["id"] = a.TokenWithID(x.org)
	fill(t, a, x.org,
		fmt.Sprintf(`{"type":"capture","session_id":%q,"athlete_ids":[%q],"status":"completed","activity":%q}`, x.ids["captureId"], x.ids["athleteId"], mark),
		fmt.Sprintf(`{"type":"export_job","jobId":%q,"status":"RUNNING"}`, x.ids["jobId"]))
	return x
}

// variable is the name of a pattern's variable segment, "" when it has none.
func variable(pattern string) string {
	_, rest, _ := strings.Cut(pattern, "{")
	name, _, _ := strings.Cut(rest, "}")
	return name
}

// send sends a request that the operation of the route would carry out.
func send(a *apptest.App, r httpapi.Route, id, token string, headers ...string) *apptest.Answer {
	path := strings.TrimPrefix(r.Pattern, "/v1")
	if name := variable(r.Pattern); name != "" {
		path = strings.Replace(path, "{"+name+"}", id, 1)
	}
	body := ""
	if r.Method == http.MethodPost {
		body = "{}"
		headers = append(headers, "Content-Type", "application/json")
	}
	return a.Do(r.Method, path, token, body, headers...)
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
		fill(t, a, mine.org, fmt.Sprintf(`{"type":"capture","session_id":"dead","athlete_ids":[%q],"status":"completed"}`, dead))
		a.Delete("/athletes/"+dead, mine.token).Want(200)
		deleted := map[string]string{"athleteId": dead, "captureId": "dead"}

		reads := func() (all []string) {
			for _, r := range httpapi.Routes() {
				if r.Method == http.MethodGet {
					all = append(all, seen(send(a, r, foreign.ids[variable(r.Pattern)], foreign.token).Want(200)))
				}
			}
			return all
		}
		before := reads()
		for _, r := range httpapi.Routes() {
			name := variable(r.Pattern)
			if name == "" {
				continue
			}
			if foreign.ids[name] == "" {
				t.Fatalf("%s %s: the test knows no record of {%s}", r.Method, r.Pattern, name)
			}
			unknown := seen(send(a, r, organization.NewID(), mine.token).Want(404))
			for what, id := range map[string]string{"foreign": foreign.ids[name], "foreign, in capitals": strings.ToUpper(foreign.ids[name]), "deleted": deleted[name]} {
				if id == "" {
					continue
				}
				for _, headers := range [][]string{nil, {"If-Match", "*"}, {"If-None-Match", "*"}, {"If-Match", `"x"`}} {
					if got := seen(send(a, r, id, mine.token, headers...)); got != unknown {
						t.Errorf("%s %s, %s %v:\n%s\nunknown:\n%s", r.Method, r.Pattern, what, headers, got, unknown)
					}
				}
			}
		}
		for i, after := range reads() {
			if after != before[i] {
				t.Errorf("what the other organization reads has changed from\n%s\nto\n%s", before[i], after)
			}
		}
	})
}

func TestListsHoldNothingOfOthers(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		mine, foreign := newTenant(t, a, "mine"), newTenant(t, a, "foreign")
		for _, r := range httpapi.Routes() {
			if r.Method != http.MethodGet || variable(r.Pattern) != "" {
				continue
			}
			path := strings.TrimPrefix(r.Pattern, "/v1")
			for _, query := range []string{"", "?activity=foreign", "?q=foreign", "?mark=foreign", "?limit=500"} {
				answer := a.Get(path+query, mine.token).Want(200)
				for _, id := range append([]string{"foreign"}, foreign.ids["athleteId"], foreign.ids["id"]) {
					if strings.Contains(string(answer.Body), id) {
						t.Errorf("%s%s holds %s: %s", path, query, id, answer.Body)
					}
				}
			}
		}
	})
}

func TestEveryOperationNeedsItsScopeAndNoOther(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite)
	x := newTenant(t, a, "mine")
	for _, r := range httpapi.Routes() {
		var others organization.Permissions
		for _, p := range organization.AllPermissions {
			if p != r.Needs {
				others = append(others, p)
			}
		}
		unknown := organization.NewID()
		answer := send(a, r, unknown, a.Token(x.org, others...)).Want(403)
		if got := answer.Object()["message"].(string); !strings.Contains(got, string(r.Needs)) {
			t.Errorf("%s %s does not name the scope: %s", r.Method, r.Pattern, got)
		}
		if got := send(a, r, unknown, a.Token(x.org, r.Needs)); got.Status == 403 || got.Status == 401 {
			t.Errorf("%s %s with its scope answers %d: %s", r.Method, r.Pattern, got.Status, got.Body)
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
		path := strings.NewReplacer("/v1", "", "{"+variable(pattern)+"}", "x").Replace(pattern)
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
