package limit

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// patience is how long a Redis is waited for.
type patience struct {
	late time.Duration // an answer that takes longer is late: Redis counts as slow
	lost time.Duration // one that takes longer is not waited for
}

var servedPatience = patience{late: 20 * time.Millisecond, lost: 100 * time.Millisecond}

const (
	redisDial  = time.Second
	redisGreet = 500 * time.Millisecond // how long the start waits for the first connection
)

// Redis keeps the buckets of several servers in one Redis (or what speaks its protocol and
// runs its scripts), one script call a request. While Redis is slow or away, each server
// gives its share of every bucket by itself: see share. What it gave it pays when Redis is
// back, before it draws from the buckets there.
type Redis struct {
	pool     pool
	share    *share
	log      *slog.Logger
	patience patience
	start    time.Time

	away atomic.Bool // this server gives its share
	out  atomic.Bool // the log was told of it
	left chan struct{}

	// Of the loop in beat.go alone.
	steady  int           // answers in time, one after the other, while away
	begun   time.Duration // when the outage that was told of began
	joined  time.Duration // since when Redis hears this server without a gap
	belongs bool          // this server was heard by Redis before
	memory  int64         // since when that Redis remembers

	life context.Context
	end  context.CancelFunc
	done sync.WaitGroup
}

var _ Limiter = (*Redis)(nil)

// NewRedis connects to the Redis of url: redis://[user:password@]host:port[/db],
// rediss://… for TLS, or unix:///path/to/socket. Only a URL that cannot be read
// is an error; a Redis that does not answer is an outage like any later one.
// Close must be called.
func NewRedis(ctx context.Context, url string, log *slog.Logger) (*Redis, error) {
	return newRedis(ctx, url, log, servedPatience)
}

func newRedis(ctx context.Context, url string, log *slog.Logger, p patience) (*Redis, error) {
	options, err := redis.ParseURL(url)
	if err != nil {
		// The library's error repeats the URL, and the URL may hold a password.
		return nil, errors.New("the Redis URL cannot be read: write redis://host:6379/0, " +
			"redis://user:password@host:6379/0, rediss://… for TLS, or unix:///path/to/redis.sock")
	}
	options.ContextTimeoutEnabled = true // else the wait of a call would only bound its dialling
	options.MaxRetries = -1              // a call that was made twice would count twice
	options.DialerRetries = 1
	// dialling goes on behind the call that began it; TLS may take longer than a call waits
	options.DialTimeout = redisDial
	options.DisableIdentity = true
	options.ReadBufferSize, options.WriteBufferSize = 4096, 4096 // a call and its answer are some hundred bytes
	// Hand-overs that a managed Redis announces: they change timeouts under way,
	// and an outage of a second is what the shares are for.
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	// The library prints every failed dial to standard error, and our log has told
	// of it already.
	logging.Disable()

	r := &Redis{log: log, patience: p, start: time.Now(), left: make(chan struct{}, 1)}
	r.pool.client, r.pool.self = redis.NewClient(options), rand.Text()
	r.share = newShare(r.clock)
	r.away.Store(true)
	r.life, r.end = context.WithCancel(context.WithoutCancel(ctx))
	r.greet(ctx)
	r.done.Go(r.live)
	return r, nil
}

// Close takes this server out of those that share the limits, and ends the connections.
func (r *Redis) Close() error {
	r.end()
	r.done.Wait()
	if !r.away.Load() {
		ctx, cancel := context.WithTimeout(context.Background(), r.patience.lost)
		defer cancel()
		_ = r.pool.part(ctx) // else the others do without its share for a minute
	}
	return r.pool.client.Close()
}

// Out says whether Redis does not answer.
func (r *Redis) Out() bool { return r.out.Load() }

// Allow implements Limiter.
func (r *Redis) Allow(ctx context.Context, key string, rate Rate) Result {
	if a, ok := r.ask(ctx, key, rate, 1); ok {
		return a.Result
	}
	return r.share.take(key, rate, 1)
}

// GiveBack implements Limiter.
func (r *Redis) GiveBack(ctx context.Context, key string, rate Rate) {
	if _, ok := r.ask(ctx, key, rate, -1); !ok {
		r.share.take(key, rate, -1)
	}
}

// ask asks the pool, unless this server is away; false means that its share has to do.
// The call that finds Redis late is still waited for a little: those that come after it
// are not. A caller who goes away does not end a call, which Redis would count all the same.
func (r *Redis) ask(ctx context.Context, key string, rate Rate, cost int) (answer, bool) {
	if r.away.Load() {
		return answer{}, false
	}
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.patience.lost)
	defer cancel()
	late := time.AfterFunc(r.patience.late, r.leave)
	defer late.Stop()
	a, err := r.pool.take(bounded, key, rate, cost)
	if err != nil {
		r.leave()
		return answer{}, false
	}
	r.share.told(key, rate, a, cost)
	return a, true
}

// leave has this server give its share by itself from now on.
func (r *Redis) leave() {
	if r.away.Swap(true) {
		return
	}
	r.share.leave()
	select {
	case r.left <- struct{}{}:
	default:
	}
}

func (r *Redis) clock() time.Duration { return time.Since(r.start) }

// Answers says whether a Redis answers within two seconds.
func Answers(ctx context.Context, url string) error {
	options, err := redis.ParseURL(url)
	if err != nil {
		return errors.New("the Redis URL cannot be read")
	}
	options.MaxRetries = -1
	logging.Disable()
	c := redis.NewClient(options)
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	return errors.Join(c.Ping(ctx).Err(), c.Close())
}
