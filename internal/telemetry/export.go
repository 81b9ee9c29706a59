package telemetry

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	common "go.opentelemetry.io/proto/slim/otlp/common/v1"
	resources "go.opentelemetry.io/proto/slim/otlp/resource/v1"
	traces "go.opentelemetry.io/proto/slim/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// exportTime bounds one request to the collector.
const exportTime = 10 * time.Second

// complainEvery is how often it is said that the collector does not take spans.
const complainEvery = time.Minute

// exporter sends spans by OTLP over HTTP. What the collector does not take is lost: no request waits for it.
type exporter struct {
	Tracing
	client *http.Client

	lock       sync.Mutex
	complained time.Time
}

// ExportSpans sends a batch.
func (e *exporter) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	if len(spans) == 0 {
		return nil
	}
	if err := e.send(ctx, spans); err != nil {
		e.lock.Lock()
		defer e.lock.Unlock()
		if now := time.Now(); now.Sub(e.complained) >= complainEvery {
			e.complained = now
			e.Log.Warn("traces could not be sent, and are lost", "spans", len(spans), "error", err)
		}
	}
	return nil
}

// Shutdown has nothing to end.
func (e *exporter) Shutdown(context.Context) error { return nil }

func (e *exporter) send(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	body, err := proto.Marshal(batch(spans))
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, e.Endpoint, bytes.NewReader(body))
	if err != nil {
		return err
	}
	for name, value := range e.Headers {
		r.Header.Set(name, value)
	}
	r.Header.Set("Content-Type", "application/x-protobuf")
	answer, err := e.client.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 64<<10)) // so that the connection is used again
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("the collector answers %s", answer.Status)
	}
	return nil
}

// batch makes the message of spans, which are all of one tracer.
func batch(spans []sdk.ReadOnlySpan) *traces.TracesData {
	scope := &traces.ScopeSpans{Scope: &common.InstrumentationScope{Name: spans[0].InstrumentationScope().Name}}
	for _, s := range spans {
		id, parent := s.SpanContext(), s.Parent()
		trace, span, above := id.TraceID(), id.SpanID(), parent.SpanID()
		one := &traces.Span{
			TraceId: trace[:], SpanId: span[:], TraceState: id.TraceState().String(), Name: s.Name(),
			Kind: traces.Span_SpanKind(s.SpanKind()), Flags: uint32(id.TraceFlags()),
			StartTimeUnixNano: uint64(s.StartTime().UnixNano()), EndTimeUnixNano: uint64(s.EndTime().UnixNano()),
			Attributes: values(s.Attributes()),
		}
		if parent.IsValid() {
			one.ParentSpanId = above[:]
		}
		if s.Status().Code == codes.Error {
			one.Status = &traces.Status{Code: traces.Status_STATUS_CODE_ERROR}
		}
		scope.Spans = append(scope.Spans, one)
	}
	return &traces.TracesData{ResourceSpans: []*traces.ResourceSpans{{
		Resource:   &resources.Resource{Attributes: values(spans[0].Resource().Attributes())},
		ScopeSpans: []*traces.ScopeSpans{scope},
	}}}
}

// values are attributes, of which ours are texts and whole numbers.
func values(of []attribute.KeyValue) (all []*common.KeyValue) {
	for _, a := range of {
		v := &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: a.Value.String()}}
		if a.Value.Type() == attribute.INT64 {
			v.Value = &common.AnyValue_IntValue{IntValue: a.Value.AsInt64()}
		}
		all = append(all, &common.KeyValue{Key: string(a.Key), Value: v})
	}
	return all
}
