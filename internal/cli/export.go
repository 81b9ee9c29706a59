package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/frames"
)

type exportCmd struct {
	URL         string   `name:"url" placeholder:"URL" help:"The server, such as http://127.0.0.1:8080/v1 (KINEBASE_URL)."`
	Token       string   `name:"token" placeholder:"TOKEN" help:"A token with exports:read and exports:write (KINEBASE_TOKEN)."`
	Captures    []string `name:"capture" sep:"none" placeholder:"ID" help:"Only this capture; may be given again for more."`
	Athletes    []string `name:"athlete" sep:"none" placeholder:"ID" help:"Only this athlete; may be given again for more."`
	Activity    string   `name:"activity" placeholder:"NAME" help:"Only captures of this activity."`
	Movement    string   `name:"movement" placeholder:"NAME" help:"Only captures of this movement."`
	From        string   `name:"from" placeholder:"TIME" help:"Only captures from this time on: 2026-05-01 or 2026-05-01T08:00:00Z."`
	To          string   `name:"to" placeholder:"TIME" help:"Only captures before this time."`
	DateMode    string   `name:"date-mode" placeholder:"MODE" help:"Which time --from and --to are about: capture_time (default) or last_modified."`
	Metrics     []string `name:"metric" sep:"none" placeholder:"COLUMN" help:"Keep only this of the captures' own columns; may be given again for more."`
	RowFilter   string   `name:"row-filter" placeholder:"COLUMN" help:"Keep one row of each capture: frame for its first, or an event column for the frame of the event."`
	Shape       string   `name:"shape" placeholder:"SHAPE" help:"What a row is: frames (default), a frame of a capture; or captures, a whole capture with its events and metrics; or metrics, a metric of a capture; or athletes, an athlete, for which the token needs athletes:read."`
	Table       string   `name:"table" placeholder:"TABLE" help:"The tables that motion is joined with: captures, metrics or athletes, as --shape has them."`
	Format      string   `name:"format" placeholder:"FORMAT" help:"csv, ndjson or parquet; as the file's name ends when it is not given."`
	Spreadsheet bool     `name:"spreadsheet" help:"Write CSV that a spreadsheet opens as it is meant."`
	Locale      string   `name:"locale" placeholder:"TAG" help:"Write CSV for spreadsheets of this language, such as de or fr-CA: where the decimal sign is a comma, with that and with semicolons between the fields."`
	Output      string   `name:"output" short:"o" required:"" placeholder:"FILE" help:"The file to write; - is standard output."`
	Job         string   `name:"job" placeholder:"ID" help:"Go on with an export that was started before."`
	jsonFlag
}

// exportKinds are the formats and their media types.
var exportKinds = map[string]string{"csv": client.CSV, "ndjson": client.NDJSON, "parquet": client.Parquet}

// Run has the export built, or goes on with one, and downloads it. The file appears
// when all of it has come.
func (c *exportCmd) Run(ctx context.Context, w *World) error {
	kind, err := c.kind()
	if err != nil {
		return err
	}
	if err := c.table(); err != nil {
		return err
	}
	n, err := c.request()
	if err != nil {
		return err
	}
	server, err := w.server(c.URL, c.Token)
	if err != nil {
		return err
	}
	out, err := c.open(w)
	if err != nil {
		return err
	}
	defer out.abandon()

	p := w.progress()
	defer p.clear()
	id := c.Job
	if id == "" {
		job, err := server.CreateExport(ctx, n)
		if err != nil {
			return serverError(err)
		}
		id = job.ID
	}
	size, job, err := c.fetch(ctx, server, id, kind, out, p)
	p.clear()
	switch {
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("stopped; the export itself goes on. To wait for it and download it: %s", c.again(id))
	case err != nil && out.file != nil && out.tag != "" && out.size > 0:
		return fmt.Errorf("%w (export %s); %s of it are in %s.part. To go on: %s", serverError(err), id,
			megabytes(out.size), c.Output, c.again(id))
	case err != nil:
		return fmt.Errorf("%w (export %s)", serverError(err), id)
	}
	if !c.JSON {
		leftOut(p, job)
	}
	return c.summarize(w, job, size)
}

