package blob

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
)

// begin makes a file in the room of those that are being written. It is locked
// until it is closed, which also the death of a process does; so what can be locked
// belongs to nobody.
func (d *Disk) begin() (*os.File, string, error) {
	for {
		name := incoming + "/" + organization.NewUUID()
		f, err := d.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if errors.Is(err, fs.ErrNotExist) && d.root.Mkdir(incoming, 0o700) == nil {
			continue // somebody removed the room
		}
		if err != nil {
			return nil, "", err
		}
		mine, err := lock(f, true)
		if err == nil && mine {
			return f, name, nil
		}
		// Somebody tidied up between the two and took it for a leftover.
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, "", errors.Join(err, d.root.Remove(name))
		}
	}
}

// lock locks a file, waiting for whoever has it or not, and says whether it has the lock and
// the file still a name.
func lock(f *os.File, wait bool) (bool, error) {
	held, err := lockFile(f, wait)
	if err != nil {
		return false, &os.PathError{Op: "lock", Path: f.Name(), Err: err}
	}
	if !held {
		return false, nil
	}
	return named(f)
}

// Tidy removes what processes left behind that died while they wrote a file, when
// it is older than a minute, and says how many files that were. One that is being
// written is never touched, by whichever process.
func (d *Disk) Tidy() (removed int, err error) { return d.tidy(time.Minute) }

func (d *Disk) tidy(age time.Duration) (removed int, err error) {
	entries, err := fs.ReadDir(d.root.FS(), incoming)
	if err != nil {
		return 0, fault.System(err, "")
	}
	for _, e := range entries {
		gone, err := d.removeOrphan(incoming+"/"+e.Name(), age)
		if err != nil {
			return removed, fault.System(err, "")
		}
		if gone {
			removed++
		}
	}
	return removed, nil
}

func (d *Disk) removeOrphan(name string, age time.Duration) (gone bool, err error) {
	f, err := d.root.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil // it was finished meanwhile
	}
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil || time.Since(info.ModTime()) < age {
		return false, err
	}
	mine, err := lock(f, false)
	if err != nil || !mine {
		return false, err
	}
	// A file that was given its name in between has one link as well, but not here.
	if err = d.root.Remove(name); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
