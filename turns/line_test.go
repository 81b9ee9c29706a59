package turns

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kinebase/kinebase/fault"
)

func TestWhoeverHoldsAllThatItMayHaveLeavesRoomForOthers(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	for range 200 {
		size := int64(16 + random.IntN(1<<20))
		r := NewRoom[string](size, ToRead)
		var greedy int64
		for refusals := 0; refusals < 20; {
			if n := 1 + random.Int64N(1+size/8); r.Take("greedy", n) {
				greedy += n
			} else {
				refusals++
			}
		}
		if used, _ := r.Holds(); greedy > size-size/4+size/16 || used != greedy {
			t.Fatalf("one of %d holds %d (%d in all)", size, greedy, used)
		}
		for other := range 3 {
			if little := size / 16; !r.Take(fmt.Sprint(other), little) {
				t.Fatalf("of %d one holds %d, and organization %d cannot have %d", size, greedy, other, little)
			}
		}
		r.Put("greedy", greedy)
		for other := range 3 {
			r.Put(fmt.Sprint(other), size/16)
		}
		if used, holders := r.Holds(); used != 0 || holders != 0 {
			t.Fatalf("after all was given back %d are used, by %d", used, holders)
		}
	}
}

func TestSharesBoundEachOrganizationAlone(t *testing.T) {
	l := NewShares[string](4, ToRead)
	for _, who := range []string{"A", "B", "C"} {
		if !l.Take(who, 3) || !l.Take(who, 1) || l.Take(who, 1) {
			t.Errorf("%s cannot have its four, or more than these", who)
		}
	}
}

func TestWhoeverWaitsIsServedByHowLittleTheOrganizationHolds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewPlaces[string](2, ToRead)
		var order []string
		acquire := func(organization string) (leave func()) {
			leave, err := l.Acquire(t.Context(), organization, 1, "busy")
			if err != nil {
				t.Error(err)
				return func() {}
			}
			order = append(order, organization)
			return leave
		}
		first, second := acquire("many"), acquire("many")
		for _, organization := range []string{"many", "many", "few"} {
			go func() { defer acquire(organization)() }()
			synctest.Wait()
		}
		first()
		synctest.Wait()
		second()
		synctest.Wait()
		if got := fmt.Sprint(order); got != "[many many few many many]" {
			t.Errorf("served in the order %s", got)
		}
		if used, holders := l.Holds(); used != 0 || holders != 0 || l.Waits() != 0 {
			t.Errorf("left: %d used by %d, %d wait", used, holders, l.Waits())
		}
	})
}

func TestACallerWaitsOnlySoLongAndWorkWithoutACallerAsLongAsItTakes(t *testing.T) {
	for _, wait := range []time.Duration{ToRead, ToWrite} {
		synctest.Test(t, func(t *testing.T) {
			l := NewPlaces[string](1, wait)
			leave, err := l.Acquire(t.Context(), "A", 1, "busy")
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			var told *fault.Error
			_, err = l.Acquire(ForCaller(t.Context()), "B", 1, "The server is busy.")
			if !errors.As(err, &told) || told.Code != fault.Unavailable || told.Message != "The server is busy." ||
				told.RetryAfter <= 0 {
				t.Errorf("where there is no room: %v", err)
			}
			if waited := time.Since(began); waited != wait {
				t.Errorf("it waited %v, want %v", waited, wait)
			}
			gone, cancel := context.WithCancel(t.Context())
			cancel()
			if _, err := l.Acquire(gone, "B", 1, "busy"); !errors.Is(err, context.Canceled) {
				t.Errorf("a caller who is gone: %v", err)
			}
			served := make(chan time.Time)
			for _, ctx := range []context.Context{t.Context(), UnderWay(ForCaller(t.Context()))} {
				go func() {
					leave, err := l.Acquire(ctx, "B", 1, "busy")
					if err != nil {
						t.Error(err)
					}
					served <- time.Now()
					leave()
				}()
			}
			<-time.After(time.Hour)
			leave()
			leave()
			for range 2 {
				if at := <-served; at.Sub(began) < time.Hour {
					t.Errorf("work without a caller was served after %v", at.Sub(began))
				}
			}
			synctest.Wait()
			if used, _ := l.Holds(); used != 0 || l.Waits() != 0 {
				t.Errorf("%d used, %d wait", used, l.Waits())
			}
		})
	}
}

func TestWhateverCallersDoNothingIsLostAndNeverMoreIsGivenThanThereIs(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	for round := range uint64(30) {
		random := rand.New(rand.NewPCG(seed, round))
		synctest.Test(t, func(t *testing.T) {
			size := int64(1 + random.IntN(20))
			l := []*Line[int]{NewPlaces[int](size, ToRead), NewRoom[int](size*16, ToRead),
				NewShares[int](size, ToRead)}[random.IntN(3)]
			var all sync.WaitGroup
			for range 400 {
				who, n := random.IntN(5), 1+random.Int64N(size)
				arrives, holds, gone := within(random, 2*time.Second), within(random, 50*time.Millisecond),
					within(random, 3*time.Second)
				caller := random.IntN(4) > 0
				all.Go(func() {
					<-time.After(arrives)
					ctx, cancel := context.WithTimeout(t.Context(), gone)
					defer cancel()
					if caller {
						ctx = ForCaller(ctx)
					}
					leave, err := l.Acquire(ctx, who, n, "busy")
					if err != nil {
						return
					}
					l.mu.Lock()
					if l.used > l.size || l.held[who] > max(l.each, l.little) {
						t.Errorf("%d of %d are used, %d by one that may have %d", l.used, l.size, l.held[who], l.each)
					}
					l.mu.Unlock()
					<-time.After(holds)
					leave()
				})
			}
			all.Wait()
			if used, holders := l.Holds(); used != 0 || holders != 0 || l.Waits() != 0 || l.callers != 0 {
				t.Errorf("at the end %d are held by %d, %d wait (%d callers)", used, holders, l.Waits(), l.callers)
			}
		})
	}
}

