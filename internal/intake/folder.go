package intake

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/semaphore"
	"golang.org/x/text/unicode/norm"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/upload"
)

// Folders is what folders of motion files need besides the store of manifests.
type Folders struct {
	Store interface {
		upload.Store
		athlete.Store
		capture.Store
		naming
	}
	Files    upload.Files    // of no meaning in a dry run, as is Reader
	Reader   upload.Reader   //
	Defaults capture.Capture // labels, time and athletes of files of which no table says better
	Workers  int             // files that are read, or sent, at the same time; 0: as many as there are processors
	// Elsewhere takes the files in the place of all above; nil for the store.
	Elsewhere Elsewhere
}

// place is where athletes are found and names of points are kept.
func (f *Folders) place() interface {
	people
	naming
} {
	if f.Elsewhere != nil {
		return f.Elsewhere
	}
	return f.Store
}

// entriesAtOnce is how much of a folder is held at a time: a folder of a million
// files must not be listed in memory to be sorted.
const entriesAtOnce = 1024

func isMotion(path string) bool {
	_, ok := motion.KindOf(filepath.Base(path))
	return ok
}

// folder searches a folder for motion files. It is opened as a root: no link
// inside it leads out of it.
type folder struct {
	*reader
	ctx   context.Context
	root  *os.Root
	path  string // as it was given, for reports
	tasks chan *task
	order chan *task

	reading *semaphore.Weighted // a place for each file that is read
}

// shown is how a report names something in the folder.
func (f *folder) shown(name string) string { return filepath.Join(f.path, filepath.FromSlash(name)) }

func (f *folder) skip(name, why string) bool {
	return f.tell(item{path: f.shown(name), skipped: why})
}

func (f *folder) blame(name string, err error) bool {
	return f.tell(item{path: f.shown(name), err: err})
}

// walk goes through one folder and those below it, hidden ones left out, with the
// tables of all folders above; false when the import is over.
func (f *folder) walk(dir string, sheets []*sheet) bool {
	own, ok := f.sheet(dir)
	if !ok {
		return false
	}
	if own != nil {
		sheets = append(slices.Clip(sheets), own)
	}
	err := f.each(dir, func(e fs.DirEntry) bool { return f.entry(path.Join(dir, e.Name()), e.Type(), sheets) })
	switch {
	case f.ctx.Err() != nil:
		return false
	case err != nil:
		return f.blame(dir, cannotRead(err))
	}
	return own == nil || f.unused(own)
}

