package app_test

import (
	"encoding/json"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/organization"
)

const (
	dexClient   = "kinebase"
	dexAudience = "kinebase-interface" // a client that nobody signs in to: what the interface is called
	dexPassword = "correct horse battery staple"
)

// atDex are the settings of a server that people of one connector sign in to by Dex.
func atDex(d *testkit.Dex, more ...apptest.Option) []apptest.Option {
	return append([]apptest.Option{
		apptest.With("KINEBASE_OIDC_ISSUER", d.Issuer), apptest.With("KINEBASE_OIDC_CLIENT_ID", dexClient),
		apptest.With("KINEBASE_OIDC_CLIENT_SECRET", dexPassword),
		apptest.With("KINEBASE_OIDC_SCOPES", "openid,profile,groups,federated:id"),
		apptest.With("KINEBASE_OIDC_ORGANIZATION_CLAIM", "federated_claims.connector_id"),
		apptest.With("KINEBASE_OIDC_ROLE_CLAIM", "groups"),
		apptest.With("KINEBASE_OIDC_ROLE_MAP", "motion-heads=admin,motion-guests=viewer"),
		apptest.With("KINEBASE_OIDC_AUDIENCE", dexAudience), apptest.With("KINEBASE_PUBLIC_URL", public),
	}, more...)
}

// startDex starts Dex with two people of a connector, for a server.
func startDex(d *testkit.Dex, connector string, a *apptest.App) {
	d.Start(testkit.DexSettings{Connector: connector,
		Clients: []testkit.DexClient{
			{ID: dexClient, Secret: dexPassword, RedirectURIs: []string{public + "/console/sign-in/callback"},
				PostLogoutRedirectURIs: []string{public + "/sign-in"},
				BackchannelLogoutURI:   a.Root + "/console/back-channel-logout"},
			{ID: "nightly", Secret: dexPassword},
			{ID: dexAudience, Secret: dexPassword, TrustedPeers: []string{"nightly"}},
		},
		People: []testkit.DexPerson{
			{Email: "head@lab.example", Password: dexPassword, ID: "head", Name: "Jane Doe",
				Groups: []string{"others", "motion-heads"}},
			{Email: "guest@lab.example", Password: dexPassword, ID: "guest", Groups: []string{"motion-guests"}},
			{Email: "cleaner@lab.example", Password: dexPassword, ID: "cleaner", Groups: []string{"others"}},
		},
	})
}

// atDexOnly is a browser that is at Dex alone: it keeps cookies, and stops where Dex sends it on to Kinebase.
func atDexOnly(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Jar: jar, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		if strings.HasPrefix(r.URL.String(), public) {
			return http.ErrUseLastResponse
		}
		return nil
	}}
}

// signInByDex types an address and the password into Dex' page, unless Dex knows the browser already, and gives how
// the server answers when Dex sends the browser back.
func (v *visitor) signInByDex(a *apptest.App, browser *http.Client, email string) (status int, body string) {
	v.t.Helper()
	answer, body := v.ask(a, "GET", "/console/sign-in?to=/captures", "Sec-Fetch-Site", "none")
	if answer.StatusCode != http.StatusSeeOther {
		v.t.Fatalf("a sign-in begins with %d %s", answer.StatusCode, body)
	}
	page := fetch(v.t, browser, "GET", answer.Header.Get("Location"), nil)
	if page.StatusCode == http.StatusOK {
		form := url.Values{"login": {email}, "password": {dexPassword}}
		page = fetch(v.t, browser, "POST", page.Request.URL.String(), form)
	}
	back, ok := strings.CutPrefix(page.Header.Get("Location"), public)
	if !ok {
		v.t.Fatalf("Dex answers %d at %s and leads to %q", page.StatusCode, page.Request.URL,
			page.Header.Get("Location"))
	}
	answer, body = v.ask(a, "GET", back, "Sec-Fetch-Site", "cross-site")
	return answer.StatusCode, body
}

