package telemetry

import (
	"context"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// Calls are the figures, and in traces the spans, of calls of one neighbour: how many, how long they took,
// how many failed and how many are under way, by operation. Those of nil are not counted.
type Calls struct {
	failed func(error) bool
	of     map[string]operation
	tracer *Tracer // nil: no spans
	kind   trace.SpanKind
}

type operation struct {
	span    string // the name of one
	seconds prometheus.Observer
	errors  prometheus.Counter
	running prometheus.Gauge
}

// Calls adds figures of calls, with the operations that there are: NAME_duration_seconds, NAME_errors_total
// and NAME_running. what they are called is told in the help, label names what tells operations apart. failed
// tells the errors of the neighbour from those that it rightly answers.
func (m *Metrics) Calls(name, what, label string, failed func(error) bool, operations ...string) *Calls {
	labels := []string{label}
	seconds := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: name + "_duration_seconds", Help: "Time that " + what + " took, by " + label + ".",
		// From a page out of memory to a file of an hour.
		Buckets: []float64{.0001, .0005, .001, .005, .01, .05, .1, .5, 1, 5, 30, 120},
	}, labels)
	errors := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name + "_errors_total",
		Help: "Of " + what + " those that failed, by " + label + "."}, labels)
	running := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name + "_running", Help: "Of " + what +
		" those under way, by " + label + "."}, labels)
	m.registry.MustRegister(seconds, errors, running)
	c := &Calls{failed: failed, of: map[string]operation{}, tracer: m.tracer, kind: trace.SpanKindInternal}
	short := strings.TrimSuffix(strings.TrimPrefix(name, "kinebase_"), "_call")
	if short == "job" {
		c.kind = trace.SpanKindConsumer
	}
	for _, o := range operations {
		c.of[o] = operation{short + " " + o, seconds.WithLabelValues(o), errors.WithLabelValues(o),
			running.WithLabelValues(o)}
	}
	return c
}

// Call is one under way. The zero Call counts nothing.
type Call struct {
	of     operation
	failed func(error) bool
	began  time.Time
	span   trace.Span // nil: none
}

// Begin begins one of the operations that were named; End ends it.
func (c *Calls) Begin(ctx context.Context, operation string) (context.Context, Call) {
	if c == nil {
		return ctx, Call{}
	}
	of := c.of[operation]
	of.running.Inc()
	var span trace.Span
	if c.tracer != nil {
		ctx, span = c.tracer.span(ctx, of.span, c.kind)
	}
	return ctx, Call{of, c.failed, time.Now(), span}
}

// End ends a call, with what came of it.
func (c Call) End(err error) {
	if c.of.seconds == nil {
		return
	}
	c.of.running.Dec()
	c.of.seconds.Observe(time.Since(c.began).Seconds())
	failed := err != nil && c.failed(err)
	if failed {
		c.of.errors.Inc()
	}
	if c.span != nil {
		if failed {
			c.span.SetStatus(codes.Error, "")
		}
		c.span.End()
	}
}

// Kinds counts what happens, by one label.
type Kinds struct{ of *prometheus.CounterVec }

// Kinds adds a figure that only goes up for each value of a label; those that are named are there from the first.
func (m *Metrics) Kinds(name, help, label string, values ...string) Kinds {
	c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, []string{label})
	m.registry.MustRegister(c)
	for _, v := range values {
		c.WithLabelValues(v)
	}
	return Kinds{c}
}

// Add counts one.
func (k Kinds) Add(value string) { k.of.WithLabelValues(value).Inc() }

// Table adds gauges that one look gives together, by one label. When the look fails, or takes longer than 2
// seconds, they are missing from the answer, as figures that are not known should be.
func (m *Metrics) Table(label string, gauges []Column, look func(context.Context) ([]Row, error)) {
	t := &table{look: look}
	for _, g := range gauges {
		t.of = append(t.of, prometheus.NewDesc(g.Name, g.Help, []string{label}, nil))
	}
	m.registry.MustRegister(t)
}

// Column is a gauge of a Table.
type Column struct{ Name, Help string }

// Row is what a look gives for a value of the label: a figure for each column.
type Row struct {
	Label  string
	Values []float64
}

type table struct {
	of   []*prometheus.Desc
	look func(context.Context) ([]Row, error)
}

// Describe lists the gauges.
func (t *table) Describe(to chan<- *prometheus.Desc) {
	for _, d := range t.of {
		to <- d
	}
}

// Collect looks.
func (t *table) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	rows, err := t.look(ctx)
	if err != nil {
		return
	}
	for _, r := range rows {
		for i, v := range r.Values {
			to <- prometheus.MustNewConstMetric(t.of[i], prometheus.GaugeValue, v, r.Label)
		}
	}
}
