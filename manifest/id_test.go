package manifest_test

import (
	"crypto/sha256"
	"encoding/json"
	"runtime"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
)

const org = "0190f0e5-7b1c-7cc3-98c4-dc0c0c07398f"

// idsOf reads a manifest and gives the ids of its records.
func idsOf(t interface{ Fatalf(string, ...any) }, organization string, lines ...string) []string {
	identity := manifest.NewIdentity(organization)
	var all []string
	for _, line := range lines {
		r, err := manifest.Parse([]byte(line), now)
		if err != nil {
			t.Fatalf("%s\nis refused: %v", line, err)
		}
		identity.Assign(r)
		switch {
		case r.Athlete != nil:
			all = append(all, r.Athlete.ID)
		case r.Capture != nil:
			all = append(all, r.Capture.SessionID)
		case r.Job != nil:
			all = append(all, r.Job.ID)
		}
	}
	return all
}

func TestTheIdsOfEarlierImportsNeverChange(t *testing.T) {
	lines := []string{
		`{"type":"athlete","first_name":"Ann","date_of_birth":"1999-05-13","height":70,"custom_attributes":{"b":"2","a":"1"}}`,
		`{"type":"capture","status":"completed","activity":"jump","movement":"squat","dimensions":{"arm_position":"arm-swing"},"capture_time":"2026-05-13T12:00:00Z","fps_detected":59.94}`,
		`{"type":"capture","status":"completed","activity":"jump","movement":"squat","dimensions":{"arm_position":"arm-swing"},"capture_time":"2026-05-13T12:00:00Z","fps_detected":59.94}`,
		`{"type":"export_job","status":"RUNNING","createdAt":"2026-05-13T12:00:00Z"}`,
	}
	want := []string{
		"e987ee07-520e-8b55-b3f6-f3eb3a617140", "dc47fca6-f33f-8ea1-bfee-21bc027b5932",
		"45046a74-7e7d-88dc-8257-5f00c9f4ec20", "d595881a-f307-8d5d-bef6-e0da93ae5398",
	}
	for i, id := range idsOf(t, org, lines...) {
		if id != want[i] {
			t.Errorf("line %d has the id %s; it was %s in earlier imports", i+1, id, want[i])
		}
	}
	if id := manifest.FileID(org, "a/b.c3d", sha256.Sum256([]byte("x"))); id != "2ef2e9b1-75bb-8b67-9e55-43096c681a41" {
		t.Errorf("the file's id is %s", id)
	}
	// The console makes the same: web/tests/unit/upload/there.test.ts.
	if id := manifest.FileID("", "monday/a é.trc", sha256.Sum256([]byte("motion"))); id !=
		"1e044f10-48f9-87df-aac2-a6013474c2fa" {
		t.Errorf("the id of a file that is sent is %s", id)
	}
}

func TestAnIdThatALineBringsIsKept(t *testing.T) {
	got := idsOf(t, org, `{"type":"capture","session_id":"mine","status":"completed"}`,
		`{"type":"export_job","jobId":"mine","status":"RUNNING"}`)
	if got[0] != "mine" || got[1] != "mine" {
		t.Errorf("got %q", got)
	}
}

func TestHowALineIsSpelledMakesNoDifferenceToItsId(t *testing.T) {
	for _, twins := range [][2]string{
		{`{"type":"capture","status":"completed","activity":"jump"}`,
			` { "activity" : "\u006aump" , "type":"capture", "status":"completed","movement":null, "source":"import","athlete_ids":[] } `},
		{`{"type":"capture","status":"completed","capture_time":"2026-05-13T12:00:00Z","fps_detected":60}`,
			`{"type":"capture","status":"completed","capture_time":"2026-05-13T14:00:00.000+02:00","fps_detected":6.0e1}`},
		{`{"type":"capture","status":"completed","athlete_ids":["` + org + `"]}`,
			`{"type":"capture","status":"completed","athlete_ids":["` + strings.ToUpper(org) + `"]}`},
		{`{"type":"athlete","first_name":"Ann","custom_attributes":{"a":"1","b":"2"}}`,
			`{"type":"athlete","custom_attributes":{"b":"2","a":"1"},"first_name":" Ann ","last_name":""}`},
	} {
		if a, b := idsOf(t, org, twins[0]), idsOf(t, org, twins[1]); a[0] != b[0] {
			t.Errorf("%s\n%s\nare named %s and %s", twins[0], twins[1], a[0], b[0])
		}
	}
}

