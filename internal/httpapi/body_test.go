package httpapi

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/turns"
)

func TestOnlyPlainJSONInUTF8IsTaken(t *testing.T) {
	for _, ok := range []http.Header{
		{},
		{"Content-Type": {"application/json"}},
		{"Content-Type": {"application/json; charset=UTF-8"}},
		{"Content-Type": {`Application/JSON;charset="utf-8"`}},
		{"Content-Encoding": {""}},
	} {
		if err := mediaType(ok); err != nil {
			t.Errorf("%v: %v", ok, err)
		}
	}
	for _, bad := range []http.Header{
		{"Content-Type": {""}},
		{"Content-Type": {"text/plain"}},
		{"Content-Type": {"application/x-www-form-urlencoded"}},
		{"Content-Type": {"application/json-patch+json"}},
		{"Content-Type": {"application/json; charset=latin1"}},
		{"Content-Type": {"application/json; charset=utf-16"}},
		{"Content-Type": {"application/json", "application/json"}},
		{"Content-Type": {"application/json, text/plain"}},
		{"Content-Encoding": {"gzip"}},
		{"Content-Encoding": {"identity"}},
		{"Content-Encoding": {"", "br"}},
	} {
		if err := mediaType(bad); !fault.Is(err, fault.UnsupportedMediaType) {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

func TestABodyIsReadUpToAMegabyte(t *testing.T) {
	read := func(body io.Reader, length int64) ([]byte, error) {
		r := httptest.NewRequest("POST", "/v1/athletes", body)
		r.ContentLength = length
		return (&call{w: httptest.NewRecorder(), r: r,
			bodies: turns.NewRoom[organization.ID](bodiesRoom, turns.ToRead)}).body()
	}
	full := strings.Repeat("x", maxBody)
	if b, err := read(strings.NewReader(full), maxBody); err != nil || len(b) != maxBody {
		t.Errorf("a megabyte: %d bytes, %v", len(b), err)
	}
	if b, err := read(iotest.OneByteReader(strings.NewReader("{}")), -1); err != nil || string(b) != "{}" {
		t.Errorf("of unknown length: %q, %v", b, err)
	}
	if _, err := read(strings.NewReader(full+"x"), -1); !fault.Is(err, fault.PayloadTooLarge) {
		t.Errorf("one byte more: %v", err)
	}
	untouched := iotest.ErrReader(errors.New("the body must not be read"))
	if _, err := read(untouched, maxBody+1); !fault.Is(err, fault.PayloadTooLarge) {
		t.Errorf("one byte more, announced: %v", err)
	}
	for what, cut := range map[string]error{"cut short": io.ErrUnexpectedEOF, "in time": errTimeout{},
		"could not be read": errors.New("invalid byte in chunk length")} {
		_, err := read(io.MultiReader(strings.NewReader(`{"first_name":"A"}`), iotest.ErrReader(cut)), 50)
		if !fault.Is(err, fault.BadRequest) || !strings.Contains(err.Error(), what) {
			t.Errorf("%v: %v", cut, err)
		}
	}
}

func TestLargeBodiesShareTheirRoomAndSmallOnesNeedNone(t *testing.T) {
	room := turns.NewPlaces[organization.ID](2*maxBody, turns.ToRead)
	read := func(size int) (*call, error) {
		c := &call{w: httptest.NewRecorder(),
			r: httptest.NewRequest("POST", "/v1/athletes", strings.NewReader(strings.Repeat("x", size))), bodies: room}
		_, err := c.body()
		return c, err
	}
	a := &api{bodies: room, Options: Options{Now: time.Now}, quiet: true}
	first, err1 := read(maxBody)
	_, err2 := read(maxBody)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	if _, err := read(smallBody + 1); !fault.Is(err, fault.Unavailable) || err.(*fault.Error).RetryAfter == 0 {
		t.Errorf("where there is no room: %v", err)
	}
	if _, err := read(smallBody); err != nil {
		t.Errorf("a small body: %v", err)
	}
	a.finish(first)
	if _, err := read(maxBody); err != nil {
		t.Errorf("after the first was answered: %v", err)
	}
}

type errTimeout struct{}

func (errTimeout) Error() string   { return "i/o timeout" }
func (errTimeout) Timeout() bool   { return true }
func (errTimeout) Is(e error) bool { return e.Error() == "i/o timeout" }
