package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// The states of an export job. All but JobRunning are final.
const (
	JobRunning   = "RUNNING"
	JobCompleted = "COMPLETED"
	JobFailed    = "FAILED"
	JobCanceled  = "CANCELED"
)

// ExportJob is an asynchronous export.
type ExportJob struct {
	ID           string           `json:"jobId"`
	Status       string           `json:"status"`
	ErrorMessage *string          `json:"errorMessage,omitempty"` // exactly when it failed
	CreatedAt    time.Time        `json:"createdAt"`
	CompletedAt  *time.Time       `json:"completedAt,omitempty"`  // in every final state
	Progress     *float64         `json:"progress,omitempty"`     // 0..1
	RowCount     *int64           `json:"rowCount,omitempty"`     // once it is known
	Skipped      []SkippedCapture `json:"skipped,omitempty"`      // of one job, not in a list; 100 at most
	SkippedCount int64            `json:"skippedCount,omitempty"` // how many they are altogether

	// Why captures were left out, the reason with the most of them first; the counts add up to SkippedCount.
	SkippedReasons []SkippedReason `json:"skippedReasons,omitempty"`
}

// SkippedReason is a reason for which an export left captures out, and how many they are.
type SkippedReason struct {
	Reason string `json:"reason"`
	Count  int64  `json:"count"`
}

// SkippedCapture is a capture that an export left out, and why.
type SkippedCapture struct {
	CaptureID string `json:"captureId"`
	Reason    string `json:"reason"`
	FileName  string `json:"fileName,omitempty"` // where it was asked for
}

// The shapes of an export.
const (
	RowPerFrame   = "frames"
	RowPerCapture = "captures"
	RowPerMetric  = "metrics"
	RowPerAthlete = "athletes"
)

// NewExport says what to export. The zero value asks for everything.
type NewExport struct {
	// ids of captures, 10,000 at most; nil for all, and an empty list is refused. Each has rows, or the job says under
	// Skipped why it has none
	Captures []string
	Athletes []string // ids; none for all, and for captures of nobody
	Activity string   // without regard to case; "" for any
	Movement string   // without regard to case; "" for any
	From     *time.Time
	To       *time.Time // the first moment that is left out
	DateMode string     // which time From and To are about: capture_time, also when "", or last_modified
	Metrics  []string   // names of the captures' own columns to keep; none for all
	// "" for every frame, frame for the first of each capture, or an event column for the frame of the event
	RowFilter string
	// what a row is: a frame, RowPerFrame, also when "", a whole capture with its metrics and events,
	// RowPerCapture, a metric of a capture, RowPerMetric, or an athlete, RowPerAthlete, of whom Athletes alone chooses
	Shape string
}

// CreateExport starts an export. WaitExport waits until it has ended, and
// DownloadExport gives its result.
func (c *Client) CreateExport(ctx context.Context, n NewExport, options ...CallOption) (*ExportJob, error) {
	return c.exportJob(ctx, &call{method: http.MethodPost, path: "/data/export", body: encode(n.body())}, options)
}

// ExportEstimate is how much an export would hold.
type ExportEstimate struct {
	Captures int64 `json:"captures"`
	Rows     int64 `json:"rows"`
	Exact    bool  `json:"exact"` // all captures were looked at; else Rows is extrapolated, and Captures may be too few
}

// EstimateExport says how much an export would hold, and starts none.
func (c *Client) EstimateExport(ctx context.Context, n NewExport, options ...CallOption) (*ExportEstimate, error) {
	var e ExportEstimate
	// plain: nothing is kept of it, so that it is safe to repeat without a key.
	if err := c.do(ctx, &call{method: http.MethodPost, path: "/data/export/estimate", body: encode(n.body()),
		plain: true}, &e, options...); err != nil {
		return nil, err
	}
	return &e, nil
}

func (n NewExport) body() map[string]any {
	body := map[string]any{}
	for name, value := range map[string]string{"activity": n.Activity, "movement": n.Movement, "dateMode": n.DateMode,
		"row_filter_column": n.RowFilter, "shape": n.Shape} {
		if value != "" {
			body[name] = value
		}
	}
	for name, value := range map[string]*time.Time{"startTime": n.From, "endTime": n.To} {
		if value != nil {
			body[name] = value.UTC().Format(timeFormat)
		}
	}
	for name, value := range map[string][]string{"athletes": n.Athletes, "metrics": n.Metrics} {
		if len(value) > 0 {
			body[name] = value
		}
	}
	if n.Captures != nil { // who has found none does not mean all
		body["captures"] = n.Captures
	}
	return body
}

// ExportJob reads how far a job is.
func (c *Client) ExportJob(ctx context.Context, id string, options ...CallOption) (*ExportJob, error) {
	return c.exportJob(ctx, &call{method: http.MethodGet, path: exportPath(id)}, options)
}

// CancelExport ends a running job. One that is not running is an *Error with the
// status 409.
func (c *Client) CancelExport(ctx context.Context, id string, options ...CallOption) (*ExportJob, error) {
	return c.exportJob(ctx, &call{method: http.MethodPost, path: exportPath(id) + "/cancel", body: encode(struct{}{})},
		options)
}

// DeleteExport deletes a job that has ended, with its result, and gives the server's confirmation.
func (c *Client) DeleteExport(ctx context.Context, id string, options ...CallOption) (string, error) {
	return c.delete(ctx, exportPath(id), options)
}

