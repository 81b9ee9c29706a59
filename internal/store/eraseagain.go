package store

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/backup"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
	people "github.com/kinebase/kinebase/person"
)

// Expect says whether a capture waits for its file, and notes the name that the file is to have. One that was
// erased again waits for none.
func (r *Restoring) Expect(ctx context.Context, f backup.File) (waits bool, err error) {
	err = r.store.Expect(ctx, organization.In(f.Organization), f.Session, f.Name, r.store.now().Add(time.Hour))
	if fault.Is(err, fault.NotFound) {
		return false, nil
	}
	return err == nil, err
}

// Arrive gives a capture that waits for its file this one, which is there already.
func (r *Restoring) Arrive(ctx context.Context, f backup.File, size int64, sum string) error {
	return r.store.Arrive(ctx, organization.In(f.Organization), f.Session, f.Name, size, sum)
}

// MakeAgain has the file of a capture read again. One that is being read already needs nothing, and neither does one
// that was erased again.
func (r *Restoring) MakeAgain(ctx context.Context, f backup.File) error {
	_, err := r.store.Reprocess(ctx, organization.In(f.Organization), f.Session, nil)
	if fault.Is(err, fault.Conflict) || fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}

// Finish asks for the work that was to be done, and lets everybody open the store.
func (r *Restoring) Finish(ctx context.Context) error {
	s := r.store
	for part := range slices.Chunk(r.jobs, writeChunk) {
		if err := s.write(ctx, db.ID{}, func(w *writeTx) error {
			for _, j := range part {
				w.Enqueue(job.Job{Work: j.Work, Organization: j.Organization, Subject: j.Subject,
					At: time.Unix(j.At, 0)})
			}
			return nil
		}); err != nil {
			return db.ToFault(err)
		}
	}
	// Links of the backup may have been taken back since, which no list of erasures has: none counts any more.
	if err := s.eachOrganization(ctx, func(org db.ID) error {
		return s.write(ctx, org, func(w *writeTx) error {
			return w.unshare(`SELECT id FROM share WHERE organization = $1 AND expires_at > $2`, 0)
		})
	}); err != nil {
		return db.ToFault(err)
	}
	// The same holds for people who had signed out. Issuers tell the time in seconds.
	ended := s.now().Truncate(time.Second).Add(-time.Microsecond)
	if err := s.End(ctx, people.Ending{Key: people.Everybody(), Before: ended}); err != nil {
		return err
	}
	s.engine.Filled(ctx, r.rows)
	return db.ToFault(s.write(ctx, db.ID{}, func(w *writeTx) error {
		return w.Do(db.Exec(`DELETE FROM secret WHERE name = $1`, restoringMark))
	}))
}

// EraseAgain erases what was erased after the backup was made. An object of the backup that has
// changed after it was erased had been brought back, and stays. What applies is found out before
// anything changes, for what changes here has later positions than any erasure.
func (r *Restoring) EraseAgain(ctx context.Context, erasures []backup.Erasure) (n int, left []string, err error) {
	slices.SortStableFunc(erasures, func(a, b backup.Erasure) int { return cmp.Compare(a.Position, b.Position) })
	fates := fatesOf(erasures)
	var due []backup.Erasure
	for _, e := range erasures {
		if e.Kind == backup.KindToken || e.Kind == backup.KindOrganization {
			done, err := r.end(ctx, e)
			if err != nil {
				return n, left, notAgain(e, err)
			}
			if done {
				n++
			}
		}
	}
	for _, e := range erasures {
		if e.Kind == backup.KindToken || e.Kind == backup.KindOrganization {
			continue
		}
		if there, err := r.older(ctx, e); err != nil {
			return n, left, notAgain(e, err)
		} else if there {
			due = append(due, e)
		}
	}
	for _, e := range due {
		by, err := r.erase(ctx, e, fates)
		if fault.Is(err, fault.NotFound) {
			continue // it went with an earlier erasure
		}
		if err != nil {
			return n, left, notAgain(e, err)
		}
		n++
		left = append(left, by...)
	}
	return n, left, nil
}

