package httpapi_test

import (
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

func TestAFileIsReadOnceMoreWhenSomebodyAsksForIt(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		token := a.Token(org)
		path := "/captures/" + recorded(t, a, token,
			`{"file_name":"walk.trc","movement_attributes":{"activity":"golf"}}`)
		frames := string(a.Get(path+"/frames", token, "Accept", "text/csv").Want(200).Body)
		a.Do("PATCH", path, token, `{"fps":50}`, "Content-Type", "application/json").Want(200)
		corrected := string(a.Get(path+"/frames", token, "Accept", "text/csv").Want(200).Body)

		key := []string{"Idempotency-Key", "once more"}
		first := a.Post(path+"/reprocess", token, "", key...).Want(200)
		if got := first.Object(); got["status"] != "processing" || got["activity"] != "golf" ||
			got["fps_detected"] != 50.0 {
			t.Errorf("asked for once more it reads %v", got)
		}
		if again := a.Post(path+"/reprocess", token, "", key...).Want(200); string(again.Body) != string(first.Body) ||
			again.Header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("a repetition is answered %s", again.Body)
		}
		a.Post(path+"/reprocess", token, "{}", key...).Want(422)
		if status := settled(a, token, path[len("/captures/"):]); status != "completed" {
			t.Errorf("%s", a.Get(path, token).Body)
		}
		if got := string(a.Get(path+"/frames", token, "Accept", "text/csv").Want(200).Body); got != corrected ||
			got == frames {
			t.Errorf("read once more the frames are %s", got)
		}

		a.Post(path+"/reprocess", token, `{"now":true}`).Want(400)
		a.Post(path+"/reprocess", a.ReadOnlyToken(org), "").Want(403)
		a.Post(path+"/reprocess", a.Token(a.Organization()), "").Want(404)
		waiting := reserve(t, a, token, `{"file_name":"walk.trc"}`)
		a.Post("/captures/"+waiting.SessionID+"/reprocess", token, "").Want(409)
	})
}
