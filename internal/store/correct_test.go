package store

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// changed changes a capture, which must go well.
func changed(t *testing.T, s *Store, sc organization.Scope, session string,
	edit func(*capture.Capture)) capture.Answer {
	t.Helper()
	a, err := s.ChangeCapture(t.Context(), sc, session,
		nil, func(c capture.Capture, _ string) (capture.Capture, error) {
			edit(&c)
			return c, nil
		})
	must(t, err)
	return a
}

func TestACorrectedCaptureIsShownAsItIsReadAndKeepsItsTagWhenNothingChanges(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		ids := create(t, s, sc, person("1"), person("2"))
		put(t, s, sc, session("s", &noon, ids[0]))
		for n, edit := range []func(*capture.Capture){
			func(c *capture.Capture) {
				c.Activity, c.Movement = ptr("Golf"), ptr("Swing")
				c.Dimensions = map[string]string{"handedness": "left"}
			},
			func(c *capture.Capture) { c.AthleteIDs = append(c.AthleteIDs, ids[1]) },
			func(c *capture.Capture) { c.CaptureTime = ptr(noon.Add(time.Hour)) },
			func(c *capture.Capture) { c.CaptureTime = nil },
			func(c *capture.Capture) { c.FPSDetected = ptr(99.5) },
			func(c *capture.Capture) { c.AthleteIDs = nil },
		} {
			got := changed(t, s, sc, "s", edit)
			read, err := s.Capture(t.Context(), sc, "s", 0)
			must(t, err)
			if string(got.Body) != string(read.Body) || got.Tag != read.Tag {
				t.Errorf("change %d answers %s (%s), but reads %s (%s)", n, got.Body, got.Tag, read.Body, read.Tag)
			}
			if same := changed(t, s, sc, "s", func(*capture.Capture) {}); same.Tag != got.Tag {
				t.Errorf("change %d: a change that changes nothing gives another tag", n)
			}
		}
		if n := listed(t, s, sc, capture.Query{AthleteID: ids[0]}).Total; n != 0 {
			t.Errorf("%d captures of an athlete who was unlinked", n)
		}
		if n := listed(t, s, sc, capture.Query{Filter: capture.Filter{Activity: "golf", Movement: "swing"}}).Total; n !=
			1 {
			t.Errorf("%d captures under the new labels", n)
		}
	})
}

func TestAChangeThatIsRefusedChangesNothing(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc, other := tenant(t, s, "A"), tenant(t, s, "B")
		foreign := create(t, s, other, person("1"))[0]
		put(t, s, sc, session("s", &noon))
		before, err := s.Capture(t.Context(), sc, "s", 0)
		must(t, err)
		_, err = s.ChangeCapture(t.Context(), sc, "s", nil, func(c capture.Capture, _ string) (capture.Capture, error) {
			c.AthleteIDs = []string{foreign}
			return c, nil
		})
		refused(t, err, fault.BadRequest, "athlete_id not found")
		stale := errors.New("stale")
		_, err = s.ChangeCapture(t.Context(), sc, "s", nil,
			func(_ capture.Capture, tag string) (capture.Capture, error) {
				if tag != before.Tag {
					t.Errorf("the tag is %s, and not %s", tag, before.Tag)
				}
				return capture.Capture{}, stale
			})
		if !errors.Is(err, stale) {
			t.Error(err)
		}
		if err := s.DeleteCapture(t.Context(), sc, "s", func(string) error { return stale }); !errors.Is(err, stale) {
			t.Error(err)
		}
		_, err = s.ChangeCapture(t.Context(), other, "s", nil,
			func(c capture.Capture, _ string) (capture.Capture, error) { return c, nil })
		refused(t, err, fault.NotFound, "no such capture")
		refused(t, s.DeleteCapture(t.Context(), other, "s", func(string) error { return nil }), fault.NotFound,
			"no such capture")
		after, err := s.Capture(t.Context(), sc, "s", 0)
		must(t, err)
		if string(after.Body) != string(before.Body) || after.Tag != before.Tag {
			t.Errorf("%s became %s", before.Body, after.Body)
		}
	})
}

