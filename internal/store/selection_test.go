package store

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/testkit"
)

// A set of combinations is compared in words of 64 bits, up to maxWords of them, and is a list of parameters beyond.
// Every filter gives the captures that pass it, however many combinations there are, and wherever its own lie among
// them.
func TestAFilterGivesItsCapturesHoweverManyCombinationsThereAre(t *testing.T) {
	testkit.Long(t)
	for _, labels := range []int{1, 15, 16, 31, 32, 33, 64, 80, 150} { // with two statuses each
		t.Run(fmt.Sprint(labels), func(t *testing.T) {
			engines(t, func(t *testing.T, p place) {
				seed := rand.Uint64()
				t.Log("seed", seed)
				chance := rand.New(rand.NewPCG(seed, 0))
				s := p.open(still)
				sc := tenant(t, s, "A")
				athletes := create(t, s, sc, person("Ann"))
				all := many("c", 900, func(i int, c *capture.Capture) {
					c.Activity = ptr(fmt.Sprintf("activity %d", chance.IntN(labels)))
					c.Movement = ptr([]string{"one", "two"}[chance.IntN(2)])
					if chance.IntN(3) == 0 {
						c.Status = capture.AwaitingUpload
					}
					if chance.IntN(4) == 0 {
						c.AthleteIDs = athletes
					}
				})
				put(t, s, sc, all...)
				folded(t, s, sc)
				slices.Reverse(all) // the newest one first
				for range 25 {
					c := all[chance.IntN(len(all))]
					q := capture.Query{Limit: 1 + chance.IntN(60)}
					q.Filter = filterLike(chance, c)
					if chance.IntN(4) == 0 {
						q.AthleteID = athletes[0]
					}
					var want []string
					for _, c := range all {
						if passes(q, c) {
							want = append(want, c.SessionID)
						}
					}
					q.Offset = int64(chance.IntN(len(want) + 1))
					checkPage(t, s, idOf(t, sc), q, want)
				}
			})
		})
	}
}

// filterLike is a filter that a capture passes.
func filterLike(chance *rand.Rand, c capture.Capture) (f capture.Filter) {
	if chance.IntN(2) == 0 {
		f.Activity = *c.Activity
	}
	if chance.IntN(2) == 0 {
		f.Movement = *c.Movement
	}
	if chance.IntN(2) == 0 {
		f.Status = c.Status
	}
	if chance.IntN(2) == 0 {
		f.Source = c.Source
	}
	return f
}

// passes says whether a capture passes a query's filters, by its fields.
func passes(q capture.Query, c capture.Capture) bool {
	f := q.Filter
	return (f.Activity == "" || f.Activity == *c.Activity) && (f.Movement == "" || f.Movement == *c.Movement) &&
		(f.Status == "" || f.Status == c.Status) && (f.Source == "" || f.Source == c.Source) &&
		(q.AthleteID == "" || slices.Contains(c.AthleteIDs, q.AthleteID))
}

// checkPage holds a page to the captures that pass its filters, in the list's order.
func checkPage(t *testing.T, s *Store, org db.ID, q capture.Query, want []string) {
	t.Helper()
	must(t, s.engine.Read(t.Context(), org, func(tx db.Tx) error {
		total, rows, err := pageIn(tx, s, org, q)
		if err != nil {
			return err
		}
		var got []string
		for _, row := range rows {
			var one struct {
				SessionID string `json:"session_id"`
			}
			if err := json.Unmarshal(row, &one); err != nil {
				return err
			}
			got = append(got, one.SessionID)
		}
		page := want[q.Offset:min(len(want), int(q.Offset)+q.Limit)]
		if total != int64(len(want)) || !slices.Equal(got, page) {
			t.Errorf("%+v: %d captures, and %v; wanted %d, and %v", q, total, got, len(want), page)
		}
		return nil
	}))
}
