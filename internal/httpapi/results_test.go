package httpapi

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/testkit/contract"
	"github.com/kinebase/kinebase/organization"
)

// finished is a store of one export, whose parts are kept in memory.
type finished struct {
	export.Requests
	result  export.Result
	parts   []export.Part
	erased  bool
	changes int   // how often it changes between the look at the result and that at its parts
	broken  error // what the second look at parts fails with
	looks   int

	kept map[export.Format]export.Kept
	asks []string // the formats that were asked for, and what of them was lost
}

func (f *finished) Kept(_ context.Context, _ organization.Scope, _, version string, format export.Format) (export.Kept,
	error) {
	if version != f.result.Version {
		return export.Kept{}, fault.New(fault.NotFound, "the result has changed")
	}
	return f.kept[format], nil
}

func (f *finished) Keep(_ context.Context, _ organization.Scope, _ string, format export.Format, lost string) error {
	f.asks = append(f.asks, string(format)+lost)
	return nil
}

func (f *finished) Job(_ context.Context, _ organization.Scope, id string, _ export.Left) (export.Job, error) {
	if id != f.result.Job.ID {
		return export.Job{}, fault.New(fault.NotFound, "there is no such export job")
	}
	return f.result.Job, nil
}

func (f *finished) Result(ctx context.Context, s organization.Scope, id string) (export.Result, error) {
	job, err := f.Job(ctx, s, id, export.Left{})
	switch {
	case err != nil:
		return export.Result{}, err
	case f.erased:
		return export.Result{}, fault.New(fault.NotFound, "the result of this export has been erased")
	case job.Status != export.Completed:
		return export.Result{Job: job}, nil
	}
	return f.result, nil
}

func (f *finished) Parts(_ context.Context, _ organization.Scope, _, version string, row int64,
	limit int) ([]export.Part, error) {
	f.looks++
	if f.changes > 0 {
		f.changes--
		f.result.Version += "+"
	}
	if version != f.result.Version {
		return nil, fault.New(fault.NotFound, "the result has changed")
	}
	if f.broken != nil && f.looks > 1 {
		return nil, f.broken
	}
	for i, p := range f.parts {
		if row < p.First+p.Rows {
			return f.parts[i : i+1], nil // one at a time, so that there are several looks
		}
	}
	return nil, nil
}

// walks is a finished export of the walk, once for somebody and once for nobody.
func walks(t *testing.T, s *uploads) *finished {
	t.Helper()
	s.recorded(t, "a")
	done := start.Add(time.Minute)
	source := &export.Source{SessionID: "=a", Table: "table", Info: s.stored["a"].Info, CaptureTime: &start}
	rows := int64(20)
	var own []export.Column
	for _, name := range []string{"LASI_x", "LASI_y", "LASI_z", "Fz1"} {
		own = append(own, export.Column{Name: name, From: export.Origin{Kind: export.Number, Name: name}})
	}
	return &finished{
		result: export.Result{
			Job: export.Job{ID: "job 1", Status: export.Completed, CreatedAt: start, CompletedAt: &done,
				Progress: 1, RowCount: &rows},
			Columns: export.Columns{Own: own}, Rows: rows, Version: "1",
		},
		parts: []export.Part{
			{Source: source, Rows: 10, AthleteID: "0191a0c4-5c1e-7d2a-9f3b-2c6f1e8d4b70", Athlete: "Jo"},
			{Source: source, First: 10, Rows: 10},
		},
	}
}

// giver is a handler that gives a result out, held to the contract, and a function
// that asks it about the job of the id.
func giver(t *testing.T, f *finished, s *uploads) func(method, path string, headers ...string) *answer {
	tokens := newOneToken(t, time.Hour, organization.ExportsRead)
	h := contract.Of(t).Handler(
		New(Options{Tokens: tokens, Exports: f, Requests: f, Results: f, Keeper: f, Files: s,
			Now: func() time.Time { return start }}))
	return func(method, path string, headers ...string) *answer {
		w := ask(h, tokens, method, "/v1/data/export/job/"+path, headers...)
		return &answer{w.Code, w.Header(), w.Body.String()}
	}
}

