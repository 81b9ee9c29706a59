package console

import (
	"context"
	"crypto/subtle"
	"html"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/person"
)

// SignIn signs people in by an OpenID provider.
type SignIn interface {
	// Host names the provider to people.
	Host() string
	// Begin gives the address at which the provider signs somebody in, and what the end of it is held against.
	Begin(ctx context.Context) (address string, flow person.Flow, err error)
	// Finish takes what the provider has sent the browser back with. It gives a new session, and the ID token.
	Finish(ctx context.Context, flow person.Flow, sent url.Values) (v person.Presence, token string, err error)
	// SignOut ends a session, and gives the address at which the provider ends its own; "" for none. hint is
	// the ID token, or "".
	SignOut(ctx context.Context, v person.Presence, hint string) (address string, err error)
	// SignedOut ends what a logout token names.
	SignedOut(ctx context.Context, token string) error
	// SessionEnded ends what the provider calls a session; what it does not know is passed over.
	SessionEnded(ctx context.Context, issuer, sid string) error
	// Failed counts a sign-in that did not hold against an address; an error is answered in its place.
	Failed(ctx context.Context, from netip.Addr) error
}

const (
	flowCookie  = "kinebase_sign_in"
	flowPath    = "/console/sign-in"
	flowPurpose = "kinebase console sign-in 1"
	flowLife    = 10 * time.Minute
	// longestFlow bounds the bytes of its value: browsers take 4 KiB with name and attributes.
	longestFlow = 3800

	hintCookie  = "kinebase_id_token"
	hintPath    = "/console/session"
	hintPurpose = "kinebase console id token 1"
	// longestHint bounds the ID tokens that are kept in the browser, which takes 4 KiB.
	longestHint = 2800
)

// begun is a sign-in on its way, as the browser keeps it.
type begun struct {
	person.Flow
	To    string    `json:"to"` // the screen to show after it
	Until time.Time `json:"u"`
}

// screen gives the address of one of the console's own screens that a text names, else that of the first one:
// whatever a link says, nobody is led elsewhere.
func screen(to string) string {
	u, err := url.Parse(to)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || u.Opaque != "" ||
		strings.ContainsAny(to, "\\\r\n\t") ||
		!isScreen(u.EscapedPath()) || u.Path == "/sign-in" {
		return "/"
	}
	return (&url.URL{Path: u.Path, RawPath: u.RawPath, RawQuery: u.RawQuery}).String()
}

func (s *sessions) beginSignIn(w http.ResponseWriter, r *http.Request) {
	address, flow, err := s.SignIn.Begin(r.Context())
	if err != nil {
		s.explain(w, err)
		return
	}
	value, err := s.sealFlow(begun{flow, screen(r.URL.Query().Get("to")), s.Now().Add(flowLife)})
	if err != nil {
		s.explain(w, err)
		return
	}
	http.SetCookie(w, s.flowCookie(value, int(flowLife/time.Second)))
	s.lead(w, address)
}

// flowCookie is the cookie of a sign-in on its way. The provider sends the browser back from another site, so
// it is not Strict. By https its name keeps a neighbour below the same domain from planting one, by which
// somebody would end the sign-in that the neighbour has begun, and work in an organization that is not
// theirs.
func (s *sessions) flowCookie(value string, age int) *http.Cookie {
	c := &http.Cookie{Name: flowCookie, Value: value, Path: flowPath, MaxAge: age, HttpOnly: true, Secure: s.https(),
		SameSite: http.SameSiteLaxMode}
	if s.https() {
		c.Name, c.Path = "__Host-"+flowCookie, "/"
	}
	return c
}

// sealFlow gives the value of the cookie of a sign-in. Where the address of the screen to show is so long that browsers
// would not keep it, the sign-in ends at the first screen: it is better than none.
func (s *sessions) sealFlow(b begun) (string, error) {
	plain, err := json.Marshal(b)
	if value := s.flows.close(plain); err != nil || len(value) <= longestFlow {
		return value, err
	}
	b.To = "/"
	plain, err = json.Marshal(b)
	return s.flows.close(plain), err
}

// https says whether browsers reach this server so.
func (s *sessions) https() bool { return strings.HasPrefix(s.public, "https://") }

func (s *sessions) lead(w http.ResponseWriter, address string) {
	w.Header().Set("Location", address)
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusSeeOther)
}

