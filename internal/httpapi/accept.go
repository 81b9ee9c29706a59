package httpapi

import (
	"strconv"
	"strings"
)

// accepted gives the offer that the Accept fields prefer (RFC 9110, section
// 12.5.1), the first of those that they like equally. An offer's quality is that
// of the range which names it most closely; parameters other than q are passed
// over. When none is acceptable it is the first: an answer that was not asked for
// says more than none.
func accepted(fields []string, offers ...string) string {
	best, quality := offers[0], 0.0
	for _, offer := range offers {
		if q := qualityOf(fields, offer); q > quality {
			best, quality = offer, q
		}
	}
	return best
}

// qualityOf gives what the fields say of an offer, 0 for nothing.
func qualityOf(fields []string, offer string) float64 {
	kind, _, _ := strings.Cut(offer, "/")
	quality, closest := 0.0, 0
	for _, field := range fields {
		for element := range strings.SplitSeq(field, ",") {
			name, params, _ := strings.Cut(element, ";")
			close := 0
			switch strings.ToLower(strings.Trim(name, " \t")) {
			case offer:
				close = 3
			case kind + "/*":
				close = 2
			case "*/*":
				close = 1
			}
			if close <= closest {
				continue
			}
			if q, ok := weight(params); ok {
				quality, closest = q, close
			}
		}
	}
	return quality
}

// weight reads q, which is 1 when it is not said; false when it cannot be read.
func weight(params string) (float64, bool) {
	for param := range strings.SplitSeq(params, ";") {
		name, value, _ := strings.Cut(strings.Trim(param, " \t"), "=")
		if !strings.EqualFold(name, "q") {
			continue
		}
		if len(value) > 5 || strings.Trim(value, "0123456789.") != "" {
			return 0, false
		}
		q, err := strconv.ParseFloat(value, 64)
		return q, err == nil && q <= 1
	}
	return 1, true
}
