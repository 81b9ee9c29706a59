package store

import (
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/payload"
	"github.com/kinebase/kinebase/share"
)

// shareCourse keeps whose progress a share shows. The athlete is locked, so that a deletion at the same time finds the
// share or is found.
func (w *writeTx) shareCourse(made share.Share) error {
	c := made.Course
	if c == nil {
		return nil
	}
	_, find := findAthlete(w.Org, c.Athlete, " FOR UPDATE")
	err := w.Do(find)
	if fault.Is(err, fault.NotFound) {
		return fault.New(fault.BadRequest, "progress names the athlete %s, and there is no such athlete",
			payload.Quote(c.Athlete.String()))
	}
	if err != nil {
		return err
	}
	return w.Do(db.Exec(`INSERT INTO share_progress (organization, share, athlete, activity, movement, metric) VALUES ($1, $2, $3, $4, $5, $6)`,
		w.Org, made.ID, c.Athlete, c.Activity, c.Movement, c.Metric))
}

// courseOf reads whose progress a share shows; nil where it shows captures.
func courseOf(org, id db.ID, into **share.Course) db.Statement {
	return db.Each(func(r db.Rows) error {
		var c share.Course
		err := r.Scan(&c.Athlete, &c.Activity, &c.Movement, &c.Metric)
		*into = &c
		return err
	}, `SELECT athlete, activity, movement, metric FROM share_progress WHERE organization = $1 AND share = $2`, org, id)
}

// unshareAthlete erases the shares that show the progress of an athlete.
func (w *writeTx) unshareAthlete(athlete db.ID) error {
	return w.unshare(`SELECT share FROM share_progress WHERE organization = $1 AND athlete = $2`, athlete)
}
