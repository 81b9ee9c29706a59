package httpapi_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/internal/httpapi"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/internal/testkit/contract"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/payload"
)

func TestTheRoutesAreTheOperationsOfTheContract(t *testing.T) {
	doc := contract.Of(t)
	var promised, there []string
	for _, op := range doc.Operations() {
		promised = append(promised, fmt.Sprint(op.Method, " ", doc.Base()+op.Path, " ", op.Scopes))
	}
	for _, r := range httpapi.Routes() {
		there = append(there, fmt.Sprint(r.Method, " ", r.Pattern, " ", r.Needs.Strings()))
	}
	slices.Sort(promised)
	slices.Sort(there)
	if !slices.Equal(promised, there) {
		t.Errorf("the contract has\n%s\nthe server has\n%s", strings.Join(promised, "\n"), strings.Join(there, "\n"))
	}
}

// person creates an athlete and gives its id and the whole answer.
func person(t *testing.T, a *apptest.App, token, body string) (string, map[string]any) {
	t.Helper()
	one := a.Post("/athletes", token, body).Want(200).Object()["athlete"].(map[string]any)
	return one["id"].(string), one
}

const wholePerson = `{"first_name":"Jo","last_name":"Rivera","date_of_birth":"2008-05-17","email":"jo@example.org","phone":"+1 555 0100","gender":"female",
	"dominant_arm":"left","dominant_leg":"both","activity":"baseball","positions":["pitcher","first_base"],"competition_level":"youth","height":68,"weight":140.0,
	"custom_attributes":{"team":"red","coach-1":"Ada"}}`

func TestAnAthleteIsCreatedReadUpdatedAndDeleted(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		token := a.Token(a.Organization())
		created := a.Post("/athletes", token, wholePerson).Want(200)
		written := created.Object()["athlete"].(map[string]any)
		if got := slices.Sorted(maps.Keys(written)); strings.Join(got, " ") != "created_at custom_attributes "+
			"date_of_birth email first_name height id last_name updated_at weight" {
			t.Errorf("a creation answers %v", got)
		}
		path := "/athletes/" + written["id"].(string)
		if got := created.Header.Get("Location"); got != "/v1"+path {
			t.Errorf("Location %q", got)
		}

		read := a.Get(path, token).Want(200)
		one := read.Object()["athlete"].(map[string]any)
		for name, want := range map[string]any{"first_name": "Jo", "date_of_birth": "2008-05-17T00:00:00.000Z",
			"phone": "+1 555 0100", "gender": "female", "dominant_leg": "both", "height": 68.0, "weight": 140.0,
			"competition_level": "youth", "updated_at": written["updated_at"]} {
			if one[name] != want {
				t.Errorf("%s is %v, want %v", name, one[name], want)
			}
		}
		if read.Header.Get("ETag") != created.Header.Get("ETag") {
			t.Errorf("the tag of the read is %s, of the creation %s", read.Header.Get("ETag"),
				created.Header.Get("ETag"))
		}
		if upper := a.Get("/athletes/"+strings.ToUpper(written["id"].(string)), token).Want(200); string(upper.Body) !=
			string(read.Body) {
			t.Errorf("in capitals it reads %s", upper.Body)
		}

		changed := a.Post(path, token,
			`{"last_name":"","height":0,"custom_attributes":{"team":"","season":"2026"},"activity":"softball"}`).Want(
			200).Object()["athlete"].(map[string]any)
		if changed["last_name"] != nil || changed["height"] != nil ||
			fmt.Sprint(changed["custom_attributes"]) != "map[coach-1:Ada season:2026]" ||
			changed["first_name"] != "Jo" {
			t.Errorf("changed to %v", changed)
		}
		if after := a.Get(path, token).Want(200).Object()["athlete"].(map[string]any); after["activity"] !=
			"softball" || after["phone"] != "+1 555 0100" {
			t.Errorf("reads %v", after)
		}
		same := a.Post(path, token, `{"activity":"softball"}`).Want(200).Object()["athlete"].(map[string]any)
		if same["updated_at"] != changed["updated_at"] {
			t.Errorf("a change of nothing moved updated_at from %v to %v", changed["updated_at"], same["updated_at"])
		}

		if m := a.Delete(path, token).Want(200).Object(); len(m) != 1 || m["message"] == "" {
			t.Errorf("a deletion answers %v", m)
		}
		a.Get(path, token).Want(404)
		a.Post(path, token, `{"height":70}`).Want(404)
		a.Delete(path, token).Want(404)
	})
}

