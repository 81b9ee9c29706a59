package app_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/kinebase/kinebase/audit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/organization"
)

// entries are the whole audit log, read two at a time.
func entries(t *testing.T, a *apptest.App, org string, q audit.Query) (all []audit.Entry) {
	t.Helper()
	q.Limit = 2
	for {
		p, err := a.Store.Audit(t.Context(), organization.In(org), q)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p.Entries...)
		if !p.More {
			return all
		}
		q.After = p.Next
	}
}

func TestTheAthleteThatAMergeEndedIsFoundInTheAuditLog(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		org := a.Organization()
		token, id := a.TokenWithID(org)
		athlete := func() string {
			made := a.Post("/athletes", token, `{"first_name":"A"}`).Want(200).Object()["athlete"]
			return made.(map[string]any)["id"].(string)
		}
		into, from := athlete(), athlete()
		for range 2 { // the second time is the same act
			a.Post("/athletes/"+into+"/merge", token, `{"from":"`+from+`"}`, "Idempotency-Key", "m").Want(200)
		}
		var ids []string
		for _, object := range []string{into, from} {
			got := entries(t, a, org, audit.Query{Object: object, Action: "mergeAthletes"})
			if len(got) != 1 || got[0].Actor.ID != id || got[0].Object.Kind != "athlete" || got[0].RequestID == "" {
				t.Fatalf("about %s there is %+v", object, got)
			}
			ids = append(ids, got[0].ID)
		}
		if ids[0] == ids[1] {
			t.Error("both entries have one id")
		}
	})
}

func TestTheAuditLogHasWhoDidWhatAndNothingOfPeople(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e, apptest.At(e.Place(t)), apptest.With("KINEBASE_AUDIT_READS", "on"))
		org, other := a.Organization(), a.Organization()
		token, id := a.TokenWithID(org)
		reader := a.ReadOnlyToken(org)
		athlete := a.Post("/athletes", token, `{"first_name":"Unmistakable"}`, "Idempotency-Key",
			"k").Want(200).Object()["athlete"].(map[string]any)["id"].(string)
		// nothing is done again
		a.Post("/athletes", token, `{"first_name":"Unmistakable"}`, "Idempotency-Key", "k").Want(200)
		a.Post("/athletes", token, `{"first_name":7}`).Want(400)
		a.Post("/athletes/"+athlete, token, `{"last_name":"Unmistakable"}`).Want(200)
		capture := a.Post("/captures", token, `{"file_name":"unmistakable.trc","athlete_id":"`+athlete+
			`"}`).Want(200).Object()["session_id"].(string)
		job := a.Post("/data/export", token, `{}`).Want(200).Object()["jobId"].(string)
		made := a.Post("/tokens", token, `{"name":"n","role":"viewer"}`).Want(200).Object()["id"].(string)
		a.Delete("/tokens/"+made, token).Want(200)
		for range 3 {
			a.Delete("/athletes/"+athlete, reader).Want(403) // noted once
		}
		a.Delete("/athletes/Unmistakable%20born%201999", a.ReadOnlyToken(org)).Want(403)
		a.Delete("/athletes/"+athlete, token).Want(200)
		a.Delete("/athletes/"+athlete, token).Want(404)
		a.Get("/captures?limit=1", reader).Want(200)
		a.Until("the read is written",
			func() bool { return len(entries(t, a, org, audit.Query{Action: "listCaptures"})) == 1 })

		page := a.Get("/audit?limit=3&action=createAthlete&object="+athlete+"&from=2020-01-01T00:00:00Z",
			token).Want(200).Object()
		if list := page["entries"].([]any); len(list) != 1 ||
			list[0].(map[string]any)["actor"].(map[string]any)["id"] != id {
			t.Errorf("the interface gives %v", page)
		}
		if rest := a.Get("/audit?action=createAthlete&after="+page["cursor"].(string),
			token).Want(200).Object(); len(rest["entries"].([]any)) != 0 || rest["more"] != false {
			t.Errorf("after it there is %v", rest)
		}
		var forth, back []audit.Entry
		for _, newest := range []bool{false, true} {
			all := entries(t, a, org, audit.Query{Newest: newest})
			if forth, back = all, forth; newest {
				slices.Reverse(forth)
			}
		}
		if len(back) < 8 || !slices.Equal(forth, back) {
			t.Errorf("from the newest on there are\n%v\nand from the oldest on\n%v", forth, back)
		}
		last := a.Get("/audit?order=newest&limit=1", token).Want(200).Object()
		one := last["entries"].([]any)[0].(map[string]any)
		if one["id"] != back[len(back)-1].ID || last["more"] != true {
			t.Errorf("the newest one is %v", last)
		}
		for _, wrong := range []string{"order=", "order=down", "order=newest&order=newest", "limit=0", "after=x",
			"from=tomorrow", "actor=", "to=1&to=2"} {
			a.Get("/audit?"+wrong, token).Want(400)
		}
		a.Get("/audit", reader).Want(403)

		type short struct {
			action, kind, id string
			status           int
		}
		var got []short
		for _, e := range entries(t, a, org, audit.Query{}) {
			if e.Status == 200 && e.Action != "listCaptures" && (e.Actor.ID != id || e.Actor.Kind != audit.Token) ||
				e.RequestID == "" || e.Address != "127.0.0.1" || e.At.IsZero() {
				t.Errorf("the entry is %+v", e)
			}
			if strings.Contains(strings.ToLower(e.Action+e.Object.ID+e.RequestID), "unmistakable") {
				t.Errorf("the entry tells of somebody: %+v", e)
			}
			got = append(got, short{e.Action, e.Object.Kind, e.Object.ID, e.Status})
		}
		want := []short{
			{"createAthlete", "athlete", athlete, 200}, {"updateAthlete", "athlete", athlete, 200},
			{"reserveCapture", "capture", capture, 200},
			{"createExport", "export", job, 200}, {"createToken", "token", made, 200},
			{"revokeToken", "token", made, 200},
			{"deleteAthlete", "athlete", athlete, 403}, {"deleteAthlete", "athlete", "", 403},
			{"deleteAthlete", "athlete", athlete, 200}, {"listCaptures", "", "", 200},
		}
		if !slices.Equal(got, want) {
			t.Errorf("the log has\n%v\nand not\n%v", got, want)
		}
		if n := len(entries(t, a, org, audit.Query{Object: athlete})); n != 4 {
			t.Errorf("%d entries are about the athlete", n)
		}
		if n := len(entries(t, a, other, audit.Query{})); n != 0 {
			t.Errorf("the other organization has %d entries", n)
		}
		if e != apptest.PostgreSQL {
			return
		}
		conn, err := pgx.Connect(t.Context(), a.Place["database-url"])
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close(t.Context()) }()
		for _, text := range []string{`UPDATE audit SET action = ''`, `DELETE FROM audit`, `TRUNCATE audit`} {
			if _, err := conn.Exec(t.Context(), text); err == nil ||
				!strings.Contains(err.Error(), "permission denied") {
				t.Errorf("%s: the role that serves is told %v", text, err)
			}
		}
		if _, err := conn.Exec(t.Context(), `SELECT set_config('app.org', $1, false)`, org); err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Exec(t.Context(), `SELECT kinebase_forget_audit(9223372036854775807)`); err != nil {
			t.Fatal(err)
		}
		if n := len(entries(t, a, org, audit.Query{})); n != len(want) {
			t.Errorf("the function forgets what is young: %d entries are left", n)
		}
	})
}
