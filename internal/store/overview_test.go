package store

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// plainly is an overview's counts of captures, counted one by one.
func plainly(captures map[string]capture.Capture, today time.Time, days int) (o capture.Overview) {
	o.ByStatus = map[capture.Status]int64{}
	for _, s := range capture.Statuses {
		o.ByStatus[s] = 0
	}
	counts := map[capture.DayCount]int64{}
	for _, c := range captures {
		o.Captures++
		o.ByStatus[c.Status]++
		if c.CaptureTime == nil {
			continue
		}
		day := c.CaptureTime.UTC().Truncate(24 * time.Hour)
		if day.After(today) || day.Before(today.AddDate(0, 0, 1-days)) {
			continue
		}
		counts[capture.DayCount{Day: day, Movement: c.Combination().Movement}]++
	}
	for k, n := range counts {
		k.Count = n
		o.PerDay = append(o.PerDay, k)
	}
	slices.SortFunc(o.PerDay, func(a, b capture.DayCount) int {
		if c := a.Day.Compare(b.Day); c != 0 {
			return c
		}
		if a.Movement < b.Movement {
			return -1
		}
		return 1
	})
	return o
}

func TestAnOverviewCountsAsOneDoesByHand(t *testing.T) {
	testkit.Long(t)
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		s.now = func() time.Time { return noon }
		r := chance(t)
		sc, other := tenant(t, s, "A"), tenant(t, s, "B")
		ids := create(t, s, sc, person("Ann"), person("Bob"))
		put(t, s, other, session("foreign", &noon))
		today := noon.Truncate(24 * time.Hour)
		all := map[string]capture.Capture{}
		for round := range 6 {
			// Some days have many captures, some few, some one at midnight.
			var come []capture.Capture
			for n := range 300 {
				c := session(fmt.Sprintf("%d-%d", round, n), nil)
				if r.IntN(20) > 0 {
					at := today.AddDate(0, 0, -int(float64(40)*r.Float64()*r.Float64())+
						1).Add(time.Duration(r.Int64N(int64(24 * time.Hour))))
					if r.IntN(10) == 0 {
						at = at.Truncate(24 * time.Hour).Add(-time.Duration(r.IntN(2)) * time.Microsecond)
					}
					c.CaptureTime = &at
				}
				switch r.IntN(4) {
				case 0:
					c.Movement = ptr([]string{"Swing", "swing", "JUMP"}[r.IntN(3)])
				case 1:
					c.Status, c.Error = capture.Error, ptr("It broke.")
				case 2:
					c.AthleteIDs = ids[:1+r.IntN(2)]
				}
				all[c.SessionID] = c
				come = append(come, c)
			}
			put(t, s, sc, come...)
			var moved []capture.Capture
			for _, name := range slices.Sorted(maps.Keys(all)) {
				switch r.IntN(12) {
				case 0:
					must(t, s.DeleteCapture(t.Context(), sc, name, func(string) error { return nil }))
					delete(all, name)
				case 1:
					c, at := all[name], today.AddDate(0, 0, -r.IntN(40))
					c.CaptureTime = &at
					all[name] = c
					moved = append(moved, c)
				}
			}
			put(t, s, sc, moved...)
			for _, fold := range []bool{false, true} {
				if fold && round%2 == 1 {
					folded(t, s, sc)
				}
				for _, days := range []int{1, 2, 7, 30, 366} {
					o, err := s.Overview(t.Context(), sc, days, 0)
					must(t, err)
					want := plainly(all, today, days)
					if o.Captures != want.Captures || !maps.Equal(o.ByStatus, want.ByStatus) ||
						!slices.Equal(o.PerDay, want.PerDay) {
						t.Fatalf("round %d, folded %v, %d days:\n%v %v %v\nwant\n%v %v %v", round, fold, days,
							o.Captures, o.ByStatus, o.PerDay, want.Captures, want.ByStatus, want.PerDay)
					}
					if o.Athletes != 2 || !o.To.Equal(today) || !o.From.Equal(today.AddDate(0, 0, 1-days)) {
						t.Errorf("%d athletes from %v to %v", o.Athletes, o.From, o.To)
					}
				}
			}
		}
	})
}

