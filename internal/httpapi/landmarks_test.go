package httpapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

func TestLandmarksThatArePutHaveTheRecordingsMeasuredByThem(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		token := a.Token(a.Organization())
		session := recorded(t, a, token,
			`{"file_name":"squat.trc","movement_attributes":{"activity":"squat","movement":"bodyweight"}}`)
		computed := func() map[string]any {
			t.Helper()
			found, _ := a.Get("/captures/"+session+"/motion", token).Want(200).Object()["computed"].(map[string]any)
			return found
		}
		if found := computed(); found["landmarks"] != nil || found["library"] == nil {
			t.Errorf("before: %v", found)
		}
		for _, point := range []string{"HIPS", "Other"} {
			put := a.Do("PUT", "/landmarks", token, fmt.Sprintf(`{"landmarks":[{"name":"pelvis","points":[[%q]]}]}`,
				point), "Content-Type", "application/json").Want(200).Object()
			testkit.Until(t, "the recording is measured by the names",
				func() bool { return computed()["landmarks"] == put["version"] })
		}
		later := recorded(t, a, token,
			`{"file_name":"squat.trc","movement_attributes":{"activity":"squat","movement":"bodyweight"}}`)
		found, _ := a.Get("/captures/"+later+"/motion", token).Want(200).Object()["computed"].(map[string]any)
		if found["landmarks"] != computed()["landmarks"] {
			t.Errorf("a later file: %v", found)
		}
	})
}

func TestLandmarksArePutReadAndTakenAwayByTheirOrganization(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		mine, foreign := a.Token(a.Organization()), a.Token(a.Organization())
		none := a.Get("/landmarks", mine).Want(200)
		if string(none.Body) != `{"version":"","centres":false,"landmarks":[]}` {
			t.Errorf("without names: %s", none.Body)
		}
		const body = `{"centres":true,"landmarks":[{"name":"left_heel","points":[["L_HEEL"],["Heel L","HeelL2"]]},{"name":"pelvis","points":[["HIPS"]]}]}`
		put := func(body, match string, status int) *apptest.Answer {
			t.Helper()
			headers := []string{"Content-Type", "application/json"}
			if match != "" {
				headers = append(headers, "If-Match", match)
			}
			return a.Do("PUT", "/landmarks", mine, body, headers...).Want(status)
		}
		first := put(body, none.Header.Get("Etag"), 200)
		read := a.Get("/landmarks", mine).Want(200)
		if string(first.Body) != string(read.Body) || first.Header.Get("Etag") != read.Header.Get("Etag") ||
			!strings.HasSuffix(string(read.Body), body[1:]) {
			t.Errorf("put answers %s, and read is %s", first.Body, read.Body)
		}
		put(body, none.Header.Get("Etag"), 412)
		put(body, read.Header.Get("Etag"), 200)
		if other := a.Get("/landmarks", foreign).Want(200); string(other.Body) != string(none.Body) {
			t.Errorf("another organization reads %s", other.Body)
		}
		a.Do("GET", "/landmarks", mine, "", "If-None-Match", read.Header.Get("Etag")).Want(304)
		for _, wrong := range []string{
			`{}`, `[]`, `{"landmarks":{}}`, `{"landmarks":[],"markers":1}`, `{"landmarks":[],"centres":"yes"}`,
			`{"landmarks":["left_heel"]}`,
			`{"landmarks":[{"name":"left_heel"}]}`, `{"landmarks":[{"points":[["A"]]}]}`,
			`{"landmarks":[{"name":"tail","points":[["A"]]}]}`,
			`{"landmarks":[{"name":"left_heel","points":["A"]}]}`, `{"landmarks":[{"name":"left_heel","points":[[]]}]}`,
			`{"landmarks":[{"name":"left_heel","points":[[" "]]}]}`,
			`{"landmarks":[{"name":"left_heel","points":[["A\u0007"]]}]}`,
			`{"landmarks":[{"name":"left_heel","points":[["A"]],"side":"left"}]}`,
			fmt.Sprintf(`{"landmarks":[{"name":"left_heel","points":[[%q]]}]}`, strings.Repeat("A", 129)),
			fmt.Sprintf(`{"landmarks":[{"name":"left_heel","points":[%s["A"]]}]}`, strings.Repeat(`["A"],`, 8)),
			`{"landmarks":[{"name":"left_heel","points":[["A"]]},{"name":"left_heel","points":[["B"]]}]}`,
		} {
			put(wrong, "", 400)
		}
		for body, want := range map[string]string{
			`{"landmarks":[{"name":"left_heel","points":[["A","b","B"]]}]}`:                                                `points of left_heel must not name \"B\" twice`,
			`{"landmarks":[{"name":"left_heel","points":[["A","b"],["B","A"]]}]}`:                                          `points of left_heel must not have the way \"B, A\" twice`,
			`{"landmarks":[{"name":"left_heel","points":[["A"],["b"]]},{"name":"right_heel","points":[["C"],["B"]]}]}`:     `points of left_heel must not be those of right_heel: b`,
			`{"landmarks":[{"name":"left_psis","points":[["SACR"]]},{"name":"right_psis","points":[["A","A"]]}],"side":1}`: `points of right_psis must not name \"A\" twice`,
		} {
			got := string(put(body, "", 400).Body)
			if !strings.Contains(got, want) {
				t.Errorf("%s is refused with %s", body, got)
			}
		}
		// one that lies between both
		put(`{"landmarks":[{"name":"left_psis","points":[["SACR"]]},{"name":"right_psis","points":[["SACR"]]}]}`, "",
			200)
		put(body, "", 200)
		if got := put(`{"landmarks":[{"name":"tail","points":[["A"]]}]}`, "", 400); !strings.Contains(string(got.Body),
			"left_heel") {
			t.Errorf("the refusal of a landmark lists no other: %s", got.Body)
		}
		if kept := a.Get("/landmarks", mine).Want(200); string(kept.Body) != string(read.Body) {
			t.Errorf("after refusals it is %s", kept.Body)
		}
		put(`{"landmarks":[]}`, "", 200)
		if got := a.Get("/landmarks", mine).Want(200); string(got.Body) != string(none.Body) {
			t.Errorf("taken away it is %s", got.Body)
		}
	})
}
