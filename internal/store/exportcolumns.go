package store

import (
	"cmp"
	"maps"
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

// add counts the columns of a part: of its own only those that bear on the metrics that
// were asked for, if there are any.
func (u *uses) add(info frames.Info, f facts, names *export.Names) {
	one := func(name string) {
		if u.count[name]++; u.count[name] == 1 {
			u.order = append(u.order, name)
		}
	}
	for name := range f.Dimensions {
		u.dimension[name] = true
		one(name)
	}
	export.EachColumn(info, func(name string, event bool, c *frames.Channel) {
		if !names.Bears(name) {
			return
		}
		one(name)
		if event {
			u.events[name]++
		} else if c != nil && c.Wide() {
			u.wide[name]++
		}
	})
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

// setAside keeps under which names the columns of a job are shown that have the name of
// an event in some part. That stays so when the event is deleted: a column that was
// asked for by its name must not become another.
func (w *writeTx) setAside(jobID string) error {
	names := export.NewNames(nil)
	if err := w.do(each(func(row rows) error {
		var name string
		var uses, events int64
		err := row.Scan(&name, &uses, &events)
		names.Columns[name], names.Events[name] = uses > events, events > 0
		return err
	}, `SELECT name, uses, events FROM export_column WHERE organization = $1 AND job = $2 AND dimension = 0`, w.org, jobID)); err != nil {
		return err
	}
	var statements []statement
	for name, shown := range names.Aside() {
		statements = append(statements, exec(`UPDATE export_column SET shown = $4 WHERE organization = $1 AND job = $2 AND name = $3`, w.org, jobID, name, shown))
	}
	return w.do(statements...)
}

// exportColumn is that row.
type exportColumn struct {
	name, shown                   string
	dimension, uses, events, wide int64
}

// columnsOf reads the columns of a result: its own as the request names them, or as
// they were found.
func columnsOf(t tx, org id, jobID string, r export.Request) (c export.Columns, err error) {
	var all []exportColumn
	names := export.NewNames(nil)
	if err = t.do(each(func(row rows) error {
		var k exportColumn
		err := row.Scan(&k.name, &k.shown, &k.dimension, &k.uses, &k.events, &k.wide)
		all = append(all, k)
		names.Columns[k.name], names.Events[k.name] = k.uses > k.events, k.events > 0
		return err
	}, `SELECT name, shown, dimension, uses, events, wide FROM export_column WHERE organization = $1 AND job = $2 ORDER BY place, name`, org, jobID)); err != nil {
		return c, err
	}
	aside := names.Aside() // of results that are older than the names that are kept
	c.Aside = map[string]string{}
	for _, k := range all {
		if k.dimension != 0 {
			c.Dimensions = append(c.Dimensions, k.name)
			continue
		}
		if k.events > 0 {
			c.Own, c.Events = append(c.Own, k.name), append(c.Events, k.name)
		}
		if k.uses <= k.events {
			continue
		}
		shown := cmp.Or(k.shown, aside[k.name], k.name)
		if c.Own = append(c.Own, shown); shown != k.name {
			c.Aside[shown] = k.name
		}
		if k.wide > 0 {
			c.Wide = append(c.Wide, shown)
		}
	}
	slices.Sort(c.Dimensions)
	if len(r.Metrics) > 0 {
		found := c.Own
		c.Own = slices.DeleteFunc(slices.Clone(r.Metrics), func(name string) bool { return !slices.Contains(found, name) })
		unwanted := func(name string) bool { return !slices.Contains(c.Own, name) }
		c.Events, c.Wide = slices.DeleteFunc(c.Events, unwanted), slices.DeleteFunc(c.Wide, unwanted)
		maps.DeleteFunc(c.Aside, func(shown, _ string) bool { return unwanted(shown) })
	}
	return c, nil
}
