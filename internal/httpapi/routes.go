package httpapi

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/organization"
)

// Route is one operation: a method on a pattern, and what a token must be allowed to do for it.
type Route struct {
	Method  string
	Pattern string                   // with the version; {…} stands for one segment that is not empty
	Needs   organization.Permissions // all of them; none where it is Public
	Any     bool                     // one of them is enough
	Public  bool                     // no token is asked for: what is sent proves itself

	// Parameters are the names of the query parameters that it has; "*" where every name means something.
	Parameters []string

	serve func(*api, *call) error
}

// routes is the whole interface. Routing, Allow, HEAD and 405 come from it, and
// tests hold the contract and the tenant matrix to it.
var routes = []Route{
	needs("GET", "/v1/captures", organization.CapturesRead, (*api).listCaptures).takes("athlete_id", "source", "status",
		"activity", "movement", "captured_from", "captured_to", "q", "include", "order", "limit", "offset"),
	needs("POST", "/v1/captures", organization.CapturesWrite, (*api).reserveCapture).takes("include"),
	needs("GET", "/v1/captures/{captureId}", organization.CapturesRead, (*api).getCapture).takes("include"),
	needs("PATCH", "/v1/captures/{captureId}", organization.CapturesWrite, (*api).correctCapture),
	needs("DELETE", "/v1/captures/{captureId}", organization.CapturesWrite, (*api).deleteCapture),
	needs("GET", "/v1/captures/{captureId}/motion", organization.CapturesRead, (*api).getMotion),
	needs("GET", "/v1/captures/{captureId}/frames", organization.CapturesRead, (*api).getFrames).takes("channels",
		"from", "to", "every", "rows", "locale"),
	needs("GET", "/v1/captures/{captureId}/file", organization.CapturesRead, (*api).getFile).takes("format", "locale"),
	needs("PUT", "/v1/captures/{captureId}/file", organization.CapturesWrite, (*api).putFile).takes("file_name"),
	needs("GET", "/v1/captures/{captureId}/processing", organization.CapturesRead, (*api).getProcessing),
	needs("POST", "/v1/captures/{captureId}/reprocess", organization.CapturesWrite, (*api).reprocessCapture),
	needs("GET", "/v1/captures/{captureId}/athletes", organization.AthletesRead, (*api).listLinkedAthletes),
	needs("POST", "/v1/captures/{captureId}/athletes", organization.CapturesWrite, (*api).linkAthletes),
	needs("DELETE", "/v1/captures/{captureId}/athletes/{athleteId}", organization.CapturesWrite, (*api).unlinkAthlete),

	Route{Method: "GET", Pattern: "/v1/changes",
		Needs: organization.Permissions{organization.CapturesRead, organization.AthletesRead, organization.ExportsRead},
		Any:   true, serve: (*api).listChanges}.
		takes("after", "limit", "kind", "wait", "include"),

	needs("GET", "/v1/audit", organization.Admin, (*api).listAudit).takes("after", "limit", "order", "actor", "object",
		"action", "from", "to"),

	needs("GET", "/v1/movements", organization.CapturesRead, (*api).listMovements).takes("activity", "movement"),
	needs("GET", "/v1/landmarks", organization.CapturesRead, landmarks.read),
	needs("PUT", "/v1/landmarks", organization.CapturesWrite, landmarks.put),
	needs("GET", "/v1/skeletons", organization.CapturesRead, skeletons.read),
	needs("PUT", "/v1/skeletons", organization.CapturesWrite, skeletons.put),
	needs("GET", "/v1/columns", organization.CapturesRead, (*api).listColumns).takes("activity", "movement", "kind",
		"q", "limit", "offset"),
	needs("GET", "/v1/shares", organization.CapturesRead, (*api).listShares),
	{Method: "POST", Pattern: "/v1/shares",
		Needs: organization.Permissions{organization.CapturesRead, organization.CapturesWrite},
		serve: (*api).createShare},
	needs("DELETE", "/v1/shares/{shareId}", organization.CapturesWrite, (*api).deleteShare),
	{Method: "GET", Pattern: "/v1/shared", Public: true, serve: (*api).getShared},
	{Method: "GET", Pattern: "/v1/shared/skeletons", Public: true, serve: (*api).getSharedSkeletons},
	{Method: "GET", Pattern: "/v1/shared/captures/{number}", Public: true, serve: (*api).getSharedCapture},
	{Method: "GET", Pattern: "/v1/shared/captures/{number}/motion", Public: true, serve: (*api).getSharedMotion},
	Route{Method: "GET", Pattern: "/v1/shared/captures/{number}/frames", Public: true,
		serve: (*api).getSharedFrames}.takes("channels", "from", "to", "every", "rows", "locale"),
	Route{Method: "GET", Pattern: "/v1/shared/athletes/{number}/metrics", Public: true,
		serve: (*api).getSharedMetrics}.takes("limit", "offset"),
	Route{Method: "GET", Pattern: "/v1/shared/movements", Public: true,
		serve: (*api).getSharedMovements}.takes("activity", "movement"),
	needs("GET", "/v1/overview", organization.CapturesRead, (*api).getOverview).takes("days", "include"),

	{Method: "POST", Pattern: "/v1/uploads", Public: true, serve: (*api).receiveFile},
	{Method: "GET", Pattern: uploadPattern, Public: true, serve: (*api).getUpload},
	{Method: "PATCH", Pattern: uploadPattern, Public: true, serve: (*api).continueUpload},
	{Method: "DELETE", Pattern: uploadPattern, Public: true, serve: (*api).endUpload},

	needs("GET", "/v1/athletes", organization.AthletesRead, (*api).listAthletes).takes(anyParameter),
	needs("POST", "/v1/athletes", organization.AthletesWrite, (*api).createAthlete),
	needs("GET", "/v1/athletes/{athleteId}", organization.AthletesRead, (*api).getAthlete),
	needs("POST", "/v1/athletes/{athleteId}", organization.AthletesWrite, (*api).updateAthlete),
	needs("DELETE", "/v1/athletes/{athleteId}", organization.AthletesWrite, (*api).deleteAthlete),
	needs("POST", "/v1/athletes/{athleteId}/merge", organization.AthletesWrite, (*api).mergeAthletes),
	Route{Method: "GET", Pattern: "/v1/athletes/{athleteId}/metrics",
		Needs: organization.Permissions{organization.CapturesRead, organization.AthletesRead},
		serve: (*api).listMetrics}.takes("activity", "movement", "metric", "from", "to", "limit", "offset"),

	needs("POST", "/v1/data/export", organization.ExportsWrite, (*api).createExport),
	needs("POST", "/v1/data/export/estimate", organization.ExportsRead, (*api).estimateExport),
	needs("GET", "/v1/data/export/job", organization.ExportsRead, (*api).listExportJobs).takes("limit", "offset"),
	needs("GET", "/v1/data/export/job/{jobId}", organization.ExportsRead, (*api).getExportJob).takes("skipped",
		"include"),
	needs("DELETE", "/v1/data/export/job/{jobId}", organization.ExportsWrite, (*api).deleteExport),
	needs("GET", "/v1/data/export/job/{jobId}/results", organization.ExportsRead,
		(*api).getExportResults).takes("limit", "offset", "format", "bom", "locale"),
	needs("POST", "/v1/data/export/job/{jobId}/cancel", organization.ExportsWrite, (*api).cancelExport),

	needs("GET", "/v1/tokens", organization.Admin, (*api).listTokens),
	needs("POST", "/v1/tokens", organization.Admin, (*api).createToken),
	needs("DELETE", "/v1/tokens/{id}", organization.Admin, (*api).revokeToken),
	needs("POST", "/v1/tokens/{id}/rotate", organization.Admin, (*api).rotateToken),

	needs("GET", "/v1/webhooks", organization.Admin, (*api).listWebhooks),
	needs("POST", "/v1/webhooks", organization.Admin, (*api).createWebhook),
	needs("GET", "/v1/webhooks/{webhookId}", organization.Admin, (*api).getWebhook),
	needs("PATCH", "/v1/webhooks/{webhookId}", organization.Admin, (*api).changeWebhook),
	needs("DELETE", "/v1/webhooks/{webhookId}", organization.Admin, (*api).deleteWebhook),
	needs("POST", "/v1/webhooks/{webhookId}/test", organization.Admin, (*api).testWebhook),
	needs("POST", "/v1/webhooks/{webhookId}/rotate", organization.Admin, (*api).rotateWebhook),
	needs("GET", "/v1/webhooks/{webhookId}/deliveries", organization.Admin, (*api).listDeliveries).takes("state",
		"limit", "offset"),
	needs("POST", "/v1/webhooks/{webhookId}/deliveries/{deliveryId}/replay", organization.Admin, (*api).replayDelivery),
}

