package store

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/testkit"
)

// ranges gives ranges of capture time that begin or end at a capture in the middle.
func ranges(all []capture.Capture) []capture.Range {
	from := *all[len(all)/2].CaptureTime
	to := from.Add(time.Minute)
	return []capture.Range{capture.RangeOf(&from, nil), capture.RangeOf(nil, &from), capture.RangeOf(&from, &to)}
}

func TestARangeOfDatesHoldsItsFirstMomentAndNotItsLastAndNoCaptureWithoutATime(t *testing.T) {
	testkit.Long(t)
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		athletes := create(t, s, sc, person("Ada"), person("Bo"))
		var all []capture.Capture
		for i := range 400 { // several at each moment, some of two athletes, in several blocks
			c := session(fmt.Sprintf("s%05d", i), ptr(noon.Add(time.Duration(i/4)*time.Millisecond)))
			c.AthleteIDs = athletes[:i%3]
			all = append(all, c)
		}
		for i := range 30 {
			all = append(all, session(fmt.Sprintf("none%d", i), nil))
		}
		put(t, s, sc, all...)
		check := func(when string) {
			for _, moments := range [][2]int{{0, 1}, {0, 100}, {13, 14}, {20, 80}, {99, 100}, {-5, 0}, {100, 200}} {
				from, to := noon.Add(time.Duration(moments[0])*time.Millisecond),
					noon.Add(time.Duration(moments[1])*time.Millisecond)
				for _, bounds := range [][2]*time.Time{{&from, &to}, {&from, nil}, {nil, &to}} {
					for _, search := range []string{"", "s0", "none"} {
						want := int64(0)
						for _, c := range all {
							if at := c.CaptureTime; at != nil && (bounds[0] == nil || !at.Before(from)) &&
								(bounds[1] == nil || at.Before(to)) && search != "none" {
								want++
							}
						}
						q := capture.Query{Captured: capture.RangeOf(bounds[0], bounds[1]), Search: search}
						if page := listed(t, s, sc, q); page.Total != want {
							t.Errorf("%s: from %v to %v with %q there are %d and not %d", when, bounds[0], bounds[1],
								search, page.Total, want)
						}
						q.Limit = 10
						for _, q.Oldest = range []bool{false, true} {
							if err := compare(s, idOf(t, sc), q, 0, 1, 6, 290); err != nil {
								t.Errorf("%s: %v", when, err)
							}
						}
					}
				}
			}
		}
		check("before the fold")
		folded(t, s, sc)
		check("after the fold")
		put(t, s, sc, all[170:230]...)
		moved := slices.Clone(all[:40])
		for i := range moved { // to the other end of the list
			moved[i].CaptureTime = ptr(noon.Add(99 * time.Millisecond))
		}
		copy(all, moved)
		put(t, s, sc, moved...)
		check("with changes that are not folded")
	})
}
