package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/internal/testkit"
)

func TestAPlaceOfBackupsIsGivenUp(t *testing.T) {
	testkit.Long(t)
	drills(t, func(d *drill) {
		places := func() (all []store.Holding) {
			d.Helper()
			d.shell.run("backup", "--places", "--json").into(&all)
			return all
		}
		if all := places(); len(all) != 0 {
			d.Errorf("before the first backup deletions are kept for %v", all)
		}
		ada, ben := d.athlete("Ada"), d.athlete("Ben")
		other := filepath.Join(d.TempDir(), "other")
		d.shell.run("backup", d.place).ok()
		d.shell.run("backup", other).ok()
		d.app.Do("DELETE", "/athletes/"+ada, d.secret, "").Want(200)
		if all := places(); len(all) != 2 || all[0].Waits != 1 || all[1].Waits != 1 {
			d.Errorf("deletions are kept for %v", all)
		}
		d.shell.run("backup", d.place, "--forget").ok()
		d.shell.run("backup", d.place, "--forget").ok()
		d.shell.run("backup", d.place).fails(1, "was given up")
		all := places()
		if len(all) != 1 {
			d.Fatalf("deletions are kept for %v", all)
		}
		d.shell.run("backup", filepath.Join(d.TempDir(), "nothing"), "--forget").fails(1, "no backups of the store")
		d.shell.run("backup", d.place, "--forget", "--verify").fails(2, "alone")

		// The other one is lost, and comes back.
		away := other + "-away"
		if err := os.Rename(other, away); err != nil {
			d.Fatal(err)
		}
		d.shell.run("backup", all[0].Place, "--forget").ok()
		d.shell.run("backup", all[0].Place, "--forget").fails(1, "--places")
		if all := places(); len(all) != 0 {
			d.Errorf("deletions are kept for %v", all)
		}
		if err := os.Rename(away, other); err != nil {
			d.Fatal(err)
		}
		d.shell.run("backup", other).fails(1, "given up")

		d.app.Do("DELETE", "/athletes/"+ben, d.secret, "").Want(200)
		if err := d.app.Stop(); err != nil {
			d.Fatal(err)
		}
		d.elsewhere()
		d.shell.run("backup", d.place, "--verify").ok()
		if r := d.shell.run("restore", d.place); r.code != 0 || !strings.Contains(r.out, "was given up at") {
			d.Errorf("the restore ends with %d and says %s", r.code, r.out)
		}
	})
}
