package httpapi_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/audit"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/internal/testkit/contract"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
)

// allActs makes every operation that changes something do so.
func allActs(t *testing.T, a *apptest.App, org, token string) {
	t.Helper()
	const asJSON, kind = "Content-Type", "application/json"
	id := func(answer *apptest.Answer) string { return answer.Want(200).Object()["id"].(string) }
	jo, _ := person(t, a, token, `{"first_name":"Jo"}`)
	al, _ := person(t, a, token, `{"first_name":"Al"}`)
	a.Post("/athletes/"+jo, token, `{"last_name":"Smith"}`).Want(200)
	a.Post("/athletes/"+jo+"/merge", token, `{"from":"`+al+`"}`).Want(200)

	walk := recorded(t, a, token, `{"file_name":"walk.trc"}`)
	put := reserve(t, a, token, `{"file_name":"put.trc"}`).SessionID
	a.Do("PUT", "/captures/"+put+"/file", token, threeFrames).Want(204)
	_, place := resumable(t, a, token, "pieces.trc", len(threeFrames))
	piece(a, place, threeFrames[:100], 0).Want(204) // which is no file yet
	piece(a, place, threeFrames[100:], 100).Want(204)
	_, place = resumable(t, a, token, "ended.trc", len(threeFrames))
	a.Do("DELETE", place, "", "", "Tus-Resumable", "1.0.0").Want(204)
	a.Do("PATCH", "/captures/"+walk, token, `{"activity":"golf"}`, asJSON, kind).Want(200)
	a.Post("/captures/"+walk+"/athletes", token, `{"athlete_ids":["`+jo+`"]}`).Want(200)
	a.Delete("/captures/"+walk+"/athletes/"+jo, token).Want(200)
	if status := settled(a, token, walk); status != "completed" {
		t.Fatalf("the capture is %s", status)
	}
	a.Post("/captures/"+walk+"/reprocess", token, "").Want(200)
	a.Do("PUT", "/landmarks", token, `{"landmarks":[{"name":"pelvis","points":[["LASI"]]}]}`, asJSON, kind).Want(200)
	a.Do("PUT", "/skeletons", token, `{"skeletons":[{"name":"A","bones":[["LASI","RASI"]]}]}`, asJSON, kind).Want(200)
	a.Delete("/shares/"+id(a.Post("/shares", token, fmt.Sprintf(`{"captures":[%q]}`, walk))), token).Want(200)

	job := a.Post("/data/export", token, `{}`).Want(200).Object()["jobId"].(string)
	a.Until("the export is built", func() bool {
		return a.Get("/data/export/job/"+job, token).Want(200).Object()["status"] == "COMPLETED"
	})
	a.Import(org, manifest.Record{Job: &export.Job{ID: "running", Status: export.Running}})
	a.Post("/data/export/job/running/cancel", token, "").Want(200)
	a.Delete("/data/export/job/"+job, token).Want(200)

	made := id(a.Post("/tokens", token, `{"name":"n","role":"viewer"}`))
	a.Post("/tokens/"+made+"/rotate", token, "").Want(200)
	a.Delete("/tokens/"+made, token).Want(200)

	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(receiver.Close)
	hook := "/webhooks/" + id(a.Post("/webhooks", token, fmt.Sprintf(`{"url":%q}`, receiver.URL)))
	a.Do("PATCH", hook, token, `{"description":"d"}`, asJSON, kind).Want(200)
	ping := hook + "/deliveries/" + id(a.Post(hook+"/test", token, ""))
	a.Until("the test is delivered", func() bool { return a.Post(ping+"/replay", token, "").Status == 200 })
	a.Post(hook+"/rotate", token, "").Want(200)
	a.Delete(hook, token).Want(200)
	a.Delete("/captures/"+walk, token).Want(200)
	a.Delete("/athletes/"+jo, token).Want(200)
}

func TestEveryOperationThatChangesSomethingIsInTheAuditLogOfItsOrganizationAlone(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e, apptest.With("KINEBASE_WEBHOOK_PRIVATE", "on"))
		org, other := a.Organization(), a.Organization()
		token, by := a.TokenWithID(org)
		allActs(t, a, org, token)
		var all audit.Page
		var err error
		if all, err = a.Store.Audit(t.Context(), organization.In(org), audit.Query{Limit: 1000}); err != nil {
			t.Fatal(err)
		}
		noted := map[string]bool{}
		for _, entry := range all.Entries {
			noted[entry.Action] = true
			form := slices.Contains([]string{"sendFile", "continueUpload", "endUpload"}, entry.Action)
			if entry.Status != 200 || entry.RequestID == "" ||
				entry.Object.Kind == "" && !strings.HasPrefix(entry.Action, "put") ||
				form != (entry.Actor.Kind == audit.System) || !form && entry.Actor.ID != by {
				t.Errorf("an entry is %+v", entry)
			}
		}
		changing := 0
		for _, o := range contract.Of(t).Operations() {
			if o.Method == http.MethodGet || o.ID == "estimateExport" { // which only asks
				continue
			}
			if changing++; !noted[o.ID] {
				t.Errorf("%s has changed something, and there is no entry of it", o.ID)
			}
		}
		if changing < 30 {
			t.Errorf("only %d operations were looked for", changing)
		}
		if page, err := a.Store.Audit(t.Context(), organization.In(other), audit.Query{Limit: 1}); err != nil ||
			len(page.Entries) != 0 {
			t.Errorf("the other organization has %+v: %v", page, err)
		}
	})
}
