package cli_test

import (
	"strings"
	"testing"

	"github.com/kinebase/kinebase/backup"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// cursors gives a cursor of the end of the changes and one of the audit log.
func (d *drill) cursors() (changes, entries string) {
	d.Helper()
	return d.app.Get("/changes", d.secret).Want(200).Object()["cursor"].(string),
		d.app.Get("/audit", d.secret).Want(200).Object()["cursor"].(string)
}

// again brings a backup into another empty place and serves it.
func (d *drill) again(id string) {
	d.Helper()
	if err := d.app.Stop(); err != nil {
		d.Fatal(err)
	}
	d.elsewhere()
	d.shell.run("restore", d.place, "--at", id).ok()
	d.app = d.serve(apptest.With("KINEBASE_WORKERS", "0"))
	d.client = d.of(d.app)
}

func TestABackupThatIsRestoredTwiceMakesTwoStoresOfWhichNeitherTakesTheCursorsOfTheOther(t *testing.T) {
	testkit.Long(t)
	drills(t, func(d *drill) {
		d.athlete("Ada")
		var made backup.Report
		d.shell.run("backup", d.place, "--json").into(&made)
		lost, lostEntries := d.cursors()
		for n := range 3 {
			d.again(made.ID)
			d.app.Get("/changes?after="+lost, d.secret).Want(410)
			d.app.Get("/audit?after="+lostEntries, d.secret).Want(410)
			for range 5 - n { // no store gets further than the one before
				d.athlete("Ben")
			}
			changes, entries := d.cursors()
			d.app.Get("/changes?after="+changes, d.secret).Want(200)
			d.app.Get("/audit?after="+entries, d.secret).Want(200)
			lost, lostEntries = changes, entries
		}
	})
}

func TestWhatAnyRestoredStoreHasErasedIsErasedInTheNext(t *testing.T) {
	testkit.Long(t)
	drills(t, func(d *drill) {
		all := map[string]string{}
		for _, name := range strings.Fields("Ada Ben Cleo Dan") {
			all[name] = d.athlete(name)
		}
		var made backup.Report
		d.shell.run("backup", d.place, "--json").into(&made)
		for _, name := range strings.Fields("Ada Ben Cleo") {
			d.again(made.ID)
			for gone := range all {
				if gone < name {
					d.app.Get("/athletes/"+all[gone], d.secret).Want(404)
				}
			}
			if name != "Ben" { // the second store gets no further than the first
				for range 4 {
					d.athlete("Eve")
				}
			}
			d.app.Do("DELETE", "/athletes/"+all[name], d.secret, "").Want(200)
			d.shell.run("backup", d.place).ok()
		}
		d.again(made.ID)
		d.app.Get("/athletes/"+all["Cleo"], d.secret).Want(404)
		d.app.Get("/athletes/"+all["Dan"], d.secret).Want(200)
	})
}
