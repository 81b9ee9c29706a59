package httpapi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// threeFrames is a motion file: two markers in millimetres at 100 frames a second,
// the second one missing in the middle.
const threeFrames = "PathFileType\t4\t(X/Y/Z)\tthree.trc\n" +
	"DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n" +
	"100\t100\t3\t2\tmm\t100\t1\t3\n" +
	"Frame#\tTime\tLASI\t\t\tRASI\t\t\n" +
	"\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n" +
	"1\t0\t250\t125\t1500\t1\t2\t3\n" +
	"2\t0.01\t251\t126\t1501\t\t\t\n" +
	"3\t0.02\t252\t127\t1502\t4\t5\t6\n"

// reservation is what a reservation answers.
type reservation struct {
	SessionID     string            `json:"session_id"`
	GroupID       string            `json:"session_group_id"`
	UploadURL     string            `json:"upload_url"`
	UploadFields  map[string]string `json:"upload_fields"`
	UploadExpires time.Time         `json:"upload_expires_at"`
	Status        string            `json:"status"`
}

func reserve(t *testing.T, a *apptest.App, token, body string) (r reservation) {
	t.Helper()
	a.Post("/captures", token, body).Want(200).Into(&r)
	return r
}

// upload sends a file by its form, as a client does that knows nothing of it.
func upload(t *testing.T, a *apptest.App, r reservation, content string) *apptest.Answer {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for name, value := range r.UploadFields {
		if err := w.WriteField(name, value); err != nil {
			t.Fatal(err)
		}
	}
	file, err := w.CreateFormFile("file", "anything")
	if err == nil {
		_, err = io.WriteString(file, content)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	path, ok := strings.CutPrefix(r.UploadURL, a.URL)
	if !ok {
		t.Fatalf("the file is to be sent to %s, and the interface is at %s", r.UploadURL, a.URL)
	}
	return a.Do("POST", path, "", b.String(), "Content-Type", w.FormDataContentType())
}

// settled waits until the file of a capture has been read, and gives the status.
func settled(a *apptest.App, token, id string) (status string) {
	a.Until("the file of "+id+" has been read", func() bool {
		status = a.Get("/captures/"+id, token).Want(200).Object()["status"].(string)
		return status != "processing" && status != "awaiting_upload"
	})
	return status
}

// recorded brings a capture in, from its reservation to the end of its processing,
// and gives its id.
func recorded(t *testing.T, a *apptest.App, token, body string) string {
	t.Helper()
	r := reserve(t, a, token, body)
	upload(t, a, r, threeFrames).Want(204)
	if status := settled(a, token, r.SessionID); status != "completed" {
		t.Fatalf("the capture is %s: %s", status, a.Get("/captures/"+r.SessionID, token).Body)
	}
	return r.SessionID
}

func TestARecordingComesInIsReadAndGoes(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		token := a.Token(a.Organization())
		jo, _ := person(t, a, token, `{"first_name":"Jo"}`)
		began := time.Now()
		r := reserve(t, a, token,
			fmt.Sprintf(`{"athlete_id":%q,"file_name":"Walk 1.TRC","movement_attributes":{"activity":"Golf","movement":"swing","handedness":"LEFT","bat_length":"33"},"capture_time":"2026-05-13T12:00:00+02:00"}`, jo))
		if r.Status != "NEW" || r.SessionID != r.GroupID+"_1" || r.UploadExpires.Sub(began) < 29*time.Minute ||
			r.UploadExpires.Sub(began) > 31*time.Minute {
			t.Errorf("reserved: %+v", r)
		}
		path := "/captures/" + r.SessionID
		if got := string(a.Get(path, token).Want(200).Body); got !=
			fmt.Sprintf(`{"session_id":%q,"athlete_id":%q,"activity":"Golf","movement":"swing","status":"awaiting_upload","error":null,"capture_time":"2026-05-13T10:00:00.000Z","fps_detected":null,"handedness":"left"}`, r.SessionID, jo) {
			t.Errorf("it reads %s", got)
		}
		if got := a.Get("/captures?source=api&status=awaiting_upload&athlete_id="+jo,
			token).Want(200).Object(); got["total_count"] != 1.0 {
			t.Errorf("the list has %v", got)
		}
		for _, part := range []string{"/motion", "/frames", "/file"} {
			a.Get(path+part, token).Want(409)
		}
		upload(t, a, r, threeFrames).Want(204)
		if status := settled(a, token, r.SessionID); status != "completed" {
			t.Fatalf("%s", a.Get(path, token).Body)
		}
		upload(t, a, r, threeFrames).Want(409)
		read := a.Get(path, token).Want(200).Object()
		if read["fps_detected"] != 100.0 || read["capture_time"] != "2026-05-13T10:00:00.000Z" {
			t.Errorf("it reads %v", read)
		}

		motion := a.Get(path+"/motion", token).Want(200).Object()
		if motion["session_id"] != r.SessionID || motion["format"] != "trc" || motion["rate"] != 100.0 ||
			motion["frames"] != 3.0 || motion["file_name"] != "Walk 1.TRC" ||
			motion["size"] != float64(len(threeFrames)) {
			t.Errorf("the motion is %v", motion)
		}
		if got := string(a.Get(path+"/frames?channels=RASI", token, "Accept", "text/csv").Want(200).Body); got !=
			"frame,time,RASI_x,RASI_y,RASI_z\n0,0,0.001,0.002,0.003\n1,0.01,,,\n2,0.02,0.004,0.005,0.006\n" {
			t.Errorf("the frames are %s", got)
		}
		file := a.Get(path+"/file", token).Want(200)
		if string(file.Body) != threeFrames ||
			file.Header.Get("Content-Disposition") != `attachment; filename="Walk 1.TRC"` {
			t.Errorf("%v %q", file.Header, file.Body)
		}
		if part := a.Get(path+"/file", token, "Range", "bytes=4-11").Want(206); string(part.Body) != threeFrames[4:12] {
			t.Errorf("%q", part.Body)
		}
		if got := string(a.Get(path+"/file?format=csv", token).Want(200).Body); got !=
			string(a.Get(path+"/frames", token, "Accept", "text/csv").Want(200).Body) {
			t.Errorf("converted it is %s", got)
		}
		c3d := a.Get(path+"/file?format=c3d", token).Want(200)
		if len(c3d.Body) < 1024 || c3d.Body[1] != 0x50 ||
			c3d.Header.Get("Content-Disposition") != `attachment; filename="Walk 1.c3d"` {
			t.Errorf("%v, %d bytes", c3d.Header, len(c3d.Body))
		}

		a.Do("PATCH", path, token, `{"fps":50}`, "Content-Type", "application/json").Want(200)
		if got := string(a.Get(path+"/frames?channels=LASI_x", token, "Accept", "text/csv").Want(200).Body); got !=
			"frame,time,LASI_x\n0,0,0.25\n1,0.02,0.251\n2,0.04,0.252\n" {
			t.Errorf("with another rate the frames are %s", got)
		}
		a.Do("PATCH", path, token, `{"activity":"tennis","movement":"forehand"}`, "Content-Type",
			"application/json").Want(200)
		a.Get(path+"/frames", token).Want(200)

		a.Delete(path, token).Want(200)
		for _, part := range []string{"", "/motion", "/frames", "/file"} {
			a.Get(path+part, token).Want(404)
		}
		upload(t, a, r, threeFrames).Want(404)
		a.Delete(path, token).Want(404)
		a.Get("/athletes/"+jo, token).Want(200)
	})
}

