package httpapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/organization"
)

func TestTheColumnsOfRecordingsAreThereAsSoonAsTheyAreReadAndGoWithThem(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		all, token := a.Token(org), a.Token(org, organization.CapturesRead)
		columns := func(query string) string {
			var page struct {
				Columns []struct {
					Activity, Movement *string
					Name, Kind, Unit   string
					Captures           int
				}
				Total int  `json:"total_count"`
				Next  *int `json:"next_offset"`
			}
			a.Get("/columns"+query, token).Want(200).Into(&page)
			var list []string
			for _, c := range page.Columns {
				label := "-"
				if c.Activity != nil {
					label = *c.Activity
				}
				list = append(list, fmt.Sprintf("%s %s %s %s %d", label, c.Name, c.Kind, c.Unit, c.Captures))
			}
			return strings.Join(list, ", ")
		}
		if got := string(a.Get("/columns", token).Want(200).Body); got !=
			`{"columns":[],"total_count":0,"offset":0,"limit":100,"next_offset":null}` {
			t.Errorf("without recordings: %s", got)
		}
		first := recorded(t, a, all, `{"file_name":"one.trc"}`)
		recorded(t, a, all, `{"file_name":"two.trc"}`)
		points := columns("?kind=point")
		if !strings.HasPrefix(points, "- ") || !strings.HasSuffix(points, " point m 2") {
			t.Fatalf("two recordings of a marker have the columns %q", points)
		}
		// Relabelled, it counts elsewhere.
		a.Do("PATCH", "/captures/"+first, all, `{"activity":"Golf","movement":"swing"}`).Want(200)
		if got := columns("?kind=point&activity=%20GOLF"); got == "" || strings.Contains(got, "-") ||
			!strings.HasSuffix(got, " point m 1") {
			t.Errorf("golf has %q", got)
		}
		if got := columns("?kind=point"); !strings.HasPrefix(got, "golf ") || !strings.HasSuffix(got, " point m 1") {
			t.Errorf("all have %q", got)
		}
		a.Delete("/captures/"+first, all).Want(200)
		if got := columns("?activity=golf"); got != "" {
			t.Errorf("golf is deleted and has %q", got)
		}
		if got, again := columns("?kind=point&limit=1&offset=1"),
			columns("?kind=point"); !strings.Contains(again, got) || strings.Contains(got, ",") || got == "" {
			t.Errorf("the second one of %q is %q", again, got)
		}
		if got := columns("?q=no%20such"); got != "" {
			t.Errorf("a name that nobody has is found: %q", got)
		}
		for query, says := range map[string]string{
			"?limit=0": "limit", "?limit=501": "limit", "?offset=x": "offset", "?kind=": "kind", "?kind=Point": "kind",
			"?kind=point&kind=point": "twice",
			"?q=a&q=a":               "twice", "?q=" + strings.Repeat("q", 129): "q", "?activity=a&activity=a": "twice",
			"?movement=" + strings.Repeat("m", 129): "movement",
		} {
			if got := a.Get("/columns"+query, token).Want(400).Object()["message"].(string); !strings.Contains(got,
				says) {
				t.Errorf("%s is refused with %q", query, got)
			}
		}
		a.Get("/columns", a.Token(org, organization.AthletesRead)).Want(403)
	})
}
