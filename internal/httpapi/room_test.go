package httpapi

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

func TestWhoeverHoldsAllThatCanBeHadLeavesRoomForOthers(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	for range 200 {
		size := int64(16 + random.IntN(1<<20))
		r := newRoom(size)
		var greedy int64
		for refusals := 0; refusals < 20; {
			if n := 1 + random.Int64N(1+size/8); r.take("greedy", n) {
				greedy += n
			} else {
				refusals++
			}
		}
		if greedy > size-size/4+size/16 || r.used != greedy {
			t.Fatalf("one of %d holds %d (%d in all)", size, greedy, r.used)
		}
		for other := range 3 {
			if little := size / 16; !r.take(fmt.Sprint(other), little) {
				t.Fatalf("of %d one holds %d, and organization %d cannot have %d", size, greedy, other, little)
			}
		}
		r.put("greedy", greedy)
		for other := range 3 {
			r.put(fmt.Sprint(other), size/16)
		}
		if r.used != 0 || size >= 16 && len(r.held) != 0 {
			t.Fatalf("after all was given back %d are used, by %v", r.used, r.held)
		}
	}
}

func TestWhoeverWaitsIsServedByHowLittleTheOrganizationHolds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newPlaces(2)
		var order []string
		acquire := func(organization string) (leave func()) {
			leave, err := r.acquire(t.Context(), organization, 1, "busy")
			if err != nil {
				t.Error(err)
				return func() {}
			}
			order = append(order, organization)
			return leave
		}
		first, second := acquire("many"), acquire("many")
		for _, organization := range []string{"many", "many", "few"} {
			go func() { defer acquire(organization)() }()
			synctest.Wait()
		}
		first()
		synctest.Wait()
		second()
		synctest.Wait()
		if got := fmt.Sprint(order); got != "[many many few many many]" {
			t.Errorf("served in the order %s", got)
		}
		if r.used != 0 || len(r.held) != 0 || len(r.waiting) != 0 {
			t.Errorf("left: %d used, %v, %d wait", r.used, r.held, len(r.waiting))
		}
	})
}

func TestWhoeverGivesUpWaitingHoldsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newPlaces(1)
		leave, err := r.acquire(t.Context(), "A", 1, "busy")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.acquire(t.Context(), "B", 1, "busy"); !fault.Is(err, fault.Unavailable) {
			t.Errorf("where there is no room: %v", err)
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := r.acquire(gone, "B", 1, "busy"); err != context.Canceled {
			t.Errorf("a caller who is gone: %v", err)
		}
		leave()
		leave()
		if r.used != 0 || len(r.waiting) != 0 {
			t.Errorf("%d used, %d wait", r.used, len(r.waiting))
		}
	})
}

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
			bodies := newRoom(bodiesRoom)
			cut := make(chan struct{})
			for n := range c.calls {
				r := httptest.NewRequest("POST", "/v1/athletes", stalled{bytes.NewReader(make([]byte, c.sent)), cut})
				r.ContentLength = -1
				slow := &call{w: httptest.NewRecorder(), r: r, bodies: bodies, token: organization.Token{Organization: fmt.Sprint(n % c.organizations)}}
				go func() { _, _ = slow.body(); slow.freeBody() }()
			}
			synctest.Wait()
			if most := int64(c.organizations*c.calls) * int64(c.sent+2*smallBody); c.sent <= smallBody && bodies.used > 0 || bodies.used > min(most, bodiesRoom) {
				t.Errorf("%d bodies of which %d bytes arrived hold %d", c.calls, c.sent, bodies.used)
			}
			other := &call{w: httptest.NewRecorder(), r: httptest.NewRequest("POST", "/v1/athletes", bytes.NewReader(make([]byte, maxBody))), bodies: bodies, token: organization.Token{Organization: "other"}}
			if _, err := other.body(); err != nil {
				t.Errorf("beside %d stalled bodies of %d bytes another organization's is refused: %v", c.calls, c.sent, err)
			}
			other.freeBody()
			close(cut)
			synctest.Wait()
			if bodies.used != 0 || len(bodies.held) != 0 {
				t.Errorf("at the end %d are held by %v", bodies.used, bodies.held)
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
	s := newShelf()
	s.recorded(t, "walk_1")
	convert := converter(func(_ context.Context, _ string, _ upload.File, _ string, _ float64, w io.Writer) error {
		_, err := io.WriteString(w, "converted")
		return err
	})
	synctest.Test(t, func(t *testing.T) {
		tokens := newOneToken(t, time.Hour, organization.CapturesRead)
		h := New(Options{Tokens: tokens, Shelf: s, Files: s, Convert: convert, Now: func() time.Time { return start }}).(*api)
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
		if h.converting.used != 0 {
			t.Errorf("answers that nobody takes hold %d places", h.converting.used)
		}
		leave, err := h.converting.acquire(t.Context(), "another", h.converting.size, "busy")
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
		if len(h.converted.of) != 0 {
			t.Errorf("at the end %d organizations have answers under way", len(h.converted.of))
		}
	})
}
