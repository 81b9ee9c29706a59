package console_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/caller"
	"github.com/kinebase/kinebase/internal/console"
	"github.com/kinebase/kinebase/organization"
)

func TestSigningInGivesACookieThatNoScriptAndNoOtherSiteCanUse(t *testing.T) {
	b := setUp(t)
	w := b.do("POST", "/console/session", `{"token":"`+good+`"}`)
	want := `{"organization":{"id":"01000000-0000-0000-0000-000000000000","name":"Lab \"Ü\" <b>"},"token":{"id":"02000000-0000-0000-0000-000000000000","name":"laptop","scopes":["captures:read","admin"],` +
		`"expires_at":"2026-08-01T00:00:00.000Z"},"limits":{"max_upload_bytes":2147483648},"version":"v9"}`
	if w.Code != 200 || w.Body.String() != want || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("signing in answers %d %s, want %s", w.Code, w.Body, want)
	}
	c := w.Result().Cookies()[0]
	if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/console" || c.MaxAge != 12*60*60 ||
		c.Domain != "" {
		t.Errorf("the cookie is %v", c)
	}
	if strings.Contains(w.Header().Get("Set-Cookie"), good) || strings.Contains(b.log.String(), good) {
		t.Error("the token is in the cookie or in the log as it is")
	}
	if other := b.signIn(); other == "kinebase_session="+c.Value {
		t.Error("two sessions of one token have the same cookie")
	}
	if got := b.do("GET", "/console/session", "", "Cookie", "kinebase_session="+c.Value); got.Code != 200 ||
		got.Body.String() != want {
		t.Errorf("the session answers %d %s", got.Code, got.Body)
	}
	if got := b.do("HEAD", "/console/session", "", "Cookie", "kinebase_session="+c.Value); got.Code != 200 {
		t.Errorf("HEAD answers %d", got.Code)
	}
}

func TestACookieIsSecureWhenTheBrowserCameByHTTPS(t *testing.T) {
	for origin, want := range map[string]bool{"http://kb.example": false, "https://kb.example": true} {
		b := setUp(t)
		w := b.do("POST", "/console/session", `{"token":"`+good+`"}`, "Origin", origin)
		if c := w.Result().Cookies(); len(c) != 1 || c[0].Secure != want {
			t.Fatalf("from %s: %v", origin, c)
		}
		b.now = b.now.Add(time.Hour)
		again := b.do("GET", "/console/v1/captures", "", "Cookie", sent(t, w)) // a GET has no Origin
		if c := again.Result().Cookies(); len(c) != 1 || c[0].Secure != want {
			t.Errorf("from %s, renewed: %v", origin, c)
		}
	}
}

func TestASignInThatIsNoneIsToldWhy(t *testing.T) {
	b := setUp(t)
	for body, want := range map[string]struct {
		status int
		holds  string
	}{
		`{"token":"kb_wrong"}`:             {401, "not valid"},
		`{"token":""}`:                     {400, "token must not be empty"},
		`{}`:                               {400, "token must not be empty"},
		`{"token":7}`:                      {400, "token must be a string"},
		`{"token":"kb_good","admin":true}`: {400, "only token is"},
		`[]`:                               {400, "object"},
		``:                                 {400, "nothing was sent"},
		`{"token":"` + strings.Repeat("x", 5000) + `"}`: {400, "4096"},
		`{"token":"kb_busy"}`:                           {503, "busy"},
		`{"token":"kb_many"}`:                           {429, "Too many"},
		`{"token":"kb_broken"}`:                         {500, "Something went wrong"},
	} {
		w := b.do("POST", "/console/session", body)
		if w.Code != want.status || !strings.Contains(w.Body.String(), want.holds) || len(w.Result().Cookies()) != 0 {
			t.Errorf("%.60s answers %d %s %v, want %d %s", body, w.Code, w.Body, w.Result().Cookies(), want.status,
				want.holds)
		}
		if after := w.Header().Get("Retry-After"); (want.status == 429 || want.status == 503) &&
			after != map[int]string{429: "2", 503: "3"}[want.status] {
			t.Errorf("%s: Retry-After is %q", body, after)
		}
	}
	if w := b.do("POST", "/console/session", `{"token":"`+good+`"}`, "Content-Type", "text/plain"); w.Code != 415 {
		t.Errorf("a form of another kind answers %d", w.Code)
	}
	if strings.Contains(b.log.String(), "kb_") {
		t.Errorf("a token is in the log: %s", &b.log)
	}
}

