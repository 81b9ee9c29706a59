package store

import (
	"context"
	"time"

	"github.com/kinebase/kinebase/audit"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// Pieces of a file stay named in erasure, due a while after nobody waits for more. What brings more puts that off. So
// pieces of what is never finished go by themselves, and those of a capture that goes with everything else of it.

var _ upload.Pieces = (*Store)(nil)

// partial is a row of upload_partial.
type partial struct {
	upload.Partial
	lease
}

// readPartial reads it; nil when there is none.
func readPartial(t db.Tx, org db.ID, session, lock string) (p *partial, err error) {
	return p, t.Do(db.Each(func(r db.Rows) error {
		p = new(partial)
		var expires int64
		err := r.Scan(&p.Size, &p.Received, &expires, &p.attempt, &p.until)
		p.Expires = db.FromMicros(expires)
		return err
	}, `SELECT size, received, expires, attempt, lease FROM upload_partial WHERE organization = $1 AND session_id = $2`+
		lock, org, session))
}

// Partial gives how far a file has come.
func (s *Store) Partial(ctx context.Context, sc organization.Scope, sessionID string) (p upload.Partial, err error) {
	org := sc.Organization
	err = s.engine.Read(ctx, org, func(t db.Tx) error {
		p = upload.Partial{}
		c, err := readCapture(t, org, sessionID)
		if err != nil {
			return err
		}
		found, err := readPartial(t, org, sessionID, "")
		if err != nil {
			return err
		}
		var original string
		if err := t.Do(db.Each(func(r db.Rows) error { return r.Scan(&original) },
			`SELECT original FROM recording WHERE organization = $1 AND session_id = $2`, org, sessionID)); err != nil {
			return err
		}
		switch {
		case original != "":
			p.Arrived = true
			return nil
		case c.Status != capture.AwaitingUpload:
			why := ""
			if c.Error != nil {
				why = *c.Error
			}
			return upload.Ended(why)
		case found == nil:
			return nil
		}
		p = found.Partial
		if p.Arrived = p.Received == p.Size; !p.Arrived && !s.now().Before(p.Expires) {
			return upload.Overdue()
		}
		return nil
	})
	return p, db.ToFault(err)
}

// Receive takes pieces.
func (s *Store) Receive(ctx context.Context, sc organization.Scope, sessionID string, at, size int64,
	pieces []upload.Piece, until time.Time) (received int64, err error) {
	org := sc.Organization
	err = s.write(ctx, org, func(w *writeTx) error {
		c, r, err := s.lockRecording(w, sessionID)
		if err != nil {
			return err
		}
		if err := awaiting(c, r); err != nil {
			return err
		}
		p, err := readPartial(w, org, sessionID, " FOR UPDATE")
		if err != nil {
			return err
		}
		if p == nil {
			p = &partial{Partial: upload.Partial{Size: size, Expires: r.Expires}}
		}
		switch {
		case !s.now().Before(p.Expires):
			return upload.Overdue()
		case p.Received != at || p.Size != size:
			return upload.Misplaced(p.Received, at)
		}
		var rows [][]any
		for _, piece := range pieces {
			rows = append(rows, []any{org, sessionID, p.Received, piece.Size, piece.Name})
			p.Received += piece.Size
		}
		if p.Received > p.Size {
			return upload.TooLong(p.Size)
		}
		var count int64
		if err := w.Do(append(insertMany(
			`INSERT INTO upload_piece (organization, session_id, start, size, name) VALUES `, rows),
			db.Exec(`INSERT INTO upload_partial (organization, session_id, size, received, expires) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (organization, session_id) DO UPDATE SET received = excluded.received, expires = excluded.expires`, org, sessionID, p.Size, p.Received, db.Micros(until)),
			piecesDue(org, sessionID, db.Micros(until.Add(upload.PieceGrace))),
			db.One(db.Into(&count), `SELECT count(*) FROM upload_piece WHERE organization = $1 AND session_id = $2`,
				org, sessionID))...); err != nil {
			return err
		}
		if count > upload.MaxPieces {
			return fault.New(fault.PayloadTooLarge, "The file has come in more than %d pieces: send more at a time.",
				upload.MaxPieces)
		}
		w.Enqueue(job.Job{Work: job.Erase, Organization: org.String(), At: until.Add(upload.PieceGrace)})
		if p.Received < p.Size {
			w.act = nil // the file has not come yet
		} else {
			w.about("capture", sessionID)
			w.Enqueue(job.Job{Work: job.Gather, Organization: org.String(), Subject: sessionID})
		}
		received = p.Received
		return nil
	})
	return received, db.ToFault(err)
}

// Incomplete sums up what has come of files that are not whole.
func (s *Store) Incomplete(ctx context.Context, sc organization.Scope) (bytes int64, err error) {
	org := sc.Organization
	err = s.engine.Once(ctx, org,
		db.One(db.Into(&bytes), `SELECT CAST(COALESCE(SUM(received), 0) AS BIGINT) FROM upload_partial WHERE organization = $1`, org))
	return bytes, db.ToFault(err)
}

// whole says whether there is a file whose pieces are to be put together.
func (p *partial) whole(c *storedCapture) bool {
	return p != nil && p.Received == p.Size && c.Status == capture.AwaitingUpload
}

// lockPartial locks a capture, and what has come of its file.
func (s *Store) lockPartial(w *writeTx, session string) (*storedCapture, *partial, error) {
	c, _, err := s.lockRecording(w, session)
	if err != nil {
		return nil, nil, err
	}
	p, err := readPartial(w, w.Org, session, " FOR UPDATE")
	return c, p, err
}

// ClaimPieces takes the pieces of a file that has come.
func (s *Store) ClaimPieces(ctx context.Context, sc organization.Scope, sessionID string) (g *upload.Gathering,
	wait time.Duration, err error) {
	org := sc.Organization
	wait, err = s.asked(audit.Without(ctx), sc, func(w *writeTx) (time.Duration, error) {
		g = nil
		c, p, err := s.lockPartial(w, sessionID)
		if err != nil || !p.whole(c) {
			return 0, err
		}
		now := s.now()
		held, left, _ := p.take(job.Job{Work: job.Gather, Organization: org.String(), Subject: sessionID}, now)
		if left > 0 {
			return left, nil
		}
		w.Enqueue(held.Watching(now))
		g = &upload.Gathering{Held: held, Size: p.Size}
		if err := w.Do(db.Each(func(r db.Rows) error {
			var piece upload.Piece
			err := r.Scan(&piece.Name, &piece.Size)
			g.Pieces = append(g.Pieces, piece)
			return err
		}, `SELECT name, size FROM upload_piece WHERE organization = $1 AND session_id = $2 ORDER BY start`, org,
			sessionID)); err != nil {
			return 0, err
		}
		// Nobody waits for more, but the pieces are needed for as long as somebody is at them.
		return 0, w.Do(db.Exec(`UPDATE upload_partial SET attempt = $3, lease = $4, expires = $5 WHERE organization = $1 AND session_id = $2`, org, sessionID, p.attempt, p.until, db.Micros(now.Add(gatherTime))),
			piecesDue(org, sessionID, db.Micros(now.Add(gatherTime+upload.PieceGrace))))
	})
	return g, wait, err
}

// gatherTime is how long pieces are kept for a worker that puts them together.
const gatherTime = 24 * time.Hour

// ReleasePieces gives them back.
func (s *Store) ReleasePieces(ctx context.Context, sc organization.Scope, g *upload.Gathering, again time.Time) error {
	_, err := s.asked(audit.Without(ctx), sc, func(w *writeTx) (time.Duration, error) {
		c, p, err := s.lockPartial(w, g.Held.Subject)
		if err != nil || !p.whole(c) || !p.heldBy(g.Held) {
			return 0, err
		}
		w.Enqueue(job.Job{Work: job.Gather, Organization: w.Org.String(), Subject: g.Held.Subject, At: again})
		return 0, w.Do(db.Exec(`UPDATE upload_partial SET lease = 0 WHERE organization = $1 AND session_id = $2`, w.Org,
			g.Held.Subject))
	})
	return err
}

// piecesDue puts off the erasure of a capture's pieces, or has them erased at once: 0. What is to be erased at once
// already stays so.
func piecesDue(org db.ID, session string, due int64) db.Statement {
	return db.Exec(`UPDATE erasure SET due = $3 WHERE organization = $1 AND session_id = $2 AND due > 0 AND name IN (SELECT name FROM upload_piece WHERE organization = $1 AND session_id = $2)`, org, session, due)
}

// dropPieces has the pieces of a capture's file erased, whatever became of them.
func (w *writeTx) dropPieces(session string) error {
	var some bool
	if err := w.Do(db.One(db.Into(&some),
		`SELECT EXISTS (SELECT 1 FROM upload_partial WHERE organization = $1 AND session_id = $2)`, w.Org,
		session)); err != nil || !some {
		return err
	}
	w.eraseSoon()
	return w.Do(piecesDue(w.Org, session, 0),
		db.Exec(`DELETE FROM upload_piece WHERE organization = $1 AND session_id = $2`, w.Org, session),
		db.Exec(`DELETE FROM upload_partial WHERE organization = $1 AND session_id = $2`, w.Org, session))
}
