package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
)

// The columns of recordings are counted where they change. Most recordings of an organization have the
// columns of many others, so that what is counted is whole sets of columns, by activity and movement. A
// transaction appends what it adds or takes away to column_delta, which waits for nobody, and the fold moves
// it into column_count. The row of a recording says as what it is counted, so that exactly that is taken away
// again. A set that nobody has any more goes at once, or with the next fold where one is under way: names of
// columns may be names of people.

// columnKey is what is counted.
type columnKey struct{ hash, activity, movement string }

// String is the key as recordings have it.
func (k columnKey) String() string {
	if k.hash == "" {
		return ""
	}
	return k.hash + "\n" + k.activity + "\n" + k.movement
}

// parseColumnKey reads one; labels hold no line feed.
func parseColumnKey(s string) columnKey {
	part := append(strings.SplitN(s, "\n", 3), "", "", "")
	return columnKey{part[0], part[1], part[2]}
}

// columnChange is what a transaction adds to a count, or takes away.
type columnChange struct {
	captures int64
	columns  []byte // empty where it only takes away
}

const insertDelta = `INSERT INTO column_delta (organization, id, hash, activity, movement, captures, columns) VALUES `

// delta is the row of a change.
func (k columnKey) delta(org db.ID, c *columnChange) []any {
	return []any{org, organization.NewID(), k.hash, k.activity, k.movement, c.captures, append([]byte{}, c.columns...)}
}

// recount has the columns of a capture's recording counted again at the end of the transaction.
func (w *writeTx) recount(session string) {
	if w.recounts == nil {
		w.recounts = map[string]bool{}
	}
	w.recounts[session] = true
}

// count adds to the count of a key.
func (w *writeTx) count(k columnKey, captures int64, columns []byte) {
	if k.hash == "" {
		return
	}
	if w.columns == nil {
		w.columns = map[columnKey]*columnChange{}
	}
	c := w.columns[k]
	if c == nil {
		c = &columnChange{}
		w.columns[k] = c
	}
	if c.captures += captures; len(columns) > 0 {
		c.columns = columns
	}
}

// countColumns counts what the transaction has changed.
func (w *writeTx) countColumns() error {
	for part := range slices.Chunk(slices.Sorted(maps.Keys(w.recounts)), writeChunk) {
		if err := w.countAgain(part); err != nil {
			return err
		}
	}
	keys := slices.SortedFunc(maps.Keys(w.columns), func(a, b columnKey) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.activity, b.activity),
			cmp.Compare(a.movement, b.movement))
	})
	var rows [][]any
	for _, k := range keys {
		if c := w.columns[k]; c.captures != 0 {
			rows = append(rows, k.delta(w.Org, c))
		}
	}
	if len(rows) == 0 {
		return nil
	}
	w.touched = true // it is to be folded
	if err := w.Do(insertMany(insertDelta, rows)...); err != nil {
		return err
	}
	for _, k := range keys {
		if w.columns[k].captures >= 0 {
			continue
		}
		if err := w.forgetColumns(k); err != nil {
			return err
		}
	}
	return nil
}

// countAgain looks at recordings, counts them as what they are now and no longer as what they were.
func (w *writeTx) countAgain(sessions []string) error {
	in, args := parameterList(w.Org, sessions, func(session string) any { return session })
	var changed []db.Statement
	if err := w.Do(db.Each(func(row db.Rows) error {
		var c capture.Capture
		var was *string
		var rate float64
		var status string
		var info []byte
		if err := row.Scan(&c.SessionID, &was, &rate, &status, &c.Activity, &c.Movement, &info); err != nil {
			return err
		}
		before, now := columnKey{}, columnKey{}
		if was != nil {
			before = parseColumnKey(*was)
		}
		columns := columnsIn(info, rate)
		if columns != nil {
			sum, labels := sha256.Sum256(columns), c.Combination()
			now = columnKey{hex.EncodeToString(sum[:16]), labels.Activity, labels.Movement}
		}
		if was != nil && before == now {
			return nil
		}
		w.count(before, -1, nil)
		w.count(now, 1, columns)
		changed = append(changed,
			db.Exec(`UPDATE recording SET counted = $3 WHERE organization = $1 AND session_id = $2`, w.Org, c.SessionID,
				now.String()))
		return nil
	}, `SELECT r.session_id, r.counted, r.rate, c.status, c.activity, c.movement, CASE WHEN c.status = 'completed' THEN r.info END
FROM recording r JOIN capture c ON c.organization = r.organization AND c.session_id = r.session_id WHERE r.organization = $1 AND r.session_id IN (`+in+`)`, args...)); err != nil {
		return err
	}
	return w.Do(changed...)
}

