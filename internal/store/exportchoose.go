package store

import (
	"math"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/store/db/stringjson"
	"github.com/kinebase/kinebase/organization"
)

// chosen is a capture that an export is about, for one athlete, as the snapshot has it.
type chosen struct {
	sortTime int64
	session  string
	athlete  db.ID
	facts    facts
}

// facts are what every row of a capture and athlete says.
type facts struct {
	Name        string            `json:"name,omitempty"` // the athlete's
	Activity    *string           `json:"activity,omitempty"`
	Movement    *string           `json:"movement,omitempty"`
	Dimensions  map[string]string `json:"dimensions,omitempty"` // those that the pair has
	CaptureTime *int64            `json:"capture_time,omitempty"`
	FPS         *float64          `json:"fps,omitempty"`
}

// bounds are what a request says of time, in terms of columns.
type bounds struct {
	firstSort, lastSort int64 // sort_time, which is minus the capture time; the last are those without one
	from, to            int64 // updated_at
}

func boundsOf(r export.Request) bounds {
	b := bounds{math.MinInt64, math.MaxInt64, math.MinInt64, math.MaxInt64}
	switch {
	case r.DateMode == export.ByLastModified:
		if r.Start != nil {
			b.from = db.Micros(*r.Start)
		}
		if r.End != nil {
			b.to = db.Micros(*r.End) - 1
		}
	case r.Start != nil || r.End != nil:
		b.lastSort-- // who asks for a range does not mean what has no time
		if r.Start != nil {
			b.lastSort = -db.Micros(*r.Start)
		}
		if r.End != nil {
			b.firstSort = -db.Micros(*r.End) + 1
		}
	}
	return b
}

const chosenSQL = `SELECT r.sort_time, r.session_id, r.athlete, COALESCE(a.first_name, ''), COALESCE(a.last_name, ''), c.activity, c.movement, c.dimensions, c.fps
FROM capture_row r CROSS JOIN capture c LEFT JOIN athlete a ON a.organization = r.organization AND a.id = r.athlete
WHERE r.organization = $1 AND r.sort_time >= $2 AND r.sort_time <= $3 AND (r.sort_time, r.session_id, r.athlete) > ($4, $5, $6)
AND c.organization = r.organization AND c.session_id = r.session_id AND c.status = 'completed' AND c.updated_at >= $7 AND c.updated_at <= $8`

const chosenOrder = ` ORDER BY r.sort_time, r.session_id, r.athlete LIMIT $9`

// eachChosen calls f for every capture and athlete that a request is about, until it
// gives false: in the order of the list of captures, one athlete after the other where
// athletes are named.
func (s *Store) eachChosen(t db.Tx, org db.ID, r export.Request, f func(chosen) (bool, error)) error {
	if len(r.Athletes) == 0 {
		_, err := s.walkChosen(t, org, r, chosenSQL+chosenOrder, nil, f)
		return err
	}
	for _, a := range r.Athletes {
		key, _ := organization.ParseID(a)
		more, err := s.walkChosen(t, org, r, chosenSQL+` AND r.athlete = $10`+chosenOrder, []any{key}, f)
		if err != nil || !more {
			return err
		}
	}
	return nil
}

// chosenPage is how many are read at a time: f may take its time, and an open
// statement would keep the connection.
const chosenPage = 500

func (s *Store) walkChosen(t db.Tx, org db.ID, r export.Request, sql string, athlete []any,
	f func(chosen) (bool, error)) (more bool, err error) {
	filter, b := capture.Filter{Activity: r.Activity, Movement: r.Movement}, boundsOf(r)
	last := chosen{sortTime: math.MinInt64}
	for {
		var page []chosen
		if err := t.Do(db.Each(func(row db.Rows) error {
			c, err := scanChosen(row)
			page = append(page, c)
			return err
		}, sql, append([]any{org, b.firstSort, b.lastSort, last.sortTime, last.session, last.athlete, b.from, b.to,
			chosenPage}, athlete...)...)); err != nil {
			return false, err
		}
		for _, c := range page {
			labels := capture.Capture{Activity: c.facts.Activity, Movement: c.facts.Movement}
			if !filter.Match(labels.Combination()) {
				continue
			}
			if more, err := f(c); err != nil || !more {
				return false, err
			}
		}
		if len(page) < chosenPage {
			return true, nil
		}
		last = page[len(page)-1]
	}
}

func scanChosen(row db.Rows) (c chosen, err error) {
	var first, family, text string
	if err := row.Scan(&c.sortTime, &c.session, &c.athlete, &first, &family, &c.facts.Activity, &c.facts.Movement,
		&text, &c.facts.FPS); err != nil {
		return c, err
	}
	c.facts.Name = fullName(first, family)
	if c.sortTime != math.MaxInt64 {
		at := -c.sortTime
		c.facts.CaptureTime = &at
	}
	var dimensions map[string]string
	if err := stringjson.Decode(text, &dimensions); err != nil {
		return c, err
	}
	if c.facts.Activity == nil || c.facts.Movement == nil {
		return c, nil
	}
	for _, name := range capture.Dimensions(*c.facts.Activity, *c.facts.Movement) {
		if value, ok := dimensions[name]; ok {
			if c.facts.Dimensions == nil {
				c.facts.Dimensions = map[string]string{}
			}
			c.facts.Dimensions[name] = value
		}
	}
	return c, nil
}