func TestAFileThatIsNoneIsAnErrorWithAReason(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite)
	token := a.Token(a.Organization())
	r := reserve(t, a, token, `{"file_name":"a.trc"}`)
	upload(t, a, r, "").Want(204)
	if status := settled(a, token, r.SessionID); status != "error" {
		t.Fatalf("an empty file is %s", status)
	}
	why, _ := a.Get("/captures/"+r.SessionID, token).Object()["error"].(string)
	for _, part := range []string{"/motion", "/frames", "/file?format=csv"} {
		if got := a.Get("/captures/"+r.SessionID+part, token).Want(409).Object()["message"].(string); why == "" ||
			!strings.Contains(got, why) {
			t.Errorf("%s says %q, the capture %q", part, got, why)
		}
	}
	if got := a.Get("/captures/"+r.SessionID+"/file", token).Want(200); len(got.Body) > 0 {
		t.Errorf("the file is %q", got.Body)
	}
}

func TestAReservationIsToldEverythingThatIsWrongWithIt(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite)
	token := a.Token(a.Organization())
	for body, wrong := range map[string][]string{
		`{}`:                       {"file_name is required"},
		`{"file_name":"a.xyz"}`:    {"file_name must have one of the endings"},
		`{"file_name":"../a.c3d"}`: {"without a path"},
		`{"file_name":"a.mp4"}`:    {"camera_configuration is required"},
		`{"file_name":7,"athlete_id":"x","session_group_id":"y","capture_time":"z","more":1}`: {"file_name",
			"athlete_id", "session_group_id", "capture_time", "more"},
		`{"file_name":"a.c3d","movement_attributes":{"handedness":"both","speed":"9"}}`: {"movement_attributes.handedness must be one of left, right", "speed"},
	} {
		answer := a.Post("/captures", token, body).Want(400).Object()
		messages, _ := answer["messages"].(string)
		if strings.Count(messages, "; ") < len(wrong)-1 {
			t.Errorf("%s answers %v", body, answer)
		}
		for _, w := range wrong {
			if !strings.Contains(messages, w) {
				t.Errorf("%s does not tell of %s: %v", body, w, answer)
			}
		}
	}
	if got := a.Get("/captures", token).Object()["total_count"]; got != 0.0 {
		t.Errorf("refused reservations left %v captures", got)
	}
}

