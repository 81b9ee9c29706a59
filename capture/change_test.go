package capture_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/payload"
)

var noon = time.Date(2026, 5, 13, 12, 0, 0, 0, time.UTC)

func swing() capture.Capture {
	rate := 100.0
	return capture.Capture{
		SessionID: "s", Activity: new("golf"), Movement: new("swing"), Status: capture.Completed, Source: "api",
		Dimensions: map[string]string{"handedness": "left"}, CaptureTime: &noon, FPSDetected: &rate,
		AthleteIDs: []string{"a", "b"},
	}
}

func correct(t *testing.T, old capture.Capture, text string) (capture.Capture, error) {
	t.Helper()
	body, err := payload.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	change, err := capture.Change(body, noon)
	if err != nil {
		return capture.Capture{}, err
	}
	return change(old)
}

func TestACorrectionChangesWhatItNamesAndNothingElse(t *testing.T) {
	old := swing()
	got, err := correct(t, old,
		`{"activity":" Tennis ","movement":"overhand_serve","handedness":"RIGHT","overhand_serve_type":"Pinpoint","capture_time":"2026-05-13T12:05:00","fps":239.76}`)
	if err != nil {
		t.Fatal(err)
	}
	want := swing()
	want.Activity, want.Movement = new("Tennis"), new("overhand_serve")
	want.Dimensions = map[string]string{"handedness": "right", "overhand_serve_type": "pinpoint"}
	want.CaptureTime, want.FPSDetected = new(noon.Add(5*time.Minute)), new(239.76)
	if !got.Equal(want) {
		t.Errorf("corrected to %+v", got)
	}
	if !old.Equal(swing()) {
		t.Errorf("what was given is now %+v", old)
	}
	if got, err := correct(t, swing(), `{}`); err != nil || !got.Equal(swing()) {
		t.Errorf("an empty correction gives %+v, %v", got, err)
	}
	if got, err := correct(t, swing(),
		`{"activity":null,"movement":null,"handedness":null,"capture_time":null}`); err != nil || got.Activity != nil ||
		got.Movement != nil || got.CaptureTime != nil || len(got.Dimensions) > 0 || *got.FPSDetected != 100 {
		t.Errorf("cleared to %+v, %v", got, err)
	}
}

func TestEveryProblemOfACorrectionIsTold(t *testing.T) {
	for text, want := range map[string]string{
		`{"fps":null}`:       "fps must not be null",
		`{"fps":1e-306}`:     "fps must be a number from 0.001 to 1000000",
		`{"fps":0}`:          "fps must be a number from 0.001 to 1000000",
		`{"fps":1000001}`:    "fps must be a number from 0.001 to 1000000",
		`{"fps":"100"}`:      "fps must be a number from 0.001 to 1000000",
		`{"fps_detected":1}`: "cannot be corrected",
		`{"Activity":"x"}`:   "cannot be corrected",
		`{"activity":" "}`:   "activity must not be blank",
		`{"movement":7}`:     "movement must be a string",
		`{"capture_time":"2026-05-13T12:05:00.001Z"}`:                "5 minutes ahead",
		`{"capture_time":"today"}`:                                   "ISO 8601",
		`{"handedness":"both"}`:                                      "handedness must be one of left, right",
		`{"movement":"cervical_rotation","direction":"up"}`:          "direction must be one of left, right",
		`{"bat_length":""}`:                                          "bat_length must not be blank",
		`{"bat_length":33.5}`:                                        "bat_length must be a string",
		`{"fps":-1,"status":"completed","handedness":"x","eyes":""}`: "; ",
	} {
		_, err := correct(t, swing(), text)
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != fault.BadRequest || !strings.Contains(f.Messages(), want) {
			t.Errorf("%s gives %v", text, err)
		}
	}
	turning := swing()
	turning.Movement = new("Cervical_Rotation")
	if _, err := correct(t, turning, `{"direction":"up"}`); !fault.Is(err, fault.BadRequest) {
		t.Errorf("a direction that the stored movement does not have: %v", err)
	}
	if got, err := correct(t, turning, `{"direction":"LEFT"}`); err != nil || got.Dimensions["direction"] != "left" {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := correct(t, turning, `{"direction":"up","movement":"cutting"}`); err != nil ||
		got.Dimensions["direction"] != "up" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAthletesAreLinkedOnceAndInOrder(t *testing.T) {
	old := swing()
	got, err := capture.Link([]string{"b", "c"})(old)
	if err != nil || strings.Join(got.AthleteIDs, "") != "abc" || len(old.AthleteIDs) != 2 {
		t.Errorf("linked %v of %v, %v", got.AthleteIDs, old.AthleteIDs, err)
	}
	if _, err := capture.Link(strings.Split("cdefghijklmnopq", ""))(old); !fault.Is(err, fault.BadRequest) {
		t.Errorf("17 athletes: %v", err)
	}
	got, linked := capture.Unlink(old, "a")
	if !linked || strings.Join(got.AthleteIDs, "") != "b" || len(old.AthleteIDs) != 2 {
		t.Errorf("unlinked to %v", got.AthleteIDs)
	}
	if _, linked := capture.Unlink(old, "c"); linked {
		t.Error("c was never linked")
	}
	const id = "0191a0c4-5c1e-7d2a-9f3b-2c6f1e8d4b70"
	for text, ok := range map[string]bool{
		`{"athlete_id":"` + strings.ToUpper(id) + `"}`: true, `{"athlete_ids":["` + id + `"]}`: true,
		`{}`: false, `{"athlete_ids":[]}`: false, `{"athlete_ids":null}`: false, `{"athlete_id":null}`: false,
		`{"athlete_id":"x"}`: false, `{"athlete":"` + id + `"}`: false,
		`{"athlete_id":"` + id + `","athlete_ids":["` + id + `"]}`: false, `{"athlete_ids":["` + id + `","` +
			id + `"]}`: false,
	} {
		body, err := payload.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if ids, err := capture.ReadLinks(body); ok != (err == nil) || ok && (len(ids) != 1 || ids[0] != id) {
			t.Errorf("%s gives %v, %v", text, ids, err)
		}
	}
}