func TestTheInterfaceIsAskedWithTheTokenOfTheSession(t *testing.T) {
	b := setUp(t)
	cookie := b.signIn()
	w := b.do("POST", "/console/v1/captures/a%2Fb/athletes?x=1", `{"a":1}`, "Cookie", cookie+"; other=1",
		"Authorization", "Bearer kb_other", "If-Match", `"7"`)
	if w.Code != 200 || w.Body.String() != "the interface" || w.Header().Get("Etag") != `"1"` ||
		len(w.Result().Cookies()) != 0 {
		t.Errorf("it answers %d %v %s", w.Code, w.Header(), w.Body)
	}
	h := b.asked.Header
	if got := b.asked.URL.RequestURI(); got != "/v1/captures/a%2Fb/athletes?x=1" || b.asked.Method != "POST" ||
		b.body != `{"a":1}` {
		t.Errorf("the interface was asked %s %s with %s", b.asked.Method, got, b.body)
	}
	if b.shown != (caller.Shown{Kind: caller.Bearer, Text: good}) || h["Authorization"] != nil ||
		h.Get("If-Match") != `"7"` {
		t.Errorf("the interface was asked by %v with %v", b.shown, h)
	}
	if h.Get("Cookie") != "" || h.Get("Origin") != "" {
		t.Errorf("the interface was shown the cookie or the origin: %v", h)
	}
}

func TestWithoutASessionTheInterfaceIsNotAsked(t *testing.T) {
	b := setUp(t)
	cookie := b.signIn()
	value := strings.TrimPrefix(cookie, "kinebase_session=")
	b.asked = nil
	for name, c := range map[string]string{
		"none": "", "empty": "kinebase_session=", "another": "session=" + value, "rubbish": "kinebase_session=abc",
		"the token itself": "kinebase_session=" + good,
		"cut":              cookie[:len(cookie)-2], "longer": cookie + "AAAA", "long": "kinebase_session=" +
			strings.Repeat("A", 4000),
	} {
		for _, path := range []string{"/console/session", "/console/v1/captures"} {
			w := b.do("GET", path, "", "Cookie", c, "Authorization", "Bearer "+good)
			if w.Code != 401 || !strings.Contains(w.Body.String(), `"Unauthorized"`) || b.asked != nil {
				t.Errorf("%s: %s answers %d %s", name, path, w.Code, w.Body)
			}
			if sent := strings.HasPrefix(c, "kinebase_session"); sent != cleared(w) {
				t.Errorf("%s: the cookie is cleared: %v", name, !sent)
			}
		}
	}
}

func TestACookieWithAnyBitChangedCountsForNothing(t *testing.T) {
	b := setUp(t)
	value := strings.TrimPrefix(b.signIn(), "kinebase_session=")
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	for i := range value {
		at := strings.IndexByte(letters, value[i])
		for bit := range 6 {
			changed := value[:i] + string(letters[at^1<<bit]) + value[i+1:]
			if w := b.do("GET", "/console/session", "", "Cookie", "kinebase_session="+changed); w.Code != 401 {
				t.Fatalf("with bit %d of letter %d changed it answers %d", bit, i, w.Code)
			}
		}
	}
}

func TestASessionCountsOnEveryServerWithTheKeyAndOnNoOther(t *testing.T) {
	cookie := setUp(t).signIn()
	if w := setUp(t).do("GET", "/console/session", "", "Cookie", cookie); w.Code != 200 {
		t.Errorf("a server beside it answers %d", w.Code)
	}
	other := setUp(t, func(o *console.Options) { o.Key = []byte("another deployment's key") })
	if w := other.do("GET", "/console/session", "", "Cookie", cookie); w.Code != 401 || !cleared(w) {
		t.Errorf("another deployment answers %d", w.Code)
	}
}

func TestASessionLastsTwelveHoursAndIsRenewedWhileItIsUsed(t *testing.T) {
	b := setUp(t)
	first := b.signIn()
	b.now = b.now.Add(14 * time.Minute)
	if w := b.do("GET", "/console/v1/captures", "", "Cookie", first); w.Code != 200 || len(w.Result().Cookies()) != 0 {
		t.Errorf("after 14 minutes it answers %d and sets %v", w.Code, w.Result().Cookies())
	}
	b.now = b.now.Add(10 * time.Hour)
	second := sent(t, b.do("GET", "/console/v1/captures", "", "Cookie", first))
	b.now = b.now.Add(2 * time.Hour)
	if w := b.do("GET", "/console/session", "", "Cookie", first); w.Code != 401 || !cleared(w) {
		t.Errorf("after 12 hours the first cookie answers %d", w.Code)
	}
	third := sent(t, b.do("GET", "/console/session", "", "Cookie", second))
	if third == second || b.do("GET", "/console/session", "", "Cookie", third).Code != 200 {
		t.Error("the renewed session does not count")
	}
}

