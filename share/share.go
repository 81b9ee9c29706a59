// Package share is links for people without an account: to captures, and to the progress of an athlete. It has what a
// link shows, until when, and what of it could name somebody.
package share

import (
	"context"
	"crypto/sha256"
	"slices"
	"strconv"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/movement"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/payload"
)

// Kind is the kind of page that a link leads to.
type Kind string

// The kinds.
const (
	Capture    Kind = "capture"
	Comparison Kind = "comparison"
	Report     Kind = "report"
	Progress   Kind = "progress"
)

// Kinds are all of them.
var Kinds = []Kind{Capture, Comparison, Report, Progress}

// The limits of shares.
const (
	Most         = 500 // of an organization
	MostCaptures = 60  // of a share
	DefaultLife  = 30 * 24 * time.Hour
	LongestLife  = 366 * 24 * time.Hour
	longestName  = 128  // code points
	longestView  = 8192 // bytes
	longestID    = 255
)

// Share is a link: what it shows and until when. Who has its secret sees the captures by their places in it.
type Share struct {
	ID        organization.ID
	Name      string // for those who share
	Kind      Kind
	Captures  []string // session ids; none of the kind progress
	Course    *Course  // of the kind progress alone
	View      string   // how the page shows them, in the words of the page
	Names     bool     // what names people is shown too
	CreatedAt time.Time
	ExpiresAt time.Time
	Uses      int64
	UsedAt    *time.Time
}

// Store keeps shares.
type Store interface {
	// CreateShare keeps a new one. A capture or an athlete that there is not is a fault.BadRequest that names it, one
	// share too many a fault.Conflict.
	CreateShare(ctx context.Context, s organization.Scope, made Share, h organization.SecretHash,
		once *organization.Once[Share]) error
	// Shares lists those of the organization, newest first.
	Shares(ctx context.Context, s organization.Scope) ([]Share, error)
	// DeleteShare takes one back; fault.NotFound when there is none.
	DeleteShare(ctx context.Context, s organization.Scope, id organization.ID) error
	// Shown finds what a secret shows at a moment, and whose it is; fault.NotFound when nothing: also when its time
	// is over or the organization is suspended.
	Shown(ctx context.Context, h organization.SecretHash, at time.Time) (Share, organization.ID, error)
	// Visited counts a use.
	Visited(ctx context.Context, s organization.Scope, id organization.ID, at time.Time) error
}

// Read reads what is to be shared, at a moment. The error is a fault.BadRequest with every problem.
func Read(body payload.Object, now time.Time, parseTime func(string) (time.Time, bool)) (Share, error) {
	var p fault.Problems
	now = now.UTC().Truncate(time.Millisecond)
	s := Share{ID: organization.NewID(), Kind: Capture, CreatedAt: now, ExpiresAt: now.Add(DefaultLife)}
	for _, m := range body.Members() {
		v := m.Value
		switch m.Name {
		case "kind":
			if s.Kind = Kind(v.String()); v.Kind() != payload.KindString || !slices.Contains(Kinds, s.Kind) {
				p.Add(m.Name, "kind must be one of capture, comparison, report, progress")
			}
		case "captures":
			s.Captures = readCaptures(&p, v)
		case "progress":
			s.Course = readCourse(&p, v)
		case "name":
			var ok bool
			if s.Name, ok = movement.ReadName(v, longestName); !ok {
				p.Add(m.Name, "name must be a string of 1 to %d characters without control characters", longestName)
			}
		case "view":
			if s.View = v.String(); v.Kind() != payload.KindString || len(s.View) > longestView {
				p.Add(m.Name, "view must be a string of at most %d bytes", longestView)
			}
		case "names":
			if s.Names = v.Kind() == payload.KindBool && v.Bool(); v.Kind() != payload.KindBool {
				p.Add(m.Name, "names must be true or false, not %s", v.Kind().Article())
			}
		case "expires_at":
			at, ok := parseTime(v.String())
			if v.Kind() != payload.KindString || !ok {
				p.Add(m.Name, "expires_at must be a time such as 2026-05-13T12:00:00.000Z")
			} else if life := at.Sub(now); life < time.Second || life > LongestLife {
				p.Add(m.Name, "expires_at must lie at least one second and at most 366 days ahead")
			} else {
				s.ExpiresAt = at
			}
		default:
			p.Add(m.Name, "%s is not a field of a share", payload.Quote(m.Name))
		}
	}
	_, captures := body.Get("captures")
	_, progress := body.Get("progress")
	s.fits(&p, captures, progress)
	if s.Kind == Capture && len(s.Captures) > 1 {
		p.Add("captures", "a share of the kind capture has one capture")
	}
	return s, p.Err()
}

func readCaptures(p *fault.Problems, v payload.Value) (ids []string) {
	list := v.Elements()
	if v.Kind() != payload.KindArray || len(list) == 0 || len(list) > MostCaptures {
		p.Add("captures", "captures must be an array of 1 to %d ids", MostCaptures)
		return nil
	}
	for _, e := range list {
		id, ok := movement.ReadName(e, longestID)
		switch {
		case !ok:
			p.Add("captures", "the id of a capture must be a string of 1 to %d characters", longestID)
			return nil
		case slices.Contains(ids, id):
			p.Add("captures", "captures must not name %s twice", payload.Quote(id))
		default:
			ids = append(ids, id)
		}
	}
	return ids
}

// At gives the id of the capture at a place of the share, which visitors know by its number alone, from 1.
func (s Share) At(number string) (id string, ok bool) {
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > len(s.Captures) || strconv.Itoa(n) != number {
		return "", false
	}
	return s.Captures[n-1], true
}

// Alias is an id for an athlete that says who is the same within the share, and nothing else.
func (s Share) Alias(athlete string) string {
	if athlete == "" {
		return ""
	}
	sum := sha256.Sum256(append(s.ID[:], athlete...))
	var id organization.ID
	copy(id[:], sum[:])
	return id.String()
}
