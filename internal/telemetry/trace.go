package telemetry

import (
	"context"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Tracer makes spans of requests, jobs and calls, and sends them to a collector. They hold patterns, methods,
// statuses and the names of operations, and never an id, a name, a path or the text of an error. A nil Tracer
// makes none.
type Tracer struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
}

// Tracing says where traces go.
type Tracing struct {
	Endpoint string            // the whole address, …/v1/traces
	Headers  map[string]string // of each request
	Version  string
	Log      *slog.Logger
}

// NewTracer makes one. Which requests are traced, what the service is called and how spans are gathered are
// the standard variables OTEL_TRACES_SAMPLER, OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES and OTEL_BSP_…,
// which the library reads.
func NewTracer(ctx context.Context, o Tracing) (*Tracer, error) {
	// Nothing is looked up about the process: its arguments may say what is nobody's business.
	about, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", "kinebase"),
		attribute.String("service.version", o.Version)), resource.WithFromEnv())
	if err != nil {
		return nil, err
	}
	p := sdk.NewTracerProvider(sdk.WithBatcher(&exporter{Tracing: o, client: &http.Client{Timeout: exportTime}}),
		sdk.WithResource(about))
	return &Tracer{p, p.Tracer("github.com/kinebase/kinebase")}, nil
}

// closeTime bounds the wait for what is still to be sent.
const closeTime = 5 * time.Second

// Close sends what is left.
func (t *Tracer) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	_ = t.provider.Shutdown(ctx) // the exporter has told what could not be sent
	return nil
}

// w3c reads and writes traceparent and tracestate.
var w3c propagation.TraceContext

// Request begins the span of a request, as a part of the trace that its header names; end ends it.
func (t *Tracer) Request(ctx context.Context, h http.Header, pattern, method string) (_ context.Context,
	end func(status int)) {
	ctx, span := t.tracer.Start(w3c.Extract(ctx, propagation.HeaderCarrier(h)), method+" "+pattern,
		trace.WithSpanKind(trace.SpanKindServer),
		trace.WithAttributes(attribute.String("http.request.method", method), attribute.String("http.route", pattern)))
	return ctx, func(status int) {
		span.SetAttributes(attribute.Int("http.response.status_code", status))
		if status >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}

// tracing says that a process has a Tracer: without one nobody looks for spans.
var tracing atomic.Bool

// Parent gives the trace that a context is a part of, as a job carries it; "" for none.
func Parent(ctx context.Context) string {
	if !tracing.Load() || !trace.SpanContextFromContext(ctx).IsSampled() {
		return ""
	}
	carrier := propagation.MapCarrier{}
	w3c.Inject(ctx, carrier)
	return carrier["traceparent"]
}

// Under makes a context a part of the trace that Parent gave.
func Under(ctx context.Context, parent string) context.Context {
	if parent == "" {
		return ctx
	}
	return w3c.Extract(ctx, propagation.MapCarrier{"traceparent": parent})
}

// Along gives a context that outlives another one the trace of that.
func Along(ctx, of context.Context) context.Context {
	if !tracing.Load() {
		return ctx
	}
	return trace.ContextWithSpan(ctx, trace.SpanFromContext(of))
}

// span begins one of a call. Calls outside of any trace have none, unless they are roots.
func (t *Tracer) span(ctx context.Context, name string, kind trace.SpanKind) (context.Context, trace.Span) {
	if kind != trace.SpanKindConsumer && !trace.SpanContextFromContext(ctx).IsValid() {
		return ctx, nil
	}
	return t.tracer.Start(ctx, name, trace.WithSpanKind(kind))
}
