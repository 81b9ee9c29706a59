// Package manifest knows the lines of an import: athletes, captures and export
// jobs as objects of NDJSON, their rules, and the ids that lines without one
// are given.
package manifest

import (
	"context"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/organization"
)

// Record is one thing to import: exactly one of the pointers is set.
type Record struct {
	Athlete *athlete.Athlete // CreatedAt and UpdatedAt zero: now, and kept on an update
	Capture *capture.Capture
	Job     *export.Job // CreatedAt zero: now, and kept on an update
}

// Effect is what an import did with a record.
type Effect int

// The effects of an import.
const (
	Unchanged Effect = iota
	Created
	Updated
	Refused // the record's own error says why
)

// Outcome is the effect of one record, and why it was refused.
type Outcome struct {
	Effect Effect
	Err    error // set exactly when refused; a fault that names field and rule
}

// Store takes imports.
type Store interface {
	// Import writes the records in their order in one transaction and says of each
	// what was done. A record whose id exists is updated where it differs. A refused
	// record (an athlete that does not exist is linked) leaves the others alone; an
	// error means that nothing was written. With dry, nothing is written either, but
	// the outcomes are the same.
	Import(ctx context.Context, s organization.Scope, records []Record, dry bool) ([]Outcome, error)
}

// Series takes long imports, with less to write for each record.
type Series interface {
	// ImportSeries writes the parts that next gives as Import would, one after the other, all in one
	// transaction. It ends when next gives none, when it has taken as many as it likes, or when somebody
	// else wants to write. told hears the outcomes of each part, but nothing is kept before ImportSeries
	// returns without an error. begun is false where somebody else uses the database: then next was not asked.
	ImportSeries(ctx context.Context, s organization.Scope, next func() []Record, told func([]Outcome)) (begun bool,
		err error)
}
