package bench

import (
	"fmt"
	"math/rand/v2"

	"github.com/kinebase/kinebase/internal/testkit/fixture"
)

// The loads.

const callers = 64

// ids asks for captures of all ages.
func ids(o fixture.Organization) load {
	r := rand.New(rand.NewPCG(3, 4))
	l := load{callers: callers}
	for range 20_000 {
		l.paths = append(l.paths, "/v1/captures/"+o.CaptureID(r.IntN(o.Captures)))
	}
	return l
}

// firstPage asks for the same page every time.
func firstPage() load { return load{callers: callers, paths: []string{"/v1/captures"}} }

// pages asks for pages of 100 that begin at around the offset, of which hardly
// two in flight are the same.
func pages(offset int, filter string) load {
	r := rand.New(rand.NewPCG(5, 6))
	l := load{callers: callers}
	for range 4_000 {
		l.paths = append(l.paths, fmt.Sprintf("/v1/captures?%slimit=100&offset=%d", filter, offset+r.IntN(2_000)))
	}
	return l
}

func (b *bench) sqlite() error {
	d, err := get(b.ctx, shape{"spread", b.captures, fixture.Spread}, nil, b.say)
	if err != nil {
		return err
	}
	return b.reads("SQLite", d, nil)
}

// reads measures what a data set is asked for.
func (b *bench) reads(engine string, d *dataset, _ any) error {
	ours, err := b.server(d, portKinebase, 0)
	if err != nil {
		return err
	}
	defer ours.end()
	bare, err := b.server(d, portKinebase, 1)
	if err != nil {
		return err
	}
	defer bare.end()
	same, err := b.server(d, portConstant, 0)
	if err != nil {
		return err
	}
	defer same.end()
	obvious, err := b.server(d, portObvious, 0)
	if err != nil {
		return err
	}
	defer obvious.end()

	one := ids(d.largest())
	if op := engine + ": GET by id, 64 callers"; b.wanted(op) {
		m, err := b.compare(op, side{server: ours, load: one}, side{server: same, load: one}, side{server: obvious, load: one})
		if err != nil {
			return err
		}
		b.rates(op, m[0], m[1], "constant", 0.45, atLeast)
		b.rates(op, m[0], m[2], "obvious", 0, noGoal)
	}
	first := firstPage()
	if op := engine + ": first page, 50 captures a second changing"; b.wanted(op) {
		m, err := b.compare(op, side{server: ours, load: first, change: 50}, side{server: same, load: first})
		if err != nil {
			return err
		}
		b.rates(op, m[0], m[1], "constant", 0.3, atLeast)
	}
	if op := engine + ": first page, unchanged"; b.wanted(op) {
		m, err := b.compare(op, side{server: ours, load: first}, side{server: same, load: first})
		if err != nil {
			return err
		}
		b.rates(op, m[0], m[1], "constant", 0.8, atLeast)
	}
	if op := engine + ": first page, never remembered"; b.wanted(op) {
		m, err := b.compare(op, side{server: bare, load: pages(0, "")}, side{server: same, load: first})
		if err != nil {
			return err
		}
		b.rates(op, m[0], m[1], "constant", 0, noGoal)
	}
	deep := d.largest().Captures * 5 / 6
	if op := fmt.Sprintf("%s: page at offset %s, 64 callers", engine, thousands(int64(deep))); b.wanted(op) {
		m, err := b.compare(op, side{server: bare, load: pages(deep, "")}, side{server: bare, load: pages(0, "")})
		if err != nil {
			return err
		}
		ratio := m[1].rate / m[0].rate
		text, met := judge(ratio, 1.3, atMost)
		b.add(row{operation: op, ours: perSecond(m[0].rate), baseline: "our first page " + perSecond(m[1].rate), ratio: figure(ratio) + " × the time", goal: text, met: met})
	}
	most, err := ours.peak()
	if err != nil {
		return err
	}
	text, met := judge(float64(most)/(1<<20), 160, atMost)
	b.add(row{operation: engine + ": peak memory of the server", ours: figure(float64(most)/(1<<20)) + " MiB", goal: text + " MiB", met: met})
	return nil
}
