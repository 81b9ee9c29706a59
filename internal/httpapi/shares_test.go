package httpapi_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/httpapi"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/share"
)

// linked is a share and its secret.
type linked struct{ ID, Secret string }

func shared(t *testing.T, a *apptest.App, token, body string) (l linked) {
	t.Helper()
	a.Post("/shares", token, body).Want(200).Into(&l)
	return l
}

func visit(a *apptest.App, path, secret string, headers ...string) *apptest.Answer {
	return a.Do("GET", "/shared"+path, "", "", append(headers, "Kinebase-Share", secret)...)
}

// named is a recording in whose file, labels and athlete there is a name.
func named(t *testing.T, a *apptest.App, token string) (session, athlete string) {
	t.Helper()
	athlete, _ = person(t, a, token, `{"first_name":"Unmistakable","last_name":"Personsson"}`)
	return recorded(t, a, token,
		fmt.Sprintf(`{"athlete_id":%q,"file_name":"Unmistakable Personsson.trc","movement_attributes":{"activity":"squat","movement":"bodyweight"}}`, athlete)), athlete
}

func TestALinkShowsItsCapturesAndNothingElse(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		token := a.Token(a.Organization())
		session, athlete := named(t, a, token)
		other := recorded(t, a, token, `{"file_name":"other.trc"}`)
		l := shared(t, a, token, fmt.Sprintf(`{"captures":[%q],"name":"For Unmistakable","view":"?plot=HIPS"}`,
			session))

		a.Do("PUT", "/skeletons", token,
			`{"skeletons":[{"name":"Unmistakable","bones":[["lasi","RASI"],["RASI","Unmistakable:HIPS"]]},`+
				`{"name":"Ours","bones":[["LASI","RASI"]]},{"name":"Unmistakable Bob","bones":[["Unmistakable:X","Y"]]}]}`,
			"Content-Type", "application/json").Want(200)

		all := []string{}
		for _, path := range []string{"", "/skeletons", "/captures/1", "/captures/1/motion", "/captures/1/frames"} {
			for _, accept := range []string{"application/json", "text/csv", "application/vnd.apache.parquet",
				"application/vnd.kinebase.frames"} {
				answer := visit(a, path, l.Secret, "Accept", accept).Want(200)
				all = append(all, string(answer.Body), fmt.Sprint(answer.Header))
				if tag := answer.Header.Get("Etag"); tag != "" {
					visit(a, path, l.Secret, "Accept", accept, "If-None-Match", tag).Want(304)
				}
				if cache := answer.Header.Get("Cache-Control"); !strings.Contains(cache, "no-store") &&
					!strings.Contains(cache, "private") {
					t.Errorf("%s may be kept by others: %s", path, cache)
				}
			}
		}
		for _, text := range all {
			for _, secret := range []string{"nmistakable", "Personsson", session, athlete, other} {
				if strings.Contains(text, secret) {
					t.Errorf("a visitor sees %q: %.400s", secret, text)
				}
			}
		}
		const sets = `{"skeletons":[{"name":"1","bones":[["LASI","RASI"]]}]}`
		if got := string(visit(a, "/skeletons", l.Secret).Body); got != sets {
			t.Errorf("its bones are %s", got)
		}
		// What is asked for beside it is not there, whatever way it is asked.
		for _, path := range []string{"/captures/1?include=file,athlete", "/captures/1?include=athlete"} {
			if got := string(visit(a, path, l.Secret).Body); strings.Contains(got, "nmistakable") {
				t.Errorf("%s gives %s", path, got)
			}
		}
		nothing := seen(visit(a, "", "ks_wrong"))
		for _, path := range []string{"/athletes/1/metrics", "/athletes/" + athlete + "/metrics", "/captures/2",
			"/captures/0", "/captures/01", "/captures/" + session,
			"/captures/" + other, "/captures/" + other + "/motion", "/captures/-1/frames"} {
			if got := seen(visit(a, path, l.Secret).Want(404)); got != nothing {
				t.Errorf("%s is %s", path, got)
			}
		}
		// The secret is good for nothing else, and no token is good for what is shared.
		for _, r := range httpapi.Routes() {
			if !r.Public {
				send(a, r, map[string]string{"captureId": session, "athleteId": athlete, "shareId": l.ID}, l.Secret,
					"Kinebase-Share", l.Secret).Want(401)
			}
		}
		visit(a, "", token).Want(404)
		a.Do("GET", "/shared", token, "").Want(404)
		a.Do("GET", "/shared", l.Secret, "").Want(404)
		for _, method := range []string{"POST", "PUT", "PATCH", "DELETE"} {
			a.Do(method, "/shared/captures/1", "", "{}", "Kinebase-Share", l.Secret, "Content-Type",
				"application/json").Want(405)
		}
	})
}