func notAgain(e backup.Erasure, err error) error {
	return fmt.Errorf("erasing %s %s again: %w", e.Kind, e.ID, err)
}

// older says whether the backup has an object that was erased after its last change.
func (r *Restoring) older(ctx context.Context, e backup.Erasure) (there bool, err error) {
	org, ok := organization.ParseID(e.Organization)
	if !ok {
		return false, nil // nobody's
	}
	query, name := `SELECT EXISTS (SELECT 1 FROM capture WHERE organization = $1 AND session_id = $2 AND changed < $3)`,
		any(e.ID)
	switch e.Kind {
	case backup.KindAthlete:
		key, ok := organization.ParseID(e.ID)
		if !ok {
			return false, nil
		}
		query, name = `SELECT EXISTS (SELECT 1 FROM athlete WHERE organization = $1 AND id = $2 AND changed < $3)`, key
	case backup.KindExport:
		query = `SELECT EXISTS (SELECT 1 FROM export_job WHERE organization = $1 AND id = $2 AND changed < $3)`
	}
	err = r.store.engine.Once(ctx, org, db.One(db.Into(&there), query, org, name, e.Position))
	return there, db.ToFault(err)
}

// end does again to a token or an organization what was done to it.
func (r *Restoring) end(ctx context.Context, e backup.Erasure) (done bool, err error) {
	if e.Kind == backup.KindToken {
		return r.token(ctx, e)
	}
	org, _ := organization.ParseID(e.ID)
	o, err := r.store.Organization(ctx, org)
	if fault.Is(err, fault.NotFound) || err == nil && db.Micros(o.CreatedAt) > e.At {
		return false, nil // it is not there, or there again
	}
	return true, errors.Join(err, r.store.DeleteOrganization(ctx, org))
}

// erase erases one object again. by is what remains to be done by hand.
func (r *Restoring) erase(ctx context.Context, e backup.Erasure, f fates) (by []string, err error) {
	s, sc := r.store, organization.In(e.Organization)
	switch e.Kind {
	case backup.KindCapture:
		return nil, s.DeleteCapture(ctx, sc, e.ID, func(string) error { return nil })
	case backup.KindExport:
		if _, err := s.CancelJob(ctx, sc, e.ID, nil); err != nil && !fault.Is(err, fault.Conflict) {
			return nil, err
		}
		return nil, s.DeleteJob(ctx, sc, e.ID)
	case backup.KindAthlete:
		chain, deleted := f.chain(e)
		if deleted {
			return nil, s.deleteAthlete(ctx, sc, e.ID, func(athlete.Athlete) error { return nil }, keepCaptures)
		}
		return r.mergeAgain(ctx, e, chain)
	}
	return nil, fmt.Errorf("the list of erasures has a %q, which this version does not know", e.Kind)
}

// token has a token be what it was at last: of another secret, or revoked.
func (r *Restoring) token(ctx context.Context, e backup.Erasure) (done bool, err error) {
	org, known := organization.ParseID(e.Organization)
	key, ok := organization.ParseID(e.ID)
	hash, broken := hex.DecodeString(e.Hash)
	if !known || !ok || broken != nil {
		return false, errors.New("the list of erasures names a token that cannot be one")
	}
	var n int64
	change := db.Exec(`UPDATE token SET hash = $3 WHERE organization = $1 AND id = $2 AND hash <> $3`, org, key, hash)
	if e.Revoked != 0 {
		change = db.Exec(`UPDATE token SET hash = $3, revoked_at = $4 WHERE organization = $1 AND id = $2 AND (hash <> $3 OR revoked_at IS NULL)`, org, key, hash, e.Revoked)
	}
	change.Affected = &n
	err = r.store.write(ctx, org, func(w *writeTx) error {
		return w.Do(change, db.Exec(`UPDATE token_index SET hash = $2 WHERE token = $1`, key, hash))
	})
	return n > 0, db.ToFault(err)
}
