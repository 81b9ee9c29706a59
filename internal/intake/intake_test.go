package intake_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/intake"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/internal/testkit/fixture"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
)

var small = fixture.Organization{ID: org, Athletes: 400, Captures: 3000, Jobs: 20, Shared: 0.03}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func ndjson(t *testing.T, o fixture.Organization) string {
	t.Helper()
	var b bytes.Buffer
	if err := o.WriteNDJSON(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestAManifestTwiceChangesNothing(t *testing.T) {
	path := write(t, "m.ndjson", ndjson(t, small))
	m := newMemory()
	want := intake.Summary{Athletes: 400, Captures: 3000, ExportJobs: 20}
	if s, r := run(t, &intake.Import{Store: m}, path); s != want || len(r.refused) > 0 {
		t.Fatalf("summary %+v, refused %v", s, r.refused)
	}
	if e := m.effects(); e[manifest.Created] != small.Len() {
		t.Errorf("effects %v", e)
	}
	if s, _ := run(t, &intake.Import{Store: m}, path); s != want {
		t.Errorf("the second time: summary %+v", s)
	}
	if e := m.effects(); e[manifest.Unchanged] != small.Len() {
		t.Errorf("the second time: effects %v", e)
	}
}

func TestLinesWithoutIdsAreTheSameRecordsTheSecondTimeToo(t *testing.T) {
	line := `{"type":"capture","status":"completed","activity":"jump"}` + "\n"
	path := write(t, "m.ndjson", strings.Repeat(line, 1500)+`{"type":"athlete","first_name":"Ann"}`)
	m := newMemory()
	run(t, &intake.Import{Store: m}, path)
	if len(m.captures) != 1500 || len(m.athletes) != 1 {
		t.Fatalf("%d captures, %d athletes", len(m.captures), len(m.athletes))
	}
	m.effects()
	run(t, &intake.Import{Store: m}, path)
	if e := m.effects(); e[manifest.Unchanged] != 1501 || len(e) != 1 {
		t.Errorf("the second time: effects %v", e)
	}
}

func TestABadLineIsReportedWithNumberFieldAndRuleWhileTheRestGoesIn(t *testing.T) {
	path := write(t, "m.ndjson", strings.Join([]string{
		`{"type":"capture","session_id":"a","status":"completed"}`,
		`{"type":"capture","session_id":"b","status":"done","activity":""}`,
		``,
		`{"type":"capture","session_id":"c","status":"completed","athlete_ids":["` + org + `"]}`,
		`oops`,
		strings.Repeat("x", 3<<20),
		`{"type":"capture","session_id":"d","status":"completed"}`,
	}, "\n"))
	m := newMemory()
	s, r := run(t, &intake.Import{Store: m}, path)
	if want := (intake.Summary{Captures: 2, Failed: 4}); s != want {
		t.Errorf("summary %+v, want %+v", s, want)
	}
	var got []string
	for _, f := range r.refused {
		if f.Path != path {
			t.Errorf("reported for %s", f.Path)
		}
		got = append(got, strings.Join([]string{string(rune('0' + f.Line)), f.Field, f.Rule}, "|"))
	}
	want := []string{
		"2|status|status must be one of awaiting_upload, processing, completed, error",
		"2|activity|activity must not be blank",
		"4|athlete_ids|athlete_ids must name athletes that exist (" + org + " does not)",
		`5||the JSON is not valid at byte 1: "o" cannot stand there`,
		"6||the line is longer than 1 MiB",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("told is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestAFileThatIsNoManifestIsRefusedOnceAndNotReadOn(t *testing.T) {
	good := `{"type":"athlete","first_name":"Ann"}` + "\n"
	wrong := `{"type":"athlete"}` + "\n"
	for name, c := range map[string]struct {
		text string
		says string // of the only refusal; "" when every line is told
		want intake.Summary
	}{
		"a table": {strings.Repeat("trial,time\n", 5000) + good,
			"this does not look like an NDJSON manifest", intake.Summary{Failed: 1}},
		"lines without an end": {strings.Repeat(strings.Repeat("x", 2<<20)+"\n", 20),
			"this does not look like an NDJSON manifest", intake.Summary{Failed: 1}},
		"a heading": {strings.Repeat("trial,time\n", 19) + good, "",
			intake.Summary{Athletes: 1, Failed: 19}},
		"a few lines":          {strings.Repeat("trial,time\n", 19), "", intake.Summary{Failed: 19}},
		"objects that are bad": {strings.Repeat(wrong, 50) + good, "", intake.Summary{Athletes: 1, Failed: 50}},
		"rubbish in the middle": {good + strings.Repeat("trial,time\n", 50), "",
			intake.Summary{Athletes: 1, Failed: 50}},
		"UTF-16": {"\xff\xfe" + strings.Join(strings.Split(good, ""), "\x00"),
			"is in UTF-16: save it as UTF-8", intake.Summary{Failed: 1}},
		"UTF-16 without a mark": {"\x00" + strings.Join(strings.Split(good, ""), "\x00"),
			"is in UTF-16: save it as UTF-8", intake.Summary{Failed: 1}},
	} {
		path := write(t, "m.ndjson", c.text)
		s, r := run(t, &intake.Import{Store: newMemory()}, path)
		if s != c.want || len(r.refused) == 0 {
			t.Errorf("%s: summary %+v, want %+v, refused %v", name, s, c.want, r.refused)
			continue
		}
		first := r.refused[0]
		if c.says != "" && (len(r.refused) != 1 || first.Line != 0 || !strings.HasPrefix(first.Rule, c.says)) {
			t.Errorf("%s: told is %v", name, r.refused)
		}
		if c.says == "" && first.Line == 0 {
			t.Errorf("%s: the lines are not told: %v", name, r.refused)
		}
		if last := r.progress[len(r.progress)-1]; c.says == "" && last.Bytes != last.Total {
			t.Errorf("%s: progress ends at %+v", name, last)
		}
	}
}

func TestEveryCaptureIsToldWithThePlaceThatItCameFrom(t *testing.T) {
	l := newLab(t, store.Options{Data: t.TempDir()})
	folder := lay(t, map[string]string{"a/walk.trc": "good", "b.c3d": "damaged"})
	path := write(t, "m.ndjson", `{"type":"athlete","first_name":"Ann"}
{"type":"capture","session_id":"s","status":"processing"}
{"type":"capture","session_id":"s2"}
`)
	var told []string
	im := l.importing()
	im.Captured = func(c intake.Capture) {
		stored, err := l.store.Stored(t.Context(), l.scope, c.SessionID)
		l.must(err)
		told = append(told, strings.Join([]string{c.Path, string(rune('0' + c.Line)), string(stored.Capture.Status)},
			"|"))
	}
	if s, err := im.Run(t.Context(), folder, path); err != nil ||
		s != (intake.Summary{Athletes: 1, Captures: 3, Failed: 1, Warnings: 2}) {
		t.Errorf("summary %+v, %v", s, err)
	}
	want := []string{
		filepath.Join(folder, "a/walk.trc") + "|0|completed",
		filepath.Join(folder, "b.c3d") + "|0|error",
		path + "|2|processing",
	}
	if !reflect.DeepEqual(told, want) {
		t.Errorf("told is %q, want %q", told, want)
	}
}

func TestATableIsSentToTheRecipe(t *testing.T) {
	_, r := run(t, &intake.Import{Store: newMemory()}, write(t, "Trials.CSV", "a,b\n"))
	if len(r.refused) != 1 || !strings.Contains(r.refused[0].Rule, "docs/import.md") {
		t.Errorf("told is %v", r.refused)
	}
}

func TestADryRunWritesNothingAndCountsTheSame(t *testing.T) {
	text := ndjson(t, small) + `{"type":"capture","status":"completed","athlete_ids":["` + org + `"]}` + "\n"
	path := write(t, "m.ndjson", text)
	m := newMemory()
	want := intake.Summary{Athletes: 400, Captures: 3000, ExportJobs: 20, Failed: 1}
	s, r := run(t, &intake.Import{Store: m, Dry: true}, path)
	if s != want || len(r.refused) != 1 || len(m.athletes)+len(m.captures)+len(m.jobs) != 0 {
		t.Errorf("summary %+v, refused %v, %d athletes written", s, r.refused, len(m.athletes))
	}
	if s, _ := run(t, &intake.Import{Store: m}, path); s != want {
		t.Errorf("for real: summary %+v", s)
	}
}

func TestStandardInputIsAManifest(t *testing.T) {
	m := newMemory()
	s, r := run(t, &intake.Import{Store: m, Stdin: strings.NewReader(ndjson(t, small))}, "-")
	if s.Captures != 3000 || len(m.captures) != 3000 {
		t.Errorf("summary %+v", s)
	}
	if last := r.progress[len(r.progress)-1]; last.Total != 0 || last.Records != int64(small.Len()) {
		t.Errorf("progress %+v", last)
	}
}

func TestProgressReachesTheWholeSize(t *testing.T) {
	a, b := write(t, "a.ndjson", ndjson(t, small)), write(t, "b.ndjson", `{"type":"athlete","first_name":"Ann"}`)
	_, r := run(t, &intake.Import{Store: newMemory()}, a, b)
	last := r.progress[len(r.progress)-1]
	if last.Total == 0 || last.Bytes != last.Total || last.Records != int64(small.Len()+1) {
		t.Errorf("progress ends at %+v", last)
	}
}

func TestWhatCannotBeReadIsReportedAndTheRestGoesIn(t *testing.T) {
	good := write(t, "m.ndjson", `{"type":"athlete","first_name":"Ann"}`)
	missing := filepath.Join(t.TempDir(), "missing.ndjson")
	s, r := run(t, &intake.Import{Store: newMemory()}, missing, write(t, "walk.c3d", "x"), write(t, "m.ndjson.gz", "x"),
		"-", good)
	if want := (intake.Summary{Athletes: 1, Failed: 4}); s != want {
		t.Errorf("summary %+v, want %+v", s, want)
	}
	if f := r.refused[0]; f.Path != missing || f.Line != 0 || f.Rule != "cannot be read: no such file or directory" {
		t.Errorf("told is %+v", f)
	}
}

type brokenReader struct{ text io.Reader }

func (b *brokenReader) Read(p []byte) (int, error) {
	n, err := b.text.Read(p)
	if err == io.EOF {
		err = errors.New("input/output error")
	}
	return n, err
}

func TestAFileThatBreaksOffIsReportedAtItsLine(t *testing.T) {
	m := newMemory()
	s, r := run(t, &intake.Import{Store: m,
		Stdin: &brokenReader{strings.NewReader("{\"type\":\"athlete\",\"first_name\":\"Ann\"}\n{\"type\":")}}, "-")
	if want := (intake.Summary{Athletes: 1, Failed: 1}); s != want {
		t.Errorf("summary %+v, want %+v", s, want)
	}
	if f := r.refused[0]; f.Line != 2 || f.Rule != "cannot be read: input/output error" {
		t.Errorf("told is %+v", f)
	}
}

func TestAFailingStoreStopsTheImport(t *testing.T) {
	m := newMemory()
	m.fail = errors.New("disk full")
	im := intake.Import{Store: m, Scope: organization.In(org)}
	if s, err := im.Run(context.Background(), write(t, "m.ndjson", ndjson(t, small))); !errors.Is(err, m.fail) ||
		s != (intake.Summary{}) {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestACancelledImportEndsEvenWhileStandardInputIsSilent(t *testing.T) {
	silent, hold := io.Pipe()
	defer hold.Close() // lets the blocked read end
	ctx, cancel := context.WithCancel(context.Background())
	im := intake.Import{Store: newMemory(), Scope: organization.In(org), Stdin: silent}
	done := make(chan error)
	go func() { _, err := im.Run(ctx, "-"); done <- err }()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// discard is a store that keeps nothing, to see what an import itself holds.
type discard struct{}

func (discard) Import(_ context.Context, _ organization.Scope, records []manifest.Record, _ bool) ([]manifest.Outcome,
	error) {
	return make([]manifest.Outcome, len(records)), nil
}

func TestALongManifestIsReadInLittleMemory(t *testing.T) {
	in, out := io.Pipe()
	o := fixture.Organization{ID: org, Athletes: 1000, Captures: 59_000}
	go func() { _ = out.CloseWithError(o.WriteNDJSON(out)) }()
	var highest uint64
	im := intake.Import{Store: discard{}, Scope: organization.In(org), Stdin: in,
		Now: time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)}
	im.Progress = func(p intake.Progress) {
		if p.Records%10_000 == 0 {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			highest = max(highest, m.HeapAlloc)
		}
	}
	s, err := im.Run(context.Background(), "-")
	if err != nil || s.Captures != 59_000 {
		t.Fatalf("%+v, %v", s, err)
	}
	if highest > 12<<20 {
		t.Errorf("the import held %d bytes", highest)
	}
}
