package app

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/kinebase/kinebase/audit"
	"github.com/kinebase/kinebase/internal/auditstream"
	"github.com/kinebase/kinebase/organization"
)

// streamEvery is how old an entry is at the most that the stream does not have, while nothing is wrong. Each look asks
// about every organization once something was changed.
const streamEvery = 5 * time.Second

// endTurnFor bounds what a stop waits for a database that is away.
const endTurnFor = 2 * time.Second

// auditStream sends the audit log on while the server runs.
type auditStream struct {
	*App
	log      audit.Streams
	to       audit.Sink
	holder   string
	sent     atomic.Int64
	failures atomic.Int64
	last     atomic.Int64 // when everything had been sent, in seconds since 1970
}

// streamAudit begins to stream, where the settings say so. No request waits for it: it reads what is in the store.
func (a *App) streamAudit(ctx context.Context, log audit.Streams) error {
	if a.config.AuditStream == "" {
		return nil
	}
	to, err := auditstream.Open(a.config.AuditStream)
	if err != nil {
		return err
	}
	s := &auditStream{App: a, log: log, to: to, holder: organization.NewUUID()}
	figure := func(n *atomic.Int64) func() float64 { return func() float64 { return float64(n.Load()) } }
	a.metrics.Counter("kinebase_audit_streamed_total", "Entries of the audit log that this server has streamed.",
		figure(&s.sent))
	a.metrics.Counter("kinebase_audit_stream_failures_total",
		"Attempts of this server to stream the audit log that failed; they are made again.", figure(&s.failures))
	a.metrics.Gauge("kinebase_audit_stream_last_success_timestamp_seconds",
		"When this server last found that the stream had everything, or that another server sends it; 0 until then.",
		figure(&s.last))
	ctx, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	a.closers = append(a.closers, func() error {
		stop()
		<-done
		ctx, cancel := context.WithTimeout(context.Background(), endTurnFor)
		defer cancel()
		if err := log.EndTurn(ctx, s.holder); err != nil { // the turn ends by itself too
			a.log.Warn("another server streams the audit log later than it could", "error", err)
		}
		return nil
	})
	go func() {
		defer close(done)
		s.loop(ctx)
	}()
	return nil
}

func (s *auditStream) loop(ctx context.Context) {
	tick := time.NewTicker(streamEvery)
	defer tick.Stop()
	failing := false
	for {
		sent, err := s.log.Stream(ctx, s.holder, s.to)
		s.sent.Add(int64(sent))
		switch {
		case err == nil, errors.Is(err, audit.ErrElsewhere):
			if failing {
				s.App.log.Info("the audit log is streamed again")
			}
			failing = false
			s.last.Store(time.Now().Unix())
		case ctx.Err() != nil:
		default:
			if s.failures.Add(1); !failing { // said once, counted each time
				s.App.log.Error("the audit log is not streamed; it is tried again, and nothing is lost", "error", err)
			}
			failing = true
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
