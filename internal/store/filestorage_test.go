package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// bounded lets an organization's files take so many bytes.
func bounded(bytes int64) func(*Options) { return func(o *Options) { o.FileStorage = bytes } }

// books are what is summed up of an organization's files, and what its recordings say.
func books(t *testing.T, s *Store, sc organization.Scope) (summed, there int64) {
	t.Helper()
	must(t, s.engine.Once(context.Background(), idOf(t, sc),
		db.One(db.Into(&summed), `SELECT COALESCE(SUM(bytes + made), 0) FROM recording_bytes WHERE organization = $1`,
			idOf(t, sc)),
		db.One(db.Into(&there), `SELECT COALESCE(SUM(size + derived_bytes + table_bytes), 0) FROM recording WHERE organization = $1`, idOf(t, sc))))
	return summed, there
}

// place of a capture in a made-up history of files.
type storedFile struct {
	org        organization.Scope
	sent, made int64
	athlete    string
	status     capture.Status
}

// filing is such a history, beside what must be true of it.
type filing struct {
	t       *testing.T
	s       *Store
	random  *rand.Rand
	allowed int64
	orgs    []organization.Scope
	people  map[organization.Scope][]string
	files   map[string]*storedFile
}

func (f *filing) used(sc organization.Scope) (n int64) {
	for _, c := range f.files {
		if c.org == sc {
			n += c.sent + c.made
		}
	}
	return n
}

// pick gives a capture in one of the states.
func (f *filing) pick(states ...capture.Status) string {
	var fitting []string
	for session, c := range f.files {
		if slices.Contains(states, c.status) {
			fitting = append(fitting, session)
		}
	}
	if len(fitting) == 0 {
		return ""
	}
	slices.Sort(fitting)
	return fitting[f.random.IntN(len(fitting))]
}

// roomFor holds an answer to what there is room for, and says whether it was a yes.
func (f *filing) roomFor(what string, sc organization.Scope, more int64, err error) bool {
	f.t.Helper()
	fits := more <= 0 || f.used(sc)+more <= f.allowed
	if fits != (err == nil) || err != nil && (!errors.Is(err, upload.ErrNoRoom) || !fault.Is(err, fault.Conflict) ||
		!strings.Contains(err.Error(), fmt.Sprintf("take %d bytes of the %d that they may take", f.used(sc),
			f.allowed))) {
		f.t.Fatalf("%s of %d bytes beside %d of %d: %v", what, more, f.used(sc), f.allowed, err)
	}
	return fits
}

func (f *filing) size() int64 { return f.random.Int64N(f.allowed / 3) }

