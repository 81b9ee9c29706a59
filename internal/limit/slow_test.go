package limit

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/testkit"
)

// line is a connection between servers and Redis that a test makes slow, or holds up.
type line struct {
	url   string
	delay atomic.Pointer[func() time.Duration]
	mu    sync.Mutex
	held  chan struct{} // nil while nothing is held up
}

func lineTo(t *testing.T, server *testkit.RedisServer) *line {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "line.sock")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	l := &line{url: "unix://" + socket}
	l.slow(func() time.Duration { return 0 })
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("unix", strings.TrimPrefix(server.Addr, "unix://"))
			if err != nil {
				_ = near.Close()
				continue
			}
			go l.carry(far, near)
			go l.carry(near, far)
		}
	}()
	return l
}

// carry carries what comes, each piece after a wait, and both ways in order.
func (l *line) carry(to, from net.Conn) {
	defer func() { _ = to.Close() }()
	defer func() { _ = from.Close() }()
	room := make([]byte, 64<<10)
	for {
		n, err := from.Read(room)
		if n > 0 {
			if d := (*l.delay.Load())(); d > 0 {
				<-time.After(d)
			}
			l.mu.Lock()
			held := l.held
			l.mu.Unlock()
			if held != nil {
				<-held
			}
			if _, err := to.Write(room[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

func (l *line) slow(by func() time.Duration) { l.delay.Store(&by) }

func (l *line) hold() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held = make(chan struct{})
}

func (l *line) free() {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.held)
	l.held = nil
}

// fleet is servers on one Redis, a line each.
type fleet struct {
	redis   *testkit.RedisServer
	lines   []*line
	servers []*Redis
}

// calm is a patience for tests in which no server is to leave before Redis is stopped, however
// busy the machine is.
var calm = patience{late: 400 * time.Millisecond, lost: 800 * time.Millisecond}

func newFleet(t *testing.T, n int, p patience) *fleet {
	t.Helper()
	f := &fleet{redis: testkit.Redis(t)}
	for range n {
		l := lineTo(t, f.redis)
		f.lines = append(f.lines, l)
		f.servers = append(f.servers, connectTo(t, l.url, &logBook{}, p))
	}
	testkit.Until(t, "the servers have seen each other", func() bool {
		for _, s := range f.servers {
			if s.away.Load() || s.share.seen() != n {
				return false
			}
		}
		return true
	})
	return f
}

func (f *fleet) each(do func(i int, l *line)) {
	for i, l := range f.lines {
		do(i, l)
	}
}

func TestServersTogetherNeverGiveMoreThanTheLimitHoweverSlowRedisIs(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	var drawing sync.Mutex
	wait := func(most time.Duration) func() time.Duration {
		return func() time.Duration {
			drawing.Lock()
			defer drawing.Unlock()
			return time.Duration(random.Int64N(int64(most)))
		}
	}
	constant := func(d time.Duration) func() time.Duration { return func() time.Duration { return d } }
	for _, c := range []struct {
		name string
		// what happens in each of ten parts of the time
		step func(f *fleet, part int)
	}{
		{"always in time", func(*fleet, int) {}},
		{"always a little late", func(f *fleet, part int) {
			if part == 0 {
				f.each(func(_ int, l *line) { l.slow(constant(13 * time.Millisecond)) })
			}
		}},
		{"now and then late", func(f *fleet, part int) {
			if part == 0 {
				f.each(func(_ int, l *line) { l.slow(wait(15 * time.Millisecond)) })
			}
		}},
		{"late in turns", func(f *fleet, part int) {
			f.each(func(i int, l *line) { l.slow(constant(time.Duration((part+i)%2) * 30 * time.Millisecond)) })
		}},
		{"frozen for a while", func(f *fleet, part int) {
			switch part {
			case 2:
				f.redis.Stop()
			case 6:
				f.redis.Cont()
			}
		}},
		{"killed, and empty when it is back", func(f *fleet, part int) {
			switch part {
			case 2:
				f.redis.Kill()
			case 5:
				f.redis.Start()
			}
		}},
		{"cut off from one server", func(f *fleet, part int) {
			switch part {
			case 1:
				f.lines[0].hold()
			case 8:
				f.lines[0].free()
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			drawing.Lock()
			servers := 2 + random.IntN(2)
			drawing.Unlock()
			f := newFleet(t, servers, servedPatience)
			rate := Rate{PerSecond: 100, Burst: 200}
			began := time.Now()
			allowed, refused := f.storm(t, rate, c.step)
			left := f.settled(t, "k", rate)
			most := rate.within(time.Since(began))
			t.Logf("%d servers: %d of at most %.0f passed, %.1f are left when all have settled, and %d were refused",
				servers, allowed, most, left, refused)
			if float64(allowed)+left > most+0.01 {
				t.Errorf("%d servers gave %d and %.2f are left, the limit is %.2f", servers, allowed, left, most)
			}
			// What others took unseen may have been given once more, and is then missing in the bucket.
			if twice := float64(rate.Burst) * float64(servers-1) / float64(servers); float64(allowed) > most+twice {
				t.Errorf("%d servers gave %d, the limit is %.2f and a bucket of %d", servers, allowed, most, rate.Burst)
			}
			if least := float64(rate.Burst) / 2; float64(allowed) < least {
				t.Errorf("%d servers gave %d, which is not even half of a bucket", servers, allowed)
			}
		})
	}
}

// within is how many requests pass within a time at most.
func (r Rate) within(d time.Duration) float64 {
	return float64(r.Burst) + d.Seconds()*float64(r.PerSecond)
}

// storm has many callers ask every server without end while ten things happen.
func (f *fleet) storm(t *testing.T, rate Rate, step func(f *fleet, part int)) (allowed, refused int64) {
	var over atomic.Bool
	var yes, no atomic.Int64
	var callers sync.WaitGroup
	for i := range 4 * len(f.servers) {
		callers.Go(func() {
			pace := time.NewTicker(5 * time.Millisecond)
			defer pace.Stop()
			for !over.Load() {
				<-pace.C
				if f.servers[i%len(f.servers)].Allow(t.Context(), "k", rate).Allowed {
					yes.Add(1)
				} else {
					no.Add(1)
				}
			}
		})
	}
	next := time.NewTicker(250 * time.Millisecond)
	defer next.Stop()
	for part := range 10 {
		step(f, part)
		<-next.C
	}
	over.Store(true)
	callers.Wait()
	return yes.Load(), no.Load()
}

// settled ends what the servers do behind the scenes, so that their books stand still, and has
// all of them settle. It says what is left of a bucket then: less than nothing where more was
// given than there was.
func (f *fleet) settled(t *testing.T, key string, rate Rate) float64 {
	t.Helper()
	f.each(func(_ int, l *line) { l.slow(func() time.Duration { return 0 }) })
	for i, s := range f.servers {
		s.end()
		s.done.Wait()
		s.share.mu.Lock()
		p := s.share.purse(key, rate)
		owed, most := p.base-p.have, float64(rate.Burst)/float64(len(f.servers))
		s.share.mu.Unlock()
		if owed > most+0.01 {
			t.Errorf("server %d of %d owes %.2f of a bucket of %d", i+1, len(f.servers), owed, rate.Burst)
		}
	}
	for _, s := range f.servers {
		testkit.Until(t, "a server settles", func() bool {
			ctx, cancel := context.WithTimeout(t.Context(), payTime)
			defer cancel()
			now, err := s.pool.beat(ctx, 0, 0)
			if err != nil {
				return false
			}
			s.note(now)
			return s.back(ctx, now) == nil
		})
	}
	a, err := f.servers[0].pool.take(t.Context(), key, rate, 0)
	if err != nil {
		t.Fatal(err)
	}
	return float64(rate.Burst) - a.Reset.Seconds()*float64(rate.PerSecond)
}

func TestWhatOthersTakeOfAServersShareWhileItIsCutOffIsGivenOnceMoreAndSettled(t *testing.T) {
	t.Parallel()
	for _, servers := range []int{2, 3, 5} {
		t.Run(fmt.Sprintf("%d servers", servers), func(t *testing.T) {
			t.Parallel()
			f := newFleet(t, servers, calm)
			rate, began := slow(400), time.Now()
			f.lines[0].hold()
			testkit.Until(t, "one server misses Redis", f.servers[0].missed)
			var gave [2]int
			for i, s := range f.servers[:2] {
				for s.Allow(t.Context(), "k", rate).Allowed {
					gave[i]++
				}
			}
			back := int(time.Since(began).Seconds()) + 1
			// It knows that the bucket was more than half full, and no more.
			if most := rate.Burst/2/servers + back; gave[0] > most {
				t.Errorf("the server that is cut off gave %d, its share is %d", gave[0], most)
			}
			if gave[1] > rate.Burst+back {
				t.Errorf("the others gave %d of %d", gave[1], rate.Burst)
			}
			f.lines[0].free()
			left := f.settled(t, "k", rate)
			t.Logf("the server that was cut off gave %d, the other %d, and %.2f are left", gave[0], gave[1], left)
			if most := rate.within(time.Since(began)); float64(gave[0]+gave[1])+left > most+0.01 {
				t.Errorf("%d and %d were given and %.2f are left of %.2f", gave[0], gave[1], left, most)
			}
		})
	}
}

func TestABucketThatWasEmptiedElsewhereIsNotGivenAgainWhileRedisIsAway(t *testing.T) {
	t.Parallel()
	f := newFleet(t, 2, calm)
	rate := slow(1_000) // one a second: what comes back in the time of the test is nothing
	began, passed := time.Now(), 0
	for f.servers[0].Allow(t.Context(), "k", rate).Allowed {
		passed++
	}
	// The answer that is under way may be older than the last taking; the second one is not,
	// however long both take.
	heard := map[int64]bool{f.servers[1].share.last(): true}
	testkit.Until(t, "the other server has heard of it", func() bool {
		s := f.servers[1].share
		s.mu.Lock()
		defer s.mu.Unlock()
		heard[s.moment] = true
		return len(heard) > 2 && s.drained["k"] > s.moment
	})
	f.redis.Stop()
	for _, s := range f.servers {
		testkit.Until(t, "Redis is missed", s.missed)
		for s.Allow(t.Context(), "k", rate).Allowed {
			passed++
		}
	}
	most := 1_000 + int(time.Since(began).Seconds())
	t.Logf("%d of %d passed", passed, most)
	if passed > most {
		t.Errorf("a bucket of 1000 gave %d", passed)
	}
}

// missed asks for nothing that counts, and says whether the server is away.
func (r *Redis) missed() bool {
	r.Allow(context.Background(), "another", slow(1_000_000))
	return r.away.Load()
}

func TestEveryServerGivesItsShareOfWhatIsLeftWhileRedisIsAway(t *testing.T) {
	t.Parallel()
	f := newFleet(t, 2, calm)
	began := time.Now()
	for _, s := range f.servers {
		for range 100 {
			s.Allow(t.Context(), "k", slow(1_000))
		}
	}
	f.redis.Stop()
	var gave [2]int
	for i, s := range f.servers {
		testkit.Until(t, "Redis is missed", s.missed)
		for s.Allow(t.Context(), "k", slow(1_000)).Allowed {
			gave[i]++
		}
	}
	t.Logf("800 were left, the shares were %d and %d", gave[0], gave[1])
	more := int(time.Since(began).Seconds()) + 1
	for i, n := range gave {
		// The first one heard of the bucket when 100 fewer were taken, or it has heard since
		// that the bucket is more than half full, and no more.
		if n < 250 || n > 450+more {
			t.Errorf("server %d gave %d", i+1, n)
		}
	}
	if gave[0]+gave[1] > 850+more {
		t.Errorf("both gave %d of 800", gave[0]+gave[1])
	}
}

func TestARedisThatHasLostItsMemoryIsToldWhatEachServerKnewOfABucket(t *testing.T) {
	t.Parallel()
	f := newFleet(t, 2, calm)
	rate, began := slow(1_000), time.Now()
	gave := 0
	take := func(server, n int) {
		for range n {
			if !f.servers[server].Allow(t.Context(), "k", rate).Allowed {
				return
			}
			gave++
		}
	}
	take(0, 100)
	take(1, 100) // which the first does not know of
	f.redis.Kill()
	for _, s := range f.servers {
		testkit.Until(t, "Redis is missed", s.missed)
	}
	f.lines[1].hold()
	f.redis.Start()
	testkit.Until(t, "the first is back", func() bool { return !f.servers[0].away.Load() })
	take(0, 2*rate.Burst) // what is left, as far as it knows
	f.lines[1].free()
	left := f.settled(t, "k", rate)
	t.Logf("%d were given, and %.2f are left", gave, left)
	if most := rate.within(time.Since(began)); float64(gave)+left > most+0.01 {
		t.Errorf("%d were given and %.2f are left of %.2f", gave, left, most)
	}
}
