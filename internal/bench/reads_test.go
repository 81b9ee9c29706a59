package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/kinebase/kinebase/internal/testkit/fixture"
)

// servers are those that are compared on one data set. They run side by side,
// and only one of them has something to do at a time.
type servers struct {
	ours, bare, constant, obvious *server
}

// start starts all four. The bare one is ours without remembered answers: every
// page that it gives is made for the request.
func (b *bench) start(d *dataset) (*servers, error) {
	s := &servers{}
	for _, one := range []struct {
		to      **server
		port    string
		answers int
	}{{&s.ours, portKinebase, 0}, {&s.bare, portKinebase, 1}, {&s.constant, portConstant, 0},
		{&s.obvious, portObvious, 0}} {
		started, err := b.server(d, one.port, one.answers)
		if err != nil {
			return nil, errors.Join(err, s.end())
		}
		*one.to = started
	}
	return s, nil
}

func (s *servers) end() error {
	var errs []error
	for _, one := range []*server{s.ours, s.bare, s.constant, s.obvious} {
		if one != nil {
			errs = append(errs, one.end())
		}
	}
	return errors.Join(errs...)
}

// goals are those of one engine; 0 where there is none.
type goals struct {
	get, changing, unchanged float64 // of the constant handler's speed
	deep, filtered           float64 // times the time of the first page
	first, offset            float64 // times the speed of the obvious implementation
}

var (
	sqliteGoals   = goals{get: 0.45, changing: 0.3, unchanged: 0.8, deep: 1.3, filtered: 2}
	postgresGoals = goals{first: 80, offset: 400}
)

// reads measures what a data set is asked for.
func (b *bench) reads(engine string, sh shape, c *cluster, g goals) error {
	deep := sh.organizations()[0].Captures * 5 / 6
	head := fmt.Sprintf("%s, %s: ", engine, sh)
	at := "page at offset " + thousands(int64(deep))
	first := firstPage()
	var s *servers // set before a step runs
	var one load
	steps := []step{
		{head + "GET by id", func() []side {
			return []side{{server: s.ours, load: one}, {server: s.constant, load: one}, {server: s.obvious, load: one}}
		}, func(op string, m []measured) {
			b.rates(op, m[0], m[1], "constant", g.get, atLeast)
			b.rates(op, m[0], m[2], "obvious", 0, atLeast)
		}},
		{head + fmt.Sprintf("first page, %d captures a second change", changing), func() []side {
			return []side{{server: s.ours, load: first, change: changing}, {server: s.constant, load: first}}
		}, func(op string, m []measured) {
			b.rates(op, m[0], m[1], "constant", g.changing, atLeast)
		}},
		{head + "first page, unchanged", func() []side {
			return []side{{server: s.ours, load: first}, {server: s.constant, load: first}}
		}, func(op string, m []measured) {
			b.rates(op, m[0], m[1], "constant", g.unchanged, atLeast)
		}},
		{head + "first page, not remembered", func() []side {
			return []side{{server: s.bare, load: pages(0)}, {server: s.constant, load: first},
				{server: s.obvious, load: first.by(2), slow: true}}
		}, func(op string, m []measured) {
			b.rates(op, m[0], m[1], "constant", 0, atLeast)
			b.rates(op, m[0], m[2], "obvious", g.first, atLeast)
		}},
		{head + at, func() []side {
			return []side{{server: s.bare, load: pages(deep)}, {server: s.bare, load: pages(0)},
				{server: s.obvious, load: pages(deep).by(2), slow: true}}
		}, func(op string, m []measured) {
			b.times(op+", 64 callers", 1000/m[0].rate, 1000/m[1].rate, "first page", g.deep)
			b.rates(op, m[0], m[2], "obvious", g.offset, atLeast)
		}},
		{head + "all of it at once, 50 captures a second change", func() []side {
			return []side{{server: s.ours, load: mixed(sh.organizations()[0], deep), change: changing}}
		}, func(op string, m []measured) {
			b.add(row{operation: op, ours: m[0].String()})
		}},
	}
	alone := head + at + ", one caller"
	wanted := b.wanted(alone)
	for _, st := range steps {
		wanted = wanted || b.wanted(st.operation)
	}
	if !wanted {
		return nil
	}
	d, err := get(b.ctx, sh, c, b.say)
	if err != nil {
		return err
	}
	if sh.times == fixture.Spread {
		b.imported(head, d)
	}
	if s, err = b.start(d); err != nil {
		return err
	}
	defer func() { _ = s.end() }()
	if err := d.check(s.ours); err != nil {
		return err
	}
	one = ids(d.largest())
	if err := b.each(steps...); err != nil {
		return err
	}
	if b.wanted(alone) {
		if err := b.alone(alone, s.bare, deep, g); err != nil {
			return err
		}
	}
	return b.memory(head, s.ours)
}

