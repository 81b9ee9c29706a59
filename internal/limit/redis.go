package limit

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/go-redis/redis_rate/v10"
	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"
)

const (
	redisWait  = 20 * time.Millisecond  // how long one call waits for Redis
	redisPause = time.Second            // how long after a failure nobody asks it
	redisGreet = 500 * time.Millisecond // how long the start waits for the first connection
)

// Redis keeps the buckets of several processes in one Redis (or what speaks its
// protocol and runs its scripts), one script call a request. While that does not
// answer, the local limiter does.
type Redis struct {
	client  *redis.Client
	limiter *redis_rate.Limiter
	local   Limiter
	log     *slog.Logger
	wait    time.Duration

	// asleep is when the pause after a failure ends, in nanoseconds since start;
	// 0 while Redis answers. since is when the outage began, on the same clock.
	asleep atomic.Int64
	since  atomic.Int64
	start  time.Time
}

var _ Limiter = (*Redis)(nil)

// NewRedis connects to the Redis of url: redis://[user:password@]host:port[/db],
// rediss://… for TLS, or unix:///path/to/socket. Only a URL that cannot be read
// is an error; a Redis that does not answer is an outage like any later one.
// Close must be called.
func NewRedis(ctx context.Context, url string, local Limiter, log *slog.Logger) (*Redis, error) {
	options, err := redis.ParseURL(url)
	if err != nil {
		// The library's error repeats the URL, and the URL may hold a password.
		return nil, errors.New("the Redis URL cannot be read: write redis://host:6379/0, redis://user:password@host:6379/0, rediss://… for TLS, or unix:///path/to/redis.sock")
	}
	options.ContextTimeoutEnabled = true // else the wait of a call would only bound its dialling
	options.MaxRetries = -1              // there is no time for a second try
	options.DialerRetries = 1
	options.DialTimeout = redisPause // dialling goes on behind the call that began it; TLS may take longer than a call waits
	options.DisableIdentity = true
	options.ReadBufferSize, options.WriteBufferSize = 4096, 4096 // a call and its answer are some hundred bytes
	// Hand-overs that a managed Redis announces: they change timeouts under way,
	// and an outage of a second is what the local limiter is for.
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	// The library prints every failed dial to standard error, which is once a
	// second here, and our log has told it already.
	logging.Disable()

	client := redis.NewClient(options)
	r := &Redis{client: client, limiter: redis_rate.NewLimiter(client), local: local, log: log, wait: redisGreet, start: time.Now()}
	// Asking for nothing leaves nothing in Redis, but a connection and the script.
	r.ask(ctx, "start", Rate{PerSecond: 1, Burst: 1}, 0)
	r.wait = redisWait
	return r, nil
}

// Close ends the connections.
func (r *Redis) Close() error { return r.client.Close() }

// Out says whether Redis did not answer when it was asked last.
func (r *Redis) Out() bool { return r.asleep.Load() != 0 }

// Allow implements Limiter.
func (r *Redis) Allow(ctx context.Context, key string, rate Rate) Result {
	answer, ok := r.ask(ctx, key, rate, 1)
	if !ok {
		return r.local.Allow(ctx, key, rate)
	}
	return Result{
		Allowed:    answer.Allowed > 0,
		Limit:      rate.Burst,
		Remaining:  answer.Remaining,
		Reset:      max(0, answer.ResetAfter),
		RetryAfter: max(0, answer.RetryAfter), // the library says -1 for none
	}
}

// GiveBack implements Limiter.
func (r *Redis) GiveBack(ctx context.Context, key string, rate Rate) {
	if _, ok := r.ask(ctx, key, rate, -1); !ok {
		r.local.GiveBack(ctx, key, rate)
	}
}

// ask takes cost tokens, unless Redis is out; false means that the local limiter
// has to answer.
func (r *Redis) ask(ctx context.Context, key string, rate Rate, cost int) (*redis_rate.Result, bool) {
	asking, trying := r.turn()
	if !asking {
		return nil, false
	}
	bounded, cancel := context.WithTimeout(ctx, r.wait)
	defer cancel()
	limit := redis_rate.Limit{Rate: rate.PerSecond, Burst: rate.Burst, Period: time.Second}
	answer, err := r.limiter.AllowN(bounded, "kinebase:"+key, limit, cost)
	switch {
	case err == nil:
		if trying {
			r.back()
		}
		return answer, true
	case !impatient(ctx, bounded):
		r.out(err)
	}
	return nil, false
}

// impatient says whether the caller went away, or would have before our own wait
// was over: a failure then says nothing about Redis.
func impatient(caller, bounded context.Context) bool {
	theirs, limited := caller.Deadline()
	ours, _ := bounded.Deadline()
	return caller.Err() != nil || limited && theirs.Equal(ours)
}

// turn says whether this call may ask Redis. After a failure nobody does for a
// pause, and then a single call tries, so that an outage costs one caller a
// second its wait, and not all of them.
func (r *Redis) turn() (asking, trying bool) {
	until := r.asleep.Load()
	if until == 0 {
		return true, false
	}
	now := int64(time.Since(r.start))
	trying = now >= until && r.asleep.CompareAndSwap(until, now+int64(redisPause))
	return trying, trying
}

// out begins an outage, or prolongs it.
func (r *Redis) out(err error) {
	now := int64(time.Since(r.start))
	if r.asleep.Swap(now+int64(redisPause)) != 0 {
		return
	}
	r.since.Store(now)
	r.log.Warn("Redis does not answer: each process limits rates by itself until it does", "error", err.Error())
}

// back ends an outage. Only the call that tried may say so: answers to calls from
// before the outage come late, and with a Redis that is merely slow they would
// end it and begin the next one many times a second, each with its log line.
func (r *Redis) back() {
	if r.asleep.Swap(0) == 0 {
		return
	}
	lasted := time.Since(r.start) - time.Duration(r.since.Load())
	r.log.Info("Redis answers again: processes share their rate limits", "outage", lasted.Round(time.Millisecond).String())
}
