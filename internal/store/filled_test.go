package store

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/manifest"
)

// TestAnImportIntoANewDatabaseLooksItsKeysUp imports into PostgreSQL that has analyzed
// nothing yet, while nobody else would, and has it plan a look at a hundred athletes.
func TestAnImportIntoANewDatabaseLooksItsKeysUp(t *testing.T) {
	url := testkit.Postgres(t).Database(t)
	s := place{t, Options{DatabaseURL: url}}.open()
	sc := tenant(t, s, "A")
	var records []manifest.Record
	var keys []string
	for n := range 2000 {
		a := person(fmt.Sprint("Jo ", n))
		records = append(records, manifest.Record{Athlete: &a})
		if n < 100 {
			keys = append(keys, "'"+a.ID+"'")
		}
	}
	_, err := s.Import(t.Context(), sc, records, false)
	must(t, err)

	conn := connect(t, url)
	for _, way := range []string{"enable_seqscan", "enable_bitmapscan"} { // as the store's own connections have it
		_, err := conn.Exec(t.Context(), "SET "+way+" = off")
		must(t, err)
	}
	_, err = conn.Exec(t.Context(), "SET plan_cache_mode = force_generic_plan; SELECT set_config('app.org', '"+
		sc.Organization.String()+"', false)")
	must(t, err)
	_, err = conn.Exec(t.Context(),
		"PREPARE looked (uuid) AS SELECT id FROM athlete WHERE organization = $1 AND id IN ("+strings.Join(keys, ", ")+
			") ORDER BY id FOR KEY SHARE")
	must(t, err)
	plan := strings.Join(asked(t, conn, "EXPLAIN EXECUTE looked ('"+sc.Organization.String()+"')"), "\n")
	if !strings.Contains(plan, "athlete_pkey") || strings.Contains(plan, "Filter: (id") {
		t.Errorf("the athletes are looked for so:\n%s", plan)
	}
}
