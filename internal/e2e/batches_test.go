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

func newBatch(number int) *batch { return &batch{number: number, athlete: organization.NewUUID()} }

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

// inspect holds every list of captures against what was promised: each batch is
// there as a whole or not at all, and of every filter total_count is what paging
// gives, which is what the whole list has of it.
func (l *lab) inspect(ctx context.Context, c *client.Client, from *lists) {
	l.t.Helper()
	all := from.whole(ctx, client.CaptureFilter{})
	api := map[string]bool{}
	for _, r := range from.whole(ctx, client.CaptureFilter{Source: "api"}) {
		api[r.Session] = true
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
		mine := of(func(r row) bool { return r.Movement == b.movement() })
		known += len(mine)
		l.judge(b, mine)
		fromAPI := len(of(func(r row) bool { return r.Movement == b.movement() && api[r.Session] }))
		if want := len(mine) * (1 - b.number%2); fromAPI != want {
			l.t.Errorf("%d captures of batch %d are from the interface, want %d", fromAPI, b.number, want)
		}
		from.same(ctx, client.CaptureFilter{Movement: b.movement()}, mine)
		from.same(ctx, client.CaptureFilter{Activity: "CRASH", Movement: b.movement(),
			Status: string(capture.Completed), Source: "api"},
			of(func(r row) bool {
				return r.Movement == b.movement() && r.Status == string(capture.Completed) && api[r.Session]
			}))
		if b.now == "" {
			if _, err := c.ListCaptures(ctx, client.CaptureFilter{AthleteID: b.athlete}); status(err) !=
				http.StatusBadRequest {
				l.t.Errorf("captures of the athlete of batch %d, which is not there: %v", b.number, err)
			}
			continue
		}
		from.same(ctx, client.CaptureFilter{AthleteID: b.athlete}, mine)
	}
	if known != len(all) {
		l.t.Errorf("%d captures, of which %d were imported", len(all), known)
	}
	for _, s := range capture.Statuses {
		from.same(ctx, client.CaptureFilter{Status: string(s)}, of(func(r row) bool { return r.Status == string(s) }))
	}
	l.batches = slices.DeleteFunc(l.batches, func(b *batch) bool { return b.now == "" })
}

// judge says whether what is there of a batch is one of the whole states that it
// may have, and takes it for known.
func (l *lab) judge(b *batch, rows []row) {
	l.t.Helper()
	found := capture.Status("")
	if len(rows) > 0 {
		found = capture.Status(rows[0].Status)
	}
	for _, r := range rows {
		if r.Status != string(found) || r.Athlete != b.athlete {
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
