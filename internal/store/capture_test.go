package store

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
)

func TestExportJobsAreReadInEveryStateAsTheyWereImported(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc, other := tenant(t, s, "A"), tenant(t, s, "B")
		jobs := []export.Job{
			{ID: "running", Status: export.Running, CreatedAt: noon},
			{ID: "job 2/ü", Status: export.Completed, CreatedAt: noon, CompletedAt: ptr(noon.Add(time.Minute))},
			{ID: strings.Repeat("ö", 255), Status: export.Failed, ErrorMessage: "too large: narrow the date range",
				CreatedAt: noon, CompletedAt: ptr(noon)},
			{ID: "canceled", Status: export.Canceled, CreatedAt: noon, CompletedAt: ptr(noon.Add(time.Hour))},
		}
		var records []manifest.Record
		for i := range jobs {
			records = append(records, manifest.Record{Job: &jobs[i]})
		}
		_, err := s.Import(t.Context(), sc, records, false)
		must(t, err)
		for _, want := range jobs {
			got, err := s.Job(t.Context(), sc, want.ID, export.Left{})
			must(t, err)
			if !export.SameImport(got, want) {
				t.Errorf("got %+v and not %+v", got, want)
			}
			_, err = s.Job(t.Context(), other, want.ID, export.Left{})
			refused(t, err, fault.NotFound, "no such export job")
		}
		_, err = s.Job(t.Context(), sc, "unknown", export.Left{})
		refused(t, err, fault.NotFound, "no such export job")
	})
}

func TestACaptureIsReadWithItsFirstAthleteAndTheDimensionsOfItsPair(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc, other := tenant(t, s, "A"), tenant(t, s, "B")
		ids := create(t, s, sc, person("1"), person("2"), person("3"))
		c := session("sß/1", ptr(noon.Add(7*time.Millisecond)), ids[2], ids[0], ids[1])
		c.Activity, c.Movement, c.Status, c.Error, c.FPSDetected = ptr(" Jump"), ptr("COUNTERMOVEMENT"), capture.Error,
			ptr("lost <marker>"), ptr(119.88)
		c.Dimensions = map[string]string{"arm_position": "arm-swing", "handedness": "left"}
		put(t, s, sc, c, session("bare", nil))

		got, err := s.Capture(t.Context(), sc, c.SessionID, 0)
		must(t, err)
		want := fmt.Sprintf(`{"session_id":"sß/1","athlete_id":%q,"activity":" Jump","movement":"COUNTERMOVEMENT","status":"error","error":"lost <marker>","capture_time":"2026-05-13T12:00:00.007Z","fps_detected":119.88,"arm_position":"arm-swing"}`, ids[2])
		var a, b any
		must(t, json.Unmarshal(got.Body, &a))
		must(t, json.Unmarshal([]byte(want), &b))
		if fmt.Sprint(a) != fmt.Sprint(b) {
			t.Errorf("got  %s\nwant %s", got.Body, want)
		}
		bare, err := s.Capture(t.Context(), sc, "bare", 0)
		must(t, err)
		if want := `{"session_id":"bare","athlete_id":null,"activity":null,"movement":null,"status":"completed","error":null,"capture_time":null,"fps_detected":null}`; string(bare.Body) != want {
			t.Errorf("got  %s\nwant %s", bare.Body, want)
		}
		_, err = s.Capture(t.Context(), other, c.SessionID, 0)
		refused(t, err, fault.NotFound, "no such capture")
		_, err = s.Capture(t.Context(), sc, "sß/2", 0)
		refused(t, err, fault.NotFound, "no such capture")

		c.Status, c.Error = capture.Completed, nil
		put(t, s, sc, c)
		after, err := s.Capture(t.Context(), sc, c.SessionID, 0)
		must(t, err)
		if after.Tag == got.Tag || !strings.Contains(string(after.Body), `"completed"`) {
			t.Errorf("the tag of %s is still %s", after.Body, after.Tag)
		}
	})
}

func TestCapturesAreListedNewestFirstThoseWithoutATimeLastAndTiesByIDThenAthlete(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc, other := tenant(t, s, "A"), tenant(t, s, "B")
		ids := create(t, s, sc, person("1"), person("2"), person("3"))
		slices.Sort(ids)
		put(t, s, other, session("foreign", &noon))
		put(t, s, sc,
			session("z without", nil), session("A without", nil, ids[1]),
			session("\U0010FFFF\U0010FFFF\U0010FFFF", nil),
			session("tie b", &noon), session("tie B", &noon), session("tie ä", &noon), session("tie 10", &noon),
			session("tie 9", &noon),
			session("before 1970", ptr(time.Date(1931, 1, 1, 0, 0, 0, 0, time.UTC))),
			session("newest", ptr(noon.Add(time.Millisecond)), ids[2], ids[0], ids[1]))
		want := []string{"newest", "newest", "newest", "tie 10", "tie 9", "tie B", "tie b", "tie ä", "before 1970",
			"A without", "z without", "\U0010FFFF\U0010FFFF\U0010FFFF"}
		for _, when := range []string{"fresh", "folded"} {
			page := listed(t, s, sc, capture.Query{})
			same(t, when, page.sessions(), want)
			if page.Total != 10 {
				t.Errorf("%s: total %d of 10 captures in 12 rows", when, page.Total)
			}
			for i, a := range ids {
				if got := page.Captures[i].AthleteID; got == nil || *got != a {
					t.Errorf("%s: row %d names %v", when, i, got)
				}
			}
			if page.Captures[3].AthleteID != nil {
				t.Error("a row of nobody names somebody")
			}
			var paged []string
			for offset := int64(0); offset < 14; offset += 2 {
				paged = append(paged, listed(t, s, sc, capture.Query{Limit: 2, Offset: offset}).sessions()...)
			}
			same(t, when+", page by page", paged, want)
			for _, offset := range []int64{12, 13, 1<<53 - 1} {
				if past := listed(t, s, sc, capture.Query{Offset: offset}); len(past.Captures) != 0 ||
					past.Total != 10 {
					t.Errorf("%s, past the end: %+v", when, past)
				}
			}
			folded(t, s, sc)
		}
	})
}

