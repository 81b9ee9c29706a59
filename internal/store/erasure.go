package store

import (
	"context"
	"slices"
	"time"

	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
)

// A file is named in erasure before its first byte is stored, and again when it
// belongs to nobody any more; in between, while a recording has it, it is not
// there. What a name in erasure stands for is removed when it is due, so that
// neither a crash nor a failing disk leaves a file behind for good.
//
// A due below zero is that of a name whose capture has gone, or whose worker is
// taken for dead, while its file was being stored: it is due at once, and once more
// at the moment until which it was expected. For its file may be there only after
// the first removal, and whoever stores it may die before saying so.

// expect notes names that are being stored, for a capture.
func (w *writeTx) expect(session string, until time.Time, names ...string) error {
	var list []db.Statement
	for _, name := range names {
		list = append(list, db.Exec(
			`INSERT INTO erasure (organization, name, session_id, due) VALUES ($1, $2, $3, $4) ON CONFLICT (organization, name) DO UPDATE SET due = excluded.due`, w.Org, name, session, db.Micros(until)))
	}
	w.Enqueue(job.Job{Work: job.Erase, Organization: w.Org.String(), At: until})
	return w.Do(list...)
}

// adopt takes names out of erasure: a recording has them from now on. One that is
// not there any more has been erased, or is about to be: job.ErrLost.
func (w *writeTx) adopt(names ...string) error {
	for _, name := range names {
		if name == "" {
			continue
		}
		var n int64
		found := db.Exec(`DELETE FROM erasure WHERE organization = $1 AND name = $2 AND due > $3`, w.Org, name,
			db.Micros(time.Now()))
		found.Affected = &n
		if err := w.Do(found); err != nil {
			return err
		}
		if n == 0 {
			return job.ErrLost
		}
	}
	return nil
}

// discard has names erased at once.
func (w *writeTx) discard(session string, names ...string) error {
	var list []db.Statement
	for _, name := range names {
		if name != "" {
			list = append(list, db.Exec(
				`INSERT INTO erasure (organization, name, session_id, due) VALUES ($1, $2, $3, 0) ON CONFLICT (organization, name) DO UPDATE SET due = 0`, w.Org, name, session))
		}
	}
	if len(list) == 0 {
		return nil
	}
	w.eraseSoon()
	return w.Do(list...)
}

// eraseUnfinished removes what a worker noted for the file that it did not finish, and
// removes it once more later: the worker may still be writing it.
func (w *writeTx) eraseUnfinished(session string) error {
	w.eraseSoon()
	return w.Do(db.Exec(`UPDATE erasure SET due = -due WHERE organization = $1 AND session_id = $2 AND due > 0`, w.Org,
		session))
}

// eraseSoon asks for the work that removes what is due.
func (w *writeTx) eraseSoon() { w.Enqueue(job.Job{Work: job.Erase, Organization: w.Org.String()}) }

// discardRecordings has everything erased that captures have, or that is being
// stored for them, and takes their recordings along.
func (w *writeTx) discardRecordings(sessions []string) error {
	if err := w.withdraw(sessions); err != nil {
		return err
	}
	for part := range slices.Chunk(sessions, writeChunk) {
		in, args := parameterList(w.Org, part, func(session string) any { return session })
		var names []string
		owner := map[string]string{}
		var gone []string
		if err := w.Do(db.Each(func(row db.Rows) error {
			var session string
			var r recording
			if err := row.Scan(&session, &r.Original, &r.Derived, &r.Table, &r.Samples, &r.Size, &r.derivedBytes,
				&r.tableBytes, &r.counted); err != nil {
				return err
			}
			w.weigh(-r.Size, -r.made())
			if r.counted != nil {
				w.count(parseColumnKey(*r.counted), -1, nil)
			}
			for _, name := range r.files() {
				names = append(names, name)
				owner[name] = session
			}
			gone = append(gone, session)
			return nil
		}, `SELECT session_id, original, derived, motion_table, samples, size, derived_bytes, table_bytes, counted FROM recording WHERE organization = $1 AND session_id IN (`+in+`) ORDER BY session_id FOR UPDATE`, args...)); err != nil {
			return err
		}
		if len(gone) == 0 {
			continue
		}
		for _, session := range gone {
			if err := w.Do(eraseAnswers(w.Org, captureSubject(session)), db.ForgetSubject(w.Org, session)); err != nil {
				return err
			}
		}
		for _, name := range names {
			if err := w.discard(owner[name], name); err != nil {
				return err
			}
		}
		w.eraseSoon()
		if err := w.Do(
			db.Exec(`UPDATE erasure SET due = -due WHERE organization = $1 AND session_id IN (`+in+`) AND due > 0`,
				args...),
			db.Exec(`DELETE FROM upload_piece WHERE organization = $1 AND session_id IN (`+in+`)`, args...),
			db.Exec(`DELETE FROM upload_partial WHERE organization = $1 AND session_id IN (`+in+`)`, args...),
			db.Exec(`DELETE FROM recording WHERE organization = $1 AND session_id IN (`+in+`)`, args...)); err != nil {
			return err
		}
	}
	return nil
}

// Erasable gives names of files that are to be erased now.
func (s *Store) Erasable(ctx context.Context, sc organization.Scope, limit int) ([]string, error) {
	org := sc.Organization
	var names []string
	err := s.engine.Once(ctx, org, db.Each(func(r db.Rows) error {
		var name string
		err := r.Scan(&name)
		names = append(names, name)
		return err
	}, `SELECT name FROM erasure WHERE organization = $1 AND due <= $2 ORDER BY due, name LIMIT $3`, org,
		db.Micros(s.now()), limit))
	return names, db.ToFault(err)
}

// Erased says that they are gone. One that may still be coming stays, to be removed
// once more.
func (s *Store) Erased(ctx context.Context, sc organization.Scope, names []string) error {
	org := sc.Organization
	return db.ToFault(s.write(ctx, org, func(w *writeTx) error {
		w.Erased = true // a name may hold what a person wrote
		for part := range slices.Chunk(names, writeChunk) {
			in, args := parameterList(org, part, func(name string) any { return name })
			if err := w.Do(
				db.Exec(`DELETE FROM erasure WHERE organization = $1 AND name IN (`+in+`) AND due >= 0`, args...),
				db.Exec(`UPDATE erasure SET due = -due WHERE organization = $1 AND name IN (`+in+`) AND due < 0`,
					args...)); err != nil {
				return err
			}
		}
		return nil
	}))
}

// Forget has names that were expected erased now.
func (s *Store) Forget(ctx context.Context, sc organization.Scope, names ...string) error {
	org := sc.Organization
	return db.ToFault(s.write(ctx, org, func(w *writeTx) error {
		for _, name := range names {
			if err := w.Do(db.Exec(`UPDATE erasure SET due = 0 WHERE organization = $1 AND name = $2`, org,
				name)); err != nil {
				return err
			}
		}
		w.eraseSoon()
		return nil
	}))
}
