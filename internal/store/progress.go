package store

import (
	"context"
	"math"
	"slices"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
)

// Progress gives a page of an athlete's progress. What it counts and passes over are entries of
// the index of this athlete's captures, whatever else the organization has; rows and metrics are
// read for the captures of the page alone.
func (s *Store) Progress(ctx context.Context, sc organization.Scope, q capture.ProgressQuery) (body []byte, err error) {
	org := sc.Organization
	key, ok := organization.ParseID(q.AthleteID)
	if !ok {
		return nil, noAthlete()
	}
	err = s.engine.Read(ctx, org, func(t db.Tx) error {
		p := progress{t: t, org: org, athlete: key, q: &q}
		if err := p.choose(s); err != nil {
			return err
		}
		if err := p.readSessions(); err != nil {
			return err
		}
		rows, err := p.readRows()
		if err != nil {
			return err
		}
		body = q.AppendProgress(nil, rows, p.timed+p.untimed)
		return nil
	})
	return body, db.ToFault(err)
}

// progress makes one page in one snapshot.
type progress struct {
	t       db.Tx
	org     db.ID
	athlete db.ID
	q       *capture.ProgressQuery
	none    bool // no capture has what is asked for
	where   string
	args    []any

	timed, untimed int64    // captures with a time and without one
	sessions       []string // of the page
}

// choose finds the athlete, and makes the condition that captures are chosen by.
func (p *progress) choose(s *Store) error {
	_, find := findAthlete(p.org, p.athlete, "")
	if err := p.t.Do(find); err != nil {
		return err
	}
	selected, err := s.selectCombinations(p.t, p.org, p.q.Filter())
	if err != nil {
		return err
	}
	if p.none = len(selected.numbers) == 0; p.none {
		return nil
	}
	low, high := int64(math.MinInt64), int64(math.MaxInt64) // of those with a time
	if p.q.Captured.Given() {
		low, high = p.q.Captured.Low().Time, p.q.Captured.High().Time
	}
	p.args = []any{p.org, p.athlete, low, high}
	holds, values := selected.holds(len(p.args)+1, p.q.Filter())
	p.args = append(p.args, values...)
	p.where = `FROM capture_row /*+ INDEXED BY capture_row_athlete */ WHERE organization = $1 AND athlete = $2 AND ` + holds
	return nil
}

// The two parts of the order: the index has them the other way round. The plus signs keep
// PostgreSQL from going along the whole organization's list instead, of which it expects a range
// of times to be a small part.
const (
	withTime    = ` AND +sort_time >= $3 AND +sort_time < $4`
	withoutTime = ` AND +sort_time > $3 AND +sort_time = $4`
	inOrder     = ` ORDER BY sort_time DESC, session_id`
)

// readSessions counts, and finds the captures of the page.
func (p *progress) readSessions() error {
	if p.none {
		return nil
	}
	statements := []db.Statement{db.One(db.Into(&p.timed), `SELECT count(*) `+p.where+withTime, p.args...)}
	if !p.q.Captured.Given() {
		statements = append(statements, db.One(db.Into(&p.untimed), `SELECT count(*) `+p.where+withoutTime, p.args...))
	}
	if err := p.t.Do(statements...); err != nil {
		return err
	}
	limit, offset := int64(p.q.Limit), p.q.Offset
	if err := p.find(withTime+inOrder, p.timed, limit, offset); err != nil {
		return err
	}
	return p.find(withoutTime+inOrder, p.untimed, limit-int64(len(p.sessions)), max(0, offset-p.timed))
}

// find appends the captures of the page that a part of the order has.
func (p *progress) find(part string, has, limit, offset int64) error {
	if limit <= 0 || offset >= has {
		return nil
	}
	n := len(p.args)
	args := append(slices.Clone(p.args), limit, offset)
	return p.t.Do(db.Each(func(r db.Rows) error {
		var session string
		err := r.Scan(&session)
		p.sessions = append(p.sessions, session)
		return err
	}, `SELECT session_id `+p.where+part+` LIMIT `+parameters(n+1, 1)+` OFFSET `+parameters(n+2, 1), args...))
}

// readRows reads what the captures of the page have.
func (p *progress) readRows() ([][]byte, error) {
	found := make(map[string][]byte, len(p.sessions))
	var statements []db.Statement
	for part := range slices.Chunk(p.sessions, writeChunk) {
		in, args := parameterList(p.org, part, func(session string) any { return session })
		statements = append(statements, db.Each(func(r db.Rows) error {
			var session string
			var activity, movement *string
			var row, measured []byte
			if err := r.Scan(&session, &activity, &movement, &row, &measured); err != nil {
				return err
			}
			m, err := frames.ParseMeasured(measured)
			if err == nil {
				found[session], err = p.q.AppendProgressRow(nil, row, activity, movement, m)
			}
			return err
		}, `SELECT c.session_id, c.activity, c.movement, r.body, CASE WHEN f.measured IS NULL THEN f.info ELSE f.measured END
FROM capture c CROSS JOIN capture_row r LEFT JOIN recording f ON f.organization = c.organization AND f.session_id = c.session_id
WHERE c.organization = $1 AND c.session_id IN (`+in+`) AND r.organization = c.organization AND r.sort_time = c.sort_time AND r.session_id = c.session_id AND r.athlete = `+parameters(len(args)+1, 1),
			append(args, p.athlete)...))
	}
	if err := p.t.Do(statements...); err != nil {
		return nil, err
	}
	list := make([][]byte, len(p.sessions))
	for i, session := range p.sessions {
		list[i] = found[session]
	}
	return list, nil
}
