//go:build campaign

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// load is what callers of one organization ask for: of ten calls six read an athlete, three
// list some, and one creates another.
type load struct {
	t      *testing.T
	client *client.Client
	ids    []string

	lock    sync.Mutex
	took    []time.Duration // of calls that succeeded
	made    int
	refused map[int]int // by status
}

func newLoad(t *testing.T, c *client.Client) *load {
	t.Helper()
	l := &load{t: t, client: c, refused: map[int]int{}}
	for n := range 200 {
		a, err := c.CreateAthlete(t.Context(), client.AthleteFields{FirstName: ptr(fmt.Sprintf("Kim %d", n))})
		if err != nil {
			t.Fatal(err)
		}
		l.ids = append(l.ids, a.ID)
	}
	return l
}

// call makes one call and notes how long it took.
func (l *load) call(ctx context.Context) {
	begun := time.Now()
	var err error
	made := 0
	switch n := rand.IntN(10); {
	case n < 6:
		_, err = l.client.Athlete(ctx, l.ids[rand.IntN(len(l.ids))])
	case n < 9:
		_, err = l.client.ListAthletes(ctx, client.AthleteFilter{Limit: 20, Offset: int64(rand.IntN(100))})
	default:
		_, err = l.client.CreateAthlete(ctx, client.AthleteFields{FirstName: ptr("Under load")})
		made = 1
	}
	took := time.Since(begun)
	if ctx.Err() != nil {
		return // cut off by the end of the measurement
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	if err == nil {
		l.took, l.made = append(l.took, took), l.made+made
		return
	}
	code := status(err)
	l.refused[code]++
	if code != 503 && code != 429 {
		l.t.Errorf("under load: %v", err)
	}
}

// closed has so many callers ask one thing after the other, and gives the successes a second.
func (l *load) closed(callers int, lasting time.Duration) float64 {
	ctx, stop := context.WithTimeout(l.t.Context(), lasting)
	defer stop()
	before := len(l.took)
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			for ctx.Err() == nil {
				l.call(ctx)
			}
		})
	}
	all.Wait()
	return float64(len(l.took)-before) / lasting.Seconds()
}

// open has callers ask so many things a second, whether or not those before were answered.
func (l *load) open(rate float64, lasting time.Duration) {
	var all sync.WaitGroup
	defer all.Wait()
	tick := time.NewTicker(time.Duration(float64(time.Second) / rate))
	defer tick.Stop()
	for end := time.After(lasting); ; {
		select {
		case <-tick.C:
			all.Go(func() { l.call(l.t.Context()) })
		case <-end:
			return
		}
	}
}

// worst gives the time that a share of the calls stayed below, and forgets all times.
func (l *load) worst(of float64) time.Duration {
	l.t.Helper()
	if len(l.took) == 0 {
		l.t.Fatal("no call succeeded")
	}
	slices.Sort(l.took)
	worst := l.took[min(len(l.took)-1, int(of*float64(len(l.took))))]
	l.took = nil
	return worst
}

// resident is how much memory the server has, in MiB.
func (s *server) resident() int {
	s.t.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		s.t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(raw, []byte("VmRSS:"))
	kilobytes, err := strconv.Atoi(string(bytes.Fields(rest)[0]))
	if err != nil {
		s.t.Fatal(err)
	}
	return kilobytes >> 10
}

// TestCampaignHalfAnHourAtFourFifthsOfCapacity finds out how much a server answers, and asks four
// fifths of it for half an hour. Nothing is refused, nothing lost, and memory stays.
func TestCampaignHalfAnHourAtFourFifthsOfCapacity(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		m := newMachine(t, e)
		_, secret := m.token(m.organization())
		s := m.serve()
		l := newLoad(t, s.client(secret))
		capacity := l.closed(16, 10*time.Second)
		l.worst(0.99)
		l.refused = map[int]int{}
		lasting := time.Duration(float64(30*time.Minute) * share(t))
		l.open(0.8*capacity, lasting/2)
		halfway := s.resident()
		l.open(0.8*capacity, lasting/2)
		answered := len(l.took)
		t.Logf("capacity %.0f a second; %d answered in %v, refused %v, 99 of 100 within %v, memory %d MiB halfway "+
			"and %d at the end",
			capacity, answered, lasting, l.refused, l.worst(0.99).Round(time.Millisecond), halfway, s.resident())
		if len(l.refused) > 0 {
			t.Errorf("below its capacity the server refused %v", l.refused)
		}
		s.kill()
		page, err := m.serve().client(secret).ListAthletes(t.Context(), client.AthleteFilter{Limit: 1})
		if want := int64(len(l.ids) + l.made); err != nil || page.TotalCount != want {
			t.Errorf("after a kill there are %+v (%v), want %d athletes", page, err, want)
		}
	})
}

// TestCampaignANoisyNeighbourCostsOthersLittle holds the waits of one organization alone against
// those beside another that asks as much as it can, within the limits that a server has unless
// it is told otherwise.
func TestCampaignANoisyNeighbourCostsOthersLittle(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		m := newMachine(t, e)
		_, quiet := m.token(m.organization())
		_, noisy := m.token(m.organization())
		s := m.serve()
		l, n := newLoad(t, s.client(quiet)), newLoad(t, s.client(noisy))
		s.kill()
		m.env = slices.DeleteFunc(m.env, func(setting string) bool {
			return setting == "KINEBASE_RATE_LIMIT=off" || setting == "KINEBASE_RATE_LIMIT_ORG=off"
		})
		s = m.serve()
		l.client, n.client = s.client(quiet), s.client(noisy)
		const calls = 8 // a second: below the limit
		lasting := time.Duration(float64(4*time.Minute) * share(t))
		l.open(calls, lasting)
		alone := l.worst(0.99)
		ctx, stop := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for range 64 {
			all.Go(func() {
				for ctx.Err() == nil {
					n.call(ctx)
				}
			})
		}
		l.open(calls, lasting)
		stop()
		all.Wait()
		beside := l.worst(0.99)
		t.Logf("99 of 100 calls within %v alone and %v beside a neighbour with %d answers and refusals %v", alone,
			beside, len(n.took), n.refused)
		if len(l.refused) > 0 {
			t.Errorf("the quiet organization was refused %v", l.refused)
		}
		if float64(beside) > 1.2*float64(alone) {
			t.Errorf("the neighbour cost %.1f times", float64(beside)/float64(alone))
		}
	})
}
