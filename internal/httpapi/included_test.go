package httpapi_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

func TestWhatIsIncludedStandsBehindTheFieldsOfTheInterface(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		token := a.Token(org)
		jo, _ := person(t, a, token, `{"first_name":"Jo"}`)
		sam, _ := person(t, a, token, `{"first_name":"Sam","last_name":"O\"Neil"}`)
		r := reserve(t, a, token,
			fmt.Sprintf(`{"athlete_ids":[%q,%q],"file_name":"Wälk \"1\".TRC","movement_attributes":{"activity":"jump","movement":"countermovement","arm_position":"arm-swing"}}`, jo, sam))
		// A file that announces a frame too many, and two rates.
		upload(t, a, r, strings.Replace(threeFrames, "100\t100\t3\t", "200\t100\t4\t", 1)).Want(204)
		id := r.SessionID
		if status := settled(a, token, id); status != "completed" {
			t.Fatalf("the capture is %s", status)
		}
		fill(t, a, org, `{"type":"capture","session_id":"plain","status":"completed"}`)
		body := func(path string) string { return string(a.Get(path, token).Want(200).Body) }
		plain, bare := body("/captures/"+id), body("/captures/plain")
		warnings := len(a.Get("/captures/"+id+"/motion", token).Object()["warnings"].([]any))
		if warnings == 0 {
			t.Fatal("the file has no warnings to be counted")
		}
		fields := func(name string) string {
			return fmt.Sprintf(`,"file_name":"Wälk \"1\".TRC","athlete_name":%s,"warning_count":%d}`, name, warnings)
		}
		with := func(row, more string) string { return strings.TrimSuffix(row, "}") + more }
		const words = "include=warnings,file,athlete,file"
		none := with(bare, `,"file_name":null,"athlete_name":null,"warning_count":null}`)
		if got := body("/captures/plain?" + words); got != none {
			t.Errorf("of a capture without a file and athletes it reads %s", got)
		}
		if got, want := body("/captures/"+id+"?"+words+",next"), with(plain, fields(`"Jo"`)); got != want {
			t.Errorf("it reads\n%s\nwant\n%s", got, want)
		}
		first, second := with(plain, fields(`"Jo"`)), with(strings.Replace(plain, jo, sam, 1), fields(`"Sam O\"Neil"`))
		if jo > sam {
			first, second = second, first
		}
		page := a.Get("/captures?"+words, token).Want(200)
		if got, want := string(page.Body), `{"captures":[`+first+`,`+second+`,`+none+
			`],"total_count":2,"offset":0,"limit":100}`; got != want {
			t.Errorf("the list reads\n%s\nwant\n%s", got, want)
		}
		updated := a.Get("/captures/"+id+"?include=updated", token).Object()["updated_at"]
		a.Do("PATCH", "/captures/"+id, token, `{"fps":50}`, "Content-Type", "application/json").Want(200)
		if after := a.Get("/captures/"+id+"?include=updated", token).Object()["updated_at"]; after == updated ||
			len(after.(string)) != len("2026-05-13T12:00:00.000Z") {
			t.Errorf("changed at %v, and before at %v", after, updated)
		}

		// A name that is another by now is told at once, and no tag stands for the old one.
		tags := map[string]string{}
		for _, path := range []string{"/captures?include=athlete", "/captures/" + id + "?include=athlete",
			"/captures?include=athlete&athlete_id=" + jo} {
			tags[path] = a.Get(path, token).Want(200).Header.Get("ETag")
			a.Get(path, token, "If-None-Match", tags[path]).Want(304)
		}
		a.Post("/athletes/"+jo, token, `{"last_name":"Renamed"}`).Want(200)
		for path, tag := range tags {
			if got := string(a.Get(path, token, "If-None-Match", tag).Want(200).Body); !strings.Contains(got,
				`"athlete_name":"Jo Renamed"`) {
				t.Errorf("after the athlete was renamed, %s reads %s", path, got)
			}
		}
		for path := range tags {
			tags[path] = a.Get(path, token).Want(200).Header.Get("ETag")
		}
		fill(t, a, org, fmt.Sprintf(`{"type":"athlete","id":%q,"first_name":"Ada"}`, jo))
		for path, tag := range tags {
			if got := string(a.Get(path, token, "If-None-Match", tag).Want(200).Body); !strings.Contains(got,
				`"athlete_name":"Ada"`) {
				t.Errorf("after an import renamed the athlete, %s reads %s", path, got)
			}
		}
		for _, query := range []string{"include=", "include=File", "include=file,", "include=file%20", "include=names",
			"include=file&include=next"} {
			a.Get("/captures?"+query, token).Want(400)
			a.Get("/captures/"+id+"?"+query, token).Want(400)
		}
	})
}

