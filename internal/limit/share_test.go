package limit

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// aShare is a share on a clock that the test drives, of one of some servers.
func aShare(servers int) (s *share, clock *time.Duration) {
	clock = new(time.Duration)
	s = newShare(func() time.Duration { return *clock })
	s.state(state{now: 1_800_000_000_000_000, servers: servers, known: true, joined: true, complete: true})
	return s, clock
}

func TestAServerThatIsAwayNeverGivesMoreThanItsPartOfTheLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := Rate{PerSecond: rapid.IntRange(1, 2_000).Draw(t, "per second"),
			Burst: rapid.IntRange(1, 2_000).Draw(t, "burst")}
		servers := rapid.IntRange(1, 9).Draw(t, "servers")
		s, clock := aShare(servers)
		left := rapid.IntRange(0, rate.Burst).Draw(t, "left")
		*clock += time.Millisecond
		s.told("k", rate, answer{Result: Result{Remaining: left}}, 1)
		s.leave()
		left0, gave := *clock, 0
		for range rapid.IntRange(1, 50).Draw(t, "steps") {
			*clock += time.Duration(rapid.Int64Range(0, int64(2*time.Second)).Draw(t, "pause"))
			for range rapid.IntRange(0, 100).Draw(t, "calls") {
				if s.take("k", rate, 1).Allowed {
					gave++
				}
			}
			away := (*clock - left0).Seconds()
			if most := (float64(left) + away*float64(rate.PerSecond)) / float64(servers); float64(gave) > most+1e-6 {
				t.Fatalf("one of %d servers gave %d of a bucket %v with %d left in %v s, its part is %f", servers, gave,
					rate, left, away, most)
			}
		}
		if d := s.debts(false, false); gave > 0 && (len(d) != 1 || int(d[0].spent+0.5) != gave) {
			t.Fatalf("it gave %d, and settles %+v", gave, d)
		}
		if d := s.debts(false, false); len(d) != 0 {
			t.Fatalf("it settles twice: %+v", d)
		}
	})
}

func TestARefusedCallerOfAShareIsAllowedWhenItWasTold(t *testing.T) {
	for _, servers := range []int{1, 2, 7} {
		s, clock := aShare(servers)
		rate := Rate{PerSecond: 3, Burst: 4}
		s.leave()
		for range 20 {
			r := s.take("k", rate, 1)
			if r.Allowed {
				continue
			}
			*clock += r.RetryAfter - time.Millisecond
			if s.take("k", rate, 1).Allowed {
				t.Errorf("%d servers: allowed before the wait of %v was over", servers, r.RetryAfter)
			}
			*clock += time.Millisecond + time.Microsecond
			if !s.take("k", rate, 1).Allowed {
				t.Errorf("%d servers: refused after the wait of %v", servers, r.RetryAfter)
			}
		}
	}
}

func TestWhatIsNotSettledStaysOwed(t *testing.T) {
	s, clock := aShare(2)
	s.leave()
	*clock += time.Second
	for s.take("k", slow(100), 1).Allowed {
	}
	owed := s.debts(false, false)
	s.owe(owed)
	s.leave() // and away again, before anything was settled
	s.take("k", slow(100), 1)
	again := s.debts(false, false)
	if len(again) != 1 || again[0].spent < owed[0].spent || again[0].grown > owed[0].grown+1e-9 {
		t.Errorf("%+v could not be settled, and %+v is settled later", owed, again)
	}
}

func TestABucketOfWhichNothingIsKnownGivesNothingToAServerThatDoesNotKnowAllThatAreDrained(t *testing.T) {
	s, clock := aShare(2)
	s.state(state{now: 1_800_000_000_000_000, servers: 2, known: true, joined: true})
	s.leave()
	if s.take("k", slow(100), 1).Allowed {
		t.Error("it may be drained, and gives")
	}
	*clock += presence + 2*time.Second
	if !s.take("k", slow(100), 1).Allowed {
		t.Error("its part of the time gives nothing")
	}
}

func TestAServerBeginsItsOwnPartOfTheTimeWhenItIsNotHeardForSure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		servers := rapid.IntRange(1, 9).Draw(t, "servers")
		s, clock := aShare(servers)
		rate := Rate{PerSecond: 500, Burst: 1_000}
		*clock += time.Millisecond
		s.told("k", rate, answer{}, 1) // nothing is left
		heard := *clock
		for range rapid.IntRange(0, 3).Draw(t, "calls that ask to be heard") {
			*clock += time.Duration(rapid.IntRange(0, 300).Draw(t, "pause")) * time.Millisecond
			later := time.Duration(rapid.IntRange(0, 200).Draw(t, "until then")) * time.Millisecond
			heard = max(heard, *clock+later)
			s.end(later) // Redis may do it as late, and nobody hears of it
		}
		s.leave()
		left := *clock
		for *clock < heard+presence {
			if s.take("k", rate, 1).Allowed {
				t.Fatalf("it gives %v after it left, and may have been heard until %v after it", *clock-left,
					heard-left)
			}
			*clock += 10 * time.Millisecond
		}
		*clock += time.Second
		if !s.take("k", rate, 1).Allowed {
			t.Fatal("its part of the time gives nothing")
		}
	})
}

func TestAServersOwnPartOfTheTimeEndsWhenItAsksToBeHeardAgain(t *testing.T) {
	s, clock := aShare(2)
	rate := Rate{PerSecond: 500, Burst: 1_000}
	s.leave()
	*clock += 2 * presence
	for s.take("k", rate, 1).Allowed {
	}
	s.end(payTime)
	s.debts(false, true)
	*clock += payTime // the call takes as long
	s.joined()
	if s.take("k", rate, 1).Allowed {
		t.Error("what the pool gives as well is given")
	}
	if more := s.debts(false, false); len(more) != 0 {
		t.Errorf("it settles %+v", more)
	}
}

func TestTheOrderInWhichAnswersComeDoesNotChangeWhatIsKnownOfABucket(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, clock := aShare(1)
		rate := slow(100)
		var answers []answer
		for n := range rapid.IntRange(1, 9).Draw(t, "answers") {
			answers = append(answers,
				answer{Result: Result{Allowed: true, Remaining: 99 - n}, point: int64(1+n) * 1_000_000})
		}
		last := answers[len(answers)-1]
		*clock += time.Millisecond
		for _, a := range rapid.Permutation(answers).Draw(t, "in order") {
			s.told("k", rate, a, 1)
		}
		if all := s.debts(true, false); len(all) != 1 || all[0].point != last.point {
			t.Fatalf("it remembers %+v, and was told %+v", all, last)
		}
		s.leave()
		if r := s.take("k", rate, 1); r.Remaining != last.Remaining-1 {
			t.Fatalf("after a request %d are left of %d", r.Remaining, last.Remaining)
		}
	})
}