// changing is how many captures a second get another status where data changes.
const changing = 50

// step is an operation with those who are compared in it.
type step struct {
	operation string
	sides     func() []side
	tell      func(operation string, m []measured)
}

// each does the steps that are wanted.
func (b *bench) each(steps ...step) error {
	for _, s := range steps {
		if !b.wanted(s.operation) {
			continue
		}
		m, err := b.compare(s.operation, s.sides()...)
		if err != nil {
			return err
		}
		s.tell(s.operation, m)
	}
	return nil
}

// check sees that what is measured is also right: the total is what was
// imported, and the deep page is full.
func (d *dataset) check(s *server) error {
	for _, offset := range []int{0, d.largest().Captures * 5 / 6} {
		p, err := page(s, fmt.Sprintf("/v1/captures?offset=%d", offset))
		if err != nil {
			return err
		}
		if p.Total != d.largest().Captures || len(p.Captures) != 100 {
			return fmt.Errorf("%d captures and a total of %d at offset %d of a list of %d", len(p.Captures), p.Total,
				offset, d.largest().Captures)
		}
	}
	return nil
}

type pageBody struct {
	Captures []json.RawMessage
	Total    int `json:"total_count"`
}

func page(s *server, path string) (p pageBody, err error) {
	raw, err := read(s, path)
	if err != nil {
		return p, err
	}
	return p, json.Unmarshal(raw, &p)
}

// alone measures how long one caller waits for the first page, for a deep one,
// and for deep ones of every filter; a request of each in turn, again and again.
func (b *bench) alone(operation string, s *server, deep int, g goals) error {
	r := rand.New(rand.NewPCG(7, 8))
	asks := []func() string{
		func() string { return "/v1/captures?limit=100" },
		func() string { return fmt.Sprintf("/v1/captures?limit=100&offset=%d", deep+r.IntN(spreadOffsets)) },
	}
	all := filters()
	for _, f := range all {
		p, err := page(s, "/v1/captures?"+f.query+"limit=1")
		if err != nil {
			return err
		}
		asks = append(asks, func() string { return "/v1/captures?" + f.query + "limit=100" }, func() string {
			return fmt.Sprintf("/v1/captures?%slimit=100&offset=%d", f.query, min(deep, p.Total*5/6)+
				r.IntN(1+min(spreadOffsets, p.Total/20)))
		})
	}
	stop, err := b.profile(operation, s)
	if err != nil {
		return err
	}
	took, err := latencies(s, asks, b.rounds*b.seconds*8)
	if err := errors.Join(err, stop()); err != nil {
		return err
	}
	b.times(operation, took[1], took[0], "first page", g.deep)
	worst := 0
	for i := range all {
		first, last := took[2+2*i], took[3+2*i]
		b.filters = append(b.filters, row{
			operation: operation + ", " + all[i].name, ours: milliseconds(last), baseline: "its first page " +
				milliseconds(first), ratio: figure(last / took[0]),
		})
		if last > took[3+2*worst] {
			worst = i
		}
	}
	b.times(fmt.Sprintf("%s, slowest of %d filters (%s)", operation, len(all), all[worst].name), took[3+2*worst],
		took[0], "first page without filter", g.filtered)
	return nil
}

// latencies asks for each in turn, n times, and gives the medians in
// milliseconds.
func latencies(s *server, asks []func() string, n int) ([]float64, error) {
	all := make([][]float64, len(asks))
	for range n {
		for i, path := range asks {
			took, err := ask(s, path())
			if err != nil {
				return nil, err
			}
			all[i] = append(all[i], float64(took.Microseconds())/1000)
		}
	}
	medians := make([]float64, len(asks))
	for i := range all {
		medians[i] = median(all[i])
	}
	return medians, nil
}

// memory tells the most that the server has had since it started.
func (b *bench) memory(head string, s *server) error {
	most, err := s.peak()
	if err != nil {
		return err
	}
	mib := float64(most) / (1 << 20)
	text, met := judge(mib, 160, atMost)
	b.add(row{operation: head + "peak memory of the server (answers 16 MiB, counts 24 MiB; SQLite's pages 16 + 3 " +
		"× 8 MiB)", ours: figure(mib) + " MiB", goal: text + " MiB", met: met})
	return nil
}
