package httpapi

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/kinebase/kinebase/audit"
	"github.com/kinebase/kinebase/organization"
)

// operations are the ids of operations in the interface document, under which the audit log has them.
var operations = map[string]string{
	"POST /v1/captures":                                            "reserveCapture",
	"PATCH /v1/captures/{captureId}":                               "correctCapture",
	"DELETE /v1/captures/{captureId}":                              "deleteCapture",
	"PUT /v1/captures/{captureId}/file":                            "putFile",
	"POST /v1/captures/{captureId}/reprocess":                      "reprocessCapture",
	"POST /v1/captures/{captureId}/athletes":                       "linkAthletes",
	"DELETE /v1/captures/{captureId}/athletes/{athleteId}":         "unlinkAthlete",
	"PUT /v1/landmarks":                                            "putLandmarks",
	"PUT /v1/skeletons":                                            "putSkeletons",
	"POST /v1/shares":                                              "createShare",
	"DELETE /v1/shares/{shareId}":                                  "deleteShare",
	"POST /v1/uploads":                                             "sendFile",
	"PATCH /v1/uploads/{uploadId}":                                 "continueUpload",
	"DELETE /v1/uploads/{uploadId}":                                "endUpload",
	"POST /v1/athletes":                                            "createAthlete",
	"POST /v1/athletes/{athleteId}":                                "updateAthlete",
	"DELETE /v1/athletes/{athleteId}":                              "deleteAthlete",
	"POST /v1/athletes/{athleteId}/merge":                          "mergeAthletes",
	"POST /v1/data/export":                                         "createExport",
	"DELETE /v1/data/export/job/{jobId}":                           "deleteExport",
	"POST /v1/data/export/job/{jobId}/cancel":                      "cancelExport",
	"POST /v1/tokens":                                              "createToken",
	"DELETE /v1/tokens/{id}":                                       "revokeToken",
	"POST /v1/tokens/{id}/rotate":                                  "rotateToken",
	"POST /v1/webhooks":                                            "createWebhook",
	"PATCH /v1/webhooks/{webhookId}":                               "changeWebhook",
	"DELETE /v1/webhooks/{webhookId}":                              "deleteWebhook",
	"POST /v1/webhooks/{webhookId}/test":                           "testWebhook",
	"POST /v1/webhooks/{webhookId}/rotate":                         "rotateWebhook",
	"POST /v1/webhooks/{webhookId}/deliveries/{deliveryId}/replay": "replayDelivery",

	"GET /v1/captures":                         "listCaptures",
	"GET /v1/captures/{captureId}":             "getCapture",
	"GET /v1/captures/{captureId}/motion":      "getMotion",
	"GET /v1/captures/{captureId}/frames":      "getFrames",
	"GET /v1/captures/{captureId}/file":        "getFile",
	"GET /v1/captures/{captureId}/athletes":    "listLinkedAthletes",
	"GET /v1/shared":                           "getShared",
	"GET /v1/shared/skeletons":                 "getSharedSkeletons",
	"GET /v1/shared/captures/{number}":         "getSharedCapture",
	"GET /v1/shared/captures/{number}/motion":  "getSharedMotion",
	"GET /v1/shared/captures/{number}/frames":  "getSharedFrames",
	"GET /v1/shared/athletes/{number}/metrics": "getSharedMetrics",
	"GET /v1/changes":                          "listChanges",
	"GET /v1/athletes":                         "listAthletes",
	"GET /v1/athletes/{athleteId}":             "getAthlete",
	"GET /v1/athletes/{athleteId}/metrics":     "listMetrics",
	"GET /v1/data/export/job":                  "listExportJobs",
	"GET /v1/data/export/job/{jobId}":          "getExportJob",
	"GET /v1/data/export/job/{jobId}/results":  "getExportResults",
}

// objects are the kinds of what is named by the first variable of a pattern that begins so.
var objects = []struct{ prefix, kind string }{
	{"/v1/captures/", "capture"}, {"/v1/athletes/", "athlete"}, {"/v1/data/export/job/", "export"},
	{"/v1/tokens/", "token"}, {"/v1/webhooks/", "webhook"},
	{"/v1/shares/", "share"},
}

// operation is the route's id in the interface document; "" for what no audit log has.
func (r *Route) operation() string { return operations[r.Method+" "+r.Pattern] }

// entry is what the audit log has of the call.
func (c *call) entry(status int) audit.Entry {
	e := audit.Entry{Action: c.route.operation(), Status: status, RequestID: c.id, Actor: c.caller.Actor()}
	switch {
	case c.share != nil:
		e.Actor, e.Object = visitor(c.share), audit.Object{Kind: "share", ID: c.share.ID.String()}
	case c.route.Public:
		e.Actor = audit.Actor{Kind: audit.System, ID: "form"}
	}
	if from := c.address(); from.IsValid() {
		e.Address = from.String()
	}
	for _, o := range objects {
		if strings.HasPrefix(c.route.Pattern, o.prefix) {
			e.Object = audit.Object{Kind: o.kind, ID: named(c.path[0], status)}
		}
	}
	return e
}

// longestObject bounds what of an id is asked for.
const longestObject = 255

// made are ids that the server makes: a UUID, of captures with "_" and a number behind it.
var made = regexp.MustCompile(`^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}(_[0-9]+)?$`)

// named is the id of an object; "" for what a refused call has in the place of one, which may be anything, names of
// people included.
func named(id string, status int) string {
	if status < http.StatusBadRequest || made.MatchString(id) {
		return id
	}
	return ""
}

// act has what the call changes written into the audit log, in the transaction that changes it.
func (c *call) act() {
	if c.route.Method == http.MethodGet || c.route.operation() == "" {
		return
	}
	c.r = c.r.WithContext(audit.With(c.r.Context(), c.entry(http.StatusOK)))
}

// refusals are the minutes in which a token was last noted to be refused for its scope.
type refusals struct {
	lock sync.Mutex
	last map[string]time.Time
}

// first says whether a token was not refused in the last minute.
func (r *refusals) first(token string, now time.Time) bool {
	r.lock.Lock()
	defer r.lock.Unlock()
	if at, ok := r.last[token]; ok && now.Sub(at) < time.Minute {
		return false
	}
	if r.last == nil || len(r.last) > 10_000 {
		r.last = map[string]time.Time{}
	}
	r.last[token] = now
	return true
}

// noteRefused writes that a token asked for what it may not have: once a minute, for whoever asks again and
// again must not fill the log.
func (a *api) noteRefused(c *call) {
	if a.Audit != nil && c.route.operation() != "" && a.refused.first(c.caller.Bucket(), c.start) {
		a.record(c, http.StatusForbidden)
	}
}

// noteRead writes that somebody has read what is about people, where the operator wants that.
func (a *api) noteRead(c *call) {
	if a.AuditReads && a.Audit != nil && c.route != nil && c.route.Method == http.MethodGet &&
		c.route.operation() != "" && c.status < 400 && c.status != 0 {
		a.record(c, c.status)
	}
}

func (a *api) record(c *call, status int) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.r.Context()), 10*time.Second)
	defer cancel()
	if err := a.Audit.Record(ctx, organization.Scope{Organization: c.caller.Organization}, c.entry(status)); err !=
		nil {
		a.Log.Error("an entry of the audit log was not written", "request_id", c.id, "error", err)
	}
}