func TestARefusedBodyChangesNothingAndIsToldWhole(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		token := a.Token(a.Organization())
		id, _ := person(t, a, token, wholePerson)
		before := a.Get("/athletes/"+id, token).Want(200)
		for _, path := range []string{"/athletes", "/athletes/" + id} {
			answer := a.Post(path, token,
				`{"first_name":"","height":121,"dob":"x","custom_attributes":{"a.b":"v"}}`).Want(400).Object()
			if answer["error"] != "BadRequest" || strings.Count(answer["messages"].(string), "; ") != 3 {
				t.Errorf("%s answers %v", path, answer)
			}
			for _, name := range []string{"first_name", "height", "dob", "a.b"} {
				if !strings.Contains(answer["messages"].(string), name) {
					t.Errorf("%s does not blame %s: %v", path, name, answer["messages"])
				}
			}
			for _, bad := range []string{"", "null", "[]", `{"height":70}{}`, `{"height":70,"height":70}`, "\ufeff{}",
				`{"positions":["center"]}`} {
				a.Post(path, token, bad).Want(400)
			}
			a.Post(path, token, `{"height":70}`, "Content-Type", "text/plain").Want(415)
			a.Post(path, token, `{"height":70}`, "Content-Encoding", "gzip").Want(415)
			a.Post(path, token, `{"height":70`+strings.Repeat(" ", 1<<20)+"}").Want(413)
		}
		if after := a.Get("/athletes/"+id, token).Want(200); string(after.Body) != string(before.Body) {
			t.Errorf("was %s, is %s", before.Body, after.Body)
		}
		if n := a.Get("/athletes", token).Want(200).Object()["total_count"]; n != 1.0 {
			t.Errorf("%v athletes, want 1", n)
		}
	})
}

func TestAnUpdateOfAStaleCopyIsRefused(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		token := a.Token(a.Organization())
		id, _ := person(t, a, token, `{"first_name":"Jo"}`)
		path := "/athletes/" + id
		stale := a.Get(path, token).Want(200).Header.Get("ETag")
		a.Get(path, token, "If-None-Match", stale).Want(304)
		fresh := a.Post(path, token, `{"height":70}`, "If-Match", `"other", `+stale).Want(200).Header.Get("ETag")
		if fresh == stale {
			t.Error("a change kept the tag")
		}
		a.Post(path, token, `{"height":71}`, "If-Match", stale).Want(412)
		a.Post(path, token, `{"height":71}`, "If-Match", "W/"+fresh).Want(412)
		a.Delete(path, token, "If-Match", stale).Want(412)
		a.Get(path, token, "If-None-Match", stale).Want(200)
		a.Get(path, token, "If-None-Match", "W/"+fresh).Want(304)
		if h := a.Get(path, token).Want(200).Object()["athlete"].(map[string]any)["height"]; h != 70.0 {
			t.Errorf("height %v", h)
		}
		a.Delete(path, token, "If-Match", "*").Want(200)
		a.Delete(path, token, "If-Match", "*").Want(404)
	})
}

