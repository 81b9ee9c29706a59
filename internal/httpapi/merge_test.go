package httpapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/organization"
)

func TestTwoAthletesAreMerged(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		token := a.Token(org)
		into, _ := person(t, a, token, `{"first_name":"Jo","height":70}`)
		from, _ := person(t, a, token,
			`{"first_name":"Joanna","last_name":"Rivera","height":60,"phone":"1","custom_attributes":{"team":"red"}}`)
		fill(t, a, org, `{"type":"capture","session_id":"a","athlete_ids":["`+from+`"],"status":"completed"}`)
		path := "/athletes/" + into + "/merge"
		body := fmt.Sprintf(`{"from":%q}`, from)

		foreignToken := a.Token(a.Organization())
		foreign, _ := person(t, a, foreignToken, `{"first_name":"foreign"}`)
		unknown := seen(a.Post(path, token, fmt.Sprintf(`{"from":%q}`, organization.NewUUID())).Want(400))
		if !strings.Contains(unknown, `"message":"athlete_id not found"`) {
			t.Errorf("an unknown one is %s", unknown)
		}
		if got := seen(a.Post(path, token, fmt.Sprintf(`{"from":%q}`, foreign)).Want(400)); got != unknown {
			t.Errorf("a foreign one is %s", got)
		}
		for _, bad := range []string{`{}`, `{"from":null}`, `{"from":"x"}`, `{"from":"` + into + `"}`,
			`{"from":"` + strings.ToUpper(into) + `"}`, `{"from":"` + from + `","to":"x"}`, `[]`, ``} {
			a.Post(path, token, bad).Want(400)
		}
		a.Post(path, foreignToken, body).Want(404)
		a.Post("/athletes/x/merge", token, body).Want(404)
		a.Post(path, a.Token(org, organization.AthletesRead), body).Want(403)
		a.Post(path, token, body, "If-Match", `"x"`).Want(412)
		a.Get("/athletes/"+from, token).Want(200)

		tag := a.Get("/athletes/"+into, token).Want(200).Header.Get("ETag")
		merged := a.Post(path, token, body, "If-Match", tag, "Idempotency-Key", "once").Want(200)
		one := merged.Object()["athlete"].(map[string]any)
		if one["id"] != into || one["first_name"] != "Jo" || one["last_name"] != "Rivera" || one["height"] != 70.0 ||
			one["phone"] != "1" || fmt.Sprint(one["custom_attributes"]) != "map[team:red]" {
			t.Errorf("merged to %v", one)
		}
		read := a.Get("/athletes/"+into, token).Want(200)
		if string(read.Body) != string(merged.Body) || read.Header.Get("ETag") != merged.Header.Get("ETag") {
			t.Errorf("merged to %s, and %s is read", merged.Body, read.Body)
		}
		a.Get("/athletes/"+from, token).Want(404)
		if got := a.Get("/captures/a?include=athlete", token).Want(200).Object(); got["athlete_id"] != into ||
			got["athlete_name"] != "Jo Rivera" {
			t.Errorf("the capture is %v", got)
		}
		again := a.Post(path, token, body, "If-Match", tag, "Idempotency-Key", "once").Want(200)
		if string(again.Body) != string(merged.Body) || again.Header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("a repetition answers %s", again.Body)
		}
		a.Post(path, token, body).Want(400)
	})
}

func TestAnAnswerThatNamesAnErasedAthleteIsNotGivenAgain(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		token := a.Token(org)
		stays, _ := person(t, a, token, `{"first_name":"stays"}`)
		for what, erase := range map[string]func(gone string){
			"deleted": func(gone string) { a.Delete("/athletes/"+gone, token).Want(200) },
			"merged": func(gone string) {
				a.Post("/athletes/"+stays+"/merge", token, fmt.Sprintf(`{"from":%q}`, gone)).Want(200)
			},
		} {
			gone, _ := person(t, a, token, `{"first_name":"goes"}`)
			fill(t, a, org, `{"type":"capture","session_id":"`+what+`","status":"completed"}`)
			link := func() *apptest.Answer {
				return a.Post("/captures/"+what+"/athletes", token, fmt.Sprintf(`{"athlete_ids":[%q,%q]}`, gone, stays),
					"Idempotency-Key", what)
			}
			if first := link().Want(200); !strings.Contains(string(first.Body), gone) ||
				string(link().Want(200).Body) != string(first.Body) {
				t.Errorf("%s: linked as %s", what, first.Body)
			}
			erase(gone)
			if got := link().Want(404); strings.Contains(string(got.Body), gone) {
				t.Errorf("%s: the erased athlete is named: %s", what, got.Body)
			}
		}
	})
}
