package httpapi

import (
	"net/http"
	"slices"
)

var (
	corsMethods = []string{"GET, HEAD, POST, PUT, PATCH, DELETE"}
	corsHeaders = []string{"Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, Range, " +
		"Tus-Resumable, Upload-Checksum, Upload-Length, Upload-Offset, X-HTTP-Method-Override, X-Request-Id"}
	corsExposed = []string{"Accept-Ranges, Content-Disposition, Content-Range, ETag, Idempotency-Replayed, " +
		"Kinebase-Ignored-Parameters, Kinebase-Token-Expires, Location, RateLimit, RateLimit-Policy, Retry-After, " +
		"Tus-Resumable, Tus-Version, Upload-Expires, Upload-Length, Upload-Offset, X-Request-Id"}
	corsMaxAge = []string{"600"}
	varyOrigin = []string{"Origin"}
)

// cors lets pages of the configured origins call, and answers their browsers'
// preflight; it says whether the call is answered by that. No cookies are ever
// read here, so credentials are not allowed.
func (a *api) cors(c *call) (answered bool) {
	if len(a.CORSOrigins) == 0 {
		return false
	}
	h := c.w.Header()
	h["Vary"] = varyOrigin
	origin := c.r.Header.Get("Origin")
	if origin == "" || !slices.Contains(a.CORSOrigins, origin) && !slices.Contains(a.CORSOrigins, "*") {
		return false
	}
	c.set("Access-Control-Allow-Origin", origin)
	h["Access-Control-Expose-Headers"] = corsExposed
	if c.r.Method != http.MethodOptions || c.r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	h["Access-Control-Allow-Methods"] = corsMethods
	h["Access-Control-Allow-Headers"] = corsHeaders
	h["Access-Control-Max-Age"] = corsMaxAge
	delete(h, "Content-Type")
	c.send(http.StatusNoContent, nil)
	return true
}
