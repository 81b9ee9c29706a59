package httpapi_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/organization"
)

func TestACaptureTellsItsAthletesByName(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		token := a.Token(org)
		fill(t, a, org, `{"type":"capture","session_id":"a/b","status":"completed"}`)
		const path = "/captures/a%2Fb/athletes"
		sam, _ := person(t, a, token, `{"first_name":"Sam"}`)
		jo, _ := person(t, a, token, `{"first_name":"Jo","last_name":"\"Rivera\""}`)
		nobody := a.Get(path, token).Want(200)
		if string(nobody.Body) != `{"athletes":[]}` {
			t.Errorf("linked to nobody: %s", nobody.Body)
		}
		tags := map[string]string{nobody.Header.Get("ETag"): "nobody"}
		// shows asks for the list as everybody may, and holds its tag and HEAD to it.
		shows := func(when, want string) {
			t.Helper()
			got := a.Get(path+"?limit=0&x=y", a.Token(org, organization.AthletesRead)).Want(200)
			if string(got.Body) != want {
				t.Errorf("%s: %s instead of %s", when, got.Body, want)
			}
			tag := got.Header.Get("ETag")
			if tags[tag] != "" || tag == "" {
				t.Errorf("%s: the tag %q is that of %q", when, tag, tags[tag])
			}
			for old, of := range tags {
				if a.Get(path, token, "If-None-Match", old).Status != 200 {
					t.Errorf("%s: it is taken for what it was (%s)", when, of)
				}
			}
			tags[tag] = when
			if unchanged := a.Get(path, token, "If-None-Match", tag).Want(304); len(unchanged.Body) > 0 ||
				unchanged.Header.Get("ETag") != tag {
				t.Errorf("%s, unchanged: %v %s", when, unchanged.Header, unchanged.Body)
			}
			head := a.Do(http.MethodHead, path, token, "").Want(200)
			if len(head.Body) > 0 || head.Header.Get("ETag") != tag ||
				head.Header.Get("Content-Length") != fmt.Sprint(len(want)) {
				t.Errorf("%s: HEAD answers %v %s", when, head.Header, head.Body)
			}
		}
		// The younger one is linked first.
		a.Post(path, token, fmt.Sprintf(`{"athlete_ids":[%q,%q]}`, jo, sam)).Want(200)
		shows("two", fmt.Sprintf(
			`{"athletes":[{"id":%q,"first_name":"Jo","last_name":"\"Rivera\""},{"id":%q,"first_name":"Sam","last_name":null}]}`, jo, sam))
		if first := a.Get("/captures/a%2Fb", token).Object()["athlete_id"]; first != jo {
			t.Errorf("the capture names %v first, and not %s", first, jo)
		}
		a.Post("/athletes/"+sam, token, `{"last_name":"Oh"}`).Want(200)
		shows("renamed", fmt.Sprintf(
			`{"athletes":[{"id":%q,"first_name":"Jo","last_name":"\"Rivera\""},{"id":%q,"first_name":"Sam","last_name":"Oh"}]}`, jo, sam))
		a.Delete(path+"/"+jo, token).Want(200)
		shows("unlinked", fmt.Sprintf(`{"athletes":[{"id":%q,"first_name":"Sam","last_name":"Oh"}]}`, sam))
		a.Post(path, token, fmt.Sprintf(`{"athlete_id":%q}`, jo)).Want(200)
		shows("linked behind", fmt.Sprintf(
			`{"athletes":[{"id":%q,"first_name":"Sam","last_name":"Oh"},{"id":%q,"first_name":"Jo","last_name":"\"Rivera\""}]}`, sam, jo))
		a.Delete("/athletes/"+sam, token).Want(200)
		shows("erased", fmt.Sprintf(`{"athletes":[{"id":%q,"first_name":"Jo","last_name":"\"Rivera\""}]}`, jo))

		a.Get("/captures/none/athletes", token).Want(404)
		a.Get(path, a.Token(a.Organization())).Want(404)
		a.Get(path, a.Token(org, organization.CapturesRead)).Want(403)
		a.Delete("/athletes/"+jo, token).Want(200)
		a.Get(path, token).Want(404) // the capture went with the last one
	})
}
