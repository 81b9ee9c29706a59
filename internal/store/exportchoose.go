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
	fits     bool // its capture is completed, and was changed within the bounds
	// why no row is chosen of a capture that the request names, which has no athlete then; "" of what is chosen
	why    string
	person []byte // the athlete in the read shape, where a row of the export is one; there is no capture then
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

// Rows are taken in the order of the list before anything is joined to them, so that a page costs the
// same wherever it is: PostgreSQL has one plan for all bounds, and would look at all rows for each page.
const (
	chosenColumns = `SELECT r.sort_time, r.session_id, r.athlete, COALESCE(a.first_name, ''), COALESCE(a.last_name, ''), c.activity, c.movement, c.dimensions, c.fps,
CASE WHEN c.status = 'completed' AND c.updated_at >= $3 AND c.updated_at <= $4 THEN 1 ELSE 0 END
`
	chosenJoined = `
LEFT JOIN athlete a ON a.organization = r.organization AND a.id = r.athlete
WHERE c.organization = r.organization AND c.session_id = r.session_id `
	chosenOrder = `ORDER BY r.sort_time, r.session_id, r.athlete`

	chosenAll = chosenColumns + `FROM (SELECT organization, sort_time, session_id, athlete FROM capture_row /*+ NOT INDEXED */
WHERE organization = $1 AND (sort_time, session_id, athlete) > ($6, $7, $8) AND sort_time <= $5 ORDER BY sort_time, session_id, athlete LIMIT $2) r
CROSS JOIN capture c` + chosenJoined + chosenOrder
	chosenOne = chosenColumns + `FROM (SELECT organization, sort_time, session_id, athlete FROM capture_row /*+ INDEXED BY capture_row_athlete */
WHERE organization = $1 AND athlete = $8 AND (sort_time, session_id) > ($6, $7) AND sort_time <= $5 ORDER BY sort_time, session_id LIMIT $2) r
CROSS JOIN capture c` + chosenJoined + chosenOrder
	chosenCount = `SELECT count(*) FROM (SELECT 1 FROM capture /*+ INDEXED BY capture_changed */ WHERE organization = $1 AND updated_at >= $2 AND updated_at <= $3 LIMIT $4) AS few`
	// Of captures that were changed within bounds, where they are few.
	chosenChanged = chosenColumns + `FROM (SELECT organization, sort_time, session_id, status, activity, movement, dimensions, fps, updated_at FROM capture /*+ INDEXED BY capture_changed */
WHERE organization = $1 AND updated_at >= $3 AND updated_at <= $4 ORDER BY updated_at DESC, session_id DESC LIMIT $2) c
CROSS JOIN capture_row r` + chosenJoined + `AND r.sort_time = c.sort_time ` + chosenOrder
)

// eachChosen calls f for every capture and athlete that a request is about, until it
// gives false: in the order of the list of captures, one athlete after the other where
// athletes are named. Captures that the request names and does not choose come last, each with the reason.
func (s *Store) eachChosen(t db.Tx, org db.ID, r export.Request, f func(chosen) (bool, error)) error {
	if r.Shape == export.RowPerAthlete {
		return eachPerson(t, org, r, f)
	}
	w := choosing{t, org, capture.Filter{Activity: r.Activity, Movement: r.Movement}, boundsOf(r), f}
	if len(r.Captures) > 0 {
		return w.named(r)
	}
	if r.DateMode == export.ByLastModified && len(r.Athletes) == 0 {
		if done, err := w.changed(); done || err != nil {
			return err
		}
	}
	if len(r.Athletes) == 0 {
		_, err := w.walk(nil)
		return err
	}
	for _, a := range r.Athletes {
		key, _ := organization.ParseID(a)
		if key == (db.ID{}) {
			continue // an athlete who was erased since, and not nobody
		}
		more, err := w.walk(&key)
		if err != nil || !more {
			return err
		}
	}
	return nil
}

const (
	// chosenPage is how many are read at a time: f may take its time, and an open
	// statement would keep the connection.
	chosenPage = 500
	// chosenFew is how many captures that were changed are read at once.
	chosenFew = 2000
)

// choosing is the choice of what an export is about.
type choosing struct {
	t      db.Tx
	org    db.ID
	filter capture.Filter
	bounds bounds
	f      func(chosen) (bool, error)
}

// changed gives f all captures that were changed within the bounds, and says whether they are few
// enough; it gives none of them otherwise.
func (w *choosing) changed() (done bool, err error) {
	var count int
	err = w.t.Do(db.One(db.Into(&count), chosenCount, w.org, w.bounds.from, w.bounds.to, chosenFew+1))
	if err != nil || count > chosenFew {
		return false, err
	}
	page, err := w.read(chosenChanged, chosenFew)
	if err != nil {
		return false, err
	}
	_, err = w.give(page)
	return true, err
}

// walk gives f what is chosen along the list of all captures, or of those of one athlete, and
// says whether f wants more.
func (w *choosing) walk(athlete *db.ID) (more bool, err error) {
	last := chosen{sortTime: w.bounds.firstSort} // before every session of that moment
	for {
		var page []chosen
		if athlete == nil {
			page, err = w.read(chosenAll, chosenPage, w.bounds.lastSort, last.sortTime, last.session, last.athlete)
		} else {
			page, err = w.read(chosenOne, chosenPage, w.bounds.lastSort, last.sortTime, last.session, *athlete)
		}
		if err != nil {
			return false, err
		}
		if more, err := w.give(page); err != nil || !more {
			return false, err
		}
		if len(page) < chosenPage {
			return true, nil
		}
		last = page[len(page)-1]
	}
}

// read reads at most so many captures, or rows of the list.
func (w *choosing) read(sql string, most int, from ...any) (page []chosen, err error) {
	err = w.t.Do(db.Each(func(row db.Rows) error {
		c, err := scanChosen(row)
		page = append(page, c)
		return err
	}, sql, append([]any{w.org, most, w.bounds.from, w.bounds.to}, from...)...))
	return page, err
}

// give calls f for what the request is about.
func (w *choosing) give(page []chosen) (more bool, err error) {
	for _, c := range page {
		if !w.matches(c) {
			continue
		}
		if more, err := w.f(c); err != nil || !more {
			return false, err
		}
	}
	return true, nil
}

func (w *choosing) matches(c chosen) bool {
	labels := capture.Capture{Activity: c.facts.Activity, Movement: c.facts.Movement}
	return c.fits && w.filter.Match(labels.Combination())
}

func scanChosen(row db.Rows) (c chosen, err error) {
	var first, family, text string
	var fits int64
	if err := row.Scan(&c.sortTime, &c.session, &c.athlete, &first, &family, &c.facts.Activity, &c.facts.Movement,
		&text, &c.facts.FPS, &fits); err != nil {
		return c, err
	}
	c.fits = fits == 1
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
