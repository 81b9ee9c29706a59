package app

import (
	"context"

	"github.com/kinebase/kinebase/internal/telemetry"
)

// trace has the server's work traced where the settings say so.
func (a *App) trace(ctx context.Context) error {
	to := a.config.Traces.Address()
	if to == "" {
		return nil
	}
	headers, err := a.config.Traces.Fields()
	if err != nil {
		return err
	}
	a.tracer, err = telemetry.NewTracer(ctx, telemetry.Tracing{Endpoint: to, Headers: headers, Version: a.version,
		Log: a.log})
	if err != nil {
		return err
	}
	a.closers = append(a.closers, a.tracer.Close)
	a.metrics.Trace(a.tracer)
	return nil
}
