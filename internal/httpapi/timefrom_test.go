package httpapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

func TestItIsToldWhereTheTimeOfACaptureComesFrom(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		token := a.Token(org)
		silent := recorded(t, a, token, `{"file_name":"silent.trc"}`)
		given := recorded(t, a, token, `{"file_name":"given.trc","capture_time":"2024-05-06T07:08:09Z"}`)
		fill(t, a, org, `{"type":"capture","session_id":"brought","status":"completed","capture_time":"2001-02-03T04:05:06Z"}`)
		// Of the page of captures, of each of them, of its motion and of the overview.
		told := func(want map[string]string) {
			t.Helper()
			list, recent := string(a.Get("/captures?include=time", token).Want(200).Body),
				string(a.Get("/overview?include=time,file", token).Want(200).Body)
			for id, from := range want {
				field := `"capture_time_from":` + from
				for what, body := range map[string]string{"list": rowOf(list, id), "overview": rowOf(recent, id),
					"capture": string(a.Get("/captures/"+id+"?include=time", token).Want(200).Body)} {
					if !strings.Contains(body, field) {
						t.Errorf("%s: the %s says %s, want %s", id, what, body, from)
					}
				}
				if id == "brought" {
					continue // it has no file
				}
				if motion := string(a.Get("/captures/"+id+"/motion", token).Want(200).Body); !strings.Contains(motion,
					field) {
					t.Errorf("%s: the motion does not say %s", id, from)
				}
			}
		}
		told(map[string]string{silent: `"upload"`, given: `"given"`, "brought": "null"})
		a.Do("PATCH", "/captures/"+silent, token, `{"fps":50}`, "Content-Type", "application/json").Want(200)
		told(map[string]string{silent: `"upload"`})
		a.Do("PATCH", "/captures/"+silent, token, `{"capture_time":"2023-01-02T03:04:05Z"}`, "Content-Type",
			"application/json").Want(200)
		told(map[string]string{silent: `"given"`, given: `"given"`})
	})
}

// rowOf is the object in a list that begins with a session id.
func rowOf(list, id string) string {
	_, row, _ := strings.Cut(list, fmt.Sprintf(`{"session_id":%q`, id))
	row, _, _ = strings.Cut(row, `{"session_id":`)
	return row
}

func TestAnOverviewNamesFilesAndAthletesWhereThatIsAskedFor(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		token := a.Token(org)
		jo, _ := person(t, a, token, `{"first_name":"Jo","last_name":"Rivera"}`)
		id := recorded(t, a, token, fmt.Sprintf(`{"file_name":"walk.trc","athlete_id":%q}`, jo))
		fill(t, a, org, `{"type":"capture","session_id":"broken","status":"error","error":"It broke."}`)
		plain := string(a.Get("/overview", token).Want(200).Body)
		if strings.Contains(plain, "file_name") || strings.Contains(plain, "athlete_name") {
			t.Errorf("nobody asked for names, and the overview is %s", plain)
		}
		named := string(a.Get("/overview?days=7&include=file,athlete,warnings", token).Want(200).Body)
		if row := rowOf(named, id); !strings.Contains(row,
			`"file_name":"walk.trc","athlete_name":"Jo Rivera","warning_count":0}`) {
			t.Errorf("%s is told as %s", id, row)
		}
		if row := rowOf(named, "broken"); !strings.Contains(row,
			`"file_name":null,"athlete_name":null,"warning_count":null}`) {
			t.Errorf("what has neither is told as %s", row)
		}
		for _, query := range []string{"include=", "include=names", "include=file&include=athlete"} {
			a.Get("/overview?"+query, token).Want(400)
		}
	})
}

func TestAJobIsAskedForMoreOfWhatItLeftOut(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite)
	org := a.Organization()
	token := a.Token(org)
	fill(t, a, org, `{"type":"export_job","jobId":"j","status":"RUNNING","createdAt":"2026-05-13T12:00:00Z"}`)
	plain := string(a.Get("/data/export/job/j", token).Want(200).Body)
	if more := string(a.Get("/data/export/job/j?skipped=10000&include=file", token).Want(200).Body); more != plain {
		t.Errorf("a job that left nothing out is %s, and %s when it is asked for more", plain, more)
	}
	for _, query := range []string{"skipped=0", "skipped=10001", "skipped=", "skipped=1&skipped=2", "include=athlete",
		"include=file&include=file"} {
		a.Get("/data/export/job/j?"+query, token).Want(400)
	}
}
