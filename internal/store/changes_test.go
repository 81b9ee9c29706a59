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
	"testing"
	"time"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/backup"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/feed"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
)

// renames gives athletes another first name.
func renames(name string, version int64) func(athlete.Athlete) (athlete.Athlete, error) {
	return func(a athlete.Athlete) (athlete.Athlete, error) {
		a.FirstName, a.Version, a.UpdatedAt = name, a.Version+version, a.UpdatedAt.Add(time.Millisecond)
		return a, nil
	}
}

func TestTheFeedHasEachObjectOnceAtItsLatestChange(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc, other := tenant(t, s, "A"), tenant(t, s, "B")
		f, foreign := follows(sc), follows(other)
		same(t, "nothing", f.rest(t, s), nil)
		jo := person("Jo")
		create(t, s, sc, jo)
		put(t, s, sc, session("a", &noon, jo.ID), session("b", &noon), session("c", nil, jo.ID))
		_, err := s.Import(t.Context(), sc, []manifest.Record{{Job: &export.Job{ID: "job", Status: export.Running}}},
			false)
		must(t, err)
		late := follows(sc)
		same(t, "what came", f.rest(t, s), []string{"+athlete " + jo.ID, "+capture a", "+capture b", "+capture c",
			"+export job"})
		same(t, "nothing new", f.rest(t, s), nil)

		put(t, s, sc, session("b", &noon, jo.ID))
		put(t, s, sc, session("b", &noon, jo.ID)) // as it is
		same(t, "linked", f.rest(t, s), []string{"+capture b"})
		_, err = s.ChangeAthlete(t.Context(), sc, jo.ID, nil, renames("Ann", 1))
		must(t, err)
		same(t, "a new name", f.rest(t, s), []string{"+athlete " + jo.ID, "+capture a", "+capture b", "+capture c"})
		_, err = s.ChangeAthlete(t.Context(), sc, jo.ID, nil, func(a athlete.Athlete) (athlete.Athlete, error) {
			a.Version, a.Height = a.Version+1, 70
			return a, nil
		})
		must(t, err)
		same(t, "no name", f.rest(t, s), []string{"+athlete " + jo.ID})
		must(t, s.DeleteCapture(t.Context(), sc, "b", func(string) error { return nil }))
		same(t, "deleted", f.rest(t, s), []string{"-capture b"})
		put(t, s, sc, session("b", &noon))
		same(t, "back", f.rest(t, s), []string{"+capture b"})
		_, err = s.Import(t.Context(),
			sc, []manifest.Record{{Job: &export.Job{ID: "job", Status: export.Canceled, CompletedAt: &noon}}}, false)
		must(t, err)
		must(t, s.DeleteAthlete(t.Context(), sc, jo.ID, anybody))
		same(t, "an athlete with everything", f.rest(t, s),
			[]string{"+export job", "-capture a", "-capture c", "-athlete " + jo.ID})
		f.equal(t, "the copy", stored(t, s, sc))
		same(t, "who begins now", late.rest(t, s), []string{"+capture b", "+export job"})
		same(t, "another organization", foreign.rest(t, s), nil)

		some := follows(sc)
		some.kinds = []feed.Kind{feed.Athlete}
		same(t, "one kind", some.rest(t, s), nil)
		create(t, s, sc, jo)
		same(t, "one kind", some.rest(t, s), []string{"+athlete " + jo.ID})
		f.rest(t, s)
		f.equal(t, "the copy", stored(t, s, sc))
	})
}

