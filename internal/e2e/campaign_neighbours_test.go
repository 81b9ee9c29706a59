//go:build campaign

package e2e

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/motion/c3d/c3dtest"
)

// normalWithin is how soon all must work again after a neighbour is back.
const normalWithin = time.Minute

// whole does once what a laboratory does: an athlete, a file that is read, an export; false while something is refused.
func (f *fleet) whole(c *client.Client, n int) bool {
	key := func(what string) client.CallOption { return client.IdempotencyKey(fmt.Sprintf("%s whole %d", what, n)) }
	a, err := c.CreateAthlete(f.Context(), client.AthleteFields{FirstName: ptr("Whole")}, key("athlete"))
	if err != nil {
		return false
	}
	r, err := c.Reserve(f.Context(), client.NewCapture{FileName: "walk.c3d", AthleteIDs: []string{a.ID}},
		key("file"))
	if err != nil {
		return false
	}
	file := c3dtest.File(c3dtest.Options{Points: c3dtest.Many("P", 2), Frames: fleetFrames})
	if c.Upload(f.Context(), r, bytes.NewReader(file)) != nil {
		return false
	}
	for {
		one, err := c.Capture(f.Context(), r.SessionID)
		if err != nil || one.Status == "error" {
			return false
		}
		if one.Status == "completed" {
			break
		}
		<-time.After(fleetStep)
	}
	job, err := c.CreateExport(f.Context(), client.NewExport{}, key("export"))
	for err == nil && job.Status == client.JobRunning {
		<-time.After(fleetStep)
		job, err = c.ExportJob(f.Context(), job.ID)
	}
	return err == nil && job.Status == client.JobCompleted
}

// TestCampaignANeighbourIsGoneSlowOrHalfOpen has Redis, the bucket and the database of three busy servers be away, each
// in each way. What is refused is refused with 503, nothing that was acknowledged is lost or half done, and within
// a minute after the end of it everything works again. Without Redis nothing is refused.
func TestCampaignANeighbourIsGoneSlowOrHalfOpen(t *testing.T) {
	place := apptest.PostgreSQL.Place(t)
	database := place["database-url"]
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	behind := relayed(t, "unix", filepath.Join(t.TempDir(), ".s.PGSQL.5432"),
		filepath.Join(query.Get("host"), ".s.PGSQL.5432"))
	query.Set("host", filepath.Dir(behind.address()))
	u.RawQuery = query.Encode()
	place["database-url"] = u.String()
	redis := relayed(t, "unix", filepath.Join(t.TempDir(), "redis.sock"),
		strings.TrimPrefix(testkit.Redis(t).Addr, "unix://"))
	b := testkit.Bucket(t)
	bucket := relayed(t, "tcp", "127.0.0.1:0", strings.TrimPrefix(b.Endpoint, "http://"))
	b.Endpoint = "http://" + bucket.address()

	f := fleetAt(t, place, b, "unix://"+redis.address(), "")
	f.database = database
	// Callers come by connections of their own each time, and send files straight into the bucket.
	f.by = &http.Client{Timeout: 40 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	f.load()
	f.progress("with all neighbours")
	held := max(15*time.Second, time.Duration(share(t)*float64(2*time.Minute)))
	number := 0
	_, secret := f.token(f.organization()) // of another organization, whose things nobody counts
	probe := f.as(secret)
	for range rounds(t, 3) {
		for _, n := range []struct {
			name string
			*relay
			needed bool
		}{{"Redis", redis, false}, {"the bucket", bucket, true}, {"the database", behind, true}} {
			for how, name := range map[way]string{gone: "gone", late: "slow", halfOpen: "half open"} {
				f.mortal.Store(n.needed)
				f.progress("before") // so that every caller knows
				lost, refused, written := f.lost.Load(), f.refused.Load(), f.acknowledged.Load()
				n.set(how)
				<-time.After(held)
				n.set(well)
				back := time.Now()
				testkit.Until(t, "everything works again", func() bool {
					number++
					return t.Failed() || f.whole(probe, number)
				})
				took := time.Since(back)
				if took > normalWithin {
					t.Errorf("%s was %s for %v; everything works again after %v", n.name, name, held, took)
				}
				f.progress("after it is back")
				f.mortal.Store(false)
				t.Logf("%s was %s for %v: works again after %v, %d writes meanwhile, %d refused, %d without an answer",
					n.name, name, held, took.Round(time.Millisecond), f.acknowledged.Load()-written,
					f.refused.Load()-refused, f.lost.Load()-lost)
			}
		}
	}
	f.settle()
	f.inspect()
}
