package store

import (
	"bytes"
	"context"
	"errors"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
)

// answerLife is how long the answer of a request with an idempotency key is
// given again.
const answerLife = 24 * time.Hour

// writeOnce runs work in a transaction that also keeps the answer, when the
// caller gave an idempotency key, or finds the answer of an earlier request.
// work sets what it wrote, from which the answer is made, and returns the id of what
// the answer names: when that is erased, so is the answer.
func writeOnce[T any](ctx context.Context, s *Store, org db.ID, once *organization.Once[T], written *T,
	work func(*writeTx) (subject db.ID, err error)) error {
	return writeOnceFor(ctx, s, org, once, s.now().Add(answerLife), written, work)
}

// writeOnceFor is writeOnce for an answer that is of no use after a certain time.
func writeOnceFor[T any](ctx context.Context, s *Store, org db.ID, once *organization.Once[T], until time.Time,
	written *T, work func(*writeTx) (subject db.ID, err error)) error {
	err := s.write(ctx, org, func(w *writeTx) error {
		if once == nil {
			_, err := work(w)
			return err
		}
		once.Replay = nil
		found, err := s.claim(w, org, once.Repeat, until)
		if db.WaitedTooLong(err) {
			return fault.Wrap(err, fault.Conflict, "A request with the same Idempotency-Key is still running.")
		}
		if err != nil || found {
			w.act = nil // nothing is done again
			return err
		}
		subject, err := work(w)
		if err != nil {
			return err
		}
		answer, err := once.Render(*written)
		if err != nil {
			return err
		}
		return w.Do(db.Exec(`UPDATE idempotency SET answer = $3, subject = $4 WHERE organization = $1 AND key = $2`,
			org, once.Key[:], answer, subject))
	})
	return db.ToFault(err)
}

// claim takes the key for this request, waiting for one that holds it, or finds
// what was answered.
func (s *Store) claim(w *writeTx, org db.ID, once *organization.Repeat, until time.Time) (found bool, err error) {
	now := s.now()
	var made int64
	insert := db.Exec(`INSERT INTO idempotency (organization, key, body, answer, subject, expires_at) VALUES ($1, $2, $3, NULL, NULL, $4) ON CONFLICT DO NOTHING`,
		org, once.Key[:], once.Body[:], db.Micros(until))
	insert.Affected = &made
	if err := w.Do(insert); err != nil || made == 1 {
		return false, err
	}
	var body, answer []byte
	var expires int64
	err = w.Do(db.One(db.Into(&body, &answer, &expires),
		`SELECT body, answer, expires_at FROM idempotency WHERE organization = $1 AND key = $2 FOR UPDATE`, org,
		once.Key[:]))
	switch {
	case errors.Is(err, db.ErrNoRow): // it was removed between the two statements
		return s.claim(w, org, once, until)
	case err != nil:
		return false, err
	case expires <= db.Micros(now):
		return false, w.Do(db.Exec(
			`UPDATE idempotency SET body = $3, answer = NULL, subject = NULL, expires_at = $4 WHERE organization = $1 AND key = $2`,
			org, once.Key[:], once.Body[:], db.Micros(until)))
	case !bytes.Equal(body, once.Body[:]):
		return false, fault.New(fault.Unprocessable, "the Idempotency-Key was used before with another body")
	case answer == nil:
		return false, fault.New(fault.NotFound, "what the request with this Idempotency-Key made has been erased")
	}
	once.Replay = answer
	return true, nil
}

// eraseAnswers removes the stored answers that name what is being erased. The
// keys stay until they expire, so that a late repetition does not make it again.
func eraseAnswers(org, subject db.ID) db.Statement {
	return db.Exec(`UPDATE idempotency SET answer = NULL, subject = NULL WHERE organization = $1 AND subject = $2`,
		org, subject)
}

// forgetAnswers removes the answers that have expired.
func (s *Store) forgetAnswers(ctx context.Context) error {
	return s.eachOrganization(ctx, func(org db.ID) error {
		var due bool
		expired := `EXISTS (SELECT 1 FROM idempotency WHERE organization = $1 AND expires_at <= $2)`
		now := db.Micros(s.now())
		if err := s.engine.Once(ctx, org, db.One(db.Into(&due), `SELECT `+expired, org, now)); err != nil || !due {
			return err
		}
		return s.write(ctx, org, func(w *writeTx) error {
			return w.Do(db.Exec(`DELETE FROM idempotency WHERE organization = $1 AND expires_at <= $2`, org, now))
		})
	})
}

// eachOrganization calls f for every organization there is.
func (s *Store) eachOrganization(ctx context.Context, f func(org db.ID) error) error {
	return s.eachOf(ctx, `SELECT id FROM organization ORDER BY id`, f)
}

// eachWithEntries calls f with every organization that the audit log may have entries of, those that are gone too.
func (s *Store) eachWithEntries(ctx context.Context, f func(org db.ID) error) error {
	return s.eachOf(ctx, `SELECT id FROM organization UNION SELECT id FROM gone_organization ORDER BY id`, f)
}

// eachOf calls f with the organizations that a statement selects.
func (s *Store) eachOf(ctx context.Context, sql string, f func(org db.ID) error) error {
	var orgs []db.ID
	if err := s.engine.Once(ctx, db.ID{}, db.Each(func(r db.Rows) error {
		var org db.ID
		err := r.Scan(&org)
		orgs = append(orgs, org)
		return err
	}, sql)); err != nil {
		return err
	}
	for _, org := range orgs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := f(org); err != nil {
			return err
		}
	}
	return nil
}
