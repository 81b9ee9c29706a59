package limit

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

// The keys in Redis. A database of Redis is for the servers of one Kinebase.
const (
	bucketKey  = "kinebase:rate:"
	serversKey = "kinebase:rates:servers"
	drainedKey = "kinebase:rates:drained"
)

const (
	presence = 500 * time.Millisecond // how long a server counts as one that draws from the pool after it was heard
	goneAge  = time.Minute            // after what silence a server counts no longer
	setsAge  = 24 * time.Hour         // how long Redis knows its servers when none of them is heard
	mostTold = 256                    // how many drained buckets servers are told of
)

var (
	//go:embed moment.lua
	momentText string
	//go:embed take.lua
	takeText string
	//go:embed settle.lua
	settleText string
	//go:embed beat.lua
	beatText string

	takeScript   = redis.NewScript(momentText + takeText)
	settleScript = redis.NewScript(momentText + settleText)
	beatScript   = redis.NewScript(momentText + beatText)
)

// pool is the buckets in Redis, which the servers have together.
type pool struct {
	client *redis.Client
	self   string // this server, as the others see it
	least  atomic.Pointer[least]
}

// least is a number of servers that a Redis without memory does not know of, and since
// when, by its clock.
type least struct{ servers, since int64 }

// answer is what a bucket says.
type answer struct {
	Result
	point int64 // when the bucket is full, in microseconds of Redis
}

// state is what Redis knows of the servers and their buckets.
type state struct {
	now      int64 // in microseconds
	servers  int
	known    bool // this server was known before
	joined   bool // this server counts as heard
	drained  map[string]int64
	complete bool  // all drained buckets are named
	begun    int64 // since when Redis remembers, in microseconds: another value is another memory
}

// arguments are those that every script begins with.
func (p *pool) arguments(more ...any) []any {
	l := p.least.Load()
	if l == nil {
		l = &least{}
	}
	return append([]any{presence.Microseconds(), l.servers, l.since, p.self}, more...)
}

// take takes cost tokens out of a bucket.
func (p *pool) take(ctx context.Context, key string, rate Rate, cost int) (answer, error) {
	got, err := takeScript.Run(ctx, p.client, []string{serversKey, drainedKey, bucketKey + key},
		p.arguments(micros(rate.interval()), micros(rate.refill()), cost)...).Slice()
	if err != nil {
		return answer{}, err
	}
	n, err := numbers(got, 5)
	if err != nil {
		return answer{}, err
	}
	return answer{point: n[4], Result: Result{
		Allowed: n[0] == 1, Limit: rate.Burst, Remaining: int(n[1]),
		Reset: max(0, time.Duration(n[2])*time.Microsecond), RetryAfter: max(0, time.Duration(n[3])*time.Microsecond),
	}}, nil
}

// settle pays what this server gave while it was away. With an end, in microseconds of
// Redis, it also has this server heard, unless Redis does it later than that: then
// nothing is done. The debts get the points of their buckets.
func (p *pool) settle(ctx context.Context, end int64, debts []debt) error {
	keys, more := []string{serversKey, drainedKey}, []any{end, setsAge.Milliseconds()}
	for _, d := range debts {
		keys = append(keys, bucketKey+d.key)
		more = append(more, micros(d.rate.interval()), micros(d.rate.refill()), decimal(d.grown), decimal(d.held),
			decimal(d.spent), d.point)
	}
	got, err := settleScript.Run(ctx, p.client, keys, p.arguments(more...)...).Slice()
	if err != nil {
		return err
	}
	if len(got) == 0 {
		return errLate
	}
	points, err := numbers(got, 1+len(debts))
	if err != nil {
		return err
	}
	for i := range debts {
		debts[i].point = points[1+i]
	}
	return nil
}

// beat asks for the state. With an end, in microseconds of Redis, it has this server
// heard, unless Redis does it later than that. Servers silent for gone count no longer.
func (p *pool) beat(ctx context.Context, end int64, gone time.Duration) (state, error) {
	got, err := beatScript.Run(ctx, p.client, []string{serversKey, drainedKey},
		p.arguments(end, gone.Microseconds(), setsAge.Milliseconds(), mostTold)...).Slice()
	if err != nil {
		return state{}, err
	}
	n, err := numbers(got, 5)
	if err != nil {
		return state{}, err
	}
	s := state{now: n[0], servers: int(n[1]), known: n[2] == 1, joined: n[3] == 1, complete: n[4] <= mostTold,
		drained: map[string]int64{}}
	if len(got) < 7 {
		return state{}, errors.New("Redis answered a script with too few values")
	}
	if s.begun, err = number(got[6]); err != nil {
		return state{}, err
	}
	told, _ := got[5].([]any)
	for i := 0; i+1 < len(told); i += 2 {
		score, err := number(told[i+1])
		if err != nil {
			return state{}, err
		}
		s.drained[strings.TrimPrefix(fmt.Sprint(told[i]), bucketKey)] = score
	}
	return s, nil
}

// part takes this server out of the set: its time belongs to the others from now on.
func (p *pool) part(ctx context.Context) error {
	return p.client.ZRem(ctx, serversKey, p.self).Err()
}

func micros(d time.Duration) string { return decimal(float64(d) / float64(time.Microsecond)) }

func decimal(x float64) string { return strconv.FormatFloat(x, 'f', 6, 64) }

// numbers reads the first n values of a script's answer.
func numbers(got []any, n int) ([]int64, error) {
	if len(got) < n {
		return nil, errors.New("Redis answered a script with too few values")
	}
	all := make([]int64, n)
	for i := range all {
		var err error
		if all[i], err = number(got[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func number(v any) (int64, error) {
	switch v := v.(type) {
	case int64:
		return v, nil
	case string:
		f, err := strconv.ParseFloat(v, 64)
		return int64(f), err
	}
	return 0, fmt.Errorf("Redis answered a script with a %T", v)
}