// needs is a route for tokens with a permission.
func needs(method, pattern string, p organization.Permission, serve func(*api, *call) error) Route {
	return Route{Method: method, Pattern: pattern, Needs: organization.Permissions{p}, serve: serve}
}

// Routes lists the interface, for tests and documentation.
func Routes() []Route { return slices.Clone(routes) }

// place is a pattern with everything that it answers to.
type place struct {
	segments []string // "" for a variable one
	routes   []*Route
	allow    []string // the value of Allow
}

// places is the table by pattern. It is small enough to be looked through.
var places = func() []*place {
	var all []*place
	at := map[string]*place{}
	for i := range routes {
		r := &routes[i]
		p := at[r.Pattern]
		if p == nil {
			p = &place{segments: strings.Split(r.Pattern[1:], "/")}
			for i, s := range p.segments {
				if strings.HasPrefix(s, "{") {
					p.segments[i] = ""
				}
			}
			at[r.Pattern] = p
			all = append(all, p)
		}
		p.routes = append(p.routes, r)
	}
	for _, p := range all {
		var methods []string
		for _, r := range p.routes {
			methods = append(methods, r.Method)
			if r.Method == http.MethodGet {
				methods = append(methods, http.MethodHead)
			}
		}
		p.allow = []string{strings.Join(methods, ", ")}
	}
	return all
}()

