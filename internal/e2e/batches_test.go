package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/testkit/fixture"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
)

// batchLines is how many lines of a manifest go in together: all or nothing.
const batchLines = 1000

// batch is one transaction of an import: an athlete and its captures, all of the
// same status.
type batch struct {
	number  int
	athlete string
	now     capture.Status // "" for none of it
	or      capture.Status
	doubt   bool
}

func newBatch(number int) *batch { return &batch{number: number, athlete: organization.NewID()} }

func (b *batch) movement() string { return fmt.Sprintf("movement %d", b.number) }

// records are an athlete and 999 captures.
func (b *batch) records(status capture.Status) []manifest.Record {
	activity, movement, source := "Crash", b.movement(), "mobile"
	if b.number%2 == 0 {
		source = capture.SourceAPI
	}
	list := make([]manifest.Record, 0, batchLines)
	who := fixture.Organization{ID: b.athlete, Athletes: 1, Captures: batchLines}
	a := who.Athlete(0)
	a.ID, a.CustomAttributes = b.athlete, nil
	list = append(list, manifest.Record{Athlete: &a})
	for i := range batchLines - 1 {
		c := who.Capture(i)
		c.AthleteIDs, c.Activity, c.Movement, c.Dimensions = []string{b.athlete}, &activity, &movement, nil
		c.Status, c.Source, c.Error = status, source, nil
		list = append(list, manifest.Record{Capture: &c})
	}
	return list
}

// lab are the batches of an organization.
type lab struct {
	t       *testing.T
	batches []*batch
	made    int
	folder  string
}

// manifest writes the batches with a status each into a file, and notes that from
// now on they may have it.
func (l *lab) manifest(batches []*batch, status capture.Status) string {
	l.t.Helper()
	var text bytes.Buffer
	for _, b := range batches {
		b.or, b.doubt = status, true
		for _, r := range b.records(status) {
			text.Write(append(fixture.Line(r), '\n'))
		}
	}
	l.made++
	file := filepath.Join(l.folder, fmt.Sprintf("manifest-%d.ndjson", l.made))
	if err := os.WriteFile(file, text.Bytes(), 0o600); err != nil {
		l.t.Fatal(err)
	}
	return file
}

// settle notes that an import of the batches has ended well.
func settle(batches []*batch) {
	for _, b := range batches {
		b.now, b.or, b.doubt = b.or, "", false
	}
}

// remove deletes a batch by its athlete, which takes the captures along.
func (b *batch) remove(ctx context.Context, c *client.Client) error {
	b.or, b.doubt = "", true
	_, err := c.DeleteAthlete(ctx, b.athlete)
	if err == nil {
		settle([]*batch{b})
	}
	return err
}

// row is what is compared of a row of a list.
type row struct{ session, athlete, movement, status string }

// inspect holds every list of captures against what was promised: each batch is
// there as a whole or not at all, and of every filter total_count is what paging
// gives, which is what the whole list has of it.
func (l *lab) inspect(ctx context.Context, c *client.Client) {
	l.t.Helper()
	all := l.page(ctx, c, client.CaptureFilter{})
	api := map[string]bool{}
	for _, r := range l.page(ctx, c, client.CaptureFilter{Source: "api"}) {
		api[r.session] = true
	}
	of := func(keep func(row) bool) []row {
		var rows []row
		for _, r := range all {
			if keep(r) {
				rows = append(rows, r)
			}
		}
		return rows
	}
	known := 0
	for _, b := range l.batches {
		mine := of(func(r row) bool { return r.movement == b.movement() })
		known += len(mine)
		l.judge(b, mine)
		fromAPI := len(of(func(r row) bool { return r.movement == b.movement() && api[r.session] }))
		if want := len(mine) * (1 - b.number%2); fromAPI != want {
			l.t.Errorf("%d captures of batch %d are from the interface, want %d", fromAPI, b.number, want)
		}
		l.same(ctx, c, client.CaptureFilter{Movement: b.movement()}, mine)
		l.same(ctx, c, client.CaptureFilter{Activity: "CRASH", Movement: b.movement(), Status: string(capture.Completed), Source: "api"},
			of(func(r row) bool {
				return r.movement == b.movement() && r.status == string(capture.Completed) && api[r.session]
			}))
		if b.now == "" {
			if _, err := c.ListCaptures(ctx, client.CaptureFilter{AthleteID: b.athlete}); status(err) != http.StatusBadRequest {
				l.t.Errorf("captures of the athlete of batch %d, which is not there: %v", b.number, err)
			}
			continue
		}
		l.same(ctx, c, client.CaptureFilter{AthleteID: b.athlete}, mine)
	}
	if known != len(all) {
		l.t.Errorf("%d captures, of which %d were imported", len(all), known)
	}
	for _, s := range capture.Statuses {
		l.same(ctx, c, client.CaptureFilter{Status: string(s)}, of(func(r row) bool { return r.status == string(s) }))
	}
	l.batches = slices.DeleteFunc(l.batches, func(b *batch) bool { return b.now == "" })
}

// judge says whether what is there of a batch is one of the whole states that it
// may have, and takes it for known.
func (l *lab) judge(b *batch, rows []row) {
	l.t.Helper()
	found := capture.Status("")
	if len(rows) > 0 {
		found = capture.Status(rows[0].status)
	}
	for _, r := range rows {
		if r.status != string(found) || r.athlete != b.athlete {
			l.t.Errorf("batch %d is half changed: it has %+v and %+v", b.number, rows[0], r)
			return
		}
	}
	if len(rows) != 0 && len(rows) != batchLines-1 {
		l.t.Errorf("batch %d is half there: %d captures of %d", b.number, len(rows), batchLines-1)
	}
	if found != b.now && (!b.doubt || found != b.or) {
		l.t.Errorf("batch %d is %q; acknowledged was %q, in doubt is %v %q", b.number, found, b.now, b.doubt, b.or)
	}
	b.now, b.or, b.doubt = found, "", false
}

// same holds the list of a filter against the rows that it must have, in order.
func (l *lab) same(ctx context.Context, c *client.Client, f client.CaptureFilter, want []row) {
	l.t.Helper()
	if got := l.page(ctx, c, f); !slices.Equal(got, want) {
		l.t.Errorf("with %+v there are %d captures, and the whole list has %d of them, or their order differs", f, len(got), len(want))
	}
}

// page reads all pages of a list and holds total_count against them. Every capture
// here has one athlete, so rows are captures.
func (l *lab) page(ctx context.Context, c *client.Client, f client.CaptureFilter) []row {
	l.t.Helper()
	var rows []row
	f.Limit = 500
	for {
		f.Offset = int64(len(rows))
		page, err := c.ListCaptures(ctx, f)
		if err != nil {
			l.t.Fatalf("list the captures with %+v: %v", f, err)
		}
		for _, r := range page.Captures {
			one := row{session: r.SessionID, status: r.Status}
			if r.AthleteID != nil {
				one.athlete = *r.AthleteID
			}
			if r.Movement != nil {
				one.movement = *r.Movement
			}
			rows = append(rows, one)
		}
		switch {
		case len(page.Captures) == f.Limit:
			continue
		case page.TotalCount != int64(len(rows)):
			l.t.Errorf("with %+v total_count is %d, and the pages have %d captures", f, page.TotalCount, len(rows))
		}
		return rows
	}
}

// summary is what an import prints.
type summary struct {
	Athletes, Captures, Failed int64
}

func parseSummary(t *testing.T, out []byte) (s summary) {
	t.Helper()
	if err := json.Unmarshal(out, &s); err != nil {
		t.Errorf("an import printed %q: %v", out, err)
	}
	return s
}
