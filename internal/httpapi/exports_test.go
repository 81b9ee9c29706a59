package httpapi_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/motion/c3d"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/organization"
)

type exportJob struct {
	JobID        string `json:"jobId"`
	Status       string
	ErrorMessage string  `json:"errorMessage"`
	CompletedAt  string  `json:"completedAt"`
	Progress     float64 `json:"progress"`
	RowCount     *int64  `json:"rowCount"`
	Skipped      []struct{ CaptureID, Reason string }
	SkippedCount int64

	SkippedReasons []struct {
		Reason string
		Count  int64
	}
}

// exported asks for an export and waits until it has ended.
func exported(t *testing.T, a *apptest.App, token, body string) exportJob {
	t.Helper()
	var job exportJob
	a.Post("/data/export", token, body).Want(200).Into(&job)
	if job.Status != "RUNNING" || job.CompletedAt != "" || job.RowCount != nil {
		t.Errorf("a new job is %+v", job)
	}
	return ended(t, a, token, job.JobID)
}

func ended(t *testing.T, a *apptest.App, token, id string) (job exportJob) {
	t.Helper()
	a.Until("the export has ended", func() bool {
		job = exportJob{}
		a.Get("/data/export/job/"+id, token).Want(200).Into(&job)
		return job.Status != "RUNNING"
	})
	return job
}

func TestAnExportIsAskedForBuiltAndGivenOutInEveryForm(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		token := a.Token(org)
		jo, _ := person(t, a, token, `{"first_name":"Jo","last_name":"Rivera"}`)
		al, _ := person(t, a, token, `{"first_name":"Al"}`)
		walk := recorded(t, a, token,
			fmt.Sprintf(`{"athlete_ids":[%q,%q],"file_name":"a.trc","movement_attributes":{"activity":"Golf","movement":"swing","handedness":"left"},"capture_time":"2026-05-13T12:00:00Z"}`, jo, al))
		alone := recorded(t, a, token, `{"file_name":"b.trc","capture_time":"2026-05-12T12:00:00Z"}`)
		group, _, _ := strings.Cut(walk, "_")

		job := exported(t, a, token, `{}`)
		if job.Status != "COMPLETED" || job.RowCount == nil || *job.RowCount != 9 || job.Progress != 1 ||
			job.CompletedAt == "" {
			t.Fatalf("the job is %+v", job)
		}
		path := "/data/export/job/" + job.JobID + "/results"
		var page struct {
			Results    []map[string]any
			TotalCount int `json:"total_count"`
		}
		first := a.Get(path, token).Want(200).Into(&page)
		if page.TotalCount != 9 || len(page.Results) != 9 {
			t.Fatalf("the results are %s", first.Body)
		}
		row := page.Results[4]
		for name, want := range map[string]any{"sessionid": walk, "session_uuid": group, "session_seq": 1.0,
			"orgid": org, "activity": "Golf", "movement": "swing", "handedness": "left",
			"capture_datetime": "2026-05-13T12:00:00.000Z", "frame": 1.0} {
			if row[name] != want {
				t.Errorf("%s is %v, want %v", name, row[name], want)
			}
		}
		last := page.Results[8]
		if last["sessionid"] != alone || last["athleteid"] != nil || last["athlete_name"] != nil ||
			last["handedness"] != nil {
			t.Errorf("a row of nobody is %v", last)
		}
		table, err := csv.NewReader(bytes.NewReader(a.Get(path, token, "Accept", "text/csv").Want(200).Body)).ReadAll()
		if err != nil || len(table) != 10 {
			t.Fatalf("%d lines of CSV, %v", len(table), err)
		}
		lines := bytes.Split(bytes.TrimSpace(a.Get(path, token, "Accept", "application/x-ndjson").Want(200).Body),
			[]byte("\n"))
		for i, line := range lines {
			var row map[string]any
			if err := json.Unmarshal(line, &row); err != nil || fmt.Sprint(row) != fmt.Sprint(page.Results[i]) {
				t.Errorf("line %d is %s, the page has %v, %v", i, line, page.Results[i], err)
			}
			for column, name := range table[0] {
				text := ""
				if value := row[name]; value != nil {
					text = fmt.Sprint(value)
				}
				if table[i+1][column] != text {
					t.Errorf("row %d, %s: %q in CSV, %q in NDJSON", i, name, table[i+1][column], text)
				}
			}
		}
		a.Get(path, token, "Accept", "application/vnd.apache.parquet").Want(200)

		// What is deleted leaves the result at once, and its tag changes.
		a.Delete("/athletes/"+jo, token).Want(200)
		left := a.Get(path, token, "If-None-Match", first.Header.Get("ETag")).Want(200)
		if left.Into(&page); page.TotalCount != 6 || strings.Contains(string(left.Body), jo) ||
			strings.Contains(string(left.Body), "Rivera") {
			t.Errorf("after a deletion: %s", left.Body)
		}
		if job := ended(t, a, token, job.JobID); *job.RowCount != 6 {
			t.Errorf("the job has %d rows", *job.RowCount)
		}
		for body, rows := range map[string]int64{
			fmt.Sprintf(`{"athletes":[%q]}`, al): 3, `{"activity":" GOLF "}`: 3, `{"startTime":"2026-05-13"}`: 3,
			`{"endTime":1778673600}`: 3, `{"endTime":1778673600001}`: 6,
			`{"row_filter_column":"frame"}`: 2, `{"movement":"none"}`: 0,
			fmt.Sprintf(`{"captures":[%q]}`, alone):                     3,
			fmt.Sprintf(`{"captures":[%q],"shape":"captures"}`, alone):  1,
			fmt.Sprintf(`{"captures":[%q,%q,%q]}`, walk, alone, walk):   6,
			fmt.Sprintf(`{"captures":[%q],"athletes":[%q]}`, alone, al): 0,
		} {
			if job := exported(t, a, token, body); job.Status != "COMPLETED" || *job.RowCount != rows {
				t.Errorf("%s has %+v, want %d rows", body, job, rows)
			}
		}
	})
}

