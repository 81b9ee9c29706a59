package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
)

// series imports the parts in as many series as it takes, and gives all outcomes.
func series(t *testing.T, s *Store, sc organization.Scope, parts [][]manifest.Record) (all []manifest.Outcome) {
	t.Helper()
	for len(parts) > 0 {
		before := len(parts)
		begun, err := s.Series().ImportSeries(t.Context(), sc, func() []manifest.Record {
			if len(parts) == 0 {
				return nil
			}
			part := parts[0]
			parts = parts[1:]
			return part
		}, func(o []manifest.Outcome) { all = append(all, o...) })
		must(t, err)
		if !begun || len(parts) == before {
			t.Fatal("the series did not begin")
		}
	}
	return all
}

// strangeParts are parts of an import in which anything comes: athletes that are linked by the captures of
// the same part, captures that come again, as they were and otherwise, and links to nobody.
func strangeParts(r *rand.Rand) (parts [][]manifest.Record) {
	var people, sessions []string
	uuid := func() string {
		var b [16]byte
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		b[6], b[8] = b[6]&15|0x40, b[8]&63|0x80
		return db.ID(b).String()
	}
	for range 12 {
		var part []manifest.Record
		for range 1 + r.IntN(60) {
			if len(people) == 0 || r.IntN(12) == 0 {
				a := athlete.Athlete{ID: uuid(), FirstName: fmt.Sprint("A", len(people)), CreatedAt: noon,
					UpdatedAt: noon}
				if len(people) > 0 && r.IntN(3) == 0 {
					a.ID = people[r.IntN(len(people))]
				}
				people = append(people, a.ID)
				part = append(part, manifest.Record{Athlete: &a})
				continue
			}
			c := capture.Capture{SessionID: uuid(), Status: capture.Completed, Source: capture.SourceImport}
			if len(sessions) > 0 && r.IntN(4) == 0 {
				c.SessionID = sessions[r.IntN(len(sessions))]
			}
			if r.IntN(5) == 0 {
				c.SessionID = strings.Repeat("a long name ", 1+r.IntN(900))
			}
			sessions = append(sessions, c.SessionID)
			if r.IntN(6) > 0 {
				c.CaptureTime = ptr(noon.Add(time.Duration(r.IntN(50)) * time.Hour))
			}
			for range r.IntN(3) {
				a := people[r.IntN(len(people))]
				if r.IntN(40) == 0 {
					a = uuid()
				}
				if !slices.Contains(c.AthleteIDs, a) {
					c.AthleteIDs = append(c.AthleteIDs, a)
				}
			}
			if r.IntN(2) == 0 {
				c.Activity, c.Movement = ptr("jump"), ptr(fmt.Sprint("movement ", r.IntN(4)))
			}
			if r.IntN(4) == 0 {
				c.Status, c.Error = capture.Error, ptr("it fell \x01 over")
			}
			if r.IntN(3) == 0 {
				c.FPSDetected = ptr(float64(r.IntN(1000)) / 7)
			}
			part = append(part, manifest.Record{Capture: &c})
		}
		parts = append(parts, part)
	}
	return parts
}

// copied is a copy of parts, for an import may keep what it is given.
func copied(parts [][]manifest.Record) [][]manifest.Record {
	out := make([][]manifest.Record, len(parts))
	for i, part := range parts {
		for _, r := range part {
			if r.Athlete != nil {
				r.Athlete = ptr(*r.Athlete)
			}
			if r.Capture != nil {
				r.Capture = ptr(*r.Capture)
			}
			out[i] = append(out[i], r)
		}
	}
	return out
}

// contents are the lists of captures, of all and of each athlete, and what is stored of each.
func contents(t *testing.T, s *Store, sc organization.Scope, parts [][]manifest.Record) map[string]string {
	t.Helper()
	folded(t, s, sc)
	all := map[string]string{}
	page := func(name string, q capture.Query) {
		for {
			q.Limit = 100
			a, err := s.Captures(t.Context(), sc, q)
			must(t, err)
			all[fmt.Sprint(name, " ", q.Offset)] = string(a.Body)
			var p wirePage
			must(t, json.Unmarshal(a.Body, &p))
			if q.Offset += int64(len(p.Captures)); len(p.Captures) == 0 {
				return
			}
		}
	}
	page("all", capture.Query{})
	page("jumps", capture.Query{Filter: capture.Filter{Activity: "jump"}})
	page("errors", capture.Query{Filter: capture.Filter{Status: capture.Error}})
	for _, part := range parts {
		for _, r := range part {
			if r.Athlete != nil {
				page(r.Athlete.ID, capture.Query{AthleteID: r.Athlete.ID})
				continue
			}
			if a, err := s.Capture(t.Context(), sc, r.Capture.SessionID, 0); err == nil {
				all["one "+r.Capture.SessionID] = string(a.Body) + a.Tag
			}
		}
	}
	return all
}

