package intake

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/upload"
)

// local is a motion file where it lies, as an upload.File.
type local struct {
	file *os.File
	size int64
}

// ReadAt is io.ReaderAt.
func (l *local) ReadAt(p []byte, off int64) (int, error) { return l.file.ReadAt(p, off) }

// Close closes it.
func (l *local) Close() error { return l.file.Close() }

// File gives the file itself, for a child process to inherit.
func (l *local) File() *os.File { return l.file }

// Size gives the size in bytes.
func (l *local) Size() int64 { return l.size }

// source reads a local file to its end, hashes it on the way, and keeps what
// reading failed with apart from what storing failed with.
type source struct {
	ctx  context.Context
	from io.Reader
	sum  hash.Hash
	n    int64
	end  bool // it was read to its end
	err  error
}

func (l *local) source(ctx context.Context) *source {
	return &source{ctx: ctx, from: io.NewSectionReader(l.file, 0, l.size), sum: sha256.New()}
}

func (s *source) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := s.from.Read(p)
	s.sum.Write(p[:n]) // never fails
	s.n += int64(n)
	s.end = err == io.EOF
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// refusal is what is wrong with the file itself, once it was read; nil when all of
// it is there.
func (s *source) refusal(size int64) error {
	switch {
	case s.err != nil:
		return &refusedFile{cannotRead(s.err).Error()}
	case s.end && s.n < size:
		return errChanging
	}
	return nil
}

var errChanging = &refusedFile{"changed while it was read: import it again"}

// copyBuffer is large enough for a disk to be read at its speed.
const copyBuffer = 256 << 10

// file imports one motion file. It is read twice: once for its id, which depends on
// its content and says whether it is there already, and once to be stored.
func (f *folder) file(t *task) item {
	it := item{path: f.shown(t.name), measured: true}
	in, err := f.root.Open(t.name)
	if err != nil {
		it.err = cannotRead(err)
		return it
	}
	defer in.Close() // it was only read
	info, err := in.Stat()
	if err != nil {
		it.err = cannotRead(err)
		return it
	}
	l := &local{in, info.Size()}
	it.size = l.size
	all := l.source(f.ctx)
	var read blocks
	to := io.Discard
	if f.Folders.Elsewhere != nil {
		to = &read
	}
	_, err = io.CopyBuffer(struct{ io.Writer }{to}, all, make([]byte, copyBuffer))
	read.end()
	if refusal := all.refusal(l.size); refusal != nil {
		err = refusal
	}
	if err != nil {
		return failed(it, err)
	}
	s := &stay{folder: f, task: t, file: l, sum: [sha256.Size]byte(all.sum.Sum(nil))}
	s.id = manifest.FileID(f.organization, norm.NFC.String(t.name), s.sum)
	if f.Folders.Elsewhere == nil {
		it.made, it.skipped, err = s.run(it.path)
		return failed(it, err)
	}
	if t.kind == motion.CSV {
		if m, err := s.look(); err != nil || m.unreadable {
			if err == nil {
				it.skipped = notMotion + m.reason
			}
			return failed(it, err)
		}
	}
	if it.made, err = s.elsewhere(info, &read); it.made != nil {
		it.made.Path = it.path
	}
	return failed(it, err)
}

// failed says what an error is to be blamed on: the file, or what stops the import.
func failed(it item, err error) item {
	var refused *refusedFile
	if errors.As(err, &refused) {
		it.err = refused
	} else {
		it.fatal = err
	}
	return it
}

// notMotion is said of a table that cannot be read: tables of all sorts lie beside motion files, and this is most
// likely none.
const notMotion = "not a table of motion. "

// refusedFile is why a file is not taken.
type refusedFile struct{ why string }

func (r *refusedFile) Error() string { return r.why }

// stay is one file on its way into the store.
type stay struct {
	*folder
	task *task
	file *local
	id   string
	sum  [sha256.Size]byte
}