func TestAnOverviewNamesWhatWasChangedLast(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		names := func(list []capture.Brief) (all []string) {
			for _, b := range list {
				all = append(all, b.SessionID)
			}
			return all
		}
		var want, failed []string
		for n := range 30 {
			c := session(fmt.Sprintf("%02d", n), &noon)
			if n%3 == 0 {
				c.Status, c.Error = capture.Error, ptr(fmt.Sprint("No ", n))
				failed = append([]string{c.SessionID}, failed...)
			}
			put(t, s, sc, c)
			want = append([]string{c.SessionID}, want...)
		}
		again := session("05", nil)
		again.Status, again.Error, again.Activity = capture.Error, ptr("Late"), ptr("Golf")
		put(t, s, sc, again)
		want = append([]string{"05"}, slices.DeleteFunc(want, func(name string) bool { return name == "05" })...)
		failed = append([]string{"05"}, failed...)
		o, err := s.Overview(t.Context(), sc, 30, 0)
		must(t, err)
		same(t, "recent", names(o.Recent), want[:20])
		same(t, "failed", names(o.Failed), failed)
		first := o.Failed[0]
		if *first.Error != "Late" || *first.Activity != "Golf" || first.Movement != nil ||
			first.Status != capture.Error || time.Since(first.LastModified) > time.Hour {
			t.Errorf("the first is %+v", first)
		}
		if b := o.Recent[1]; b.CaptureTime == nil || !b.CaptureTime.Equal(noon) {
			t.Errorf("the second is %+v", b)
		}
	})
}

func TestManyMovementsAreToldTogether(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		s.now = func() time.Time { return noon }
		sc := tenant(t, s, "A")
		var all []capture.Capture
		for n := range 30 {
			for i := range 1 + n/10 { // the last ten have the most
				c := session(fmt.Sprintf("%d-%d", n, i), &noon)
				c.Movement = ptr(fmt.Sprintf("m%02d", n))
				all = append(all, c)
			}
		}
		put(t, s, sc, append(all, session("none", &noon))...)
		o, err := s.Overview(t.Context(), sc, 1, 0)
		must(t, err)
		last := o.PerDay[len(o.PerDay)-1]
		if len(o.PerDay) != 22 || o.PerDay[0].Movement != "" || o.PerDay[0].Others || o.PerDay[1].Movement != "m10" ||
			!last.Others || last.Count != 10 {
			t.Errorf("the day is told as %+v", o.PerDay)
		}
	})
}

func TestTheBytesOfFilesAreSummedUpAsTheyComeAndGo(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc, other := tenant(t, s, "A"), tenant(t, s, "B")
		a := create(t, s, sc, person("Ann"))[0]
		arrived(t, s, other)
		want := func(what string, bytes int64) {
			t.Helper()
			o, err := s.Overview(t.Context(), sc, 1, 0)
			must(t, err)
			var sum int64
			must(t, s.engine.Once(t.Context(), idOf(t, sc),
				db.One(db.Into(&sum), `SELECT COALESCE(SUM(size), 0) FROM recording WHERE organization = $1`,
					idOf(t, sc))))
			if o.OriginalBytes != bytes || sum != bytes {
				t.Errorf("%s: told are %d bytes, there are %d, want %d", what, o.OriginalBytes, sum, bytes)
			}
		}
		want("nothing", 0)
		reserve(t, s, sc, organization.NewUUID())
		want("a reservation", 0)
		one, _ := arrived(t, s, sc)
		arrived(t, s, sc, a)
		want("two files", 246)
		bring := func(size int64, name string) {
			must(t, s.ExpectBrought(t.Context(), sc, "brought", time.Now().Add(time.Hour), name))
			must(t, s.Bring(t.Context(), sc, upload.Brought{Capture: session("brought", &noon), FileName: "f.c3d",
				Original: name, Size: size}))
		}
		bring(1000, "x")
		want("a third", 1246)
		bring(10, "y")
		want("the third anew", 256)
		must(t, s.DeleteAthlete(t.Context(), sc, a, anybody))
		want("without an athlete's", 133)
		must(t, s.DeleteCapture(t.Context(), sc, one, func(string) error { return nil }))
		want("without the first", 10)
	})
}
