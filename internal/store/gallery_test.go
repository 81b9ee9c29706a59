package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
)

// filmed is a capture as the reference knows it.
type filmed struct {
	capture.Capture
	frames  int
	event   bool
	spoiled bool // its table cannot be read
	bare    bool // it has no file
}

// gallery are captures of two athletes and of nobody, more than a piece of them, some of
// which cannot be read, and captures of somebody else.
type gallery struct {
	s        *Store
	sc       organization.Scope
	ahead    func(time.Duration)
	ann, bob string
	list     []filmed

	lock   sync.Mutex
	opened map[string]bool // tables that were looked at
}

func newGallery(t *testing.T, p place) *gallery {
	g := &gallery{opened: map[string]bool{}, s: p.open(still), ann: person("").ID, bob: person("").ID}
	g.ahead = clock(g.s)
	g.sc = tenant(t, g.s, "A")
	other := tenant(t, g.s, "B")
	ids := create(t, g.s, g.sc, person("Ann"), person("Bob"))
	g.ann, g.bob = ids[0], ids[1]
	for n := range 180 {
		f := filmed{frames: 1 + n%7, event: n%5 == 0, spoiled: n%37 == 5, bare: n%41 == 7}
		f.Capture = session(fmt.Sprintf("%03d", n), ptr(noon.Add(-time.Duration(n)*time.Minute)),
			[][]string{nil, {g.ann}, {g.bob}, {g.ann, g.bob}}[n%4]...)
		g.list = append(g.list, f)
		if f.bare {
			put(t, g.s, g.sc, f.Capture)
			continue
		}
		event := -1
		if f.event {
			event = 0
		}
		film(t, g.s, g.sc, f.Capture, walked(f.frames, "A", event))
		if n%60 == 0 {
			film(t, g.s, other, session(fmt.Sprintf("foreign %03d", n), f.CaptureTime), walked(9, "A", 0))
		}
	}
	return g
}

// look reads tables, but for those that are spoiled.
func (g *gallery) look(_ context.Context, table string, rows int) (string, error) {
	g.lock.Lock()
	g.opened[table] = true
	g.lock.Unlock()
	for _, f := range g.list {
		if table == "table of "+f.SessionID && f.spoiled {
			return "It is spoiled.", nil
		}
		if table == "table of "+f.SessionID && f.frames != rows {
			return "", fmt.Errorf("%s has %d frames, and not %d", table, f.frames, rows)
		}
	}
	return "", nil
}

// want is what a result must have: "session athlete rows at the first of them", and the
// captures that were left out.
func (g *gallery) want(r export.Request) (parts, skipped []string) {
	first := 0
	add := func(f filmed, athlete string) {
		rows := f.frames
		if r.RowFilter == export.FrameZero {
			rows = 1
		} else if r.RowFilter != export.EveryFrame && !f.event {
			skipped = append(skipped, f.SessionID)
			return
		} else if r.RowFilter != export.EveryFrame {
			rows = 1
		}
		if f.spoiled || f.bare {
			skipped = append(skipped, f.SessionID)
			return
		}
		parts = append(parts, fmt.Sprintf("%s %s %d at %d", f.SessionID, athlete, rows, first))
		first += rows
	}
	if len(r.Athletes) == 0 {
		for _, f := range g.list {
			for _, a := range slices.Sorted(slices.Values(append(f.AthleteIDs, ""))) {
				if a != "" || len(f.AthleteIDs) == 0 {
					add(f, a)
				}
			}
		}
	}
	for _, a := range r.Athletes {
		for _, f := range g.list {
			if slices.Contains(f.AthleteIDs, a) {
				add(f, a)
			}
		}
	}
	slices.Sort(skipped)
	return parts, slices.Compact(skipped)
}

// sums holds a job's sums to its parts.
func sums(t *testing.T, s *Store, sc organization.Scope, jobID string) {
	t.Helper()
	blocks, columns := map[int64]int64{}, map[string]int64{}
	var parts, rowCount int64
	org := idOf(t, sc)
	must(t, s.engine.Read(t.Context(), org, func(tx db.Tx) error {
		return tx.Do(db.Each(func(r db.Rows) error {
			var n, count int64
			var raw []byte
			if err := r.Scan(&n, &count, &raw); err != nil {
				return err
			}
			blocks[n/blockParts] += count
			rowCount += count
			parts++
			var info frames.Info
			err := json.Unmarshal(raw, &info)
			for _, c := range info.Channels {
				for _, name := range c.Columns {
					columns[name]++
				}
			}
			for _, e := range info.EventColumns() {
				columns[e.Name]++
			}
			return err
		}, `SELECT n, row_count, info FROM export_part WHERE organization = $1 AND job = $2`, org, jobID),
			db.Each(func(r db.Rows) error {
				var block, count int64
				err := r.Scan(&block, &count)
				if blocks[block] != count {
					t.Errorf("block %d has %d rows, and not %d", block, count, blocks[block])
				}
				delete(blocks, block)
				return err
			}, `SELECT block, row_count FROM export_block WHERE organization = $1 AND job = $2`, org, jobID),
			db.Each(func(r db.Rows) error {
				var name string
				var uses int64
				err := r.Scan(&name, &uses)
				if columns[name] != uses {
					t.Errorf("the column %s is in %d parts, and not in %d", name, columns[name], uses)
				}
				delete(columns, name)
				return err
			}, `SELECT name, uses FROM export_column WHERE organization = $1 AND job = $2`, org, jobID),
			db.Each(func(r db.Rows) error {
				var p, n int64
				err := r.Scan(&p, &n)
				if p != parts || n != rowCount {
					t.Errorf("it has %d parts of %d rows, and not %d of %d", parts, rowCount, p, n)
				}
				return err
			}, `SELECT parts, row_count FROM export_build WHERE organization = $1 AND job = $2`, org, jobID))
	}))
	if len(blocks)+len(columns) > 0 {
		t.Errorf("there are no sums of the blocks %v and the columns %v", blocks, columns)
	}
}

// partsWithIDs lists all parts of a result, page by page.
func partsWithIDs(t *testing.T, g *gallery, r export.Result) (list []string) {
	t.Helper()
	for _, p := range allParts(t, g.s, g.sc, r, 70) {
		list = append(list, fmt.Sprintf("%s %s %d at %d", p.SessionID, p.AthleteID, p.Rows, p.First))
	}
	return list
}
