package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// Reserve keeps a place for a file: a capture that awaits it, under the next
// number of its group.
func (s *Store) Reserve(ctx context.Context, sc organization.Scope, r upload.Reservation,
	once *organization.Once[upload.Reservation]) (upload.Reservation, error) {
	org := sc.Organization
	group, ok := organization.ParseID(r.Group)
	if !ok {
		return r, fault.New(fault.BadRequest, "session_group_id must be a UUID of 36 characters, and not the nil UUID")
	}
	limited, err := s.limited(ctx, sc, org, once != nil)
	if err != nil {
		return r, err
	}
	asked, until := r, r.Expires
	if r.Resumable { // its pieces may come for long after
		until = s.now().Add(answerLife)
	}
	err = writeOnceFor(ctx, s, org, once, until, &r, func(w *writeTx) (db.ID, error) {
		r = asked
		if err := s.apart(w); err != nil {
			return db.ID{}, err
		}
		if limited {
			if err := s.oneMore(w); err != nil {
				return db.ID{}, err
			}
		}
		i := importing{s: s, w: w}
		present, err := i.present([]manifest.Record{{Capture: &r.Capture}})
		if err != nil {
			return db.ID{}, err
		}
		for _, a := range r.Capture.AthleteIDs {
			if !present[a] {
				return db.ID{}, fault.New(fault.BadRequest, "athlete_id not found")
			}
		}
		if err := s.take(w, 1); err != nil {
			return db.ID{}, err
		}
		number, err := s.nextOf(w, group, r.Capture)
		if err != nil {
			return db.ID{}, err
		}
		r.Capture.SessionID = r.Group + "_" + strconv.FormatInt(number, 10)
		if err := s.putCaptures(w, []capturePut{{Capture: r.Capture, file: &r.FileName}}); err != nil {
			return db.ID{}, err
		}
		w.about("capture", r.Capture.SessionID)
		w.Enqueue(job.Job{Work: job.Expire, Organization: sc.Organization.String(), Subject: r.Capture.SessionID,
			At: r.Expires})
		return captureSubject(r.Capture.SessionID), w.insertRecording(r.Capture.SessionID, &recording{
			Stored: upload.Stored{FileName: r.FileName, Expires: r.Expires, TimeFrom: r.From(),
				Camera: string(r.Camera)},
		})
	})
	return r, err
}

// nextOf gives the next number of a group, which is locked until the end of the
// transaction. A group that has captures already has their athletes and source.
// Numbers are not given again when a capture is deleted.
func (s *Store) nextOf(w *writeTx, group db.ID, c capture.Capture) (int64, error) {
	var last int64
	insert := db.Exec(`INSERT INTO capture_group (organization, id, last) VALUES ($1, $2, 0) ON CONFLICT DO NOTHING`,
		w.Org, group)
	if err := w.Do(insert, db.One(db.Into(&last),
		`SELECT last FROM capture_group WHERE organization = $1 AND id = $2 FOR UPDATE`, w.Org, group)); err != nil {
		return 0, err
	}
	// Captures of a group may also have come by import: then nobody has counted them.
	prefix, end := group.String()+"_", group.String()+"`" // ` follows _
	member := ""
	if last == 0 {
		if err := w.Do(db.Each(func(r db.Rows) error {
			if err := r.Scan(&member); err != nil {
				return err
			}
			if n, err := strconv.ParseInt(strings.TrimPrefix(member, prefix), 10, 64); err == nil {
				last = max(last, n)
			}
			return nil
		}, `SELECT session_id FROM capture WHERE organization = $1 AND session_id >= $2 AND session_id < $3 ORDER BY session_id`, w.Org, prefix, end)); err != nil {
			return 0, err
		}
	} else if err := w.Do(db.Each(func(r db.Rows) error { return r.Scan(&member) },
		`SELECT session_id FROM capture WHERE organization = $1 AND session_id >= $2 AND session_id < $3 ORDER BY session_id LIMIT 1`, w.Org, prefix, end)); err != nil {
		return 0, err
	}
	if member != "" {
		found, err := s.loadCaptures(w, []string{member})
		if err != nil {
			return 0, err
		}
		if old := found[member]; old != nil {
			if old.Source != c.Source {
				return 0, fault.New(fault.Conflict,
					"session_group_id names a group whose captures have another source (%s)", old.Source)
			}
			if !slices.Equal(sorted(old.AthleteIDs), sorted(c.AthleteIDs)) {
				return 0, fault.New(fault.Conflict,
					"session_group_id names a group whose captures are of other athletes")
			}
		}
	}
	for taken := true; taken; {
		last++
		if err := w.Do(db.One(db.Into(&taken),
			`SELECT EXISTS (SELECT 1 FROM capture WHERE organization = $1 AND session_id = $2)`, w.Org,
			prefix+strconv.FormatInt(last, 10))); err != nil {
			return 0, err
		}
	}
	if last > 1<<31 {
		return 0, fault.New(fault.Conflict, "session_group_id names a group that is full")
	}
	return last, w.Do(db.Exec(`UPDATE capture_group SET last = $3 WHERE organization = $1 AND id = $2`, w.Org, group,
		last))
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

// captureSubject is the id under which answers about a capture are kept.
func captureSubject(session string) db.ID {
	sum := sha256.Sum256([]byte("capture\n" + session))
	return db.ID(sum[:16])
}

// Secret gives a secret that all servers on this database share, made by the first
// that asks for it.
func (s *Store) Secret(ctx context.Context, name string, fresh []byte) ([]byte, error) {
	var value []byte
	find := db.One(db.Into(&value), `SELECT value FROM secret WHERE name = $1`, name)
	err := s.engine.Once(ctx, db.ID{}, find)
	if !errors.Is(err, db.ErrNoRow) {
		return value, db.ToFault(err)
	}
	err = s.write(ctx, db.ID{}, func(w *writeTx) error {
		value = nil
		return w.Do(
			db.Exec(`INSERT INTO secret (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING`, name, fresh), find)
	})
	if errors.Is(err, db.ErrNoRow) {
		err = errors.New("the secret is gone")
	}
	return value, db.ToFault(err)
}
