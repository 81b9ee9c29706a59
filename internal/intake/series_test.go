package intake_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"reflect"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/intake"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
)

// long takes series of a few parts, into memory.
type long struct {
	*memory
	parts   int   // of a series
	refuses bool  // somebody else uses it
	fail    error // of the second series
	series  int
}

func (l *long) ImportSeries(ctx context.Context, s organization.Scope, next func() []manifest.Record,
	told func([]manifest.Outcome)) (bool, error) {
	if l.refuses {
		return false, nil
	}
	l.series++
	athletes, captures, jobs := maps.Clone(l.athletes), maps.Clone(l.captures), maps.Clone(l.jobs)
	for range l.parts {
		part := next()
		if len(part) == 0 {
			break
		}
		outcomes, err := l.Import(ctx, s, part, false)
		if err != nil {
			return true, err
		}
		told(outcomes)
	}
	if l.fail != nil && l.series == 2 {
		l.athletes, l.captures, l.jobs = athletes, captures, jobs
		return true, l.fail
	}
	return true, nil
}

// longManifest is read in several batches, some of whose lines are refused.
func longManifest(t *testing.T) string {
	var text strings.Builder
	for i := range 3 {
		text.WriteString(ndjson(t, small))
		text.WriteString(`{"type":"capture","session_id":"odd ` + string(rune('a'+i)) +
			`","status":"error","error":"it fell","athlete_ids":[]}` + "\n")
		text.WriteString(`{"type":"capture","status":"completed","athlete_ids":["` + org + `"]}` + "\n" + "{}\n")
	}
	return text.String()
}

func TestASeriesTellsWhatBatchesTell(t *testing.T) {
	path := write(t, "m.ndjson", longManifest(t))
	report := func(change func(*intake.Import, *memory)) (intake.Summary, report, []string, *memory) {
		m := newMemory()
		im := &intake.Import{Store: m}
		var told []string
		im.Captured = func(c intake.Capture) {
			problem := ""
			if c.Error != nil {
				problem = *c.Error
			}
			told = append(told, strings.Join([]string{c.Path, string(rune(c.Line)), c.SessionID, string(c.Status),
				problem, string(rune(c.Effect))}, "|"))
		}
		change(im, m)
		s, r := run(t, im, path)
		return s, r, told, m
	}
	want, wantReport, wantTold, wantStore := report(func(*intake.Import, *memory) {})
	if want.Failed != 6 || len(wantTold) != 9003 {
		t.Fatalf("summary %+v, %d captures", want, len(wantTold))
	}
	for _, l := range []*long{{parts: 1}, {parts: 3}, {parts: 1000}, {refuses: true}} {
		got, gotReport, told, store := report(func(im *intake.Import, m *memory) {
			l.memory = m
			im.Series = l
		})
		if got != want || !reflect.DeepEqual(gotReport.refused, wantReport.refused) ||
			!reflect.DeepEqual(told, wantTold) {
			t.Errorf("%+v: summary %+v, and not %+v; refused %v, and not %v; or other captures are told", l, got, want,
				gotReport.refused, wantReport.refused)
		}
		if last := gotReport.progress[len(gotReport.progress)-1]; last !=
			wantReport.progress[len(wantReport.progress)-1] {
			t.Errorf("progress ends at %+v", last)
		}
		if !reflect.DeepEqual(store.captures, wantStore.captures) ||
			!reflect.DeepEqual(store.athletes, wantStore.athletes) {
			t.Errorf("%+v: something else is stored", l)
		}
		if l.refuses != (l.series == 0) {
			t.Errorf("%d series", l.series)
		}
	}
}

func TestWhatAFailedSeriesWouldHaveWrittenIsNotCounted(t *testing.T) {
	m := newMemory()
	l := &long{memory: m, parts: 2, fail: errors.New("no room")}
	var told int64
	im := &intake.Import{Store: m, Series: l, Scope: organization.In(org), Captured: func(intake.Capture) { told++ }}
	s, err := im.Run(t.Context(), write(t, "m.ndjson", ndjson(t, small)))
	if !errors.Is(err, l.fail) || s.Captures == 0 || s.Captures != int64(len(m.captures)) || s.Captures != told ||
		s.Athletes != int64(len(m.athletes)) {
		t.Errorf("%+v, %v; stored are %d athletes and %d captures", s, err, len(m.athletes), len(m.captures))
	}
}

func TestASeriesThatWaitsForLinesEnds(t *testing.T) {
	m := newMemory()
	l := &long{memory: m, parts: 1000}
	in, out := io.Pipe()
	im := &intake.Import{Store: m, Series: l, Scope: organization.In(org), Stdin: in}
	told := make(chan intake.Progress, 1)
	im.Progress = func(p intake.Progress) {
		if p.Records == 1000 {
			told <- p
		}
	}
	ended := make(chan error, 1)
	go func() {
		_, err := im.Run(context.Background(), "-")
		ended <- err
	}()
	lines := bytes.SplitAfter([]byte(ndjson(t, small)), []byte("\n"))
	write := func(lines [][]byte) {
		if _, err := out.Write(bytes.Join(lines, nil)); err != nil {
			t.Error(err)
		}
	}
	write(lines[:1000])
	<-told // no more lines have come
	write(lines[1000:])
	if err := errors.Join(out.Close(), <-ended); err != nil || len(m.captures) != 3000 {
		t.Errorf("%v; %d captures", err, len(m.captures))
	}
}
