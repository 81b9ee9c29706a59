package store

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/feed"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/store/db/stringjson"
	"github.com/kinebase/kinebase/internal/store/tally"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/webhook"
)

// A capture is kept twice: its fields in capture, and in capture_row once for
// each linked athlete (once for nobody when there is none) as the bytes of the
// answer, in the order of the list. A page is then a walk along neighbours.

// storedCapture is a capture as it is in the database.
type storedCapture struct {
	capture.Capture
	combination uint32
	version     int64
	created     int64
	updated     int64
	file        *string // the name of its file, "" without one; nil: its rows are older than this column

	read struct { // as the columns have it, until it is settled
		sortTime, combination int64
		status, dimensions    string
	}
}

const captureColumns = `session_id, sort_time, combination, source, status, activity, movement, dimensions, error, fps, version, created_at, updated_at`

// into are the places of captureColumns; settle follows.
func (c *storedCapture) into() []any {
	return []any{&c.SessionID, &c.read.sortTime, &c.read.combination, &c.Source, &c.read.status, &c.Activity,
		&c.Movement, &c.read.dimensions, &c.Error, &c.FPSDetected, &c.version, &c.created, &c.updated}
}

func (c *storedCapture) settle() error {
	c.Status, c.combination = capture.Status(c.read.status), uint32(c.read.combination)
	if c.read.sortTime != math.MaxInt64 {
		t := db.FromMicros(-c.read.sortTime)
		c.CaptureTime = &t
	}
	return stringjson.Decode(c.read.dimensions, &c.Dimensions)
}

// Capture gives one on the wire, with its first linked athlete.
func (s *Store) Capture(ctx context.Context, sc organization.Scope, sessionID string,
	include capture.Include) (capture.Answer, error) {
	org := sc.Organization
	var err error
	var a capture.Answer
	var version int64
	row := rowOf{session: sessionID}
	find := db.Statement{
		SQL: `SELECT r.body, c.version, r.athlete FROM capture c CROSS JOIN capture_row r
WHERE c.organization = $1 AND c.session_id = $2 AND r.organization = c.organization AND r.sort_time = c.sort_time AND r.session_id = c.session_id AND r.place = 0`,
		Args: []any{org, sessionID},
		Read: func(r db.Rows) error {
			if !r.Next() {
				if err := r.Err(); err != nil {
					return err
				}
				return fault.New(fault.NotFound, "there is no such capture")
			}
			return r.Scan(&a.Body, &version, &row.athlete)
		},
	}
	if !include.Rows() {
		err = s.engine.Once(ctx, org, find)
	} else {
		err = s.engine.Read(ctx, org, func(t db.Tx) error {
			if err := t.Do(find); err != nil {
				return err
			}
			more, err := included(t, org, include, []rowOf{row})
			if err == nil {
				a.Body = capture.AppendRow(nil, a.Body, include, &more[0])
			}
			return err
		})
	}
	if err == nil {
		a.Tag = tag(version, a.Body)
	}
	return a, db.ToFault(err)
}

// writeChunk is how many captures are read, locked and written at a time.
const writeChunk = 64