func TestARepeatedRequestIsAnsweredFromMemoryOfTheFirst(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		token := a.Token(org)
		key := []string{"Idempotency-Key", "row 17"}
		first := a.Post("/athletes", token, `{"first_name":"Jo"}`, key...).Want(200)
		again := a.Post("/athletes", token, `{"first_name":"Jo"}`, key...).Want(200)
		if string(first.Body) != string(again.Body) || first.Header.Get("ETag") != again.Header.Get("ETag") ||
			first.Header.Get("Location") != again.Header.Get("Location") {
			t.Errorf("first %s %v\nagain %s %v", first.Body, first.Header, again.Body, again.Header)
		}
		if first.Header.Get("Idempotency-Replayed") != "" || again.Header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("replayed: %q, then %q", first.Header.Get("Idempotency-Replayed"),
				again.Header.Get("Idempotency-Replayed"))
		}
		if n := a.Get("/athletes", token).Want(200).Object()["total_count"]; n != 1.0 {
			t.Errorf("%v athletes", n)
		}
		a.Post("/athletes", token, `{"first_name": "Jo"}`, key...).Want(422) // other bytes are another body
		a.Post("/athletes", a.Token(a.Organization()), `{"first_name":"Jo"}`, key...).Want(200)

		// A failure is not kept: the same key may be tried again, with a better body.
		a.Post("/athletes", token, `{}`, "Idempotency-Key", "retry").Want(400)
		a.Post("/athletes", token, `{"first_name":"Al"}`, "Idempotency-Key", "retry").Want(200)

		// On another path the key is another; a repetition is answered although the tag
		// that it was sent with is stale by its own doing.
		path := "/athletes/" + first.Object()["athlete"].(map[string]any)["id"].(string)
		tagged := append([]string{"If-Match", first.Header.Get("ETag")}, key...)
		updated := a.Post(path, token, `{"height":70}`, tagged...).Want(200)
		a.Post(path, token, `{"height":71}`).Want(200)
		repeated := a.Post("/athletes/"+strings.ToUpper(path[len("/athletes/"):]), token, `{"height":70}`,
			tagged...).Want(200)
		if string(repeated.Body) != string(updated.Body) || repeated.Header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("updated %s\nrepeated %s", updated.Body, repeated.Body)
		}

		// What it names is erased, and the answer with it.
		a.Delete(path, token).Want(200)
		a.Post("/athletes", token, `{"first_name":"Jo"}`, key...).Want(404)
		a.Post(path, token, `{"height":70}`, tagged...).Want(404)

		for _, bad := range []string{strings.Repeat("k", 256), "caf\u00e9"} {
			a.Post("/athletes", token, `{"first_name":"Jo"}`, "Idempotency-Key", bad).Want(400)
		}
	})
}

func TestManyAtOnceWithOneKeyMakeOneAthlete(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		token := a.Token(a.Organization())
		bodies := make(chan string)
		const callers = 16
		for range callers {
			go func() {
				answer := a.Post("/athletes", token, `{"first_name":"Jo"}`, "Idempotency-Key", "one")
				bodies <- fmt.Sprint(answer.Status, string(answer.Body))
			}()
		}
		first := <-bodies
		for range callers - 1 {
			if other := <-bodies; other != first || !strings.HasPrefix(other, "200") {
				t.Errorf("answered %s and %s", first, other)
			}
		}
		if n := a.Get("/athletes", token).Want(200).Object()["total_count"]; n != 1.0 {
			t.Errorf("%v athletes", n)
		}
	})
}

func TestAthletesAreListedSortedSearchedAndNarrowed(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		token := a.Token(a.Organization())
		for _, body := range []string{
			`{"first_name":"Zoë","last_name":"adams","date_of_birth":"2001-01-01","custom_attributes":{"team":"red","season":"2026"}}`,
			`{"first_name":"Ann","last_name":"Baker","email":"Ann@Example.org","custom_attributes":{"team":"Red"}}`,
			`{"first_name":"bea","last_name":"Adams","date_of_birth":"1999-01-01","custom_attributes":{"team":"red"}}`,
			`{"first_name":"50%_x"}`,
		} {
			person(t, a, token, body)
		}
		list := func(query string) string {
			t.Helper()
			var page struct {
				Athletes []struct {
					FirstName string `json:"first_name"`
				}
				TotalCount int `json:"total_count"`
			}
			a.Get("/athletes"+query, token).Want(200).Into(&page)
			names := make([]string, len(page.Athletes))
			for i, one := range page.Athletes {
				names[i] = one.FirstName
			}
			return fmt.Sprint(strings.Join(names, " "), " of ", page.TotalCount)
		}
		for query, want := range map[string]string{
			"":                         "bea Zoë Ann 50%_x of 4",
			"?sorted_by=first_name":    "50%_x Ann bea Zoë of 4",
			"?sorted_by=date_of_birth": "bea Zoë Ann 50%_x of 4",
			"?sorted_by=created_at":    "Zoë Ann bea 50%_x of 4",
			"?limit=2&offset=1":        "Zoë Ann of 4",
			"?offset=9007199254740991": " of 4",
			"?q=ADAM":                  "bea Zoë of 2",
			"?q=example.org":           "Ann of 1",
			"?q=ZO%C3%8B":              "Zoë of 1",
			"?q=%25":                   "50%_x of 1",
			"?q=_":                     "50%_x of 1",
			"?q=nobody":                " of 0",
			"?team=red":                "bea Zoë of 2",
			"?team=Red":                "Ann of 1",
			"?team=red&season=2026":    "Zoë of 1",
			"?team=red&q=be":           "bea of 1",
			"?a.b=x":                   " of 0",
			"?team=":                   " of 0",
		} {
			// Two without a date of birth are equal there, and the id decides.
			if got := list(query); got != want &&
				!(query == "?sorted_by=date_of_birth" && got == "bea Zoë 50%_x Ann of 4") {
				t.Errorf("%s lists %q, want %q", query, got, want)
			}
		}
	})
}

