package httpapi

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/turns"
	"github.com/kinebase/kinebase/upload"
)

// asNDJSON is the type of an object of JSON a line.
const asNDJSON = "application/x-ndjson"

// resultFormats has the format that a result is given in as a file of a type.
var resultFormats = map[string]export.Format{asCSV: export.CSV, asNDJSON: export.NDJSON, asParquet: export.Parquet}

// resultsRoom bounds the memory of all results that are written for somebody at a time,
// and resultShare how many of them one organization has.
const (
	resultsRoom = export.Budget
	resultShare = 4
)

// resultTries is how often a result is begun again that is changed by deletions while
// it is asked for.
const resultTries = 3

// resultQuery says what is asked for of a result.
type resultQuery struct {
	pageQuery
	kind string // the type of file that is named; "": Accept says what is wanted
	csvForm
}

// readResult reads what is asked for. A link cannot say what it accepts, so the format
// can be named as well, and counts more.
func readResult(query string) (q resultQuery, err error) {
	const (
		format seen = 1 << iota
		bom
		locale
	)
	var s seen
	q.pageQuery, err = readPage(query, maxLimit, func(name, value string) (err error) {
		switch name {
		case "format":
			if err = s.once(format, name); err != nil {
				return err
			}
			for kind, f := range resultFormats {
				if string(f) == value {
					q.kind = kind
				}
			}
			if q.kind == "" {
				err = fault.New(fault.BadRequest, "format must be one of csv, ndjson, parquet.")
			}
		case "bom":
			if err = s.once(bom, name); err != nil {
				return err
			}
			if q.bom = value == "1"; !q.bom && value != "0" {
				err = fault.New(fault.BadRequest, "bom must be 0 or 1.")
			}
		case "locale":
			if err = s.once(locale, name); err == nil {
				q.locale, err = readLocale(value)
			}
		}
		return err
	})
	return q, err
}

