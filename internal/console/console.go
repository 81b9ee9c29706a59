package console

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/kinebase/kinebase/caller"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
)

// Options are what sessions stand on.
type Options struct {
	// API is the interface. It is called with paths below /v1 and what the session
	// stands for, and with everything that is not the console's as it came.
	API Interface
	// Who finds the person whose session shows this; fault.Unauthorized when it does not count.
	// A failure is counted against the address that it came from.
	Who func(ctx context.Context, shown caller.Shown, from netip.Addr) (Person, error)

	SignIn SignIn // by an OpenID provider; nil: by tokens alone

	Key       []byte // what all servers on a database share; nil: nobody can sign in now
	Closed    string // what is said then
	PublicURL string // what browsers write before the path; "": what the request names as its host
	MaxUpload int64  // the largest file, in bytes
	Version   string
	Log       *slog.Logger
	Now       func() time.Time // nil: time.Now
}

// Interface answers requests below /v1, also for whoever shows what is given.
type Interface interface {
	http.Handler
	ServeAs(w http.ResponseWriter, r *http.Request, shown caller.Shown)
}

// Person is who is signed in.
type Person struct {
	Organization organization.Organization
	Caller       caller.Caller
}

// sessions answers everything below /console/.
type sessions struct {
	Options
	sealer sealer // of sessions
	flows  sealer // of sign-ins on their way
	hints  sealer // of ID tokens
	ready  bool   // there is a key
	public string // the origin of PublicURL, "" when there is none
}

// New makes the handler of everything below /console/; all else goes on to the
// interface.
func New(o Options) (http.Handler, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &sessions{Options: o, ready: len(o.Key) > 0}
	if s.ready {
		for to, purpose := range map[*sealer]string{&s.sealer: purpose, &s.flows: flowPurpose, &s.hints: hintPurpose} {
			var err error
			if *to, err = newSealer(o.Key, purpose); err != nil {
				return nil, err
			}
		}
	}
	cross := http.NewCrossOriginProtection()
	if u, err := url.Parse(o.PublicURL); err == nil && u.Host != "" {
		s.public = u.Scheme + "://" + strings.ToLower(u.Host)
		if err := cross.AddTrustedOrigin(s.public); err != nil {
			return nil, err
		}
	}
	cross.SetDenyHandler(http.HandlerFunc(denied))
	own := cross.Handler(http.HandlerFunc(s.serve))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/console/") {
			o.API.ServeHTTP(w, r)
			return
		}
		guard(w.Header(), dataPolicy)
		if serve := s.fromProvider(r); serve != nil { // the provider and its pages are another site
			serve(w, r)
			return
		}
		own.ServeHTTP(w, r)
	}), nil
}

func denied(w http.ResponseWriter, _ *http.Request) {
	refuse(w, http.StatusForbidden, fault.Forbidden,
		"The console answers its own pages alone. Behind a proxy, set KINEBASE_PUBLIC_URL to the address that "+
			"browsers see.")
}

func (s *sessions) serve(w http.ResponseWriter, r *http.Request) {
	if neighbour(r) || !reads(r.Method) && !s.own(r) {
		denied(w, r)
		return
	}
	session := r.URL.Path == "/console/session"
	if r.URL.Path == "/console/ways" && reads(r.Method) {
		s.ways(w)
		return
	}
	if !session && !strings.HasPrefix(r.URL.Path, "/console/v1/") {
		refuse(w, http.StatusNotFound, fault.NotFound, "There is nothing at this path.")
		return
	}
	if !s.ready {
		s.refuse(w, fault.Busy(nil, time.Second, s.Closed))
		return
	}
	if !session {
		s.pass(w, r)
		return
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		s.show(w, r)
	case http.MethodPost:
		s.signIn(w, r)
	case http.MethodDelete:
		s.signOut(w, r)
	default:
		w.Header().Set("Allow", "GET, HEAD, POST, DELETE")
		refuse(w, http.StatusMethodNotAllowed, fault.MethodNotAllowed,
			"The method is not allowed here; use GET, HEAD, POST, DELETE.")
	}
}

// fromProvider gives what answers requests that other sites may send: those by which the provider ends a sign-in or a
// session. Neither goes by the session that a browser has. nil: it is none of them.
func (s *sessions) fromProvider(r *http.Request) http.HandlerFunc {
	if !s.ready || s.SignIn == nil {
		return nil
	}
	switch {
	case r.URL.Path == flowPath && r.Method == http.MethodGet:
		return s.beginSignIn
	case r.URL.Path == flowPath+"/callback" && r.Method == http.MethodGet:
		return s.endSignIn
	case r.URL.Path == "/console/back-channel-logout" && r.Method == http.MethodPost:
		return s.backChannel
	case r.URL.Path == "/console/front-channel-logout" && r.Method == http.MethodGet:
		return s.frontChannel
	}
	return nil
}

// neighbour says whether a page of another site has sent the request, as far as the
// browser tells. A neighbour below the same domain gets the cookie sent along, and may
// still not read with it.
func neighbour(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return false
	}
	return true
}

func reads(method string) bool { return method == http.MethodGet || method == http.MethodHead }

