package intake_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/blob"
	"github.com/kinebase/kinebase/internal/intake"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/internal/testkit/storetest"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// script is a reader that does with a file what its first word says, and counts.
type script struct {
	lock sync.Mutex
	seen map[string]int // how often a text was read
	fail error          // what reading fails with when it is not the file's fault
	wait chan struct{}  // "slow" files wait for it
	told chan string    // when not nil, gets every name that is begun
}

// temporary is a temporary file as a reader gives it.
type temporary struct{ *bytes.Reader }

func (temporary) Close() error  { return nil }
func (f temporary) Size() int64 { return f.Reader.Size() }

// Measure finds nothing.
func (s *script) Measure(_ context.Context, _ organization.Scope, _ upload.Measured, info []byte,
	_, _ upload.File) ([]byte, error) {
	return info, nil
}

func (s *script) Read(ctx context.Context, _ organization.Scope, of upload.Source, f upload.File) (*upload.Reading,
	error) {
	raw, err := io.ReadAll(f.(interface{ File() *os.File }).File()) // as a child process reads what it inherits
	if err != nil {
		return nil, err
	}
	text := string(raw)
	s.lock.Lock()
	s.seen[text]++
	times, fail := s.seen[text], s.fail
	s.lock.Unlock()
	if s.told != nil {
		s.told <- of.Name
	}
	if fail != nil {
		return nil, fail
	}
	word, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	r := &upload.Reading{Info: []byte(`{"format":"c3d","warnings":[{"code":"a","message":"A."},{"code":"b","message":"B."}]}`), Rate: 120}
	switch word {
	case "damaged":
		return nil, &upload.Unreadable{Reason: "It is damaged at byte 7. Export it again."}
	case "deadly":
		return nil, &upload.Died{Reason: "It needed too much memory."}
	case "stopped":
		return nil, fault.Busy(&upload.Stopped{Reason: "It was asked to end."}, time.Second, "It was stopped.")
	case "sometimes":
		if times < job.MaxDeaths {
			return nil, &upload.Died{Reason: "It needed too much memory."}
		}
	case "slow":
		select {
		case <-s.wait:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	case "dated":
		made, err := time.Parse(time.RFC3339Nano, rest)
		if err != nil {
			return nil, err
		}
		r.Made = &made
	case "video":
		r.Derived, r.Extension = temporary{bytes.NewReader([]byte("derived"))}, ".c3d"
		return r, nil
	}
	r.Table, r.Samples = temporary{bytes.NewReader([]byte("table of " + text))},
		temporary{bytes.NewReader([]byte("samples"))}
	return r, nil
}

// reads gives how often files were read since it was last asked.
func (s *script) reads() (n int) {
	s.lock.Lock()
	defer s.lock.Unlock()
	for _, times := range s.seen {
		n += times
	}
	clear(s.seen)
	return n
}

// lab is an organization in a real store, with files on a disk.
type lab struct {
	t      *testing.T
	store  *store.Store
	files  *blob.Disk
	kept   string // the folder of files
	scope  organization.Scope
	reader *script
}

// labs runs a test on both engines, at the same time.
func labs(t *testing.T, test func(*testing.T, *lab)) {
	t.Helper()
	for name, options := range map[string]store.Options{
		"SQLite": {Data: storetest.Empty.Folder(t)}, "PostgreSQL": {DatabaseURL: storetest.Empty.Database(t)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, newLab(t, options))
		})
	}
}

func newLab(t *testing.T, options store.Options) *lab {
	t.Helper()
	l := &lab{t: t, kept: t.TempDir(), reader: &script{seen: map[string]int{}},
		scope: organization.Scope{Organization: organization.NewID()}}
	var err error
	l.store, err = store.Open(t.Context(), options)
	l.must(err)
	t.Cleanup(func() { l.must(l.store.Close()) })
	l.files, err = blob.OpenDisk(l.kept)
	l.must(err)
	t.Cleanup(func() { l.must(l.files.Close()) })
	l.must(l.store.CreateOrganization(t.Context(), organization.Organization{ID: l.scope.Organization, Name: "Lab",
		CreatedAt: time.Now()}))
	return l
}

func (l *lab) must(err error) {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
}

// person makes an athlete and gives the id.
func (l *lab) person(first, last, email string) string {
	l.t.Helper()
	a := person(first, last)
	a.Email = email
	l.must(l.store.CreateAthlete(l.t.Context(), l.scope, *a, nil))
	return a.ID
}

func person(first, last string) *athlete.Athlete {
	now := time.Now().UTC().Truncate(time.Millisecond)
	return &athlete.Athlete{ID: organization.NewUUID(), FirstName: first, LastName: last, CreatedAt: now,
		UpdatedAt: now, Version: 1}
}

// outing is what an import of a folder told.
type outing struct {
	report
	summary intake.Summary
	err     error
	made    map[string]intake.Capture // by path in the folder
	order   []string
	noticed []string
}