func TestDeletionsAreForgottenAndWhoHasNotHeardOfThemBeginsAnew(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		put(t, s, sc, session("a", &noon), session("b", &noon), session("c", &noon), session("d", &noon))
		ahead := clock(s)
		reader, sleeper, beginner, quiet := follows(sc), follows(sc), follows(sc), follows(sc)
		quiet.kinds = []feed.Kind{feed.Athlete}
		for _, f := range []*follower{reader, sleeper, quiet} {
			f.rest(t, s)
		}
		must(t, s.DeleteCapture(t.Context(), sc, "a", func(string) error { return nil }))
		for _, f := range []*follower{reader, quiet} {
			f.rest(t, s)
		}
		more, err := beginner.page(s, 1) // begins after a was deleted, and is at b
		must(t, err)
		ahead(feed.Keep - time.Minute)
		must(t, s.forgetDeletions(t.Context()))
		asleep := *sleeper
		asleep.copy = maps.Clone(sleeper.copy)
		same(t, "while it is kept", asleep.rest(t, s), []string{"-capture a"})
		must(t, s.DeleteCapture(t.Context(), sc, "d", func(string) error { return nil }))
		ahead(2 * time.Minute)
		must(t, s.forgetDeletions(t.Context()))
		_, err = sleeper.page(s, 10)
		refused(t, err, fault.Gone, "without after")
		same(t, "who was there", reader.rest(t, s), []string{"-capture d"})
		same(t, "who asks for others", quiet.rest(t, s), nil)
		if !more {
			t.Error("a page of one is all")
		}
		same(t, "who is at the beginning", beginner.rest(t, s), []string{"+capture c", "-capture d"})

		_, err = s.Changes(t.Context(), sc,
			feed.Query{After: &feed.Mark{Position: lastPlace(1 << 40)}, Kinds: feed.Kinds, Limit: 1})
		refused(t, err, fault.Gone, "without after")
	})
}

func TestADeletionIsNotForgottenBeforeEveryPlaceOfBackupsHasIt(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		put(t, s, sc, session("a", &noon), session("b", &noon), session("c", &noon))
		ahead := clock(s)
		left := func() (names []string) {
			t.Helper()
			must(t, s.forgetDeletions(t.Context()))
			must(t, s.engine.Once(t.Context(), idOf(t, sc), db.Each(func(r db.Rows) error {
				var name string
				err := r.Scan(&name)
				names = append(names, name)
				return err
			}, `SELECT id FROM deletion ORDER BY changed`)))
			return names
		}
		list := func() *backup.List {
			return &backup.List{Through: map[string]int64{}, Tokens: map[string]backup.Erasure{},
				Gone: map[string]int64{}}
		}
		erase := func(name string) {
			t.Helper()
			must(t, s.DeleteCapture(t.Context(), sc, name, func(string) error { return nil }))
		}
		one, two := list(), list()
		takes := func(name string, l *backup.List) {
			t.Helper()
			_, err := s.Erasures(t.Context(), l)
			must(t, err)
			must(t, s.TookDeletions(t.Context(), name, l.Through))
		}
		must(t, s.HoldDeletions(t.Context(), "one"))
		erase("a")
		ahead(2 * feed.Keep)
		same(t, "while no place has it", left(), []string{"a"})
		must(t, s.HoldDeletions(t.Context(), "two"))
		takes("one", one)
		same(t, "while one place has it", left(), []string{"a"})
		erase("b")
		takes("two", two)
		same(t, "when both have it", left(), []string{"b"})
		ahead(2 * feed.Keep)
		erase("c")
		takes("two", two)
		must(t, s.HoldDeletions(t.Context(), "two")) // which is known
		same(t, "while the first has not the second", left(), []string{"b", "c"})
		takes("one", one)
		same(t, "when both have that", left(), []string{"c"})
		takes("three", list()) // which nobody holds anything for
		ahead(2 * feed.Keep)
		same(t, "afterwards", left(), nil)
		put(t, s, sc, session("d", &noon))
		erase("d")
		takes("two", two)
		ahead(2 * feed.Keep)
		same(t, "while the first is lost", left(), []string{"d"})
		all, err := s.Holdings(t.Context())
		must(t, err)
		same(t, "places", all, []Holding{{"one", 1}, {"two", 0}})
		for _, want := range []bool{true, false} {
			known, err := s.GiveUpPlace(t.Context(), "one")
			must(t, err)
			if known != want {
				t.Errorf("the first is known: %t", known)
			}
		}
		same(t, "when the first is given up", left(), nil)
		refused(t, s.HoldDeletions(t.Context(), "one"), fault.Conflict, "given up")
	})
}

