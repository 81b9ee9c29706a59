package store

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/internal/store/db"
)

// A result names motion tables, which live as long as a recording or a result has
// them; and it has rows of people, which go with them.

// forget removes some parts of a job that has ended. Before the first of them go, what
// was made of them is removed, and nobody sees the result any more.
func (w *writeTx) forget(jobID string, begun bool) (left bool, err error) {
	if !begun {
		if err := w.forgetFiles(jobID); err != nil {
			return false, err
		}
		if err := w.Do(db.Exec(`UPDATE export_build SET erased = 1, lease = 0, version = version + 1 WHERE organization = $1 AND job = $2`, w.Org, jobID)); err != nil {
			return false, err
		}
	}
	if left, err = w.forgetSome(jobID); err != nil || left {
		return left, err
	}
	w.Erased = true
	return false, w.Do(db.Exec(`UPDATE export_build SET parts = 0, skipped = 0 WHERE organization = $1 AND job = $2`,
		w.Org, jobID))
}

// forgottenAtOnce bounds what is removed in one transaction: others write as well.
const forgottenAtOnce = 500

// forgetSome removes some parts of a job, and all its sums with the last.
func (w *writeTx) forgetSome(jobID string) (left bool, err error) {
	var tables []string
	count, last := 0, int64(0)
	if err := w.Do(db.Each(func(r db.Rows) error {
		var name string
		err := r.Scan(&last, &name)
		count++
		if !slices.Contains(tables, name) {
			tables = append(tables, name)
		}
		return err
	}, `SELECT n, motion_table FROM export_part WHERE organization = $1 AND job = $2 ORDER BY n LIMIT $3`, w.Org, jobID,
		forgottenAtOnce)); err != nil {
		return false, err
	}
	if err := w.Do(db.Exec(`DELETE FROM export_part WHERE organization = $1 AND job = $2 AND n <= $3`, w.Org, jobID,
		last)); err != nil {
		return false, err
	}
	if err := w.discardUnnamed(tables...); err != nil || count == forgottenAtOnce {
		return true, err
	}
	var skips int64
	some := db.Exec(`DELETE FROM export_skip WHERE organization = $1 AND job = $2 AND session_id IN (SELECT session_id FROM export_skip WHERE organization = $1 AND job = $2 ORDER BY session_id LIMIT $3)`, w.Org, jobID, forgottenAtOnce)
	some.Affected = &skips
	if err := w.Do(some); err != nil || skips == forgottenAtOnce {
		return true, err
	}
	return false, w.Do(db.Exec(`DELETE FROM export_reason WHERE organization = $1 AND job = $2`, w.Org, jobID),
		db.Exec(`DELETE FROM export_block WHERE organization = $1 AND job = $2`, w.Org, jobID),
		db.Exec(`DELETE FROM export_column WHERE organization = $1 AND job = $2`, w.Org, jobID))
}

// discardUnnamed has motion tables erased that neither a recording nor a result has.
func (w *writeTx) discardUnnamed(tables ...string) error {
	for _, name := range tables {
		if name == "" {
			continue
		}
		named, err := w.named(name)
		if err != nil {
			return err
		}
		if !named {
			if err := w.discard("", name); err != nil {
				return err
			}
		}
	}
	return nil
}

// named says whether a recording or a result has a motion table.
func (w *writeTx) named(table string) (named bool, err error) {
	err = w.Do(db.One(db.Into(&named),
		`SELECT EXISTS (SELECT 1 FROM export_part WHERE organization = $1 AND motion_table = $2) OR EXISTS (SELECT 1 FROM recording WHERE organization = $1 AND motion_table = $2)`, w.Org, table))
	return named, err
}

// withdraw takes the rows of captures out of every result, finished or not.
func (w *writeTx) withdraw(sessions []string) error {
	for part := range slices.Chunk(sessions, writeChunk) {
		in, args := parameterList(w.Org, part, func(session string) any { return session })
		gone, err := w.withdrawWhere(`session_id IN (`+in+`)`, args...)
		if err != nil {
			return err
		}
		w.Erased = w.Erased || len(gone) > 0
		if err := w.withdrawSkips(in, args); err != nil {
			return err
		}
	}
	return nil
}