// fill imports captures and jobs as they come out of a manifest.
func fill(t *testing.T, a *apptest.App, org string, lines ...string) {
	t.Helper()
	var records []manifest.Record
	for _, line := range lines {
		o, err := payload.Parse([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		kind, _ := o.Get("type")
		switch kind.String() {
		case "capture":
			c, err := capture.FromImport(o)
			if err != nil {
				t.Fatal(err)
			}
			records = append(records, manifest.Record{Capture: &c})
		case "export_job":
			j, err := export.FromImport(o)
			if err != nil {
				t.Fatal(err)
			}
			records = append(records, manifest.Record{Job: &j})
		case "athlete":
			one, err := athlete.FromImport(o, time.Now())
			if err != nil {
				t.Fatal(err)
			}
			records = append(records, manifest.Record{Athlete: &one})
		}
	}
	a.Import(org, records...)
}

func TestCapturesAreReadAsTheyWereStored(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		token := a.Token(org)
		jo, _ := person(t, a, token, `{"first_name":"Jo"}`)
		al, _ := person(t, a, token, `{"first_name":"Al"}`)
		fill(t, a, org,
			fmt.Sprintf(`{"type":"capture","session_id":"a/b é","athlete_ids":[%q,%q],"activity":"BaseBall ","movement":"Hitting","dimensions":{"handedness":"left","eyes":"open"},"status":"completed","capture_time":"2026-05-13T12:00:00Z","fps_detected":239.76,"source":"api"}`, jo, al),
			`{"type":"capture","session_id":"plain","status":"awaiting_upload"}`)

		want := fmt.Sprintf(`{"session_id":"a/b é","athlete_id":%q,"activity":"BaseBall ","movement":"Hitting","status":"completed","error":null,"capture_time":"2026-05-13T12:00:00.000Z","fps_detected":239.76,"handedness":"left"}`, jo)
		for _, path := range []string{"/captures/a%2Fb%20%C3%A9", "/captures/%20a%2fb%20%C3%A9%C2%A0"} {
			answer := a.Get(path, token).Want(200)
			if string(answer.Body) != want {
				t.Errorf("%s reads\n%s\nwant\n%s", path, answer.Body, want)
			}
			a.Get(path, token, "If-None-Match", answer.Header.Get("ETag")).Want(304)
			if head := a.Do("HEAD", path, token, "").Want(200); head.Header.Get("ETag") != answer.Header.Get("ETag") ||
				head.Header.Get("Content-Length") != fmt.Sprint(len(want)) {
				t.Errorf("HEAD answers %v", head.Header)
			}
		}
		page := a.Get("/captures", token).Want(200)
		if o := page.Object(); len(o["captures"].([]any)) != 3 || o["total_count"] != 2.0 || o["limit"] != 100.0 ||
			o["offset"] != 0.0 {
			t.Errorf("a page of %s", page.Body)
		}
		a.Get("/captures", token, "If-None-Match", page.Header.Get("ETag")).Want(304)
		for query, rows := range map[string]int{"?activity=%20BASEBALL": 2,
			"?movement=hitting&status=completed&source=api": 2, "?status=awaiting_upload": 1, "?activity=golf": 0,
			"?athlete_id=" + jo: 1, "?athlete_id=" + strings.ToUpper(al): 1, "?activity=": 3, "?limit=1": 1,
			"?offset=2": 1, "?offset=9007199254740991": 0} {
			if got := len(a.Get("/captures"+query, token).Want(200).Object()["captures"].([]any)); got != rows {
				t.Errorf("%s has %d rows, want %d", query, got, rows)
			}
		}
		for _, path := range []string{"/captures/%20%20", "/captures/" + strings.Repeat("a", 256), "/captures/a%00",
			"/captures/a%0A", "/captures/%ff", "/captures/plain?x=%zz", "/captures?limit=0"} {
			a.Get(path, token).Want(400)
		}
		for _, path := range []string{"/captures/Plain", "/captures/" + strings.Repeat("%C3%A9", 255),
			"/captures/%2e%2e", "/captures/", "//captures", "/captures/../captures"} {
			a.Get(path, token).Want(404)
		}

		a.Delete("/athletes/"+jo, token).Want(200)
		after := a.Get("/captures/a%2Fb%20%C3%A9", token).Want(200)
		if strings.Contains(string(after.Body), jo) || !strings.Contains(string(after.Body), al) {
			t.Errorf("a shared capture reads %s", after.Body)
		}
		a.Get("/captures", token, "If-None-Match", page.Header.Get("ETag")).Want(200)
		a.Delete("/athletes/"+al, token).Want(200)
		a.Get("/captures/a%2Fb%20%C3%A9", token).Want(404)
	})
}

