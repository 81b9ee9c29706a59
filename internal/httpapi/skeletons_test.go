package httpapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

func TestSkeletonsArePutReadAndTakenAwayByTheirOrganization(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		mine, foreign := a.Token(a.Organization()), a.Token(a.Organization())
		none := a.Get("/skeletons", mine).Want(200)
		if string(none.Body) != `{"skeletons":[]}` {
			t.Errorf("without sets: %s", none.Body)
		}
		put := func(body, match string, status int) *apptest.Answer {
			t.Helper()
			headers := []string{"Content-Type", "application/json"}
			if match != "" {
				headers = append(headers, "If-Match", match)
			}
			return a.Do("PUT", "/skeletons", mine, body, headers...).Want(status)
		}
		const body = `{"skeletons":[{"name":"Feet","bones":[["L_HEEL","L_TOE"],["R_HEEL","R_TOE"]]},{"name":"Bat","bones":[["Knob","Tip"]]}]}`
		first := put(body, none.Header.Get("Etag"), 200)
		read := a.Get("/skeletons", mine).Want(200)
		if string(first.Body) != body || string(read.Body) != body ||
			first.Header.Get("Etag") != read.Header.Get("Etag") {
			t.Errorf("put answers %s, and read is %s", first.Body, read.Body)
		}
		put(body, none.Header.Get("Etag"), 412)
		put(body, read.Header.Get("Etag"), 200)
		if other := a.Get("/skeletons", foreign).Want(200); string(other.Body) != string(none.Body) {
			t.Errorf("another organization reads %s", other.Body)
		}
		a.Do("GET", "/skeletons", mine, "", "If-None-Match", read.Header.Get("Etag")).Want(304)
		set := func(bones string) string { return fmt.Sprintf(`{"skeletons":[{"name":"A","bones":%s}]}`, bones) }
		many := strings.TrimSuffix(strings.Repeat(`["A","B"],`, 501), ",")
		for body, want := range map[string]string{
			`{}`:                                    "skeletons is required",
			`{"skeletons":{}}`:                      "an array of at most 50 sets",
			`{"skeletons":[],"bones":[]}`:           "is no field",
			`{"skeletons":["A"]}`:                   "objects with name and bones",
			`{"skeletons":[{"name":"A"}]}`:          "needs name and bones",
			`{"skeletons":[{"bones":[["A","B"]]}]}`: "needs name and bones",
			`{"skeletons":[{"name":" ","bones":[["A","B"]]}]}`:                                      "name of a set",
			`{"skeletons":[{"name":1,"bones":[["A","B"]]}]}`:                                        "name of a set",
			`{"skeletons":[{"name":"A","bones":[["A","B"]],"side":"left"}]}`:                        "is no field of a set",
			`{"skeletons":[{"name":"A","bones":[["A","B"]]},{"name":"a","bones":[["A","B"]]}]}`:     "two sets",
			fmt.Sprintf(`{"skeletons":[{"name":%q,"bones":[["A","B"]]}]}`, strings.Repeat("A", 65)): "name of a set",
			`{"skeletons":[` + strings.TrimSuffix(strings.Repeat(`{},`, 51), ",") +
				`]}`: "an array of at most 50 sets",
			set(`[]`):                              "1 to 500 pairs",
			set(`[` + many + `]`):                  "1 to 500 pairs",
			set(`{}`):                              "1 to 500 pairs",
			set(`["A"]`):                           "names of two points",
			set(`[["A"]]`):                         "names of two points",
			set(`[["A","B","C"]]`):                 "names of two points",
			set(`[["A",1]]`):                       "name of a point",
			set(`[["A"," "]]`):                     "name of a point",
			set(`[["A","B\u0007"]]`):               "name of a point",
			set(`[["A","a"]]`):                     "with itself",
			set(`[["A","B"],["b","a"]]`):           "there twice",
			set(`[["A","B"],["C","D"],["A","B"]]`): "there twice",
		} {
			if got := string(put(body, "", 400).Body); !strings.Contains(got, want) {
				t.Errorf("%.120s is refused with %s", body, got)
			}
		}
		if kept := a.Get("/skeletons", mine).Want(200); string(kept.Body) != body {
			t.Errorf("after refusals it is %s", kept.Body)
		}
		put(`{"skeletons":[]}`, "", 200)
		if got := a.Get("/skeletons", mine).Want(200); string(got.Body) != string(none.Body) {
			t.Errorf("taken away it is %s", got.Body)
		}
	})
}
