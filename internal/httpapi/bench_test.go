package httpapi

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/organization"
)

// sink is a response writer that keeps nothing between requests.
type sink struct{ h http.Header }

func (s *sink) Header() http.Header         { return s.h }
func (s *sink) Write(b []byte) (int, error) { return len(b), nil }
func (s *sink) WriteHeader(int)             {}

func hot(b testing.TB) (http.Handler, []*http.Request) {
	token, secret, err := organization.NewToken(organization.NewID(), "bench", organization.AllPermissions, time.Hour,
		start)
	if err != nil {
		b.Fatal(err)
	}
	h := New(Options{Tokens: &oneToken{token: token, secret: secret}, Captures: always(strings.Repeat("x", 25_000)),
		Now: func() time.Time { return start }, Log: slog.New(slog.DiscardHandler)})
	var all []*http.Request
	for _, path := range []string{"/v1/captures/4f6f2d4e-9e0b-4f0c-8a58-6f3b8d9b7a10_1", "/v1/captures",
		"/v1/captures?status=completed&activity=baseball&limit=100&offset=500000"} {
		r := httptest.NewRequest("GET", path, nil)
		r.Header.Set("Authorization", "Bearer "+string(secret))
		all = append(all, r)
	}
	return h, all
}

func TestTheHotPathsAllocateLittle(t *testing.T) {
	h, requests := hot(t)
	for _, r := range requests {
		w := &sink{http.Header{}}
		h.ServeHTTP(w, r)
		allocs := testing.AllocsPerRun(1000, func() {
			clear(w.h)
			h.ServeHTTP(w, r)
		})
		const most = 9
		if allocs > most {
			t.Errorf("%s allocates %.0f times, want at most %d", r.URL, allocs, most)
		}
	}
}

func BenchmarkHotPaths(b *testing.B) {
	h, requests := hot(b)
	for _, r := range requests {
		b.Run(r.URL.Path, func(b *testing.B) {
			b.ReportAllocs()
			w := &sink{http.Header{}}
			for b.Loop() {
				clear(w.h)
				h.ServeHTTP(w, r)
			}
		})
	}
}
