package bench

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/testkit/fixture"
)

// feedPage is how many changes, or captures, a page has that is measured.
const feedPage = 500

// feeds measures pages of changes as one caller meets them, in turn with pages of as many captures, at ten thousand
// captures and at as many as the other data sets have.
func (b *bench) feeds(engine string, c *cluster) error {
	head := fmt.Sprintf("%s: GET /changes of ", engine)
	if !b.wanted(head) {
		return nil
	}
	var whole []*server
	var asks []func() string
	var from []*server
	names := []string{"a page of captures", "the first page", "a page anywhere", "a page anywhere, with objects",
		"nothing new"}
	sizes := []int{10_000, b.captures}
	defer func() {
		for _, s := range whole {
			_ = s.end()
		}
	}()
	for _, n := range sizes {
		d, err := get(b.ctx, shape{name: "spread", captures: n, times: fixture.Spread}, c, b.say)
		if err != nil {
			return err
		}
		s, err := b.server(d, portKinebase, 1)
		if err != nil {
			return err
		}
		whole = append(whole, s)
		cursors, err := walkFeed(s, d.largest())
		if err != nil {
			return err
		}
		r := rand.New(rand.NewPCG(11, 12))
		anywhere := func() string {
			return fmt.Sprintf("/v1/changes?limit=%d&after=%s", feedPage, cursors[r.IntN(len(cursors)-2)])
		}
		asks = append(asks, func() string {
			return fmt.Sprintf("/v1/captures?limit=%d&offset=%d", feedPage, r.IntN(d.largest().Captures-feedPage))
		}, func() string { return fmt.Sprintf("/v1/changes?limit=%d", feedPage) }, anywhere,
			func() string { return anywhere() + "&include=object" },
			func() string { return fmt.Sprintf("/v1/changes?limit=%d&after=%s", feedPage, cursors[len(cursors)-1]) })
		for range names {
			from = append(from, s)
		}
	}
	all := make([][]float64, len(asks))
	for n := range 1 + b.rounds*b.seconds*10 {
		for i, path := range asks {
			took, err := ask(from[i], path())
			if err != nil {
				return err
			}
			if n > 0 {
				all[i] = append(all[i], float64(took.Microseconds())/1000)
			}
		}
	}
	for i, n := range sizes {
		of := all[i*len(names) : (i+1)*len(names)]
		for k := 1; k < len(names); k++ {
			b.times(fmt.Sprintf("%s%s captures, %s", head, thousands(int64(n*6/10)), names[k]), median(of[k]),
				median(of[0]), "a page of captures", 1.15)
		}
	}
	for k := 1; k < len(names); k++ {
		b.times(fmt.Sprintf("%s%s captures against 6,000, %s", head, thousands(int64(b.captures*6/10)), names[k]),
			median(all[len(names)+k]), median(all[k]), "6,000", 1.3)
	}
	return nil
}

// walkFeed goes through the whole feed and gives the cursors behind its pages; there must be as many captures as the
// organization has.
func walkFeed(s *server, o fixture.Organization) (cursors []string, err error) {
	captures := 0
	for after := ""; ; {
		raw, err := read(s, fmt.Sprintf("/v1/changes?limit=%d%s", feedPage, after))
		if err != nil {
			return nil, err
		}
		var page struct {
			Changes []struct{ Kind, Change string }
			Cursor  string
			More    bool
		}
		if err := json.Unmarshal(raw, &page); err != nil {
			return nil, err
		}
		for _, c := range page.Changes {
			if c.Kind == "capture" && c.Change == "changed" {
				captures++
			}
		}
		cursors, after = append(cursors, page.Cursor), "&after="+page.Cursor
		if !page.More {
			if captures != o.Captures {
				return nil, fmt.Errorf("the feed has %d captures of %d", captures, o.Captures)
			}
			return cursors, nil
		}
	}
}

