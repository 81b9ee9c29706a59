package httpapi

import (
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
)

func (a *api) getExportJob(c *call) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	id, err := export.ParseID(c.path[0])
	if err != nil {
		return err
	}
	job, err := a.Exports.Job(c.r.Context(), c.scope(), id)
	if err != nil {
		return unknown(err, "export job")
	}
	c.send(200, appendJob(make([]byte, 0, 512), job))
	return nil
}

// appendJob appends the job object of the interface, section 2.3.
func appendJob(b []byte, j export.Job) []byte {
	b = appendQuoted(append(b, `{"jobId":`...), j.ID)
	b = appendQuoted(append(b, `,"status":`...), string(j.Status))
	if j.ErrorMessage != "" {
		b = appendQuoted(append(b, `,"errorMessage":`...), j.ErrorMessage)
	}
	b = appendTime(append(b, `,"createdAt":`...), &j.CreatedAt)
	if j.CompletedAt != nil {
		b = appendTime(append(b, `,"completedAt":`...), j.CompletedAt)
	}
	return append(b, '}')
}

// appendTime appends a time as every time is written, or null.
func appendTime(b []byte, t *time.Time) []byte {
	if t == nil {
		return append(b, "null"...)
	}
	b = append(b, '"')
	b = t.UTC().Truncate(time.Millisecond).AppendFormat(b, capture.TimeFormat)
	return append(b, '"')
}
