package limit

import (
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/simplelru"
)

// strangers is how many servers there are presumed to be by one that has never heard of
// Redis: whoever sets one has two at the least.
const strangers = 2

// share is what one of several servers may give by itself while it is away from the pool:
// of each bucket that was left, and of the tokens that come back, one part for each server
// that was seen. It also remembers what the pool said last, for a time when it is gone.
type share struct {
	now func() time.Duration // since the start, by the monotonic clock

	mu      sync.Mutex
	purses  *simplelru.LRU // *purse by key; the one asked longest ago is forgotten, with what it owes
	away    int            // how often this server has left the pool
	servers int
	from    time.Duration // since when this server's part of the time is its own

	heard    time.Duration // when Redis was heard last
	moment   int64         // what it said then the time was, in microseconds
	drained  map[string]int64
	complete bool // drained has all
}

// purse is one bucket, as this server knows it.
type purse struct {
	rate  Rate
	seen  time.Duration // when the pool told of it last
	point int64         // what it told
	left  float64       // tokens, as it told

	away  int     // the leave for which have counts
	have  float64 // tokens that this server may give
	base  float64 // those that it had when it left, or settled
	at    time.Duration
	spent float64 // tokens that it gave and has not settled
}

// debt is what this server gave out of a bucket by itself.
type debt struct {
	key   string
	rate  Rate
	grown float64 // by how many tokens this server's part has grown since it left; less than 0: shrunk
	held  float64 // those in it
	spent float64
	point int64 // what the pool told of the bucket before; 0 when it remembers itself
}

func newShare(now func() time.Duration) *share {
	purses, err := simplelru.NewLRU(memoryKeys, nil)
	if err != nil {
		panic(err) // only a size below 1 is refused
	}
	return &share{now: now, purses: purses, servers: strangers, complete: true, away: 1}
}

// told notes what the pool said of a bucket, and that it gave tokens out of it. Answers to calls
// that were under way together come in any order: the one that knows of more takings counts.
func (s *share) told(key string, rate Rate, a answer, cost int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.purse(key, rate)
	p.seen = s.now()
	if left := float64(a.Remaining); a.point >= p.point {
		p.point, p.left = a.point, left
	} else {
		p.left = min(p.left, left)
	}
	s.from = max(s.from, p.seen) // until then this server's part of the time was the pool's
	if p.away == s.away && a.Allowed {
		p.have -= float64(cost) // told late: it was not known of when this server left
		p.base -= float64(cost)
	}
}

// state notes what Redis said of all.
func (s *share) state(now state) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard, s.moment = s.now(), now.now
	s.servers, s.drained, s.complete = max(1, now.servers), now.drained, now.complete
	if now.joined {
		s.from = s.heard + presence
	}
}

// seen is the number of servers.
func (s *share) seen() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.servers
}

// last is the moment, in microseconds of Redis, in which it was heard last.
func (s *share) last() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.moment
}

// end is the moment, in microseconds of Redis, in which it will be some time later. This server
// asks to be heard until then: as long as it does not know better, it may have been heard as late.
func (s *share) end(later time.Duration) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.from = max(s.from, s.now()+later+presence)
	return s.moment + (s.now() - s.heard + later).Microseconds()
}

// joined notes that Redis counts this server as heard from now on.
func (s *share) joined() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.from = s.now() + presence
}

// leave begins a time away from the pool.
func (s *share) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.away++
}

// take takes cost tokens out of this server's part of a bucket.
func (s *share) take(key string, rate Rate, cost int) Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.purse(key, rate)
	n := float64(s.servers)
	most, perSecond := max(1, float64(rate.Burst)/n), float64(rate.PerSecond)/n
	if p.away != s.away {
		grown := p.have - p.base // what is not settled yet stays so
		p.away, p.have, p.at = s.away, s.known(key, p)/n, s.from
		p.base = p.have - grown
	}
	s.fill(p)
	r := Result{Limit: rate.Burst, Allowed: cost < 0 || p.have >= float64(cost)}
	if r.Allowed {
		p.have = min(p.have-float64(cost), most)
		p.spent += float64(cost)
	} else {
		r.RetryAfter = lasts((float64(cost)-p.have)/perSecond) + max(0, p.at-s.now())
	}
	r.Remaining = max(0, int(p.have))
	r.Reset = lasts((most - p.have) / perSecond)
	return r
}

// fill adds what has come back to a purse.
func (s *share) fill(p *purse) {
	n := float64(s.servers)
	if now := s.now(); now > p.at {
		p.have, p.at = p.have+(now-p.at).Seconds()*float64(p.rate.PerSecond)/n, now
	}
	p.have = min(p.have, max(1, float64(p.rate.Burst)/n))
}

// known is how many tokens a bucket had at least when this server left the pool. One that
// is not among the drained ones was more than half full.
func (s *share) known(key string, p *purse) float64 {
	burst := float64(p.rate.Burst)
	half, drained := s.drained[key]
	switch {
	case p.seen > s.heard:
		return p.left
	case drained:
		missing := float64(half-s.moment) * 1000 / float64(p.rate.interval())
		return max(0, burst/2-max(0, missing))
	case s.complete:
		return burst / 2
	}
	return 0
}

// debts takes the debts out, and with remember what the pool told of all buckets. With joining
// they are settled by a call that has this server heard again: its part of the time may be the
// pool's from now on.
func (s *share) debts(remember, joining bool) []debt {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []debt
	for _, key := range s.purses.Keys() {
		v, _ := s.purses.Peek(key)
		p := v.(*purse)
		if p.spent > 0 {
			s.fill(p)
		}
		if joining {
			p.at = max(p.at, s.from)
		}
		d := debt{key: key.(string), rate: p.rate, grown: p.have - p.base, held: p.have, spent: p.spent}
		if remember {
			d.point = p.point
		}
		if p.spent > 0 || d.point > 0 {
			all = append(all, d)
		}
		p.base, p.spent = p.have, 0
	}
	return all
}

// settled notes what the pool said of the buckets whose debts were settled: a Redis that loses its
// memory has to be told of them too.
func (s *share) settled(debts []debt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range debts {
		p := s.purse(d.key, d.rate)
		p.point = max(p.point, d.point)
	}
}

// owe takes debts back that could not be settled.
func (s *share) owe(debts []debt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range debts {
		p := s.purse(d.key, d.rate)
		p.base -= d.grown
		p.spent += d.spent
	}
}

func (s *share) purse(key string, rate Rate) *purse {
	if p, ok := s.purses.Get(key); ok {
		return p.(*purse)
	}
	p := &purse{rate: rate, seen: -1}
	s.purses.Add(key, p)
	return p
}

// lasts makes a duration of seconds.
func lasts(seconds float64) time.Duration {
	return max(0, time.Duration(seconds*float64(time.Second)))
}
