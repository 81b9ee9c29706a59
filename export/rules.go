package export

import (
	"slices"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/payload"
)

// FromImport reads a job from a line of an import. A field that is null counts
// as absent, a job without an id keeps ID empty, and one without createdAt keeps
// CreatedAt zero. Everything wrong is told at once: the error carries every
// problem with its field.
func FromImport(o payload.Object) (Job, error) {
	var p fault.Problems
	var j Job
	for _, m := range o.Members() {
		switch f := named[m.Name]; {
		case m.Name == "type": // read by whoever chose this noun
		case f == nil:
			p.Add(m.Name, "%s is not a field of an export job", payload.Quote(m.Name))
		case m.Value.Null():
		case m.Value.Kind() != payload.KindString:
			p.Add(m.Name, "%s must be a string", m.Name)
		default:
			f.read(&j, &p, m.Name, m.Value.String())
		}
	}
	if v, _ := o.Get("status"); v.Null() {
		p.Add("status", "status is required")
	} else if v.Kind() == payload.KindString && !slices.Contains(Statuses, j.Status) {
		p.Add("status", "status must be one of RUNNING, COMPLETED, FAILED, CANCELED")
	}
	if len(p) > 0 { // the rules between fields would blame the wrong ones
		return Job{}, p.Err()
	}
	return j, j.Check()
}

func importTime(p *fault.Problems, name, text string) time.Time {
	t, ok := capture.ParseTime(text)
	if !ok {
		p.Add(name, "%s must be an ISO 8601 date and time such as 2026-05-13T12:00:00.000Z", name)
	}
	return t
}
