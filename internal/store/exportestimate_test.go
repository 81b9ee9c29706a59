package store

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
)

func TestAnEstimateIsWhatTheExportHas(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc, foreign := tenant(t, s, "A"), tenant(t, s, "B")
		jo, al := create(t, s, sc, person("Jo"))[0], create(t, s, sc, person("Al"))[0]
		stranger := create(t, s, foreign, person("Stranger"))[0]
		film(t, s, foreign, session("foreign", &noon, stranger), walked(1000, "A", 1))
		later := noon.Add(time.Hour)
		film(t, s, sc, session("both", &noon, jo, al), walked(7, "A", 3))
		film(t, s, sc, session("jo", &later, jo), walked(5, "B", -1))
		film(t, s, sc, session("nobody", nil), walked(3, "A", 0))
		for _, r := range []export.Request{
			{}, {DateMode: export.ByLastModified}, {Athletes: []string{jo}}, {Athletes: []string{jo, al}},
			{Athletes: []string{al}, DateMode: export.ByLastModified},
			{Start: &later}, {End: &later}, {Movement: "never"}, {RowFilter: export.FrameZero},
			{RowFilter: "left_foot_strike"}, {Metrics: []string{"A_x"}},
		} {
			e, err := s.Estimate(t.Context(), sc, r)
			must(t, err)
			built := exported(t, s, sc, r)
			if !e.Exact || e.Rows != *built.Job.RowCount {
				t.Errorf("%+v is estimated as %+v and has %d rows", r, e, *built.Job.RowCount)
			}
		}
		if e, err := s.Estimate(t.Context(), sc, export.Request{}); err != nil || e.Captures != 3 {
			t.Errorf("all is %+v, %v", e, err)
		}
		for _, r := range []export.Request{{Athletes: []string{jo, stranger}},
			{Athletes: []string{organization.NewUUID()}}, {Metrics: []string{"C_x"}},
			{RowFilter: "right_foot_strike"}} {
			_, refused := s.CreateJob(t.Context(), sc, r, nil)
			if _, err := s.Estimate(t.Context(), sc, r); !fault.Is(err, fault.BadRequest) ||
				err.Error() != refused.Error() {
				t.Errorf("%+v is estimated with %v and refused with %v", r, err, refused)
			}
		}
	})
}

func TestAnEstimateOfMuchLooksAtAPartAndSaysSo(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		for n := range 20 {
			film(t, s, sc, session(fmt.Sprintf("%02d", n), &noon), walked(10, "A", 1))
		}
		for _, c := range []struct {
			most   int64
			looked int
			want   export.Estimate
		}{
			{100, 100, export.Estimate{Captures: 20, Rows: 200, Exact: true}},
			{100, 4, export.Estimate{Captures: 20, Rows: 200}},
			{8, 4, export.Estimate{Captures: 8, Rows: 80}},
		} {
			if e, err := s.estimate(t.Context(), sc, export.Request{}, c.most, c.looked); err != nil || e != c.want {
				t.Errorf("with %d and %d: %+v, %v", c.most, c.looked, e, err)
			}
		}
		// Captures without motion have no rows, wherever in the list they are.
		earlier := noon.Add(-time.Hour)
		for n := range 20 {
			put(t, s, sc, session(fmt.Sprintf("empty %02d", n), &earlier))
		}
		if e, err := s.estimate(t.Context(), sc, export.Request{}, 100, 10); err != nil ||
			e != (export.Estimate{Captures: 20, Rows: 200}) {
			t.Errorf("of 40 captures, 20 of them without motion: %+v, %v", e, err)
		}
		// A column that the part lacks may be in the rest.
		if _, err := s.estimate(t.Context(), sc, export.Request{Metrics: []string{"Z"}}, 100, 4); err != nil {
			t.Error(err)
		}
		if _, err := s.estimate(t.Context(), sc, export.Request{Metrics: []string{"Z"}}, 100, 100); err == nil ||
			!strings.Contains(err.Error(), "none of the captures") {
			t.Error(err)
		}
	})
}