func TestATokenThatCountsNoMoreEndsTheSession(t *testing.T) {
	b := setUp(t)
	cookie := b.signIn()
	b.now = b.now.Add(time.Hour)
	b.api = func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(401)
		_, _ = io.WriteString(w, `{"error":"Unauthorized"}`)
	}
	if w := b.do("GET", "/console/v1/captures", "", "Cookie", cookie); w.Code != 401 || !cleared(w) ||
		w.Body.String() != `{"error":"Unauthorized"}` {
		t.Errorf("it answers %d %v %s", w.Code, w.Result().Cookies(), w.Body)
	}
	b.api = func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(403) }
	if w := b.do("GET", "/console/v1/tokens", "", "Cookie", cookie); w.Code != 403 || cleared(w) {
		t.Errorf("a missing scope answers %d and clears the session: %v", w.Code, cleared(w))
	}
}

func TestSigningOutTakesTheCookieAway(t *testing.T) {
	b := setUp(t)
	if w := b.do("DELETE", "/console/session", "", "Cookie", b.signIn()); w.Code != 204 || !cleared(w) ||
		w.Body.Len() != 0 {
		t.Errorf("it answers %d %v", w.Code, w.Result().Cookies())
	}
	if w := b.do("PUT", "/console/session", ""); w.Code != 405 || w.Header().Get("Allow") == "" {
		t.Errorf("PUT answers %d", w.Code)
	}
}

func TestChangesAreTakenFromPagesOfThisServerAlone(t *testing.T) {
	b := setUp(t)
	public := setUp(t, func(o *console.Options) { o.PublicURL = "https://motion.example/" })
	for _, c := range []struct {
		b       *bench
		headers []string
		taken   bool
	}{
		{b, nil, true},
		{b, []string{"Sec-Fetch-Site", "same-origin"}, true},
		{b, []string{"Origin", "HTTP://KB.EXAMPLE"}, false}, // no browser writes it so
		{b, []string{"Origin", "-"}, false},
		{b, []string{"Origin", "-", "Sec-Fetch-Site", "same-origin"}, false},
		{b, []string{"Origin", "null"}, false},
		{b, []string{"Origin", "http://evil.example"}, false},
		{b, []string{"Origin", "http://kb.example.evil.example"}, false},
		{b, []string{"Origin", "http://kb.example:8080"}, false},
		{b, []string{"Origin", "ftp://kb.example"}, false},
		{b, []string{"Sec-Fetch-Site", "cross-site"}, false},
		{b, []string{"Sec-Fetch-Site", "same-site"}, false},
		{b, []string{"Origin", "https://motion.example"}, false},
		{public, []string{"Origin", "https://motion.example"}, true},
		{public, []string{"Origin", "https://motion.example", "Sec-Fetch-Site", "same-origin"}, true},
		{public, []string{"Origin", "http://motion.example"}, false},
	} {
		cookie := c.b.signIn()
		for _, method := range []string{"POST", "PUT", "PATCH", "DELETE"} {
			c.b.asked = nil
			w := c.b.do(method, "/console/v1/captures", "{}", append([]string{"Cookie", cookie}, c.headers...)...)
			if (c.b.asked != nil) != c.taken || !c.taken &&
				(w.Code != 403 || !strings.Contains(w.Body.String(), `"Forbidden"`)) {
				t.Errorf("%s with %v answers %d %s; the interface was asked: %v", method, c.headers, w.Code, w.Body,
					c.b.asked != nil)
			}
		}
		if w := c.b.do("POST", "/console/session", `{"token":"`+good+`"}`, c.headers...); (w.Code == 200) != c.taken {
			t.Errorf("signing in with %v answers %d", c.headers, w.Code)
		}
		if w := c.b.do("DELETE", "/console/session", "", c.headers...); cleared(w) != c.taken {
			t.Errorf("signing out with %v answers %d", c.headers, w.Code)
		}
	}
}

func TestOtherSitesMayNotReadWithTheCookieEither(t *testing.T) {
	b := setUp(t)
	cookie := b.signIn()
	for site, want := range map[string]int{"-": 200, "same-origin": 200, "none": 200, "same-site": 403,
		"cross-site": 403, "other": 403} {
		for _, path := range []string{"/console/v1/captures", "/console/session"} {
			for _, method := range []string{"GET", "HEAD"} {
				b.asked = nil
				w := b.do(method, path, "", "Cookie", cookie, "Sec-Fetch-Site", site)
				if w.Code != want || want == 403 && b.asked != nil {
					t.Errorf("%s %s from %s answers %d, want %d", method, path, site, w.Code, want)
				}
			}
		}
	}
}