func TestAResultIsGivenInPages(t *testing.T) {
	s := newUploads()
	f := walks(t, s)
	get := giver(t, f, s)
	page := get("GET", "%20job%201/results?limit=3&offset=8")
	var o struct {
		Results    []map[string]any
		TotalCount int `json:"total_count"`
		Offset     int
		Limit      int
	}
	if err := json.Unmarshal([]byte(page.body), &o); err != nil || page.status != 200 {
		t.Fatal(page, err)
	}
	if len(o.Results) != 3 || o.TotalCount != 20 || o.Offset != 8 || o.Limit != 3 {
		t.Errorf("a page is %+v", o)
	}
	for i, want := range []string{"8 Jo 0.8", "9 Jo 0.9", "0 <nil> 0"} {
		row := o.Results[i]
		if got := fmt.Sprint(row["frame"], " ", row["athlete_name"], " ", row["LASI_x"]); got != want {
			t.Errorf("row %d is %s, want %s", i, got, want)
		}
	}
	if got := get("GET", "job%201/results?limit=3&offset=8", "If-None-Match", page.header.Get("Etag")); got.status !=
		304 {
		t.Errorf("the same page again: %+v", got)
	}
	if got := get("HEAD", "job%201/results?limit=3&offset=8"); got.status != 200 ||
		got.header.Get("Content-Length") != fmt.Sprint(len(page.body)) {
		t.Errorf("HEAD: %+v", got)
	}
	for query, want := range map[string]string{
		"?offset=20":                         `{"results":[],"total_count":20,"offset":20,"limit":500,"next_offset":null}`,
		"?offset=9007199254740991&limit=500": `{"results":[],"total_count":20,"offset":9007199254740991,"limit":500,"next_offset":null}`,
	} {
		if got := get("GET", "job%201/results"+query); got.status != 200 || got.body != want {
			t.Errorf("%s: %+v", query, got)
		}
	}
	if got := get("GET", "job%201/results?what=else"); got.status != 200 || strings.Count(got.body, "sessionid") != 20 {
		t.Errorf("without a limit: %+v", got)
	}
	for query, what := range map[string]string{
		"?limit=0": "limit", "?limit=501": "limit", "?limit=": "limit", "?limit=1&limit=1": "limit is given twice",
		"?offset=-1": "offset", "?offset=1&offset=1": "offset is given twice",
		"?bom=yes": "bom must be 0 or 1", "?bom=": "bom", "?bom=1&bom=1": "bom is given twice",
		"?format=csv&locale=german": "locale must be a language tag", "?format=csv&locale=": "locale must be",
		"?format=csv&locale=de&locale=de": "locale is given twice",
		"?locale=de":                      "locale is for CSV alone",
		"?format=parquet&locale=en":       "locale is for CSV alone",
		"?format=ndjson&locale=de&bom=1":  "locale is for CSV alone",
		"?format=xlsx":                    "format must be one of csv, ndjson, parquet", "?format=": "format must be",
		"?format=CSV": "format must be", "?format=csv&format=csv": "format is given twice", "?limit=%zz": "escape",
	} {
		if got := get("GET", "job%201/results"+query); got.status != 400 || !strings.Contains(got.body, what) {
			t.Errorf("%s: %+v", query, got)
		}
	}
}

func TestAResultIsGivenAsAFileOfTheTypeThatIsAccepted(t *testing.T) {
	s := newUploads()
	f := walks(t, s)
	get := giver(t, f, s)
	tags := map[string]string{}
	for accept, want := range map[string]struct{ kind, name string }{
		"text/csv":             {"text/csv; charset=utf-8", `attachment; filename="export-job 1.csv"`},
		"application/x-ndjson": {"application/x-ndjson", `attachment; filename="export-job 1.ndjson"`},
		"application/vnd.apache.parquet": {"application/vnd.apache.parquet",
			`attachment; filename="export-job 1.parquet"`},
	} {
		got := get("GET", "job%201/results?limit=1&offset=7", "Accept", accept)
		if got.status != 200 || got.header.Get("Content-Type") != want.kind ||
			got.header.Get("Content-Disposition") != want.name || got.header.Get("Accept-Ranges") != "none" ||
			got.header.Get("Vary") != "Accept" {
			t.Errorf("%s: %d %v", accept, got.status, got.header)
		}
		tags[got.header.Get("Etag")] = accept
		switch accept {
		case "text/csv":
			rows, err := csv.NewReader(strings.NewReader(got.body)).ReadAll()
			if err != nil || len(rows) != 21 || rows[0][0] != "sessionid" || rows[20][10] != "9" {
				t.Errorf("%d rows, %v", len(rows), err)
			}
		case "application/x-ndjson":
			if lines := bytes.Count([]byte(got.body), []byte("\n")); lines != 20 {
				t.Errorf("%d lines", lines)
			}
		}
		if again := get("GET", "job%201/results", "Accept", accept, "If-None-Match",
			got.header.Get("Etag")); again.status != 304 {
			t.Errorf("%s again: %+v", accept, again)
		}
		if head := get("HEAD", "job%201/results", "Accept", accept); head.status != 200 ||
			head.header.Get("Etag") != got.header.Get("Etag") {
			t.Errorf("HEAD, %s: %+v", accept, head)
		}
		if part := get("GET", "job%201/results", "Accept", accept, "Range", "bytes=0-3"); part.status != 200 ||
			part.body != got.body {
			t.Errorf("%s: a part is %d", accept, part.status)
		}
	}
	sheet := get("GET", "job%201/results?bom=1", "Accept", "text/csv")
	plain := get("GET", "job%201/results", "Accept", "text/csv")
	if sheet.body != "\ufeff"+plain.body || !strings.Contains(plain.body, "\n'=a,") {
		t.Errorf("for a spreadsheet: %.200q, and else %.200q", sheet.body, plain.body)
	}
	tags[sheet.header.Get("Etag")] = "bom"
	if len(tags) != 4 {
		t.Errorf("several files have one tag: %v", tags)
	}
}