func (a *api) getExportResults(c *call) error {
	q, err := readResult(c.r.URL.RawQuery)
	if err != nil {
		return err
	}
	id, err := c.jobID()
	if err != nil {
		return err
	}
	c.w.Header().Add("Vary", "Accept")
	kind := q.kind
	if kind == "" {
		kind = accepted(c.r.Header["Accept"], asJSON, asCSV, asNDJSON, asParquet)
	}
	if err := q.locale.judge(kind == asCSV); err != nil {
		return err
	}
	if kind != asCSV {
		q.csvForm = csvForm{}
	}
	for range resultTries {
		result, err := a.result(c, id)
		if err != nil {
			return err
		}
		if err := a.mayReadRows(c, result.Request.Shape); err != nil {
			return err
		}
		if kind == asJSON {
			err = a.sendResultPage(c, result, q.pageQuery)
		} else {
			err = a.sendResultFile(c, result, kind, q.csvForm)
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
		if _, missing := a.Exports.Job(c.r.Context(), c.scope(), id, export.Left{}); missing != nil {
			err = unknown(missing, "export job")
		}
	}
	return result, err
}

// rowsOf reads the rows of a result.
func (a *api) rowsOf(c *call, result export.Result) *export.Reader {
	return export.NewReader(a.Files, c.caller.Organization.String(), result, func(row int64) ([]export.Part, error) {
		return a.Results.Parts(c.r.Context(), c.scope(), result.Job.ID, result.Version, row, export.PartsAtOnce)
	})
}

// unhurried takes the deadlines off until the answer begins: many files may have to
// be opened for it. A caller who is gone still ends it.
func (c *call) unhurried() {
	c.pause()
	c.r = c.r.WithContext(turns.UnderWay(c.r.Context()))
	control := http.NewResponseController(c.w)
	_ = control.SetReadDeadline(time.Time{}) // past it, the caller is taken to be gone
	_ = control.SetWriteDeadline(time.Time{})
}

func (a *api) sendResultPage(c *call, result export.Result, q pageQuery) error {
	rows := max(0, min(int64(q.limit), result.Rows-q.offset))
	if c.fresh(tagOf("results", result.Job.ID, string(result.Job.Status), result.Version, asJSON, strconv.Itoa(q.limit),
		strconv.FormatInt(q.offset, 10))) {
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
	leave, err := c.acquire(a.values, values, "The server is busy with the results of others.")
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

// sendResultFile gives all of a result as one file: the one that is kept, or, until
// there is one, written for this caller alone.
func (a *api) sendResultFile(c *call, result export.Result, kind string, form csvForm) error {
	if s := result.Job.Status; s != export.Completed {
		text := "its result can be had as a file once it is COMPLETED."
		if s != export.Running {
			text = "it has no result."
		}
		return fault.New(fault.Conflict, "The job's status is %s: %s", s, text)
	}
	kept, err := a.Keeper.Kept(c.r.Context(), c.scope(), result.Job.ID, result.Version, resultFormats[kind])
	switch {
	case err != nil:
		return err
	case kept.Wait > 0:
		return fault.Busy(nil, kept.Wait,
			"Rows of the result were deleted just now, and its file is made anew. Try again in a moment.")
	case kept.Name != "":
		file, err := a.Files.Open(c.r.Context(), kept.Name)
		if err == nil {
			defer func() { _ = file.Close() }() // it was only read
			return a.sendKept(c, result, kind, kept.Writers, file, form)
		}
		if !errors.Is(err, upload.ErrNoFile) {
			return err
		}
		// It was replaced since it was looked for, or the storage has lost it: then Keep has
		// it made again. Either way this caller need not wait.
		kept.Ask = true
	}
	if kept.Ask && c.r.Method != http.MethodHead {
		if err := a.Keeper.Keep(c.r.Context(), c.scope(), result.Job.ID, resultFormats[kind], kept.Name); err != nil {
			a.Log.WarnContext(c.r.Context(), "a file of an export is made later", "request_id", c.id, "error", err)
		}
	}
	return a.streamResult(c, result, kind, form)
}

// resultType is the media type of a file, and resultName what it is called.
func resultType(kind string) string {
	if kind == asCSV {
		return asCSV + "; charset=utf-8"
	}
	return kind
}

func resultName(result export.Result, kind string) string {
	return "export-" + result.Job.ID + "." + string(resultFormats[kind])
}

// resultTag is the entity tag of a result as a file. The same writers write the same
// bytes of one version, so that it stands for these whether they are kept or written
// for a caller: who was cut off while they were written goes on from the kept file.
func resultTag(result export.Result, kind, writers string, form csvForm) string {
	return form.locale.tag("file", result.Job.ID, result.Version, kind, writers, strconv.FormatBool(form.bom))
}

// errOther says that the result is not, or no longer, the one that the caller means.
func errOther() error {
	return fault.New(fault.PreconditionFailed,
		"The file is not the one that If-Match names: rows of the result were deleted, or another version of the "+
			"server has written it.")
}

// sendKept gives a file that is kept, or the part of it that is asked for.
func (a *api) sendKept(c *call, result export.Result, kind, writers string, file upload.File, form csvForm) error {
	tag := resultTag(result, kind, writers, form)
	if !c.precondition(tag) {
		return errOther()
	}
	whole := newRevocable(file, a.Now, func() (bool, error) {
		now, err := a.Results.Result(c.r.Context(), c.scope(), result.Job.ID)
		return now.Version == result.Version, err
	})
	text, size := form.of(whole, file.Size(), result.Columns)
	return c.sendParts(tag, resultType(kind), resultName(result, kind), text, size)
}

// streamResult writes a result for a caller. How long it will be is not known before,
// and parts of it cannot be had.
func (a *api) streamResult(c *call, result export.Result, kind string, form csvForm) error {
	tag := resultTag(result, kind, export.Writers, form)
	if !c.precondition(tag) {
		return errOther()
	}
	if c.fresh(tag) {
		return nil
	}
	out := &lazy{c: c, log: a.Log, begin: func() {
		c.set("Content-Type", resultType(kind))
		c.set("Accept-Ranges", "none")
		c.set("Content-Disposition", disposition(resultName(result, kind)))
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
	defer a.Downloads.Begin()()
	c.unhurried()
	// A failure within the first piece can still become an error answer.
	piece := bufio.NewWriterSize(&unchanged{to: out, look: func() error {
		_, err := a.Keeper.Kept(c.r.Context(), c.scope(), result.Job.ID, result.Version, resultFormats[kind])
		return err
	}}, 64<<10)
	if form.bom {
		_, err = piece.WriteString(export.ByteOrderMark)
	}
	if err == nil {
		err = resultFormats[kind].Write(c.r.Context(), form.writer(piece, result.Columns), a.rowsOf(c, result),
			export.Budget)
	}
	if err == nil {
		err = piece.Flush()
	}
	if fault.Is(err, fault.Unprocessable) { // it has more columns than can be written
		err = fault.Wrap(err, fault.Conflict, "%s", err.Error())
	}
	return out.end(err)
}

// lookEach is the number of bytes between two checks that a result has not changed.
const lookEach = 4 << 20

// unchanged writes as long as nothing was deleted: a caller who takes the result slowly
// would else be sent rows of people who have long been erased. The parts of a small one
// are all known from the beginning.
type unchanged struct {
	to   io.Writer
	look func() error
	sent int
}

// Write writes.
func (u *unchanged) Write(b []byte) (int, error) {
	if u.sent >= lookEach {
		u.sent = 0
		if err := u.look(); err != nil {
			return 0, err
		}
	}
	u.sent += len(b)
	return u.to.Write(b)
}

// roomForResult waits a while until a result can be given out as a file: first until
// the organization has not too many under way, then until there is memory.
func (a *api) roomForResult(c *call, result export.Result, kind string) (leave func(), err error) {
	const busy = "The server is busy with giving out results."
	done, err := c.acquire(a.given, 1, "Several results of the organization are being given out already.")
	if err != nil {
		return nil, err
	}
	free, err := c.acquire(a.results, resultFormats[kind].Weight(result.Columns), busy)
	if err != nil {
		done()
		return nil, err
	}
	return func() { free(); done() }, nil
}
