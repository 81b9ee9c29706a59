package store

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/internal/store/db"
)

// The columns of a result are those of its parts. How many parts have each is kept,
// so that one that nobody has any more, after a deletion, goes: names of columns may
// be names of people.

// counts are of the parts that have a column of a name.
type counts struct {
	dimension bool
	uses      int64 // as a dimension, an event or a number
	events    int64 // as an event
	metrics   int64 // as a number that is a metric
	wide      int64 // as a number of 64 bits of a channel
	texts     int64 // as a text, which is not among the uses
}

// uses counts the parts that have each column of rows of a shape.
type uses struct {
	shape export.Shape
	order []string
	of    map[string]*counts
}

func newUses(shape export.Shape) *uses { return &uses{shape: shape, of: map[string]*counts{}} }

// count gives what is counted of a name.
func (u *uses) count(name string) *counts {
	c := u.of[name]
	if c == nil {
		c = new(counts)
		u.of[name], u.order = c, append(u.order, name)
	}
	return c
}

// add counts the columns of a part: of its own only those that bear on the metrics that
// were asked for, if there are any.
func (u *uses) add(info frames.Info, f facts, names *export.Names) {
	for name := range f.Dimensions {
		c := u.count(name)
		c.dimension = true
		c.uses++
	}
	if u.shape == export.RowPerMetric {
		return // its columns are always the same
	}
	export.EachColumn(u.shape, info, func(o export.Origin, channel *frames.Channel) {
		if o.Kind == export.Moment || !names.Bears(o.Name) { // the time of an event comes with the event
			return
		}
		c := u.count(o.Name)
		if o.Kind == export.Text {
			c.texts++
			return
		}
		c.uses++
		switch {
		case o.Kind == export.Event:
			c.events++
		case channel == nil:
			c.metrics++
		case channel.Wide():
			c.wide++
		}
	})
}

// put adds to the count of a column, which takes its place when it is new.
func (u *uses) put(org db.ID, jobID, name string, place int64) db.Statement {
	c, dimension := u.of[name], int64(0)
	if c.dimension {
		dimension = 1
	}
	return db.Exec(`INSERT INTO export_column (organization, job, name, dimension, place, uses, events, wide, metrics, texts) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT (organization, job, name) DO UPDATE SET uses = export_column.uses + excluded.uses, events = export_column.events + excluded.events, wide = export_column.wide + excluded.wide,
metrics = export_column.metrics + excluded.metrics, texts = export_column.texts + excluded.texts`,
		org, jobID, name, dimension, place, c.uses, c.events, c.wide, c.metrics, c.texts)
}

// takeOff takes what is counted off a result.
func (u *uses) takeOff(org db.ID, jobID string) (statements []db.Statement) {
	for _, name := range u.order {
		c := u.of[name]
		statements = append(statements,
			db.Exec(`UPDATE export_column SET uses = uses - $4, events = events - $5, wide = wide - $6, metrics = metrics - $7, texts = texts - $8
WHERE organization = $1 AND job = $2 AND name = $3`, org, jobID, name, c.uses, c.events, c.wide, c.metrics, c.texts))
	}
	return append(statements,
		db.Exec(`DELETE FROM export_column WHERE organization = $1 AND job = $2 AND uses <= 0 AND texts <= 0`, org,
			jobID))
}

// exportColumn is a row of export_column. What was counted before there were metrics and texts
// has none of them, and fewer once parts of it are taken off.
type exportColumn struct {
	name, shown, aside                            string
	dimension, uses, events, wide, metrics, texts int64
}

// readColumns reads the columns of a result in their order, dimensions too.
func readColumns(t db.Tx, org db.ID, jobID string) (all []exportColumn, err error) {
	return all, t.Do(db.Each(func(row db.Rows) error {
		var k exportColumn
		err := row.Scan(&k.name, &k.shown, &k.aside, &k.dimension, &k.uses, &k.events, &k.wide, &k.metrics, &k.texts)
		all = append(all, k)
		return err
	}, `SELECT name, shown, aside, dimension, uses, events, wide, metrics, texts FROM export_column WHERE organization = $1 AND job = $2 ORDER BY place, name`, org, jobID))
}

