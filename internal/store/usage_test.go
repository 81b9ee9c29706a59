package store

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/organization"
)

// daysOf gives all that is known of an organization's days.
func daysOf(t *testing.T, s *Store, sc organization.Scope) []organization.DayUsage {
	t.Helper()
	days, err := s.UsageDays(t.Context(), sc, time.Unix(0, 0), noon.AddDate(1, 0, 0))
	must(t, err)
	return days
}

func TestEachDayHasTheMostThatWasThereAndSeveralServersCountOnce(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		one, two := p.open(still), p.open(still)
		at := noon
		one.now, two.now = func() time.Time { return at }, func() time.Time { return at }
		sc, other := tenant(t, one, "billed"), tenant(t, one, "another")
		note := func() { // at the same time, as servers do that were started together
			var both sync.WaitGroup
			for _, s := range []*Store{one, two, one, two} {
				both.Go(func() {
					if err := s.noteUsage(t.Context()); err != nil {
						t.Error(err)
					}
				})
			}
			both.Wait()
		}
		a := create(t, one, sc, person("A"), person("B"))
		put(t, one, sc, session("1", &noon), session("2", &noon), session("3", &noon))
		film(t, two, sc, session("4", &noon), walked(3, "A", 1))
		note()
		u, err := two.Usage(t.Context(), sc)
		must(t, err)
		first := u.Amounts
		if first.Captures != 4 || first.Athletes != 2 || first.FileBytes == 0 {
			t.Fatalf("it has %+v", first)
		}
		for _, id := range []string{"1", "2", "4"} {
			must(t, two.DeleteCapture(t.Context(), sc, id, func(string) error { return nil }))
		}
		create(t, one, sc, person("C"))
		at = noon.Add(12*time.Hour - time.Second) // the last second of the day
		note()
		first.Athletes = 3 // the rest was more before
		at = noon.Add(12 * time.Hour)
		must(t, one.DeleteAthlete(t.Context(), sc, a[0], anybody))
		note()
		at = noon.AddDate(0, 0, 3) // no server ran on two days
		put(t, two, sc, session("5", &noon), session("6", &noon))
		note()
		midnight := organization.Day(noon)
		want := []organization.DayUsage{{Day: midnight, Amounts: first},
			{Day: midnight.AddDate(0, 0, 1), Amounts: organization.Amounts{Captures: 1, Athletes: 2}},
			{Day: midnight.AddDate(0, 0, 3), Amounts: organization.Amounts{Captures: 3, Athletes: 2}}}
		if got := daysOf(t, two, sc); !slices.Equal(got, want) {
			t.Errorf("the days are\n%+v\nand not\n%+v", got, want)
		}
		if got := daysOf(t, one, other); len(got) != 3 || got[0].Amounts != (organization.Amounts{}) {
			t.Errorf("the other organization has %+v", got)
		}
		part, err := one.UsageDays(t.Context(), sc, midnight.AddDate(0, 0, 1), midnight.AddDate(0, 0, 2))
		must(t, err)
		if !slices.Equal(part, want[1:2]) {
			t.Errorf("of the second and the third day there is %+v", part)
		}
		must(t, two.DeleteOrganization(t.Context(), sc.Organization))
		note()
		must(t, one.write(t.Context(), idOf(t, sc), func(w *writeTx) error { // one that had begun before
			return w.noteUsage(midnight, first)
		}))
		if got := daysOf(t, one, sc); len(got) != 0 {
			t.Errorf("of the deleted organization there is left %+v", got)
		}
	})
}

func TestAServerNotesWhatIsThereWhenItStarts(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "short")
		put(t, s, sc, session("1", &noon))
		if days, err := s.UsageDays(t.Context(), sc, time.Unix(0, 0), time.Now()); err != nil || len(days) != 0 {
			t.Fatalf("a tool has noted %v: %v", days, err)
		}
		p.open(still, func(o *Options) { o.Ahead = true })
		testkit.Until(t, "the server notes what is there", func() bool {
			days, err := s.UsageDays(t.Context(), sc, time.Unix(0, 0), time.Now())
			return err == nil && len(days) == 1 && days[0].Captures == 1
		})
	})
}
