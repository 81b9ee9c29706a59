// Package feed is what changed in an organization: its captures, athletes and export jobs, each once, at its
// latest change.
package feed

import (
	"context"
	"time"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/organization"
)

// Kind is the kind of an object.
type Kind int

// The kinds. Their numbers are stored.
const (
	Capture Kind = 1 + iota
	Athlete
	Export
)

// Kinds are all kinds, in the order in which the interface names them.
var Kinds = []Kind{Capture, Athlete, Export}

var names = map[Kind]string{Capture: "capture", Athlete: "athlete", Export: "export"}

// String gives the kind's name in the interface.
func (k Kind) String() string { return names[k] }

// Set is several kinds.
type Set uint8

// SetOf makes a set.
func SetOf(kinds ...Kind) (s Set) {
	for _, k := range kinds {
		s |= 1 << k
	}
	return s
}

// Holds says whether all kinds of another set are in it.
func (s Set) Holds(other Set) bool { return s&other == other }

// Needs is what a token must be allowed to do to be told of objects of the kind.
func (k Kind) Needs() organization.Permission {
	switch k {
	case Capture:
		return organization.CapturesRead
	case Athlete:
		return organization.AthletesRead
	default:
		return organization.ExportsRead
	}
}

// Change is an object at its latest change.
type Change struct {
	Kind    Kind
	ID      string
	Deleted bool
	At      time.Time // of the change, UTC

	// The object as it is read, by its kind; none where it was deleted.
	Capture []byte // on the wire, with its first athlete; nil unless objects were asked for
	Athlete *athlete.Athlete
	Export  *export.Job
}

// Mark is how far a reader has come. The zero Mark is that of one who begins.
type Mark struct {
	Position int64 // all changes up to here were given
	Began    int64 // the latest change when the reader began: what was deleted until then the reader has never had
	Told     Set   // the kinds of which the reader was told; changes of others were passed over
}

// Query asks for the changes after a mark.
type Query struct {
	After *Mark  // nil: from the beginning
	Kinds []Kind // at least one
	Limit int    // 1 to MaxLimit

	Objects bool // changes of captures and athletes have what is read of them, which costs another look for each
}

// The bounds of a page.
const (
	DefaultLimit = 500
	MaxLimit     = 1000
	LongestWait  = 30 * time.Second // that an empty page is held back for
)

// Page is a part of the feed, oldest change first.
type Page struct {
	Changes []Change
	Next    Mark // of the page behind
	More    bool // that page has changes already
}

// Keep is how long a deletion stays in the feed when nothing else is said.
const Keep = 90 * 24 * time.Hour

// Store reads the feed.
type Store interface {
	// Changes gives a page. Every change that was acknowledged before is in it or in one behind it, whatever the
	// order in which transactions end. It is a fault.Gone for a mark from which deletions have been forgotten, or
	// that the store has never given.
	Changes(ctx context.Context, s organization.Scope, q Query) (Page, error)
	// Changed gives a channel that is closed when there may be a change that Changes, called after it, has not
	// given. It may be closed without one.
	Changed(s organization.Scope) <-chan struct{}
}