func TestASeriesOfAnImportDoesWhatImportsDo(t *testing.T) {
	testkit.Long(t)
	r := chance(t)
	for round := range 6 {
		one, other := place{t, Options{Data: empty.Folder(t)}}.open(), place{t, Options{Data: empty.Folder(t)}}.open()
		other.sheafBytes = []int{0, 1, 20_000}[round%3]
		parts := strangeParts(r)
		scOne, scOther := tenant(t, one, "one"), tenant(t, other, "other")
		var want []manifest.Outcome
		for _, part := range copied(parts) {
			o, err := one.Import(t.Context(), scOne, part, false)
			must(t, err)
			want = append(want, o...)
		}
		got := series(t, other, scOther, copied(parts))
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("outcomes are\n%v, and not\n%v", got, want)
		}
		wanted := contents(t, one, scOne, parts)
		for name, text := range contents(t, other, scOther, parts) {
			if wanted[name] != text {
				t.Errorf("%s is\n%s, and not\n%s", name, text, wanted[name])
			}
			delete(wanted, name)
		}
		if len(wanted) > 0 {
			t.Errorf("%d answers are missing", len(wanted))
		}
	}
}

// alternating gives parts of one capture each, without an end.
func alternating(before func(n int)) func() []manifest.Record {
	n := 0
	return func() []manifest.Record {
		n++
		before(n)
		c := session(fmt.Sprint("session ", n), &noon)
		return []manifest.Record{{Capture: &c}}
	}
}

func TestASeriesEndsWhenAnotherProcessComes(t *testing.T) {
	p := place{t, Options{Data: empty.Folder(t)}}
	s := p.open()
	sc := tenant(t, s, "lab")
	ended := make(chan error, 1)
	_, err := s.ImportSeries(t.Context(), sc, alternating(func(n int) {
		switch n {
		case 3: // it waits for the transaction, which makes room
			go func() {
				other, err := Open(context.Background(), p.options)
				if err == nil {
					err = other.Close()
				}
				ended <- err
			}()
			testkit.Until(t, "another one has come", func() bool { return s.engine.(*db.SQLite).Crowded() })
		case 4:
			t.Error("the series goes on")
		}
	}), func([]manifest.Outcome) {})
	must(t, err)
	must(t, testkit.Receive(t, ended, "another one has opened the store"))
	if n := listed(t, s, sc, capture.Query{}).Total; n != 3 {
		t.Errorf("%d captures are there", n)
	}
	other := p.open()
	begun, err := s.ImportSeries(t.Context(), sc, func() []manifest.Record { t.Error("it is asked"); return nil }, nil)
	must(t, err)
	if begun {
		t.Error("it begins beside another process")
	}
	must(t, other.Close())
	if s.engine.(*db.SQLite).Crowded() {
		t.Error("nobody is there any longer")
	}
}

func TestASeriesEndsWhenSomebodyElseWantsToWrite(t *testing.T) {
	s := place{t, Options{Data: empty.Folder(t)}}.open()
	sc := tenant(t, s, "lab")
	written := make(chan error, 1)
	_, err := s.ImportSeries(t.Context(), sc, alternating(func(n int) {
		switch n {
		case 2:
			go func() { written <- s.CreateAthlete(context.Background(), sc, person("Ann"), nil) }()
			testkit.Until(t, "the other one waits", func() bool { return s.engine.(*db.SQLite).Crowded() })
		case 3:
			t.Error("the series goes on")
		}
	}), func([]manifest.Outcome) {})
	must(t, err)
	must(t, testkit.Receive(t, written, "the other one has written"))
}

func TestOfASeriesThatFailsNothingIsKept(t *testing.T) {
	s := place{t, Options{Data: empty.Folder(t)}}.open()
	sc := tenant(t, s, "lab")
	put(t, s, sc, session("before", &noon))
	_, err := s.ImportSeries(t.Context(), sc, alternating(func(n int) {
		if n == 3 {
			panic(errors.New("the end"))
		}
	}), func([]manifest.Outcome) {})
	if err == nil {
		t.Fatal("no error is told")
	}
	if got := listed(t, s, sc, capture.Query{}).sessions(); !slices.Equal(got, []string{"before"}) {
		t.Errorf("there is %q", got)
	}
	// And the next one is not disturbed by what the last one held back.
	series(t, s, sc, [][]manifest.Record{{{Capture: ptr(session("after", nil))}}})
	if got := listed(t, s, sc, capture.Query{}).sessions(); !slices.Equal(got, []string{"before", "after"}) {
		t.Errorf("there is %q", got)
	}
}

func TestASeriesOfWhatIsThereAlreadyEnds(t *testing.T) {
	s := place{t, Options{Data: empty.Folder(t)}}.open(still)
	sc := tenant(t, s, "A")
	s.seriesMost = 25
	part := make([]manifest.Record, 10)
	for i := range part {
		part[i] = manifest.Record{Capture: &capture.Capture{SessionID: fmt.Sprint("s", i), Status: capture.Completed,
			Source: capture.SourceImport}}
	}
	taken := 0
	begun, err := s.Series().ImportSeries(t.Context(), sc, func() []manifest.Record { taken++; return part },
		func([]manifest.Outcome) {})
	if must(t, err); !begun || taken != 3 {
		t.Errorf("it has taken %d parts of 10 records, and 25 end it", taken)
	}
}
