package httpapi_test

import (
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

func TestAnOverviewIsOfTheDaysThatAreAskedFor(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		token := a.Token(org)
		type perDay struct {
			Day, Movement string
			Count         int
		}
		type overview struct {
			From, To string
			PerDay   []perDay       `json:"captures_per_day"`
			Captures int            `json:"total_captures"`
			Athletes int            `json:"total_athletes"`
			ByStatus map[string]int `json:"by_status"`
			Failed   []struct {
				SessionID string `json:"session_id"`
				Error     string
			}
			Recent []struct {
				SessionID string `json:"session_id"`
			}
			Storage struct {
				Original int `json:"original_bytes"`
			}
		}
		var o overview
		a.Get("/overview", token).Want(200).Into(&o)
		if o.Captures != 0 || len(o.PerDay) != 0 || o.Recent == nil || o.From == "" {
			t.Errorf("nothing is told as %+v", o)
		}
		person(t, a, token, `{"first_name":"Jo"}`)
		now := recorded(t, a, token,
			`{"file_name":"a.trc","movement_attributes":{"activity":"Golf","movement":"Swing"}}`)
		fill(t, a, org, `{"type":"capture","session_id":"old","status":"error","error":"It broke 💥.","capture_time":"2001-02-03T04:05:06Z"}`)
		var made struct {
			Time string `json:"capture_time"`
		}
		a.Get("/captures/"+now, token).Want(200).Into(&made)
		day := made.Time[:len("2006-01-02")]
		for _, query := range []string{"", "?days=1", "?days=366", "?more=1"} {
			o = overview{}
			a.Get("/overview"+query, token).Want(200).Into(&o)
			if o.Captures != 2 || o.Athletes != 1 || o.ByStatus["completed"] != 1 || o.ByStatus["error"] != 1 ||
				o.Storage.Original != len(threeFrames) {
				t.Errorf("%s: %+v", query, o)
			}
			// Midnight may come at any moment: every answer says of which days it is.
			if today := o.From <= day && day <= o.To; !today && len(o.PerDay) != 0 ||
				today && (len(o.PerDay) != 1 || o.PerDay[0] != perDay{day, "swing", 1}) {
				t.Errorf("%s: from %s to %s the days are %+v", query, o.From, o.To, o.PerDay)
			}
			if len(o.Failed) != 1 || o.Failed[0].Error != "It broke 💥." || len(o.Recent) != 2 ||
				o.Recent[0].SessionID != "old" || o.Recent[1].SessionID != now {
				t.Errorf("%s: failed %+v, recent %+v", query, o.Failed, o.Recent)
			}
		}
		for _, query := range []string{"?days=0", "?days=367", "?days=-1", "?days=", "?days=1&days=1", "?days=1.5",
			"?days=%zz"} {
			if got := a.Get("/overview"+query, token).Want(400); !strings.Contains(string(got.Body), "days") &&
				!strings.Contains(query, "%") {
				t.Errorf("%s: %s", query, got.Body)
			}
		}
	})
}
