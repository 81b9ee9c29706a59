package store

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

func TestNoMoreCapturesAreReservedAtTheSameTimeThanTheQuotaAllows(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		second := p.open()
		for name, before := range map[string]int{"an organization that has none": 0,
			"one whose captures were counted": 7} {
			sc, free := tenant(t, s, name), tenant(t, s, "without a quota")
			org := sc.Organization
			var mine []string
			for range before {
				mine = append(mine, reserve(t, s, sc, organization.NewUUID()).Capture.SessionID)
			}
			must(t, s.fold(t.Context(), org, nil))
			for range min(before, 3) { // these are not folded yet
				mine = append(mine, reserve(t, s, sc, organization.NewUUID()).Capture.SessionID)
			}
			quota := int64(len(mine) + 10)
			must(t, s.SetQuota(t.Context(), sc.Organization, organization.Quota{Captures: &quota}))
			var accepted, deleted, others atomic.Int64
			var wait sync.WaitGroup
			for i := range 120 {
				at := []*Store{s, second}[i%2]
				wait.Go(func() {
					switch _, err := at.Reserve(context.Background(), sc, reservation(organization.NewUUID()), nil); {
					case err == nil:
						accepted.Add(1)
					case !fault.Is(err, fault.Conflict):
						t.Error(err)
					}
				})
				if i%4 == 0 {
					wait.Go(func() {
						if _, err := at.Reserve(context.Background(), free, reservation(organization.NewUUID()),
							nil); err != nil {
							t.Error(err)
						}
						others.Add(1)
					})
				}
				if i%30 == 0 {
					wait.Go(func() {
						if err := at.fold(context.Background(), org, nil); err != nil {
							t.Error(err)
						}
					})
				}
				if i%10 == 5 && i/10 < len(mine) {
					wait.Go(func() {
						if err := at.DeleteCapture(context.Background(), sc, mine[i/10],
							func(string) error { return nil }); err != nil {
							t.Error(err)
						}
						deleted.Add(1)
					})
				}
			}
			wait.Wait()
			for range deleted.Load() { // those that were refused before room was made
				if _, err := s.Reserve(t.Context(), sc, reservation(organization.NewUUID()), nil); err == nil {
					accepted.Add(1)
				}
			}
			_, err := second.Reserve(t.Context(), sc, reservation(organization.NewUUID()), nil)
			refused(t, err, fault.Conflict, "Delete captures to make room")
			if want := 10 + deleted.Load(); accepted.Load() != want {
				t.Errorf("%s: %d reservations were accepted, and there was room for %d", name, accepted.Load(), want)
			}
			if n := listed(t, s, sc, capture.Query{}).Total; n != quota {
				t.Errorf("%s: there are %d captures, and %d are allowed", name, n, quota)
			}
			if n := listed(t, s, free, capture.Query{}).Total; n != others.Load() {
				t.Errorf("the other organization has %d captures", n)
			}
		}
	})
}

func TestAReservationThatFilledTheQuotaIsAnsweredAgainWhenItIsRepeated(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc, quota := tenant(t, s, "A"), int64(1)
		must(t, s.SetQuota(t.Context(), sc.Organization, organization.Quota{Captures: &quota}))
		_, err := s.Reserve(t.Context(), sc, reservation(organization.NewUUID()),
			once[upload.Reservation]("key", "body", "answer"))
		must(t, err)
		again := once[upload.Reservation]("key", "body", "another answer")
		_, err = s.Reserve(t.Context(), sc, reservation(organization.NewUUID()), again)
		must(t, err)
		if string(again.Replay) != "answer" {
			t.Errorf("replayed %q", again.Replay)
		}
		_, err = s.Reserve(t.Context(), sc, reservation(organization.NewUUID()),
			once[upload.Reservation]("other key", "body", "answer"))
		refused(t, err, fault.Conflict, "may have 1")
	})
}