func TestCapturesAreFilteredByEverythingTogetherAndCompareFolded(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		var all []capture.Capture
		for i, source := range []string{"api", "import", "mobile"} {
			for j, status := range capture.Statuses {
				for k, activity := range []*string{nil, ptr("jump"), ptr(" JUMP "), ptr("GRÖSSE")} {
					for l, movement := range []*string{nil, ptr("squat"), ptr("Squat")} {
						c := session(fmt.Sprintf("%d%d%d%d", i, j, k, l), &noon)
						c.Source, c.Status, c.Activity, c.Movement = source, status, activity, movement
						all = append(all, c)
					}
				}
			}
		}
		put(t, s, sc, all...)
		for _, f := range []capture.Filter{{}, {Source: "api"}, {Status: capture.Processing}, {Activity: "jump"},
			{Activity: "grösse", Movement: "squat"},
			{Source: "api", Status: capture.Error, Activity: "jump", Movement: "squat"}, {Source: "other"},
			{Activity: "JUMP"}} {
			want := []string{}
			for _, c := range all {
				if f.Match(c.Combination()) {
					want = append(want, c.SessionID)
				}
			}
			page := listed(t, s, sc, capture.Query{Filter: f, Limit: 500})
			same(t, fmt.Sprintf("%+v", f), page.sessions(), want)
			if int(page.Total) != len(want) {
				t.Errorf("%+v: total %d of %d", f, page.Total, len(want))
			}
		}
	})
}

func TestTheListOfAnAthleteHoldsItsRowsOnly(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		ids := create(t, s, sc, person("1"), person("2"), person("nobody's"))
		jump := session("c", ptr(noon.Add(-time.Hour)), ids[0])
		jump.Activity = ptr("jump")
		put(t, s, sc, session("a", &noon, ids[0], ids[1]), session("b", &noon, ids[1]), jump, session("d", &noon))
		page := listed(t, s, sc, capture.Query{AthleteID: ids[0]})
		same(t, "athlete 1", page.sessions(), []string{"a", "c"})
		if page.Total != 2 || *page.Captures[0].AthleteID != ids[0] {
			t.Errorf("%+v", page)
		}
		same(t, "second page", listed(t, s, sc, capture.Query{AthleteID: ids[0], Offset: 1}).sessions(), []string{"c"})
		same(t, "filtered", listed(t, s, sc,
			capture.Query{AthleteID: ids[0], Filter: capture.Filter{Activity: "jump"}}).sessions(), []string{"c"})
		if none := listed(t, s, sc, capture.Query{AthleteID: ids[2]}); none.Total != 0 || len(none.Captures) != 0 {
			t.Errorf("%+v", none)
		}
	})
}

func TestAnAthleteThatIsForeignUnknownOrErasedCannotBeFilteredBy(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc, other := tenant(t, s, "A"), tenant(t, s, "B")
		foreign := create(t, s, other, person("foreign"))[0]
		erased := create(t, s, sc, person("erased"))[0]
		listed(t, s, sc, capture.Query{AthleteID: erased})
		must(t, s.DeleteAthlete(t.Context(), sc, erased, anybody))
		for what, a := range map[string]string{"foreign": foreign, "erased": erased, "unknown": organization.NewUUID(),
			"nobody": "00000000-0000-0000-0000-000000000000"} {
			_, err := s.Captures(t.Context(), sc, capture.Query{AthleteID: a, Limit: 1})
			var f *fault.Error
			if !fault.Is(err, fault.BadRequest) || !asFault(err, &f) || f.Message != "athlete_id not found" {
				t.Errorf("%s: %v", what, err)
			}
		}
	})
}

func TestTheTagOfAListChangesExactlyWithItsContent(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s, second := p.open(), p.open()
		sc := tenant(t, s, "A")
		athletes := create(t, s, sc, person("1"))
		put(t, s, sc, session("a", &noon, athletes[0]))
		tag := func(s *Store, q capture.Query) string {
			q.Limit = max(q.Limit, 1)
			a, err := s.Captures(t.Context(), sc, q)
			must(t, err)
			return a.Tag
		}
		first := tag(s, capture.Query{})
		if again := tag(s, capture.Query{}); again != first {
			t.Error("the same list has two tags")
		}
		if there := tag(second, capture.Query{}); there != first {
			t.Error("another process gives the same list another tag")
		}
		for _, q := range []capture.Query{{Limit: 2}, {Offset: 1}, {Filter: capture.Filter{Source: "nobody"}}} {
			if tag(s, q) == first {
				t.Errorf("%+v has the tag of another answer", q)
			}
		}
		folded(t, s, sc)
		if after := tag(s, capture.Query{}); after != first {
			t.Error("a fold changed the tag of what stayed the same")
		}
		changed := session("a", &noon, athletes[0])
		changed.Error = ptr("now with an error")
		put(t, second, sc, changed)
		if after := tag(s, capture.Query{}); after == first {
			t.Error("the tag stayed when the content changed")
		}
	})
}