// withdrawSkips takes captures off what was left out.
func (w *writeTx) withdrawSkips(in string, args []any) error {
	type share struct {
		job, reason string
		captures    int64
	}
	var shares []share
	if err := w.Do(db.Each(func(r db.Rows) error {
		var s share
		err := r.Scan(&s.job, &s.reason, &s.captures)
		shares = append(shares, s)
		return err
	}, `SELECT job, reason, count(*) FROM export_skip WHERE organization = $1 AND session_id IN (`+
		in+`) GROUP BY job, reason ORDER BY job, reason`, args...)); err != nil || len(shares) == 0 {
		return err
	}
	statements := []db.Statement{db.Exec(`DELETE FROM export_skip WHERE organization = $1 AND session_id IN (`+in+`)`,
		args...)}
	for _, s := range shares {
		statements = append(statements,
			db.Exec(`UPDATE export_build SET skipped = skipped - $3 WHERE organization = $1 AND job = $2`, w.Org, s.job,
				s.captures),
			db.Exec(`UPDATE export_reason SET captures = captures - $4 WHERE organization = $1 AND job = $2 AND reason = $3`, w.Org, s.job, s.reason, s.captures))
	}
	return w.Do(statements...)
}

// withdrawWhere removes parts and takes their rows off the sums. It gives the captures
// of the parts that were there.
func (w *writeTx) withdrawWhere(condition string, args ...any) (sessions []string, err error) {
	type sum struct {
		job   string
		block int64
	}
	rowsOf, partsOf := map[sum]int64{}, map[string]int64{}
	var order []sum
	var tables []string
	lost := map[string]*uses{}
	if err := w.Do(db.Each(func(r db.Rows) error {
		var k sum
		var n, count int64
		var session, table, text, shape string
		var raw []byte
		var rate float64
		if err := r.Scan(&k.job, &n, &session, &count, &table, &text, &raw, &rate, &shape); err != nil {
			return err
		}
		if lost[k.job] == nil {
			lost[k.job] = newUses(export.Shape(shape))
		}
		if export.Shape(shape) != export.RowPerAthlete { // whose columns are always the same
			var f facts
			info, err := infoOf(raw, rate)
			if err := errors.Join(err, json.Unmarshal([]byte(text), &f)); err != nil {
				return err
			}
			lost[k.job].add(info, f, export.NewNames(export.Shape(shape), nil))
		}
		k.block = n / blockParts
		if _, ok := rowsOf[k]; !ok {
			order = append(order, k)
		}
		rowsOf[k] += count
		partsOf[k.job]++
		sessions = append(sessions, session)
		if !slices.Contains(tables, table) {
			tables = append(tables, table)
		}
		return nil
	}, `SELECT job, n, session_id, row_count, motion_table, facts, info, rate,
(SELECT b.shape FROM export_build b WHERE b.organization = export_part.organization AND b.job = export_part.job)
FROM export_part WHERE organization = $1 AND `+condition+` ORDER BY job, n FOR UPDATE`, args...)); err != nil || len(order) == 0 {
		return nil, err
	}
	statements := []db.Statement{db.Exec(`DELETE FROM export_part WHERE organization = $1 AND `+condition, args...)}
	jobs := map[string]int64{}
	var names []string
	for _, k := range order {
		statements = append(statements,
			db.Exec(`UPDATE export_block SET row_count = row_count - $4 WHERE organization = $1 AND job = $2 AND block = $3`, w.Org, k.job, k.block, rowsOf[k]))
		if _, ok := jobs[k.job]; !ok {
			names = append(names, k.job)
		}
		jobs[k.job] += rowsOf[k]
	}
	for _, name := range names {
		statements = append(statements, lost[name].takeOff(w.Org, name)...)
		statements = append(statements,
			db.Exec(`UPDATE export_build SET row_count = row_count - $3, parts = parts - $4, version = version + 1 WHERE organization = $1 AND job = $2`, w.Org, name, jobs[name], partsOf[name]))
	}
	if err := w.Do(statements...); err != nil {
		return nil, err
	}
	if err := w.withdrawFiles(names); err != nil {
		return nil, err
	}
	if err := w.resultsChanged(names); err != nil {
		return nil, err
	}
	return sessions, w.discardUnnamed(tables...)
}

// withdrawAthlete takes a person out of every result, and out of what was asked for.
func (w *writeTx) withdrawAthlete(key db.ID) error {
	gone, err := w.withdrawWhere(`athlete = $2`, w.Org, key) // of captures that are shared
	if err != nil {
		return err
	}
	w.Erased = w.Erased || len(gone) > 0
	return w.Do(db.Exec(`UPDATE export_build SET request = replace(request, $2, $3) WHERE organization = $1 AND request LIKE $4`,
		w.Org, quoted(key), quoted(db.ID{}), "%"+quoted(key)+"%"))
}

// quoted is the id of an athlete as a request that is kept has it. Without the quotes it might be a part of the id of a
// capture that the request names.
func quoted(athlete db.ID) string { return `"` + athlete.String() + `"` }
