//go:build campaign

package e2e

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// fault is a way in which the Nth call to a neighbour fails.
type fault struct {
	name   string
	arm    func(n int)                // has the Nth call from now on fail; 0 for none
	counts func() (calls, failed int) // since
}

// faultWays runs a day for each N, until a day has fewer calls than N. After each one all is
// as it was before, and no file is left.
func faultWays(t *testing.T, m *machine, left func() []string, faults []fault) {
	_, secret := m.token(m.organization())
	s := m.serve()
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(tail(s.troubles()))
		}
	})
	number, days, chance := 0, 0, seeded(t)
	var refused int64
	kept := residents(t, s.client(secret))
	for _, f := range faults {
		step, reached := 1, 0
		for n, done := 0, false; !done; n += step {
			number++
			d := &day{t: t, client: s.client(secret), number: number}
			f.arm(n)
			d.live()
			calls, hit := f.counts()
			f.arm(0) // what has not failed by now must not fail a restart
			noneLeft(t, left)
			kept.inspect(s.client(secret))
			if t.Failed() {
				t.Fatalf("%s: call %d, on day %d", f.name, n, number)
			}
			if days++; days%100 == 0 { // a restart reads what was really kept
				s.kill()
				s = m.serve()
			}
			refused += d.refused.Load()
			switch {
			case n == 0: // nothing has failed, which tells how many calls there are
				step = max(1, calls/rounds(t, calls))
				n = -chance.IntN(step)
			case hit == 0:
				done = true
			default:
				reached = n
			}
		}
		t.Logf("%s: one call in %d, up to the %dth", f.name, step, reached)
	}
	s.kill()
	kept.inspect(m.serve().client(secret))
	t.Logf("%d days, %d refusals, nothing lost, nothing left behind", days, refused)
}

// stayers are people who are there before anything fails, and must stay as they are.
type stayers struct {
	t   *testing.T
	ids []string
}

func residents(t *testing.T, c *client.Client) *stayers {
	t.Helper()
	s := &stayers{t: t}
	for n := range 5 {
		a, err := c.CreateAthlete(t.Context(), bulky(n))
		if err != nil {
			t.Fatal(err)
		}
		s.ids = append(s.ids, a.ID)
	}
	return s
}

func (s *stayers) inspect(c *client.Client) {
	s.t.Helper()
	var found []string
	for a, err := range c.Athletes(s.t.Context(), client.AthleteFilter{}) {
		if err != nil {
			s.t.Fatal(err)
		}
		found = append(found, a.ID)
	}
	slices.Sort(found)
	want := slices.Sorted(slices.Values(s.ids))
	if !slices.Equal(found, want) {
		s.t.Errorf("the athletes are %v, want %v", found, want)
	}
}

// TestCampaignEachCallToADiskFailsOnce keeps all of a server on a disk whose Nth write, flush
// or change of a name fails.
func TestCampaignEachCallToADiskFailsOnce(t *testing.T) {
	disk := mountFaulty(t)
	data := filepath.Join(disk.dir, "data")
	m := machineAt(t, map[string]string{"data": data})
	m.home = disk.dir // temporary files too
	on := func(name string, times int, errno string) fault {
		return fault{name, func(n int) { disk.fail(n, times, errno) }, disk.counts}
	}
	faultWays(t, m, func() []string { return filesBelow(t, filepath.Join(data, "files")) }, []fault{
		on("a call that the disk could not do", 1, "EIO"),
		on("a call for which there was no room", 1, "ENOSPC"),
		on("twenty calls in a row that the disk could not do", 20, "EIO"),
	})
}

// TestCampaignEachCallToADatabaseOrABucketFailsOnce cuts the connection to PostgreSQL at the Nth
// question, and fails the Nth request to a bucket, before and after each was done. The queue is
// in the database.
func TestCampaignEachCallToADatabaseOrABucketFailsOnce(t *testing.T) {
	b := testkit.Bucket(t)
	behind := b
	place := apptest.PostgreSQL.Place(t)
	through, questions := between(t, place["database-url"])
	endpoint, requests := gatewayTo(t, b.Endpoint)
	m := machineAt(t, map[string]string{"database-url": through})
	b.Endpoint = endpoint
	m.env = append(m.env, inBucket(b)...)
	faultWays(t, m, func() []string { return objectsIn(t, behind) }, []fault{
		{"a question that did not arrive", func(n int) { questions.arm(n, false) }, questions.counts},
		{"a question whose answer was lost", func(n int) { questions.arm(n, true) }, questions.counts},
		{"a request to the bucket that failed", func(n int) { requests.arm(n, false) }, requests.counts},
		{"a request to the bucket whose answer was lost", func(n int) { requests.arm(n, true) }, requests.counts},
	})
}