// load is what organizations ask of a server in a simulation.
type load struct {
	places int
	wait   time.Duration
	each   time.Duration // how long a turn takes
}

// outcome is what callers of an organization saw.
type outcome struct {
	took    []time.Duration // of those who were answered, sorted
	refused int
	slowest time.Duration // refusal
}

func (o *outcome) percentile(p float64) time.Duration {
	if len(o.took) == 0 {
		return 0
	}
	return o.took[int(p*float64(len(o.took)-1))]
}

// run has each organization send requests at its rate a second for so long, whether
// they are answered or not, and tells what became of those sent after the first two
// seconds.
func (s load) run(t *testing.T, seconds int, rates map[string]int) map[string]*outcome {
	outcomes := map[string]*outcome{}
	synctest.Test(t, func(t *testing.T) {
		l := NewPlaces[string](int64(s.places), s.wait)
		var mu sync.Mutex
		var all sync.WaitGroup
		for who, rate := range rates {
			o := new(outcome)
			outcomes[who] = o
			all.Go(func() {
				start := time.Now()
				for i := range rate * seconds {
					due := start.Add(time.Duration(i) * time.Second / time.Duration(rate))
					<-time.After(time.Until(due))
					all.Go(func() {
						leave, err := l.Acquire(ForCaller(t.Context()), who, 1, "busy")
						if err == nil {
							<-time.After(s.each)
							leave()
						}
						mu.Lock()
						defer mu.Unlock()
						switch took := time.Since(due); {
						case due.Sub(start) < 2*time.Second:
						case err != nil:
							o.refused++
							o.slowest = max(o.slowest, took)
						default:
							o.took = append(o.took, took)
						}
					})
				}
			})
		}
		all.Wait()
	})
	for _, o := range outcomes {
		slices.Sort(o.took)
	}
	return outcomes
}

func TestAtFiveTimesItsCapacityALineServesAllThatItCanInTimeAndRefusesTheRest(t *testing.T) {
	const seconds = 10
	for what, c := range map[string]struct {
		load
		within time.Duration
	}{
		"reads":       {load{3, ToRead, 10 * time.Millisecond}, time.Second},
		"slow reads":  {load{3, ToRead, 60 * time.Millisecond}, time.Second},
		"writes":      {load{1, ToWrite, 4 * time.Millisecond}, 5 * time.Second},
		"slow writes": {load{1, ToWrite, 50 * time.Millisecond}, 5 * time.Second},
	} {
		t.Run(what, func(t *testing.T) {
			capacity := int(time.Duration(c.places) * time.Second / c.each)
			got := c.run(t, seconds, map[string]int{"A": 5 * capacity})["A"]
			share := float64(len(got.took)) / float64(capacity*(seconds-2))
			t.Logf("%d a second of %d: %d answered (%.0f %% of capacity), p50 %v, p99 %v, most %v; %d refused "+
				"within %v", 5*capacity, capacity,
				len(got.took), 100*share, got.percentile(0.5), got.percentile(0.99), got.percentile(1), got.refused,
				got.slowest)
			if share < 0.9 || got.percentile(0.99) > c.within || got.slowest > c.wait {
				t.Error("less than 90 % of the capacity is served, or too late")
			}
		})
	}
}

func TestAnOrganizationThatFloodsTheServerMakesOnlyItsOwnCallsWait(t *testing.T) {
	s := load{3, ToRead, 10 * time.Millisecond} // 300 a second
	alone := s.run(t, 10, map[string]int{"quiet": 20})["quiet"]
	beside := s.run(t, 10, map[string]int{"quiet": 20, "flood": 1500})
	quiet, flood := beside["quiet"], beside["flood"]
	t.Logf("20 a second: p99 %v alone, %v beside 1500 a second of another, of which %d of %d are refused; of the "+
		"quiet one %d", alone.percentile(0.99),
		quiet.percentile(0.99), flood.refused, flood.refused+len(flood.took), quiet.refused)
	if quiet.refused > 0 || quiet.percentile(1) > alone.percentile(1)+s.each {
		t.Error("the quiet organization waits for more than one turn of the other, or is refused")
	}
	if flood.refused == 0 || len(flood.took) < 8*250 {
		t.Error("the other is not served with what is left")
	}
}

func TestAfterAFloodALineIsAsBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewPlaces[string](1, ToRead)
		ctx := ForCaller(t.Context())
		hold, err := l.Acquire(ctx, "A", 1, "busy")
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		var refused atomic.Int64
		for range 500 {
			all.Go(func() {
				if leave, err := l.Acquire(ctx, "A", 1, "busy"); err == nil {
					leave()
				} else {
					refused.Add(1)
				}
			})
			<-time.After(10 * time.Millisecond)
		}
		hold()
		all.Wait()
		if refused.Load() < 400 {
			t.Errorf("while nobody is served only %d of 500 are refused", refused.Load())
		}
		<-time.After(paceLife + time.Millisecond)
		hold, err = l.Acquire(ctx, "A", 1, "busy")
		if err != nil {
			t.Fatal(err)
		}
		for range 500 { // a burst that is served at once
			all.Go(func() {
				leave, err := l.Acquire(ctx, "A", 1, "busy")
				if err != nil {
					t.Errorf("after the flood: %v", err)
					return
				}
				leave()
			})
		}
		synctest.Wait()
		hold()
		all.Wait()
	})
}

// within gives a duration below d.
func within(random *rand.Rand, d time.Duration) time.Duration {
	return time.Duration(random.Int64N(int64(d)))
}
