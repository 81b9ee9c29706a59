package limit

import "strconv"

// The header fields are those of the Internet-Draft "RateLimit header fields for
// HTTP", draft-ietf-httpapi-ratelimit-headers-11 of 23 May 2026, unchanged in
// this since -08. Both are Lists of Strings with parameters (RFC 9651):
//
//	RateLimit-Policy: "token";q=1000;w=2, "organization";q=4000;w=2
//	RateLimit: "token";r=999;t=1
//
// In a policy, q is the quota and w the window in whole seconds, at least 1. A
// bucket has no window of its own; its burst and the time in which it refills
// give the same average, so these two are told.
//
// In a limit, r is what is left and t the whole seconds for which that has to
// do. For a refused request t is its Retry-After, which the draft does not want
// to be earlier than the end of t; otherwise t is the time until the bucket is
// full again. Partition keys (pk) are left out: a caller has one token, and the
// keys would tell it about nobody else.

// policyField writes RateLimit-Policy for the rates that are on.
func policyField(token, organization Rate) string {
	var b []byte
	for _, p := range []struct {
		name string
		rate Rate
	}{{tokenPolicy, token}, {organizationPolicy, organization}} {
		if p.rate.Off() {
			continue
		}
		if b != nil {
			b = append(b, ", "...)
		}
		b = append(b, '"')
		b = append(b, p.name...)
		b = append(b, `";q=`...)
		b = strconv.AppendInt(b, int64(p.rate.Burst), 10)
		b = append(b, ";w="...)
		b = strconv.AppendInt(b, int64(max(1, seconds(p.rate.refill()))), 10)
	}
	return string(b)
}

// limitField writes RateLimit for one verdict.
func limitField(v Verdict) string {
	if v.Policy == "" {
		return ""
	}
	window := v.Reset
	if !v.Allowed {
		window = v.RetryAfter
	}
	var room [64]byte // on the stack: this runs for every request
	b := append(room[:0], '"')
	b = append(b, v.Policy...)
	b = append(b, `";r=`...)
	b = strconv.AppendInt(b, int64(v.Remaining), 10)
	b = append(b, ";t="...)
	b = strconv.AppendInt(b, int64(max(1, seconds(window))), 10)
	return string(b)
}
