package httpapi

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/kinebase/kinebase/fault"
)

// roomWait is how long a call waits for room where that is bounded.
const roomWait = 10 * time.Second

// acquire waits a while until there is room, and is a fault.Unavailable when there
// is none.
func acquire(ctx context.Context, room *semaphore.Weighted, n int64, message string) (leave func(), err error) {
	waiting, cancel := context.WithTimeout(ctx, roomWait)
	defer cancel()
	if err := room.Acquire(waiting, n); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fault.Busy(nil, time.Second, message)
	}
	return func() { room.Release(n) }, nil
}

// shares bounds how much of something each organization has under way at a time, so
// that none of them keeps the others waiting.
type shares struct {
	mu   sync.Mutex
	most int64
	of   map[string]*share // those that are in use
}

type share struct {
	room  *semaphore.Weighted
	users int
}

func newShares(most int64) *shares { return &shares{most: most, of: map[string]*share{}} }

// acquire waits a while for a place of the organization's, and is a fault.Unavailable
// when there is none.
func (s *shares) acquire(ctx context.Context, organization, message string) (leave func(), err error) {
	s.mu.Lock()
	mine := s.of[organization]
	if mine == nil {
		mine = &share{room: semaphore.NewWeighted(s.most)}
		s.of[organization] = mine
	}
	mine.users++
	s.mu.Unlock()
	free, err := acquire(ctx, mine.room, 1, message)
	if err != nil {
		s.drop(organization, mine)
		return nil, err
	}
	return func() {
		free()
		s.drop(organization, mine)
	}, nil
}

func (s *shares) drop(organization string, mine *share) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if mine.users--; mine.users == 0 {
		delete(s.of, organization)
	}
}