// TestALinkThatNamesNobodyShowsNoChannelCalledAfterSomebody has files that put the subject before a colon
// also where the server does not take it off.
func TestALinkThatNamesNobodyShowsNoChannelCalledAfterSomebody(t *testing.T) {
	for _, text := range []string{
		"time,Unmistakable:LASI_x,Unmistakable:LASI_y,Unmistakable:LASI_z,Unmistakable:knee\n" +
			"0,1,2,3,4\n0.01,1,2,3,5\n0.02,1,2,3,6\n",
		"time,Unmistakable:hip,Unmistakable:knee\n0,1,2\n0.01,1,2\n0.02,1,3\n",
	} {
		nobodyIsNamed(t, text)
	}
}

func nobodyIsNamed(t *testing.T, text string) {
	t.Helper()
	a := apptest.Start(t, apptest.SQLite)
	token := a.Token(a.Organization())
	r := reserve(t, a, token, `{"file_name":"a.csv"}`)
	early := shared(t, a, token, fmt.Sprintf(`{"captures":[%q]}`, r.SessionID)) // before anything is known of the file
	upload(t, a, r, text).Want(204)
	if status := settled(a, token, r.SessionID); status != "completed" {
		t.Fatalf("the capture is %s", status)
	}
	for _, path := range []string{"", "/captures/1", "/captures/1/motion", "/captures/1/frames",
		"/captures/1/frames?channels=LASI", "/captures/1/frames?channels=none", "/captures/1/frames?rows=samples"} {
		for _, accept := range []string{"application/json", "text/csv"} {
			got := visit(a, path, early.Secret, "Accept", accept)
			if strings.Contains(string(got.Body), "nmistakable") || strings.HasPrefix(path, "/captures/1/") &&
				got.Status != 409 {
				t.Errorf("%s is %d %s", path, got.Status, got.Body)
			}
		}
	}
	a.Post("/shares", token, fmt.Sprintf(`{"captures":[%q]}`, r.SessionID)).Want(409)
	named := shared(t, a, token, fmt.Sprintf(`{"captures":[%q],"names":true}`, r.SessionID))
	for _, path := range []string{"/captures/1/motion", "/captures/1/frames"} {
		if got := visit(a, path, named.Secret).Want(200); !strings.Contains(string(got.Body), "Unmistakable:knee") {
			t.Errorf("with names %s is %s", path, got.Body)
		}
	}
}

func TestTheTagOfAnAnswerToVisitorsIsTheirsAlone(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite)
	token := a.Token(a.Organization())
	session := recorded(t, a, token, `{"file_name":"a.trc"}`)
	for _, names := range []bool{true, false} {
		l := shared(t, a, token, fmt.Sprintf(`{"captures":[%q],"names":%t}`, session, names))
		for _, part := range []string{"", "/motion", "/frames"} {
			own := a.Get("/captures/"+session+part, token).Want(200).Header.Get("Etag")
			if theirs := visit(a, "/captures/1"+part, l.Secret).Want(200).Header.Get("Etag"); theirs == own ||
				theirs == "" {
				t.Errorf("%q: %s is also what who has a token gets: %s", part, theirs, own)
			}
		}
	}
}

func TestALinkWithNamesNamesThem(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		token := a.Token(org)
		session, athlete := named(t, a, token)
		body := fmt.Sprintf(`{"captures":[%q],"names":true}`, session)
		// Nobody can show what he cannot see.
		a.Post("/shares", a.Token(org, organization.CapturesRead, organization.CapturesWrite), body).Want(403)
		l := shared(t, a, token, body)
		if got := string(visit(a, "", l.Secret).Want(200).Body); !strings.Contains(got,
			`"athlete_name":"Unmistakable Personsson"`) || strings.Contains(got, athlete) {
			t.Errorf("it shows %s", got)
		}
		if got := string(visit(a, "/captures/1/motion", l.Secret).Want(200).Body); !strings.Contains(got,
			`"file_name":"Unmistakable Personsson.trc"`) {
			t.Errorf("its motion is %s", got)
		}
		if got := string(visit(a, "/skeletons", l.Secret).Want(200).Body); got != `{"skeletons":[]}` {
			t.Errorf("without sets it has %s", got)
		}
		sets := `{"skeletons":[{"name":"Ours","bones":[["LASI","RASI"]]}]}`
		a.Do("PUT", "/skeletons", token, sets, "Content-Type", "application/json").Want(200)
		if got := string(visit(a, "/skeletons", l.Secret).Want(200).Body); got != sets {
			t.Errorf("its bones are %s", got)
		}
		// After a merge it is the name of who has the capture now.
		into, _ := person(t, a, token, `{"first_name":"Ann","last_name":"Smith"}`)
		a.Post("/athletes/"+into+"/merge", token, fmt.Sprintf(`{"from":%q}`, athlete)).Want(200)
		if got := string(visit(a, "", l.Secret).Want(200).Body); !strings.Contains(got, `"athlete_name":"Ann Smith"`) ||
			strings.Contains(got, "nmistakable") {
			t.Errorf("after the merge it shows %s", got)
		}
	})
}

