package store

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// The bytes of the files of an organization's captures are summed up where they change: each
// transaction adds to one row of recording_bytes what came and went with it, files as
// they came (bytes) and what was made of them (made). A file counts while a recording
// names it; what waits to be erased does not.

// byteBuckets is in how many rows the bytes of an organization's files are summed up:
// whoever adds to one waits for those alone that add to the same. They are numbered from
// 1. The row 0 is that of files which came while there was a bound: whoever holds it is
// the only one that may find room, for bytes or for captures.
const byteBuckets = 16

// weigh notes that so many bytes came, or went if below 0.
func (w *writeTx) weigh(sent, made int64) {
	w.sent += sent
	w.made += made
}

// settle writes what a transaction has summed up, and the entry of its act, at its end, so that it holds the row
// for a moment.
func (w *writeTx) settle() error {
	if err := w.countColumns(); err != nil {
		return err
	}
	if err := w.note(); err != nil {
		return err
	}
	if err := w.tellAll(); err != nil {
		return err
	}
	if w.sent == 0 && w.made == 0 {
		return nil
	}
	bucket := 0
	if !w.alone {
		bucket = 1 + rand.IntN(byteBuckets)
	}
	return w.Do(db.Exec(`INSERT INTO recording_bytes (organization, bucket, bytes, made) VALUES ($1, $2, $3, $4)
ON CONFLICT (organization, bucket) DO UPDATE SET bytes = recording_bytes.bytes + excluded.bytes, made = recording_bytes.made + excluded.made`, w.Org, bucket, w.sent, w.made))
}

// fileBytes reads the sums.
func fileBytes(org db.ID, sent, made *int64) db.Statement {
	return db.One(db.Into(sent, made),
		`SELECT COALESCE(SUM(bytes), 0), COALESCE(SUM(made), 0) FROM recording_bytes WHERE organization = $1`, org)
}

// fit notes a file and what was made of it, as weigh does, and refuses what does not fit:
// upload.ErrNoRoom, with which nothing is noted. Until its end the transaction is the
// only one that does so for the organization.
func (s *Store) fit(w *writeTx, sent, made int64) error {
	allowed, err := s.fileRoom(w, w.Org)
	if err != nil {
		return err
	}
	if allowed == 0 || sent+made <= 0 {
		w.weigh(sent, made)
		return nil
	}
	if err := w.keepApart(); err != nil {
		return err
	}
	// A statement of its own: it sees what was committed while the lock was waited for.
	if err := s.take(w, sent+made); err != nil {
		return err
	}
	w.weigh(sent, made)
	return nil
}

// keepApart has the transaction be the only one, until its end, that finds room for what comes to the
// organization. What the next statement reads was committed while this one waited.
func (w *writeTx) keepApart() error {
	if w.alone {
		return nil
	}
	var locked int64
	w.alone = true
	return w.Do(db.Exec(`INSERT INTO recording_bytes (organization, bucket, bytes, made) VALUES ($1, 0, 0, 0) ON CONFLICT DO NOTHING`, w.Org),
		db.One(db.Into(&locked), `SELECT bucket FROM recording_bytes WHERE organization = $1 AND bucket = 0 FOR UPDATE`,
			w.Org))
}

// take says whether so many bytes fit now, with what the transaction has noted.
func (s *Store) take(w *writeTx, size int64) error {
	allowed, err := s.fileRoom(w, w.Org)
	if err != nil || allowed == 0 {
		return err
	}
	var sent, made int64
	if err := w.Do(fileBytes(w.Org, &sent, &made)); err != nil {
		return err
	}
	return s.counted(upload.Room{Used: sent + made + w.sent + w.made, Allowed: allowed}.Take(size))
}

// counted counts a refusal for want of room.
func (s *Store) counted(err error) error {
	if errors.Is(err, upload.ErrNoRoom) {
		s.full.Add(1)
	}
	return err
}

// NoRoom is how many files and reservations found no room so far, by this process.
func (s *Store) NoRoom() int64 { return s.full.Load() }

// Room is what the organization's files take, and may take.
func (s *Store) Room(ctx context.Context, sc organization.Scope) (upload.Room, error) {
	org := sc.Organization
	var room upload.Room
	err := s.engine.Read(ctx, org, func(t db.Tx) (err error) {
		room = upload.Room{}
		if room.Allowed, err = s.fileRoom(t, org); err != nil || room.Allowed == 0 {
			return err
		}
		var sent, made int64
		err = t.Do(fileBytes(org, &sent, &made))
		room.Used = sent + made
		return err
	})
	return room, db.ToFault(err)
}

// unmeasured is a condition, of which there is an index.
const unmeasured = `(derived_bytes < 0 OR table_bytes < 0)`

// Unmeasured gives captures whose derived files and tables were made when nobody noted
// how large they are.
func (s *Store) Unmeasured(ctx context.Context, sc organization.Scope, after string, limit int) ([]upload.Stored,
	error) {
	org := sc.Organization
	var list []upload.Stored
	err := s.engine.Once(ctx, org, db.Each(func(r db.Rows) error {
		var one upload.Stored
		err := r.Scan(&one.Capture.SessionID, &one.Derived, &one.Table, &one.Samples)
		list = append(list, one)
		return err
	}, `SELECT session_id, derived, motion_table, samples FROM recording /*+ INDEXED BY recording_unmeasured */
WHERE organization = $1 AND session_id > $2 AND `+unmeasured+` ORDER BY session_id LIMIT $3`, org, after, limit))
	return list, db.ToFault(err)
}

// Measured says what they weigh.
func (s *Store) Measured(ctx context.Context, sc organization.Scope, of upload.Stored, derivedBytes,
	tableBytes int64) error {
	org := sc.Organization
	return db.ToFault(s.write(ctx, org, func(w *writeTx) error {
		derived, tables, found := int64(0), int64(0), false
		if err := w.Do(db.Each(func(r db.Rows) error {
			found = true
			return r.Scan(&derived, &tables)
		}, `SELECT derived_bytes, table_bytes FROM recording WHERE organization = $1 AND session_id = $2 AND derived = $3 AND motion_table = $4 AND samples = $5 FOR UPDATE`,
			org, of.Capture.SessionID, of.Derived, of.Table, of.Samples)); err != nil || !found {
			return err
		}
		if derived < 0 {
			w.weigh(0, derivedBytes)
			derived = derivedBytes
		}
		if tables < 0 {
			w.weigh(0, tableBytes)
			tables = tableBytes
		}
		return w.Do(db.Exec(`UPDATE recording SET derived_bytes = $3, table_bytes = $4 WHERE organization = $1 AND session_id = $2`, org, of.Capture.SessionID, derived, tables))
	}))
}
