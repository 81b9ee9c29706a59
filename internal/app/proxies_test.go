package app

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
)

func TestOnlyTrustedProxiesSayWhereARequestCameFrom(t *testing.T) {
	trusted := proxies{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8"),
		netip.MustParsePrefix("127.0.0.1/32")}
	for name, c := range map[string]struct {
		peer, header, value, want string
	}{
		"no proxy": {"192.0.2.7:5", "X-Forwarded-For", "198.51.100.1", "192.0.2.7:5"},
		"a proxy":  {"10.0.0.1:5", "X-Forwarded-For", "198.51.100.1", "198.51.100.1:0"},
		"a client that makes up a chain": {"10.0.0.1:5", "X-Forwarded-For", "203.0.113.9, 10.1.1.1, 198.51.100.1",
			"198.51.100.1:0"},
		"a client that claims to be trusted": {"10.0.0.1:5", "X-Forwarded-For", "127.0.0.1, 198.51.100.1",
			"198.51.100.1:0"},
		"two proxies": {"10.0.0.1:5", "X-Forwarded-For", "203.0.113.9, 198.51.100.1, 10.0.0.2",
			"198.51.100.1:0"},
		"all are trusted":           {"10.0.0.1:5", "X-Forwarded-For", "10.0.0.9, 10.0.0.2", "10.0.0.9:0"},
		"a proxy that says nothing": {"10.0.0.1:5", "X-Other", "1", "10.0.0.1:0"},
		"rubbish at the right": {"10.0.0.1:5", "X-Forwarded-For", "198.51.100.1, <script>",
			"10.0.0.1:0"},
		"rubbish behind a trusted one": {"10.0.0.1:5", "X-Forwarded-For", "198.51.100.1, x, 10.0.0.2",
			"10.0.0.2:0"},
		"an address of four as one of six": {"[::ffff:10.0.0.1]:5", "X-Forwarded-For", "::ffff:198.51.100.1",
			"198.51.100.1:0"},
		"a proxy of six": {"[fd00::1]:5", "X-Forwarded-For", "2001:db8::1", "[2001:db8::1]:0"},
		"Forwarded": {"10.0.0.1:5", "Forwarded",
			`for=203.0.113.9;proto=https, For="198.51.100.1:1234"`, "198.51.100.1:0"},
		"Forwarded of six": {"10.0.0.1:5", "Forwarded", `proto=https;for="[2001:db8::1]:1234"`,
			"[2001:db8::1]:0"},
		"Forwarded that hides": {"10.0.0.1:5", "Forwarded", `for=_hidden, for=unknown`, "10.0.0.1:0"},
		"Forwarded with a comma in quotes": {"10.0.0.1:5", "Forwarded", `for=198.51.100.1;x="a,for=10.0.0.3"`,
			"198.51.100.1:0"},
		"Forwarded by who is nobody's trusted": {"192.0.2.7:5", "Forwarded", "for=10.0.0.1", "192.0.2.7:5"},
	} {
		r := httptest.NewRequestWithContext(t.Context(), "GET", "/", nil)
		r.RemoteAddr = c.peer
		r.Header.Set(c.header, c.value)
		got := ""
		trusted.before(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.RemoteAddr })).ServeHTTP(
			nil, r)
		if got != c.want {
			t.Errorf("%s: the request is taken for one from %s, want %s", name, got, c.want)
		}
	}
}

// What a client sends in the first field is to the left of what its proxy adds in another one.
func TestFieldsOfProxiesAreOneList(t *testing.T) {
	trusted := proxies{netip.MustParsePrefix("10.0.0.0/8")}
	r := httptest.NewRequestWithContext(t.Context(), "GET", "/", nil)
	r.RemoteAddr = "10.0.0.1:5"
	r.Header["X-Forwarded-For"] = []string{"203.0.113.9", "198.51.100.1"}
	if a, ok := trusted.client(r); !ok || a != netip.MustParseAddr("198.51.100.1") {
		t.Errorf("the client is %v (%v)", a, ok)
	}
}
