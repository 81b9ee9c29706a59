package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/organization"
)

func TestRowsOfAthletesAreForThoseWhoMayReadAthletes(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		token := a.Token(org)
		jo, _ := person(t, a, token, `{"first_name":"Jo","height":70,"custom_attributes":{"team":"A"}}`)
		person(t, a, token, `{"first_name":"Al"}`)
		const people = `{"shape":"athletes"}`
		job := exported(t, a, token, people)
		if job.Status != "COMPLETED" || job.RowCount == nil || *job.RowCount != 2 || job.SkippedCount != 0 {
			t.Fatalf("the job is %+v", job)
		}
		results := "/data/export/job/" + job.JobID + "/results"
		var page struct{ Results []map[string]any }
		a.Get(results, token).Want(200).Into(&page)
		if row := page.Results[0]; row["athleteid"] != jo || row["first_name"] != "Jo" || row["height"] != 70.0 ||
			row["custom_attributes"] != `{"team":"A"}` || row["last_name"] != nil || row["sessionid"] != nil {
			t.Errorf("the first row is %v", row)
		}
		csv := string(a.Get(results+"?format=csv", token).Want(200).Body)
		if !strings.HasPrefix(csv, "athleteid,first_name,last_name,date_of_birth,") || strings.Count(csv, "\n") != 3 {
			t.Errorf("CSV is %q", csv)
		}

		// One who may do everything with exports, and not read athletes.
		exports := a.Token(org, organization.ExportsRead, organization.ExportsWrite, organization.CapturesRead)
		for _, ask := range []struct{ method, path, body string }{
			{"POST", "/data/export", people}, {"POST", "/data/export/estimate", people},
			{"GET", results, ""}, {"HEAD", results + "?format=csv", ""}, {"GET", results + "?format=parquet", ""},
			{"GET", results + "?format=ndjson", ""}, {"GET", results + "?limit=1&offset=500", ""},
		} {
			r := a.Do(ask.method, ask.path, exports, ask.body).Want(403)
			if ask.method != http.MethodHead && !strings.Contains(string(r.Body), "athletes:read") {
				t.Errorf("%s %s: %s", ask.method, ask.path, r.Body)
			}
		}
		for _, path := range []string{"/data/export/job", "/data/export/job/" + job.JobID} {
			if r := a.Get(path, exports).Want(200); strings.Contains(string(r.Body), "Jo") {
				t.Errorf("%s tells of people: %s", path, r.Body)
			}
		}
		stranger := a.Token(a.Organization())
		a.Get(results, stranger).Want(404)
		a.Post("/data/export", stranger, `{"shape":"athletes","athletes":["`+jo+`"]}`).Want(400)
		a.Delete("/athletes/"+jo, token).Want(200)
		rest := string(a.Get(results, token).Want(200).Body)
		if strings.Contains(rest, "Jo") || strings.Contains(rest, jo) || !strings.Contains(rest, "Al") {
			t.Errorf("without Jo the result is %q", rest)
		}
	})
}