func TestNextOffsetsLeadThroughEveryRowOfEveryList(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		token := a.Token(org)
		var athletes []string
		for i := range 5 {
			id, _ := person(t, a, token, fmt.Sprintf(`{"first_name":"A%d"}`, i))
			athletes = append(athletes, id)
		}
		for i := range 7 { // two rows each
			fill(t, a, org, fmt.Sprintf(
				`{"type":"capture","session_id":"s%d","athlete_ids":[%q,%q],"status":"completed","activity":"jump"}`,
				i, athletes[0], athletes[1+i%4]),
				fmt.Sprintf(`{"type":"export_job","jobId":"j%d","status":"CANCELED","completedAt":"2026-05-13T12:00:00Z"}`, i))
		}
		for list, rows := range map[string]int{
			"captures": 14, "captures?activity=jump": 14, "captures?activity=golf": 0, "captures?athlete_id=" +
				athletes[0]: 7,
			"athletes": 5, "athletes?q=a1": 1, "data/export/job": 7,
		} {
			for _, limit := range []int{1, 2, 7, 14, 500} {
				path, name, _ := strings.Cut(list, "?")
				name, path = path[strings.LastIndex(path, "/")+1:], "/"+path+"?include=next&"+name
				if list == "athletes" || list == "athletes?q=a1" { // there include would be an attribute
					path = strings.Replace(path, "include=next&", "", 1)
				}
				if name == "job" {
					name = "jobs"
				}
				got, offset := 0, 0.0
				for more := true; more; {
					page := a.Get(fmt.Sprintf("%s&limit=%d&offset=%.0f", path, limit, offset), token).Want(200).Object()
					next, told := page["next_offset"]
					if !told {
						t.Fatalf("%s does not say where the next page begins: %v", path, page)
					}
					got += len(page[name].([]any))
					offset, more = next.(float64)
				}
				if got != rows {
					t.Errorf("%s has %d rows, %d a page, of %d", path, got, limit, rows)
				}
			}
		}
		if page := string(a.Get("/captures?limit=1", token).Want(200).Body); strings.Contains(page, "next_offset") {
			t.Errorf("nobody asked for the next offset: %s", page)
		}
	})
}

func TestCapturesAreFoundByAPartOfWhatPeopleKnowOfThem(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		token := a.Token(org)
		jo, _ := person(t, a, token, `{"first_name":"Jo","last_name":"Åström","email":"secret@example.org"}`)
		sam, _ := person(t, a, token, `{"first_name":"Sam"}`)
		id := recorded(t, a, token,
			fmt.Sprintf(`{"athlete_ids":[%q,%q],"file_name":"Walk%%20_1.TRC","movement_attributes":{"activity":"Golf","movement":"Full Swing"}}`, jo, sam))
		fill(t, a, org, `{"type":"capture","session_id":"Plain-42","status":"completed"}`)
		finds := func(q string, captures, rows int) {
			t.Helper()
			page := a.Get("/captures?include=next&q="+url.QueryEscape(q), token).Want(200).Object()
			if page["total_count"] != float64(captures) || len(page["captures"].([]any)) != rows {
				t.Errorf("%q finds %v captures in %d rows, want %d in %d", q, page["total_count"],
					len(page["captures"].([]any)), captures, rows)
			}
		}
		for q, found := range map[string]int{
			"walk%20_1.trc": 1, "ALK%": 1, "åSTRÖM": 1, " jo å ": 1, "A\u030astr": 1, "golf": 1, "l sw": 1, id[3:17]: 1,
			"secret": 0, "golfs": 0, "_": 1, "trcgolf": 0, "%": 1,
		} {
			finds(q, found, 2*found)
		}
		finds("pLAIN-4", 1, 1)
		finds("l", 2, 3)
		finds(" ", 2, 3)
		finds("", 2, 3)
		finds(strings.Repeat("é", 128), 0, 0)
		a.Get("/captures?q="+strings.Repeat("e", 129), token).Want(400)
		a.Get("/captures?q=a&q=b", token).Want(400)
		if page := a.Get("/captures?status=completed&activity=golf&q=sam&athlete_id="+jo,
			token).Want(200).Object(); page["total_count"] != 1.0 || len(page["captures"].([]any)) != 1 {
			t.Errorf("of one athlete it finds %v", page)
		}
		if page := a.Get("/captures?q=golf", a.Token(a.Organization())).Want(200).Object(); page["total_count"] != 0.0 {
			t.Errorf("another organization finds %v", page)
		}
		a.Post("/athletes/"+jo, token, `{"last_name":"Renamed"}`).Want(200)
		finds("Åström", 0, 0)
		finds("jo renamed", 1, 2)
		a.Do("PATCH", "/captures/"+id, token, `{"activity":"tennis"}`, "Content-Type", "application/json").Want(200)
		finds("golf", 0, 0)
		finds("ennis", 1, 2)
		a.Delete("/athletes/"+jo, token).Want(200)
		finds("renamed", 0, 0)
		finds("sam", 1, 1)
		a.Delete("/captures/"+id, token).Want(200)
		finds("walk", 0, 0)
	})
}
