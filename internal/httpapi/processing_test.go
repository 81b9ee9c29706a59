package httpapi_test

import (
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

func TestHowFarAFileIsCanBeAskedWhateverBecameOfIt(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		token := a.Token(org)
		none := func(id, status string) {
			t.Helper()
			want := `{"processing":{"session_id":"` + id + `","status":"` + status +
				`","begun_at":null,"done":null,"seconds_left":null}}`
			if got := string(a.Get("/captures/"+id+"/processing", token).Want(200).Body); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		}
		none(reserve(t, a, token, `{"file_name":"walk.trc"}`).SessionID, "awaiting_upload")
		read := recorded(t, a, token, `{"file_name":"walk.trc"}`)
		none(read, "completed")

		a.Get("/captures/unknown/processing", token).Want(404)
		a.Get("/captures/"+read+"/processing", a.Token(a.Organization())).Want(404)
		a.Get("/captures/"+read+"/processing", "").Want(401)
		a.Do("POST", "/captures/"+read+"/processing", token, "").Want(405)
	})
}