func (f *filing) step() string {
	t, s, ctx := f.t, f.s, f.t.Context()
	sc := f.orgs[f.random.IntN(len(f.orgs))]
	switch kind := f.random.IntN(10); kind {
	case 0, 1:
		who := f.people[sc][f.random.IntN(len(f.people[sc]))]
		r, err := s.Reserve(ctx, sc, reservation(organization.NewUUID(), who), nil)
		if f.roomFor("a reservation", sc, 1, err) {
			f.files[r.Capture.SessionID] = &storedFile{org: sc, athlete: who, status: capture.AwaitingUpload}
		}
		return "reserve"
	case 2, 3, 4:
		session := f.pick(capture.AwaitingUpload)
		if session == "" {
			return ""
		}
		c, size := f.files[session], f.size()
		kept, late := upload.OriginalName(c.org.Organization.String()), upload.OriginalName(c.org.Organization.String())
		must(t, s.Expect(ctx, c.org, session, kept, time.Now().Add(time.Hour)))
		must(t, s.Expect(ctx, c.org, session, late, time.Now().Add(time.Hour)))
		err := s.Arrive(ctx, c.org, session, kept, size, "")
		if !f.roomFor("a file", c.org, size, err) {
			if !slices.Contains(erasable(t, s, c.org), kept) {
				t.Fatal("a file that found no room stays")
			}
			return "no room"
		}
		c.sent, c.status = size, capture.Processing
		refused(t, s.Arrive(ctx, c.org, session, late, 1, ""), fault.Conflict, "uploaded already")
		return "arrive"
	case 5, 6:
		session := f.pick(capture.Processing)
		if session == "" {
			return ""
		}
		c := f.files[session]
		w := claimed(t, s, c.org, session)
		if f.random.IntN(4) == 0 {
			must(t, s.Fail(ctx, c.org, w, "unreadable"))
			c.status = capture.Error
			return "fail"
		}
		o := upload.Outcome{Table: organization.NewUUID(), TableBytes: f.size(), Info: []byte(`{}`)}
		if f.random.IntN(2) == 0 {
			o.Derived, o.DerivedBytes = organization.NewUUID(), f.size()
		}
		must(t, s.ExpectMade(ctx, c.org, w, time.Now().Add(time.Hour),
			slices.DeleteFunc([]string{o.Table, o.Derived}, func(n string) bool { return n == "" })...))
		must(t, s.Finish(ctx, c.org, w, o))
		c.made, c.status = o.TableBytes+o.DerivedBytes, capture.Completed
		return "finish"
	case 7:
		session := f.pick(capture.Completed, capture.Error)
		if session == "" {
			return ""
		}
		c := f.files[session]
		if _, err := s.Reprocess(ctx, c.org, session, nil); err == nil { // a capture that expired has no file
			c.status = capture.Processing
		}
		return "reprocess"
	case 8:
		session := "brought " + fmt.Sprint(f.random.IntN(3))
		b := upload.Brought{Capture: capture.Capture{SessionID: session, Status: capture.Completed,
			Source: capture.SourceImport}, FileName: "f.c3d",
			Original: organization.NewUUID(), Size: f.size(),
			Outcome: upload.Outcome{Table: organization.NewUUID(), TableBytes: f.size(), Info: []byte(`{}`)}}
		old := f.files[sc.Organization.String()+session]
		more := b.Size + b.TableBytes
		if old != nil {
			more -= old.sent + old.made
		}
		must(t, s.ExpectBrought(ctx, sc, session, time.Now().Add(time.Hour), b.Original, b.Table))
		if f.roomFor("an import", sc, more, s.Bring(ctx, sc, b)) {
			f.files[sc.Organization.String()+session] = &storedFile{org: sc, sent: b.Size, made: b.TableBytes,
				status: "imported"}
		}
		return "bring"
	default:
		if f.random.IntN(2) == 0 {
			who := f.people[sc][0]
			must(t, s.DeleteAthlete(ctx, sc, who, anybody))
			maps.DeleteFunc(f.files, func(_ string, c *storedFile) bool { return c.athlete == who })
			f.people[sc] = append(f.people[sc][1:], create(t, s, sc, person("Next"))...)
			return "erase an athlete"
		}
		session := f.pick(capture.Completed, capture.Error, capture.Processing, capture.AwaitingUpload)
		if session == "" {
			return ""
		}
		if c := f.files[session]; f.random.IntN(2) == 0 && c.status == capture.AwaitingUpload {
			must(t, s.TurnAway(ctx, c.org, session, "It did not fit."))
			c.status = capture.Error
			return "turn away"
		}
		must(t, s.DeleteCapture(ctx, f.files[session].org, session, func(string) error { return nil }))
		delete(f.files, session)
		return "delete"
	}
}

func TestTheBooksOfFilesAreTheSumOfTheFilesAfterEveryStepOfAnyHistory(t *testing.T) {
	testkit.Long(t)
	engines(t, func(t *testing.T, p place) {
		f := &filing{t: t, random: chance(t), allowed: 3000, people: map[organization.Scope][]string{},
			files: map[string]*storedFile{}}
		f.s = p.open(still, bounded(f.allowed))
		for _, name := range []string{"A", "B"} {
			sc := tenant(t, f.s, name)
			f.orgs = append(f.orgs, sc)
			f.people[sc] = create(t, f.s, sc, person("Ann"), person("Bo"))
		}
		done := map[string]int{}
		for n := range 400 {
			what := f.step()
			done[what]++
			for _, sc := range f.orgs {
				summed, there := books(t, f.s, sc)
				o, err := f.s.Overview(t.Context(), sc, 1, 0)
				must(t, err)
				if want := f.used(sc); summed != want || there != want || o.FileBytes != want ||
					o.FileBytesAllowed != f.allowed {
					t.Fatalf("step %d, %s: %d bytes are summed up, the rows have %d, the overview tells %d of %d, "+
						"want %d", n, what, summed, there, o.FileBytes, o.FileBytesAllowed, want)
				}
			}
		}
		t.Log(done)
		if done["arrive"] == 0 || done["no room"] == 0 || done["finish"] == 0 || f.s.NoRoom() == 0 {
			t.Errorf("too little happened: %v", done)
		}
	})
}

func TestFilesThatArriveAtOnceNeverTakeMoreThanIsAllowed(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		const files, size, fit = 24, 10, 7
		stores := []*Store{p.open(still, bounded(fit*size+size-1)), p.open(still, bounded(fit*size+size-1))}
		sc := tenant(t, stores[0], "A")
		var sessions []string
		for range files {
			sessions = append(sessions, reserve(t, stores[0], sc, organization.NewUUID()).Capture.SessionID)
		}
		var taken, full atomic.Int64
		var wait sync.WaitGroup
		for i, session := range sessions {
			wait.Go(func() {
				s, name := stores[i%2], fmt.Sprint("file ", i)
				err := s.Expect(context.Background(), sc, session, name, time.Now().Add(time.Hour))
				if err == nil {
					err = s.Arrive(context.Background(), sc, session, name, size, "")
				}
				switch {
				case err == nil:
					taken.Add(1)
				case errors.Is(err, upload.ErrNoRoom):
					full.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		wait.Wait()
		summed, there := books(t, stores[0], sc)
		if taken.Load() != fit || full.Load() != files-fit || summed != fit*size || there != summed {
			t.Errorf("%d files were taken and %d found no room; %d bytes are summed up, there are %d", taken.Load(),
				full.Load(), summed, there)
		}
	})
}

func TestAReservationOfAFullOrganizationIsRefusedAndARepeatedOneIsNot(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still, bounded(123))
		sc, other := tenant(t, s, "A"), tenant(t, s, "B")
		_, err := s.Reserve(t.Context(), sc, reservation(organization.NewUUID()),
			once[upload.Reservation]("key", "body", "answer"))
		must(t, err)
		session, _ := arrived(t, s, sc)
		_, err = s.Reserve(t.Context(), sc, reservation(organization.NewUUID()), nil)
		refused(t, err, fault.Conflict,
			"take 123 bytes of the 123 that they may take, so that no file of more than 0 bytes fits")
		again := once[upload.Reservation]("key", "body", "another answer")
		_, err = s.Reserve(t.Context(), sc, reservation(organization.NewUUID()), again)
		must(t, err)
		if string(again.Replay) != "answer" {
			t.Errorf("replayed %q", again.Replay)
		}
		reserve(t, s, other, organization.NewUUID())
		must(t, s.DeleteCapture(t.Context(), sc, session, func(string) error { return nil }))
		reserve(t, s, sc, organization.NewUUID())
	})
}

func TestAnOlderStoresFilesAreSummedUpByTheMigrationAndTheirTablesOnceMeasured(t *testing.T) {
	unmigrated(t, func(t *testing.T, p place) {
		older(t, p, 9)
		orgs := []organization.Scope{{Organization: organization.NewID()}, {Organization: organization.NewID()}}
		for i, sc := range orgs {
			inOlder(t, p, sc, fmt.Sprintf(`INSERT INTO organization (id, name, created_at) VALUES ($1, 'org %d', 1)`,
				i))
			for n, tables := range [][3]string{{"", "", ""}, {"d", "", ""}, {"", "t", ""}, {"d2", "t2", "s2"}} {
				inOlder(t, p, sc, fmt.Sprintf(
					`INSERT INTO recording (organization, session_id, file_name, camera, time_given, expires_at, original, size, sha256, derived, motion_table, samples, rate, stale, attempt, deaths, lease, version)
VALUES ($1, 's%d', 'f', '', 0, 0, 'o', %d, '', '%s', '%s', '%s', 0, 0, 0, 0, 0, 1)`, n, 100*(i+1), tables[0], tables[1], tables[2]))
			}
		}
		s := p.open(still, bounded(1000))
		for i, sc := range orgs {
			room, err := s.Room(t.Context(), sc)
			must(t, err)
			if want := int64(400 * (i + 1)); room.Used != want {
				t.Errorf("after the migration %d bytes are told, want %d", room.Used, want)
			}
			list, err := s.Unmeasured(t.Context(), sc, "", 2)
			must(t, err)
			rest, err := s.Unmeasured(t.Context(), sc, list[len(list)-1].Capture.SessionID, 2)
			must(t, err)
			list = append(list, rest...)
			var names []string
			for _, c := range list {
				names = append(names, c.Capture.SessionID+" "+c.Derived+c.Table+c.Samples)
				// where it is known that there is none, this is not heard
				must(t, s.Measured(t.Context(), sc, c, 7, 30))
				must(t, s.Measured(t.Context(), sc, c, 1000, 1000))
				c.Table = "another"
				must(t, s.Measured(t.Context(), sc, c, 1000, 1000))
			}
			same(t, "not measured", names, []string{"s1 d", "s2 t", "s3 d2t2s2"})
			summed, there := books(t, s, sc)
			if want := int64(400*(i+1) + 2*7 + 2*30); summed != want || there != want {
				t.Errorf("once measured, %d bytes are summed up, the rows have %d, want %d", summed, there, want)
			}
			if list, err := s.Unmeasured(t.Context(), sc, "", 2); err != nil || len(list) > 0 {
				t.Errorf("still not measured: %+v, %v", list, err)
			}
		}
	})
}

// roomy does what is done where there is a bound, and with files that nobody has measured.
func roomy(t *testing.T, s *Store, sc organization.Scope) {
	t.Helper()
	s.options.FileStorage = 1 << 40
	defer func() { s.options.FileStorage = 0 }()
	arrived(t, s, sc)
	film(t, s, sc, session("measured", &noon), []byte(`{}`))
	must(t, s.write(t.Context(), idOf(t, sc), func(w *writeTx) error {
		return w.Do(db.Exec(`UPDATE recording SET table_bytes = -1 WHERE organization = $1 AND session_id = $2`, w.Org,
			"measured"))
	}))
	list, err := s.Unmeasured(t.Context(), sc, "", 10)
	must(t, err)
	if len(list) != 1 {
		t.Fatalf("not measured: %+v", list)
	}
	must(t, s.Measured(t.Context(), sc, list[0], 0, 9))
}
