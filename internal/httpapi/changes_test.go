package httpapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/organization"
)

// changesOf reads a page of changes: what changed, such as "+capture a", its cursor and whether there is more.
func changesOf(answer *apptest.Answer) (told []string, cursor string, more bool) {
	page := answer.Want(200).Object()
	for _, c := range page["changes"].([]any) {
		change := c.(map[string]any)
		mark := "+"
		if change["change"] == "deleted" {
			mark = "-"
		}
		told = append(told, fmt.Sprint(mark, change["kind"], " ", change["id"]))
	}
	return told, page["cursor"].(string), page["more"].(bool)
}

func TestChangesAreReadPageByPageByACursor(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		token := a.Token(org)
		none, cursor, more := changesOf(a.Get("/changes", token))
		if len(none) != 0 || cursor == "" || more {
			t.Errorf("an empty organization has %v, %q, %v", none, cursor, more)
		}
		jo, _ := person(t, a, token, `{"first_name":"Jo","last_name":"Rivera"}`)
		fill(t, a, org, `{"type":"capture","session_id":"a","athlete_ids":["`+jo+`"],"status":"completed"}`,
			`{"type":"capture","session_id":"b","status":"completed"}`,
			`{"type":"export_job","jobId":"job","status":"RUNNING"}`)
		var all []string
		for more = true; more; {
			var told []string
			told, cursor, more = changesOf(a.Get("/changes?limit=1&after="+cursor, token))
			if len(told) > 1 {
				t.Errorf("a page of one has %v", told)
			}
			all = append(all, told...)
		}
		if got, want := fmt.Sprint(all), fmt.Sprintf("[+athlete %s +capture a +capture b +export job]", jo); got !=
			want {
			t.Errorf("the changes are %s, want %s", got, want)
		}
		if told, again, _ := changesOf(a.Get("/changes?after="+cursor, token)); len(told) != 0 || again != cursor {
			t.Errorf("nothing has changed, and it has %v, %q after %q", told, again, cursor)
		}
		objects := a.Get("/changes?include=object", token).Want(200).Object()["changes"].([]any)
		first := objects[0].(map[string]any)["object"].(map[string]any)
		if first["last_name"] != "Rivera" || objects[1].(map[string]any)["object"].(map[string]any)["athlete_id"] !=
			jo || objects[3].(map[string]any)["object"].(map[string]any)["status"] != "RUNNING" {
			t.Errorf("the objects are %v", objects)
		}
		a.Delete("/athletes/"+jo, token).Want(200)
		told, last, _ := changesOf(a.Get("/changes?include=object&after="+cursor, token))
		if got, want := fmt.Sprint(told), fmt.Sprintf("[-capture a -athlete %s]", jo); got != want {
			t.Errorf("a deletion is %s, want %s", got, want)
		}
		if told, _, _ := changesOf(a.Get("/changes?kind=export,athlete&after="+cursor, token)); len(told) != 1 {
			t.Errorf("two kinds have %v", told)
		}

		reader := a.Token(org, organization.ExportsRead)
		if told, _, _ := changesOf(a.Get("/changes", reader)); fmt.Sprint(told) != "[+export job]" {
			t.Errorf("who may read exports is told of %v", told)
		}
		if got := a.Get("/changes?kind=export,athlete",
			reader).Want(403).Object()["message"].(string); !strings.Contains(got, "athletes:read") {
			t.Errorf("the refusal is %q", got)
		}
		foreign := a.Token(a.Organization())
		for _, query := range []string{"after=", "after=x", "after=" + strings.Repeat("A", 43), "limit=0", "limit=1001",
			"limit=", "wait=31", "wait=-1", "wait=", "kind=", "kind=person", "kind=capture,", "include=",
			"include=file", "limit=1&limit=1", "after=" + last + "&after=" + last} {
			a.Get("/changes?"+query, token).Want(400)
		}
		a.Get("/changes?after="+last, foreign).Want(400)
	})
}

func TestAPageOfChangesWaitsForTheFirst(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		token := a.Token(a.Organization())
		_, cursor, _ := changesOf(a.Get("/changes", token))
		answers := make(chan *apptest.Answer)
		go func() { answers <- a.Get("/changes?wait=30&after="+cursor, token) }()
		jo, _ := person(t, a, token, `{"first_name":"Jo"}`)
		told, cursor, _ := changesOf(testkit.Receive(t, answers, "the page"))
		if fmt.Sprint(told) != "[+athlete "+jo+"]" {
			t.Errorf("told of %v", told)
		}
		if told, again, more := changesOf(a.Get("/changes?wait=1&after="+cursor, token)); len(told) != 0 ||
			again != cursor || more {
			t.Errorf("when the time is over: %v, %q, %v", told, again, more)
		}
	})
}

// A cursor of some kinds has passed over the changes of others.
func TestACursorGoesOnForNoMoreKindsThanItCameFrom(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		token := a.Token(org)
		person(t, a, token, `{"first_name":"Jo"}`)
		recorded(t, a, token, `{"file_name":"a.trc"}`)
		narrow := a.Token(org, organization.AthletesRead)
		_, all, _ := changesOf(a.Get("/changes", token))
		for what, cursor := range map[string]string{
			"the kind": func() string {
				_, c, _ := changesOf(a.Get("/changes?kind=athlete", token))
				return c
			}(),
			"a narrower token": func() string { _, c, _ := changesOf(a.Get("/changes", narrow)); return c }(),
			"fewer kinds": func() string {
				_, c, _ := changesOf(a.Get("/changes?kind=athlete&after="+all, token))
				return c
			}(),
		} {
			a.Get("/changes?kind=athlete&after="+cursor, token).Want(200)
			for _, more := range []string{"", "kind=capture&", "kind=athlete,export&"} {
				if got := a.Get("/changes?"+more+"after="+cursor, token).Want(410); !strings.Contains(string(got.Body),
					"kinds") {
					t.Errorf("%s, then %q: %s", what, more, got.Body)
				}
			}
		}
		for _, fewer := range []string{"", "kind=capture&", "kind=athlete,export&"} {
			a.Get("/changes?"+fewer+"after="+all, token).Want(200)
		}
	})
}
