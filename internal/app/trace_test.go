package app_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	traces "go.opentelemetry.io/proto/slim/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// collector takes spans by OTLP over HTTP.
type collector struct {
	*httptest.Server
	t     *testing.T
	lock  sync.Mutex
	raw   []byte
	spans map[string][]*traces.Span // by name
	down  bool
}

func collect(t *testing.T) *collector {
	c := &collector{t: t, spans: map[string][]*traces.Span{}}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		c.lock.Lock()
		defer c.lock.Unlock()
		var d traces.TracesData
		switch {
		case c.down:
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		case err != nil || proto.Unmarshal(body, &d) != nil || r.URL.Path != "/v1/traces" ||
			r.Header.Get("Content-Type") != "application/x-protobuf" || r.Header.Get("X-Key") != "a b":
			t.Errorf("a batch came to %s with %v, which is none", r.URL, r.Header)
		}
		c.raw = append(c.raw, body...)
		for _, of := range d.GetResourceSpans() {
			for _, scope := range of.GetScopeSpans() {
				for _, s := range scope.GetSpans() {
					c.spans[s.GetName()] = append(c.spans[s.GetName()], s)
				}
			}
		}
	}))
	t.Cleanup(c.Close)
	return c
}

// of gives the spans of a name within a trace; all of them where it is nil.
func (c *collector) of(name string, trace []byte) (found []*traces.Span) {
	c.lock.Lock()
	defer c.lock.Unlock()
	for _, s := range c.spans[name] {
		if trace == nil || string(s.GetTraceId()) == string(trace) {
			found = append(found, s)
		}
	}
	return found
}

func TestATraceGoesFromTheRequestToTheStoreTheJobTheReaderAndTheFiles(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		c := collect(t)
		t.Setenv("OTEL_BSP_SCHEDULE_DELAY", "20")
		a := apptest.Start(t, e, apptest.With("OTEL_EXPORTER_OTLP_ENDPOINT", c.URL),
			apptest.With("OTEL_EXPORTER_OTLP_HEADERS", "X-Key=a%20b"))
		l := &lab{t, a, a.Token(a.Organization())}
		made := l.Post("/athletes", l.token, `{"first_name":"Unmistakable","email":"trace@example.org"}`).Want(
			200).Object()
		athlete := made["athlete"].(map[string]any)["id"].(string)
		id := l.reserve()
		const theirs = "4bf92f3577b34da6a3ce929d0e0e4736"
		a.Do("PUT", "/captures/"+id+"/file", l.token, steps(20), "Content-Type", "application/octet-stream",
			"Traceparent", "00-"+theirs+"-00f067aa0ba902b7-01").Want(204)
		l.await(id, "completed")

		const put = "PUT /v1/captures/{captureId}/file"
		a.Until("the job is told of", func() bool {
			return len(c.of(put, nil)) > 0 && len(c.of("job process", nil)) > 0 && len(c.of("file put", nil)) > 1
		})
		request := c.of(put, nil)[0]
		trace := request.GetTraceId()
		hex := func(b []byte) string {
			var s strings.Builder
			for _, v := range b {
				s.WriteString("0123456789abcdef"[v>>4:][:1] + "0123456789abcdef"[v&15:][:1])
			}
			return s.String()
		}
		if hex(trace) != theirs || hex(request.GetParentSpanId()) != "00f067aa0ba902b7" ||
			request.GetKind() != traces.Span_SPAN_KIND_SERVER {
			t.Errorf("the request is %v: it is not a part of the caller's trace", request)
		}
		a.Until("the whole trace is told of", func() bool {
			for _, name := range []string{"database write", "file put", "job process", "reader read", "file open"} {
				if len(c.of(name, trace)) == 0 {
					return false
				}
			}
			return true
		})
		job := c.of("job process", trace)[0]
		if string(c.of("reader read", trace)[0].GetParentSpanId()) != string(job.GetSpanId()) ||
			job.GetKind() != traces.Span_SPAN_KIND_CONSUMER || len(job.GetParentSpanId()) == 0 {
			t.Errorf("the job is %v", job)
		}
		if job.GetEndTimeUnixNano() < job.GetStartTimeUnixNano() {
			t.Errorf("the job ends before it begins: %v", job)
		}

		a.Get("/captures/"+id+"?Unmistakable=1", l.token).Want(200)
		a.Until("all is told of", func() bool { return len(c.of("GET /v1/captures/{captureId}", nil)) > 0 })
		c.lock.Lock()
		defer c.lock.Unlock()
		for _, private := range []string{"Unmistakable", "trace@example.org", athlete, id, l.token, "127.0.0.1",
			a.Place["data"], "INSERT", "SELECT"} {
			if private != "" && strings.Contains(string(c.raw), private) {
				t.Errorf("traces hold %q", private)
			}
		}
	})
}

func TestACollectorThatIsAwayHoldsUpNobody(t *testing.T) {
	c := collect(t)
	c.lock.Lock()
	c.down = true
	c.lock.Unlock()
	t.Setenv("OTEL_BSP_SCHEDULE_DELAY", "5")
	a := apptest.Start(t, apptest.SQLite, apptest.With("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", c.URL+"/v1/traces"))
	token := a.Token(a.Organization())
	for range 20 {
		a.Get("/captures", token).Want(200)
	}
	a.Until("it is said", func() bool { return strings.Contains(a.Logs(), "traces could not be sent") })
	for range 20 {
		a.Get("/captures", token).Want(200)
	}
	if n := strings.Count(a.Logs(), "traces could not be sent"); n != 1 {
		t.Errorf("it is said %d times within a minute", n)
	}
	if err := a.Stop(); err != nil {
		t.Error(err)
	}
}