func TestAChangeIsNotPassedOverThatIsCommittedAfterLaterOnes(t *testing.T) {
	p := postgres(t) // on SQLite there is one writer at a time
	s, second := p.open(), p.open()
	sc := tenant(t, s, "A")
	f := follows(sc)
	f.rest(t, s)
	held, release, done := make(chan struct{}), make(chan error, 1), make(chan error, 1)
	defer func() { // a test that has failed must not leave it waiting
		select {
		case release <- nil:
		default:
		}
	}()
	slow := person("slow")
	go func() {
		done <- s.write(context.Background(), idOf(t, sc), func(w *writeTx) error {
			if err := w.insertAthlete(slow); err != nil {
				return err
			}
			close(held)
			return <-release
		})
	}()
	<-held
	quick := create(t, second, sc, person("quick"))[0]
	changed := second.Changed(sc)
	same(t, "while an earlier one is not committed", f.rest(t, second), nil)
	release <- nil
	must(t, <-done)
	testkit.Receive(t, changed, "the other server tells of the change")
	same(t, "then", f.rest(t, second), []string{"+athlete " + slow.ID, "+athlete " + quick})

	// One that is rolled back holds up nobody behind it.
	held = make(chan struct{})
	give := errors.New("rolled back")
	go func() {
		done <- s.write(context.Background(), idOf(t, sc), func(w *writeTx) error {
			if err := w.insertAthlete(person("never")); err != nil {
				return err
			}
			close(held)
			return <-release
		})
	}()
	<-held
	later := create(t, s, sc, person("later"))[0]
	release <- give
	if err := <-done; !errors.Is(err, give) {
		t.Fatal(err)
	}
	same(t, "after a rollback", f.rest(t, s), []string{"+athlete " + later})
}

func TestAChannelOfTheFeedIsClosedAtTheNextChange(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s, second := p.open(), p.open()
		sc, other := tenant(t, s, "A"), tenant(t, s, "B")
		here, there, others := s.Changed(sc), second.Changed(sc), s.Changed(other)
		f := follows(sc)
		f.rest(t, s)
		create(t, s, sc, person("Jo"))
		testkit.Receive(t, here, "its own server tells")
		testkit.Receive(t, there, "another server tells")
		select {
		case <-others: // it may have looked for changes of others just then
		default:
		}
		if told := f.rest(t, second); len(told) != 1 {
			t.Errorf("told %v", told)
		}
	})
}

// writer makes random changes.
type writer struct {
	r      *rand.Rand
	s      *Store
	sc     organization.Scope
	people []string
}

// change does one thing. What fails because another writer was quicker is no error.
func (w *writer) change(ctx context.Context) error {
	name := func(n int) string { return fmt.Sprintf("c%d", w.r.IntN(n)) }
	who := w.people[w.r.IntN(len(w.people))]
	var err error
	switch w.r.IntN(11) {
	case 0, 1, 2:
		records := []manifest.Record{}
		for range 1 + w.r.IntN(5) {
			c := session(name(40), ptr(noon.Add(time.Duration(w.r.IntN(100))*time.Minute)))
			if w.r.IntN(2) == 0 {
				c.AthleteIDs = []string{who}
			}
			records = append(records, manifest.Record{Capture: &c})
		}
		_, err = w.s.Import(ctx, w.sc, records, w.r.IntN(4) == 0) // a dry one is rolled back
	case 3, 4:
		_, err = w.s.ChangeAthlete(ctx, w.sc, who, nil, renames(name(1000), 1))
	case 5:
		_, err = w.s.ChangeAthlete(ctx, w.sc, who, nil, func(a athlete.Athlete) (athlete.Athlete, error) {
			return a, fault.New(fault.BadRequest, "no")
		})
	case 6:
		err = w.s.DeleteCapture(ctx, w.sc, name(40), func(string) error { return nil })
	case 7:
		if err = w.s.DeleteAthlete(ctx, w.sc, who, anybody); err == nil {
			back := person("back")
			back.ID = who
			_, err = w.s.Import(ctx, w.sc, []manifest.Record{{Athlete: &back}}, false)
		}
	case 8:
		status := export.Statuses[w.r.IntN(len(export.Statuses))]
		j := export.Job{ID: name(5), Status: status, CreatedAt: noon}
		if status != export.Running {
			j.CompletedAt = &noon
		}
		_, err = w.s.Import(ctx, w.sc, []manifest.Record{{Job: &j}}, false)
	case 9:
		err = w.s.DeleteJob(ctx, w.sc, name(5))
	case 10:
		from := w.people[w.r.IntN(len(w.people))]
		if from == who {
			break
		}
		if _, err = w.s.MergeAthletes(ctx, w.sc, who, from, nil, merging); err == nil {
			back := person("back")
			back.ID = from
			_, err = w.s.Import(ctx, w.sc, []manifest.Record{{Athlete: &back}}, false)
		}
	}
	if fault.Is(err, fault.NotFound) || fault.Is(err, fault.BadRequest) || fault.Is(err, fault.Conflict) {
		err = nil
	}
	return err
}

