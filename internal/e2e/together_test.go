package e2e

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// TestARevocationCountsOnEveryServer revokes at one of two servers, and from the
// command line, what the other has just let in.
func TestARevocationCountsOnEveryServer(t *testing.T) {
	testkit.Long(t)
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		m := newMachine(t, e)
		org := m.organization()
		_, admin := m.token(org)
		a, b := m.serve(), m.serve()
		for name, revoke := range map[string]func(id string) error{
			"at the other server": func(id string) error {
				_, err := a.client(admin).RevokeToken(t.Context(), id)
				return err
			},
			"from the command line": func(id string) error {
				var revoked struct{ ID string }
				m.run(&revoked, "token", "revoke", id)
				return nil
			},
			"by a rotation": func(id string) error {
				_, err := a.client(admin).RotateToken(t.Context(), id)
				return err
			},
		} {
			id, secret := m.token(org)
			c := b.client(secret)
			for range 3 { // so that the server remembers it
				if _, err := c.ListCaptures(t.Context(), client.CaptureFilter{}); err != nil {
					t.Fatalf("%s, before: %v", name, err)
				}
			}
			if err := revoke(id); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			begun := time.Now()
			refused := func() bool {
				_, err := c.ListCaptures(t.Context(), client.CaptureFilter{})
				return status(err) == http.StatusUnauthorized
			}
			// If both look at the same file it is the very next request. A server on
			// PostgreSQL remembers for less than a second of its clock.
			if e == apptest.PostgreSQL {
				testkit.Until(t, name+" the token is refused", refused)
			} else if !refused() {
				t.Errorf("%s the token is not refused at once", name)
			}
			t.Logf("%s it was refused after %v", name, time.Since(begun).Round(time.Millisecond))
		}
	})
}

// TestTwoServersOnOneStoreShowTheSameExactLists lets two servers write, and the
// command line import, and holds the lists of both against what was promised,
// while they write and afterwards.
// readerStep is the time between two looks of a reader.
const readerStep = time.Millisecond

func TestTwoServersOnOneStoreShowTheSameExactLists(t *testing.T) {
	testkit.Long(t)
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		m := newMachine(t, e)
		run := newTrial(t, m)
		servers := []*server{m.serve(), m.serve()}
		for _, w := range run.writers {
			w.most = 60 // so that the import, and not the writers, takes the time
		}
		for round := range 4 {
			ctx, stop := context.WithCancel(t.Context())
			enough := make(chan struct{})
			var all sync.WaitGroup
			for n, w := range run.writers {
				w.client = servers[n%2].client(run.secret)
				all.Go(func() { w.work(t.Context(), enough) })
			}
			// Readers see whole transactions only: of every batch all captures or none.
			for n, s := range servers {
				c, number := s.client(run.secret), 0
				all.Go(func() {
					for ctx.Err() == nil && !t.Failed() {
						<-time.After(readerStep)
						number++
						f := client.CaptureFilter{Activity: "crash",
							Status: string(capture.Statuses[number%len(capture.Statuses)]), Limit: 1}
						page, err := c.ListCaptures(t.Context(), f)
						if busy(err) {
							continue
						}
						if err != nil {
							t.Errorf("server %d: %v", n, err)
							return
						}
						if page.TotalCount%(batchLines-1) != 0 {
							t.Errorf("server %d counts %d captures of status %s, which is half a batch",
								n, page.TotalCount, f.Status)
						}
					}
				})
			}
			run.importing().wait(true)
			close(enough)
			stop()
			all.Wait()
			// Everything is acknowledged, so both must show all of it at once.
			for n, s := range servers {
				run.inspect(s)
				if t.Failed() {
					t.Fatalf("in round %d on server %d", round, n)
				}
			}
		}
		run.report(0)
	})
}

// TestWhatOneServerWritesTheOtherReadsAtOnce asks the second server right after
// the first one's answer, for everything that is remembered anywhere.
func TestWhatOneServerWritesTheOtherReadsAtOnce(t *testing.T) {
	testkit.Long(t)
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		m := newMachine(t, e)
		_, secret := m.token(m.organization())
		clients := []*client.Client{m.serve().client(secret), m.serve().client(secret)}
		for n := range 100 {
			writes, reads := clients[n%2], clients[1-n%2]
			name := fmt.Sprintf("Person %d", n)
			made, err := writes.CreateAthlete(t.Context(), client.AthleteFields{FirstName: &name})
			if err != nil {
				t.Fatal(err)
			}
			page, err := reads.ListAthletes(t.Context(), client.AthleteFilter{Limit: 1})
			if err != nil || page.TotalCount != 1 {
				t.Fatalf("after %d writes the other server lists %+v (%v), want 1 athlete", n, page, err)
			}
			if got, err := reads.Athlete(t.Context(), made.ID); err != nil || got.FirstName != name {
				t.Fatalf("the other server reads %+v (%v), want %s", got, err, name)
			}
			if _, err := reads.ListCaptures(t.Context(), client.CaptureFilter{AthleteID: made.ID}); err != nil {
				t.Fatalf("captures of a new athlete on the other server: %v", err)
			}
			if _, err := writes.DeleteAthlete(t.Context(), made.ID); err != nil {
				t.Fatal(err)
			}
			if _, err := reads.ListCaptures(t.Context(), client.CaptureFilter{AthleteID: made.ID}); status(err) !=
				http.StatusBadRequest {
				t.Fatalf("captures of a deleted athlete on the other server: %v", err)
			}
		}
	})
}
