package app_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

func TestARoleThatServesAndOwnsTheTablesIsToldOfOnceAndMeasured(t *testing.T) {
	const metric, warning = "\nkinebase_database_role_alone ", "could turn row-level security off"
	one := map[string]string{"database-url": testkit.Postgres(t).Database(t),
		"files": filepath.Join(t.TempDir(), "files")}
	for what, c := range map[string]struct {
		place  map[string]string
		value  string
		warned int
	}{
		"one role":  {one, "1", 1},
		"two roles": {apptest.PostgreSQL.Place(t), "0", 0},
		"SQLite":    {apptest.SQLite.Place(t), "", 0},
	} {
		a := apptest.Start(t, "", apptest.At(c.place))
		figures := string(a.Page("/metrics").Want(200).Body)
		if n := strings.Count(a.Logs(), warning); n != c.warned {
			t.Errorf("%s: told %d times", what, n)
		}
		if has := strings.Contains(figures, metric+c.value+"\n"); c.value != "" && !has || c.value == "" &&
			strings.Contains(figures, metric) {
			t.Errorf("%s: the metrics do not tell of it as %q", what, c.value)
		}
	}
}
