package httpapi

import (
	"net/url"
	"slices"
	"strings"
	"testing"
)

func TestEveryRouteIsFoundByItsPattern(t *testing.T) {
	for _, r := range Routes() {
		path := r.Pattern
		var want variables
		for i := range want {
			if open := strings.IndexByte(path, '{'); open >= 0 {
				name := path[open : strings.IndexByte(path, '}')+1]
				path, want[i] = strings.Replace(path, name, "x%2Fy"+string(rune('a'+i)), 1), "x/y"+string(rune('a'+i))
			}
		}
		u, err := url.ParseRequestURI(path)
		if err != nil {
			t.Fatal(err)
		}
		p, got := find(u)
		if p == nil || got != want {
			t.Errorf("%s leads to %v with %q", path, p, got)
			continue
		}
		if found := p.route(r.Method); found == nil || found.Pattern != r.Pattern ||
			!slices.Equal(found.Needs, r.Needs) {
			t.Errorf("%s %s leads to %+v", r.Method, path, found)
		}
		if !strings.Contains(p.allow[0], r.Method) {
			t.Errorf("Allow of %s is %q", path, p.allow[0])
		}
		if (len(r.Needs) == 0) != r.Public {
			t.Errorf("%s %s needs the permissions %q, public: %v", r.Method, r.Pattern, r.Needs, r.Public)
		}
	}
}

func TestPathsAreMatchedAsTheyWereSent(t *testing.T) {
	for path, variable := range map[string]string{
		"/v1/captures/a":            "a",
		"/v1/captures/a%2Fb":        "a/b",
		"/v1/captures/%2F":          "/",
		"/v1/captures/a%252Fb":      "a%2Fb",
		"/v1/captures/a%2F%C3%A9":   "a/é",
		"/v1/captures/a%2F\u00e9":   "a/é", // sent raw beside an encoded slash
		"/v1/captures/%20%20":       "  ",
		"/v1/captures/%2e%2e":       "..",
		"/v1/captures/%ff":          "\xff",
		"/v1/captures/a+b":          "a+b",
		"/v1/captures/...":          "...",
		"/v1/captures/a;b=c":        "a;b=c",
		"/%76%31/captures/a":        "a", // the same path (RFC 3986, section 6.2.2.2)
		"/v1/tokens/x/rotate":       "x",
		"/v1/data/export/job/a%2Fb": "a/b",
		"/v1/captures":              "",
		"/v1/captures/a/athletes":   "a",
		"/v1/captures/athletes":     "athletes",
	} {
		u, err := url.ParseRequestURI(path)
		if err != nil {
			t.Fatal(err)
		}
		if p, got := find(u); p == nil || got != (variables{variable}) {
			t.Errorf("%s leads to %v with %q, want %q", path, p, got, variable)
		}
	}
	for _, path := range []string{
		"/", "/v1", "/v1/", "//v1/captures", "/v1//captures", "/v1/captures/", "/v1/captures//", "/v1/captures/a/",
		"/v1/captures/a/b", "/v1/captures/..", "/v1/captures/.",
		"/v1/captures/../x", "/v1/./captures", "/v1/Captures", "/V1/captures", "/v1/captures%2Fa", "/v1%2Fcaptures",
		"/v1/data", "/v1/data/export/", "/v1/data/export/job/", "/v1/tokens/x/rotate/",
		"/v1/tokens//rotate", "/v1/captures//athletes", "/v1/captures/a/athletes/", "/v1/captures/a/athletes/b/c",
		"/v1/captures/a/athletes/..", "/v1/captures/a/Motion", "/v1/uploads/", "/v1/uploads/a/b", "/v2/captures",
		"/captures", "/v1/captures%20", "/v1/athletes/a/b", "/v1/data//job/x",
	} {
		u, err := url.ParseRequestURI(path)
		if err != nil {
			t.Fatal(err)
		}
		if p, v := find(u); p != nil {
			t.Errorf("%s leads to %v with %q", path, p.segments, v)
		}
	}
}

func TestAPathMayHaveTwoVariables(t *testing.T) {
	for path, want := range map[string]variables{
		"/v1/captures/a/athletes/b":               {"a", "b"},
		"/v1/captures/a%2Fb/athletes/c":           {"a/b", "c"},
		"/v1/captures/a/athletes/b%2Fc":           {"a", "b/c"},
		"/v1/captures/athletes/athletes/athletes": {"athletes", "athletes"},
	} {
		u, err := url.ParseRequestURI(path)
		if err != nil {
			t.Fatal(err)
		}
		if p, got := find(u); p == nil || got != want {
			t.Errorf("%s leads to %v with %q", path, p, got)
		}
	}
}

func TestHeadIsAnsweredWhereGetIs(t *testing.T) {
	for _, p := range places {
		if (p.route("HEAD") != nil) != (p.route("GET") != nil) ||
			strings.Contains(p.allow[0], "HEAD") != strings.Contains(p.allow[0], "GET") {
			t.Errorf("%v: %s", p.segments, p.allow[0])
		}
		for _, m := range []string{"PUT", "PATCH", "POST", "DELETE"} {
			if (p.route(m) != nil) != strings.Contains(p.allow[0], m) {
				t.Errorf("%v: %s and %s", p.segments, m, p.allow[0])
			}
		}
		for _, m := range []string{"OPTIONS", "TRACE", "CONNECT", "get", ""} {
			if p.route(m) != nil {
				t.Errorf("%v has a route for %q", p.segments, m)
			}
		}
	}
}
