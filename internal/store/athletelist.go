package store

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/organization"
)

// athleteOrders are the orders of a list. The id decides between equals, so that
// the order is total and paging neither skips nor repeats.
var athleteOrders = map[athlete.Sort]string{
	athlete.ByName:        `last_key, first_key, id`,
	athlete.ByLastName:    `last_key, first_key, id`,
	athlete.ByFirstName:   `first_key, id`,
	athlete.ByDateOfBirth: `born_key, id`,
	athlete.ByCreatedAt:   `created_at, id`,
}

// Athletes gives a page; page and total are of one moment.
func (s *Store) Athletes(ctx context.Context, sc organization.Scope, q athlete.Query) (athlete.Page, error) {
	org, err := scope(sc)
	if err != nil {
		return athlete.Page{}, err
	}
	where, args := `organization = $1`, []any{org}
	add := func(condition string, values ...any) {
		numbers := make([]any, len(values))
		for i, v := range values {
			args = append(args, v)
			numbers[i] = len(args)
		}
		where += fmt.Sprintf(" AND "+condition, numbers...)
	}
	if q.Search != "" {
		add(`search_key LIKE $%d ESCAPE '\'`, likePattern(q.Search))
	}
	for _, name := range slices.Sorted(maps.Keys(q.Attributes)) {
		add(`id IN (SELECT athlete FROM athlete_attribute WHERE organization = $1 AND name = $%d AND value_hash = $%d)`, name, valueHash(q.Attributes[name]))
	}
	page := athlete.Page{Athletes: []athlete.Athlete{}}
	count := one(into(&page.TotalCount), `SELECT count(*) FROM athlete WHERE `+where, args...)
	add(`1 = 1 ORDER BY `+athleteOrders[q.Sort]+` LIMIT $%d OFFSET $%d`, q.Limit, q.Offset)
	list := each(func(r rows) error {
		a, err := scanAthlete(r)
		page.Athletes = append(page.Athletes, a)
		return err
	}, `SELECT `+athleteColumns+` FROM athlete WHERE `+where, args...)
	err = s.engine.once(ctx, org, count, list)
	return page, tell(err)
}
