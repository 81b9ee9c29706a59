// Package export knows the asynchronous exports: the job and its states.
package export

import (
	"context"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
)

// Status is the state of a job.
type Status string

// The states of a job. All but Running are final.
const (
	Running   Status = "RUNNING"
	Completed Status = "COMPLETED"
	Failed    Status = "FAILED"
	Canceled  Status = "CANCELED"
)

// Statuses lists all states.
var Statuses = []Status{Running, Completed, Failed, Canceled}

// Job is one export job. ErrorMessage is set exactly when the job has failed,
// CompletedAt in every final state.
type Job struct {
	ID           string // 1..255 code points, no control characters
	Status       Status
	ErrorMessage string
	CreatedAt    time.Time
	CompletedAt  *time.Time

	// Not known of an imported job.
	Progress float64 // 0..1; 1 when it is completed
	RowCount *int64  // nil until it is counted
	Skipped  []Skip  // the first of the captures that were left out; of one job, not in a list
	LeftOut  int64   // how many they are altogether

	// Why captures were left out, the reason with the most of them first; their numbers
	// add up to LeftOut. Of one job, not in a list.
	Reasons []Reason
}

// Store keeps export jobs.
type Store interface {
	// Job finds one by id; fault.NotFound when the organization has none.
	Job(ctx context.Context, s organization.Scope, id string, left Left) (Job, error)
}

// ParseID trims a job id and checks it: 1..255 code points, UTF-8, no control
// characters.
func ParseID(s string) (string, error) { return organization.ParseName("jobId", s) }

// Check holds a job to its rules: a known state, an error message when and only
// when it failed, a completion time when and only when the state is final, and
// not before the creation.
func (j Job) Check() error {
	var p fault.Problems
	switch j.Status {
	case Running, Completed, Failed, Canceled:
	default:
		p.Add("status", "status must be one of RUNNING, COMPLETED, FAILED, CANCELED")
	}
	switch {
	case j.Status == Failed && strings.TrimSpace(j.ErrorMessage) == "":
		p.Add("errorMessage", "errorMessage must say why a FAILED job failed")
	case j.Status != Failed && j.ErrorMessage != "":
		p.Add("errorMessage", "errorMessage is only for a FAILED job")
	case !utf8.ValidString(j.ErrorMessage) || strings.ContainsFunc(j.ErrorMessage, unicode.IsControl):
		p.Add("errorMessage", "errorMessage must not hold control characters")
	case utf8.RuneCountInString(j.ErrorMessage) > 1024:
		p.Add("errorMessage", "errorMessage must be at most 1024 characters long")
	}
	switch {
	case j.Status == Running && j.CompletedAt != nil:
		p.Add("completedAt", "completedAt is only for a job that has ended")
	case j.Status != Running && j.CompletedAt == nil:
		p.Add("completedAt", "completedAt is required when the job has ended")
	case j.CompletedAt != nil && j.CompletedAt.Before(j.CreatedAt):
		p.Add("completedAt", "completedAt must not be before createdAt")
	}
	return p.Err()
}