func TestCapturesOfAGroupAreNumberedAndOfTheSameAthletes(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		token := a.Token(a.Organization())
		jo, _ := person(t, a, token, `{"first_name":"Jo"}`)
		first := reserve(t, a, token, fmt.Sprintf(`{"athlete_ids":[%q],"file_name":"a.c3d"}`, jo))
		again := fmt.Sprintf(`{"session_group_id":%q,"athlete_id":%q,"file_name":"b.c3d"}`,
			strings.ToUpper(first.GroupID), strings.ToUpper(jo))
		if second := reserve(t, a, token, again); second.SessionID != first.GroupID+"_2" ||
			second.GroupID != first.GroupID {
			t.Errorf("%+v after %+v", second, first)
		}
		a.Post("/captures", token, fmt.Sprintf(`{"session_group_id":%q,"file_name":"b.c3d"}`, first.GroupID)).Want(409)
	})
}

func TestARepeatedReservationIsTheSame(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		token := a.Token(a.Organization())
		const body = `{"file_name":"a.trc"}`
		first := a.Post("/captures", token, body, "Idempotency-Key", "k").Want(200)
		second := a.Post("/captures", token, body, "Idempotency-Key", "k").Want(200)
		if string(first.Body) != string(second.Body) || second.Header.Get("Idempotency-Replayed") != "true" ||
			first.Header.Get("Idempotency-Replayed") != "" {
			t.Errorf("%s\n%s %v", first.Body, second.Body, second.Header)
		}
		a.Post("/captures", token, `{"file_name":"b.trc"}`, "Idempotency-Key", "k").Want(422)
		if got := a.Get("/captures", token).Object()["total_count"]; got != 1.0 {
			t.Errorf("there are %v captures", got)
		}
		var r reservation
		second.Into(&r)
		upload(t, a, r, threeFrames).Want(204)
		a.Delete("/captures/"+r.SessionID, token).Want(200)
		a.Post("/captures", token, body, "Idempotency-Key", "k").Want(404)
	})
}

func TestACaptureIsCorrected(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		token := a.Token(org)
		fill(t, a, org, `{"type":"capture","session_id":"c","status":"completed","activity":" Baseball","movement":"hitting","dimensions":{"bat_length":"33","handedness":"odd"},"fps_detected":100}`)
		patch := func(body string, headers ...string) *apptest.Answer {
			return a.Do("PATCH", "/captures/c", token, body, append(headers, "Content-Type", "application/json")...)
		}
		before := a.Get("/captures/c", token)
		tag := before.Header.Get("ETag")
		same := patch(`{}`, "If-Match", tag).Want(200)
		if string(same.Body) != string(before.Body) || same.Header.Get("ETag") != tag {
			t.Errorf("a correction of nothing: %s %v", same.Body, same.Header)
		}
		changed := patch(`{"bat_length":null,"handedness":"Right","capture_time":"2026-05-13T12:00:00Z","fps":239.76}`,
			"If-Match", tag).Want(200)
		if got := string(changed.Body); got !=
			`{"session_id":"c","athlete_id":null,"activity":" Baseball","movement":"hitting","status":"completed","error":null,"capture_time":"2026-05-13T12:00:00.000Z","fps_detected":239.76,"handedness":"right"}` {
			t.Errorf("corrected to %s", got)
		}
		if after := a.Get("/captures/c", token); string(after.Body) != string(changed.Body) ||
			after.Header.Get("ETag") != changed.Header.Get("ETag") || after.Header.Get("ETag") == tag {
			t.Errorf("it reads %s %v", after.Body, after.Header)
		}
		patch(`{"fps":1}`, "If-Match", tag).Want(412)
		a.Delete("/captures/c", token, "If-Match", tag).Want(412)
		a.Post("/captures/c/athletes", token, `{"athlete_id":"0191a0c4-5c1e-7d2a-9f3b-2c6f1e8d4b70"}`, "If-Match",
			tag).Want(412)
		for body, wrong := range map[string]string{
			`{"fps":null,"status":"error","Movement":"x"}`: "; ", `{"session_id":"d"}`: "session_id",
			`{"handedness":"up"}`: "handedness", `{"capture_time":"2999-01-01T00:00:00Z"}`: "ahead",
		} {
			if got := patch(body, "If-Match", tag).Want(400).Object(); !strings.Contains(got["messages"].(string),
				wrong) {
				t.Errorf("%s answers %v", body, got)
			}
		}
		for _, bad := range []string{"", "[]", `{"fps":1}{}`, `{"fps":1,"fps":2}`} {
			patch(bad).Want(400)
		}
		a.Do("PATCH", "/captures/c", token, `{}`, "Content-Type", "application/merge-patch+json").Want(415)
		a.Do("PATCH", "/captures/none", token, `{"fps":0}`).Want(400) // the body is judged before existence
		a.Do("PATCH", "/captures/none", token, `{"fps":1}`).Want(404)
		if got := a.Get("/captures?movement=HITTING&activity=baseball", token).Object()["total_count"]; got != 1.0 {
			t.Errorf("the list has %v of it", got)
		}
		patch(`{"activity":null,"movement":"plank"}`).Want(200)
		if got := a.Get("/captures?movement=hitting", token).Object()["total_count"]; got != 0.0 {
			t.Errorf("the list still has %v of it", got)
		}
		a.Delete("/captures/c", token, "If-Match", a.Get("/captures/c", token).Header.Get("ETag")).Want(200)
		a.Get("/captures/c", token).Want(404)
	})
}