func TestAPlantedCookieMakesNobodyWorkForAnotherOrganization(t *testing.T) {
	b := setUp(t)
	mine := b.signIn()
	planted := setUp(t, func(o *console.Options) {
		o.Who = func(context.Context, caller.Shown, netip.Addr) (console.Person, error) { return console.Person{}, nil }
	}).do("POST", "/console/session", `{"token":"kb_other"}`)
	for _, c := range []struct {
		cookies string
		want    int
	}{
		{mine + "; " + sent(t, planted), 401},
		{sent(t, planted) + "; " + mine, 401},
		{mine + "; " + b.signIn(), 200},
		{"kinebase_session=rubbish; " + mine, 200},
		{mine + "; kinebase_session=", 200},
	} {
		b.asked = nil
		w := b.do("GET", "/console/v1/captures", "", "Cookie", c.cookies)
		if w.Code != c.want || (b.asked != nil) != (c.want == 200) {
			t.Errorf("%s answers %d, want %d", c.cookies, w.Code, c.want)
		}
	}
}

func TestAnAnswerIsKeptForItsSessionAlone(t *testing.T) {
	b := setUp(t)
	cookie := b.signIn()
	varies := []string{"Origin"}
	for range 2 {
		b.api = func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Vary"] = varies // shared between answers, as the interface does
			w.WriteHeader(304)
		}
		if got := b.do("GET", "/console/v1/captures", "", "Cookie", cookie).Header()["Vary"]; len(got) != 2 ||
			got[1] != "Cookie" || len(varies) != 1 {
			t.Errorf("the answer varies by %q, and the interface's own by %q", got, varies)
		}
	}
}

func TestACallThatAPageMakesForAnotherSessionIsRefusedAndTheSessionLasts(t *testing.T) {
	b := setUp(t)
	cookie := b.signIn()
	own := organization.ID{1}.String() + "/" + organization.ID{2}.String()
	if w := b.do("DELETE", "/console/v1/captures/x", "", "Cookie", cookie, "Kinebase-Session", own); w.Code != 200 {
		t.Errorf("a call for the own session is answered by %d", w.Code)
	}
	for _, other := range []string{organization.ID{3}.String() + "/" + organization.ID{2}.String(),
		organization.ID{1}.String() + "/" + organization.ID{3}.String(), "x"} {
		b.asked = nil
		w := b.do("DELETE", "/console/v1/captures/x", "", "Cookie", cookie, "Kinebase-Session", other)
		if w.Code != 401 || b.asked != nil || w.Header().Get("Set-Cookie") != "" {
			t.Errorf("for %s it answers %d, sets %q, and asks the interface: %v", other, w.Code,
				w.Header()["Set-Cookie"], b.asked != nil)
		}
	}
}

func TestNoOtherOriginIsToldThatItMayCall(t *testing.T) {
	b := setUp(t)
	w := b.do("OPTIONS", "/console/v1/captures", "", "Origin", "https://lab.example", "Access-Control-Request-Method",
		"POST")
	if w.Code != 403 || b.asked != nil || w.Header().Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("a preflight answers %d %v", w.Code, w.Header())
	}
}

func TestWhatIsNotTheConsolesGoesOnAsItCame(t *testing.T) {
	b := setUp(t)
	cookie := b.signIn()
	for _, path := range []string{"/v1/captures", "/elsewhere", "/consolev1/captures", "/console"} {
		r := httptest.NewRequest("POST", path, nil)
		r.Header.Set("Cookie", cookie)
		w := httptest.NewRecorder()
		b.asked = nil
		b.ServeHTTP(w, r)
		if b.asked != r || w.Header().Get("Content-Security-Policy") != "" ||
			b.asked.Header.Get("Authorization") != "" {
			t.Errorf("%s was changed on its way: %v", path, b.asked)
		}
	}
	b.asked = nil
	if w := b.do("GET", "/console/metrics", "", "Cookie", cookie); w.Code != 404 || b.asked != nil {
		t.Errorf("another path below /console/ answers %d", w.Code)
	}
}

func TestWithoutAKeyEverybodyIsAskedToComeBack(t *testing.T) {
	cookie := setUp(t).signIn()
	b := setUp(t, func(o *console.Options) { o.Key, o.Closed = nil, "The server is starting." })
	for _, path := range []string{"/console/session", "/console/v1/captures"} {
		w := b.do("GET", path, "", "Cookie", cookie)
		if w.Code != 503 || w.Header().Get("Retry-After") != "1" || !strings.Contains(w.Body.String(), "starting") ||
			len(w.Result().Cookies()) != 0 {
			t.Errorf("%s answers %d %v %s", path, w.Code, w.Header(), w.Body)
		}
	}
}