func TestACaptureThatIsNamedAndHasNoRowsIsToldOfWithTheReason(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		token := a.Token(a.Organization())
		walk := recorded(t, a, token, `{"file_name":"a.trc","movement_attributes":{"activity":"gait","movement":"walk"}}`)
		other := recorded(t, a, token, `{"file_name":"b.trc"}`)
		waits := reserve(t, a, token, `{"file_name":"c.trc"}`).SessionID
		body := fmt.Sprintf(`{"captures":[%q,%q,%q],"activity":"Gait"}`, waits, other, walk)
		job := exported(t, a, token, body)
		why := map[string]string{}
		for _, s := range job.Skipped {
			why[s.CaptureID] = s.Reason
		}
		if *job.RowCount != 3 || job.SkippedCount != 2 || len(job.SkippedReasons) != 2 ||
			!strings.Contains(why[waits], "only completed captures are exported") ||
			!strings.Contains(why[other], "another field of the request") {
			t.Errorf("the job is %+v", job)
		}
		much := a.Post("/data/export/estimate", token, body).Want(200).Object()
		if much["captures"] != 1.0 || much["rows"] != 3.0 || much["exact"] != true {
			t.Errorf("the estimate is %v", much)
		}
		key := []string{"Idempotency-Key", "chosen"}
		first := a.Post("/data/export", token, body, key...).Want(200)
		a.Delete("/captures/"+other, token).Want(200)
		if again := a.Post("/data/export", token, body, key...).Want(200); string(first.Body) != string(again.Body) {
			t.Errorf("first %s, again %s", first.Body, again.Body)
		}
		a.Post("/data/export", token, body).Want(400)
		a.Post("/data/export", token, fmt.Sprintf(`{"captures":[%q]}`, walk), key...).Want(422)
	})
}

