package jobs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"time"

	"github.com/riverqueue/river"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// gatherer makes one file of the pieces in which it came.
type gatherer struct {
	river.WorkerDefaults[gathering]
	Options
}

// Timeout is how long the queue lets a worker live.
func (g *gatherer) Timeout(*river.Job[gathering]) time.Duration { return slack }

// Work puts the pieces together and gives the file to its capture.
func (g *gatherer) Work(ctx context.Context, j *river.Job[gathering]) error {
	s := scope(j.Args.Job)
	work, wait, err := g.Pieces.ClaimPieces(ctx, s, j.Args.Subject)
	if err != nil || work == nil {
		return again(wait, err)
	}
	name := upload.OriginalName(s.Organization.String())
	return g.work(ctx, leased{
		held: work.Held,
		do:   func(ctx context.Context) error { return g.gather(ctx, s, work, name) },
		end: func(ctx context.Context, why error, stopping bool) error {
			g.forget(ctx, s, name)
			return g.end(ctx, s, work, why, stopping)
		},
	})
}

// gather makes the file.
func (g *gatherer) gather(ctx context.Context, s organization.Scope, work *upload.Gathering, name string) error {
	session := work.Held.Subject
	if err := g.Uploads.Expect(ctx, s, session, name, time.Now().Add(expectTime)); err != nil {
		return err
	}
	sum, err := g.join(ctx, work, name)
	if err != nil {
		return err
	}
	return g.Uploads.Arrive(ctx, s, session, name, work.Size, sum)
}

// join makes one file of the pieces, in the storage itself where it can, and gives its SHA-256.
func (g *gatherer) join(ctx context.Context, work *upload.Gathering, name string) (sum string, err error) {
	composed := false
	if g.Composer != nil {
		if composed, err = g.Composer.Compose(ctx, name, work.Pieces); err != nil {
			return "", err
		}
	}
	pieces, size, hash := upload.Join(ctx, g.Files, work.Pieces), int64(0), sha256.New()
	if composed {
		size, err = io.Copy(hash, pieces)
	} else {
		size, err = g.Files.Put(ctx, name, io.TeeReader(pieces, hash), work.Size)
	}
	if err = errors.Join(err, pieces.Close()); err != nil {
		return "", err
	}
	if size != work.Size {
		return "", errors.New("the pieces of an upload are not as many bytes as came")
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// end says why no file was made.
func (g *gatherer) end(ctx context.Context, s organization.Scope, work *upload.Gathering, why error,
	stopping bool) error {
	session := work.Held.Subject
	var f *fault.Error
	switch {
	case errors.Is(why, upload.ErrNoRoom) && errors.As(why, &f):
		return g.Uploads.TurnAway(ctx, s, session, "The file was not taken. "+f.Message)
	case lost(why), fault.Is(why, fault.NotFound), fault.Is(why, fault.Conflict):
		// another file has come, or the capture has gone
		return nil
	case stopping:
		return g.Pieces.ReleasePieces(ctx, s, work, time.Time{})
	case errors.Is(why, upload.ErrNoFile):
		return g.Uploads.TurnAway(ctx, s, session,
			"A piece of the file is not in the server's storage any more. Upload it again as a new capture.")
	}
	g.Log.Warn("a file could not be put together; it is tried again", "organization", s.Organization, "attempt",
		work.Held.Attempt, "error", why)
	return g.Pieces.ReleasePieces(ctx, s, work, later(work.Held.Attempt))
}
