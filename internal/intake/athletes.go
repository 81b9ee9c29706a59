package intake

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
)

// directory finds athletes by what people call them, each once.
type directory struct {
	store people
	scope organization.Scope
	found map[string]entry
}

type entry struct {
	id  string
	err error // a fault.BadRequest: nobody, or more than one
}

// athletesAtOnce is how many athletes are looked at in one page.
const athletesAtOnce = 500

// FindAthletes gives the ids of athletes, each called by id, e-mail or "First
// Last", compared as athlete.Fold does, and none twice. Nobody, and more than one
// of a name, is a fault.BadRequest.
func FindAthletes(ctx context.Context, store people, s organization.Scope, called ...string) ([]string, error) {
	d := &directory{store: store, scope: s, found: map[string]entry{}}
	return d.all(ctx, called)
}

func (d *directory) all(ctx context.Context, called []string) ([]string, error) {
	var ids []string
	for _, who := range called {
		who = strings.Join(strings.Fields(who), " ")
		if who == "" {
			continue
		}
		id, err := d.one(ctx, who)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	if len(ids) > capture.MaxAthletes {
		return nil, fault.New(fault.BadRequest, "must name at most %d athletes", capture.MaxAthletes)
	}
	return ids, nil
}

func (d *directory) one(ctx context.Context, who string) (string, error) {
	if e, known := d.found[who]; known {
		return e.id, e.err
	}
	id, err := d.ask(ctx, who)
	if err != nil && !fault.Is(err, fault.BadRequest) {
		return "", err // the store's own, which may pass
	}
	d.found[who] = entry{id, err}
	return id, err
}

func (d *directory) ask(ctx context.Context, who string) (string, error) {
	if id, ok := organization.ParseUUID(who); ok {
		_, err := d.store.Athlete(ctx, d.scope, id)
		if fault.Is(err, fault.NotFound) {
			err = fault.New(fault.BadRequest, "names %s, which is no athlete of the organization", who)
		}
		return id, err
	}
	wanted, called := athlete.Fold(who), "is called that"
	search, of := longestWord(wanted),
		func(a athlete.Athlete) string { return strings.Join(strings.Fields(a.FirstName+" "+a.LastName), " ") }
	if strings.Contains(who, "@") {
		search, of, called = wanted, func(a athlete.Athlete) string { return a.Email }, "has that e-mail"
	}
	var ids []string
	for offset := int64(0); ; offset += athletesAtOnce {
		page, err := d.store.Athletes(ctx, d.scope,
			athlete.Query{Search: search, Limit: athletesAtOnce, Offset: offset})
		if err != nil {
			return "", err
		}
		for _, a := range page.Athletes {
			if athlete.Fold(of(a)) == wanted {
				ids = append(ids, a.ID)
			}
		}
		if len(page.Athletes) < athletesAtOnce {
			break
		}
	}
	switch len(ids) {
	case 0:
		return "", fault.New(fault.BadRequest, "names %q, but no athlete of the organization %s", who, called)
	case 1:
		return ids[0], nil
	}
	some := strings.Join(ids[:min(len(ids), 3)], ", ")
	if len(ids) > 3 {
		some += fmt.Sprintf(" and %d more", len(ids)-3)
	}
	return "", fault.New(fault.BadRequest,
		"names %q, but more than one athlete %s: write the id of the one that is meant (%s)", who, called, some)
}

// longestWord is what to search a name by: the words of stored names may be
// further apart.
func longestWord(name string) string {
	return slices.MaxFunc(strings.Fields(name), func(a, b string) int { return len(a) - len(b) })
}
