package httpapi

import (
	"maps"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
)

const someID = "0191a0c4-5c1e-7d2a-9f3b-2c6f1e8d4b70"

func TestTheListOfCapturesTakesItsParameters(t *testing.T) {
	long := strings.Repeat("a", 128)
	from := time.Date(2026, 5, 13, 0, 0, 0, 0, time.UTC)
	to := from.Add(12 * time.Hour)
	for query, want := range map[string]capture.Query{
		"":                            {Limit: 100},
		"&&":                          {Limit: 100},
		"limit=1":                     {Limit: 1},
		"limit=500":                   {Limit: 500},
		"limit=007":                   {Limit: 7},
		"%6cimit=5":                   {Limit: 5},
		"offset=9007199254740991":     {Limit: 100, Offset: 1<<53 - 1},
		"athlete_id=" + someID:        {Limit: 100, AthleteID: someID},
		"athlete_id=" + upper(someID): {Limit: 100, AthleteID: someID},
		"source=api&status=error":     {Limit: 100, Filter: capture.Filter{Source: "api", Status: capture.Error}},
		"activity=%20Base+Ball%C2%A0": {Limit: 100, Filter: capture.Filter{Activity: "base ball"}},
		"activity=%20" + long + "%20": {Limit: 100, Filter: capture.Filter{Activity: long}},
		"movement=%C3%89T%C3%89":      {Limit: 100, Filter: capture.Filter{Movement: "été"}},
		"activity=":                   {Limit: 100},
		"activity":                    {Limit: 100},
		"movement=%20%09":             {Limit: 100},
		"captured_from=2026-05-13":    {Limit: 100, Captured: capture.RangeOf(&from, nil)},
		"captured_to=2026-05-13T14:00:00%2B02:00": {Limit: 100,
			Captured: capture.RangeOf(nil, &to)},
		"captured_to=2026-05-13T12:00&captured_from=2026-05-13T00:00:00.000000": {Limit: 100,
			Captured: capture.RangeOf(&from, &to)},
		"order=oldest":            {Limit: 100, Oldest: true},
		"order=newest":            {Limit: 100},
		"foo=bar&foo=baz&Limit=0": {Limit: 100},
	} {
		if got, err := captureQuery(query); err != nil || got != want {
			t.Errorf("%s is %+v, %v; want %+v", query, got, err, want)
		}
	}
	for _, query := range []string{
		"captured_from=", "captured_to=", "captured_from=x", "captured_from=2026-5-13", "captured_to=2026-02-30",
		"captured_to=20260513", "captured_from=1768000000", "captured_from=%202026-05-13",
		"captured_from=2026-05-13T12:00:00+02:00", "captured_from=2026-05-13T", "captured_from=2026-05-13Z",
		"captured_to=0000-12-31", "captured_from=2026-05-13&captured_from=2026-05-13",
		"captured_to=2026&captured_to=2027",
		"captured_from=2026-05-13&captured_to=2026-05-13", "captured_from=2026-05-14&captured_to=2026-05-13",
		"captured_from=2026-05-13T12:00Z&captured_to=2026-05-13T13:00%2B02:00",
		"limit=0", "limit=501", "limit=", "limit", "limit=-1", "limit=%2B5", "limit=+5", "limit=5.0", "limit=5e1",
		"limit=%D9%A5", "limit=5%00", "limit=99999999999999999999", "limit=x", "limit=1&limit=1",
		"offset=-1", "offset=", "offset=9007199254740992", "offset=9223372036854775807", "offset=9223372036854775808",
		"offset=1.5", "offset=0&offset=0",
		"order=", "order=Oldest", "order=name", "order=oldest&order=oldest",
		"status=", "status=Completed", "status=deleted", "status=completed%20", "status=error&status=error", "source=",
		"source=API", "source=app", "source=api&source=api",
		"athlete_id=", "athlete_id=x", "athlete_id={" + someID + "}", "athlete_id=urn:uuid:" + someID,
		"athlete_id=" + strings.ReplaceAll(someID, "-", ""), "athlete_id=" + someID + "&athlete_id=" + someID,
		"activity=" + long + "a", "movement=" + strings.Repeat("%C3%A9", 129), "activity=a&activity=b",
		"movement=&movement=",
		"movement=%zz", "movement=%", "limit=5;offset=3", ";", "foo=%ff", "%ff=1", "foo=%00", "\xff", "foo=a;b",
	} {
		if got, err := captureQuery(query); !fault.Is(err, fault.BadRequest) {
			t.Errorf("%s is taken: %+v, %v", query, got, err)
		}
	}
}