func TestARefusedRequestForAnExportSaysWhatIsWrong(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		token := a.Token(a.Organization())
		elsewhere := a.Token(a.Organization())
		foreign, _ := person(t, a, elsewhere, `{"first_name":"Jo"}`)
		theirs := recorded(t, a, elsewhere, `{"file_name":"a.trc"}`)
		dead, _ := person(t, a, token, `{"first_name":"Al"}`)
		a.Delete("/athletes/"+dead, token).Want(200)
		recorded(t, a, token, `{"file_name":"a.trc"}`)
		for body, want := range map[string]string{
			`{"dateMode":"x","rows":1}`: "dateMode must be",
			`{"metrics":["nobody_x"]}`:  `metrics names \"nobody_x\", a column`,
			`{"shape":"trials"}`: "shape must be frames, for a row a frame, " +
				"captures",
			`{"shape":"captures","metrics":["LASI_x"]}`:                   `metrics names \"LASI_x\", which has numbers of each frame`,
			`{"shape":"captures","row_filter_column":"frame"}`:            "row_filter_column chooses among frames",
			`{"row_filter_column":"LASI_x"}`:                              `row_filter_column names \"LASI_x\", an event`,
			fmt.Sprintf(`{"athletes":[%q]}`, foreign):                     foreign,
			fmt.Sprintf(`{"athletes":[%q]}`, dead):                        dead,
			fmt.Sprintf(`{"athletes":[%q]}`, organization.NewUUID()[:35]): "number 1 is not one",
			fmt.Sprintf(`{"captures":[%q]}`, theirs):                      `captures names \"` + theirs + `\", which is no capture of the organization`,
			`{"captures":["none"]}`:                                       `captures names \"none\", which is no capture of the organization`,
			`{"captures":[]}`:                                             "captures must hold 1 to",
			`[]`:                                                          "object", `{"startTime":1,"startTime":2}`: "startTime",
		} {
			if got := a.Post("/data/export", token, body).Want(400); !strings.Contains(string(got.Body), want) {
				t.Errorf("%s: %s, want %s", body, got.Body, want)
			}
		}
		a.Post("/data/export", token, `{}`, "Content-Type", "text/plain").Want(415)
		a.Post("/data/export?x=%zz", token, `{}`).Want(400)
		if n := a.Get("/data/export/job", token).Want(200).Object()["total_count"]; n != 0.0 {
			t.Errorf("%v jobs were made", n)
		}
	})
}

func TestARepeatedRequestMakesOneExport(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		token := a.Token(org)
		key := []string{"Idempotency-Key", "nightly"}
		first := a.Post("/data/export", token, `{}`, key...).Want(200)
		again := a.Post("/data/export", token, `{}`, key...).Want(200)
		if string(first.Body) != string(again.Body) || again.Header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("first %s, again %s", first.Body, again.Body)
		}
		a.Post("/data/export", token, `{"metrics":[]}`, key...).Want(422)
		if n := a.Get("/data/export/job", token).Want(200).Object()["total_count"]; n != 1.0 {
			t.Errorf("%v jobs", n)
		}
		// An export that runs for as long as it is not canceled.
		fill(t, a, org, `{"type":"export_job","jobId":"J 1","status":"RUNNING"}`)
		canceled := a.Post("/data/export/job/J%201/cancel", token, "", key...).Want(200)
		if o := canceled.Object(); o["status"] != "CANCELED" || o["completedAt"] == nil {
			t.Errorf("canceled: %v", o)
		}
		if again := a.Post("/data/export/job/%20J%201/cancel", token, "", key...).Want(200); string(again.Body) !=
			string(canceled.Body) || again.Header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("canceled again: %s", again.Body)
		}
		a.Post("/data/export/job/J%201/cancel", token, "{}").Want(409)
		a.Post("/data/export/job/J%201/cancel", token, `{"now":true}`).Want(400)
		a.Post("/data/export/job/J%202/cancel", token, "").Want(404)
		a.Get("/data/export/job/J%201/results", token, "Accept", "text/csv").Want(409)
	})
}

func TestJobsAreListedNewestFirst(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		token := a.Token(org)
		for i := range 5 {
			fill(t, a, org, fmt.Sprintf(
				`{"type":"export_job","jobId":"J%d","status":"RUNNING","createdAt":"2026-05-13T12:00:0%dZ"}`, i, i))
		}
		var page struct {
			Jobs          []exportJob
			TotalCount    int `json:"total_count"`
			Offset, Limit int
		}
		a.Get("/data/export/job?limit=2&offset=1", token).Want(200).Into(&page)
		var ids []string
		for _, j := range page.Jobs {
			ids = append(ids, j.JobID)
		}
		if !slices.Equal(ids, []string{"J3", "J2"}) || page.TotalCount != 5 || page.Offset != 1 || page.Limit != 2 {
			t.Errorf("a page is %+v", page)
		}
		for _, bad := range []string{"limit=0", "limit=501", "offset=-1", "limit=1&limit=1"} {
			a.Get("/data/export/job?"+bad, token).Want(400)
		}
	})
}