// own says whether a request comes from a page of this server: browsers send Origin
// with everything but GET and HEAD, and no page can send another one than its own.
// CrossOriginProtection lets requests without it pass, which a program may send;
// programs have /v1.
func (s *sessions) own(r *http.Request) bool {
	sent := r.Header["Origin"]
	if len(sent) != 1 {
		return false
	}
	scheme, host, ok := strings.Cut(sent[0], "://")
	return ok && (sent[0] == s.public || host == r.Host && (scheme == "https" || scheme == "http" && r.TLS == nil))
}

// secure says whether the browser came by https. A server behind a proxy cannot see
// that itself, but the browser says so in Origin.
func (s *sessions) secure(r *http.Request) bool {
	return r.TLS != nil || strings.HasPrefix(r.Header.Get("Origin"), "https://")
}

// longestSignIn is the size of the largest body of a sign-in, in bytes.
const longestSignIn = 4 << 10

func (s *sessions) signIn(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, longestSignIn))
	if err != nil {
		s.refuse(w, fault.New(fault.BadRequest, "The body could not be read, or is longer than %d bytes.",
			longestSignIn))
		return
	}
	token, err := parseSignIn(r.Header, body)
	if err != nil {
		s.refuse(w, err)
		return
	}
	v := sealed{token: token, secure: s.secure(r)}
	p, err := s.who(r, v)
	if err != nil {
		if fault.Is(err, fault.Unauthorized) || fault.Is(err, fault.TooManyRequests) {
			s.noteFailed(r, err)
		}
		s.refuse(w, err)
		return
	}
	s.set(w.Header(), v, s.Now())
	s.Log.InfoContext(r.Context(), "signed in to the console", "organization", p.Organization.ID, "token",
		p.Caller.Token)
	send(w, http.StatusOK, s.appendPerson(nil, v, p))
}

func (s *sessions) show(w http.ResponseWriter, r *http.Request) {
	v, ok := s.session(r, s.Now())
	if !ok {
		s.nobody(w, r)
		return
	}
	p, err := s.who(r, v)
	if err != nil {
		if fault.Is(err, fault.Unauthorized) {
			clear(w.Header())
		}
		s.refuse(w, err)
		return
	}
	s.renew(w.Header(), v)
	send(w, http.StatusOK, s.appendPerson(nil, v, p))
}

func (s *sessions) who(r *http.Request, v sealed) (Person, error) {
	from, _ := netip.ParseAddrPort(r.RemoteAddr)
	p, err := s.Who(r.Context(), v.shown(), from.Addr())
	switch {
	case v.person != nil && fault.Is(err, fault.Unauthorized):
		err = fault.Wrap(err, fault.Unauthorized, "The session has ended. Sign in again.")
	case fault.Is(err, fault.Unauthorized):
		err = fault.Wrap(err, fault.Unauthorized, "The token is not valid: it may be mistyped, expired or revoked.")
	}
	return p, err
}

// noteFailed writes a line that fail2ban reads.
func (s *sessions) noteFailed(r *http.Request, err error) {
	from, _ := netip.ParseAddrPort(r.RemoteAddr)
	s.Log.InfoContext(r.Context(), "sign-in failed", "status", statuses[faultOf(err).Code], "address",
		from.Addr().Unmap().String())
}

// nobody answers who has no session, or one that does not count any more.
func (s *sessions) nobody(w http.ResponseWriter, r *http.Request) {
	if len(r.CookiesNamed(cookieName)) > 0 {
		clear(w.Header())
	}
	s.refuse(w, fault.New(fault.Unauthorized, "You are not signed in, or the session has ended. Sign in with a token."))
}

// renew gives a session that has been in use for a while its whole life again.
func (s *sessions) renew(h http.Header, v sealed) {
	if now := s.Now(); v.person == nil && v.until.Sub(now) < life-renewal {
		s.set(h, v, now)
	}
}

// statuses gives each code that a sign-in may meet its status.
var statuses = map[fault.Code]int{
	fault.BadRequest: 400, fault.Unauthorized: 401, fault.Forbidden: 403, fault.UnsupportedMediaType: 415,
	fault.TooManyRequests: 429, fault.Unavailable: 503,
}

// told is what is heard of an error, and its status; what is no fault is for the log alone.
func (s *sessions) told(err error) (status int, f *fault.Error) {
	f = faultOf(err)
	if status = statuses[f.Code]; status != 0 {
		return status, f
	}
	s.Log.Error("the console could not answer", "error", err)
	return http.StatusInternalServerError,
		fault.New(fault.Internal, "Something went wrong on the server; its log says what.")
}

// refuse answers with an error.
func (s *sessions) refuse(w http.ResponseWriter, err error) {
	status, f := s.told(err)
	switch f.Code {
	case fault.Unauthorized:
		w.Header().Set("WWW-Authenticate", `Bearer realm="kinebase"`)
	case fault.TooManyRequests, fault.Unavailable:
		w.Header().Set("Retry-After", strconv.FormatInt(max(1, int64((f.RetryAfter+time.Second-1)/time.Second)), 10))
	}
	refuse(w, status, f.Code, f.Message)
}