func TestWhatALineSaysMakesItsId(t *testing.T) {
	lines := []string{
		`{"type":"capture","status":"completed"}`,
		`{"type":"capture","status":"error"}`,
		`{"type":"capture","status":"completed","error":"x"}`,
		`{"type":"capture","status":"completed","source":"x"}`,
		`{"type":"capture","status":"completed","activity":"x"}`,
		`{"type":"capture","status":"completed","movement":"x"}`,
		`{"type":"capture","status":"completed","activity":"xy"}`,
		`{"type":"capture","status":"completed","activity":"x","movement":"y"}`,
		`{"type":"capture","status":"completed","dimensions":{"eyes":"x"}}`,
		`{"type":"capture","status":"completed","dimensions":{"direction":"x"}}`,
		`{"type":"capture","status":"completed","capture_time":"2026-05-13T12:00:00Z"}`,
		`{"type":"capture","status":"completed","fps_detected":1}`,
		`{"type":"capture","status":"completed","athlete_ids":["0190f0e5-7b1c-7cc3-98c4-dc0c0c07398f","0190f0e5-7b1c-7cc3-98c4-dc0c0c073990"]}`,
		`{"type":"capture","status":"completed","athlete_ids":["0190f0e5-7b1c-7cc3-98c4-dc0c0c073990","0190f0e5-7b1c-7cc3-98c4-dc0c0c07398f"]}`,
		`{"type":"athlete","first_name":"x"}`,
		`{"type":"athlete","first_name":"x","last_name":"y"}`,
		`{"type":"export_job","status":"RUNNING"}`,
		`{"type":"export_job","status":"RUNNING","createdAt":"2026-05-13T12:00:00Z"}`,
	}
	seen := map[string]string{}
	for _, line := range append(lines, lines[0]) { // the last one is a second occurrence
		seen[idsOf(t, org, line)[0]] = line
	}
	if len(seen) != len(lines) {
		t.Errorf("%d different lines have %d different ids", len(lines), len(seen))
	}
	if id := idsOf(t, org, lines[0], lines[0])[1]; seen[id] != "" {
		t.Errorf("the second occurrence has the id of %s", seen[id])
	}
	if id := idsOf(t, "0190f0e5-7b1c-7cc3-98c4-dc0c0c073990", lines[0])[0]; seen[id] != "" {
		t.Error("another organization's line has the same id")
	}
}

func TestAnyManifestReadTwiceHasTheSameIdsAndNoneTwice(t *testing.T) {
	field := rapid.SampledFrom([]string{`"activity":"a"`, `"movement":"a"`, `"error":"a"`, `"fps_detected":2`,
		`"source":"a"`, `"dimensions":{"eyes":"a"}`})
	rapid.Check(t, func(t *rapid.T) {
		var lines []string
		for range rapid.IntRange(1, 40).Draw(t, "lines") {
			fields := rapid.SliceOfNDistinct(field, 0, 3, rapid.ID[string]).Draw(t, "fields")
			all := append([]string{`"type":"capture"`, `"status":"completed"`}, fields...)
			all = rapid.Permutation(all).Draw(t, "order of keys, which decides nothing")
			lines = append(lines, "{"+strings.Join(all, ",")+"}")
		}
		first, second := idsOf(t, org, lines...), idsOf(t, org, lines...)
		unique := map[string]bool{}
		for i, id := range first {
			if id != second[i] {
				t.Fatalf("line %d, %s, is named %s and then %s", i+1, lines[i], id, second[i])
			}
			if lower, ok := organization.ParseUUID(id); !ok || lower != id || id[14] != '8' || unique[id] {
				t.Fatalf("line %d, %s, is named %s", i+1, lines[i], id)
			}
			unique[id] = true
		}
	})
}

func TestAQuarterOfAMillionNamedRecordsCostAtMostTenMegabytes(t *testing.T) {
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	identity := manifest.NewIdentity(org)
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for range 250_000 {
		at = at.Add(time.Millisecond)
		identity.Assign(manifest.Record{Capture: &capture.Capture{Status: capture.Completed, CaptureTime: &at}})
	}
	grown := heap() - before
	runtime.KeepAlive(identity)
	t.Logf("%d bytes for 250,000", grown)
	if grown > 10<<20 {
		t.Errorf("250,000 records cost %d bytes", grown)
	}
}

func TestLinesAreNumberedAndMeasured(t *testing.T) {
	long := strings.Repeat("x", manifest.MaxLine+1)
	text := "\ufeff{\"a\":1}\r\n\n  \n" + long + "\n" + strings.Repeat(long, 3) + "\n" + long[:manifest.MaxLine] +
		"\r\nlast"
	var got []string
	var size int64
	for l := range manifest.Lines(strings.NewReader(text)) {
		size += l.Size
		b, _ := json.Marshal([]any{l.Number, len(l.Text), l.Err != nil})
		got = append(got, string(b))
	}
	want := `[1,7,false] [4,1048577,false] [5,0,true] [6,1048576,false] [7,4,false]`
	if s := strings.Join(got, " "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
	if size != int64(len(text)) {
		t.Errorf("the lines measure %d bytes, the text has %d", size, len(text))
	}
}