// origins are what is of the name in the captures, in the order of their columns.
func (k *exportColumn) origins(shape export.Shape) (list []export.Origin) {
	if k.dimension != 0 {
		return nil
	}
	if k.events > 0 {
		if list = append(list, export.Origin{Kind: export.Event, Name: k.name}); shape.Whole() {
			list = append(list, export.Origin{Kind: export.Moment, Name: k.name})
		}
	}
	if k.uses > k.events {
		list = append(list, export.Origin{Kind: export.Number, Name: k.name})
	}
	if k.texts > 0 {
		list = append(list, export.Origin{Kind: export.Text, Name: k.name})
	}
	return list
}

// namesOf are the columns of the captures.
func namesOf(all []exportColumn, shape export.Shape) *export.Names {
	names := export.NewNames(shape, nil)
	for i := range all {
		for _, o := range all[i].origins(shape) {
			names.Put(o)
		}
	}
	return names
}

// setAside keeps under which names the columns of a job are shown that another column has
// the name of. That stays so when the other one is deleted: a column that was asked for by
// its name must not become another.
func (w *writeTx) setAside(jobID string, shape export.Shape) error {
	all, err := readColumns(w, w.Org, jobID)
	if err != nil {
		return err
	}
	numbers, others := map[string]string{}, map[string]map[export.Kind]string{}
	for o, shown := range namesOf(all, shape).Aside() {
		if o.Kind == export.Number {
			numbers[o.Name] = shown
			continue
		}
		if others[o.Name] == nil {
			others[o.Name] = map[export.Kind]string{}
		}
		others[o.Name][o.Kind] = shown
	}
	var statements []db.Statement
	for _, k := range all {
		aside, err := json.Marshal(others[k.name])
		if err != nil {
			return err
		}
		if others[k.name] == nil {
			aside = nil
		}
		if numbers[k.name] != "" || aside != nil {
			statements = append(statements,
				db.Exec(`UPDATE export_column SET shown = $4, aside = $5 WHERE organization = $1 AND job = $2 AND name = $3`, w.Org, jobID, k.name, numbers[k.name], string(aside)))
		}
	}
	return w.Do(statements...)
}

// columnsOf reads the columns of a result: its own as the request names them, or as
// they were found.
func columnsOf(t db.Tx, org db.ID, jobID string, r export.Request) (c export.Columns, err error) {
	all, err := readColumns(t, org, jobID)
	if err != nil {
		return c, err
	}
	c.Shape = r.Shape
	older := namesOf(all, r.Shape).Aside() // of results that are older than the names that are kept
	for i := range all {
		k := &all[i]
		if k.dimension != 0 {
			c.Dimensions = append(c.Dimensions, k.name)
		}
		aside := map[export.Kind]string{}
		if k.aside != "" {
			if err := json.Unmarshal([]byte(k.aside), &aside); err != nil {
				return c, err
			}
		}
		for _, o := range k.origins(r.Shape) {
			own := export.Column{Name: cmp.Or(aside[o.Kind], o.Plain()), From: o}
			if o.Kind == export.Number {
				own.Name = cmp.Or(k.shown, older[o], k.name)
				own.Wide, own.Metric = k.wide > 0 || k.metrics > 0, k.metrics == k.uses-k.events
			}
			c.Own = append(c.Own, own)
		}
	}
	slices.Sort(c.Dimensions)
	switch {
	case r.Shape == export.RowPerMetric:
		c.Own = export.MetricRow()
	case r.Shape == export.RowPerAthlete:
		c.Own = export.AthleteRow()
	case len(r.Metrics) > 0:
		found := c.Own
		c.Own = nil
		for _, name := range r.Metrics {
			if at := slices.IndexFunc(found, func(own export.Column) bool { return own.Name == name }); at >= 0 {
				c.Own = append(c.Own, found[at])
			}
		}
	}
	return c, nil
}
