package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Erasure is something that was erased, or a token that may do less than before.
type Erasure struct {
	Kind         string `json:"kind"` // one of the kinds below
	Organization string `json:"organization"`
	ID           string `json:"id"`
	// Position is where the erasure stands among the changes of the store: an object of a backup
	// that has changed after it was there again.
	Position int64 `json:"position,omitempty"`
	// Into is the athlete that this one was made part of; "" where it was deleted.
	Into string `json:"into,omitempty"`
	// At is when an organization was deleted, in microseconds since 1970.
	At int64 `json:"at,omitempty"`
	// Hash is that of the secret that a token has now, in hex, and Revoked when it was revoked, in
	// microseconds since 1970; 0 while it holds.
	Hash    string `json:"hash,omitempty"`
	Revoked int64  `json:"revoked,omitempty"`
}

// The kinds of what is in the list.
const (
	KindAthlete      = "athlete"
	KindCapture      = "capture"
	KindExport       = "export"
	KindToken        = "token"
	KindOrganization = "organization"
)

// segment is a file of the list. It has what the numbers From to To had.
type segment struct {
	From     int              `json:"from"`
	To       int              `json:"to"`
	At       time.Time        `json:"at"`
	Erasures []Erasure        `json:"erasures"`
	Through  map[string]int64 `json:"through"` // by organization: positions up to which it is complete
}

const (
	erasedRoom = "erased/"
	// largestSegment bounds what is read of one: 32 million erasures.
	largestSegment = 4 << 30
	// mostSegments is how many files the list has before they are made one.
	mostSegments = 64
)

// List is the list of erasures of a place as far as it is known.
type List struct {
	Through  map[string]int64   // by organization: positions up to which it is complete
	Tokens   map[string]Erasure // the latest of each token
	Gone     map[string]int64   // organizations, and when they were deleted
	Last     int                // the number of its last segment
	segments []segment
}

// Taken is the last position of which the list knows, of any organization: what a store changes at a lower one it would
// not note any more.
func (l *List) Taken() (last int64) {
	for _, through := range l.Through {
		last = max(last, through)
	}
	for _, e := range l.All() {
		last = max(last, e.Position)
	}
	return last
}

func segmentName(n int) string { return fmt.Sprintf("%s%08d.json", erasedRoom, n) }

// ReadList reads the list. It refuses one that lacks a part.
func ReadList(ctx context.Context, p Place) (*List, error) {
	var names []string
	err := p.List(ctx, erasedRoom, func(name string, _ int64) error {
		names = append(names, name)
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	l := &List{Through: map[string]int64{}, Tokens: map[string]Erasure{}, Gone: map[string]int64{}}
	for _, name := range names {
		data, err := readAll(ctx, p, name, largestSegment)
		if err != nil {
			return nil, err
		}
		var s segment
		if err := unsealed(name, data, &s); err != nil {
			return nil, err
		}
		if name != segmentName(s.To) || s.From > s.To {
			return nil, &Damaged{name + " is not the part of the list that its name says"}
		}
		l.add(s)
	}
	for _, s := range l.segments {
		if s.From > l.Last+1 {
			return nil, &Damaged{fmt.Sprintf("the list of erasures lacks its part %d", l.Last+1)}
		}
		l.Last = max(l.Last, s.To)
	}
	return l, nil
}

func (l *List) add(s segment) {
	l.segments = append(l.segments, s)
	for org, position := range s.Through {
		l.Through[org] = max(l.Through[org], position)
	}
	for _, e := range s.Erasures {
		switch e.Kind {
		case KindToken:
			l.Tokens[e.ID] = e
		case KindOrganization:
			l.Gone[e.ID] = max(l.Gone[e.ID], e.At)
		}
	}
}

// All gives everything in the list, of each token the latest alone.
func (l *List) All() []Erasure {
	var all []Erasure
	for _, s := range l.segments {
		for _, e := range s.Erasures {
			if e.Kind != KindToken {
				all = append(all, e)
			}
		}
	}
	for _, e := range l.Tokens {
		all = append(all, e)
	}
	return all
}

// Note brings the list of a place up to date, and says how many erasures are new in it.
// ErrElsewhere when another process does so just now.
func Note(ctx context.Context, s Source, p Place, now func() time.Time) (noted int, err error) {
	identity, err := s.Identity(ctx)
	if err != nil {
		return 0, err
	}
	err = s.Exclusive(ctx, LockErasures, func() error {
		place, err := claim(ctx, s, p, identity)
		if err != nil {
			return err
		}
		l, err := ReadList(ctx, p)
		if err != nil {
			return err
		}
		if noted, err = note(ctx, s, p, l, now); err != nil {
			return err
		}
		return s.TookDeletions(ctx, place, l.Through)
	})
	return noted, err
}

func note(ctx context.Context, s Source, p Place, l *List, now func() time.Time) (int, error) {
	at := now().UTC()
	fresh, err := s.Erasures(ctx, l)
	if err != nil || len(fresh) == 0 && l.Last > 0 {
		return 0, err
	}
	next := segment{From: l.Last + 1, To: l.Last + 1, At: at, Erasures: fresh, Through: l.Through}
	old, many := l.segments, len(l.segments) >= mostSegments
	if many {
		l.add(next)
		next.From, next.Erasures = 1, l.All()
	}
	text, err := sealed(next)
	if err != nil {
		return 0, err
	}
	if _, err := p.Put(ctx, segmentName(next.To), bytes.NewReader(text), int64(len(text))); err != nil {
		return 0, err
	}
	if many {
		for _, s := range old {
			err = errors.Join(err, p.Erase(ctx, segmentName(s.To)))
		}
	}
	l.Last = next.To
	return len(fresh), err
}

// lastNoted is the number of the list's last part; 0 where there is none.
func lastNoted(ctx context.Context, p Place) (last int, err error) {
	err = p.List(ctx, erasedRoom, func(name string, _ int64) error {
		var n int
		if _, err := fmt.Sscanf(strings.TrimPrefix(name, erasedRoom), "%08d.json", &n); err != nil {
			return &Damaged{name + " is no part of the list of erasures"}
		}
		last = max(last, n)
		return nil
	})
	return last, err
}