// table has the shape that --table names.
func (c *exportCmd) table() error {
	switch c.Table {
	case "":
		return nil
	case client.RowPerCapture, client.RowPerMetric, client.RowPerAthlete:
		if c.Shape != "" || c.RowFilter != "" {
			return usage("--table says what a row is: leave --shape and --row-filter out")
		}
		c.Shape = c.Table
		return nil
	}
	return usage("--table must be captures, athletes or metrics, not %q", c.Table)
}

// kind gives the media type of the file.
func (c *exportCmd) kind() (string, error) {
	format := c.Format
	if format == "" {
		format = strings.ToLower(strings.TrimPrefix(filepath.Ext(c.Output), "."))
		if exportKinds[format] == "" {
			return "", usage("--format must say what to write: csv, ndjson or parquet")
		}
	}
	kind := exportKinds[format]
	switch {
	case kind == "":
		return "", usage("--format must be csv, ndjson or parquet, not %q", format)
	case c.Spreadsheet && format != "csv":
		return "", usage("--spreadsheet is for csv, not for %s", format)
	case c.Locale != "" && format != "csv":
		return "", usage("--locale is for csv, not for %s", format)
	case c.JSON && c.Output == "-":
		return "", usage("--json and -o - both write to standard output: give the export a file")
	}
	if c.Locale != "" {
		if _, err := frames.ParseLocale(c.Locale); err != nil {
			return "", usage("--locale %s", frames.LocaleRule)
		}
	}
	c.Format = format
	return kind, nil
}

func (c *exportCmd) request() (n client.NewExport, err error) {
	n = client.NewExport{Captures: c.Captures, Athletes: c.Athletes, Activity: c.Activity, Movement: c.Movement,
		DateMode: c.DateMode, Metrics: c.Metrics, RowFilter: c.RowFilter, Shape: c.Shape}
	for _, flag := range []struct {
		name, text string
		to         **time.Time
	}{{"--from", c.From, &n.From}, {"--to", c.To, &n.To}} {
		if flag.text == "" {
			continue
		}
		at, ok := export.ParseTime(flag.text)
		if !ok {
			return n, usage("%s must be a time such as 2026-05-01 or 2026-05-01T08:00:00Z, not %q", flag.name,
				flag.text)
		}
		*flag.to = &at
	}
	asks := len(n.Captures)+len(n.Athletes)+len(n.Metrics) > 0 || n.Activity+n.Movement+n.DateMode+n.RowFilter+n.Shape+c.From+c.To != ""
	if c.Job != "" && asks {
		return n, usage("--job goes on with an export as it was asked for: what to export cannot be said again")
	}
	return n, nil
}

// downloads is how often a broken download starts again.
const downloads = 3

// fetch waits for a job and downloads its result.
func (c *exportCmd) fetch(ctx context.Context, server *client.Client, id, kind string, out *part, p *progress) (int64,
	*client.ExportJob, error) {
	job, err := server.WaitExport(ctx, id, func(job *client.ExportJob) { p.building(job) })
	switch {
	case err != nil:
		return 0, nil, err
	case job.Status == client.JobFailed && job.ErrorMessage != nil:
		return 0, nil, fmt.Errorf("the export failed: %s", *job.ErrorMessage)
	case job.Status != client.JobCompleted:
		return 0, nil, fmt.Errorf("the export is %s and has no result", job.Status)
	}
	for tries := 1; ; tries++ {
		before := out.size
		err := c.download(ctx, server, id, kind, out, p)
		if err == nil {
			// Rows may have been deleted between.
			job, err = server.ExportJob(ctx, id)
			return out.size, job, err
		}
		if ctx.Err() != nil {
			return 0, nil, ctx.Err()
		}
		var broken *brokenOff
		var refused *client.Error
		switch {
		case errors.As(err, &refused) && refused.Status == http.StatusRequestedRangeNotSatisfiable && out.rewind():
			// more has come than there is
			continue
		case !errors.As(err, &broken):
			return 0, nil, err
		case out.size > before && out.tag != "":
			tries = 0 // it comes on
		}
		if tries == downloads || out.tag == "" && !out.rewind() {
			return 0, nil, err
		}
	}
}

