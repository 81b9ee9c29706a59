package telemetry

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics are the figures of one server. Their registry is their own, so that
// several servers fit into one process, as in tests.
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	tracer   *Tracer
}

// NewMetrics begins with the figures of the process, the runtime and the build.
func NewMetrics(version string) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "kinebase_http_requests_total",
			Help: "Requests answered, by route, method and class of status (2xx).",
		}, []string{"route", "method", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "kinebase_http_request_duration_seconds",
			Help: "Time from the request's headers to the end of its answer, by route and method.",
			// From a read out of memory to a delete that touches a thousand captures.
			Buckets: []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10},
		}, []string{"route", "method"}),
	}
	build := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "kinebase_build_info", Help: "Always 1; the label names the version.",
		ConstLabels: prometheus.Labels{"version": version},
	}, func() float64 { return 1 })
	m.registry.MustRegister(m.requests, m.seconds, build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Trace has calls that are added from now on be spans too.
func (m *Metrics) Trace(t *Tracer) {
	m.tracer = t
	tracing.Store(true)
}

// Request counts an answered request. The route is the pattern that matched,
// never the path, which holds ids and has no end of values; "" is a request that
// no route matched. A method that HTTP does not know counts as "other".
func (m *Metrics) Request(route, method string, status int, took time.Duration) {
	if route == "" {
		route = "none"
	}
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodOptions:
	default:
		method = "other"
	}
	m.requests.WithLabelValues(route, method, strconv.Itoa(status/100)+"xx").Inc()
	m.seconds.WithLabelValues(route, method).Observe(took.Seconds())
}

// Gauge adds a figure that goes up and down; it is asked for at every scrape.
func (m *Metrics) Gauge(name, help string, value func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value))
}

// LabeledGauge adds one of several figures of a name, which differ in a label.
func (m *Metrics) LabeledGauge(name, help, label, is string, value func() float64) {
	m.registry.MustRegister(
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help, ConstLabels: prometheus.Labels{label: is}},
			value))
}

// Counter adds a figure that only goes up; it is asked for at every scrape.
func (m *Metrics) Counter(name, help string, value func() float64) {
	m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, value))
}

// Handler answers scrapes.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}