// dates measures pages of ranges of dates as one caller meets them, in turn with the pages at the same places of the
// list without dates. No page is remembered.
func (b *bench) dates(engine string, c *cluster) error {
	head := fmt.Sprintf("%s: captured_from and captured_to of %s captures", engine, thousands(int64(b.captures*6/10)))
	if !b.wanted(head) {
		return nil
	}
	d, err := get(b.ctx, shape{name: "spread", captures: b.captures, times: fixture.Spread}, c, b.say)
	if err != nil {
		return err
	}
	s, err := b.server(d, portKinebase, 1)
	if err != nil {
		return err
	}
	defer func() { _ = s.end() }()
	r := rand.New(rand.NewPCG(13, 14))
	newest := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC) // when the data set ends
	for _, f := range []struct{ name, query string }{
		{"all", ""}, {"activity=jump", "activity=jump&"}, {"status=completed", "status=completed&"},
		{"source=api status=completed activity=jump movement=countermovement",
			"source=api&status=completed&activity=jump&movement=countermovement&"},
		{"movement=shot_put", "movement=shot_put&"},
	} {
		for _, half := range []int{0, 2} {
			var with, without []float64
			for n := range 1 + b.rounds*b.seconds*4 {
				to := newest.Add(-time.Duration(r.Int64N(int64(700 * 24 * time.Hour))))
				from, until := url.QueryEscape(to.Add(-400*24*time.Hour).Format(time.RFC3339)),
					url.QueryEscape(to.Format(time.RFC3339))
				before, err := page(s, "/v1/captures?"+f.query+"limit=1&captured_from="+until)
				if err != nil {
					return err
				}
				dated := fmt.Sprintf("/v1/captures?%slimit=100&captured_from=%s&captured_to=%s", f.query, from, until)
				p, err := page(s, dated)
				if err != nil {
					return err
				}
				if len(p.Captures) == 0 { // an empty page is quick, and says nothing
					return fmt.Errorf("%s is empty", dated)
				}
				offset := 0
				if half > 0 {
					offset = p.Total / half
				}
				dated += fmt.Sprintf("&offset=%d", offset)
				plain := fmt.Sprintf("/v1/captures?%slimit=100&offset=%d", f.query, before.Total+offset)
				for i, path := range []string{dated, plain} {
					took, err := ask(s, path)
					if err != nil {
						return err
					}
					if n == 0 {
						continue
					}
					if ms := float64(took.Microseconds()) / 1000; i == 0 {
						with = append(with, ms)
					} else {
						without = append(without, ms)
					}
				}
			}
			name := []string{"first page", "", "page in the middle"}[half]
			b.times(fmt.Sprintf("%s, %s, %s", head, f.name, name), median(with), median(without), "without dates", 1.5)
		}
	}
	return nil
}

// unfed are what a store has to keep for the feed of changes beside the columns of its rows.
var unfed = []string{"DROP INDEX capture_position", "DROP INDEX athlete_position", "DROP INDEX export_job_position",
	"DROP INDEX deletion_position"}

// feedWrites compares writing with and without the indexes of the feed, by processor time of the store on SQLite and by
// the clock on PostgreSQL, whose work is done elsewhere.
func (b *bench) feedWrites(engine string, c *cluster) error {
	operation := engine + ": ingest with the feed of changes"
	if !b.wanted(operation) {
		return nil
	}
	dir, err := os.MkdirTemp(folder(), "fed-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if c != nil {
		if err := c.recreate(b.ctx, "fed_", "fed_with", "fed_without"); err != nil {
			return err
		}
		defer func() { _ = c.recreate(b.ctx, "fed_") }()
	}
	figures := map[string][]float64{}
	for round := range b.rounds + 1 { // the first one fills empty tables and does not count
		for side, name := range []string{"fed_with", "fed_without"} {
			o := fixture.Organization{ID: fmt.Sprintf("0190f0e5-7b1c-7cc3-98c6-%04d%04d%04d", 0, round, side),
				Athletes: 1_000, Captures: 30_000, Shared: 0.03, Span: 24 * time.Hour}
			j := job{Role: roleIngest, Organization: o, Writers: 16, Batch: 20}
			if c == nil {
				j.Data, j.Cost = filepath.Join(dir, name), true
			} else {
				j.URL = c.url(name)
			}
			if _, err := prepare(b.ctx, j.Data, j.URL, []fixture.Organization{o}); err != nil {
				return err
			}
			if round == 0 && name == "fed_without" {
				if err := unindex(b.ctx, j); err != nil {
					return err
				}
			}
			figure, err := finish(j)
			if err != nil {
				return err
			}
			if round > 0 {
				figures[name] = append(figures[name], figure)
			}
		}
	}
	with, without := median(figures["fed_with"]), median(figures["fed_without"])
	if c == nil {
		text, met := judge(with/without, 1.05, atMost)
		b.add(row{operation: operation + ", processor time a capture", ours: figure(with) + " µs",
			baseline: "without its indexes " + figure(without) + " µs", ratio: figure(with / without), goal: text,
			met: met})
		return nil
	}
	b.rates(operation+", 16 writers, 20 captures a commit", measured{rate: with}, measured{rate: without},
		"without its indexes", 0.95, atLeast)
	return nil
}

// executeSQLite runs a statement on a database that nobody has open.
func executeSQLite(ctx context.Context, file, statement string) error {
	d, err := sql.Open("sqlite3", "file:"+file)
	if err != nil {
		return err
	}
	_, err = d.ExecContext(ctx, statement)
	return errors.Join(err, d.Close())
}

// unindex takes the indexes of the feed away.
func unindex(ctx context.Context, j job) (err error) {
	for _, statement := range unfed {
		if j.URL != "" {
			err = errors.Join(err, execute(ctx, j.URL, statement))
		} else {
			err = errors.Join(err, executeSQLite(ctx, filepath.Join(j.Data, db.FileName), statement))
		}
	}
	return err
}