// run gives what became of the file, or why it is passed over.
func (s *stay) run(shown string) (*Capture, string, error) {
	there, err := s.Folders.Store.Stored(s.ctx, s.Scope, s.id)
	effect := manifest.Updated
	switch {
	case fault.Is(err, fault.NotFound):
		effect = manifest.Created
	case err != nil:
		return nil, "", err
	case there.Original != "" && there.SHA256 == hex.EncodeToString(s.sum[:]) &&
		(there.Capture.Status == capture.Completed || there.Capture.Status == capture.Error):
		made, err := s.again(there)
		if made != nil {
			made.Path = shown
		}
		return made, "", err
	}
	if err := s.fits(there); err != nil {
		return nil, "", err
	}
	measure := s.read
	if s.Dry {
		measure = s.look
	}
	m, err := measure()
	if err != nil {
		return nil, "", err
	}
	defer m.close()
	if s.task.kind == motion.CSV && m.unreadable {
		return nil, notMotion + m.reason, nil
	}
	c := s.capture(m)
	if !s.Dry {
		if err := s.store(c, m); err != nil {
			return nil, "", err
		}
	}
	shownAs := c
	if effect == manifest.Updated {
		shownAs = relabel(there.Capture, c)
		shownAs.Status, shownAs.Error, shownAs.FPSDetected = c.Status, c.Error, c.FPSDetected
	}
	return &Capture{Path: shown, Capture: &shownAs, Effect: effect, Warnings: m.warnings}, "", nil
}

// again takes a file that is there already: what is said of it now counts.
func (s *stay) again(there upload.Stored) (*Capture, error) {
	c := relabel(there.Capture, s.task.given)
	made := &Capture{Capture: &c, Warnings: warnings(there.Info)}
	if c.Equal(there.Capture) {
		return made, nil
	}
	made.Effect = manifest.Updated
	if s.Dry {
		return made, nil
	}
	_, err := s.Folders.Store.ChangeCapture(s.ctx, s.Scope, s.id, nil,
		func(old capture.Capture, _ string) (capture.Capture, error) {
			c = relabel(old, s.task.given)
			return c, nil
		})
	return made, whoWasDeleted(err)
}

// whoWasDeleted tells of an athlete that was found, and was gone when it was linked.
func whoWasDeleted(err error) error {
	if fault.Is(err, fault.BadRequest) {
		return &refusedFile{"is not imported: an athlete that it belongs to has been deleted meanwhile"}
	}
	return err
}

// noRoom tells of a file that does not fit beside all others of the organization: a
// smaller one may.
func noRoom(err error) error {
	var f *fault.Error
	if errors.Is(err, upload.ErrNoRoom) && errors.As(err, &f) {
		return &refusedFile{"is not imported. " + f.Message}
	}
	return err
}

// fits says whether the file can find room, before it is read for that. What will be made
// of it is not known yet.
func (s *stay) fits(there upload.Stored) error {
	room, err := s.Folders.Store.Room(s.ctx, s.Scope)
	if err != nil || s.file.size <= there.Size {
		return err
	}
	return noRoom(room.Take(s.file.size - there.Size))
}

// measured is what a file gave.
type measured struct {
	upload.Reading        // empty when the file could not be read
	reason         string // why it could not be read; "" when it could
	unreadable     bool   // it is to blame itself, and did not bring its reader down
	warnings       int
}

func (m *measured) close() { _ = m.Close() } // temporary files

// read has the file read. One that brings its reader down is tried as often as one
// that is uploaded.
func (s *stay) read() (*measured, error) {
	if err := s.reading.Acquire(s.ctx, 1); err != nil {
		return nil, err
	}
	defer s.reading.Release(1)
	for deaths := 1; ; deaths++ {
		if _, err := s.file.file.Seek(0, io.SeekStart); err != nil { // where an earlier reader left it
			return nil, err
		}
		as := upload.MeasuredAs(s.task.given, 0)
		r, err := s.Folders.Reader.Read(s.ctx, s.Scope,
			upload.Source{Name: s.fileName(), Athletes: s.task.given.AthleteIDs, As: &as}, s.file)
		var unreadable *upload.Unreadable
		switch {
		case err == nil:
			return &measured{Reading: *r, warnings: warnings(r.Info)}, nil
		case errors.As(err, &unreadable):
			return &measured{reason: unreadable.Reason, unreadable: true}, nil
		}
		if reason := deathOf(err); s.ctx.Err() != nil || reason == "" {
			return nil, err
		} else if deaths == job.MaxDeaths {
			return &measured{reason: reason}, nil
		}
	}
}

// deathOf says how a reader ended that did not give its answer; "" when it did.
func deathOf(err error) string {
	var died *upload.Died
	var stopped *upload.Stopped
	switch {
	case errors.As(err, &stopped):
		return stopped.Reason
	case errors.As(err, &died):
		return died.Reason
	}
	return ""
}

