package limit

import (
	"context"
	"errors"
	"time"
)

const (
	beatPause = 200 * time.Millisecond // between two beats while Redis answers
	lookPause = 100 * time.Millisecond // between two looks after this server has left the pool
	outPause  = 500 * time.Millisecond // between two looks while Redis does not answer
	payTime   = time.Second            // how long the payment of some debts may take
	steadily  = 2                      // so many answers in time end an outage
)

var errLate = errors.New("Redis answers too late")

// greet is the first beat. It waits for longer than later ones.
func (r *Redis) greet(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, max(redisGreet, r.patience.late))
	defer cancel()
	s, err := r.pool.beat(ctx, 0, 0)
	if err == nil {
		r.note(s)
		err = r.back(ctx, s)
	}
	if err != nil {
		r.lose(err)
	}
}

// live keeps this server heard, and while it is away finds out whether Redis is back. It
// is the only one that ends an outage: answers to calls from before come late, and with a
// Redis that is merely slow they would end it and begin the next one many times a second.
func (r *Redis) live() {
	for pause := beatPause; ; {
		next := time.NewTimer(pause)
		select {
		case <-r.life.Done():
			next.Stop()
			return
		case <-r.left:
			next.Stop()
		case <-next.C:
		}
		if r.away.Load() {
			pause = r.look()
		} else {
			pause = r.beat()
		}
	}
}

// beat has this server heard, and brings what Redis knows.
func (r *Redis) beat() time.Duration {
	gone := time.Duration(0)
	if r.clock()-r.joined > goneAge {
		gone = goneAge // only who was there all the time can say who was not
		r.pool.least.Store(nil)
	}
	if _, err := r.ring(r.share.end(r.patience.lost), gone); err != nil {
		r.leave()
		return 0
	}
	return beatPause
}

// look finds out whether Redis answers in time.
func (r *Redis) look() time.Duration {
	s, err := r.ring(0, 0)
	if err != nil {
		r.lose(err)
		return outPause
	}
	if r.steady++; r.steady < steadily {
		return lookPause
	}
	ctx, cancel := context.WithTimeout(r.life, payTime)
	defer cancel()
	if err := r.back(ctx, s); err != nil {
		r.lose(err)
		return outPause
	}
	return beatPause
}

// ring makes one beat. An answer that is late is an error.
func (r *Redis) ring(end int64, gone time.Duration) (state, error) {
	ctx, cancel := context.WithTimeout(r.life, r.patience.lost)
	defer cancel()
	began := time.Now()
	s, err := r.pool.beat(ctx, end, gone)
	if err != nil {
		return s, err
	}
	r.note(s)
	if time.Since(began) > r.patience.late {
		return s, errLate
	}
	return s, nil
}

// lose tells that Redis does not answer, once.
func (r *Redis) lose(err error) {
	r.steady = 0
	if r.life.Err() != nil || r.out.Swap(true) {
		return
	}
	r.begun = r.clock()
	r.log.Warn("Redis does not answer in time: each server gives its share of the rate limits until it does", "error",
		err.Error())
}

// back ends the time away: this server settles what it gave and is heard again, in one
// call. It asks what is left then: should it leave again before the next beat, it must not give
// once more what it has settled just now. It draws from the pool from then on, and settles what
// it gave meanwhile.
func (r *Redis) back(ctx context.Context, s state) error {
	if err := r.settle(ctx, r.share.end(payTime), r.belongs && s.begun != r.memory); err != nil {
		return err
	}
	r.share.joined()
	r.steady, r.belongs, r.memory, r.joined = 0, true, s.begun, r.clock()
	now, err := r.pool.beat(ctx, 0, 0)
	if err != nil {
		return err
	}
	r.note(now)
	r.away.Store(false)
	if err := r.settle(ctx, 0, false); err != nil {
		r.leave()
		return err
	}
	if r.out.Swap(false) && r.begun > 0 {
		lasted := r.clock() - r.begun
		r.log.Info("Redis answers again: servers share their rate limits", "outage",
			lasted.Round(time.Millisecond).String())
	}
	return nil
}

// settle settles all debts.
func (r *Redis) settle(ctx context.Context, end int64, remember bool) error {
	debts := r.share.debts(remember, end > 0)
	if end == 0 && len(debts) == 0 {
		return nil
	}
	if err := r.pool.settle(ctx, end, debts); err != nil {
		r.share.owe(debts)
		return err
	}
	r.share.settled(debts)
	return nil
}

// note keeps what Redis knows. A Redis that has lost its memory does not know all servers:
// those that it does not hear yet are taken to be there until they had time to say so, and to
// have given their part of the time since this server heard of them last.
func (r *Redis) note(s state) {
	l := r.pool.least.Load()
	if r.belongs && !s.known && (l == nil || l.servers < int64(r.share.seen())) {
		l = &least{servers: int64(r.share.seen()), since: min(s.now, r.share.last()+presence.Microseconds())}
		r.pool.least.Store(l)
		r.joined = r.clock()
	}
	if l != nil {
		s.servers = max(s.servers, int(l.servers))
	}
	r.share.state(s)
}