// loadCaptures reads and locks captures, in the order of their ids so that two
// transactions never wait for each other.
func (s *Store) loadCaptures(w *writeTx, sessions []string) (map[string]*storedCapture, error) {
	found := make(map[string]*storedCapture, len(sessions))
	for part := range slices.Chunk(sessions, writeChunk) {
		in, args := parameterList(w.Org, part, func(session string) any { return session })
		if err := w.Do(db.Each(func(r db.Rows) error {
			c := new(storedCapture)
			if err := r.Scan(c.into()...); err != nil {
				return err
			}
			found[c.SessionID] = c
			return c.settle()
		}, `SELECT `+captureColumns+` FROM capture
WHERE organization = $1 AND session_id IN (`+in+`) ORDER BY session_id FOR UPDATE`, args...)); err != nil {
			return nil, err
		}
		if len(found) == 0 {
			continue
		}
		// The links are read after the lock is held: they are those of the captures
		// as they are now.
		if err := w.Do(db.Each(func(r db.Rows) error {
			var session string
			var athlete db.ID
			var file *string
			if err := r.Scan(&session, &athlete, &file); err != nil {
				return err
			}
			c := found[session]
			if c == nil {
				return nil
			}
			if c.file = file; athlete != (db.ID{}) {
				c.AthleteIDs = append(c.AthleteIDs, athlete.String())
			}
			return nil
		}, `SELECT r.session_id, r.athlete, r.file FROM capture c CROSS JOIN capture_row r
WHERE c.organization = $1 AND c.session_id IN (`+in+`) AND r.organization = c.organization AND r.sort_time = c.sort_time AND r.session_id = c.session_id
ORDER BY r.session_id, r.place`, args...)); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// parameterList makes a list of parameters from $2 on, always of writeChunk so
// that the statement has one text: the last value fills it up. $1 is the
// organization.
func parameterList[T any](org db.ID, values []T, arg func(T) any) (string, []any) {
	args := make([]any, 0, writeChunk+1)
	args = append(args, org)
	for i := range writeChunk {
		args = append(args, arg(values[min(i, len(values)-1)]))
	}
	return writeChunkList, args
}

var writeChunkList = parameters(2, writeChunk)

// parameters lists n parameters from the first on: "$2,$3,$4".
func parameters(first, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('$')
		b.WriteString(strconv.Itoa(first + i))
	}
	return b.String()
}

// capturePut is a capture to write; old is what it replaces. file is the name of its
// file, nil when that is as it was.
type capturePut struct {
	old *storedCapture
	capture.Capture
	file *string
}

// fileName is what its rows say of its file.
func (p *capturePut) fileName() *string {
	switch {
	case p.file != nil:
		return p.file
	case p.old != nil:
		return p.old.file
	}
	return new(string)
}

const (
	captureHead    = `INSERT INTO capture (organization, session_id, sort_time, combination, source, status, activity, movement, dimensions, error, fps, version, created_at, updated_at, changed) VALUES `
	captureRowHead = `INSERT INTO capture_row (organization, sort_time, session_id, athlete, place, combination, body, file, unfinished, renderer) VALUES `
)

// putCaptures writes captures that are new or differ from what is stored, in the
// order of their ids so that two transactions never wait for each other. No
// session id may come twice.
func (s *Store) putCaptures(w *writeTx, puts []capturePut) error {
	slices.SortFunc(puts, func(a, b capturePut) int { return strings.Compare(a.SessionID, b.SessionID) })
	now := db.Micros(s.now())
	fresh := map[capture.Combination]uint32{}
	var before []db.Statement
	var captures, captureRows [][]any
	for i := range puts {
		p := &puts[i]
		n, err := s.intern(w, fresh, p.Combination())
		if err != nil {
			return err
		}
		key := p.Key()
		position, err := w.position()
		if err != nil {
			return err
		}
		was := capture.Status("")
		if p.old != nil {
			was = p.old.Status
		}
		for _, e := range webhook.OfCapture(was, p.Status) {
			if err := w.tell(webhook.Data{Event: e, ID: p.SessionID, Status: string(p.Status)}); err != nil {
				return err
			}
		}
		if p.old != nil {
			before = append(before, deleteRows(w.Org, p.old.Key()),
				db.Exec(`UPDATE capture SET sort_time = $3, combination = $4, source = $5, status = $6, activity = $7, movement = $8, dimensions = $9, error = $10, fps = $11, version = $12, updated_at = $13, changed = $14, changed_at = NULL
WHERE organization = $1 AND session_id = $2`, w.Org, p.SessionID, key.Time, int64(n), p.Source, string(p.Status), p.Activity, p.Movement, stringjson.Encode(p.Dimensions), p.Error, p.FPSDetected, p.old.version+1, max(now, p.old.updated+1), position))
			w.change(p.old.change(true))
			if p.old.Combination() != p.Combination() {
				w.recount(p.SessionID)
			}
		} else {
			captures = append(captures, []any{w.Org, p.SessionID, key.Time, int64(n), p.Source, string(p.Status),
				p.Activity, p.Movement, stringjson.Encode(p.Dimensions), p.Error, p.FPSDetected, int64(1), now,
				now, position})
		}
		begin := len(captureRows)
		athletes := p.AthleteIDs
		if len(athletes) == 0 {
			athletes = []string{""}
		}
		for place, a := range athletes {
			athlete, _ := organization.ParseID(a) // "" is nobody, the zero id
			captureRows = append(captureRows, []any{w.Org, key.Time, p.SessionID, athlete, int64(place), int64(n),
				p.AppendJSON(nil, a), p.fileName(), unfinished(p.Status), int64(capture.RowVersion)})
		}
		stored := storedCapture{Capture: p.Capture, combination: n}
		w.change(stored.change(false))
		if w.sheaf != nil && p.old == nil {
			last := len(captures) - 1
			w.sheaf.put(p.SessionID, captures[last][:len(captures[last])-1], captureRows[begin:])
			captures, captureRows = captures[:last], captureRows[:begin]
		}
	}
	// Rows that are neighbours in the list are written one after the other: many share a page.
	slices.SortStableFunc(captureRows, func(a, b []any) int {
		return cmp.Or(cmp.Compare(a[1].(int64), b[1].(int64)), strings.Compare(a[2].(string), b[2].(string)))
	})
	statements := append(before, insertMany(captureHead, captures)...)
	statements = append(statements, insertMany(captureRowHead, captureRows)...)
	return w.Do(statements...)
}

// unfinished is what a row says of a status by which few captures are listed; nil of the one that
// most have.
func unfinished(status capture.Status) *string {
	if status == capture.Completed {
		return nil
	}
	return (*string)(&status)
}

// change is how the capture comes into the lists, or leaves them.
func (c *storedCapture) change(gone bool) tally.Change {
	t := tally.Change{Key: c.Key(), Combination: c.combination, Gone: gone}
	for _, a := range c.AthleteIDs {
		athlete, _ := organization.ParseID(a)
		t.Athletes = append(t.Athletes, athlete)
	}
	return t
}

func deleteRows(org db.ID, k capture.Key) db.Statement {
	return db.Exec(`DELETE FROM capture_row WHERE organization = $1 AND sort_time = $2 AND session_id = $3`, org,
		k.Time, k.SessionID)
}

// deleteCapture removes a capture with all its rows; its recording is discarded
// beside it.
func (s *Store) deleteCapture(w *writeTx, c *storedCapture) error {
	w.change(c.change(true))
	key := c.Key()
	w.Then(func() { s.finder.drop(w.Org, key) })
	if err := w.buried(feed.Capture, c.SessionID); err != nil {
		return err
	}
	if err := w.tell(webhook.Data{Event: webhook.CaptureDeleted, ID: c.SessionID}); err != nil {
		return err
	}
	if err := w.unshareCapture(c.SessionID); err != nil {
		return err
	}
	return w.Do(deleteRows(w.Org, c.Key()),
		db.Exec(`DELETE FROM capture WHERE organization = $1 AND session_id = $2`, w.Org, c.SessionID))
}

// unlink takes an athlete from captures; a capture that is left with nobody goes, unless it is to stay.
func (s *Store) unlink(w *writeTx, sessions []string, athlete db.ID, alone left) error {
	stored, err := s.loadCaptures(w, sessions)
	if err != nil {
		return err
	}
	var puts []capturePut
	var gone []string
	for _, session := range sessions {
		c := stored[session]
		if c == nil || !slices.Contains(c.AthleteIDs, athlete.String()) {
			continue // it went, or was unlinked, before it was locked
		}
		if len(c.AthleteIDs) == 1 && alone == eraseCaptures {
			if err := s.deleteCapture(w, c); err != nil {
				return err
			}
			gone = append(gone, session)
			continue
		}
		next := c.Capture
		next.AthleteIDs = slices.DeleteFunc(slices.Clone(c.AthleteIDs),
			func(a string) bool { return a == athlete.String() })
		puts = append(puts, capturePut{old: c, Capture: next})
	}
	if err := w.discardRecordings(gone); err != nil {
		return err
	}
	if err := w.eraseAnswersOf(puts); err != nil {
		return err
	}
	return s.putCaptures(w, puts)
}

// eraseAnswersOf removes the stored answers about captures that name an athlete who is erased.
func (w *writeTx) eraseAnswersOf(captures []capturePut) error {
	statements := make([]db.Statement, len(captures))
	for i, c := range captures {
		statements[i] = eraseAnswers(w.Org, captureSubject(c.SessionID))
	}
	return w.Do(statements...)
}

// insertRows is how many rows go into one INSERT.
const insertRows = 32

// insertMany makes INSERTs of rows of equal length, of insertRows rows each and
// one each for the rest, so that there are two texts and not one a length.
func insertMany(head string, values [][]any) []db.Statement {
	var list []db.Statement
	for len(values) > 0 {
		n := 1
		if len(values) >= insertRows {
			n = insertRows
		}
		var b strings.Builder
		b.WriteString(head)
		args := make([]any, 0, n*len(values[0]))
		for i, row := range values[:n] {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString("(" + parameters(len(args)+1, len(row)) + ")")
			args = append(args, row...)
		}
		list = append(list, db.Exec(b.String(), args...))
		values = values[n:]
	}
	return list
}
