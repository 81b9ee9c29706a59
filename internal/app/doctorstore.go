package app

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// Room on a disk below which a doctor speaks up.
const (
	littleRoom = 5 << 30
	noRoom     = 512 << 20
)

func (d *Doctor) space(what, dir string) {
	free, err := freeBytes(dir)
	if err != nil {
		d.tell("space", Warning, "Look at the disk.", "The room in %s cannot be asked for: %v.", dir, err)
		return
	}
	level, do := judgeRoom(free)
	d.tell("space", level, do, "There are %d MiB free for %s, %s.", free>>20, what, dir)
}

// judgeRoom says how bad it is that there are so many bytes left, and what to do.
func judgeRoom(free uint64) (Level, string) {
	const do = "Make room, or move the folder to a larger disk."
	switch {
	case free < noRoom:
		return Wrong, do
	case free < littleRoom:
		return Warning, do
	}
	return Fine, ""
}

// The distances of clocks at which a doctor speaks up.
const (
	clockOdd   = 2 * time.Second
	clockWrong = 30 * time.Second
)

// database looks at the database.
func (d *Doctor) database(ctx context.Context) {
	wrong, err := d.store.Integrity(ctx)
	switch {
	case err != nil:
		d.tell("integrity", Wrong, "Restore the newest backup into an empty place.",
			"The database cannot be read through: %v.", err)
	case len(wrong) > 0:
		d.tell("integrity", Wrong, "Stop the server, and restore the newest backup into an empty place.",
			"The database is damaged: %s.", strings.Join(wrong, "; "))
	default:
		d.tell("integrity", Fine, "", "The database finds nothing wrong with itself.")
	}
	before := time.Now()
	at, err := d.store.Clock(ctx)
	if off := at.Sub(before).Abs() - time.Since(before); err != nil || off > clockOdd {
		level := Warning
		if err != nil || off > clockWrong {
			level = Wrong
		}
		d.tell("clock", level, "Have the clocks of all machines set by NTP: tokens expire by them.",
			"The clock of this machine and that of the database are %s apart (%v).", off.Round(time.Millisecond), err)
	} else {
		d.tell("clock", Fine, "", "The clock is that of the database.")
	}
	if !d.Config.DatabaseURL.Set() {
		return
	}
	if tables, err := d.store.Unwalled(ctx); err != nil || len(tables) > 0 {
		d.tell("wall", Wrong, "As the owner of each table: ALTER TABLE … ENABLE ROW LEVEL SECURITY, and FORCE ROW "+
			"LEVEL SECURITY.", "Row-level security does not hold for %s (%v).", strings.Join(tables, ", "), err)
	} else {
		d.tell("wall", Fine, "", "Row-level security holds for every table of organizations.")
	}
	if d.store.Alone() {
		d.tell("role", Warning, "Give serving a role of its own: docs/operate.md, Two roles.",
			"The database role that serves could turn row-level security off.")
	} else {
		d.tell("role", Fine, "", "The database role that serves cannot turn row-level security off.")
	}
}

// lookThrough compares the rows of all organizations with the files, and with what is summed up of them.
func (d *Doctor) lookThrough(ctx context.Context) error {
	// The files first: what is there now was noted in the rows before, and still is, or was removed.
	there := map[string]bool{}
	if err := d.files.Files.(lister).List(ctx, "", func(name string, _ int64) error {
		there[name] = true
		return nil
	}); err != nil {
		return err
	}
	all, err := d.store.Organizations(ctx)
	if err != nil {
		return err
	}
	d.names(all)
	rooms := map[string]bool{}
	named := map[string]bool{}
	for _, o := range all {
		rooms["org="+o.ID.String()] = true
		sc := organization.Scope{Organization: o.ID}
		if err := d.counts(ctx, sc); err != nil {
			return err
		}
		if err := d.owned(ctx, sc, there, named); err != nil {
			return err
		}
	}
	var strays []string
	for name := range there {
		parts := strings.SplitN(name, "/", 3)
		if len(parts) == 3 && rooms[parts[1]] && !named[name] && !strings.HasPrefix(name, upload.LandingRoom) {
			strays = append(strays, name)
		}
	}
	if len(strays) == 0 {
		d.tell("strays", Fine, "", "Every file that is there is named by something.")
		return nil
	}
	f := Finding{Check: "strays", Level: Warning, Says: told(len(strays), "file is", "files are") +
		" there that nothing names: " + some(strays) + ".",
		Do: "Run kinebase doctor --repair, which removes them."}
	if d.Repair {
		for _, name := range strays {
			if err := d.files.Erase(ctx, name); err != nil {
				return err
			}
		}
		f.Repaired = true
	}
	d.Found(f)
	return nil
}