func TestTablesFollowTheLabelsAndARateThatSomebodyCorrectedStays(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		session, original := arrived(t, s, sc)
		w := claimed(t, s, sc, session)
		changed(t, s, sc, session, func(c *capture.Capture) {
			c.Activity, c.Movement, c.FPSDetected = ptr("golf"), ptr("swing"), ptr(240.0)
		})
		must(t, s.ExpectMade(t.Context(), sc, w, time.Now().Add(time.Hour), "unlabelled"))
		must(t, s.Finish(t.Context(), sc, w, upload.Outcome{Table: "unlabelled", Info: []byte("info"), Rate: 120}))
		got, err := s.Stored(t.Context(), sc, session)
		must(t, err)
		if *got.Capture.FPSDetected != 240 || got.Rate != 240 {
			t.Errorf("the rate is %v, corrected to %v", *got.Capture.FPSDetected, got.Rate)
		}
		// The labels came while the file was read: its table is to be moved.
		again := claimed(t, s, sc, session)
		if !again.Renew || again.Table != "unlabelled" {
			t.Errorf("the work is %+v", again)
		}
		must(t, s.ExpectMade(t.Context(), sc, again, time.Now().Add(time.Hour), "labelled"))
		must(t, s.Finish(t.Context(), sc, again, upload.Outcome{Table: "labelled"}))
		same(t, "due", erasable(t, s, sc), []string{"unlabelled"})
		got, err = s.Stored(t.Context(), sc, session)
		must(t, err)
		if got.Table != "labelled" || string(got.Info) != "info" || got.Original != original ||
			got.Capture.Status != capture.Completed {
			t.Errorf("stored %+v", got)
		}
		jobs := queued(t, s, job.Process, session)
		changed(t, s, sc, session, func(c *capture.Capture) { c.Activity = ptr(" GOLF ") }) // the same folder
		changed(t, s, sc, session, func(c *capture.Capture) { c.CaptureTime = nil })
		if queued(t, s, job.Process, session) != jobs {
			t.Error("tables are renewed that lie where they should")
		}
		changed(t, s, sc, session, func(c *capture.Capture) { c.Activity = nil })
		failing := claimed(t, s, sc, session)
		must(t, s.Fail(t.Context(), sc, failing, "no"))
		if got, _ := status(t, s, sc, session); got != capture.Completed {
			t.Errorf("a table that could not be moved made the capture %s", got)
		}
	})
}

func TestAFileThatIsBroughtAgainReplacesTheOldOneAndLeavesWhatPeopleAdded(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		a := create(t, s, sc, person("1"))[0]
		bring := func(name string, c capture.Capture) error {
			must(t, s.ExpectBrought(t.Context(), sc, c.SessionID, time.Now().Add(time.Hour), name, name+" table"))
			return s.Bring(t.Context(), sc, upload.Brought{Capture: c, FileName: "f.c3d", Original: name, Size: 3,
				Outcome: upload.Outcome{Table: name + " table", Info: []byte(name)}})
		}
		c := session("s", nil)
		c.FPSDetected = ptr(50.0)
		must(t, bring("one", c))
		changed(t, s, sc, "s", func(c *capture.Capture) {
			c.AthleteIDs, c.Activity, c.FPSDetected = []string{a}, ptr("golf"), ptr(60.0)
		})
		c.Movement, c.FPSDetected = ptr("swing"), ptr(51.0)
		must(t, bring("two", c))
		got, err := s.Stored(t.Context(), sc, "s")
		must(t, err)
		if got.Original != "two" || string(got.Info) != "two" || *got.Capture.Activity != "golf" ||
			*got.Capture.Movement != "swing" || *got.Capture.FPSDetected != 60 || got.Capture.AthleteIDs[0] != a {
			t.Errorf("stored %+v", got)
		}
		due := strings.Join(erasable(t, s, sc), ",")
		if !strings.Contains(due, "one") || strings.Contains(due, "two") {
			t.Errorf("due %s", due)
		}
		c.AthleteIDs = []string{organization.NewUUID()}
		refused(t, bring("three", c), fault.BadRequest, "athlete_id not found")
		if err := s.Bring(t.Context(),
			sc, upload.Brought{Capture: session("x", nil), Original: "never expected"}); !errors.Is(err, job.ErrLost) {
			t.Errorf("a file that nobody expected was brought: %v", err)
		}
	})
}

func TestServersOnOneDatabaseShareASecret(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		one, err := p.open().Secret(t.Context(), "uploads", []byte("first"))
		must(t, err)
		two, err := p.open().Secret(t.Context(), "uploads", []byte("second"))
		must(t, err)
		if string(one) != "first" || string(two) != "first" {
			t.Errorf("%q and %q", one, two)
		}
	})
}
