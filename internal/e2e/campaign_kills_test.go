//go:build campaign

package e2e

import (
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// TestCampaignServersDieInPairsAndTriples kills a server under writes and an import, and then
// one or two of those that follow it, at once, when they listen, or when they are ready. In the
// end everything that was acknowledged is there.
func TestCampaignServersDieInPairsAndTriples(t *testing.T) {
	for engine, kills := range map[apptest.Engine]int{apptest.SQLite: 10_000, apptest.PostgreSQL: 2_000} {
		t.Run(string(engine), func(t *testing.T) {
			place := engine.Place(t)
			m := machineAt(t, place)
			run := newTrial(t, m)
			deaths := 0
			for deaths < rounds(t, kills) {
				s := m.serve()
				run.inspect(s)
				if t.Failed() {
					t.Fatalf("after %d deaths", deaths)
				}
				importer := run.importing()
				stop := run.begin(s, false)
				run.amidst()
				if run.chance.IntN(2) == 0 {
					importer.kill()
				}
				s.kill()
				deaths++
				for range run.chance.IntN(3) {
					dieEarly(m, run.chance.IntN(3))
					deaths++
				}
				stop()
				importer.wait(false)
				if engine == apptest.PostgreSQL {
					awaitBackends(t, place["database-url"])
				}
			}
			run.inspect(m.serve())
			run.report(0)
			t.Logf("%d deaths", deaths)
		})
	}
}

// dieEarly starts a server and kills it at one of three moments of its start.
func dieEarly(m *machine, moment int) {
	m.t.Helper()
	s, ready := m.begin(m.onStore("serve", "--listen", "127.0.0.1:0"))
	switch moment {
	case 1:
		testkit.Until(m.t, "the server listens", func() bool { return s.logged(`"listening"`) > 0 })
	case 2:
		<-ready
	}
	s.kill()
}

// TestCampaignDaysUnderKills lives day after day while the server dies one to three times in
// each, in a folder and in a bucket.
func TestCampaignDaysUnderKills(t *testing.T) {
	for _, where := range storages {
		t.Run(where.name, func(t *testing.T) {
			m, left := where.setUp(t)
			j := begun(t, m)
			kept := residents(t, j.client)
			deaths, silent := 0, int64(0)
			for number := range rounds(t, 1_000) {
				d := &day{t: t, client: j.server.client(j.secret), number: number, mortal: true}
				over := make(chan struct{})
				go func() {
					defer close(over)
					d.live()
				}()
				for range 1 + j.chance.IntN(3) {
					deaths += j.within(over)
				}
				testkit.Receive(t, over, "the day is over")
				noneLeft(t, left)
				kept.inspect(j.client)
				if t.Failed() {
					t.Fatalf("on day %d, after %d deaths\n%s", number, deaths, tail(j.server.logs()))
				}
				silent += d.silent.Load()
			}
			t.Logf("%d deaths, %d calls without an answer, nothing lost, nothing left behind", deaths, silent)
		})
	}
}

// within kills the server at a moment of the day, if it comes before the day is over, and starts
// another one in its place; it gives how many have died.
func (j *journey) within(over <-chan struct{}) int {
	j.Helper()
	select {
	case <-over:
		return 0
	case <-time.After(time.Duration(j.chance.Int64N(int64(700 * time.Millisecond)))):
		j.server.kill()
		j.start()
		return 1
	}
}
