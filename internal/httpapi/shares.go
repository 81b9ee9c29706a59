package httpapi

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

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
