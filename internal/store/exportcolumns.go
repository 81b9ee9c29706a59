package store

import (
	"slices"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/frames"
)

// The columns of a result are those of its parts. How many parts have each is kept,
// so that one that nobody has any more, after a deletion, goes: names of columns may
// be names of people.

// uses counts the parts that have each column.
type uses struct {
	order     []string
	count     map[string]int64
	events    map[string]int64 // in how many of them it is an event
	wide      map[string]int64 // and in how many its numbers have 64 bits
	dimension map[string]bool
}

func newUses() *uses {
	return &uses{count: map[string]int64{}, events: map[string]int64{}, wide: map[string]int64{}, dimension: map[string]bool{}}
}

// add counts the columns of a part: of its own only those among metrics, if there are
// any.
func (u *uses) add(info frames.Info, f facts, metrics []string) {
	one := func(name string) {
		if u.count[name]++; u.count[name] == 1 {
			u.order = append(u.order, name)
		}
	}
	for name := range f.Dimensions {
		u.dimension[name] = true
		one(name)
	}
	own := func(name string) {
		if len(metrics) == 0 || slices.Contains(metrics, name) {
			one(name)
		}
	}
	for _, c := range info.Channels {
		for _, name := range c.Columns {
			if own(name); c.Wide() {
				u.wide[name]++
			}
		}
	}
	for _, e := range info.EventColumns() {
		own(e.Name)
		u.events[e.Name]++
	}
	for _, m := range info.MetricColumns() {
		own(m.Name)
	}
}

// put adds to the count of a column, which takes its place when it is new.
func (u *uses) put(org id, jobID, name string, place int64) statement {
	dimension := int64(0)
	if u.dimension[name] {
		dimension = 1
	}
	return exec(`INSERT INTO export_column (organization, job, name, dimension, place, uses, events, wide) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (organization, job, name) DO UPDATE SET uses = export_column.uses + excluded.uses, events = export_column.events + excluded.events, wide = export_column.wide + excluded.wide`,
		org, jobID, name, dimension, place, u.count[name], u.events[name], u.wide[name])
}

// columnsOf reads the columns of a result: its own as the request names them, or as
// they were found.
func columnsOf(t tx, org id, jobID string, r export.Request) (c export.Columns, err error) {
	err = t.do(each(func(row rows) error {
		var name string
		var dimension, uses, events, wide int64
		if err := row.Scan(&name, &dimension, &uses, &events, &wide); err != nil {
			return err
		}
		if dimension != 0 {
			c.Dimensions = append(c.Dimensions, name)
			return nil
		}
		c.Own = append(c.Own, name)
		if events == uses {
			c.Events = append(c.Events, name)
		}
		if wide > 0 {
			c.Wide = append(c.Wide, name)
		}
		return nil
	}, `SELECT name, dimension, uses, events, wide FROM export_column WHERE organization = $1 AND job = $2 ORDER BY place, name`, org, jobID))
	slices.Sort(c.Dimensions)
	if len(r.Metrics) > 0 {
		c.Own = slices.DeleteFunc(slices.Clone(r.Metrics), func(name string) bool { return !slices.Contains(c.Own, name) })
	}
	return c, err
}