// each calls visit with everything in a folder that is not hidden, until it gives
// false.
func (f *folder) each(dir string, visit func(fs.DirEntry) bool) error {
	in, err := f.root.Open(dir)
	if err != nil {
		return err
	}
	defer in.Close() // it was only read
	for {
		entries, err := in.ReadDir(entriesAtOnce)
		slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
		for _, e := range entries {
			if !strings.HasPrefix(e.Name(), ".") && !visit(e) {
				return nil
			}
		}
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}

func (f *folder) entry(name string, mode fs.FileMode, sheets []*sheet) bool {
	base := path.Base(name)
	kind, ok := motion.KindOf(base)
	switch {
	case f.ctx.Err() != nil:
		return false
	case mode.IsDir():
		return f.walk(name, sheets)
	case base == SheetName:
		return true // it has been read
	case strings.EqualFold(base, SheetName):
		return f.blame(name, errors.New("must be called "+SheetName+
			", in small letters, to be read as the table of this folder"))
	case !ok:
		return f.skip(name, "not a motion file")
	}
	if mode&fs.ModeSymlink != 0 {
		info, err := f.root.Stat(name)
		if err != nil {
			return f.skip(name, f.strayed(name))
		}
		mode = info.Mode()
	}
	if !mode.IsRegular() { // opening a pipe would wait for somebody to write into it
		return f.skip(name, "not a regular file")
	}
	given, err := f.labels(name, sheets)
	if err != nil {
		return f.blame(name, err)
	}
	return f.send(&task{name: name, kind: kind, given: given, done: make(chan struct{})})
}

// strayed says where a link leads that is not followed. A root follows none that is written from the root of the file
// system, also where it leads to a place in the folder.
func (f *folder) strayed(name string) string {
	at, err := filepath.EvalSymlinks(filepath.Join(f.path, filepath.FromSlash(name)))
	if err != nil {
		return "a link that leads nowhere"
	}
	home, err := filepath.EvalSymlinks(f.path)
	if err == nil {
		home, err = filepath.Abs(home)
	}
	if err == nil {
		at, err = filepath.Abs(at)
	}
	if within, failed := filepath.Rel(home, at); err == nil && failed == nil && filepath.IsLocal(within) {
		return "a link to " + within + " in the folder that is not followed: write its target from where the link " +
			"lies, without the path of the folder"
	}
	return "a link that leads out of the folder"
}

// labels is what is known of a file beside it: by the nearest table that has a row
// for it, and of what that leaves open by the options.
func (f *folder) labels(name string, sheets []*sheet) (capture.Capture, error) {
	for _, s := range slices.Backward(sheets) {
		if s.broken {
			return capture.Capture{}, fmt.Errorf("is not imported, because %s cannot be used", s.path)
		}
		below := name
		if s.dir != "." {
			below = strings.TrimPrefix(name, s.dir+"/")
		}
		r := s.find(norm.NFC.String(below))
		switch {
		case r == nil:
			continue
		case r.wrong:
			r.used = true
			return capture.Capture{}, fmt.Errorf("is not imported, because line %d of %s speaks of it and was refused",
				r.line, s.path)
		}
		r.used = true
		given := relabel(f.Folders.Defaults, r.labels)
		if r.labels.CaptureTime != nil {
			given.CaptureTime = r.labels.CaptureTime
		}
		return given, nil
	}
	return f.Folders.Defaults, nil
}

// sheet reads the table of a folder, nil when it has none; false when the import
// is over.
func (f *folder) sheet(dir string) (*sheet, bool) {
	name := path.Join(dir, SheetName)
	info, err := f.root.Stat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir() {
		if _, err := f.root.Lstat(name); err == nil && info == nil {
			return f.noSheet(dir, errors.New("is a link that leads nowhere"))
		}
		return nil, true
	}
	switch {
	case err != nil:
		return f.noSheet(dir, cannotRead(err))
	case !info.Mode().IsRegular():
		return f.noSheet(dir, errors.New("is not a regular file"))
	case info.Size() > maxSheet:
		return f.noSheet(dir, fmt.Errorf("is longer than %d MiB: put smaller ones into the folders below",
			maxSheet>>20))
	}
	text, err := f.root.ReadFile(name)
	if err != nil {
		return f.noSheet(dir, cannotRead(err))
	}
	s, problems, err := readSheet(f.ctx, text, f.directory)
	if err != nil {
		return nil, f.tell(item{fatal: err})
	}
	s.dir, s.path = dir, f.shown(name)
	for _, p := range problems {
		if !f.tell(item{path: s.path, line: p.line, err: p.err}) {
			return nil, false
		}
	}
	for _, r := range s.rows {
		for _, n := range r.notices(f.Folders.Defaults) {
			n.Path, n.Line = s.path, r.line
			if !f.tell(item{path: s.path, line: r.line, noticed: &n}) {
				return nil, false
			}
		}
	}
	renamed, err := s.names.keep(f.ctx, f.Folders.place(), f.Scope, f.Dry)
	if err != nil {
		return nil, f.tell(item{fatal: err})
	}
	if renamed && !f.tell(item{renamed: true}) {
		return nil, false
	}
	return s, true
}

// noSheet is for a table that is there but cannot be read: nothing is imported
// without it.
func (f *folder) noSheet(dir string, why error) (*sheet, bool) {
	name := path.Join(dir, SheetName)
	return &sheet{dir: dir, path: f.shown(name), broken: true}, f.blame(name, why)
}

// unused tells of the rows that no file went by.
func (f *folder) unused(s *sheet) bool {
	for _, r := range s.rows {
		if r.used || r.wrong || s.broken {
			continue
		}
		why := fmt.Sprintf("there is no motion file %s, or an earlier row already names it", r.file)
		if r.stars != nil {
			why = fmt.Sprintf("no motion file matches %s, or an earlier row already names those that do", r.file)
		}
		if !f.tell(item{path: s.path, line: r.line, skipped: why}) {
			return false
		}
	}
	return true
}