func TestALinkNamesTheFormatOfAResult(t *testing.T) {
	s := newUploads()
	f := walks(t, s)
	get := giver(t, f, s)
	for format, accept := range map[string]string{"csv": "text/csv", "ndjson": "application/x-ndjson",
		"parquet": "application/vnd.apache.parquet"} {
		want := get("GET", "job%201/results?bom=1", "Accept", accept)
		for _, accepts := range []string{"text/html,*/*;q=0.8", "application/json", ""} {
			got := get("GET", "job%201/results?bom=1&limit=3&format="+format, "Accept", accepts)
			if got.status != 200 || got.body != want.body ||
				got.header.Get("Content-Disposition") != want.header.Get("Content-Disposition") ||
				got.header.Get("Etag") != want.header.Get("Etag") {
				t.Errorf("%s, to who accepts %q: %d %v", format, accepts, got.status, got.header)
			}
		}
	}
	f.result.Job.Status = export.Running
	if got := get("GET", "job%201/results?format=csv"); got.status != 409 || !strings.Contains(got.body, "RUNNING") {
		t.Errorf("before it is completed: %+v", got)
	}
}

func TestUntilAJobIsCompletedItHasNoRowsAndNoFile(t *testing.T) {
	s := newUploads()
	f := walks(t, s)
	get := giver(t, f, s)
	for status, why := range map[export.Status]string{export.Running: "RUNNING: its result can be had as a file once " +
		"it is COMPLETED", export.Failed: "FAILED: it has no result", export.Canceled: "CANCELED: it has no result"} {
		f.result.Job.Status = status
		page := get("GET", "job%201/results?offset=3")
		if page.status != 200 ||
			page.body != `{"results":[],"total_count":0,"offset":3,"limit":500,"next_offset":null}` {
			t.Errorf("%s: %+v", status, page)
		}
		for _, accept := range []string{"text/csv", "application/x-ndjson", "application/vnd.apache.parquet"} {
			if got := get("GET", "job%201/results", "Accept", accept); got.status != 409 ||
				!strings.Contains(got.body, why) || got.header.Get("Etag") != "" {
				t.Errorf("%s, %s: %+v", status, accept, got)
			}
		}
		f.result.Job.Status = export.Completed
		if got := get("GET", "job%201/results?offset=3", "If-None-Match", page.header.Get("Etag")); got.status != 200 {
			t.Errorf("completed after %s: %+v", status, got)
		}
	}
	f.erased = true
	for _, accept := range []string{"application/json", "text/csv"} {
		if got := get("GET", "job%201/results", "Accept", accept); got.status != 404 ||
			!strings.Contains(got.body, "has been erased") {
			t.Errorf("erased: %+v", got)
		}
		if got := get("GET", "job%202/results", "Accept", accept); got.status != 404 ||
			!strings.Contains(got.body, "There is no such export job.") {
			t.Errorf("unknown: %+v", got)
		}
	}
}

func TestAResultThatHasJustChangedIsBegunAnew(t *testing.T) {
	for _, accept := range []string{"application/json", "text/csv", "application/x-ndjson",
		"application/vnd.apache.parquet"} {
		s := newUploads()
		f := walks(t, s)
		get := giver(t, f, s)
		before := get("HEAD", "job%201/results", "Accept", accept).header.Get("Etag")
		f.changes = resultTries - 1
		if got := get("GET", "job%201/results", "Accept", accept); got.status != 200 ||
			got.header.Get("Etag") == before {
			t.Errorf("%s: %d %v", accept, got.status, got.header)
		}
		f.changes = resultTries
		if got := get("GET", "job%201/results", "Accept", accept); got.status != 503 ||
			got.header.Get("Retry-After") == "" || got.header.Get("Content-Disposition") != "" {
			t.Errorf("%s, that changes again and again: %d %v", accept, got.status, got.header)
		}
	}
}

