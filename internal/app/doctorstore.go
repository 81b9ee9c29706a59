package app

import (
	"context"
	"errors"
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

// owned looks for the files of an organization, and holds some to their checksums.
func (d *Doctor) owned(ctx context.Context, sc organization.Scope, there, named map[string]bool) error {
	var missing, changed, closed, plain []string
	samples := d.Samples
	err := d.store.Owned(ctx, sc, func(o store.Owned) error {
		if named[o.Name] {
			return nil
		}
		named[o.Name] = true
		if !o.Needed {
			return nil
		}
		isTable := strings.HasSuffix(o.Name, ".parquet")
		if there[o.Name] && (o.SHA256 == "" && !isTable || samples == 0) {
			return nil
		}
		if there[o.Name] && isTable {
			samples--
			state, err := d.table(ctx, o.Name)
			switch state {
			case tableDamaged:
				closed = append(closed, o.Session+" ("+o.Name+")")
			case tablePlain:
				plain = append(plain, o.Session)
			}
			return err
		}
		sum, err := d.sum(ctx, o.Name)
		switch {
		case errors.Is(err, upload.ErrNoFile):
			now, err := d.store.Standing(ctx, o.File)
			if err == nil && now == 0 {
				missing = append(missing, o.Session+" ("+o.Name+")")
			}
			return err
		case err != nil:
			return err
		case o.SHA256 != "" && sum != o.SHA256:
			changed = append(changed, o.Session+" ("+o.Name+")")
		}
		samples--
		return nil
	})
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		d.tell("missing", Wrong,
			"Put the files back from a backup; a table alone is made again by POST /captures/{captureId}/reprocess.",
			"Of organization %s, %s missing: %s.", sc.Organization, told(len(missing), "file is", "files are"),
			some(missing))
	} else {
		d.tell("missing", Fine, "", "No file of organization %s is missing.", sc.Organization)
	}
	if len(closed) > 0 {
		d.tell("tables", Wrong, "Have them made again by POST /captures/{captureId}/reprocess, and look after "+
			"the disk.", "Of organization %s, %s damaged: %s.", sc.Organization,
			told(len(closed), "table is", "tables are"), some(closed))
	} else {
		d.tell("tables", Fine, "", "The tables of organization %s that were looked at are whole.", sc.Organization)
	}
	if len(plain) > 0 {
		d.tell("plain", Fine, "",
			"Of organization %s, %s no checksums, so that damage may go unseen: %s. POST "+
				"/captures/{captureId}/reprocess makes them with checksums.", sc.Organization,
			told(len(plain), "table has", "tables have"), some(plain))
	}
	if len(changed) > 0 {
		d.tell("checksums", Wrong, "Put the files back from a backup, and look after the disk.",
			"Of organization %s, %s other bytes than those that came: %s.", sc.Organization,
			told(len(changed), "file has", "files have"), some(changed))
	} else {
		d.tell("checksums", Fine, "",
			"The original files of organization %s that were looked at have the bytes that came.", sc.Organization)
	}
	return nil
}

// The states of a table.
type tableState int

const (
	tableFine tableState = iota
	tablePlain
	tableDamaged
)

// table reads all of a table; nothing is wrong with one that is not there any more.
func (d *Doctor) table(ctx context.Context, name string) (tableState, error) {
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
