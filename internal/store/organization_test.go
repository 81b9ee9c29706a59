package store

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kinebase/kinebase/audit"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/organization"
)

func TestADeletedOrganizationLeavesNoRowAndHasItsFilesErased(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		gone, kept := furnished(t, s, "gone"), furnished(t, s, "kept")
		_, hash := issue(t, s, gone, "of the gone")
		_, err := s.Authenticate(t.Context(), hash)
		must(t, err)
		act := audit.Entry{Action: audit.OrgDelete, Actor: audit.Actor{Kind: audit.Command, ID: "uid 7"}}
		must(t, s.DeleteOrganization(audit.With(t.Context(), act), gone.Organization))
		_, err = s.Authenticate(t.Context(), hash)
		refused(t, err, fault.NotFound, "token")
		files := erasable(t, s, gone)
		for _, name := range []string{"original of filmed", "table of filmed", "a file that is coming"} {
			if !slices.Contains(files, name) {
				t.Errorf("%q is not erased: %q", name, files)
			}
		}
		must(t, s.Erased(t.Context(), gone, files))
		rows := func(sc organization.Scope) map[string]int64 {
			all := map[string]int64{}
			for _, table := range append([]string{"token_index"}, tenantTables...) {
				var n int64
				must(t, s.engine.Once(t.Context(), idOf(t, sc),
					db.One(db.Into(&n), `SELECT count(*) FROM `+table+` WHERE organization = $1`, idOf(t, sc))))
				if n > 0 {
					all[table] = n
				}
			}
			return all
		}
		if left := rows(gone); len(left) != 2 || left["erasure"] != 2 || left["audit"] != 1 {
			// a file and a piece that may still come are erased once more; the entry says who did it
			t.Errorf("of the deleted one there is left %v", left)
		}
		if other := rows(kept); len(other) < len(tenantTables)-2 {
			t.Errorf("the other one has only %v", other)
		}
		_, err = s.Organization(t.Context(), gone.Organization)
		refused(t, err, fault.NotFound, "no organization")
		// Rows of a transaction that had begun before go too.
		must(t, s.write(t.Context(), idOf(t, gone), func(w *writeTx) error {
			return w.Do(db.Exec(`INSERT INTO landmarks (organization, version, names) VALUES ($1, 'v', $2)`, w.Org,
				[]byte("late")))
		}))
		must(t, s.eraseLate(t.Context()))
		if left := rows(gone); len(left) != 2 || left["audit"] != 1 {
			t.Errorf("late rows stay: %v", left)
		}
		must(t, s.forgetAudit(t.Context()))
		if page, err := s.Audit(t.Context(), gone, audit.Query{Limit: 2}); err != nil || len(page.Entries) != 1 ||
			page.Entries[0].Action != audit.OrgDelete || page.Entries[0].Actor.ID != "uid 7" {
			t.Errorf("the log has %+v %v", page, err)
		}
		if p.options.DatabaseURL == "" { // PostgreSQL's own clock judges there
			s.options.AuditKeep = -time.Hour
			must(t, s.forgetAudit(t.Context()))
			if left := rows(gone); left["audit"] != 0 {
				t.Errorf("the entry is kept longer than any other: %v", left)
			}
		}
		all := slices.Sorted(slices.Values(append([]string{"audit", "erasure"}, erasedTables...)))
		same(t, "tables of an erasure", all,
			slices.Sorted(slices.Values(append([]string{"token_index"}, tenantTables...))))
	})
}

func TestAfterAnOrganizationIsDeletedNoByteOfTheSQLiteFilesNamesIts(t *testing.T) {
	p := place{t, Options{Data: t.TempDir()}}
	s := p.open(still)
	sc := tenant(t, s, "Unmistakable Lab")
	create(t, s, sc, person("Unmistakable"))
	for range 3 {
		put(t, s, sc, session("unmistakable "+organization.NewUUID(), &noon))
	}
	folded(t, s, sc)
	film(t, s, sc, session("unmistakable filmed", &noon), walked(3, "Unmistakable", 1))
	must(t, s.DeleteOrganization(t.Context(), sc.Organization))
	must(t, s.Erased(t.Context(), sc, erasable(t, s, sc)))
	must(t, s.engine.Tidy(t.Context()))
	testkit.Until(t, "the log is cut down to nothing", func() bool {
		info, err := os.Stat(filepath.Join(p.options.Data, db.FileName+"-wal"))
		return err == nil && info.Size() == 0
	})
	raw, err := os.ReadFile(filepath.Join(p.options.Data, db.FileName))
	must(t, err)
	if at := bytes.Index(raw, []byte("nmistakable")); at >= 0 {
		t.Errorf("the file has %q", raw[max(0, at-40):at+60])
	}
}

func TestNamesOfOrganizationsAreUnique(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		make := func(name string) (organization.Organization, error) {
			o := organization.Organization{ID: organization.NewID(), Name: name,
				CreatedAt: time.Now().UTC().Truncate(time.Millisecond)}
			return o, s.CreateOrganization(t.Context(), o)
		}
		a, err := make("Lab")
		must(t, err)
		b, err := make("Clinic")
		must(t, err)
		_, err = make("Lab")
		refused(t, err, fault.Conflict, "Lab")
		refused(t, s.RenameOrganization(t.Context(), b.ID, "Lab"), fault.Conflict, "Lab")
		must(t, s.RenameOrganization(t.Context(), a.ID, "Lab"))
		must(t, s.RenameOrganization(t.Context(), a.ID, "Institute"))
		must(t, s.RenameOrganization(t.Context(), b.ID, "Lab"))
		refused(t, s.RenameOrganization(t.Context(), organization.NewID(), "X"), fault.NotFound, "no organization")
		second := p.open()
		var made atomic.Int32
		var all sync.WaitGroup
		for n := range 8 {
			all.Go(func() {
				o := organization.Organization{ID: organization.NewID(), Name: "Wanted",
					CreatedAt: time.Now().UTC().Truncate(time.Millisecond)}
				switch err := []*Store{s, second}[n%2].CreateOrganization(t.Context(), o); {
				case err == nil:
					made.Add(1)
				case !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), "Wanted"):
					t.Errorf("of several at once one is refused with %v", err)
				}
			})
		}
		if all.Wait(); made.Load() != 1 {
			t.Errorf("%d organizations of one name were made", made.Load())
		}
		got, err := s.Organization(t.Context(), a.ID)
		must(t, err)
		if got.Name != "Institute" {
			t.Errorf("it is called %q", got.Name)
		}
	})
}
