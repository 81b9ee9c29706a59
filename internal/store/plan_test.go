package store

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/organization"
)

// planned is how an engine finds the rows of a page.
type planned struct {
	sql     string
	text    string
	indexes []string // PRIMARY KEY for the table's own order
	scans   bool     // some step looks at a whole table or index
	sorts   bool
	rows    int64   // looked at, or the steps of SQLite's machine
	expects float64 // how many rows PostgreSQL expects to look at, by which it chooses its way
}

// explainer runs statements as they are, and explains those that read pages.
type explainer struct {
	db.Tx
	t    *testing.T
	also string // the head of other statements that are explained
	seen []planned
}

// explained are the heads of those statements.
var explained = []string{"SELECT body FROM capture_row", "SELECT count(*) FROM capture_row",
	"SELECT session_id FROM capture_row", "SELECT c.session_id, c.activity", "SELECT c.changed", "SELECT changed",
	"SELECT id, first_name", "SELECT r.sort_time, r.session_id", "SELECT count(*) FROM (SELECT 1 FROM capture ",
	"SELECT j.id, j.status", "SELECT id, event"}

func (e *explainer) Do(statements ...db.Statement) error {
	for _, st := range statements {
		heads := explained
		if e.also != "" {
			heads = append([]string{e.also}, explained...)
		}
		if !slices.ContainsFunc(heads, func(head string) bool { return strings.HasPrefix(st.SQL, head) }) {
			continue
		}
		var p planned
		if c, ok := e.Tx.(stepper); ok {
			p = e.lite(c, st)
		} else {
			p = e.server(st)
		}
		p.sql = st.SQL
		e.seen = append(e.seen, p)
	}
	return e.Tx.Do(statements...)
}

var liteIndex = regexp.MustCompile(`USING (?:COVERING )?(?:INDEX (\w+)|(PRIMARY KEY))`)

// stepper is a transaction of SQLite.
type stepper interface {
	Steps(db.Statement) (int64, error)
}

func (e *explainer) lite(c stepper, st db.Statement) (p planned) {
	explain := st
	explain.SQL = "EXPLAIN QUERY PLAN " + st.SQL
	explain.Read = func(r db.Rows) error {
		for r.Next() {
			var a, b, c int64
			var detail string
			if err := r.Scan(&a, &b, &c, &detail); err != nil {
				return err
			}
			p.text += detail + "\n"
		}
		return r.Err()
	}
	must(e.t, e.Tx.Do(explain))
	for _, m := range liteIndex.FindAllStringSubmatch(p.text, -1) {
		p.indexes = append(p.indexes, m[1]+m[2])
	}
	p.scans, p.sorts = strings.Contains(p.text, "SCAN"), strings.Contains(p.text, "TEMP B-TREE")
	var err error
	p.rows, err = c.Steps(db.Each(func(db.Rows) error { return nil }, st.SQL, st.Args...))
	must(e.t, err)
	return p
}

// node is a step of PostgreSQL's plan.
type node struct {
	Type    string  `json:"Node Type"`
	Index   string  `json:"Index Name"`
	Rows    float64 `json:"Actual Rows"`
	Expects float64 `json:"Plan Rows"`
	Loops   float64 `json:"Actual Loops"`
	Removed float64 `json:"Rows Removed by Filter"`
	Recheck float64 `json:"Rows Removed by Index Recheck"`
	Plans   []node
}

func (p *planned) take(n node) {
	if n.Index != "" {
		p.indexes = append(p.indexes, strings.Replace(n.Index, "capture_row_pkey", "PRIMARY KEY", 1))
	}
	p.scans = p.scans || n.Type == "Seq Scan"
	p.expects = max(p.expects, n.Expects)
	p.sorts = p.sorts || strings.Contains(n.Type, "Sort")
	if strings.Contains(n.Type, "Scan") {
		p.rows += int64((n.Rows + n.Removed + n.Recheck) * max(1, n.Loops))
	}
	for _, below := range n.Plans {
		p.take(below)
	}
}

// server explains the one plan that there is for all arguments, as in service.
func (e *explainer) server(st db.Statement) (p planned) {
	values := make([]string, len(st.Args))
	for i, a := range st.Args {
		switch v := a.(type) {
		case db.ID:
			values[i] = "'" + v.String() + "'"
		case string:
			values[i] = "'" + strings.ReplaceAll(v, "'", "''") + "'"
		default:
			values[i] = fmt.Sprint(v)
		}
	}
	var mode string
	must(e.t, e.Tx.Do(db.One(db.Into(&mode), `SHOW plan_cache_mode`)))
	if mode != "force_generic_plan" {
		e.t.Error("the plans of this connection depend on the arguments")
	}
	must(e.t, e.Tx.Do(db.Exec("PREPARE explained AS "+st.SQL)))
	must(e.t, e.Tx.Do(db.One(db.Into(&p.text), "EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE explained("+
		strings.Join(values, ", ")+")")))
	must(e.t, e.Tx.Do(db.Exec("DEALLOCATE explained")))
	var plans []struct{ Plan node }
	must(e.t, json.Unmarshal([]byte(p.text), &plans))
	p.take(plans[0].Plan)
	return p
}