func (s *sessions) endSignIn(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, s.flowCookie("", -1))
	sent := r.URL.Query()
	b, ok := s.begun(r, sent.Get("state"))
	if !ok {
		s.explain(w, s.failedSignIn(r,
			fault.New(fault.Unauthorized,
				"This sign-in was not begun here, or has been finished, or took too long. Begin again.")))
		return
	}
	v, token, err := s.SignIn.Finish(r.Context(), b.Flow, sent)
	if fault.Is(err, fault.Unauthorized) || fault.Is(err, fault.Forbidden) {
		err = s.failedSignIn(r, err)
	}
	if err != nil {
		s.explain(w, err)
		return
	}
	now := s.Now()
	s.set(w.Header(), sealed{person: &v, secure: s.https()}, now)
	hint := &http.Cookie{Name: hintCookie, Path: hintPath, MaxAge: -1, HttpOnly: true, Secure: s.https(),
		SameSite: http.SameSiteStrictMode}
	if len(token) <= longestHint {
		hint.Value, hint.MaxAge = s.hints.close([]byte(token)), max(1, int(v.Until.Sub(now)/time.Second))
	}
	http.SetCookie(w, hint)
	s.Log.InfoContext(r.Context(), "signed in to the console", "organization", v.Organization, "person", v.Person)
	s.lead(w, b.To)
}

// begun finds the sign-in of a state among those that the browser has begun.
func (s *sessions) begun(r *http.Request, state string) (b begun, ok bool) {
	for _, c := range r.CookiesNamed(s.flowCookie("", 0).Name) {
		if len(c.Value) > longestFlow {
			continue
		}
		plain, opens := s.flows.uncover(c.Value)
		if opens && json.Unmarshal(plain, &b) == nil && subtle.ConstantTimeCompare([]byte(b.State), []byte(state)) ==
			1 && s.Now().Before(b.Until) {
			return b, true
		}
	}
	return b, false
}

// failedSignIn counts and notes one that did not hold.
func (s *sessions) failedSignIn(r *http.Request, err error) error {
	from, _ := netip.ParseAddrPort(r.RemoteAddr)
	if full := s.SignIn.Failed(r.Context(), from.Addr()); full != nil {
		err = full
	}
	s.noteFailed(r, err)
	return err
}

// signOut ends a session. Of a person's, the provider's is ended too: the answer says where.
func (s *sessions) signOut(w http.ResponseWriter, r *http.Request) {
	v, ok := s.session(r, s.Now())
	clear(w.Header())
	w.Header().Set("Cache-Control", "no-store")
	if !ok || v.person == nil || s.SignIn == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	hint := ""
	for _, c := range r.CookiesNamed(hintCookie) {
		if plain, ok := s.hints.uncover(c.Value); ok {
			hint = string(plain)
		}
	}
	http.SetCookie(w, &http.Cookie{Name: hintCookie, Path: hintPath, MaxAge: -1, HttpOnly: true, Secure: s.https(),
		SameSite: http.SameSiteStrictMode})
	address, err := s.SignIn.SignOut(r.Context(), *v.person, hint)
	if err != nil {
		s.refuse(w, err)
		return
	}
	if address == "" {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	b, err := json.Marshal(map[string]string{"go_to": address})
	if err != nil {
		s.refuse(w, err)
		return
	}
	send(w, http.StatusOK, b)
}

// longestLogout is the size of the largest body of a back-channel logout, in bytes.
const longestLogout = 32 << 10

// backChannel ends what the provider's server says has ended (OpenID Connect Back-Channel Logout 1.0, section 2.8).
func (s *sessions) backChannel(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, longestLogout)
	err := r.ParseForm()
	if err == nil {
		err = s.SignIn.SignedOut(r.Context(), r.PostForm.Get("logout_token"))
	}
	switch {
	case err == nil:
		w.Header().Set("Cache-Control", "no-store")
		w.WriteHeader(http.StatusOK)
	case faultOf(err).Code == fault.Unauthorized || fault.CodeOf(err) != fault.Unavailable && r.PostForm == nil:
		s.Log.InfoContext(r.Context(), "a logout token was refused", "error", err)
		send(w, http.StatusBadRequest,
			[]byte(`{"error":"invalid_request","error_description":"The logout token is not valid."}`))
	default:
		s.refuse(w, err)
	}
}

// frontChannel ends what a page of the provider says has ended (OpenID Connect Front-Channel Logout 1.0). No
// cookie comes along, for the page is another site's.
func (s *sessions) frontChannel(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if err := s.SignIn.SessionEnded(r.Context(), q.Get("iss"), q.Get("sid")); err != nil {
		s.refuse(w, err)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusNoContent)
}

// ways tells by what one can sign in.
func (s *sessions) ways(w http.ResponseWriter) {
	b := []byte(`{"provider":null}`)
	if s.SignIn != nil {
		b, _ = json.Marshal(map[string]string{"provider": s.SignIn.Host()})
	}
	send(w, http.StatusOK, b)
}

// explain answers a browser that has come from elsewhere with a page that says why nobody is signed in.
func (s *sessions) explain(w http.ResponseWriter, err error) {
	status, f := s.told(err)
	guard(w.Header(), plainPolicy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(`<!doctype html><html lang="en"><meta charset="utf-8"><title>Sign-in · Kinebase</title><h1>You are not signed in</h1><p>` +
		html.EscapeString(f.Message) + `</p><p><a href="/sign-in">Back to sign-in</a></p></html>`))
}
