package httpapi

import (
	"bytes"
	"context"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kinebase/kinebase/caller"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/turns"
	"github.com/kinebase/kinebase/upload"
)

// stalled is a body that sends some bytes and then nothing until it is cut off.
type stalled struct {
	io.Reader
	cut chan struct{}
}

func (s stalled) Read(b []byte) (int, error) {
	n, err := s.Reader.Read(b)
	if err == io.EOF {
		<-s.cut
		return n, io.ErrUnexpectedEOF
	}
	return n, err
}

func TestABodyTakesOnlyWhatArrivedOfIt(t *testing.T) {
	for _, c := range []struct {
		organizations, calls, sent int
		othersAreServed            bool
	}{
		{1, 200, 0, true},
		{10, 200, smallBody, true},
		{1, 100, maxBody - 1, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			bodies := turns.NewRoom[organization.ID](bodiesRoom, turns.ToRead)
			cut := make(chan struct{})
			for n := range c.calls {
				r := httptest.NewRequest("POST", "/v1/athletes", stalled{bytes.NewReader(make([]byte, c.sent)), cut})
				r.ContentLength = -1
				slow := &call{w: httptest.NewRecorder(), r: r, bodies: bodies,
					caller: caller.Caller{Organization: organization.ID{byte(n % c.organizations)}}}
				go func() { _, _ = slow.body(); slow.freeBody() }()
			}
			synctest.Wait()
			used, _ := bodies.Holds()
			if most := int64(c.organizations*c.calls) * int64(c.sent+2*smallBody); c.sent <= smallBody && used > 0 ||
				used > min(most, bodiesRoom) {
				t.Errorf("%d bodies of which %d bytes arrived hold %d", c.calls, c.sent, used)
			}
			other := &call{w: httptest.NewRecorder(),
				r: httptest.NewRequest("POST", "/v1/athletes", bytes.NewReader(make([]byte, maxBody))), bodies: bodies,
				caller: caller.Caller{Organization: organization.ID{255}}}
			if _, err := other.body(); err != nil {
				t.Errorf("beside %d stalled bodies of %d bytes another organization's is refused: %v", c.calls, c.sent,
					err)
			}
			other.freeBody()
			close(cut)
			synctest.Wait()
			if used, holders := bodies.Holds(); used != 0 || holders != 0 {
				t.Errorf("at the end %d are held by %d organizations", used, holders)
			}
		})
	}
}

// unread is an answer that its caller does not take.
type unread struct {
	*httptest.ResponseRecorder
	taken chan struct{}
}

func (u unread) Write(b []byte) (int, error) {
	<-u.taken
	return u.ResponseRecorder.Write(b)
}

func TestAConversionThatIsNotTakenHoldsUpNoOther(t *testing.T) {
	s := newUploads()
	s.recorded(t, "walk_1")
	convert := converter(func(_ context.Context, _ string, _ upload.File, _ string, _ float64, w io.Writer) error {
		_, err := io.WriteString(w, "converted")
		return err
	})
	synctest.Test(t, func(t *testing.T) {
		tokens := newOneToken(t, time.Hour, organization.CapturesRead)
		h := New(Options{Tokens: tokens, Uploads: s, Files: s, Convert: convert,
			Now: func() time.Time { return start }}).(*api)
		taken := make(chan struct{})
		get := func(w http.ResponseWriter) {
			r := httptest.NewRequest("GET", "/v1/captures/walk_1/file?format=csv", nil)
			r.Header.Set("Authorization", "Bearer "+string(tokens.secret))
			h.ServeHTTP(w, r)
		}
		for range convertedShare {
			go get(unread{httptest.NewRecorder(), taken})
		}
		synctest.Wait()
		if used, _ := h.converting.Holds(); used != 0 {
			t.Errorf("answers that nobody takes hold %d places", used)
		}
		leave, err := h.converting.Acquire(turns.ForCaller(t.Context()), organization.ID{255}, math.MaxInt64, "busy")
		if err != nil {
			t.Error(err)
		} else {
			leave()
		}
		last := httptest.NewRecorder()
		get(last)
		if last.Code != 503 {
			t.Errorf("one more than an organization may have under way is answered %d", last.Code)
		}
		close(taken)
		synctest.Wait()
		if _, holders := h.converted.Holds(); holders != 0 {
			t.Errorf("at the end %d organizations have answers under way", holders)
		}
	})
}
