package store

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/feed"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/organization"
)

func merging(into, from athlete.Athlete) (athlete.Athlete, error) {
	return athlete.Merge(into, from, into.UpdatedAt.Add(time.Hour))
}

func TestAMergeMakesOneAthleteOfTwo(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc, other := tenant(t, s, "A"), tenant(t, s, "B")
		into := person("Jo", func(a *athlete.Athlete) { a.CustomAttributes = map[string]string{"team": "red"} })
		from := person("Unmistakable", func(a *athlete.Athlete) {
			a.LastName, a.Email, a.CustomAttributes = "Rivera", "jo@example.org",
				map[string]string{"team": "blue", "shirt": "9"}
		})
		third := person("third")
		create(t, s, sc, into, from, third)
		put(t, s, sc, session("own", &noon, from.ID), session("shared", &noon, third.ID, from.ID),
			session("both", &noon, from.ID, into.ID), session("into's", &noon, into.ID))
		film(t, s, sc, session("filmed", &noon, from.ID), walked(3, "A", 1))
		film(t, s, sc, session("filmed of both", &noon, into.ID, from.ID), walked(3, "A", 1))
		r := exported(t, s, sc, export.Request{})
		if *r.Job.RowCount != 9 {
			t.Fatalf("the export has %d rows", *r.Job.RowCount)
		}
		folded(t, s, sc)
		found(t, s, sc, athlete.Query{Search: "unmistakable"})
		f := follows(sc)
		f.rest(t, s)

		_, err := s.MergeAthletes(t.Context(), sc, organization.NewUUID(), from.ID, nil, merging)
		refused(t, err, fault.NotFound, "no such athlete")
		for _, nobody := range []string{organization.NewUUID(), "00000000-0000-0000-0000-000000000000",
			create(t, s, other, person("foreign"))[0]} {
			_, err = s.MergeAthletes(t.Context(), sc, into.ID, nobody, nil, merging)
			refused(t, err, fault.BadRequest, "athlete_id not found")
		}
		o := once[athlete.Athlete]("merge", "body", "answer")
		merged, err := s.MergeAthletes(t.Context(), sc, into.ID, from.ID, o, merging)
		must(t, err)
		read, err := s.Athlete(t.Context(), sc, into.ID)
		must(t, err)
		if !athlete.Equal(read, merged) || read.FirstName != "Jo" || read.LastName != "Rivera" ||
			read.CustomAttributes["team"] != "red" || read.CustomAttributes["shirt"] != "9" {
			t.Errorf("merged to %+v, and %+v is read", merged, read)
		}
		_, err = s.Athlete(t.Context(), sc, from.ID)
		refused(t, err, fault.NotFound, "no such athlete")
		folded(t, s, sc)
		if page := listed(t, s, sc, capture.Query{AthleteID: into.ID}); page.Total != 6 {
			t.Errorf("the athlete has %d captures", page.Total)
		}
		for session, want := range map[string][]string{"own": {into.ID}, "shared": {third.ID, into.ID},
			"both": {into.ID}, "filmed of both": {into.ID}} {
			linked, err := s.LinkedAthletes(t.Context(), sc, session)
			must(t, err)
			var ids []string
			for _, l := range linked {
				ids = append(ids, l.ID)
			}
			same(t, session, ids, want)
		}
		same(t, "by its name", found(t, s, sc, athlete.Query{Search: "unmistakable"}), []string{})
		same(t, "by a taken attribute", found(t, s, sc, athlete.Query{Attributes: map[string]string{"shirt": "9"}}),
			[]string{"Jo"})

		after, err := s.Job(t.Context(), sc, r.Job.ID, export.Left{})
		must(t, err)
		if *after.RowCount != 6 {
			t.Errorf("the export has %d rows after it", *after.RowCount)
		}
		must(t, s.engine.Once(t.Context(), idOf(t, sc), db.Each(func(r db.Rows) error {
			var key db.ID
			var text string
			if err := r.Scan(&key, &text); err != nil {
				return err
			}
			var f facts
			must(t, json.Unmarshal([]byte(text), &f))
			if key.String() != into.ID || strings.Contains(f.Name, "Unmistakable") {
				t.Errorf("a row of the export is of %s, %s", key, f.Name)
			}
			return nil
		}, `SELECT athlete, facts FROM export_part WHERE organization = $1`, idOf(t, sc))))

		told := strings.Join(f.rest(t, s), " ")
		for _, want := range []string{"-athlete " + from.ID, "+athlete " + into.ID, "+capture own", "+capture shared",
			"+capture both", "+capture into's", "+export " + r.Job.ID} {
			if !strings.Contains(told, want) {
				t.Errorf("the feed does not tell %s, but %s", want, told)
			}
		}
		f.equal(t, "the copy", stored(t, s, sc))
		for _, table := range tenantTables {
			must(t, s.engine.Once(t.Context(), idOf(t, sc), db.Each(func(r db.Rows) error {
				for col := range tableColumns(t, s, table) {
					if raw := strings.ToLower(string(r.Raw(col))); strings.Contains(raw, "nmistakable") {
						t.Errorf("%s, column %d, names who was erased: %q", table, col, raw)
					}
				}
				return nil
			}, `SELECT * FROM `+table+` WHERE organization = $1`, idOf(t, sc))))
		}
		again := once[athlete.Athlete]("merge", "body", "answer")
		_, err = s.MergeAthletes(t.Context(), sc, into.ID, from.ID, again, merging)
		must(t, err)
		if !again.Replayed() {
			t.Error("a repetition is not answered as before")
		}
	})
}

func TestNoAthletesAreMergedWhileAnExportIsBuilt(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		ids := create(t, s, sc, person("Jo"), person("other"))
		film(t, s, sc, session("filmed", &noon, ids[1]), walked(3, "A", 1))
		_, err := s.CreateJob(t.Context(), sc, export.Request{}, nil)
		must(t, err)
		_, err = s.MergeAthletes(t.Context(), sc, ids[0], ids[1], nil, merging)
		refused(t, err, fault.Conflict, "being built")
	})
}

func TestAMergeAndALinkAtTheSameTimeLeaveNoLinkToNobody(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s, second := p.open(), p.open()
		sc := tenant(t, s, "A")
		for range 8 {
			ids := create(t, s, sc, person("Jo"), person("other"))
			put(t, s, sc, session("a "+ids[0], &noon), session("b "+ids[0], &noon, ids[1]))
			linked := make(chan error, 1)
			go func() {
				_, err := second.ChangeCapture(t.Context(), sc, "a "+ids[0], nil,
					func(c capture.Capture, _ string) (capture.Capture, error) {
						c.AthleteIDs = []string{ids[1]}
						return c, nil
					})
				linked <- err
			}()
			_, err := s.MergeAthletes(t.Context(), sc, ids[0], ids[1], nil, merging)
			must(t, err)
			if err := testkit.Receive(t, linked, "the link is done"); err != nil {
				refused(t, err, fault.BadRequest, "athlete_id not found")
			}
			var lost int64
			must(t, s.engine.Once(t.Context(), idOf(t, sc),
				db.One(db.Into(&lost), `SELECT count(*) FROM capture_row WHERE organization = $1 AND athlete = $2`,
					idOf(t, sc), mustID(t, ids[1]))))
			if lost > 0 {
				t.Errorf("%d captures are linked to the athlete who has gone", lost)
			}
		}
		f := follows(sc)
		f.kinds = feed.Kinds
		f.rest(t, s)
		f.equal(t, "the copy", stored(t, s, sc))
	})
}