// clockless is a C3D file of 300 frames from 185 that states no rate, with an event
// at 2.5 s.
func clockless(t *testing.T) string {
	t.Helper()
	column := make([]float32, 300)
	var b bytes.Buffer
	if err := c3d.Write(&b, &record.Recording{
		Frames: 300, FirstFrame: 185, Unit: "mm",
		Points: []record.Point{{Name: "LASI", X: column, Y: column, Z: column}},
		Events: []record.Event{{Label: "Impact", Time: 2.5}},
	}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestEventsOfAFileWithoutARateAreInExportsOnceItsRateIsSaid(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		token := a.Token(a.Organization())
		r := reserve(t, a, token, `{"file_name":"a.c3d"}`)
		upload(t, a, r, clockless(t)).Want(204)
		if status := settled(a, token, r.SessionID); status != "completed" {
			t.Fatalf("the file is %s", status)
		}
		a.Post("/data/export", token, `{"row_filter_column":"impact"}`).Want(400) // nobody knows at which frame it is
		a.Do("PATCH", "/captures/"+r.SessionID, token, `{"fps":100}`, "Content-Type", "application/json").Want(200)
		var told struct {
			Start  float64
			Events []struct {
				Time  float64
				Frame *int
			}
		}
		a.Get("/captures/"+r.SessionID+"/motion", token).Want(200).Into(&told)
		if told.Start != 1.84 || len(told.Events) != 1 || told.Events[0].Time != 2.5 || told.Events[0].Frame == nil ||
			*told.Events[0].Frame != 66 {
			t.Errorf("it is told %+v", told)
		}
		job := exported(t, a, token, `{"row_filter_column":"impact"}`)
		var page struct{ Results []map[string]any }
		answer := a.Get("/data/export/job/"+job.JobID+"/results", token).Want(200).Into(&page)
		if len(page.Results) != 1 || page.Results[0]["frame"] != 66.0 || page.Results[0]["time"] != 2.5 ||
			page.Results[0]["impact"] != 0.0 {
			t.Errorf("the row of the event is %s", answer.Body)
		}
		if job = exported(t, a, token, `{}`); job.RowCount == nil || *job.RowCount != 300 {
			t.Fatalf("the job is %+v", job)
		}
		a.Get("/data/export/job/"+job.JobID+"/results", token).Want(200).Into(&page)
		if len(page.Results) != 300 || page.Results[0]["impact"] != -66.0 || page.Results[0]["time"] != 1.84 {
			t.Errorf("the first row is %v", page.Results[0])
		}
		a.Delete("/captures/"+r.SessionID, token).Want(200) // its columns go with it
		if answer := a.Get("/data/export/job/"+job.JobID+"/results", token).Want(200).Into(&page); len(page.Results) !=
			0 || bytes.Contains(answer.Body, []byte("impact")) {
			t.Errorf("of a deleted capture there is %s", answer.Body)
		}
	})
}

func TestAnExportThatHasEndedIsDeleted(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		token := a.Token(org)
		fill(t, a, org, `{"type":"export_job","jobId":"done","status":"COMPLETED","completedAt":"2026-05-13T12:00:00.000Z"}`, `{"type":"export_job","jobId":"running","status":"RUNNING"}`)
		a.Delete("/data/export/job/done", a.Token(org, organization.ExportsRead)).Want(403)
		a.Delete("/data/export/job/running", token).Want(409)
		a.Delete("/data/export/job/done", token).Want(200)
		a.Delete("/data/export/job/done", token).Want(404)
		a.Get("/data/export/job/done", token).Want(404)
		a.Get("/data/export/job/done/results", token).Want(404)
		if jobs := a.Get("/data/export/job", token).Want(200).Object()["jobs"].([]any); len(jobs) != 1 {
			t.Errorf("%d jobs are left", len(jobs))
		}
	})
}
