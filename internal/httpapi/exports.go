package httpapi

import (
	"strconv"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
)

func (a *api) createExport(c *call) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	repeat, body, done, err := a.posted(c)
	if err != nil {
		return err
	}
	defer done()
	r, err := export.NewRequest(body)
	if err != nil {
		return err
	}
	if err := a.mayReadRows(c, r.Shape); err != nil {
		return err
	}
	job, err := a.Requests.CreateJob(c.r.Context(), c.scope(), r, keepJob(repeat))
	if err != nil {
		return err
	}
	return c.sendJob(job, repeat)
}

// mayReadRows refuses a caller who may not read what rows of the shape tell.
func (a *api) mayReadRows(c *call, shape export.Shape) error {
	if p := shape.Needs(); p != "" && !c.caller.Permissions.Has(p) {
		a.noteRefused(c)
		return lacks(p)
	}
	return nil
}

// estimateExport says how much an export would hold. Nothing is kept of it, so that it
// takes no idempotency key.
func (a *api) estimateExport(c *call) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	body, err := c.object(nil)
	if err != nil {
		return err
	}
	r, err := export.NewRequest(body)
	if err != nil {
		return err
	}
	if err := a.mayReadRows(c, r.Shape); err != nil {
		return err
	}
	e, err := a.Requests.Estimate(c.r.Context(), c.scope(), r)
	if err != nil {
		return err
	}
	b := strconv.AppendInt([]byte(`{"captures":`), e.Captures, 10)
	b = strconv.AppendInt(append(b, `,"rows":`...), e.Rows, 10)
	b = strconv.AppendBool(append(b, `,"exact":`...), e.Exact)
	c.send(200, append(b, '}'))
	return nil
}

func (a *api) cancelExport(c *call) error {
	return withoutFields(a, c, c.jobID, func(id string, repeat *organization.Repeat) error {
		job, err := a.Requests.CancelJob(c.r.Context(), c.scope(), id, keepJob(repeat))
		if err != nil {
			return unknown(err, "export job")
		}
		return c.sendJob(job, repeat)
	})
}

func (a *api) deleteExport(c *call) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	id, err := c.jobID()
	if err != nil {
		return err
	}
	if err := a.Requests.DeleteJob(c.r.Context(), c.scope(), id); err != nil {
		return unknown(err, "export job")
	}
	c.send(200, []byte(`{"message":"The export job and its result were deleted."}`))
	return nil
}

// keepJob has the answer about a written job kept for a repetition.
func keepJob(repeat *organization.Repeat) *organization.Once[export.Job] {
	return keep(repeat, func(job export.Job) ([]byte, error) {
		return keptAnswer("", "", export.AppendJSON(nil, job)), nil
	})
}

// sendJob answers a write with the job, or with what was answered before.
func (c *call) sendJob(job export.Job, repeat *organization.Repeat) error {
	if repeat.Replayed() {
		return c.replay(repeat.Replay)
	}
	c.send(200, export.AppendJSON(make([]byte, 0, 512), job))
	return nil
}

func (a *api) getExportJob(c *call) error {
	left, err := leftParams(c.r.URL.RawQuery)
	if err != nil {
		return err
	}
	id, err := c.jobID()
	if err != nil {
		return err
	}
	job, err := a.Exports.Job(c.r.Context(), c.scope(), id, left)
	if err != nil {
		return unknown(err, "export job")
	}
	c.send(200, export.AppendJSON(make([]byte, 0, 512), job))
	return nil
}

// leftParams reads what is to be told of captures that a job has left out.
func leftParams(query string) (left export.Left, err error) {
	const skipped, include seen = 1, 2
	var s seen
	err = eachParam(query, func(name, value string) error {
		switch name {
		case "skipped":
			if err := s.once(skipped, name); err != nil {
				return err
			}
			n, ok := decimal(value, export.MaxSkipped)
			if !ok || n < 1 {
				return fault.New(fault.BadRequest, "skipped must be a whole number from 1 to %d.", export.MaxSkipped)
			}
			left.Limit = int(n)
		case "include":
			if err := s.once(include, name); err != nil {
				return err
			}
			if value != "file" {
				return fault.New(fault.BadRequest, "include takes file here.")
			}
			left.Files = true
		}
		return nil
	})
	return left, err
}

// jobID reads the id of the path.
func (c *call) jobID() (string, error) {
	id, err := export.ParseID(c.path[0])
	if err == nil {
		c.path[0] = id
	}
	return id, err
}

func (a *api) listExportJobs(c *call) error {
	q, err := readPage(c.r.URL.RawQuery, defaultLimit, nil)
	if err != nil {
		return err
	}
	jobs, total, err := a.Requests.Jobs(c.r.Context(), c.scope(), q.limit, q.offset)
	if err != nil {
		return err
	}
	b := append(make([]byte, 0, 256*(len(jobs)+1)), `{"jobs":[`...)
	for i, job := range jobs {
		if i > 0 {
			b = append(b, ',')
		}
		b = export.AppendJSON(b, job)
	}
	b = strconv.AppendInt(append(b, `],"total_count":`...), total, 10)
	b = strconv.AppendInt(append(b, `,"offset":`...), q.offset, 10)
	b = strconv.AppendInt(append(b, `,"limit":`...), int64(q.limit), 10)
	c.send(200, append(organization.AppendNextOffset(b, q.offset, int64(len(jobs)), total), '}'))
	return nil
}

// pageQuery says which page is asked for.
type pageQuery struct {
	limit  int
	offset int64
}

// readPage reads limit and offset, and gives what else there is to more, if that is not nil.
func readPage(query string, usual int, more func(name, value string) error) (pageQuery, error) {
	q := pageQuery{limit: usual}
	const (
		limit seen = 1 << iota
		offset
	)
	var s seen
	err := eachParam(query, func(name, value string) (err error) {
		switch name {
		case "limit":
			if err = s.once(limit, name); err == nil {
				q.limit, err = parseLimit(value, maxLimit)
			}
		case "offset":
			if err = s.once(offset, name); err == nil {
				q.offset, err = parseOffset(value)
			}
		default:
			if more != nil {
				err = more(name, value)
			}
		}
		return err
	})
	return q, err
}
