package export

import (
	"context"
	"time"

	"github.com/kinebase/kinebase/organization"
)

// Limits of an export, where nothing else is configured.
const (
	// Budget is the memory that building a result, or giving it out, may take.
	Budget = 512 << 20
	// Life is how long a result is kept.
	Life = 7 * 24 * time.Hour
	// MaxFailures is how often a job may fail of the same thing, such as a bucket that
	// does not answer, before it has failed. Tries come a minute apart in the end.
	MaxFailures = 60
	// LookedAt is the number of captures that are searched for a metric or an event before a
	// request is taken; in the others the export itself looks.
	LookedAt = 2000
	// ColumnBytes is what a column takes of the budget while a result is given out: the
	// piece of rows that is worked on at a time.
	ColumnBytes = 16 << 10
)

// TooLarge is what a job that does not fit its budget has failed with.
const TooLarge = "The export is too large. Narrow the date range or request fewer athletes."

// Skip is a capture that was left out.
type Skip struct {
	SessionID string `json:"session_id"`
	Reason    string `json:"reason"`
	// as the caller calls the capture's file, where that is asked for; "" where there is none
	FileName string `json:"-"`
}

// Reason is a reason for which captures were left out, and how many they are.
type Reason struct {
	Text     string
	Captures int64
}

// How many captures a job names that were left out, and how many it may be asked to name.
const (
	DefaultSkipped = 100
	MaxSkipped     = 10_000
)

// Left says how much an answer about a job has of captures that were left out.
type Left struct {
	Limit int  // how many are named at most, up to MaxSkipped; 0: DefaultSkipped
	Files bool // with the names of their files
}

// Source is the recording of one capture as it was at the moment of the export: what
// every row of it says, and where its numbers lie. Several athletes may share it.
type Source struct {
	SessionID   string
	Activity    *string
	Movement    *string
	Dimensions  map[string]string // those that its pair has
	CaptureTime *time.Time
	FPS         *float64
	Table       string  // the motion table, in Files
	Info        []byte  // frames.Info as JSON
	Rate        float64 // the corrected rate, 0 for none
}

// Part is the rows of one capture for one athlete.
type Part struct {
	*Source
	First     int64 // number of its first row in the result as it is now
	Rows      int64
	Frame     int64 // the frame of its first row; the others follow. Of no meaning where a row is a capture
	AthleteID string
	Athlete   string // the name; "" for nobody
}

// Columns are what rows have besides those that every row has. The columns of the
// recordings and their events are united over the captures. A value of which a capture
// has one, a discrete metric, repeats on every row of it.
type Columns struct {
	Shape      Shape
	Dimensions []string // that occur in the pairs of the captures, in alphabetical order
	Own        []Column // of the recordings, united, in the order in which they were found
}

// Column is one of the recordings' own.
type Column struct {
	Name string // in the rows
	From Origin // what it is in the recordings

	Wide   bool // of numbers: of 64 bits in some capture, as all metrics are
	Metric bool // of numbers: a metric in all captures that have it
}

// Result is a finished export as it is now.
type Result struct {
	Job     Job
	Request Request
	Columns Columns
	Rows    int64
	Version string // changes with every deletion of rows
}

// Results gives out what was built.
type Results interface {
	// Result gives a finished export; fault.NotFound when there is no such job or its
	// result was erased. A job that is not completed has no rows and no columns.
	Result(ctx context.Context, s organization.Scope, jobID string) (Result, error)
	// Parts gives parts in their order, at most limit, from the one on that has the row.
	// They are those of the same moment as version; fault.NotFound when the result has
	// changed since.
	Parts(ctx context.Context, s organization.Scope, jobID, version string, row int64, limit int) ([]Part, error)
}

// Requests takes and cancels exports, and lists them.
type Requests interface {
	// CreateJob keeps a new job, which begins at once. Unknown captures and athletes are a
	// fault.BadRequest that names one, and so is a metric or an event column that none
	// of the captures has, as far as looking for it takes no long time.
	CreateJob(ctx context.Context, s organization.Scope, r Request, once *organization.Once[Job]) (Job, error)
	// CancelJob ends a running job; fault.Conflict when it is not running.
	CancelJob(ctx context.Context, s organization.Scope, jobID string, once *organization.Once[Job]) (Job, error)
	// DeleteJob deletes a job that has ended, with its result; fault.Conflict when it is running.
	DeleteJob(ctx context.Context, s organization.Scope, jobID string) error
	// Estimate says how much a job of the request would hold now. The faults are those
	// of CreateJob.
	Estimate(ctx context.Context, s organization.Scope, r Request) (Estimate, error)
	// Jobs lists the organization's jobs, newest first, and counts them.
	Jobs(ctx context.Context, s organization.Scope, limit int, offset int64) (jobs []Job, total int64, err error)
}

// Estimate is how much an export would hold.
type Estimate struct {
	Captures int64
	Rows     int64
	Exact    bool // all captures were looked at; else Rows is extrapolated
}

// Builder is where workers build results.
type Builder interface {
	// ClaimBuild takes a job for a step. A result that needs more than budget bytes to be
	// given out fails with TooLarge. With wait above 0 another worker is at it, and it is worth
	// asking again after that; with neither there is nothing to do.
	ClaimBuild(ctx context.Context, s organization.Scope, jobID string, budget int64) (b Build, wait time.Duration,
		err error)
	// ForgetResult erases what a job that failed or was canceled has left, and a result
	// that has lived long enough; with wait above 0 it has not.
	ForgetResult(ctx context.Context, s organization.Scope, jobID string) (wait time.Duration, err error)
}
