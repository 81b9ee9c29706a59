package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/testkit/fixture"
)

// bench is one run.
type bench struct {
	ctx      context.Context
	captures int // of a data set; 1,000,000 unless the run is a quick one
	seconds  int // of a round
	rounds   int
	only     *regexp.Regexp // operations
	profiles string         // a folder for profiles, "" for none
	logLevel string
	seed     int
	asks     int    // numbers what is to be asked for once only
	postgres string // what the server is
	rows     []row
	filters  []row // of every filter
}

// BenchmarkSideBySide measures everything and prints the table.
func BenchmarkSideBySide(t *testing.B) {
	b := &bench{ctx: t.Context(), captures: 1_000_000, seconds: 3, rounds: 5, profiles: os.Getenv("BENCH_PROFILE"),
		logLevel: os.Getenv("BENCH_LOG")}
	if os.Getenv("BENCH_QUICK") != "" {
		b.captures, b.seconds, b.rounds = 100_000, 1, 3
	}
	var err error
	if b.only, err = regexp.Compile(os.Getenv("BENCH_ONLY")); err != nil {
		t.Fatal(err)
	}
	if b.profiles != "" {
		if b.profiles, err = filepath.Abs(b.profiles); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(b.profiles, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	begun := time.Now()
	err = b.run()
	fmt.Println()
	text(os.Stdout, b.rows)
	if len(b.filters) > 0 {
		fmt.Println()
		text(os.Stdout, b.filters)
	}
	var md strings.Builder
	fmt.Fprintf(&md, "%s\n\n", b.machine())
	markdown(&md, b.rows)
	if len(b.filters) > 0 {
		fmt.Fprintf(&md, "\nEvery filter; the ratio is to the first page without filter.\n\n")
		markdown(&md, b.filters)
	}
	out := filepath.Join(folder(), "performance.md")
	if err := errors.Join(os.MkdirAll(folder(), 0o755), os.WriteFile(out, []byte(md.String()), 0o644)); err != nil {
		t.Fatal(err)
	}
	if os.Getenv("BENCH_WRITE") != "" && err == nil {
		if err := publish("../../docs/performance.md", md.String()); err != nil {
			t.Fatal(err)
		}
	}
	fmt.Printf("\n%s\n%.0f minutes. As Markdown: %s\n", b.machine(), time.Since(begun).Minutes(), out)
	if err != nil {
		t.Fatal(err)
	}
}

func (b *bench) say(format string, args ...any) {
	fmt.Printf("# "+format+"\n", args...)
}

// server starts a server on a data set.
func (b *bench) server(d *dataset, port string, answers int) (*server, error) {
	c, err := start(job{
		Role: roleServe, Port: port, Data: d.data, URL: d.url, Tables: d.tables, TablesURL: d.tablesURL,
		Answers: answers, Organization: d.organizations[0], LogLevel: b.logLevel,
	})
	if err != nil {
		return nil, err
	}
	address, err := c.line()
	return &server{child: c, address: address, secret: d.made.Secret}, err
}

// server is a running one.
type server struct {
	*child
	address, secret string
}

// side is one of those that are compared.
type side struct {
	server *server
	load   load
	change int // captures a second that change meanwhile
	slow   bool
}

// once measures one side for one round.
func (b *bench) once(operation string, s side, profile bool) (m measured, err error) {
	if s.change > 0 {
		if _, err := s.server.tell("change %d", s.change); err != nil {
			return measured{}, err
		}
		begun := time.Now()
		defer func() {
			took := time.Since(begun)
			line, failure := s.server.tell("rest")
			changed, failure2 := strconv.Atoi(line)
			m.changed = float64(changed) / took.Seconds()
			err = errors.Join(err, failure, failure2)
		}()
	}
	if profile {
		stop, err := b.profile(operation, s.server)
		if err != nil {
			return measured{}, err
		}
		defer func() { _ = stop() }()
	}
	if s.slow {
		return patient(s.server, s.load)
	}
	return b.wrk(s.server.address, s.server.secret, s.load, b.seconds)
}

// profile has a server profiled until what it gives is called.
func (b *bench) profile(operation string, s *server) (stop func() error, err error) {
	if b.profiles == "" {
		return func() error { return nil }, nil
	}
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, operation)
	_, err = s.tell("profile %s", filepath.Join(b.profiles, name+".pprof"))
	return func() error { _, err := s.tell("profiled"); return err }, err
}

// compare measures the sides in turn, round by round, and gives their medians.
func (b *bench) compare(operation string, sides ...side) ([]measured, error) {
	rates, p99s, changed := make([][]float64, len(sides)), make([][]float64, len(sides)), make([][]float64, len(sides))
	for round := range b.rounds {
		for i, s := range sides {
			m, err := b.once(operation, s, i == 0 && round == b.rounds-1)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", operation, err)
			}
			rates[i], p99s[i], changed[i] = append(rates[i], m.rate), append(p99s[i], float64(m.p99)),
				append(changed[i], m.changed)
		}
	}
	result := make([]measured, len(sides))
	for i := range sides {
		result[i] = measured{median(rates[i]), time.Duration(median(p99s[i])), median(changed[i])}
	}
	return result, nil
}

// add puts a line under the table and shows it at once.
func (b *bench) add(r row) {
	b.rows = append(b.rows, r)
	fmt.Println(strings.Join(r.cells(), " | "))
}

// rates adds a line about requests a second, ours first.
func (b *bench) rates(operation string, ours, other measured, name string, goal float64, d direction) {
	ratio := ours.rate / other.rate
	text, met := judge(ratio, goal, d)
	b.add(row{operation: operation, ours: ours.String(), baseline: name + " " + perSecond(other.rate),
		ratio: figure(ratio), goal: text, met: met})
}

// times adds a line about milliseconds, ours first; the goal is what they may be
// of the other's.
func (b *bench) times(operation string, ours, other float64, name string, goal float64) {
	text, met := judge(ours/other, goal, atMost)
	b.add(row{operation: operation, ours: milliseconds(ours), baseline: name + " " + milliseconds(other),
		ratio: figure(ours / other), goal: text, met: met})
}

// largest is the largest organization of a data set.
func (d *dataset) largest() fixture.Organization { return d.organizations[0] }