// columnsIn gives the columns of a recording as they are kept; nil where there are none.
func columnsIn(info []byte, rate float64) []byte {
	var i frames.Info
	if len(info) == 0 || json.Unmarshal(info, &i) != nil {
		return nil
	}
	list := i.Corrected(rate).Columns()
	if len(list) == 0 {
		return nil
	}
	raw, err := json.Marshal(list)
	if err != nil {
		return nil
	}
	return raw
}

// forgetColumns erases what is kept of a set of columns when no recording has it any more. A fold that is under way
// may count meanwhile what was summed here, and somebody else may add: only what was erased is known, and where it is
// not nothing in the sum it is put back as a change.
func (w *writeTx) forgetColumns(k columnKey) error {
	const which = ` WHERE organization = $1 AND hash = $2 AND activity = $3 AND movement = $4`
	var left int64
	if err := w.Do(db.One(db.Into(&left),
		`SELECT CAST(COALESCE(SUM(captures), 0) AS BIGINT) FROM (SELECT captures FROM column_count`+which+
			` UNION ALL SELECT captures FROM column_delta`+which+`) AS every`,
		w.Org, k.hash, k.activity, k.movement)); err != nil || left > 0 {
		return err
	}
	var erased columnChange
	erase := func(table string) db.Statement {
		return db.Each(func(r db.Rows) error {
			var c columnChange
			err := r.Scan(&c.captures, &c.columns)
			erased.captures += c.captures
			if len(c.columns) > 0 {
				erased.columns = c.columns
			}
			return err
		}, `DELETE FROM `+table+which+` RETURNING captures, columns`, w.Org, k.hash, k.activity, k.movement)
	}
	if err := w.Do(erase("column_count"), erase("column_delta")); err != nil || erased.captures == 0 {
		return err
	}
	return w.Do(insertMany(insertDelta, [][]any{k.delta(w.Org, &erased)})...)
}

// columns folds what waits. In its snapshot the changes that are erased are exactly those that were read.
func (f *folding) columns() error {
	changes := map[columnKey]*columnChange{}
	if err := f.t.Do(db.Each(func(r db.Rows) error {
		var k columnKey
		var c columnChange
		if err := r.Scan(&k.hash, &k.activity, &k.movement, &c.captures, &c.columns); err != nil {
			return err
		}
		if sum := changes[k]; sum == nil {
			changes[k] = &c
		} else if sum.captures += c.captures; len(c.columns) > 0 {
			sum.columns = c.columns
		}
		return nil
	}, `SELECT hash, activity, movement, captures, columns FROM column_delta WHERE organization = $1`, f.org)); err !=
		nil || len(changes) == 0 {
		return err
	}
	statements := []db.Statement{db.Exec(`DELETE FROM column_delta WHERE organization = $1`, f.org)}
	for k, c := range changes {
		statements = append(statements,
			db.Exec(`INSERT INTO column_count (organization, hash, activity, movement, captures, columns) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (organization, hash, activity, movement) DO UPDATE SET captures = column_count.captures + excluded.captures`,
				f.org, k.hash, k.activity, k.movement, c.captures, append([]byte{}, c.columns...)))
	}
	return f.t.Do(append(statements, db.Exec(`DELETE FROM column_count WHERE organization = $1 AND captures <= 0`,
		f.org))...)
}

// uncounted finds recordings that a version of the program has written which counted no columns.
const uncounted = `SELECT session_id FROM recording /*+ INDEXED BY recording_uncounted */
WHERE organization = $1 AND counted IS NULL AND session_id > $2 ORDER BY session_id LIMIT $3`

// countUncounted counts the columns of such recordings.
func (s *Store) countUncounted(ctx context.Context) error {
	return s.eachOutdated(ctx, uncounted, func(w *writeTx, sessions []string) error {
		_, err := s.loadCaptures(w, sessions) // locks them
		for _, session := range sessions {
			w.recount(session)
		}
		return err
	})
}