// names finds organizations that were given one name when the case and form of letters still told names apart.
func (d *Doctor) names(all []organization.Organization) {
	first := map[string]organization.Organization{}
	fine := true
	for _, o := range all {
		key := organization.NameKey(o.Name)
		before, taken := first[key]
		if !taken {
			first[key] = o
			continue
		}
		fine = false
		d.tell("names", Warning, "Give one of them another name: kinebase org rename "+o.ID.String()+" NAME.",
			"The organizations %q (%s) and %q (%s) have the same name but for the case or the form of its letters.",
			before.Name, before.ID, o.Name, o.ID)
	}
	if fine {
		d.tell("names", Fine, "", "No two organizations have the same name.")
	}
}

type lister interface {
	List(ctx context.Context, prefix string, each func(name string, size int64) error) error
}

// countTries is how often numbers are compared that others may be changing.
const countTries = 5

func (d *Doctor) counts(ctx context.Context, sc organization.Scope) error {
	var off []store.Counted
	for range countTries {
		all, err := d.store.Counts(ctx, sc)
		if err != nil {
			return err
		}
		off = nil
		for _, c := range all {
			if c.Kept != c.Counted {
				off = append(off, c)
			}
		}
		if len(off) == 0 {
			d.tell("totals", Fine, "", "The totals of organization %s are right.", sc.Organization)
			return nil
		}
	}
	for _, c := range off {
		d.tell("totals", Wrong, "Report this as a fault of the program, with the log; a backup that is restored has "+
			"the same rows.", "Of organization %s there are %d %s, and the sum that is kept says %d.", sc.Organization,
			c.Counted, c.What, c.Kept)
	}
	return nil
}

// looked is what a look at the files of an organization has found: sessions, each with its file.
type looked struct {
	missing, changed, damaged, plain []string
	originals, tables                int // read from end to end
	ofOriginals, ofTables            int // that are there
}

// owned looks for the files of an organization, and holds some to their checksums.
func (d *Doctor) owned(ctx context.Context, sc organization.Scope, there, named map[string]bool) error {
	var all []store.Owned
	err := d.store.Owned(ctx, sc, func(o store.Owned) error {
		if !named[o.Name] && o.Needed {
			all = append(all, o)
		}
		named[o.Name] = true
		return nil
	})
	if err != nil {
		return err
	}
	// Each look takes others, so that in time all of them have been read.
	rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var l looked
	for _, o := range all {
		switch isTable := strings.HasSuffix(o.Name, ".parquet"); {
		case !there[o.Name]:
			err = d.gone(ctx, o, &l)
		case isTable:
			err = d.table(ctx, o, &l)
		case o.SHA256 != "":
			err = d.original(ctx, o, &l)
		}
		if err != nil {
			return err
		}
	}
	d.tellFiles(sc, l)
	return nil
}

// gone takes note of a file that is not there, unless its row has gone too.
func (d *Doctor) gone(ctx context.Context, o store.Owned, l *looked) error {
	f, err := d.files.Open(ctx, o.Name)
	if err == nil {
		return f.Close() // it has come since
	}
	if !errors.Is(err, upload.ErrNoFile) {
		return err
	}
	now, err := d.store.Standing(ctx, o.File)
	if err == nil && now == 0 {
		l.missing = append(l.missing, o.Session+" ("+o.Name+")")
	}
	return err
}

