package telemetry_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/telemetry"
)

func scrape(m *telemetry.Metrics) string {
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	return w.Body.String()
}

func TestRequestsAreCountedByRouteMethodAndClassOfStatus(t *testing.T) {
	m := telemetry.NewMetrics("1.2.3")
	m.Request("/v1/captures", "GET", 200, time.Millisecond)
	m.Request("/v1/captures", "GET", 204, time.Second)
	m.Request("/v1/captures", "GET", 404, time.Second)
	m.Request("", "BREW", 404, time.Second)
	got := scrape(m)
	for _, want := range []string{
		`kinebase_http_requests_total{method="GET",route="/v1/captures",status="2xx"} 2`,
		`kinebase_http_requests_total{method="GET",route="/v1/captures",status="4xx"} 1`,
		`kinebase_http_requests_total{method="other",route="none",status="4xx"} 1`,
		`kinebase_http_request_duration_seconds_count{method="GET",route="/v1/captures"} 3`,
		`kinebase_http_request_duration_seconds_bucket{method="GET",route="/v1/captures",le="0.001"} 1`,
		`kinebase_build_info{version="1.2.3"} 1`,
		"go_goroutines ", "process_open_fds ",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("a scrape misses %s", want)
		}
	}
}

func TestAGaugeIsAskedAtEveryScrape(t *testing.T) {
	m, n := telemetry.NewMetrics(""), 0.0
	m.Gauge("kinebase_answers", "How often it was asked.", func() float64 { n++; return n })
	scrape(m)
	if got := scrape(m); !strings.Contains(got, "\nkinebase_answers 2\n") {
		t.Errorf("the second scrape does not show 2:\n%s", got)
	}
}

func TestTwoServersInOneProcessCountApart(t *testing.T) {
	a, b := telemetry.NewMetrics(""), telemetry.NewMetrics("")
	a.Request("/v1/captures", "GET", 200, time.Millisecond)
	if got := scrape(b); strings.Contains(got, "/v1/captures") {
		t.Error("the second server shows the first one's requests")
	}
}