func TestACopyThatIsBuiltFromTheFeedEqualsTheStore(t *testing.T) {
	testkit.Long(t)
	engines(t, func(t *testing.T, p place) {
		servers := []*Store{p.open(), p.open()}
		sc := tenant(t, servers[0], "A")
		var people []string
		for range 5 {
			people = append(people, create(t, servers[0], sc, person("at first"))...)
		}
		r := chance(t)
		ctx, stop := context.WithCancel(t.Context())
		var writers, readers sync.WaitGroup
		for n := range 4 {
			w := &writer{rand.New(rand.NewPCG(r.Uint64(), 0)), servers[n%2], sc, people}
			writers.Go(func() {
				for range 60 {
					if err := w.change(ctx); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		copies := make([]*follower, 3)
		for n := range copies {
			f, r := follows(sc), rand.New(rand.NewPCG(r.Uint64(), 0))
			copies[n] = f
			readers.Go(func() {
				for ctx.Err() == nil {
					more, err := f.page(servers[r.IntN(2)], 1+r.IntN(8))
					if err != nil {
						t.Error(err)
						return
					}
					if !more {
						select {
						case <-servers[r.IntN(2)].Changed(sc):
						case <-ctx.Done():
						}
					}
				}
			})
		}
		writers.Wait()
		stop()
		readers.Wait()
		want := stored(t, servers[0], sc)
		copies = append(copies, follows(sc))
		for n, f := range copies {
			f.rest(t, servers[n%2])
			f.equal(t, fmt.Sprintf("copy %d", n), want)
		}
		if told := copies[0].rest(t, servers[1]); len(told) > 0 {
			t.Errorf("nothing has changed, and it is told of %v", told)
		}
	})
}

func TestNoPageOfTheFeedNamesAnErasedPerson(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		gone := person("Unmistakable")
		create(t, s, sc, gone)
		put(t, s, sc, session("own", &noon, gone.ID),
			session("shared", &noon, gone.ID, create(t, s, sc, person("stays"))[0]))
		f := follows(sc)
		_, err := f.page(s, 1)
		must(t, err)
		must(t, s.DeleteAthlete(t.Context(), sc, gone.ID, anybody))
		page, err := s.Changes(t.Context(),
			sc, feed.Query{After: f.after, Kinds: feed.Kinds, Limit: 100, Objects: true})
		must(t, err)
		var told []string
		for _, c := range page.Changes {
			if c.Deleted {
				told = append(told, c.ID)
			}
			if c.Deleted && (c.Athlete != nil || c.Capture != nil || c.Export != nil) || c.Athlete != nil &&
				c.Athlete.FirstName != "stays" || strings.Contains(string(c.Capture), gone.ID) {
				t.Errorf("the feed has %+v", c)
			}
		}
		slices.Sort(told)
		want := []string{"own", gone.ID}
		slices.Sort(want)
		same(t, "what is gone", told, want)
	})
}
