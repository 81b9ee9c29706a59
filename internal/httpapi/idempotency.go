package httpapi

import (
	"bytes"
	"context"
	"crypto/sha256"
	"sync"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/payload"
)

// longestWait is how long a repetition waits for its first request.
const longestWait = 10 * time.Second

// once reads the Idempotency-Key and waits until no other request of this process
// has it. Without a key it gives nil. done must be called when the request has
// been answered. The wait comes before the body is read, so that a caller who
// repeats himself a thousand times does not fill the memory with bodies.
func (a *api) once(c *call) (o *organization.Repeat, done func(), err error) {
	fields := c.r.Header["Idempotency-Key"]
	if len(fields) == 0 {
		return nil, func() {}, nil
	}
	if len(fields) > 1 || !printable(fields[0]) {
		return nil, nil, fault.New(fault.BadRequest,
			"Idempotency-Key must be one text of 1 to 255 printable ASCII characters.")
	}
	// The key counts for the method and the path. The route's pattern and its
	// variable stand for the path: the same athlete in capitals is the same path.
	parts := []string{c.route.Method, c.route.Pattern, c.path[0], fields[0]}
	if c.path[1] != "" {
		parts = append(parts, c.path[1])
	}
	o = &organization.Repeat{Key: hashed(parts...)}
	done, err = a.running.enter(c.r.Context(), c.caller.Organization, o.Key)
	if err != nil {
		return nil, nil, err
	}
	return o, done, nil
}

// posted reads what every POST with a body has: the Idempotency-Key, see once, and one
// JSON object.
func (a *api) posted(c *call) (o *organization.Repeat, body payload.Object, done func(), err error) {
	if o, done, err = a.once(c); err != nil {
		return nil, body, nil, err
	}
	if body, err = c.object(o); err != nil {
		done()
		return nil, body, nil, err
	}
	return o, body, done, nil
}

// withoutFields does what takes no fields and may be repeated under a key, to the thing that the path names.
// An error of the body is told before one that there is no such thing.
func withoutFields[ID any](a *api, c *call, name func() (ID, error),
	do func(id ID, repeat *organization.Repeat) error) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	id, missing := name()
	if missing != nil && !fault.Is(missing, fault.NotFound) {
		return missing
	}
	once, done, err := a.once(c)
	if err != nil {
		return err
	}
	defer done()
	if err := c.noFields(once); err != nil {
		return err
	}
	if missing != nil {
		return missing
	}
	return do(id, once)
}

// keep has the answer about what is written kept for a repetition, when there is a key.
func keep[T any](repeat *organization.Repeat, render func(written T) ([]byte, error)) *organization.Once[T] {
	if repeat == nil {
		return nil
	}
	return &organization.Once[T]{Repeat: repeat, Render: render}
}

func printable(key string) bool {
	if key == "" || len(key) > 255 {
		return false
	}
	for i := range len(key) {
		if key[i] < ' ' || key[i] > '~' {
			return false
		}
	}
	return true
}

// hashed hashes the parts, none of which can run into the next.
func hashed(parts ...string) (sum [32]byte) {
	h := sha256.New()
	for _, p := range parts {
		part := sha256.Sum256([]byte(p))
		h.Write(part[:])
	}
	h.Sum(sum[:0])
	return sum
}

// running are the requests with a key that this process is working on. Other
// processes' are the store's to see, which keeps the answers.
type running struct {
	mu   sync.Mutex
	keys map[runningKey]chan struct{}
	wait time.Duration
}

type runningKey struct {
	organization organization.ID
	key          [32]byte
}

func newRunning() *running {
	return &running{keys: map[runningKey]chan struct{}{}, wait: longestWait}
}

// enter waits until nobody has the key, and takes it. A first request that failed
// stored nothing, and the one that waited becomes the first.
func (r *running) enter(ctx context.Context, org organization.ID, key [32]byte) (leave func(), err error) {
	k := runningKey{org, key}
	var timer *time.Timer
	for {
		r.mu.Lock()
		first, taken := r.keys[k]
		if !taken {
			mine := make(chan struct{})
			r.keys[k] = mine
			r.mu.Unlock()
			return func() {
				r.mu.Lock()
				delete(r.keys, k)
				r.mu.Unlock()
				close(mine)
			}, nil
		}
		r.mu.Unlock()
		if timer == nil {
			timer = time.NewTimer(r.wait)
			defer timer.Stop()
		}
		select {
		case <-first:
		case <-timer.C:
			return nil, fault.New(fault.Conflict, "A request with this idempotency key is still running.")
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// An answer that is kept for a repetition: its entity tag, where it has one, and
// where the thing is that was created, each on a line, then the body.
func keptAnswer(tag, location string, body []byte) []byte {
	b := make([]byte, 0, len(tag)+len(location)+len(body)+2)
	b = append(append(b, tag...), '\n')
	b = append(append(b, location...), '\n')
	return append(b, body...)
}

func parseKept(b []byte) (tag, location string, body []byte, err error) {
	t, rest, ok := bytes.Cut(b, []byte("\n"))
	l, body, ok2 := bytes.Cut(rest, []byte("\n"))
	if !ok || !ok2 {
		return "", "", nil, fault.New(fault.Internal, "The stored answer cannot be read.")
	}
	return string(t), string(l), body, nil
}

// replay sends a kept answer again.
func (c *call) replay(kept []byte) error {
	tag, location, body, err := parseKept(kept)
	if err != nil {
		return err
	}
	c.w.Header()["Idempotency-Replayed"] = replayedTrue
	c.sendWritten(tag, location, body)
	return nil
}

// sendWritten answers a write. tag and location are left out when empty.
func (c *call) sendWritten(tag, location string, body []byte) {
	if tag != "" {
		c.w.Header()["Cache-Control"] = revalidate
		c.set("Etag", `"`+tag+`"`)
	}
	if location != "" {
		c.set("Location", location)
	}
	c.send(200, body)
}
