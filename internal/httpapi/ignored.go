package httpapi

import (
	"net/url"
	"slices"
	"strings"
)

// A parameter that an operation does not have is ignored. A caller who meant it as a filter gets more than was asked
// for, so the answer names what was ignored.

// anyParameter stands for all names, where each of them means something.
const anyParameter = "*"

const ignoredHeader = "Kinebase-Ignored-Parameters"

// The header is bounded: a query string may be as long as all headers together.
const (
	mostIgnored = 16 // names that are told
	ignoredName = 64 // bytes of each of them, escaped
)

// takes adds the query parameters that the operation has.
func (r Route) takes(names ...string) Route {
	r.Parameters = names
	return r
}

// ignored lists the parameters of a query string that the operation does not have, each once, in their order,
// percent-escaped and separated by comma and space; "" for none.
func (r *Route) ignored(query string) string {
	if slices.Contains(r.Parameters, anyParameter) {
		return ""
	}
	var names []string
	for query != "" && len(names) < mostIgnored {
		var pair string
		pair, query, _ = strings.Cut(query, "&")
		name, _, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		if err != nil || name == "" || slices.Contains(r.Parameters, name) {
			continue // what cannot be read is refused by the handler
		}
		if name = escaped(name); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// escaped percent-escapes a name, of which it leaves out whole characters at the end where it is too long.
func escaped(name string) string {
	var b strings.Builder
	for _, c := range name {
		if one := url.QueryEscape(string(c)); b.Len()+len(one) <= ignoredName {
			b.WriteString(one)
			continue
		}
		break
	}
	return b.String()
}