// variables are the variable segments of a path, in order, decoded. No pattern has
// more.
type variables [2]string

// find gives the place that a path leads to, and its variable segments.
// Paths are matched as they were sent, segment by segment: http.ServeMux would
// clean and redirect them, and a slash that was sent as %2F would become a
// separator.
func find(u *url.URL) (p *place, v variables) {
	// RawPath is set exactly when the default encoding of Path is not what was
	// sent. When it is not set no segment holds an encoded slash.
	path, encoded := u.RawPath, true
	if path == "" {
		path, encoded = u.Path, false
	}
	for _, p := range places {
		if v, ok := p.match(path, encoded); ok {
			return p, v
		}
	}
	return nil, variables{}
}

func (p *place) match(path string, encoded bool) (v variables, ok bool) {
	n := 0
	for i, want := range p.segments {
		if path == "" || path[0] != '/' {
			return v, false
		}
		part := path[1:]
		if end := strings.IndexByte(part, '/'); end >= 0 {
			part = part[:end]
		}
		path = path[1+len(part):]
		if i == len(p.segments)-1 && path != "" {
			return v, false
		}
		if part == "." || part == ".." { // a browser or proxy would have made another path of it
			return v, false
		}
		if encoded && strings.IndexByte(part, '%') >= 0 {
			var err error
			if part, err = url.PathUnescape(part); err != nil { // the server has parsed it before
				return v, false
			}
		}
		switch {
		case want != "":
			if part != want {
				return v, false
			}
		case part == "":
			return v, false
		default:
			v[n] = part
			n++
		}
	}
	return v, true
}

// route gives the place's route for a method; HEAD is answered as GET.
func (p *place) route(method string) *Route {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	for _, r := range p.routes {
		if r.Method == method {
			return r
		}
	}
	return nil
}