// original holds an original file to the checksum of what came, as long as not enough have been.
func (d *Doctor) original(ctx context.Context, o store.Owned, l *looked) error {
	if l.ofOriginals++; l.originals >= d.Samples {
		return nil
	}
	sum, err := d.sum(ctx, o.Name)
	if errors.Is(err, upload.ErrNoFile) {
		return d.gone(ctx, o, l)
	}
	if l.originals++; err == nil && sum != o.SHA256 {
		l.changed = append(l.changed, o.Session+" ("+o.Name+")")
	}
	return err
}

// table reads all of a table, as long as not enough have been.
func (d *Doctor) table(ctx context.Context, o store.Owned, l *looked) error {
	if l.ofTables++; l.tables >= d.Samples {
		return nil
	}
	l.tables++
	state, err := d.state(ctx, o.Name)
	switch state {
	case tableDamaged:
		l.damaged = append(l.damaged, o.Session+" ("+o.Name+")")
	case tablePlain:
		l.plain = append(l.plain, o.Session)
	}
	return err
}

// tellFiles tells what was found of the files of an organization.
func (d *Doctor) tellFiles(sc organization.Scope, l looked) {
	if len(l.missing) > 0 {
		d.tell("missing", Wrong,
			"Put the files back from a backup; a table alone is made again by POST /captures/{captureId}/reprocess.",
			"Of organization %s, %s missing: %s.", sc.Organization, told(len(l.missing), "file is", "files are"),
			some(l.missing))
	} else {
		d.tell("missing", Fine, "", "No file of organization %s is missing.", sc.Organization)
	}
	if len(l.damaged) > 0 {
		d.tell("tables", Wrong, "Have them made again by POST /captures/{captureId}/reprocess, and look after "+
			"the disk.", "Of organization %s, %s damaged: %s.", sc.Organization,
			told(len(l.damaged), "table is", "tables are"), some(l.damaged))
	} else {
		d.tell("tables", Fine, "", "Of organization %s, %d of %d tables were read, and are whole.", sc.Organization,
			l.tables, l.ofTables)
	}
	if len(l.plain) > 0 {
		d.tell("plain", Fine, "",
			"Of organization %s, %s no checksums, so that damage may go unseen: %s. POST "+
				"/captures/{captureId}/reprocess makes them with checksums.", sc.Organization,
			told(len(l.plain), "table has", "tables have"), some(l.plain))
	}
	if len(l.changed) > 0 {
		d.tell("checksums", Wrong, "Put the files back from a backup, and look after the disk.",
			"Of organization %s, %s other bytes than those that came: %s.", sc.Organization,
			told(len(l.changed), "file has", "files have"), some(l.changed))
	} else {
		d.tell("checksums", Fine, "",
			"Of organization %s, %d of %d original files were read, and have the bytes that came.", sc.Organization,
			l.originals, l.ofOriginals)
	}
}

// The states of a table.
type tableState int

const (
	tableFine tableState = iota
	tablePlain
	tableDamaged
)

// state reads all of a table; nothing is wrong with one that is not there any more.
func (d *Doctor) state(ctx context.Context, name string) (tableState, error) {
	f, err := d.files.Open(ctx, name)
	if errors.Is(err, upload.ErrNoFile) {
		return tableFine, nil
	}
	if err != nil {
		return tableFine, err
	}
	defer func() { _ = f.Close() }() // it was only read
	t, err := frames.Open(f, f.Size())
	if err == nil {
		err = t.Verify()
	}
	var damaged *frames.Damaged
	switch {
	case errors.As(err, &damaged):
		return tableDamaged, nil
	case err == nil && !t.Checksums():
		return tablePlain, nil
	}
	return tableFine, err
}

func (d *Doctor) sum(ctx context.Context, name string) (sum string, err error) {
	f, err := d.files.Open(ctx, name)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return upload.Sum(f)
}

func told(n int, single, several string) string {
	if n == 1 {
		return "1 " + single
	}
	return strconv.Itoa(n) + " " + several
}

// some names the first few.
func some(names []string) string {
	slices.Sort(names)
	if more := len(names) - 5; more > 0 {
		return strings.Join(names[:5], ", ") + " and " + strconv.Itoa(more) + " more"
	}
	return strings.Join(names, ", ")
}
