package app

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/kinebase/kinebase/caller"
	"github.com/kinebase/kinebase/internal/jobs"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/internal/telemetry"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// calls are the figures of what a server asks of its neighbours, and of its own work.
type calls struct {
	database, files, readers, jobs *telemetry.Calls
}

func newCalls(m *telemetry.Metrics) calls {
	return calls{
		database: m.Calls("kinebase_database_call", "calls of the database", "operation", store.CallFailed,
			store.Operations...),
		files: m.Calls("kinebase_file_call", "calls of the disk or bucket of the files", "operation", fileFailed,
			"put", "open", "erase"),
		readers: m.Calls("kinebase_reader", "readings, measurements and conversions of motion files", "operation",
			readerFailed, "read", "measure", "convert"),
		jobs: m.Calls("kinebase_job", "jobs of the queue", "kind", jobs.Failed, job.Works...),
	}
}

func fileFailed(err error) bool {
	return !errors.Is(err, upload.ErrNoFile) && !errors.Is(err, context.Canceled)
}

// readerFailed tells readers that died, or could not be run, from files that cannot be read.
func readerFailed(err error) bool {
	var unreadable *upload.Unreadable
	return !errors.As(err, &unreadable) && !errors.Is(err, context.Canceled)
}

// measuredFiles are files whose calls are counted.
type measuredFiles struct {
	upload.Files
	calls *telemetry.Calls
}

// Put keeps everything that r gives.
func (m measuredFiles) Put(ctx context.Context, name string, r io.Reader, size int64) (int64, error) {
	ctx, call := m.calls.Begin(ctx, "put")
	n, err := m.Files.Put(ctx, name, r, size)
	call.End(err)
	return n, err
}

// Open gives a file.
func (m measuredFiles) Open(ctx context.Context, name string) (upload.File, error) {
	ctx, call := m.calls.Begin(ctx, "open")
	f, err := m.Files.Open(ctx, name)
	call.End(err)
	return f, err
}

// Erase removes a file.
func (m measuredFiles) Erase(ctx context.Context, name string) error {
	ctx, call := m.calls.Begin(ctx, "erase")
	err := m.Files.Erase(ctx, name)
	call.End(err)
	return err
}

// reader is what reads and converts motion files.
type reader interface {
	upload.Reader
	Convert(ctx context.Context, s organization.Scope, name string, f upload.File, format string, rate float64,
		w io.Writer) error
}

// measuredReader is a reader whose calls are counted.
type measuredReader struct {
	reader
	calls *telemetry.Calls
}

// Read reads a file.
func (m measuredReader) Read(ctx context.Context, s organization.Scope, of upload.Source,
	f upload.File) (*upload.Reading, error) {
	ctx, call := m.calls.Begin(ctx, "read")
	got, err := m.reader.Read(ctx, s, of, f)
	call.End(err)
	return got, err
}

// Measure finds what the library of movements has for a recording.
func (m measuredReader) Measure(ctx context.Context, s organization.Scope, as upload.Measured, info []byte, table,
	samples upload.File) ([]byte, error) {
	ctx, call := m.calls.Begin(ctx, "measure")
	got, err := m.reader.Measure(ctx, s, as, info, table, samples)
	call.End(err)
	return got, err
}

// Convert writes a file in another format.
func (m measuredReader) Convert(ctx context.Context, s organization.Scope, name string, f upload.File, format string,
	rate float64, w io.Writer) error {
	ctx, call := m.calls.Begin(ctx, "convert")
	err := m.reader.Convert(ctx, s, name, f, format, rate, w)
	call.End(err)
	return err
}

// figures are those that are asked for at every scrape, of an open store.
func (a *App) figures(s *store.Store, door *caller.Door) {
	m := a.metrics
	m.Gauge("kinebase_readers_max", "Motion files that this server reads at the same time at most.",
		func() float64 { return float64(a.config.Workers) })
	m.Counter("kinebase_authentication_failures_total", "Requests and sign-ins that showed nothing that counts.",
		func() float64 { return float64(door.Failures()) })
	m.Table("queue", []telemetry.Column{
		{Name: "kinebase_queue_waiting_jobs", Help: "Jobs that could be begun now, of all servers."},
		{Name: "kinebase_queue_retrying_jobs",
			Help: "Jobs that have failed and are tried again later, of all servers."},
		{Name: "kinebase_queue_oldest_seconds",
			Help: "Time since the first of the jobs that wait could have been begun."},
	}, func(ctx context.Context) ([]telemetry.Row, error) {
		all, err := s.Backlogs(ctx)
		rows := map[string][]float64{job.Slow: nil, job.Exports: nil, job.Copies: nil, job.Webhooks: nil,
			job.Quick: nil}
		for name := range rows {
			rows[name] = []float64{0, 0, 0}
		}
		for _, b := range all {
			rows[b.Queue] = []float64{float64(b.Waiting), float64(b.Retrying), b.Oldest.Seconds()}
		}
		table := make([]telemetry.Row, 0, len(rows))
		for name, values := range rows {
			table = append(table, telemetry.Row{Label: name, Values: values})
		}
		return table, err
	})
	held := func(name, help, of string, value func(store.Held) float64) {
		if of == "" {
			m.Gauge(name, help, func() float64 { return value(s.Held()) })
			return
		}
		m.LabeledGauge(name, help, "of", of, func() float64 { return value(s.Held()) })
	}
	const memory = "Bytes that this server remembers of lists, by what they are of."
	held("kinebase_list_memory_bytes", memory, "counts", func(h store.Held) float64 { return float64(h.Counts) })
	held("kinebase_list_memory_bytes", memory, "answers", func(h store.Held) float64 { return float64(h.Answers) })
	held("kinebase_list_memory_bytes", memory, "texts", func(h store.Held) float64 { return float64(h.Texts) })
	held("kinebase_list_memory_bytes", memory, "athletes", func(h store.Held) float64 { return float64(h.Athletes) })
	held("kinebase_fold_waiting_changes", "Changes of lists that this server has yet to fold.", "",
		func(h store.Held) float64 { return float64(h.Changes) })
	held("kinebase_fold_oldest_seconds", "Time since the first of the changes that wait to be folded.",
		"", func(h store.Held) float64 { return h.Oldest.Round(time.Millisecond).Seconds() })
}
