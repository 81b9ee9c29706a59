package httpapi_test

import (
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/organization"
)

func TestTheParametersOfAnAthletesMetricsAreReadAsThoseOfEveryList(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		token := a.Token(org, organization.CapturesRead, organization.AthletesRead)
		id, _ := person(t, a, a.Token(org), `{"first_name":"Ann"}`)
		fill(t, a, org,
			`{"type":"capture","session_id":"b","athlete_ids":["`+id+
				`"],"activity":"Jump","movement":"squat","status":"completed","capture_time":"2026-05-02T00:00:00Z"}`,
			`{"type":"capture","session_id":"a","athlete_ids":["`+id+`"],"activity":"jump","status":"completed"}`,
			`{"type":"capture","session_id":"c","athlete_ids":["`+id+
				`"],"activity":"jump","status":"completed","capture_time":"2026-05-01T00:00:00Z"}`,
			`{"type":"capture","session_id":"d","athlete_ids":["`+id+
				`"],"status":"error","capture_time":"2026-05-01T00:00:00Z"}`,
			`{"type":"capture","session_id":"e","status":"completed"}`)
		path := "/athletes/" + id + "/metrics"
		for query, want := range map[string]string{
			"": "c b a", "?unknown=1": "c b a", "?activity=%20JUMP": "c b a", "?activity=": "c b a",
			"?activity=walk": "", "?movement=SQUAT": "b",
			"?from=2026-05-02": "b", "?to=2026-05-02": "c",
			"?from=2026-05-01T00:00:00Z&to=2026-05-02T00:00:00.000001Z": "c b", "?from=2026-06-01": "",
			"?limit=2": "c b", "?limit=2&offset=2": "a", "?offset=1": "b a", "?offset=9007199254740991": "",
			"?metric=a": "c b a", "?metric=a,%20b,a": "c b a",
		} {
			var page struct {
				Captures []struct {
					SessionID string `json:"session_id"`
					Metrics   map[string]any
				}
				Total int64 `json:"total_count"`
			}
			a.Get(path+query, token).Want(200).Into(&page)
			var got []string
			for _, c := range page.Captures {
				got = append(got, c.SessionID)
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s gives %v, want %s", query, got, want)
			}
		}
		for query, says := range map[string]string{
			"?limit=0": "limit", "?limit=501": "limit", "?limit=": "limit", "?offset=-1": "offset",
			"?offset=x": "offset", "?from=yesterday": "from", "?to=": "to",
			"?from=2026-05-02&to=2026-05-02": "to must be after from",
			"?from=2026-05-02&to=2026-05-01": "to must be after from",
			"?metric=":                       "metric", "?metric=a,": "metric",
			"?metric=" + strings.Repeat("m", 257):         "metric",
			"?metric=" + strings.Repeat("m,", 1000) + "m": "",
			"?metric=a&metric=b":                          "twice", "?activity=a&activity=a": "twice",
			"?from=2026-05-01&from=2026-05-01": "twice", "?movement=" + strings.Repeat("m", 129): "movement",
			"?activity=%ff": "UTF-8", "?a=1;b=2": "semicolon",
		} {
			if says == "" {
				a.Get(path+query, token).Want(200)
				continue
			}
			if got := a.Get(path+query, token).Want(400).Object()["message"].(string); !strings.Contains(got, says) {
				t.Errorf("%s is refused with %q", query, got)
			}
		}
		tag := a.Get(path, token).Header.Get("ETag")
		a.Get(path, token, "If-None-Match", tag).Want(304)
		a.Get("/athletes/"+strings.ToUpper(id)+"/metrics", token).Want(200)
		a.Get("/athletes/x/metrics", token).Want(404)
		a.Get("/athletes/x/metrics?limit=0", token).Want(400)
		a.Delete("/athletes/"+id, a.Token(org)).Want(200)
		a.Get(path, token, "If-None-Match", tag).Want(404)
	})
}