// look reads no more than the file says of itself, for a dry run.
func (s *stay) look() (*measured, error) {
	h, err := motion.ReadHeader(s.fileName(), s.file, s.file.size)
	var unreadable *motion.Unreadable
	switch {
	case errors.As(err, &unreadable):
		return &measured{reason: unreadable.Error(), unreadable: true}, nil
	case err != nil:
		return nil, &refusedFile{cannotRead(err).Error()}
	}
	return &measured{Reading: upload.Reading{Rate: h.Rate}, warnings: len(h.Warnings)}, nil
}

// fileName is what the file is called from now on: it is shown, and sent in headers.
func (s *stay) fileName() string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '_'
		}
		return r
	}, strings.ToValidUTF8(norm.NFC.String(path.Base(s.task.name)), "_"))
}

// capture is what is known of the file: from itself first.
func (s *stay) capture(m *measured) capture.Capture {
	c := s.task.given
	c.SessionID, c.Status, c.Source = s.id, capture.Completed, capture.SourceImport
	if capture.FPS(m.Rate) {
		c.FPSDetected = &m.Rate
	}
	if m.Made != nil {
		made := m.Made.UTC().Truncate(time.Millisecond)
		c.CaptureTime = &made
	}
	if m.reason != "" {
		text := capture.ErrorText(m.reason)
		c.Status, c.Error = capture.Error, &text
	}
	return c
}

// expectTime is how long what is stored waits to be taken up before it is erased;
// a large file on a slow line has longer.
func expectTime(size int64) time.Duration {
	const slowest = 256 << 10 // bytes a second
	return time.Hour + time.Duration(size/slowest)*time.Second
}

// store stores the file, its tables and its capture. Whatever ends it half way, the
// names were written down before: an Erase job removes what lies under them.
func (s *stay) store(c capture.Capture, m *measured) error {
	org := s.organization
	b := upload.Brought{Capture: c, FileName: s.fileName(), Original: upload.OriginalName(org), Size: s.file.size,
		SHA256:  hex.EncodeToString(s.sum[:]),
		Outcome: upload.Outcome{Info: m.Info, Rate: m.Rate, Made: m.Made}}
	names, tables := []string{b.Original}, []upload.File{nil}
	add := func(file upload.File, name string) string {
		if file == nil {
			return ""
		}
		names, tables = append(names, name), append(tables, file)
		return name
	}
	for _, t := range []upload.File{m.Table, m.Samples} {
		if t != nil {
			b.TableBytes += t.Size()
		}
	}
	if m.Derived != nil {
		b.DerivedBytes = m.Derived.Size()
	}
	b.Table = add(m.Table, upload.TableName(org, c))
	b.Samples = add(m.Samples, upload.SamplesName(org, c))
	b.Derived = add(m.Derived, upload.DerivedName(org, m.Extension))

	size := s.file.size
	for _, t := range tables[1:] {
		size += t.Size()
	}
	if err := s.Folders.Store.ExpectBrought(s.ctx, s.Scope, s.id, time.Now().Add(expectTime(size)), names...); err !=
		nil {
		return err
	}
	err := s.put(names, tables)
	if err == nil {
		err = noRoom(whoWasDeleted(s.Folders.Store.Bring(s.ctx, s.Scope, b)))
	}
	if err != nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), 10*time.Second)
		defer cancel()
		_ = s.Folders.Store.Forget(ctx, s.Scope, names...) // otherwise they are erased later
	}
	return err
}

// put puts the file under the first name and its tables under the others.
func (s *stay) put(names []string, tables []upload.File) error {
	all := s.file.source(s.ctx)
	_, err := s.Folders.Files.Put(s.ctx, names[0], all, s.file.size)
	if refusal := all.refusal(s.file.size); err != nil && refusal != nil {
		return refusal
	}
	switch {
	case err != nil:
		return err
	case [sha256.Size]byte(all.sum.Sum(nil)) != s.sum:
		return errChanging
	}
	for i, t := range tables[1:] {
		if _, err := s.Folders.Files.Put(s.ctx, names[i+1], io.NewSectionReader(t, 0, t.Size()), t.Size()); err != nil {
			return fmt.Errorf("a table cannot be stored: %w", err)
		}
	}
	return nil
}

// warnings counts those of a frames.Info.
func warnings(info []byte) int {
	var said struct {
		Warnings []frames.Warning `json:"warnings"`
	}
	if len(info) == 0 || json.Unmarshal(info, &said) != nil {
		return 0
	}
	return len(said.Warnings)
}