// importing is an import of the lab, to be changed before it is run.
func (l *lab) importing() *intake.Import {
	return &intake.Import{Store: l.store, Scope: l.scope,
		Folders: &intake.Folders{Store: l.store, Files: l.files, Reader: l.reader, Workers: 3}}
}

// bring imports a folder, as change has it. Paths are told without the folder's.
func (l *lab) bring(folder string, change ...func(*intake.Import)) outing {
	l.t.Helper()
	return l.bringUntil(l.t.Context(), folder, change...)
}

func (l *lab) bringUntil(ctx context.Context, folder string, change ...func(*intake.Import)) outing {
	l.t.Helper()
	im, o := l.importing(), outing{made: map[string]intake.Capture{}}
	inside := func(path string) string {
		below, err := filepath.Rel(folder, path)
		l.must(err)
		return below
	}
	im.Refused = func(f intake.Refusal) {
		f.Path = inside(f.Path)
		f.Rule = strings.ReplaceAll(f.Rule, folder+"/", "")
		o.refused = append(o.refused, f)
	}
	im.Skipped = func(s intake.Skip) {
		place := inside(s.Path)
		if s.Line > 0 {
			place += ":" + strconv.Itoa(s.Line)
		}
		o.skipped = append(o.skipped, place+": "+s.Why)
	}
	im.Noticed = func(n intake.Notice) {
		o.noticed = append(o.noticed, fmt.Sprintf("%s:%d: %s: %s", inside(n.Path), n.Line, n.Field, n.Text))
	}
	im.Captured = func(c intake.Capture) {
		o.made[inside(c.Path)] = c
		o.order = append(o.order, inside(c.Path))
	}
	im.Progress = func(p intake.Progress) { o.progress = append(o.progress, p) }
	for _, f := range change {
		f(im)
	}
	o.summary, o.err = im.Run(ctx, folder)
	return o
}

// went fails the test unless everything of the folder went in.
func (o outing) went(t *testing.T) outing {
	t.Helper()
	if o.err != nil || len(o.refused) > 0 {
		t.Fatalf("the import ended with %v and refused %v", o.err, o.refused)
	}
	return o
}

// told is what was refused, as people read it.
func (o outing) told() (lines []string) {
	for _, r := range o.refused {
		line := r.Path
		if r.Line > 0 {
			line += ":" + strconv.Itoa(r.Line)
		}
		if r.Field != "" {
			line += ": " + r.Field
		}
		lines = append(lines, line+": "+r.Rule)
	}
	return lines
}

// effects counts what was done with the files.
func (o outing) effects() map[manifest.Effect]int {
	count := map[manifest.Effect]int{}
	for _, c := range o.made {
		count[c.Effect]++
	}
	return count
}

// stored is what the store has of the file's capture.
func (l *lab) stored(o outing, file string) upload.Stored {
	l.t.Helper()
	made, ok := o.made[file]
	if !ok {
		l.t.Fatalf("%s became no capture; there are %v", file, slices.Sorted(maps.Keys(o.made)))
	}
	got, err := l.store.Stored(l.t.Context(), l.scope, made.SessionID)
	l.must(err)
	if !got.Capture.Equal(*made.Capture) {
		l.t.Errorf("told of %s is %+v, stored is %+v", file, made.Capture, got.Capture)
	}
	return got
}

// text is what lies under a name.
func (l *lab) text(name string) string {
	l.t.Helper()
	raw, err := os.ReadFile(filepath.Join(l.kept, name))
	l.must(err)
	return string(raw)
}

// keeps gives the names of everything that is kept, and expects nothing more to be
// erased than due.
func (l *lab) keeps() (names []string) {
	l.t.Helper()
	l.must(filepath.WalkDir(l.kept, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			names = append(names, strings.TrimPrefix(path, l.kept+"/"))
		}
		return err
	}))
	return names
}

// erase does what an Erase job does.
func (l *lab) erase() {
	l.t.Helper()
	for {
		names, err := l.store.Erasable(l.t.Context(), l.scope, 100)
		l.must(err)
		if len(names) == 0 {
			return
		}
		for _, name := range names {
			l.must(l.files.Erase(l.t.Context(), name))
		}
		l.must(l.store.Erased(l.t.Context(), l.scope, names))
	}
}

// rewrite gives a file in a folder other content.
func (l *lab) rewrite(folder, name, text string) {
	l.t.Helper()
	l.must(os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
}

func label(p *string) string {
	if p == nil {
		return "-"
	}
	return *p
}

// said is what people said of a capture: activity, movement, dimensions, athletes.
func said(c capture.Capture) string {
	var dimensions []string
	for _, name := range slices.Sorted(maps.Keys(c.Dimensions)) {
		dimensions = append(dimensions, name+"="+c.Dimensions[name])
	}
	return label(c.Activity) + " " + label(c.Movement) + " [" + strings.Join(dimensions, " ") + "] [" +
		strings.Join(c.AthleteIDs, " ") + "]"
}
