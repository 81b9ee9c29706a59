package jobs

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/kinebase/kinebase/breaker"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// landingPoller notices what lands in a bucket by looking, so that nothing has to be set
// up there. Every server does so: who comes second finds that the capture has its
// file already.
type landingPoller struct {
	Options
	lost atomic.Bool // the last look failed
}

// loop looks at every tick, until ctx ends. That looking fails is told once, and once
// that it does again: a bucket may be away for hours.
func (l *landingPoller) loop(ctx context.Context, tick <-chan time.Time) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick:
		}
		if l.Bucket.Await(ctx) != nil {
			return
		}
		err := l.Landings.Landed(ctx, func(found upload.Landing) error {
			if err := l.take(ctx, found); err != nil && ctx.Err() == nil && !breaker.Silent(err) {
				l.Log.Warn("a file that has landed is looked at again", "organization", found.Organization, "error",
					err)
			}
			return ctx.Err()
		})
		if ctx.Err() != nil {
			return
		}
		if breaker.Silent(err) { // which was told when it began
			continue
		}
		switch before := l.lost.Swap(err != nil); {
		case err != nil && !before:
			l.Log.Warn("the bucket cannot be looked into; it is tried again until that succeeds", "error", err)
		case err == nil && before:
			l.Log.Warn("the bucket can be looked into again")
		}
	}
}

// take makes the first file that lands the capture's, and drops every other unread.
func (l *landingPoller) take(ctx context.Context, found upload.Landing) error {
	s := organization.In(found.Organization)
	name := upload.OriginalName(found.Organization)
	err := l.Uploads.Expect(ctx, s, found.SessionID, name, time.Now().Add(expectTime))
	if fault.Is(err, fault.NotFound) || fault.Is(err, fault.Conflict) { // nobody waits for it
		return l.Landings.Drop(ctx, found)
	}
	if err != nil {
		return err
	}
	room, err := l.Uploads.Room(ctx, s)
	if err == nil {
		err = room.Take(found.Size)
	}
	if errors.Is(err, upload.ErrNoRoom) {
		return errors.Join(l.Uploads.Forget(ctx, s, name), l.turnAway(ctx, found, err))
	}
	if err != nil {
		return errors.Join(err, l.Uploads.Forget(ctx, s, name))
	}
	switch err := l.Landings.Adopt(ctx, found, name); {
	case errors.Is(err, upload.ErrChanged), errors.Is(err, upload.ErrNoFile): // the next look sees what is there now
		return l.Uploads.Forget(ctx, s, name)
	case fault.Is(err, fault.PayloadTooLarge): // which no form of ours allows
		return errors.Join(l.Uploads.Forget(ctx, s, name), l.Landings.Drop(ctx, found))
	case err != nil:
		return errors.Join(err, l.Uploads.Forget(ctx, s, name))
	}
	err = l.Uploads.Arrive(ctx, s, found.SessionID, name, found.Size, "")
	if errors.Is(err, upload.ErrNoRoom) {
		return l.turnAway(ctx, found, err)
	}
	if err != nil && !fault.Is(err, fault.Conflict) && !fault.Is(err, fault.NotFound) {
		return err
	}
	return l.Landings.Drop(ctx, found)
}

// turnAway ends a capture whose file found no room, and drops the file. The bucket has told
// the sender that the file came, so only the capture can say that it was not taken.
func (l *landingPoller) turnAway(ctx context.Context, found upload.Landing, why error) error {
	var f *fault.Error
	errors.As(why, &f)
	s := organization.In(found.Organization)
	if err := l.Uploads.TurnAway(ctx, s, found.SessionID, "The file was not taken. "+f.Message); err != nil {
		return err
	}
	return l.Landings.Drop(ctx, found)
}