// fetch asks and gives an answer whose body is closed.
func fetch(t *testing.T, browser *http.Client, method, at string, form url.Values) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, at, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	answer, err := browser.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	return answer
}

func TestAPersonSignsInAndOutByDex(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		d := testkit.NewDex(t)
		a := apptest.Start(t, e, atDex(d)...)
		org := a.Organization()
		startDex(d, org, a) // a connector for each organization: its id names the organization
		laptop, phone, browser := newVisitor(t), newVisitor(t), atDexOnly(t)
		if status, body := laptop.signInByDex(a, browser, "head@lab.example"); status != http.StatusSeeOther {
			t.Fatalf("a sign-in ends with %d %s", status, body)
		}
		var s struct {
			Organization struct{ ID string }
			Token        struct {
				Name   string
				Scopes []string
			}
		}
		if err := json.Unmarshal([]byte(laptop.want(200, a, "GET", "/console/session")), &s); err != nil {
			t.Fatal(err)
		}
		if s.Organization.ID != org || s.Token.Name != "Jane Doe" ||
			len(s.Token.Scopes) != len(organization.AllPermissions) {
			t.Errorf("the session is %+v", s)
		}
		guest, cleaner := newVisitor(t), newVisitor(t)
		if status, body := guest.signInByDex(a, atDexOnly(t), "guest@lab.example"); status != http.StatusSeeOther {
			t.Fatalf("a guest's sign-in ends with %d %s", status, body)
		}
		guest.want(200, a, "GET", "/console/v1/captures")
		guest.want(403, a, "GET", "/console/v1/tokens")
		status, body := cleaner.signInByDex(a, atDexOnly(t), "cleaner@lab.example")
		if status != http.StatusForbidden || !strings.Contains(body, "no role of yours counts") {
			t.Errorf("without a role a sign-in ends with %d %s", status, body)
		}

		// The same browser at Dex has one session there, whatever else it is signed in to.
		if status, body := phone.signInByDex(a, browser, "head@lab.example"); status != http.StatusSeeOther {
			t.Fatalf("a second sign-in ends with %d %s", status, body)
		}
		var out struct {
			GoTo string `json:"go_to"`
		}
		if err := json.Unmarshal([]byte(laptop.want(200, a, "DELETE", "/console/session")), &out); err != nil {
			t.Fatal(err)
		}
		if left := fetch(t, browser, "GET", out.GoTo, nil); left.Header.Get("Location") != public+"/sign-in" {
			t.Fatalf("Dex ends its session with %d at %s", left.StatusCode, left.Request.URL)
		}
		a.Until("what Dex has ended is over here", func() bool {
			answer, _ := phone.ask(a, "GET", "/console/v1/captures")
			return answer.StatusCode == http.StatusUnauthorized
		})
		guest.want(200, a, "GET", "/console/v1/captures")
	})
}

func TestAProgramUsesAnAccessTokenOfDex(t *testing.T) {
	d := testkit.NewDex(t)
	a := apptest.Start(t, apptest.SQLite, atDex(d)...)
	startDex(d, a.Organization(), a)
	access := func(scope string) string {
		t.Helper()
		form := url.Values{"grant_type": {"password"}, "username": {"guest@lab.example"}, "password": {dexPassword},
			"scope": {"openid groups federated:id" + scope}}
		r, err := http.NewRequestWithContext(t.Context(), "POST", d.Issuer+"/token", strings.NewReader(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.SetBasicAuth("nightly", url.QueryEscape(dexPassword))
		answer, err := a.HTTP.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = answer.Body.Close() }()
		var got struct {
			Token string `json:"access_token"`
		}
		if err := json.NewDecoder(answer.Body).Decode(&got); err != nil || got.Token == "" {
			t.Fatalf("Dex gives no token: %d %v", answer.StatusCode, err)
		}
		return got.Token
	}
	token := access(" audience:server:client_id:" + dexAudience)
	a.Get("/captures", token).Want(200)
	a.Post("/athletes", token, `{"first_name":"Ada"}`).Want(403)
	a.Get("/captures", access("")).Want(401) // it is for another audience
}