func TestAFileThatBreaksOffDoesNotLookWhole(t *testing.T) {
	s := newUploads()
	f := walks(t, s)
	f.parts = f.parts[:0]
	source := *walks(t, s).parts[0].Source
	for i := range int64(2000) {
		f.parts = append(f.parts, export.Part{Source: &source, First: 10 * i, Rows: 10})
	}
	f.result.Rows = 20_000
	tokens := newOneToken(t, time.Hour, organization.ExportsRead)
	h := New(Options{Tokens: tokens, Exports: f, Results: f, Keeper: f, Files: s,
		Now: func() time.Time { return start }})
	broken := errors.New("the disk is gone")
	for looks, begun := range map[int]bool{1: false, 1500: true} {
		f.looks, f.broken = 2-looks, broken // it fails at the look of that number
		func() {
			defer func() {
				if cut := recover(); begun != (cut == http.ErrAbortHandler) {
					t.Errorf("broken at look %d it ends with %v", looks, cut)
				}
			}()
			if w := ask(h, tokens, "GET", "/v1/data/export/job/job%201/results", "Accept", "text/csv"); w.Code != 500 {
				t.Errorf("broken at once it answers %d", w.Code)
			}
		}()
	}
}

// remembered is a finished export that tells all its parts at the first look, and is
// changed once the answer has begun.
type remembered struct {
	*finished
	begun bool
}

func (r *remembered) Parts(_ context.Context, _ organization.Scope, _, _ string, row int64, _ int) ([]export.Part,
	error) {
	return r.parts[row/10:], nil
}

func (r *remembered) Kept(ctx context.Context, s organization.Scope, id, version string, f export.Format) (export.Kept,
	error) {
	kept, err := r.finished.Kept(ctx, s, id, version, f)
	if !r.begun {
		r.begun, r.result.Version = true, r.result.Version+"+"
	}
	return kept, err
}

func TestAFileOfWhatWasDeletedBreaksOffThoughAllItsPartsAreKnown(t *testing.T) {
	for _, accept := range []string{asCSV, asNDJSON} { // as Parquet these rows are smaller than what is looked after
		s := newUploads()
		f := walks(t, s)
		source := f.parts[0].Source
		f.parts, f.result.Rows = nil, 200_000
		for first := int64(0); first < f.result.Rows; first += 10 {
			f.parts = append(f.parts, export.Part{Source: source, First: first, Rows: 10, Athlete: fmt.Sprint(first)})
		}
		r := &remembered{finished: f}
		tokens := newOneToken(t, time.Hour, organization.ExportsRead)
		h := New(Options{Tokens: tokens, Exports: f, Results: r, Keeper: r, Files: s,
			Now: func() time.Time { return start }})
		func() {
			defer func() {
				if cut := recover(); cut != http.ErrAbortHandler {
					t.Errorf("%s ends with %v", accept, cut)
				}
			}()
			w := ask(h, tokens, "GET", "/v1/data/export/job/job%201/results", "Accept", accept)
			t.Errorf("%s: %d with %d bytes", accept, w.Code, w.Body.Len())
		}()
	}
}

func TestSeveralFilesAtOnceAreBounded(t *testing.T) {
	s := newUploads()
	f := walks(t, s)
	synctest.Test(t, func(t *testing.T) {
		tokens := newOneToken(t, time.Hour, organization.ExportsRead)
		h := New(Options{Tokens: tokens, Exports: f, Results: f, Keeper: f, Files: s,
			Now: func() time.Time { return start }}).(*api)
		get := func() int {
			return ask(h, tokens, "GET", "/v1/data/export/job/job%201/results", "Accept", "text/csv").Code
		}
		who := tokens.token.Organization
		leave, err := h.given.Acquire(t.Context(), who, resultShare, "")
		if err != nil {
			t.Fatal(err)
		}
		if got := get(); got != 503 {
			t.Errorf("with all places of the organization taken: %d", got)
		}
		if !h.given.Take(organization.ID{255}, 1) {
			t.Error("another organization has no place")
		}
		h.given.Put(organization.ID{255}, 1)
		leave()
		if !h.results.Take(organization.ID{255}, resultsRoom) {
			t.Fatal("the memory is not free")
		}
		if got := get(); got != 503 {
			t.Errorf("without memory: %d", got)
		}
		if held, _ := h.given.Holds(); held != 0 {
			t.Errorf("who has nothing under way holds %d places", held)
		}
	})
}
