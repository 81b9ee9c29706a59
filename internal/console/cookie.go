package console

import (
	"encoding/binary"
	"net/http"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/kinebase/kinebase/caller"
	"github.com/kinebase/kinebase/person"
)

const (
	cookieName = "kinebase_session"
	cookiePath = "/console"

	// life is how long a session lasts that is not used, and renewal how old it gets
	// before an answer renews it. Those of people are not renewed.
	life    = 12 * time.Hour
	renewal = 15 * time.Minute

	// longestCookie bounds the bytes of a cookie that are read.
	longestCookie = 2048
)

// sealed is what the cookie holds: nothing is kept on the server, so that every
// server that has the key can read it.
type sealed struct {
	token  string           // "" for a person's
	person *person.Presence // nil for a token's
	until  time.Time        // to the second
	secure bool             // it came by https, and goes back by nothing else
}

// shown is what the session stands for.
func (v sealed) shown() caller.Shown {
	if v.person != nil {
		return caller.Shown{Kind: caller.Session, Session: v.person}
	}
	return caller.Shown{Kind: caller.Bearer, Text: v.token}
}

// same says whether two sessions are of one token or one sign-in.
func (v sealed) same(other sealed) bool {
	if v.person != nil && other.person != nil {
		return v.person.Session == other.person.Session
	}
	return v.person == other.person && v.token == other.token
}

// purpose keeps this key apart from others that are made of the same one.
const purpose = "kinebase console session 1"

// The flags of a session.
const (
	isSecure = 1 << iota
	isPerson
)

// seal gives the value of a cookie: the moment at which it ends, its flags, and the token or
// what is known of the person.
func (s *sessions) seal(v sealed) string {
	plain := binary.BigEndian.AppendUint64(nil, uint64(v.until.Unix()))
	flags, rest := byte(0), []byte(v.token)
	if v.secure {
		flags |= isSecure
	}
	if v.person != nil {
		flags |= isPerson
		rest, _ = json.Marshal(v.person) // texts and times
	}
	return s.sealer.close(append(append(plain, flags), rest...))
}

// open is the reverse; false for what is no session of this deployment, or one whose
// time is over.
func (s *sessions) open(value string, now time.Time) (v sealed, ok bool) {
	if len(value) > longestCookie {
		return v, false
	}
	plain, ok := s.sealer.uncover(value)
	if !ok || len(plain) < 9 {
		return v, false
	}
	v = sealed{until: time.Unix(int64(binary.BigEndian.Uint64(plain)), 0), secure: plain[8]&isSecure != 0}
	if plain[8]&isPerson == 0 {
		v.token = string(plain[9:])
	} else {
		v.person = new(person.Presence)
		if json.Unmarshal(plain[9:], v.person) != nil {
			return sealed{}, false
		}
	}
	return v, now.Before(v.until)
}

// set puts a session into an answer, for its whole life again; that of a person ends when it does.
func (s *sessions) set(h http.Header, v sealed, now time.Time) {
	v.until = now.Add(life)
	if v.person != nil {
		v.until = v.person.Until
	}
	c := cookie(s.seal(v), v.secure)
	c.MaxAge = max(1, int(v.until.Sub(now)/time.Second))
	h.Add("Set-Cookie", c.String())
}

// clear takes the session away from the browser.
func clear(h http.Header) {
	c := cookie("", false)
	c.MaxAge = -1
	h.Add("Set-Cookie", c.String())
}

func cookie(value string, secure bool) *http.Cookie {
	return &http.Cookie{Name: cookieName, Value: value, Path: cookiePath, HttpOnly: true,
		SameSite: http.SameSiteStrictMode, Secure: secure}
}

// session gives the session of a request. Of several cookies of the name those count
// that open, as long as they are of one token: a neighbour below the same domain can
// plant a cookie, to have somebody work in an organization that is not theirs.
func (s *sessions) session(r *http.Request, now time.Time) (v sealed, ok bool) {
	for _, c := range r.CookiesNamed(cookieName) {
		one, opens := s.open(c.Value, now)
		switch {
		case !opens:
		case ok && !one.same(v):
			return sealed{}, false
		default:
			v, ok = one, true
		}
	}
	return v, ok
}