func upper(s string) string { return strings.ToUpper(s) }

func TestTheListOfAthletesTakesItsParametersAndAttributes(t *testing.T) {
	for query, want := range map[string]athlete.Query{
		"":                         {Limit: 100},
		"limit=2&offset=3":         {Limit: 2, Offset: 3},
		"sorted_by=date_of_birth":  {Limit: 100, Sort: athlete.ByDateOfBirth},
		"q=%20Jos%C3%A9+":          {Limit: 100, Search: "josé"},
		"q=":                       {Limit: 100},
		"team=red&coach-1=Ada":     {Limit: 100, Attributes: map[string]string{"team": "red", "coach-1": "Ada"}},
		"Limit=0&first_name=Jo":    {Limit: 100, Attributes: map[string]string{"Limit": "0", "first_name": "Jo"}},
		"team=Jose%CC%81":          {Limit: 100, Attributes: map[string]string{"team": "José"}},
		"team=":                    {Limit: 100, Attributes: map[string]string{"team": ""}},
		"q=" + long(128):           {Limit: 100, Search: long(128)},
		"sorted_by=first_name&q=x": {Limit: 100, Sort: athlete.ByFirstName, Search: "x"},
	} {
		if got, err := athleteQuery(query); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %+v, %v; want %+v", query, got, err, want)
		}
	}
	for _, query := range []string{"limit=0", "limit=1&limit=2", "offset=x", "sorted_by=", "sorted_by=name",
		"sorted_by=First_name", "sorted_by=first_name&sorted_by=first_name", "q=" + long(129), "q=a&q=b",
		"team=red&team=red", "team=%zz", "team=a;b", "a%00=b", many(101)} {
		if got, err := athleteQuery(query); !fault.Is(err, fault.BadRequest) {
			t.Errorf("%.80s is taken: %+v, %v", query, got, err)
		}
	}
	if q, err := athleteQuery(many(100)); err != nil || len(q.Attributes) != 100 {
		t.Errorf("100 attributes: %d, %v", len(q.Attributes), err)
	}
}

func long(n int) string { return strings.Repeat("é", n) }

func many(n int) string {
	var pairs []string
	for i := range n {
		pairs = append(pairs, "k"+strings.Repeat("x", i)+"=v")
	}
	return strings.Join(pairs, "&")
}

// What is accepted means the same to the standard library, and what it refuses is
// refused.
func TestQueriesAreReadAsTheStandardLibraryReadsThem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		query := rapid.StringMatching(`[a-c=&;%0-9A-Fa-f+é]{0,24}`).Draw(t, "query")
		got := map[string][]string{}
		err := eachParam(query, func(name, value string) error {
			got[name] = append(got[name], value)
			return nil
		})
		want, wantErr := url.ParseQuery(query)
		if wantErr != nil {
			if err == nil {
				t.Fatalf("%q is taken as %v; the library says %v", query, got, wantErr)
			}
			return
		}
		if err != nil { // stricter: only for text that nothing could be
			for name, values := range want {
				for _, s := range append(values, name) {
					if strings.ToValidUTF8(s, "") != s || strings.Contains(s, "\x00") {
						return
					}
				}
			}
			t.Fatalf("%q is refused: %v", query, err)
		}
		if !maps.EqualFunc(got, want, func(a, b []string) bool { return reflect.DeepEqual(a, b) }) {
			t.Fatalf("%q is read as %v, not %v", query, got, want)
		}
	})
}
