// Package capture knows recordings: their metadata, the dimensions that depend
// on activity and movement, their links to athletes, their life from
// awaiting_upload to completed, and their shape on the wire.
package capture

import (
	"context"
	"strings"
	"time"

	"github.com/kinebase/kinebase/organization"
)

// Status is where a capture is in its life.
type Status string

// The states of a capture.
const (
	AwaitingUpload Status = "awaiting_upload"
	Processing     Status = "processing"
	Completed      Status = "completed"
	Error          Status = "error"
)

// Statuses lists all states.
var Statuses = []Status{AwaitingUpload, Processing, Completed, Error}

// The sources that Kinebase itself writes. Other sources come in by import.
const (
	SourceAPI    = "api"
	SourceImport = "import"
)

// Capture is one recorded movement session. Nil pointers are unknown values.
type Capture struct {
	SessionID   string   // 1..255 code points, no control characters
	AthleteIDs  []string // lower-case UUIDs, the first linked one first, none twice
	Activity    *string  // as it was given; compared by Fold
	Movement    *string  // the same
	Dimensions  map[string]string
	Status      Status
	Error       *string
	CaptureTime *time.Time // to the millisecond, which is what is shown and sorted by
	FPSDetected *float64   // frames a second
	Source      string
}

// Fold is how activity and movement are compared: trimmed of Unicode white
// space and in lower case.
func Fold(label string) string { return strings.ToLower(strings.TrimSpace(label)) }

// Combination is what the list filters by, folded: every filter that the
// interface allows selects a set of combinations.
type Combination struct {
	Source   string
	Status   Status
	Activity string // folded; "" when unknown, which no filter asks for
	Movement string // folded; "" when unknown
}

// Combination gives the capture's own.
func (c Capture) Combination() Combination {
	k := Combination{Source: c.Source, Status: c.Status}
	if c.Activity != nil {
		k.Activity = Fold(*c.Activity)
	}
	if c.Movement != nil {
		k.Movement = Fold(*c.Movement)
	}
	return k
}

// Filter restricts a list; "" restricts nothing.
type Filter struct {
	Source   string
	Status   Status
	Activity string // folded
	Movement string // folded
}

// Any says whether the filter restricts nothing.
func (f Filter) Any() bool { return f == Filter{} }

// Match says whether a combination passes.
func (f Filter) Match(k Combination) bool {
	return (f.Source == "" || f.Source == k.Source) && (f.Status == "" || f.Status == k.Status) &&
		(f.Activity == "" || f.Activity == k.Activity) && (f.Movement == "" || f.Movement == k.Movement)
}

// Query asks for a page of captures.
type Query struct {
	AthleteID string // a lower-case UUID, "" for all
	Filter    Filter
	Captured  Range
	// folded by athlete.Fold: part of the file's name, the session id, a label or an athlete's name; "" for
	// all
	Search  string
	Include Include
	Oldest  bool // the list read backwards: captures without a time first, then the oldest
	Limit   int  // 1..500
	Offset  int64
}

// Answer is a ready answer: its bytes on the wire and a tag that changes with
// them.
type Answer struct {
	Body []byte // shared: never to be changed
	Tag  string // without quotes
}

// Store keeps captures.
type Store interface {
	// Capture gives one on the wire; fault.NotFound when the organization has none.
	Capture(ctx context.Context, s organization.Scope, sessionID string, include Include) (Answer, error)
	// Captures gives a page on the wire. Page and total are of one moment. An
	// athlete that the organization does not have is a fault.BadRequest,
	// "athlete_id not found".
	Captures(ctx context.Context, s organization.Scope, q Query) (Answer, error)
	// Progress gives a page of an athlete's progress on the wire: the completed captures with their
	// metrics, the oldest first, those without a time last. Page and total are of one moment.
	// fault.NotFound when the organization has no such athlete.
	Progress(ctx context.Context, s organization.Scope, q ProgressQuery) ([]byte, error)
	// Overview says what the organization has, and how many captures of the last days.
	Overview(ctx context.Context, s organization.Scope, days int, include Include) (Overview, error)
	// Columns counts the columns of recordings. fault.Unavailable while recordings of an older version of the
	// program are still to be counted.
	Columns(ctx context.Context, s organization.Scope, q ColumnQuery) (ColumnPage, error)
	// ChangeCapture reads the capture with its tag, lets change decide and writes what
	// it returns. A frame rate that differs then counts in place of the file's; an
	// athlete that the organization does not have is a fault.BadRequest.
	ChangeCapture(ctx context.Context, s organization.Scope, sessionID string, once *organization.Once[Answer],
		change func(old Capture, tag string) (Capture, error)) (Answer, error)
	// Reprocess has the capture's file read once more. fault.Conflict: it has none, or it
	// is being read.
	Reprocess(ctx context.Context, s organization.Scope, sessionID string, once *organization.Once[Answer]) (Answer,
		error)
	// DeleteCapture deletes the capture, unless allow refuses its tag, and has its
	// files erased.
	DeleteCapture(ctx context.Context, s organization.Scope, sessionID string, allow func(tag string) error) error
}
