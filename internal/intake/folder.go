package intake

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/motion"
)

// entriesAtOnce is how much of a folder is held at a time: a folder of a million
// files must not be listed in memory to be sorted.
const entriesAtOnce = 1024

func isMotion(path string) bool {
	_, ok := motion.KindOf(filepath.Base(path))
	return ok
}

// folder searches a folder for motion files. It is opened as a root: no link
// inside it leads out of it.
func (r *reader) folder(path string) bool {
	root, err := os.OpenRoot(path)
	if err != nil {
		return r.refuse(path, cannotRead(err))
	}
	defer root.Close() // it was only read
	f := folder{reader: r, root: root, path: path}
	return f.walk(".")
}

type folder struct {
	*reader
	root *os.Root
	path string // as it was given, for reports
}

// shown is how a report names something in the folder.
func (f *folder) shown(name string) string { return filepath.Join(f.path, filepath.FromSlash(name)) }

func (f *folder) skip(name, why string) bool {
	return f.put(item{path: f.shown(name), skipped: why}, 0)
}

// walk goes through one folder and those below it, hidden ones left out; false
// when the import is over.
func (f *folder) walk(dir string) bool {
	in, err := f.root.Open(dir)
	if err != nil {
		return f.refuse(f.shown(dir), cannotRead(err))
	}
	defer in.Close() // it was only read
	for {
		entries, err := in.ReadDir(entriesAtOnce)
		slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
		for _, e := range entries {
			if !strings.HasPrefix(e.Name(), ".") && !f.entry(path.Join(dir, e.Name()), e.Type()) {
				return false
			}
		}
		switch {
		case err == io.EOF:
			return true
		case err != nil:
			return f.refuse(f.shown(dir), cannotRead(err))
		}
	}
}

func (f *folder) entry(name string, mode fs.FileMode) bool {
	if mode.IsDir() {
		return f.walk(name)
	}
	kind, ok := motion.KindOf(path.Base(name))
	switch {
	case !ok:
		return f.skip(name, "not a motion file")
	}
	if mode&fs.ModeSymlink != 0 {
		info, err := f.root.Stat(name)
		if err != nil {
			return f.skip(name, "a link that leads out of the folder or nowhere")
		}
		mode = info.Mode()
	}
	if !mode.IsRegular() { // opening a pipe would wait for somebody to write into it
		return f.skip(name, "not a regular file")
	}
	c, size, err := f.read(name)
	switch {
	case err != nil:
		return f.refuse(f.shown(name), cannotRead(err))
	case kind == motion.CSV && c.Status == capture.Error:
		// Tables of all sorts lie beside motion files: this is most likely none.
		return f.skip(name, "not a table of motion. "+*c.Error)
	}
	return f.put(item{path: f.shown(name), record: manifest.Record{Capture: &c, Measured: true}}, size)
}

// read makes a capture of a motion file. A file that is damaged is a capture
// too, with what is wrong with it as its error; err is a failure to read at all.
func (f *folder) read(name string) (c capture.Capture, size int64, err error) {
	in, err := f.root.Open(name)
	if err != nil {
		return c, 0, err
	}
	defer in.Close() // it was only read
	info, err := in.Stat()
	if err != nil {
		return c, 0, err
	}
	c = capture.Capture{Status: capture.Completed, Source: capture.SourceImport}
	header, err := motion.ReadHeader(path.Base(name), in, info.Size())
	var unreadable *motion.Unreadable
	switch {
	case errors.As(err, &unreadable):
		c.Status, c.Error = capture.Error, errorText(unreadable.Error())
	case err != nil:
		return c, 0, err
	case header.Rate > 0 && header.Rate <= capture.MaxFPS:
		c.FPSDetected = &header.Rate
	case header.Rate != 0:
		c.Status, c.Error = capture.Error, errorText(fmt.Sprintf("The file states a frame rate of %g frames a second, which cannot be.", header.Rate))
	}
	hash := sha256.New()
	if size, err = io.Copy(hash, in); err != nil {
		return c, 0, err
	}
	c.SessionID = manifest.FileID(f.organization, norm.NFC.String(name), [sha256.Size]byte(hash.Sum(nil)))
	return c, size, nil
}

// errorText is a text as the error of a capture.
func errorText(text string) *string {
	text = capture.ErrorText(text)
	return &text
}