func (c *Client) exportJob(ctx context.Context, call *call, options []CallOption) (*ExportJob, error) {
	var job ExportJob
	if err := c.do(ctx, call, &job, options...); err != nil {
		return nil, err
	}
	return &job, nil
}

func exportPath(id string) string { return "/data/export/job/" + segment(id) }

// The time between two looks at a job: a small one is done at once, and for a large
// one nobody needs to ask often.
const (
	firstLook = 100 * time.Millisecond
	lastLook  = 2 * time.Second
)

// WaitExport reads a job again and again until it has ended, in whichever state. It
// tells each, when it is not nil, how far the job is.
func (c *Client) WaitExport(ctx context.Context, id string, each func(*ExportJob)) (*ExportJob, error) {
	for wait := firstLook; ; wait = min(wait*3/2, lastLook) {
		job, err := c.ExportJob(ctx, id)
		if err != nil {
			return nil, err
		}
		if each != nil {
			each(job)
		}
		if job.Status != JobRunning {
			return job, nil
		}
		if err := c.retry.sleep(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// ExportJobPage is one page of jobs.
type ExportJobPage struct {
	Jobs       []ExportJob `json:"jobs"`
	TotalCount int64       `json:"total_count"`
	Offset     int64       `json:"offset"`
	Limit      int         `json:"limit"`
	NextOffset *int64      `json:"next_offset"` // where the next page begins; nil at the end
}

// ListExportJobs gives one page, newest first. 0 leaves the server's default limit.
func (c *Client) ListExportJobs(ctx context.Context, limit int, offset int64, options ...CallOption) (*ExportJobPage,
	error) {
	q := url.Values{}
	paging(q, limit, offset)
	var page ExportJobPage
	if err := c.do(ctx, &call{method: http.MethodGet, path: "/data/export/job", query: q}, &page, options...); err !=
		nil {
		return nil, err
	}
	return &page, nil
}

// ExportJobs goes through all jobs, newest first. An error ends it.
func (c *Client) ExportJobs(ctx context.Context) iter.Seq2[ExportJob, error] {
	return pages(0, 0, func(limit int, offset int64) ([]ExportJob, *int64, error) {
		page, err := c.ListExportJobs(ctx, limit, offset)
		if err != nil {
			return nil, nil, err
		}
		return page.Jobs, page.NextOffset, nil
	})
}

// ExportRow is a row of a result: a text, a number or nil for each of its columns.
type ExportRow map[string]any

// ExportResultPage is one page of a result.
type ExportResultPage struct {
	Results    []ExportRow `json:"results"`
	TotalCount int64       `json:"total_count"` // 0 until the job is completed
	Offset     int64       `json:"offset"`
	Limit      int         `json:"limit"`
	NextOffset *int64      `json:"next_offset"` // where the next page begins; nil at the end
}

// ExportResults gives one page of the rows of an export, at most 500, which also
// counts when limit is 0. Until the job is completed there are none.
func (c *Client) ExportResults(ctx context.Context, id string, limit int, offset int64,
	options ...CallOption) (*ExportResultPage, error) {
	q := url.Values{}
	paging(q, limit, offset)
	var page ExportResultPage
	if err := c.do(ctx, &call{method: http.MethodGet, path: exportPath(id) + "/results", query: q}, &page,
		options...); err != nil {
		return nil, err
	}
	return &page, nil
}

// NDJSON is the type of a file with an object of JSON a line.
const NDJSON = "application/x-ndjson"

// DownloadExport gives all of a result as one file of a type: CSV, NDJSON or Parquet.
// It takes as long as ctx lets it; the caller closes it. Only when reading it ends
// with io.EOF has all of it come. What broke off goes on by From with File.ETag, as soon
// as the server keeps the file, which it begins to once somebody has asked for it. Until
// the job is completed it is an *Error with the status 409.
func (c *Client) DownloadExport(ctx context.Context, id, kind string, options ...CallOption) (*File, error) {
	return c.file(ctx, &call{method: http.MethodGet, path: exportPath(id) + "/results", accept: kind}, options)
}

// From has DownloadExport go on with a file of which so many bytes have come, and which
// must still have this ETag. When it has another, or is not kept yet and so has no
// parts, the answer is all of it: File.Partial tells. One that has the same ETag then
// begins with the very bytes that have come.
func From(offset int64, etag string) CallOption {
	return func(c *call) {
		c.header.Set("Range", "bytes="+strconv.FormatInt(offset, 10)+"-")
		c.header.Set("If-Range", etag)
	}
}

// ForSpreadsheet has DownloadExport give CSV that a spreadsheet opens as it is meant:
// with a byte order mark in front, by which it knows that the text is UTF-8.
func ForSpreadsheet() CallOption {
	return func(c *call) {
		if c.query == nil {
			c.query = url.Values{}
		}
		c.query.Set("bom", "1")
	}
}

// ForLocale has DownloadExport, FramesAs and File give CSV as spreadsheets of a language
// read it, which a tag names (BCP 47), such as de or fr-CA: where its decimal sign is a
// comma, with that and with semicolons between the fields. What is not CSV is an *Error
// with the status 400 then, and so is a tag that the server does not know.
func ForLocale(tag string) CallOption {
	return func(c *call) {
		if c.query == nil {
			c.query = url.Values{}
		}
		c.query.Set("locale", tag)
	}
}