// TestEveryEndOfALinkLooksTheSame tries all ways in which a link ends. Each is the answer of a secret that never was.
func TestEveryEndOfALinkLooksTheSame(t *testing.T) {
	testkit.Long(t)
	ends := map[string]func(t *testing.T, a *apptest.App, token, session, athlete string, l linked){
		"it is taken back": func(_ *testing.T, a *apptest.App, token, _, _ string, l linked) {
			a.Delete("/shares/"+l.ID, token).Want(200)
			a.Delete("/shares/"+l.ID, token).Want(404)
		},
		"a capture of it is deleted": func(_ *testing.T, a *apptest.App, token, session, _ string, _ linked) {
			a.Delete("/captures/"+session, token).Want(200)
		},
		"an athlete is deleted with the capture": func(_ *testing.T, a *apptest.App, token, _, athlete string,
			_ linked) {
			a.Delete("/athletes/"+athlete, token).Want(200)
		},
		"the organization is suspended": func(t *testing.T, a *apptest.App, _, _, _ string, l linked) {
			suspended(t, a, l)
		},
	}
	for what, end := range ends {
		t.Run(what, func(t *testing.T) {
			apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
				a := apptest.Start(t, e)
				token := a.Token(a.Organization())
				session, athlete := named(t, a, token)
				other := recorded(t, a, token, `{"file_name":"other.trc"}`)
				l := shared(t, a, token,
					fmt.Sprintf(`{"kind":"comparison","captures":[%q,%q],"view":"?of=Unmistakable"}`, other, session))
				tag := visit(a, "/captures/1/motion", l.Secret).Want(200).Header.Get("Etag")
				nothing := seen(visit(a, "", string(organization.NewLinkSecret())).Want(404))
				end(t, a, token, session, athlete, l)
				linkEnded(t, a, l.Secret, nothing, tag)
			})
		})
	}
}

// suspended suspends the organization that a link is of.
func suspended(t *testing.T, a *apptest.App, l linked) {
	t.Helper()
	secret, _ := organization.ParseLinkSecret(l.Secret)
	_, org, err := a.Store.Shown(t.Context(), secret.Hash(), time.Now())
	now := time.Now()
	if err := errors.Join(err, a.Store.SuspendOrganization(t.Context(), org, &now)); err != nil {
		t.Fatal(err)
	}
}

func TestALinkWhoseTimeIsOverShowsNothing(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		session := recorded(t, a, a.Token(org), `{"file_name":"a.trc"}`)
		made, secret := share.Share{ID: organization.NewID(), Kind: share.Capture, Captures: []string{session},
			ExpiresAt: time.Now().Add(-time.Second)}, organization.NewLinkSecret()
		if err := a.Store.CreateShare(t.Context(), organization.In(org), made, secret.Hash(), nil); err != nil {
			t.Fatal(err)
		}
		linkEnded(t, a, string(secret), seen(visit(a, "", string(organization.NewLinkSecret())).Want(404)), `"x"`)
	})
}

// linkEnded says that a link shows nothing, in the same words as one that never was.
func linkEnded(t *testing.T, a *apptest.App, secret, nothing, tag string) {
	t.Helper()
	for _, path := range []string{"", "/skeletons", "/movements", "/captures/1", "/captures/1/motion",
		"/captures/1/frames", "/athletes/1/metrics"} {
		for _, headers := range [][]string{nil, {"If-None-Match", tag}, {"If-None-Match", "*"},
			{"Accept", "text/csv"}} {
			if got := seen(visit(a, path, secret, headers...)); got != nothing {
				t.Errorf("%q %v is %s\nand not %s", path, headers, got, nothing)
			}
		}
	}
}

