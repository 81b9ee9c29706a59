package httpapi_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/httpapi"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/organization"
)

// measured is a page of an athlete's metrics.
type measured struct {
	Captures []map[string]any
	Total    int64  `json:"total_count"`
	Next     *int64 `json:"next_offset"`
}

// jumped records a jump whose metrics are withheld with sentences that name the subject of its file.
func jumped(t *testing.T, a *apptest.App, token, athlete, file, day string) string {
	t.Helper()
	r := reserve(t, a, token, fmt.Sprintf(
		`{"athlete_id":%q,"file_name":%q,"capture_time":"%sT00:00:00Z","movement_attributes":{"activity":"jump","movement":"countermovement","arm_position":"arm-swing"}}`,
		athlete, file, day))
	upload(t, a, r, markers("Unmistakable:LASI", "Unmistakable:RASI", "Unmistakable:SACR")).Want(204)
	if status := settled(a, token, r.SessionID); status != "completed" {
		t.Fatalf("the capture is %s", status)
	}
	return r.SessionID
}

const height = `"activity":"Jump","movement":"countermovement","metric":"jump_height"`

func courseOf(athlete, more string) string {
	return fmt.Sprintf(`{"kind":"progress","progress":{"athlete_id":%q,%s}%s}`, athlete, height, more)
}

func TestALinkToProgressShowsOneMetricOfItsMovementAndNothingElse(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		token := a.Token(a.Organization())
		athlete, _ := person(t, a, token, `{"first_name":"Unmistakable","last_name":"Personsson","email":"u@example.org"}`)
		second := jumped(t, a, token, athlete, "Unmistakable 2.trc", "2026-05-02")
		first := jumped(t, a, token, athlete, "Unmistakable 1.trc", "2026-05-01")
		squat := recorded(t, a, token, fmt.Sprintf(
			`{"athlete_id":%q,"file_name":"squat.trc","movement_attributes":{"activity":"squat","movement":"bodyweight"}}`, athlete))
		other, _ := person(t, a, token, `{"first_name":"Bob"}`)
		others := jumped(t, a, token, other, "bob.trc", "2026-05-03")
		l := shared(t, a, token, courseOf(athlete, `,"name":"For Unmistakable","view":"?athlete=1"`))

		var own, theirs measured
		a.Get("/athletes/"+athlete+"/metrics?activity=jump&movement=countermovement&metric=jump_height",
			token).Want(200).Into(&own)
		page := visit(a, "/athletes/1/metrics", l.Secret).Want(200)
		page.Into(&theirs)
		if len(own.Captures) != 2 || len(theirs.Captures) != 2 || theirs.Total != 2 {
			t.Fatalf("there are %d captures, and the link shows %s", len(own.Captures), page.Body)
		}
		for i, c := range theirs.Captures {
			want := maps.Clone(own.Captures[i])
			delete(want, "arm_position")
			want["session_id"], want["athlete_id"] = fmt.Sprint(i+1), theirs.Captures[0]["athlete_id"]
			metrics := want["metrics"].(map[string]any)
			metric, ok := metrics["jump_height"].(map[string]any)
			if !ok || metric["message"] == nil || len(metrics) != 1 {
				t.Fatalf("the metric of the capture is %v", want)
			}
			metric["message"] = nil
			if fmt.Sprint(c) != fmt.Sprint(want) {
				t.Errorf("a visitor reads %v and not %v", c, want)
			}
		}
		all := []string{string(page.Body)}
		for _, path := range []string{"", "/skeletons", "/movements?activity=jump&movement=countermovement",
			"/athletes/1/metrics?metric=knee_flexion", "/athletes/1/metrics?activity=squat&movement=bodyweight&metric=",
			"/athletes/1/metrics?include=file,athlete&q=Unmistakable", "/athletes/1/metrics?limit=1&offset=1"} {
			answer := visit(a, path, l.Secret).Want(200)
			all = append(all, string(answer.Body), fmt.Sprint(answer.Header))
			if strings.Contains(path, "metric=") && string(answer.Body) != string(page.Body) {
				t.Errorf("%s gives %s", path, answer.Body)
			}
			if tag := answer.Header.Get("Etag"); tag != "" {
				visit(a, path, l.Secret, "If-None-Match", tag).Want(304)
			}
			if cache := answer.Header.Get("Cache-Control"); !strings.Contains(cache, "no-store") &&
				!strings.Contains(cache, "private") {
				t.Errorf("%s may be kept by others: %s", path, cache)
			}
		}
		for _, text := range all {
			for _, secret := range []string{"nmistakable", "Personsson", "u@example", "Bob", first, second, squat,
				others, athlete, other, "squat", "knee_flexion", "For "} {
				if strings.Contains(text, secret) && !strings.Contains(text, `"marker_sets"`) {
					t.Errorf("a visitor sees %q: %.400s", secret, text)
				}
			}
		}
		nothing := seen(visit(a, "", "ks_wrong"))
		for _, path := range []string{"/captures/1", "/captures/1/motion", "/captures/1/frames", "/captures/" + first,
			"/captures/" + first + "/motion", "/athletes/2/metrics", "/athletes/0/metrics", "/athletes/01/metrics",
			"/athletes/" + athlete + "/metrics", "/athletes/" + other + "/metrics"} {
			if got := seen(visit(a, path, l.Secret).Want(404)); got != nothing {
				t.Errorf("%s is %s", path, got)
			}
		}
		visit(a, "/athletes/1/metrics?limit=0", l.Secret).Want(400)
		for _, r := range httpapi.Routes() {
			if !r.Public {
				send(a, r, map[string]string{"captureId": first, "athleteId": athlete, "shareId": l.ID}, l.Secret,
					"Kinebase-Share", l.Secret).Want(401)
			}
		}
	})
}

