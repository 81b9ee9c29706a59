package httpapi

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
)

// asNDJSON is the type of an object of JSON a line.
const asNDJSON = "application/x-ndjson"

// resultFiles has the ending of the file that a result is given as.
var resultFiles = map[string]string{asCSV: "csv", asNDJSON: "ndjson", asParquet: "parquet"}

// resultsRoom bounds the memory of all results that are given out as files at a time,
// and resultShare how many of them one organization has.
const (
	resultsRoom = export.Budget
	resultLines = 40 << 20 // what a narrow one takes as text
	resultTable = 96 << 20 // and as Parquet, whose row groups are held
	resultShare = 4
)

// resultTries is how often a result is begun anew that is changed by deletions while
// it is asked for.
const resultTries = 3

// partsAtOnce is how many parts are looked up at a time.
const partsAtOnce = 500

func (a *api) getExportResults(c *call) error {
	q, err := readPage(c.r.URL.RawQuery, maxLimit)
	if err != nil {
		return err
	}
	id, err := c.jobID()
	if err != nil {
		return err
	}
	c.w.Header().Add("Vary", "Accept")
	kind := accepted(c.r.Header["Accept"], asJSON, asCSV, asNDJSON, asParquet)
	for range resultTries {
		result, err := a.result(c, id)
		if err != nil {
			return err
		}
		if kind == asJSON {
			err = a.sendResultPage(c, result, q)
		} else {
			err = a.sendResultFile(c, result, kind, q.bom)
		}
		// Somebody has just deleted what the result had of them.
		if !fault.Is(err, fault.NotFound) {
			return err
		}
	}
	return fault.Busy(nil, time.Second, "The result is being changed by deletions. Try again in a moment.")
}

// result finds a finished export. What there never was for this caller, and what was
// erased, are told apart only to whom the job belongs.
func (a *api) result(c *call, id string) (export.Result, error) {
	result, err := a.Results.Result(c.r.Context(), c.scope(), id)
	if fault.Is(err, fault.NotFound) {
		if _, missing := a.Exports.Job(c.r.Context(), c.scope(), id); missing != nil {
			err = unknown(missing, "export job")
		}
	}
	return result, err
}

// rowsOf reads the rows of a result.
func (a *api) rowsOf(c *call, result export.Result) *export.Reader {
	return export.NewReader(a.Files, c.token.Organization, result, func(row int64) ([]export.Part, error) {
		return a.Results.Parts(c.r.Context(), c.scope(), result.Job.ID, result.Version, row, partsAtOnce)
	})
}

// unhurried takes the deadlines off until the answer begins: many files may have to
// be opened for it. A caller who is gone still ends it.
func (c *call) unhurried() {
	control := http.NewResponseController(c.w)
	_ = control.SetReadDeadline(time.Time{}) // past it, the caller is taken to be gone
	_ = control.SetWriteDeadline(time.Time{})
}

func (a *api) sendResultPage(c *call, result export.Result, q pageQuery) error {
	rows := max(0, min(int64(q.limit), result.Rows-q.offset))
	if c.fresh(tagOf("results", result.Job.ID, string(result.Job.Status), result.Version, asJSON, strconv.Itoa(q.limit), strconv.FormatInt(q.offset, 10))) {
		return nil
	}
	if rows == 0 {
		b, err := export.AppendPage(c.r.Context(), nil, a.rowsOf(c, result), q.offset, q.limit)
		if err == nil {
			c.send(http.StatusOK, b)
		}
		return err
	}
	// Each value stands beside its name, so it weighs more than one of frames.
	values := min(2*rows*int64(len(export.Header(result.Columns))), valuesRoom)
	leave, err := acquire(c.r.Context(), a.values, values, "The server is busy with the results of others.")
	if err != nil {
		return err
	}
	defer leave()
	c.unhurried()
	b, err := export.AppendPage(c.r.Context(), nil, a.rowsOf(c, result), q.offset, q.limit)
	if err == nil {
		c.sendLong(asJSON, b)
	}
	return err
}

func (a *api) sendResultFile(c *call, result export.Result, kind string, bom bool) error {
	if s := result.Job.Status; s != export.Completed {
		text := "its result can be had as a file once it is COMPLETED."
		if s != export.Running {
			text = "it has no result."
		}
		return fault.New(fault.Conflict, "The job's status is %s: %s", s, text)
	}
	bom = bom && kind == asCSV
	if c.fresh(tagOf("results", result.Job.ID, result.Version, kind, strconv.FormatBool(bom))) {
		return nil
	}
	out := &lazy{c: c, log: a.Log, begin: func() {
		h := c.w.Header()
		h["Content-Type"] = []string{kind}
		if kind == asCSV {
			h["Content-Type"] = []string{asCSV + "; charset=utf-8"}
		}
		h["Accept-Ranges"] = []string{"none"}
		h["Content-Disposition"] = []string{disposition("export-" + result.Job.ID + "." + resultFiles[kind])}
	}}
	if c.r.Method == http.MethodHead {
		out.start()
		return nil
	}
	leave, err := a.roomForResult(c, result, kind)
	if err != nil {
		return err
	}
	defer leave()
	c.unhurried()
	// What fails within the first piece is still an answer of its own.
	piece := bufio.NewWriterSize(out, 64<<10)
	if err = writeResult(c.r.Context(), piece, a.rowsOf(c, result), kind, bom); err == nil {
		err = piece.Flush()
	}
	if fault.Is(err, fault.Unprocessable) { // it has more columns than can be written
		err = fault.Wrap(err, fault.Conflict, "%s", err.Error())
	}
	return out.end(err)
}

// writeResult writes a result in the format of a type.
func writeResult(ctx context.Context, out io.Writer, rows *export.Reader, kind string, bom bool) error {
	switch kind {
	case asCSV:
		return export.WriteCSV(ctx, out, rows, export.Budget, bom)
	case asNDJSON:
		return export.WriteNDJSON(ctx, out, rows, export.Budget)
	}
	return export.WriteParquet(ctx, out, rows, export.Budget)
}

// roomForResult waits a while until a result can be given out as a file: first until
// the organization has not too many under way, then until there is memory.
func (a *api) roomForResult(c *call, result export.Result, kind string) (leave func(), err error) {
	const busy = "The server is busy with giving out results."
	done, err := a.shares.acquire(c.r.Context(), c.token.Organization, "Several results of the organization are being given out already.")
	if err != nil {
		return nil, err
	}
	least := int64(resultLines)
	if kind == asParquet {
		least = resultTable
	}
	weight := min(least+int64(len(result.Columns.Own))*export.ColumnBytes, resultsRoom)
	free, err := acquire(c.r.Context(), a.results, weight, busy)
	if err != nil {
		done()
		return nil, err
	}
	return func() { free(); done() }, nil
}
