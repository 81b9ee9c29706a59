//go:build campaign

package e2e

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kinebase/kinebase/client"
)

// TestCampaignEachOfThreeServersIsFrozenForTwoMinutes is the long form of what the suite does: the leases of a frozen
// server end while it sleeps, and it finds its work with others when it wakes.
func TestCampaignEachOfThreeServersIsFrozenForTwoMinutes(t *testing.T) {
	for range rounds(t, 5) {
		newFleet(t).live(2 * time.Minute)
	}
}

// ticks is the processor time of a process and of its children that have ended, in hundredths of a second.
func ticks(t *testing.T, pid int) (own, children int, parent int) {
	t.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0, 0 // it has ended
	}
	fields := strings.Fields(string(raw[strings.LastIndexByte(string(raw), ')')+1:]))
	n := func(i int) int { v, _ := strconv.Atoi(fields[i]); return v }
	return n(11) + n(12), n(13) + n(14), n(1)
}

// processorTime is what the servers have taken so far, and what PostgreSQL has.
func (f *fleet) processorTime(conn *pgx.Conn) (servers, database time.Duration) {
	f.Helper()
	sum := 0
	for _, s := range f.servers {
		own, children, _ := ticks(f.T, s.cmd.Process.Pid)
		sum += own + children
	}
	var backend int
	if err := conn.QueryRow(f.Context(), `SELECT pg_backend_pid()`).Scan(&backend); err != nil {
		f.Fatal(err)
	}
	_, _, postmaster := ticks(f.T, backend)
	own, children, _ := ticks(f.T, postmaster)
	all := own + children
	processes, _ := filepath.Glob("/proc/[0-9]*")
	for _, p := range processes {
		pid, _ := strconv.Atoi(filepath.Base(p))
		if own, children, parent := ticks(f.T, pid); parent == postmaster {
			all += own + children
		}
	}
	return time.Duration(sum) * 10 * time.Millisecond, time.Duration(all) * 10 * time.Millisecond
}

// TestCampaignThreeServersTakeAsMuchForARequestAsOne measures the processor time of a request, of the servers and of
// PostgreSQL, when one server has all of them and when three share them.
func TestCampaignThreeServersTakeAsMuchForARequestAsOne(t *testing.T) {
	f := newFleet(t)
	conn, err := pgx.Connect(t.Context(), f.database)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	clients := make([]*client.Client, len(f.servers))
	for n, s := range f.servers {
		clients[n] = s.client(f.secret)
	}
	l := newLoad(t, clients[0])
	requests := int(30_000 * share(t))
	kinds := []struct {
		name string
		call func(c *client.Client) error
	}{
		{"reads of an athlete", func(c *client.Client) error {
			_, err := c.Athlete(t.Context(), l.ids[rand.IntN(len(l.ids))])
			return err
		}},
		{"pages of athletes", func(c *client.Client) error {
			_, err := c.ListAthletes(t.Context(), client.AthleteFilter{Limit: 20, Offset: int64(rand.IntN(100))})
			return err
		}},
		{"new athletes", func(c *client.Client) error {
			_, err := c.CreateAthlete(t.Context(), client.AthleteFields{FirstName: ptr("Under load")})
			return err
		}},
	}
	took := map[string][2]time.Duration{}
	for round := range 3 { // the first one fills caches
		for _, k := range kinds {
			for i, among := range []int{1, 3} {
				ours, theirs := f.processorTime(conn)
				var all sync.WaitGroup
				const callers = 6
				for caller := range callers {
					all.Go(func() {
						for range requests / callers {
							if err := k.call(clients[caller%among]); err != nil && !busy(err) {
								t.Errorf("%s: %v", k.name, err)
							}
						}
					})
				}
				all.Wait()
				after, database := f.processorTime(conn)
				one, two := (after-ours)/time.Duration(requests), (database-theirs)/time.Duration(requests)
				t.Logf("round %d, %d servers, %s: %v of the servers and %v of PostgreSQL for each of %d", round, among,
					k.name, one.Round(time.Microsecond), two.Round(time.Microsecond), requests)
				if pair := took[k.name]; round > 0 {
					pair[i] += one + two
					took[k.name] = pair
				}
			}
		}
	}
	for name, pair := range took {
		if pair[1] > 2*pair[0] {
			t.Errorf("%s take %v at one server and %v at three", name, pair[0]/2, pair[1]/2)
		}
	}
}
