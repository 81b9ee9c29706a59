package console

import (
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/kinebase/kinebase/fault"
)

// sessionHeader is whose session a page takes for its own: the organization's id, a slash, and the id of token or
// person. All tabs of a browser share one cookie: what a tab is to do for one organization must not be done in another
// that a second tab has signed in to since.
const sessionHeader = "Kinebase-Session"

func appendInt(b []byte, n int64) []byte { return strconv.AppendInt(b, n, 10) }

// pass has the interface answer whoever shows the token of the session. What
// Authorization says counts for nothing.
func (s *sessions) pass(w http.ResponseWriter, r *http.Request) {
	v, ok := s.session(r, s.Now())
	if !ok {
		s.nobody(w, r)
		return
	}
	if meant := r.Header.Get(sessionHeader); meant != "" {
		if err := s.meant(r, v, meant); err != nil {
			s.refuse(w, err)
			return
		}
	}
	inner := new(http.Request)
	*inner = *r
	inner.URL = new(url.URL)
	*inner.URL = *r.URL
	inner.URL.Path = strings.TrimPrefix(r.URL.Path, cookiePath)
	inner.URL.RawPath = strings.TrimPrefix(r.URL.RawPath, cookiePath)
	inner.Header = r.Header.Clone()
	inner.Header.Del("Authorization")
	inner.Header.Del("Cookie")
	inner.Header.Del("Origin") // pages of other origins may call /v1, not this
	s.API.ServeAs(&answer{ResponseWriter: w, before: func(status int) {
		w.Header().Add("Vary", "Cookie") // the same address tells another session something else
		if status == http.StatusUnauthorized {
			clear(w.Header())
		} else {
			s.renew(w.Header(), v)
		}
	}}, inner, v.shown())
}

// meant refuses a request that a page makes for another session than the browser has now.
func (s *sessions) meant(r *http.Request, v sealed, session string) error {
	p, err := s.who(r, v)
	switch {
	case fault.Is(err, fault.Unauthorized):
		return nil // the interface says why
	case err != nil:
		return err
	case session != p.Organization.ID.String()+"/"+v.holder(p).String():
		return fault.New(fault.Unauthorized,
			"Somebody else is signed in with this browser now; nothing was done. Load the page again.")
	}
	return nil
}

// answer looks at the status of an answer before it is written.
type answer struct {
	http.ResponseWriter
	before func(status int)
	told   bool
}

// WriteHeader writes the header. Those of 1xx come before the answer.
func (a *answer) WriteHeader(status int) {
	if status >= 200 && !a.told {
		a.told = true
		a.before(status)
	}
	a.ResponseWriter.WriteHeader(status)
}

// Write writes some of the body.
func (a *answer) Write(b []byte) (int, error) {
	if !a.told {
		a.WriteHeader(http.StatusOK)
	}
	return a.ResponseWriter.Write(b)
}

// ReadFrom lets a file go out without passing through this process.
func (a *answer) ReadFrom(r io.Reader) (int64, error) {
	if !a.told {
		a.WriteHeader(http.StatusOK)
	}
	return io.Copy(a.ResponseWriter, r)
}

// Unwrap leads http.ResponseController to what sets deadlines.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }
