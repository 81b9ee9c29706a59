package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/kinebase/kinebase/upload"
)

// Options say how a backup is made.
type Options struct {
	Program  string          // the version, for people
	Landings upload.Landings // where files come in before the store knows of them; nil where they do not
	Keep     time.Duration   // older backups are removed when one is finished; 0: none
	Now      func() time.Time
}

// Report says what came of it.
type Report struct {
	Manifest
	Copied      int64 `json:"copied"` // files that were not in the place
	CopiedBytes int64 `json:"copied_bytes"`
	Missing     int64 `json:"missing"` // files that rows name and that are nowhere
	Removed     int   `json:"removed"` // old backups
	// Damaged are other backups of the place that cannot be restored.
	Damaged []string `json:"damaged,omitempty"`
	// Rotten are files of the place that were found changed. They were copied again, if the store has them.
	Rotten []string `json:"rotten,omitempty"`
	// Unlike are those of them of which the store has other bytes too than it once had.
	Unlike []string `json:"unlike,omitempty"`
}

// mostRounds is how often the snapshot is taken again because files that it names went
// before they were copied. All but the first copy next to nothing.
const mostRounds = 5

// copying is how many files are copied at the same time.
const copying = 4

// maker makes one backup.
type maker struct {
	Options
	source Source
	files  upload.Files
	place  Place

	known  map[string]Entry // copied already, by name
	rotten map[string]Entry // found changed in the place, by name
	report Report
	mutex  sync.Mutex
	again  bool // a file that the snapshot names was replaced before it was copied
	last   bool // round
	list   []Entry
}

// Make makes a backup. ErrElsewhere when another process makes one.
func Make(ctx context.Context, s Source, files upload.Files, p Place, o Options) (Report, error) {
	m := maker{Options: o, source: s, files: files, place: p, known: map[string]Entry{}, rotten: map[string]Entry{}}
	identity, err := s.Identity(ctx)
	if err != nil {
		return Report{}, err
	}
	err = s.Exclusive(ctx, LockBackup, func() error {
		if err := m.claim(ctx, identity); err != nil {
			return err
		}
		m.report.Owner = identity
		return m.make(ctx)
	})
	return m.report, err
}

// claim has the place be the store's. Notes of erasures claim it too, and one of both names it.
func (m *maker) claim(ctx context.Context, identity string) error {
	for {
		err := m.source.Exclusive(ctx, LockErasures, func() error {
			_, err := claim(ctx, m.source, m.place, identity)
			return err
		})
		if !errors.Is(err, ErrElsewhere) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (m *maker) make(ctx context.Context) error {
	if err := m.learn(ctx); err != nil {
		return err
	}
	if err := m.readAgain(ctx); err != nil {
		return err
	}
	id := newID(m.Now())
	room := backupsRoom + id + "/"
	for round := 1; ; round++ {
		m.again, m.list, m.last = false, nil, round == mostRounds
		if err := m.round(ctx, room); err != nil {
			return err
		}
		if !m.again {
			break
		}
		if m.last {
			return errors.New("files that were sent are replaced faster than they can be copied: try it again when " +
				"fewer are sent")
		}
	}
	r := &m.report
	r.Format, r.ID, r.Program = Format, id, m.Program
	for _, e := range m.list {
		switch e.State {
		case StateErased:
			r.Erased++
		case StateReplaced: // a restore has it made again
		case StateMissing:
			r.Missing++
		default:
			r.Files++
			r.Bytes += e.Size
		}
	}
	var err error
	if r.FileList, err = putEntries(ctx, m.place, room+"files.ndjson.gz", m.list); err != nil {
		return err
	}
	// Rows and files that were erased during the copying are in the list before there is a backup that has them.
	if _, err := Note(ctx, m.source, m.place, m.Now); err != nil && !errors.Is(err, ErrElsewhere) {
		return err
	}
	if r.Erasures, err = lastNoted(ctx, m.place); err != nil {
		return err
	}
	text, err := sealed(r.Manifest)
	if err != nil {
		return err
	}
	if _, err := m.place.Put(ctx, room+manifestName, bytes.NewReader(text), int64(len(text))); err != nil {
		return err
	}
	if m.Keep > 0 {
		var old Pruned
		old, err = Prune(ctx, m.place, m.Now().Add(-m.Keep))
		r.Removed, r.Damaged = old.Removed, old.Damaged
	}
	return err
}

// learn finds out which files need not be copied: those that the newest whole backup has, and that
// are in the place with the same size.
func (m *maker) learn(ctx context.Context) error {
	previous, ok, err := newestWhole(ctx, m.place)
	if err != nil || !ok {
		return err
	}
	there, err := sizes(ctx, m.place)
	if err != nil {
		return err
	}
	err = Entries(ctx, m.place, previous, func(e Entry) error {
		if size, ok := there[e.Name]; ok && size == e.Size && e.kept() {
			m.known[e.Name] = e
		}
		return nil
	})
	var damaged *Damaged
	if errors.As(err, &damaged) {
		clear(m.known)
		return nil
	}
	return err
}

// sizes gives the size of each file in a place, by the name that the store has for it.
func sizes(ctx context.Context, p Place) (map[string]int64, error) {
	there := map[string]int64{}
	err := p.List(ctx, filesRoom, func(name string, size int64) error {
		there[strings.TrimPrefix(name, filesRoom)] = size
		return nil
	})
	return there, err
}

// round takes a snapshot and copies what it names.
func (m *maker) round(ctx context.Context, room string) (err error) {
	m.report.Made = m.Now().UTC()
	var snapshot Snapshot
	m.report.RowList, err = putPart(ctx, m.place, room+"rows.ndjson.gz", func(w io.Writer) (err error) {
		rows := NewRowWriter(w)
		if snapshot, err = m.source.Dump(ctx, rows); err == nil {
			err = rows.Flush()
		}
		m.report.Counts = rows.Counts()
		return err
	})
	if err != nil {
		return err
	}
	m.report.Engine, m.report.Schema, m.report.Number = snapshot.Engine, snapshot.Schema, snapshot.Number
	work, inside := errgroup.WithContext(ctx)
	work.SetLimit(copying)
	for _, f := range snapshot.Files {
		work.Go(func() error { return m.keep(inside, f) })
	}
	if err := work.Wait(); err != nil {
		return err
	}
	return m.landed(ctx, snapshot.Waiting)
}

// keep has a file in the place and in the list.
func (m *maker) keep(ctx context.Context, f File) error {
	e := Entry{Name: f.Name, Organization: f.Organization, Session: f.Session}
	err := m.copy(ctx, f.Name, &e)
	if errors.Is(err, upload.ErrNoFile) {
		var now Standing
		switch now, err = m.source.Standing(ctx, f); {
		case err != nil:
		case now == Named:
			e.State = StateMissing
		case now == Erased || f.Export && m.last:
			e.State = StateErased
		case m.last && !f.Original:
			e.State = StateReplaced
		default:
			m.mutex.Lock()
			defer m.mutex.Unlock()
			m.again = true
			return nil
		}
	}
	if err == nil {
		m.enter(e)
	}
	return err
}

func (m *maker) enter(e Entry) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.list = append(m.list, e)
}

// copy copies the file of a name, unless it is there, and fills the entry in.
func (m *maker) copy(ctx context.Context, from string, e *Entry) (err error) {
	m.mutex.Lock()
	known, ok := m.known[e.Name]
	m.mutex.Unlock()
	if ok {
		e.Size, e.SHA256, e.Read = known.Size, known.SHA256, known.Read
		return nil
	}
	f, err := m.files.Open(ctx, from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	c := newCounted()
	// A file that is erased during the copy fails here; the store says again which file it is.
	n, err := m.place.Put(ctx, filesRoom+e.Name, io.TeeReader(io.NewSectionReader(f, 0, f.Size()), c), f.Size())
	if err != nil {
		return err
	}
	e.Size, e.SHA256, e.Read = n, c.sum(), m.Now().Unix()
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if was, ok := m.rotten[e.Name]; ok && was.SHA256 != e.SHA256 {
		m.report.Unlike = append(m.report.Unlike, e.Name)
	}
	m.known[e.Name] = *e
	m.report.Copied++
	m.report.CopiedBytes += n
	return nil
}

// landed keeps files that have come into a bucket for captures which wait for them in the rows. One that
// the store took since is what the store took.
func (m *maker) landed(ctx context.Context, waiting []File) error {
	if m.Landings == nil || len(waiting) == 0 {
		return nil
	}
	type capture struct{ organization, session string }
	there := map[capture]upload.Landing{}
	if err := m.Landings.Landed(ctx, func(l upload.Landing) error {
		there[capture{l.Organization, l.SessionID}] = l
		return nil
	}); err != nil {
		return err
	}
	for _, f := range waiting {
		from := ""
		e := Entry{Organization: f.Organization, Session: f.Session, State: StateLanded}
		if l, ok := there[capture{f.Organization, f.Session}]; ok {
			from, e.Name = l.Name, fmt.Sprintf("%s.%s", l.Name, l.ETag)
		}
		err := upload.ErrNoFile
		if from != "" {
			err = m.copy(ctx, from, &e)
		}
		if errors.Is(err, upload.ErrNoFile) { // it did not come, or was taken
			arrived, err := m.source.Arrived(ctx, f.Organization, f.Session)
			if err != nil {
				return err
			}
			if arrived == "" {
				continue
			}
			e.Name = upload.LandingName(f.Organization, f.Session) + ".arrived"
			if err := m.copy(ctx, arrived, &e); errors.Is(err, upload.ErrNoFile) {
				continue // and erased
			} else if err != nil {
				return err
			}
		} else if err != nil {
			return err
		}
		m.enter(e)
	}
	return nil
}
