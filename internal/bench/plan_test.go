package bench

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/kinebase/kinebase/internal/testkit/fixture"
)

// run measures everything that is wanted.
func (b *bench) run() error {
	if err := b.motion(); err != nil {
		return err
	}
	if err := b.smallFiles(); err != nil {
		return err
	}
	if err := b.videos(); err != nil {
		return err
	}
	if err := b.tables(); err != nil {
		return err
	}
	if err := b.exports(); err != nil {
		return err
	}
	if err := b.servedExports(); err != nil {
		return err
	}
	if err := b.engine("SQLite", nil, sqliteGoals); err != nil {
		return err
	}
	// Only when something of PostgreSQL is wanted is there any.
	if b.only.String() != "" && !strings.Contains(b.only.String(), "PostgreSQL") {
		return nil
	}
	c, err := startCluster(b.ctx)
	if err != nil {
		return err
	}
	defer c.stop()
	b.postgres = c.settled()
	if err := b.engine("PostgreSQL", c, postgresGoals); err != nil {
		return err
	}
	return b.ingests(c)
}

// engine measures one engine: at 1,000,000 captures over three years, against
// 10,000, writing, at as many captures without a time, and at as many of one
// instant.
func (b *bench) engine(name string, c *cluster, g goals) error {
	spread := shape{name: "spread", captures: b.captures, times: fixture.Spread}
	if err := b.reads(name, spread, c, g); err != nil {
		return err
	}
	if err := b.sizes(name, spread, c); err != nil {
		return err
	}
	if err := b.idle(name, c); err != nil {
		return err
	}
	if err := b.creates(name, c); err != nil {
		return err
	}
	if err := b.lists(name, c); err != nil {
		return err
	}
	for _, measure := range []func(string, *cluster) error{b.feeds, b.dates, b.feedWrites, b.recomputes} {
		if err := measure(name, c); err != nil {
			return err
		}
	}
	defer func(seconds int) { b.seconds = seconds }(b.seconds)
	b.seconds = max(1, b.seconds-1)
	for _, s := range []shape{{name: "no time", captures: b.captures, times: fixture.NoTime},
		{name: "one instant", captures: b.captures, times: fixture.OneInstant}} {
		if err := b.reads(name, s, c, g); err != nil {
			return err
		}
	}
	return nil
}

// imported tells how the data set came in, when that was measured.
func (b *bench) imported(head string, d *dataset) {
	m := d.made
	b.add(row{operation: head + "import of a manifest",
		ours: fmt.Sprintf("%s records in %s s, %s, peak memory %s MiB", thousands(int64(m.Records)), figure(m.Seconds),
			perSecond(float64(m.Records)/m.Seconds), figure(float64(m.Peak)/(1<<20)))})
	if m.Written > 0 { // PostgreSQL writes in processes of its own
		each := float64(m.Written) / float64(m.Records) / 1e3
		goal, met := judge(each, 6, atMost)
		b.add(row{operation: head + "import of a manifest, written to the disk",
			ours: fmt.Sprintf("%s kB a record, %s µs of processor time", figure(each),
				figure(m.Cost/float64(m.Records)*1e6)), goal: goal + " kB", met: met})
	}
}

// sizes compares the first page of a long list with that of a short one.
func (b *bench) sizes(engine string, s shape, c *cluster) error {
	operation := fmt.Sprintf("%s: first page at %s against 10,000", engine, thousands(int64(b.captures)))
	if !b.wanted(operation) {
		return nil
	}
	d, err := get(b.ctx, s, c, b.say)
	if err != nil {
		return err
	}
	small, err := get(b.ctx, shape{name: "spread", captures: 10_000, times: fixture.Spread}, c, b.say)
	if err != nil {
		return err
	}
	long, err := b.server(d, portKinebase, 1)
	if err != nil {
		return err
	}
	defer func() { _ = long.end() }()
	short, err := b.server(small, portKinebase, 1)
	if err != nil {
		return err
	}
	defer func() { _ = short.end() }()
	goal := 0.0
	if engine == "SQLite" {
		goal = 1.15
	}
	m, err := b.compare(operation, side{server: long, load: pages(0)}, side{server: short, load: pages(0)})
	if err != nil {
		return err
	}
	b.times(operation+", 64 callers", 1000/m[0].rate, 1000/m[1].rate, "10,000", goal)
	var times [2][]float64
	for range b.rounds * b.seconds * 20 {
		for i, s := range []*server{long, short} {
			took, err := ask(s, "/v1/captures")
			if err != nil {
				return err
			}
			times[i] = append(times[i], float64(took.Microseconds())/1000)
		}
	}
	b.times(operation+", one caller", median(times[0]), median(times[1]), "10,000", goal)
	return nil
}

// creates compares durable creates with one transaction each. Both begin with an
// empty store.
func (b *bench) creates(engine string, c *cluster) error {
	operation := engine + ": durable POST /athletes"
	if !b.wanted(operation) {
		return nil
	}
	dir, err := os.MkdirTemp(folder(), "creates-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	d := &dataset{organizations: []fixture.Organization{{ID: "0190f0e5-7b1c-7cc3-98c4-000000000009"}}}
	if c == nil {
		d.data, d.tables = filepath.Join(dir, "data"), filepath.Join(dir, "obvious.db")
	} else {
		if err := c.recreate(b.ctx, "creates", "creates", "creates_obvious"); err != nil {
			return err
		}
		defer func() { _ = c.recreate(b.ctx, "creates") }()
		d.url, d.tablesURL = c.url("creates"), c.url("creates_obvious")
	}
	if d.made.Secret, err = prepare(b.ctx, d.data, d.url, d.organizations); err != nil {
		return err
	}
	o, err := openObvious(b.ctx, d.tables, d.tablesURL)
	if err != nil {
		return err
	}
	if err := errors.Join(o.fill(b.ctx, d.tablesURL, nil), o.close()); err != nil {
		return err
	}
	ours, err := b.server(d, portKinebase, 0)
	if err != nil {
		return err
	}
	defer func() { _ = ours.end() }()
	single, err := b.server(d, portObvious, 0)
	if err != nil {
		return err
	}
	defer func() { _ = single.end() }()
	m, err := b.compare(operation, side{server: ours, load: newAthletes()}, side{server: single, load: newAthletes()})
	if err != nil {
		return err
	}
	goal := 0.0
	if c == nil {
		goal = 3
	}
	b.rates(operation, m[0], m[1], "a transaction each", goal, atLeast)
	alone := newAthletes().by(1)
	if m, err = b.compare(operation+", one caller", side{server: ours, load: alone},
		side{server: single, load: alone}); err != nil {
		return err
	}
	b.times(operation+", one caller", 1000/m[0].rate, 1000/m[1].rate, "a transaction each", 0)
	return nil
}

// wanted says whether BENCH_ONLY lets an operation through.
func (b *bench) wanted(operation string) bool { return b.only.MatchString(operation) }
