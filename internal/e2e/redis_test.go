package e2e

import (
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// TestRedisMayGoAtAnyMoment kills Redis, and stops it so that it takes connections
// and never answers, while requests go on: nobody notices but the log.
func TestRedisMayGoAtAnyMoment(t *testing.T) {
	testkit.Long(t)
	for name, outage := range map[string]struct{ begin, end func(*testkit.RedisServer) }{
		"killed":  {(*testkit.RedisServer).Kill, (*testkit.RedisServer).Start},
		"stopped": {(*testkit.RedisServer).Stop, (*testkit.RedisServer).Cont},
	} {
		t.Run(name, func(t *testing.T) {
			redis := testkit.Redis(t)
			m := newMachine(t, apptest.SQLite)
			org := m.organization()
			_, busy := m.token(org)
			_, modest := m.token(org)
			m.env = []string{"KINEBASE_REDIS_URL=" + redis.Addr, "KINEBASE_RATE_LIMIT=20:20",
				"KINEBASE_RATE_LIMIT_ORG=off"}
			s := m.serve()

			// Many ask without pause, far over their limit.
			var allowed, limited atomic.Int64
			enough := make(chan struct{})
			var all sync.WaitGroup
			for range 4 {
				c := s.client(busy)
				all.Go(func() {
					for {
						select {
						case <-enough:
							return
						default:
						}
						_, err := c.ListCaptures(t.Context(), client.CaptureFilter{Limit: 1})
						switch status(err) {
						case http.StatusOK:
							allowed.Add(1)
						case http.StatusTooManyRequests:
							limited.Add(1)
						default:
							t.Errorf("while Redis comes and goes: %v", err)
							return
						}
					}
				})
			}
			both := func(what string) {
				t.Helper()
				a, l := allowed.Load(), limited.Load()
				testkit.Until(t, what+" some are let through and some are not", func() bool {
					return t.Failed() || allowed.Load() > a && limited.Load() > l
				})
			}
			both("with Redis")
			outage.begin(redis)
			testkit.Until(t, "the log tells of the outage",
				func() bool { return s.logged("Redis does not answer") > 0 })
			both("without Redis")
			// One who asks seldom is answered with its limits as ever.
			var meta client.Meta
			if _, err := s.client(modest).ListCaptures(t.Context(), client.CaptureFilter{},
				client.WithMeta(&meta)); err != nil {
				t.Errorf("within the limit: %v", err)
			}
			if got := s.page("/readyz"); got != http.StatusOK {
				t.Errorf("without Redis /readyz answers %d", got)
			}
			both("still without Redis")
			if n := s.logged("Redis does not answer"); n != 1 {
				t.Errorf("one outage is told %d times", n)
			}
			outage.end(redis)
			testkit.Until(t, "the log tells of the end", func() bool { return s.logged("Redis answers again") > 0 })
			both("with Redis again")
			close(enough)
			all.Wait()
			if strings.Contains(s.logs(), `"status":5`) {
				t.Errorf("something was answered with 5xx:\n%s", tail(s.logs()))
			}
		})
	}
}