func TestALinkToProgressWithNamesSaysWhoItIsAndWhyAValueIsMissing(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite)
	org := a.Organization()
	token := a.Token(org)
	athlete, _ := person(t, a, token, `{"first_name":"Ann","last_name":"Smith"}`)
	jumped(t, a, token, athlete, "a.trc", "2026-05-01")
	// Nobody can show what he cannot see, with names or without.
	captures := a.Token(org, organization.CapturesRead, organization.CapturesWrite)
	for _, names := range []bool{true, false} {
		a.Post("/shares", captures, courseOf(athlete, fmt.Sprintf(`,"names":%t`, names))).Want(403)
	}
	l := shared(t, a, token, courseOf(athlete, `,"names":true`))
	if got := string(visit(a, "", l.Secret).Want(200).Body); !strings.Contains(got, `"athlete_name":"Ann Smith"`) ||
		strings.Contains(got, athlete) {
		t.Errorf("it shows %s", got)
	}
	if got := string(visit(a, "/athletes/1/metrics", l.Secret).Want(200).Body); !strings.Contains(got,
		`"message":"`) || strings.Contains(got, athlete) {
		t.Errorf("its metrics are %s", got)
	}
	// A metric that a file calls after somebody is shared with names alone.
	body := fmt.Sprintf(`{"kind":"progress","progress":{"athlete_id":%q,"activity":"jump","movement":"squat","metric":"Ann:height"}`,
		athlete)
	a.Post("/shares", token, body+`}`).Want(409)
	a.Post("/shares", token, body+`,"names":true}`).Want(200)
}

func TestALinkToProgressFollowsTheAthletesCaptures(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		token := a.Token(a.Organization())
		athlete, _ := person(t, a, token, `{"first_name":"Ann"}`)
		first := jumped(t, a, token, athlete, "a.trc", "2026-05-01")
		l := shared(t, a, token, courseOf(athlete, ""))
		shows := func(want int64) {
			t.Helper()
			var page measured
			visit(a, "/athletes/1/metrics", l.Secret).Want(200).Into(&page)
			if page.Total != want {
				t.Errorf("it shows %d captures, not %d", page.Total, want)
			}
		}
		shows(1)
		second := jumped(t, a, token, athlete, "b.trc", "2026-05-02")
		shows(2)
		a.Do("PATCH", "/captures/"+second, token, `{"activity":"golf","movement":"swing"}`, "Content-Type",
			"application/json").Want(200)
		shows(1)
		a.Delete("/captures/"+first, token).Want(200)
		shows(0)
		// Who is merged into the athlete brings captures along.
		from, _ := person(t, a, token, `{"first_name":"An"}`)
		jumped(t, a, token, from, "c.trc", "2026-05-03")
		gone := shared(t, a, token, courseOf(from, ""))
		a.Post("/athletes/"+athlete+"/merge", token, fmt.Sprintf(`{"from":%q}`, from)).Want(200)
		shows(1)
		linkEnded(t, a, gone.Secret, seen(visit(a, "", string(organization.NewLinkSecret())).Want(404)), `"x"`)
	})
}

