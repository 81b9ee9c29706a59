// Package athlete knows the people who move: their record, the rules that its
// fields obey, and its two shapes on the wire.
package athlete

import (
	"context"
	"time"

	"github.com/kinebase/kinebase/organization"
)

// Athlete is a person's record. An unset string is "", an unset number 0, an
// unset date nil: the interface clears with exactly these values.
type Athlete struct {
	ID               string // a lower-case UUID
	FirstName        string // never empty
	LastName         string
	DateOfBirth      *time.Time // midnight UTC of the day
	Email            string
	Phone            string
	Gender           string
	DominantArm      string
	DominantLeg      string
	Activity         string
	Positions        []string
	CompetitionLevel string
	Height           int // inches
	Weight           int // pounds
	CustomAttributes map[string]string
	CreatedAt        time.Time // to the millisecond, as everything that is shown
	UpdatedAt        time.Time // never goes backwards
	Version          int64     // counts the changes, from 1; part of the ETag
}

// Sort is an order of a list of athletes.
type Sort string

// The orders of a list. Unset keys come last, and the id decides between equals.
const (
	ByName        Sort = "" // last name, then first name
	ByFirstName   Sort = "first_name"
	ByLastName    Sort = "last_name"
	ByDateOfBirth Sort = "date_of_birth"
	ByCreatedAt   Sort = "created_at"
)

// Query asks for a page of athletes.
type Query struct {
	Sort       Sort
	Search     string            // part of a name or an e-mail, case-folded by Fold; "" for all
	Attributes map[string]string // every one must match exactly
	Limit      int
	Offset     int64
}

// Page is a part of a list, and how many there are in all.
type Page struct {
	Athletes   []Athlete
	TotalCount int64
}

// Linked is an athlete as a capture that is linked to it names it.
type Linked struct {
	ID        string // a lower-case UUID
	FirstName string // never empty
	LastName  string // "" when unset
}

// Store keeps athletes.
type Store interface {
	// Athlete finds one by id; fault.NotFound when the organization has none.
	Athlete(ctx context.Context, s organization.Scope, id string) (Athlete, error)
	// Athletes gives a page; page and total are of one moment.
	Athletes(ctx context.Context, s organization.Scope, q Query) (Page, error)
	// LinkedAthletes gives the athletes of a capture in the order of linking, none
	// when it is linked to nobody; fault.NotFound when the organization has no such
	// capture.
	LinkedAthletes(ctx context.Context, s organization.Scope, sessionID string) ([]Linked, error)
	// CreateAthlete keeps a new athlete.
	CreateAthlete(ctx context.Context, s organization.Scope, a Athlete, once *organization.Once[Athlete]) error
	// ChangeAthlete reads the athlete, lets change decide and writes what it
	// returns, in one transaction. Nothing is written when change fails or returns
	// an athlete of the same Version.
	ChangeAthlete(ctx context.Context, s organization.Scope, id string, once *organization.Once[Athlete],
		change func(Athlete) (Athlete, error)) (Athlete, error)
	// DeleteAthlete removes the athlete and all associated data: its links, and
	// every capture that is linked to nobody else. allow is asked first, inside
	// the transaction.
	DeleteAthlete(ctx context.Context, s organization.Scope, id string, allow func(Athlete) error) error
	// MergeAthletes reads both, lets merge decide what the one becomes, gives it the links and the rows of exports of
	// the other one and erases that, in one transaction. It is a fault.BadRequest when there is no from, and a
	// fault.Conflict while an export is being built.
	MergeAthletes(ctx context.Context, s organization.Scope, id, from string, once *organization.Once[Athlete],
		merge func(into, from Athlete) (Athlete, error)) (Athlete, error)
}
