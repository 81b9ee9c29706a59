package export

import (
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/field"
)

// row is a field of a job that an import brings, and how it is read from the text of a line.
type row struct {
	field.Field[Job]
	read func(j *Job, p *fault.Problems, name, text string)
}

// rows are the fields of a job that an import brings. The ids of imports are made of them in this order: a new row
// may stand anywhere, but what stands here must keep its order.
var rows = []row{
	{field.Field[Job]{Name: "jobId", Text: func(j *Job) *string { return &j.ID }},
		func(j *Job, p *fault.Problems, name, text string) {
			id, err := ParseID(text)
			p.Blame(name, err)
			j.ID = id
		}},
	{field.Field[Job]{Name: "status", Text: func(j *Job) *string { return (*string)(&j.Status) }},
		func(j *Job, _ *fault.Problems, _, text string) {
			j.Status = Status(text)
		}},
	{field.Field[Job]{Name: "errorMessage", Text: func(j *Job) *string { return &j.ErrorMessage }},
		func(j *Job, _ *fault.Problems, _, text string) {
			j.ErrorMessage = text
		}},
	{field.Field[Job]{Name: "createdAt", Time: func(j *Job) *time.Time { return &j.CreatedAt }},
		func(j *Job, p *fault.Problems, name, text string) {
			j.CreatedAt = importTime(p, name, text)
		}},
	{field.Field[Job]{Name: "completedAt", Moment: func(j *Job) **time.Time { return &j.CompletedAt }},
		func(j *Job, p *fault.Problems, name, text string) {
			t := importTime(p, name, text)
			j.CompletedAt = &t
		}},
}

// Fields are the fields of a job that an import brings. They must not be changed.
var Fields = field.Of(rows, func(r *row) field.Field[Job] { return r.Field })

// named finds rows by their names.
var named = field.Index(rows, func(r *row) string { return r.Name })

// SameImport says whether two jobs hold the same of what an import brings.
func SameImport(a, b Job) bool { return field.Same(Fields, &a, &b) }