// explain reads a page and gives how its rows were found.
func explain(t *testing.T, s *Store, sc organization.Scope, q capture.Query) (p planned) {
	t.Helper()
	org := idOf(t, sc)
	must(t, s.engine.Read(t.Context(), org, func(tx db.Tx) error {
		e := &explainer{Tx: tx, t: t}
		total, rows, err := pageIn(e, s, org, q)
		if err != nil {
			return err
		}
		if len(e.seen) != 1 || len(rows) != q.Limit {
			t.Fatalf("%+v: %d of %d rows in %d statements", q, len(rows), total, len(e.seen))
		}
		p = e.seen[0]
		return nil
	}))
	return p
}

func TestPagesAreFoundThroughTheIntendedIndexAndDeepOnesNotFromTheStart(t *testing.T) {
	testkit.Long(t)
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		athletes := create(t, s, sc, person("long"), person("short"))
		const n = 12_000
		all := many("a", n, func(i int, c *capture.Capture) {
			c.Status = []capture.Status{capture.Completed, capture.Completed, capture.Error}[i%3]
			c.Activity = ptr("common")
			if i%2 == 0 { // as many labels as a laboratory has
				c.Activity = ptr(fmt.Sprintf("activity %d", i%38))
			}
			if i%400 == 7 {
				c.Activity = ptr("rare")
			}
			if i%50 == 3 {
				c.Status = capture.AwaitingUpload
			}
			switch {
			case i%3 == 0:
				c.AthleteIDs = athletes[:1]
			case i%500 == 1:
				c.AthleteIDs = athletes[1:]
			}
			if i%5 == 0 {
				c.CaptureTime = nil
			}
			if i%7 == 0 {
				c.CaptureTime = ptr(noon.Add(-time.Hour))
			}
		})
		for part := range slices.Chunk(all, 2000) {
			put(t, s, sc, part...)
		}
		other := tenant(t, s, "B")
		put(t, s, other, many("b", 2000, nil)...)
		must(t, s.fold(t.Context(), idOf(t, sc), []db.ID{mustID(t, athletes[0])}))
		folded(t, s, sc)
		if p.options.Data == "" {
			conn := connect(t, p.options.DatabaseURL)
			_, err := conn.Exec(t.Context(), "ANALYZE")
			must(t, err)
		}
		const limit = 50
		var first planned
		for _, c := range []struct {
			what  string
			q     capture.Query
			index string
			sorts bool
		}{
			{"the first page", capture.Query{}, "PRIMARY KEY", false},
			{"a deep page", capture.Query{Offset: n / 2}, "PRIMARY KEY", false},
			{"the last page", capture.Query{Offset: n - limit}, "PRIMARY KEY", false},
			{"a deep page of most", capture.Query{Offset: n / 2, Filter: capture.Filter{Status: capture.Completed}},
				"PRIMARY KEY", false},
			{"a deep page of a third", capture.Query{Offset: n / 4, Filter: capture.Filter{Status: capture.Error}},
				"PRIMARY KEY", false},
			{"a deep page of a status that few have",
				capture.Query{Offset: n / 100, Filter: capture.Filter{Status: capture.AwaitingUpload}},
				"capture_row_unfinished", false},
			{"and of a label with it",
				capture.Query{Offset: n / 300,
					Filter: capture.Filter{Status: capture.AwaitingUpload, Activity: "common"}},
				"capture_row_unfinished", false},
			{"a deep page of an athlete", capture.Query{Offset: n / 4, AthleteID: athletes[0]}, "capture_row_athlete",
				false},
			{"a filtered page of an athlete",
				capture.Query{Offset: n / 8, AthleteID: athletes[0], Filter: capture.Filter{Activity: "common"}},
				"capture_row_athlete", false},
		} {
			c.q.Limit = limit
			got := explain(t, s, sc, c.q)
			if !slices.Equal(got.indexes, []string{c.index}) || got.scans || got.sorts != c.sorts {
				t.Errorf("%s is found through %v (scans %v, sorts %v):\n%s", c.what, got.indexes, got.scans, got.sorts,
					got.text)
			}
			if c.q.Offset == 0 {
				first = got
			}
			// Wherever it lies, a page costs its rows and at most about two blocks.
			if most := first.rows * 20; got.rows > most {
				t.Errorf("%s looks at %d, where the first page looks at %d", c.what, got.rows, first.rows)
			}
			t.Logf("%s: %d", c.what, got.rows)
		}
		rare := explain(t, s, sc, capture.Query{Limit: 20, Offset: 5, Filter: capture.Filter{Activity: "rare"}})
		if !slices.Equal(rare.indexes, []string{"capture_row_combination"}) || rare.scans {
			t.Errorf("a rare label is found through %v:\n%s", rare.indexes, rare.text)
		}
		if rare.rows > first.rows*20 {
			t.Errorf("a rare label looks at %d, where the first page looks at %d", rare.rows, first.rows)
		}
		short := explain(t, s, sc, capture.Query{Limit: 10, Offset: 5, AthleteID: athletes[1]})
		if !slices.Equal(short.indexes, []string{"capture_row_athlete"}) || short.sorts || short.scans {
			t.Errorf("a short list is found through %v:\n%s", short.indexes, short.text)
		}
	})
}