// download has what is missing of a file come, or all of it where the server does not
// give the rest.
func (c *exportCmd) download(ctx context.Context, server *client.Client, id, kind string, out *part,
	p *progress) error {
	var options []client.CallOption
	if c.Spreadsheet {
		options = append(options, client.ForSpreadsheet())
	}
	if c.Locale != "" {
		options = append(options, client.ForLocale(c.Locale))
	}
	if out.size > 0 && out.tag != "" {
		options = append(options, client.From(out.size, out.tag))
	}
	file, err := server.DownloadExport(ctx, id, kind, options...)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	p.started, p.bytes, p.marks = time.Now(), 0, nil
	from := counted{file, p}
	if err := out.begin(from, id, c.mark()); err != nil {
		return err
	}
	to := bufio.NewWriterSize(out, 1<<20)
	_, err = io.Copy(to, from)
	if failed := to.Flush(); failed != nil { // what has come is kept, however it ended
		err = failed
	}
	if err == nil {
		err = out.keep()
	}
	return err
}

// mark tells apart what a part may be of.
func (c *exportCmd) mark() string {
	mark := c.Format
	if c.Spreadsheet {
		mark += " with a mark"
	}
	if c.Locale != "" {
		mark += " in " + c.Locale
	}
	return mark
}

// again is the command that goes on with an export.
func (c *exportCmd) again(id string) string {
	words := []string{"kinebase export --job", id, "--format", c.Format}
	if c.Spreadsheet {
		words = append(words, "--spreadsheet")
	}
	if c.Locale != "" {
		words = append(words, "--locale", c.Locale)
	}
	file := c.Output
	if strings.Trim(file, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/") != "" {
		file = "'" + strings.ReplaceAll(file, "'", `'\''`) + "'"
	}
	return strings.Join(append(words, "-o", file), " ")
}

func (c *exportCmd) summarize(w *World, job *client.ExportJob, size int64) error {
	var rows int64
	if job.RowCount != nil {
		rows = *job.RowCount
	}
	if c.JSON {
		return w.json(struct {
			Job     string                  `json:"job"`
			Rows    int64                   `json:"rows"`
			File    string                  `json:"file"`
			Bytes   int64                   `json:"bytes"`
			Skipped []client.SkippedCapture `json:"skipped"`
			LeftOut int64                   `json:"skippedCount"`
			Reasons []client.SkippedReason  `json:"skippedReasons"`
		}{job.ID, rows, c.Output, size, append([]client.SkippedCapture{}, job.Skipped...), job.SkippedCount,
			append([]client.SkippedReason{}, job.SkippedReasons...)})
	}
	to, file := w.Out, c.Output
	if file == "-" {
		to, file = w.Err, "standard output"
	}
	left := ""
	if n := job.SkippedCount; n > 0 {
		left = "; " + count(n, "capture") + " left out"
	}
	_, err := fmt.Fprintf(to, "Exported %s to %s (%s)%s.\n", count(rows, "row"), file, megabytes(size), left)
	return err
}

// leftOut says why captures were left out, a line for each reason.
func leftOut(p *progress, job *client.ExportJob) {
	for _, reason := range job.SkippedReasons {
		verb := " were "
		if reason.Count == 1 {
			verb = " was "
		}
		p.line(count(reason.Count, "capture") + verb + "left out: " + reason.Reason)
	}
}

// serverError says who could not be reached, without the layers on the way down.
func serverError(err error) error {
	var failed *url.Error
	if errors.As(err, &failed) && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("the server cannot be reached: %w", failed.Err)
	}
	return err
}

// building shows how far a job is.
func (p *progress) building(job *client.ExportJob) {
	if p.width == nil || job.Progress == nil {
		return
	}
	p.draw(time.Now(), drawn(*job.Progress, "building ", fmt.Sprintf(" %3.0f%%", *job.Progress*100), p.width()))
}

// counted shows how much of a file has come.
type counted struct {
	*client.File
	p *progress
}

// Read reads.
func (c counted) Read(b []byte) (int, error) {
	n, err := c.File.Read(b)
	c.p.came(int64(n))
	if err != nil && err != io.EOF {
		err = &brokenOff{err}
	}
	return n, err
}

// brokenOff says that a download ended before its end.
type brokenOff struct{ error }

// Unwrap gives what ended it.
func (b *brokenOff) Unwrap() error { return b.error }

// came shows that more bytes have come.
func (p *progress) came(n int64) {
	p.bytes += n
	now := time.Now()
	if p.width == nil || now.Sub(p.drawn) < 100*time.Millisecond {
		return
	}
	p.draw(now, fit(fmt.Sprintf("downloading %s  %s/s", megabytes(p.bytes), megabytes(int64(p.rate(now, p.bytes)))),
		p.width()))
}
