package manifest_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/manifest"
)

var now = time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)

func parse(t *testing.T, line string) manifest.Record {
	t.Helper()
	r, err := manifest.Parse([]byte(line), now)
	if err != nil {
		t.Fatalf("%s\nis refused: %v", line, err)
	}
	return r
}

// problems gives "field|message" of everything that is wrong with a line.
func problems(t *testing.T, line string) []string {
	t.Helper()
	_, err := manifest.Parse([]byte(line), now)
	if err == nil {
		return nil
	}
	var f *fault.Error
	if !errors.As(err, &f) || f.Code != fault.BadRequest {
		t.Fatalf("%s\ngives %v, which is no fault of the line", line, err)
	}
	var all []string
	for _, p := range f.Problems {
		all = append(all, p.Field+"|"+p.Message)
	}
	return all
}

func ptr[T any](v T) *T { return &v }

func TestACaptureLineIsReadAsItIsWritten(t *testing.T) {
	got := parse(t, `{"type":"capture","session_id":" s-1 ","athlete_ids":["0190F0E5-7B1C-7CC3-98C4-DC0C0C07398F","0190f0e5-7b1c-7cc3-98c4-dc0c0c073990"],
		"activity":" Jump ","movement":"Countermovement","dimensions":{"arm_position":"Whatever they wrote ","bat_length":"33"},
		"status":"error","error":"two\nlines","capture_time":"2026-05-13T14:00:00.1239+02:00","fps_detected":59.94,"source":"mobile"}`)
	want := manifest.Record{Capture: &capture.Capture{
		SessionID: "s-1", AthleteIDs: []string{"0190f0e5-7b1c-7cc3-98c4-dc0c0c07398f",
			"0190f0e5-7b1c-7cc3-98c4-dc0c0c073990"},
		Activity: ptr(" Jump "), Movement: ptr("Countermovement"),
		Dimensions: map[string]string{"arm_position": "Whatever they wrote ", "bat_length": "33"},
		Status:     capture.Error, Error: ptr("two\nlines"),
		CaptureTime: ptr(time.Date(2026, 5, 13, 12, 0, 0, 123e6, time.UTC)), FPSDetected: ptr(59.94), Source: "mobile",
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", *got.Capture, *want.Capture)
	}
}

func TestNullIsAbsentAndTheSourceOfAnImportIsImport(t *testing.T) {
	got := parse(t, `{"type":"capture","session_id":null,"athlete_ids":null,"activity":null,"movement":null,"dimensions":null,"status":"completed","error":null,"capture_time":null,"fps_detected":null,"source":null}`)
	want := capture.Capture{Status: capture.Completed, Source: "import"}
	if !reflect.DeepEqual(*got.Capture, want) {
		t.Errorf("got %+v", *got.Capture)
	}
	if p := parse(t, `{"type":"capture","status":"completed","dimensions":{"handedness":null},"athlete_ids":[],"error":""}`); !reflect.DeepEqual(*p.Capture, want) {
		t.Errorf("got %+v", *p.Capture)
	}
}

func TestAnExportJobLineIsReadInEveryState(t *testing.T) {
	created, done := time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC), time.Date(2026, 5, 1, 10, 5, 0, 0, time.UTC)
	for line, want := range map[string]export.Job{
		`{"type":"export_job","jobId":"j","status":"RUNNING","createdAt":"2026-05-01T10:00:00Z"}`: {ID: "j",
			Status: export.Running, CreatedAt: created},
		`{"type":"export_job","jobId":"j","status":"RUNNING","errorMessage":null}`: {ID: "j",
			Status: export.Running},
		`{"type":"export_job","status":"COMPLETED","createdAt":"2026-05-01T10:00:00Z","completedAt":"2026-05-01T10:05:00Z"}`: {
			Status: export.Completed, CreatedAt: created, CompletedAt: &done},
		`{"type":"export_job","jobId":"j","status":"CANCELED","createdAt":"2026-05-01T10:00","completedAt":"2026-05-01T12:05:00+02"}`: {
			ID: "j", Status: export.Canceled, CreatedAt: created, CompletedAt: &done},
		`{"type":"export_job","jobId":"j","status":"FAILED","errorMessage":"too large","createdAt":"2026-05-01T10:00:00Z","completedAt":"2026-05-01T10:05:00Z"}`: {
			ID: "j", Status: export.Failed, ErrorMessage: "too large", CreatedAt: created, CompletedAt: &done},
	} {
		if got := parse(t, line); !reflect.DeepEqual(*got.Job, want) {
			t.Errorf("%s\ngot %+v", line, *got.Job)
		}
	}
}