// TestEveryEndOfALinkToProgressLooksTheSame tries all ways in which a link to progress ends.
func TestEveryEndOfALinkToProgressLooksTheSame(t *testing.T) {
	ends := map[string]func(t *testing.T, a *apptest.App, token, athlete string, l linked){
		"it is taken back": func(_ *testing.T, a *apptest.App, token, _ string, l linked) {
			a.Delete("/shares/"+l.ID, token).Want(200)
		},
		"the athlete is deleted": func(_ *testing.T, a *apptest.App, token, athlete string, _ linked) {
			a.Delete("/athletes/"+athlete, token).Want(200)
		},
		"the organization is suspended": func(t *testing.T, a *apptest.App, _, _ string, l linked) {
			suspended(t, a, l)
		},
	}
	for what, end := range ends {
		t.Run(what, func(t *testing.T) {
			apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
				a := apptest.Start(t, e)
				token := a.Token(a.Organization())
				athlete, _ := person(t, a, token, `{"first_name":"Ann"}`)
				l := shared(t, a, token, courseOf(athlete, ""))
				tag := visit(a, "/athletes/1/metrics", l.Secret).Want(200).Header.Get("Etag")
				nothing := seen(visit(a, "", string(organization.NewLinkSecret())).Want(404))
				end(t, a, token, athlete, l)
				linkEnded(t, a, l.Secret, nothing, tag)
			})
		})
	}
}

func TestALinkToProgressIsListedAndItsMistakesAreNamed(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		token, foreign := a.Token(a.Organization()), a.Token(a.Organization())
		athlete, _ := person(t, a, token, `{"first_name":"Ann"}`)
		l := shared(t, a, token, courseOf(athlete, ""))
		visit(a, "", l.Secret).Want(200)
		list := string(a.Get("/shares", token).Want(200).Body)
		if !strings.Contains(list, fmt.Sprintf(`"kind":"progress","captures":[],"progress":{"athlete_id":%q,%s}`,
			athlete, height)) || !strings.Contains(list, `"uses":1,`) {
			t.Errorf("the list is %s", list)
		}
		a.Post("/shares", foreign, courseOf(athlete, "")).Want(400)
		long := strings.Repeat("m", 257)
		for body, want := range map[string]string{
			`{"kind":"progress"}`:                                          "needs progress",
			`{"kind":"progress","progress":[]}`:                            "must be an object",
			`{"kind":"progress","progress":{}}`:                            "progress.athlete_id",
			`{"kind":"progress","progress":{"athlete_id":"x"}}`:            "id of an athlete",
			courseOf(athlete, `,"captures":["a"]`):                         "names no captures",
			courseOf(organization.NewUUID(), ""):                           "no such athlete",
			`{"captures":["a"],"progress":{"athlete_id":"x"}}`:             "belongs to the kind progress",
			strings.Replace(courseOf(athlete, ""), "Jump", " ", 1):         "progress.activity",
			strings.Replace(courseOf(athlete, ""), "metric", "m", 1):       "not a field of progress",
			strings.Replace(courseOf(athlete, ""), "jump_height", long, 1): "1 to 256",
		} {
			answer := a.Post("/shares", token, body).Want(400).Object()
			if got := fmt.Sprint(answer["message"], answer["messages"]); !strings.Contains(got, want) {
				t.Errorf("%.100s is refused with %s", body, got)
			}
		}
	})
}
