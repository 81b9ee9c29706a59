package store

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
)

func called(name string) organization.Organization {
	return organization.Organization{ID: organization.NewID(), Name: name,
		CreatedAt: time.Now().UTC().Truncate(time.Millisecond)}
}

func TestANameInAnotherCaseOrFormIsTheSameName(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s, second := p.open(still), p.open(still)
		first, other := called("Münchner Straße"), called("Institute")
		must(t, s.CreateOrganization(t.Context(), first))
		must(t, s.CreateOrganization(t.Context(), other))
		for _, name := range []string{"Münchner Straße", "MÜNCHNER STRASSE", "mu\u0308nchner straße",
			"Mu\u0308nchner StraSSe"} {
			refused(t, s.CreateOrganization(t.Context(), called(name)), fault.Conflict,
				"there is an organization called \"Münchner Straße\" already")
			refused(t, s.RenameOrganization(t.Context(), other.ID, name), fault.Conflict,
				"there is an organization called \"Münchner Straße\" already")
			must(t, s.RenameOrganization(t.Context(), first.ID, name))
			must(t, s.RenameOrganization(t.Context(), first.ID, "Münchner Straße"))
		}
		must(t, s.CreateOrganization(t.Context(), called("Munchner Straße")))
		must(t, s.RenameOrganization(t.Context(), first.ID, "Elsewhere"))
		must(t, s.CreateOrganization(t.Context(), called("münchner strasse")))

		var made atomic.Int64
		var wait sync.WaitGroup
		for i := range 8 {
			wait.Go(func() {
				name := strings.Map(func(r rune) rune { return r - 32*rune(i>>1&1) }, "same") + fmt.Sprint(i%2)
				switch err := []*Store{s, second}[i%2].CreateOrganization(t.Context(), called(name)); {
				case err == nil:
					made.Add(1)
				case !fault.Is(err, fault.Conflict):
					t.Error(err)
				}
			})
		}
		wait.Wait()
		if made.Load() != 2 {
			t.Errorf("%d organizations were made of two names", made.Load())
		}
	})
}

func TestOrganizationsThatHadOneNameBeforeKeepIt(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		pair := []organization.Organization{called("Lab"), called("LAB")}
		for _, o := range pair {
			must(t, s.write(t.Context(), db.ID{}, func(w *writeTx) error {
				key, _ := organization.ParseID(o.ID.String())
				return w.Do(db.Exec(`INSERT INTO organization (id, name, created_at) VALUES ($1, $2, $3)`, key, o.Name,
					db.Micros(o.CreatedAt)))
			}))
		}
		refused(t, s.CreateOrganization(t.Context(), called("lab")), fault.Conflict, "already")
		for _, o := range pair {
			got, err := s.Organization(t.Context(), o.ID)
			must(t, err)
			if got.Name != o.Name {
				t.Errorf("%s is called %s now", o.Name, got.Name)
			}
		}
		must(t, s.RenameOrganization(t.Context(), pair[0].ID, "Elsewhere"))
		refused(t, s.CreateOrganization(t.Context(), called("lab")), fault.Conflict, `"LAB" already`)
		must(t, s.RenameOrganization(t.Context(), pair[1].ID, "Lab"))
	})
}