func TestWhatCouldNotBeStoredOrAskedForIsRefusedWithFieldAndRule(t *testing.T) {
	long := func(n int) string { return strings.Repeat("ö", n) }
	captureWith := func(field string) string { return `{"type":"capture","status":"completed",` + field + `}` }
	const id = `"0190f0e5-7b1c-7cc3-98c4-dc0c0c07398f"`
	for _, c := range []struct{ line, field, rule string }{
		{`{"status":"completed"}`, "type", "type is required: athlete, capture or export_job"},
		{`{"type":"captures"}`, "type", "must be one of"},
		{`{"type":7}`, "type", "must be one of"},
		{`not json`, "", "not valid at byte"},
		{`{"type":"capture","status":"completed"`, "", "cut short"},
		{`{"type":"capture","status":"completed","status":"error"}`, "status", "given twice"},
		{`{"type":"capture"}`, "status", "status is required"},
		{`{"type":"capture","status":null}`, "status", "status is required"},
		{`{"type":"capture","status":"COMPLETED"}`, "status", "must be one of awaiting_upload"},
		{captureWith(`"athlete_id":"x"`), "athlete_id", "is not a field of a capture"},
		{captureWith(`"Source":null`), "Source", "is not a field of a capture"},
		{captureWith(`"session_id":"  "`), "session_id", "must not be blank"},
		{captureWith(`"session_id":""`), "session_id", "must not be blank"},
		{captureWith(`"session_id":"a\u0000b"`), "session_id", "control characters"},
		{captureWith(`"session_id":"` + long(256) + `"`), "session_id", "at most 255"},
		{captureWith(`"session_id":7`), "session_id", "must be a string"},
		{captureWith(`"athlete_ids":"x"`), "athlete_ids", "must be an array"},
		{captureWith(`"athlete_ids":[` + id + `,"x"]`), "athlete_ids", "number 2"},
		{captureWith(`"athlete_ids":[null]`), "athlete_ids", "number 1"},
		{captureWith(`"athlete_ids":["{0190f0e5-7b1c-7cc3-98c4-dc0c0c07398f}"]`), "athlete_ids", "36 characters"},
		{captureWith(`"athlete_ids":[` + id + `,` + strings.ToUpper(id) + `]`), "athlete_ids", "twice"},
		{captureWith(`"athlete_ids":[` + strings.Repeat(id+",", 16) + id + `]`), "athlete_ids", "at most 16"},
		{captureWith(`"activity":"\u2003 "`), "activity", "must not be blank"},
		{captureWith(`"activity":"` + long(129) + `"`), "activity", "at most 128"},
		{captureWith(`"movement":"` + strings.Repeat(" ", 256) + `x"`), "movement", "at most 256"},
		{captureWith(`"movement":"jump\n"`), "movement", "control characters"},
		{captureWith(`"movement":["jump"]`), "movement", "must be a string"},
		{captureWith(`"dimensions":[]`), "dimensions", "must be an object"},
		{captureWith(`"dimensions":{"Handedness":"left"}`), "dimensions.Handedness", "not a movement dimension"},
		{captureWith(`"dimensions":{"bat_length":33}`), "dimensions.bat_length", "must be a string"},
		{captureWith(`"dimensions":{"bat_length":""}`), "dimensions.bat_length", "must not be empty"},
		{captureWith(`"dimensions":{"bat_length":"` + long(129) + `"}`), "dimensions.bat_length", "at most 128"},
		{captureWith(`"dimensions":{"bat_length":"3\u00853"}`), "dimensions.bat_length", "control characters"},
		{captureWith(`"error":"` + long(1025) + `"`), "error", "at most 1024"},
		{captureWith(`"error":"a\rb"`), "error", "control characters"},
		{captureWith(`"error":{}`), "error", "must be a string"},
		{captureWith(`"capture_time":"2026-02-30T12:00:00Z"`), "capture_time", "ISO 8601"},
		{captureWith(`"capture_time":"yesterday"`), "capture_time", "ISO 8601"},
		{captureWith(`"capture_time":1780000000`), "capture_time", "ISO 8601"},
		{captureWith(`"fps_detected":0`), "fps_detected", "from 0.001 to 1000000"},
		{captureWith(`"fps_detected":-1`), "fps_detected", "from 0.001 to 1000000"},
		{captureWith(`"fps_detected":1e400`), "fps_detected", "from 0.001 to 1000000"},
		{captureWith(`"fps_detected":1000001`), "fps_detected", "from 0.001 to 1000000"},
		{captureWith(`"fps_detected":"60"`), "fps_detected", "must be a number"},
		{captureWith(`"source":" "`), "source", "must not be blank"},
		{captureWith(`"source":"a\tb"`), "source", "printable"},
		{captureWith(`"source":"` + long(65) + `"`), "source", "at most 64"},
		{captureWith(`"source":false`), "source", "must be a string"},
		{`{"type":"export_job","jobId":"j"}`, "status", "is required"},
		{`{"type":"export_job","jobId":"j","status":"running"}`, "status", "must be one of RUNNING"},
		{`{"type":"export_job","jobId":" ","status":"RUNNING"}`, "jobId", "must not be blank"},
		{`{"type":"export_job","jobId":1,"status":"RUNNING"}`, "jobId", "must be a string"},
		{`{"type":"export_job","job_id":"j","status":"RUNNING"}`, "job_id", "is not a field of an export job"},
		{`{"type":"export_job","status":"FAILED","completedAt":"2026-05-01T10:05:00Z"}`, "errorMessage",
			"must say why"},
		{`{"type":"export_job","status":"COMPLETED"}`, "completedAt", "is required"},
		{`{"type":"export_job","status":"RUNNING","completedAt":"2026-05-01T10:05:00Z"}`, "completedAt",
			"only for a job that has ended"},
		{`{"type":"export_job","status":"COMPLETED","createdAt":"2026-05-02T10:05:00Z","completedAt":"2026-05-01T10:05:00Z"}`, "completedAt", "before createdAt"},
		{`{"type":"export_job","status":"RUNNING","createdAt":"2026-05-01"}`, "createdAt", "ISO 8601"},
		{`{"type":"athlete","id":"0190f0e5-7b1c-7cc3-98c4-dc0c0c07398f"}`, "first_name", "is required"},
		{`{"type":"athlete","id":"ann","first_name":"Ann"}`, "id", "UUID"},
		{`{"type":"athlete","first_name":"Ann","status":"x"}`, "status", "is not a field of an athlete"},
	} {
		all := problems(t, c.line)
		if len(all) != 1 || !strings.HasPrefix(all[0], c.field+"|") || !strings.Contains(all[0], c.rule) {
			t.Errorf("%.200s\ntells %q, want the field %q and the rule %q", c.line, all, c.field, c.rule)
		}
	}
}

