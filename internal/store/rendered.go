package store

import (
	"context"
	"strconv"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
)

// Rows are kept as the bytes of their answers. Those that another version of the program has written may look
// otherwise: they are found by an index that has nothing else, and are written again.

// outdatedRows finds captures with such rows.
var outdatedRows = `SELECT DISTINCT session_id FROM capture_row /*+ INDEXED BY capture_row_outdated */
WHERE organization = $1 AND renderer < ` + strconv.Itoa(capture.RowVersion) + ` AND session_id > $2 ORDER BY session_id LIMIT $3`

// renderOutdated writes outdated rows again: when a server starts, and now and then, for a server of an older
// version may still write some.
func (s *Store) renderOutdated(ctx context.Context) error {
	return s.eachOutdated(ctx, outdatedRows, s.render)
}

// eachOutdated has captures of every organization written again, a chunk a transaction. The query finds them behind a
// session id, in that order.
func (s *Store) eachOutdated(ctx context.Context, query string, again func(w *writeTx, sessions []string) error) error {
	return s.eachOrganization(ctx, func(org db.ID) error {
		for after := ""; ; { // forward alone: what could not be written again must not hold up what is behind it
			var sessions []string
			if err := s.engine.Once(ctx, org, db.Each(func(r db.Rows) error {
				var session string
				err := r.Scan(&session)
				sessions = append(sessions, session)
				return err
			}, query, org, after, writeChunk)); err != nil || len(sessions) == 0 {
				return err
			}
			if err := s.write(ctx, org, func(w *writeTx) error { return again(w, sessions) }); err != nil {
				return err
			}
			after = sessions[len(sessions)-1]
		}
	})
}

// render writes the rows of captures again. The captures are as they were: their versions and places in the feed stay.
func (s *Store) render(w *writeTx, sessions []string) error {
	stored, err := s.loadCaptures(w, sessions)
	if err != nil {
		return err
	}
	for _, session := range sessions {
		c := stored[session]
		if c == nil {
			continue // it went before it was locked
		}
		athletes := c.AthleteIDs
		if len(athletes) == 0 {
			athletes = []string{""}
		}
		key := c.Key()
		for _, a := range athletes {
			athlete, _ := organization.ParseID(a) // "" is nobody, the zero id
			if err := w.Do(db.Exec(`UPDATE capture_row SET body = $5, renderer = $6 WHERE organization = $1 AND sort_time = $2 AND session_id = $3 AND athlete = $4`,
				w.Org, key.Time, session, athlete, c.AppendJSON(nil, a), int64(capture.RowVersion))); err != nil {
				return err
			}
		}
		// The rows that are held in memory are read again, as after any other change of the capture.
		w.change(c.change(true))
		w.change(c.change(false))
	}
	return nil
}
