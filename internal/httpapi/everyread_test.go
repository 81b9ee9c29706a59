package httpapi_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/kinebase/kinebase/audit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/internal/testkit/contract"
	"github.com/kinebase/kinebase/organization"
)

// aboutNobody are the operations that read nothing of athletes, captures or exports but how far something is, sums, and
// names that the organization gives. The audit log itself is not read into itself.
var aboutNobody = map[string]bool{"getProcessing": true, "getUpload": true, "getOverview": true, "listColumns": true,
	"listMovements": true, "getSharedMovements": true, "getLandmarks": true, "getSkeletons": true, "listShares": true,
	"listTokens": true, "listWebhooks": true, "getWebhook": true, "listDeliveries": true, "listAudit": true}

// allReads makes every operation that reads something about people do so.
func allReads(t *testing.T, a *apptest.App, token string) {
	t.Helper()
	session, athlete := named(t, a, token)
	jump := jumped(t, a, token, athlete, "jump.trc", "2026-05-02")
	job := a.Post("/data/export", token, `{}`).Want(200).Object()["jobId"].(string)
	a.Until("the export is built", func() bool {
		return a.Get("/data/export/job/"+job, token).Want(200).Object()["status"] == "COMPLETED"
	})
	for _, path := range []string{"/captures", "/captures/" + session, "/captures/" + session + "/motion",
		"/captures/" + session + "/frames", "/captures/" + session + "/athletes", "/changes", "/athletes",
		"/athletes/" + athlete, "/athletes/" + athlete + "/metrics?activity=jump&movement=countermovement",
		"/data/export/job", "/data/export/job/" + job + "/results"} {
		a.Get(path, token).Want(200)
	}
	a.Get("/captures/"+session+"/file", token)
	recordings := shared(t, a, token, fmt.Sprintf(`{"captures":[%q]}`, jump))
	for _, path := range []string{"", "/skeletons", "/captures/1", "/captures/1/motion", "/captures/1/frames"} {
		visit(a, path, recordings.Secret).Want(200)
	}
	visit(a, "/athletes/1/metrics", shared(t, a, token, courseOf(athlete, "")).Secret).Want(200)
}

func TestEveryOperationThatReadsOfPeopleIsInTheAuditLogWhereTheOperatorWantsItAndNoneElsewhere(t *testing.T) {
	for _, reads := range []string{"on", "off"} {
		a := apptest.Start(t, apptest.SQLite, apptest.With("KINEBASE_AUDIT_READS", reads))
		org := a.Organization()
		token := a.Token(org)
		allReads(t, a, token)
		noted := func() (all map[string]bool) {
			page, err := a.Store.Audit(t.Context(), organization.In(org), audit.Query{Limit: 1000})
			if err != nil {
				t.Fatal(err)
			}
			all = map[string]bool{}
			for _, e := range page.Entries {
				all[e.Action] = true
			}
			return all
		}
		looked := 0
		for _, o := range contract.Of(t).Operations() {
			if o.Method != http.MethodGet {
				continue
			}
			if looked++; reads == "on" && !aboutNobody[o.ID] {
				a.Until(o.ID+" is in the audit log", func() bool { return noted()[o.ID] }) // it follows the answer
			} else if noted()[o.ID] {
				t.Errorf("with reads %s, %s is in the audit log", reads, o.ID)
			}
		}
		if looked < 30 {
			t.Errorf("only %d operations were looked for", looked)
		}
	}
}