func TestAthletesAreLinkedAndUnlinked(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		token := a.Token(org)
		fill(t, a, org, `{"type":"capture","session_id":"a/b","status":"completed"}`)
		const path = "/captures/a%2Fb"
		ids := make([]string, 17)
		for i := range ids {
			ids[i], _ = person(t, a, token, fmt.Sprintf(`{"first_name":"P%02d"}`, i))
		}
		rows := func() float64 {
			return float64(len(a.Get("/captures", token).Object()["captures"].([]any)))
		}
		link := func(body string, headers ...string) *apptest.Answer {
			return a.Post(path+"/athletes", token, body, headers...)
		}
		one := fmt.Sprintf(`{"athlete_id":%q}`, ids[0])
		first := link(one, "Idempotency-Key", "k").Want(200)
		if first.Object()["athlete_id"] != ids[0] || first.Header.Get("ETag") != a.Get(path, token).Header.Get("ETag") {
			t.Errorf("linked: %s", first.Body)
		}
		replayed := link(one, "Idempotency-Key", "k").Want(200)
		if string(replayed.Body) != string(first.Body) || replayed.Header.Get("Idempotency-Replayed") != "true" ||
			replayed.Header.Get("ETag") != first.Header.Get("ETag") {
			t.Errorf("replayed: %s %v", replayed.Body, replayed.Header)
		}
		link(fmt.Sprintf(`{"athlete_id":%q}`, ids[1]), "Idempotency-Key", "k").Want(422)
		link(fmt.Sprintf(`{"athlete_id":%q}`, strings.ToUpper(ids[0]))).Want(200)
		all, err := json.Marshal(ids[:16])
		if err != nil {
			t.Fatal(err)
		}
		link(fmt.Sprintf(`{"athlete_ids":%s}`, all)).Want(200)
		if rows() != 16 {
			t.Errorf("16 athletes have %v rows", rows())
		}
		link(fmt.Sprintf(`{"athlete_id":%q}`, ids[16])).Want(400)
		link(`{"athlete_id":"0191a0c4-5c1e-7d2a-9f3b-2c6f1e8d4b70"}`).Want(400)
		link(`{}`).Want(400)
		a.Post("/captures/none/athletes", token, one).Want(404)

		unlink := func(id string) *apptest.Answer { return a.Delete(path+"/athletes/"+id, token) }
		if m := unlink(strings.ToUpper(ids[0])).Want(200).Object(); len(m) != 1 || m["message"] == "" {
			t.Errorf("unlinked: %v", m)
		}
		for _, id := range []string{ids[0], ids[16], "x", strings.Repeat("9", 36)} {
			if got := unlink(id).Want(404).Object()["message"]; got != "The capture is not linked to such an athlete." {
				t.Errorf("%s: %v", id, got)
			}
		}
		unlink("a%00").Want(400)
		a.Delete("/captures/none/athletes/"+ids[1], token).Want(404)
		if got := a.Get(path, token).Object()["athlete_id"]; got != ids[1] {
			t.Errorf("first is %v", got)
		}
		for _, id := range ids[1:16] {
			unlink(id).Want(200)
		}
		if got := a.Get(path, token).Object()["athlete_id"]; got != nil || rows() != 1 {
			t.Errorf("linked to nobody it shows %v in %v rows", got, rows())
		}
	})
}