func TestEveryLimitIsReachedBeforeItIsBroken(t *testing.T) {
	long := func(n int) string { return strings.Repeat("ö", n) }
	parse(t, `{"type":"capture","status":"completed","session_id":"`+long(255)+`","activity":"  `+long(128)+
		` ","dimensions":{"eyes":"`+long(128)+
		`"},"error":"`+long(1024)+`","source":"`+long(64)+`","fps_detected":1e6}`)
	var ids []string
	for i := range 16 {
		ids = append(ids, fmt.Sprintf(`"0190f0e5-7b1c-7cc3-98c4-dc0c0c0739%02x"`, i))
	}
	parse(t, `{"type":"capture","status":"completed","athlete_ids":[`+strings.Join(ids, ",")+`]}`)
}

func TestEveryProblemOfALineIsTold(t *testing.T) {
	all := problems(t, `{"type":"capture","session_id":"","activity":" ","fps_detected":-1,"nonsense":1}`)
	if len(all) != 5 {
		t.Errorf("told are %q", all)
	}
}

func TestALineBeyondOneMebibyteIsRefused(t *testing.T) {
	line := []byte(`{"type":"capture","status":"completed"}` + strings.Repeat(" ", manifest.MaxLine))
	if _, err := manifest.Parse(line, now); !fault.Is(err, fault.BadRequest) ||
		!strings.Contains(err.Error(), "1 MiB") {
		t.Errorf("got %v", err)
	}
	if _, err := manifest.Parse(line[:manifest.MaxLine], now); err != nil {
		t.Errorf("a line of exactly 1 MiB is refused: %v", err)
	}
}
