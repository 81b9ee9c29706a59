package store

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/internal/store/db"
)

// with adds channels of one column to what is known of a recording.
func with(info []byte, channels ...string) []byte {
	var i frames.Info
	if err := json.Unmarshal(info, &i); err != nil {
		panic(err)
	}
	for _, name := range channels {
		i.Channels = append(i.Channels, frames.Channel{Name: name, Kind: frames.KindAnalog, PerFrame: 1,
			Columns: []string{name}})
	}
	b, err := json.Marshal(i)
	if err != nil {
		panic(err)
	}
	return b
}

// ownOf names the columns of the captures in a result, or those of some kinds.
func ownOf(r export.Result, kinds ...export.Kind) (names []string) {
	for _, c := range r.Columns.Own {
		if len(kinds) == 0 || slices.Contains(kinds, c.From.Kind) {
			names = append(names, c.Name)
		}
	}
	return names
}

// asideOf says what columns are called in the captures that are called otherwise in a result.
func asideOf(r export.Result) string {
	aside := map[string]string{}
	for _, c := range r.Columns.Own {
		if c.Name != c.From.Plain() {
			aside[c.Name] = c.From.Plain()
		}
	}
	return fmt.Sprint(aside)
}

func TestAnEventColumnIsTheEventInEveryCaptureAndAChannelOfItsNameHasASuffix(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		const event = "left_foot_strike"
		film(t, s, sc, session("both", ptr(noon.Add(3*time.Hour))), with(walked(10, "A", 4), event))
		film(t, s, sc, session("channel", ptr(noon.Add(2*time.Hour))), with(walked(10, "A", -1), event))
		film(t, s, sc, session("event", ptr(noon.Add(time.Hour))), walked(10, "A", 3))
		film(t, s, sc, session("third", &noon), with(walked(10, "A", -1), event+"_2"))

		all := exported(t, s, sc, export.Request{})
		same(t, "own columns", ownOf(all),
			strings.Fields("A_x A_y A_z left_foot_strike left_foot_strike_3 left_foot_strike_2"))
		same(t, "events", ownOf(all, export.Event), []string{event})
		if got := asideOf(all); got != "map[left_foot_strike_3:left_foot_strike]" {
			t.Errorf("aside are %s", got)
		}
		some := exported(t, s, sc, export.Request{Metrics: []string{event + "_3", event}})
		same(t, "metrics", ownOf(some), []string{event + "_3", event})
		// Who asks for the channel alone gets the channel: the event and its name stay away.
		alone := exported(t, s, sc, export.Request{Metrics: []string{event + "_3"}})
		same(t, "metrics without the event", ownOf(alone), []string{event + "_3"})
		if events, aside := ownOf(alone, export.Event), asideOf(alone); len(events) != 0 ||
			aside != "map[left_foot_strike_3:left_foot_strike]" {
			t.Errorf("the channel alone has the events %q and aside %s", events, aside)
		}
		_, err := s.CreateJob(t.Context(), sc, export.Request{Metrics: []string{event + "_4"}}, nil)
		refused(t, err, fault.BadRequest, event+"_4")

		filtered := exported(t, s, sc, export.Request{RowFilter: event})
		same(t, "parts", partsOf(t, s, sc, filtered), []string{"both/ 1 at 0", "event/ 1 at 1"})
		var left []string
		for _, skip := range filtered.Job.Skipped {
			left = append(left, skip.SessionID+": "+skip.Reason)
		}
		same(t, "left out", left, []string{`channel: It has a channel "left_foot_strike", but no event of that name.`,
			`third: It has no event "left_foot_strike".`})
		// A channel keeps the name that it has in a result when the event goes.
		for _, gone := range []string{"both", "event"} {
			must(t, s.DeleteCapture(t.Context(), sc, gone, func(string) error { return nil }))
		}
		rest, err := s.Result(t.Context(), sc, all.Job.ID)
		must(t, err)
		same(t, "columns that are left", ownOf(rest),
			strings.Fields("A_x A_y A_z left_foot_strike_3 left_foot_strike_2"))
	})
}

func TestAnUnknownNameFailsHoweverManyCapturesThereAre(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		film(t, s, sc, session("only", &noon), walked(3, "A", 1))
		for what, r := range map[string]export.Request{
			"an event": {RowFilter: "nonsense"}, "a channel": {RowFilter: "A_x"},
			"a metric": {Metrics: []string{"nonsense"}},
			"both":     {RowFilter: "nonsense", Metrics: []string{"A_x"}},
		} {
			// What is known before may be too little: the job itself looks at all captures.
			j, err := s.CreateJob(t.Context(), sc, export.Request{}, nil)
			must(t, err)
			text, err := json.Marshal(r)
			must(t, err)
			org := idOf(t, sc)
			must(t, s.write(t.Context(), org, func(w *writeTx) error {
				return w.Do(db.Exec(`UPDATE export_build SET request = $3 WHERE organization = $1 AND job = $2`, org,
					j.ID, string(text)))
			}))
			if done := built(t, s, sc, j.ID).Job; done.Status != export.Failed ||
				!strings.Contains(done.ErrorMessage, "none of the captures has") {
				t.Errorf("%s: the job is %+v", what, done)
			}
			_, err = s.CreateJob(t.Context(), sc, r, nil)
			refused(t, err, fault.BadRequest, "none of the captures has")
		}
	})
}