func TestAFilterByNobodyIsTheSameForStrangersAndTheDead(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		token, other := a.Token(a.Organization()), a.Token(a.Organization())
		foreign, _ := person(t, a, other, `{"first_name":"Jo"}`)
		deleted, _ := person(t, a, token, `{"first_name":"Al"}`)
		a.Delete("/athletes/"+deleted, token).Want(200)
		for _, id := range []string{foreign, deleted, "0191a0c4-5c1e-7d2a-9f3b-2c6f1e8d4b70"} {
			if got := string(a.Get("/captures?athlete_id="+id, token).Want(400).Body); got !=
				`{"error":"BadRequest","message":"athlete_id not found"}` {
				t.Errorf("%s answers %s", id, got)
			}
		}
	})
}

func TestAnExportJobIsReadInEveryState(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		token := a.Token(org)
		for id, line := range map[string]string{
			"run":         `{"jobId":"run","status":"RUNNING","createdAt":"2026-05-13T12:00:00.000Z"}`,
			"done":        `{"jobId":"done","status":"COMPLETED","createdAt":"2026-05-13T12:00:00.000Z","completedAt":"2026-05-13T12:00:09.250Z"}`,
			"big%20job":   `{"jobId":"big job","status":"FAILED","errorMessage":"The export is too large.","createdAt":"2026-05-13T12:00:00.000Z","completedAt":"2026-05-13T12:00:09.250Z"}`,
			"%20never%20": `{"jobId":"never","status":"CANCELED","createdAt":"2026-05-13T12:00:00.000Z","completedAt":"2026-05-13T12:00:00.000Z"}`,
		} {
			fill(t, a, org, strings.Replace(line, "{", `{"type":"export_job",`, 1))
			progress := strings.Count(line, "COMPLETED")
			if got := string(a.Get("/data/export/job/"+id, token).Want(200).Body); got != strings.TrimSuffix(line, "}")+
				fmt.Sprintf(`,"progress":%d}`, progress) {
				t.Errorf("reads %s, want %s", got, line)
			}
		}
		a.Get("/data/export/job/unknown", token).Want(404)
		a.Get("/data/export/job/run", a.Token(a.Organization())).Want(404)
		a.Get("/data/export/job/%20", token).Want(400)
		a.Get("/data/export/job/a%0d%0aSet-Cookie:x=1", token).Want(400)
	})
}