func TestSharesAreMadeListedCountedAndTakenBack(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		token, foreign := a.Token(org), a.Token(a.Organization())
		session := recorded(t, a, token, `{"file_name":"a.trc"}`)
		second := recorded(t, a, token, `{"file_name":"b.trc"}`)
		if got := string(a.Get("/shares", token).Want(200).Body); got != `{"shares":[]}` {
			t.Errorf("at first there is %s", got)
		}
		body := fmt.Sprintf(`{"kind":"comparison","captures":[%q,%q],"name":"For the clinic"}`, second, session)
		made := a.Do("POST", "/shares", token, body, "Content-Type", "application/json", "Idempotency-Key",
			"k").Want(200)
		again := a.Do("POST", "/shares", token, body, "Content-Type", "application/json", "Idempotency-Key",
			"k").Want(200)
		if string(made.Body) != string(again.Body) {
			t.Errorf("repeated it is %s and not %s", again.Body, made.Body)
		}
		var l linked
		made.Into(&l)
		for range 3 {
			visit(a, "", l.Secret).Want(200)
			visit(a, "/captures/2/motion", l.Secret).Want(200)
		}
		list := string(a.Get("/shares", token).Want(200).Body)
		if !strings.Contains(list, `"uses":3,`) || strings.Contains(list, l.Secret) ||
			strings.Contains(list, `"last_used_at":null`) ||
			!strings.Contains(list, fmt.Sprintf(`"captures":[%q,%q]`, second, session)) {
			t.Errorf("the list is %s", list)
		}
		if got := string(a.Get("/shares", foreign).Want(200).Body); got != `{"shares":[]}` {
			t.Errorf("others see %s", got)
		}
		a.Post("/shares", foreign, fmt.Sprintf(`{"captures":[%q]}`, session)).Want(400)
		a.Delete("/shares/"+l.ID, foreign).Want(404)
		for body, want := range map[string]string{
			`{}`:                                                     "captures is required",
			`{"captures":[]}`:                                        "1 to 60 ids",
			`{"captures":[1]}`:                                       "id of a capture",
			`{"captures":["a","a"]}`:                                 "twice",
			`{"captures":["a","b"]}`:                                 "has one capture",
			`{"captures":["a"],"to":1}`:                              "is not a field",
			`{"captures":["not there"]}`:                             "no such capture",
			`{"captures":["a"],"kind":"all"}`:                        "kind must be",
			`{"captures":["a"],"name":" "}`:                          "name must be",
			`{"captures":["a"],"names":"yes"}`:                       "names must be",
			`{"captures":["a"],"expires_at":"soon"}`:                 "expires_at must be",
			`{"captures":["a"],"expires_at":"2001-01-01T00:00:00Z"}`: "one second",
			`{"captures":["a"],"expires_at":"2999-01-01T00:00:00Z"}`: "366 days",
			fmt.Sprintf(`{"captures":["a"],"view":%q}`, strings.Repeat("a", 8193)): "8192 bytes",
			`{"kind":"report","captures":[` + strings.Repeat(`"a",`, 60) + `"b"]}`: "1 to 60 ids",
		} {
			if got := string(a.Post("/shares", token, body).Want(400).Body); !strings.Contains(got, want) {
				t.Errorf("%.100s is refused with %s", body, got)
			}
		}
		a.Delete("/shares/"+l.ID, token).Want(200)
		entries := string(a.Get("/audit", token).Want(200).Body)
		for _, want := range []string{`"action":"createShare"`, `"action":"deleteShare"`,
			fmt.Sprintf(`"object":{"kind":"share","id":%q}`, l.ID)} {
			if !strings.Contains(entries, want) {
				t.Errorf("the audit log has no %s: %s", want, entries)
			}
		}
	})
}

func TestVisitorsOfALinkHaveARateOfTheirOwn(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite, apptest.With("KINEBASE_RATE_LIMIT", "3:6"))
	token := a.Token(a.Organization())
	session := reserve(t, a, token, `{"file_name":"a.trc"}`).SessionID
	l := shared(t, a, token, fmt.Sprintf(`{"captures":[%q]}`, session))
	var got []int
	for range 40 {
		got = append(got, visit(a, "", l.Secret).Status)
	}
	if got[0] != 200 || !slices.Contains(got, http.StatusTooManyRequests) {
		t.Errorf("a link that is opened again and again is answered %v", got)
	}
	if answer := a.Get("/shares", token); answer.Status != 200 {
		t.Errorf("its organization is answered %d", answer.Status)
	}
}
