package store

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/kinebase/kinebase/internal/store/db"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
)

// once is a request with an idempotency key.
func once[T any](key, body, answer string) *organization.Once[T] {
	o := &organization.Once[T]{Repeat: new(organization.Repeat),
		Render: func(T) ([]byte, error) { return []byte(answer), nil }}
	copy(o.Key[:], key)
	copy(o.Body[:], body)
	return o
}

func TestARepeatedRequestGetsTheFirstAnswerAndHasNoSecondEffect(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s, second := p.open(), p.open()
		sc, other := tenant(t, s, "A"), tenant(t, s, "B")
		first := once[athlete.Athlete]("key", "body", "")
		a := person("Once")
		first.Render = func(written athlete.Athlete) ([]byte, error) { return []byte("made " + written.FirstName), nil }
		must(t, s.CreateAthlete(t.Context(), sc, a, first))
		if first.Replayed() {
			t.Fatal("the first request is a replay")
		}
		for _, s := range []*Store{s, second} {
			repeated := once[athlete.Athlete]("key", "body", "made again")
			must(t, s.CreateAthlete(t.Context(), sc, person("Twice"), repeated))
			if string(repeated.Replay) != "made Once" {
				t.Fatalf("replayed %q", repeated.Replay)
			}
		}
		same(t, "athletes", found(t, s, sc, athlete.Query{}), []string{"Once"})

		refused(t, s.CreateAthlete(t.Context(), sc, person("Other"), once[athlete.Athlete]("key", "another body", "")),
			fault.Unprocessable, "another body")
		elsewhere := once[athlete.Athlete]("key", "another body", "elsewhere")
		must(t, s.CreateAthlete(t.Context(), other, person("Elsewhere"), elsewhere))
		if elsewhere.Replayed() {
			t.Error("a key counts in another organization")
		}
	})
}

func TestChangesAndTokensAreRepeatedSafelyToo(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		ids := create(t, s, sc, person("1"))
		calls := 0
		change := func(a athlete.Athlete) (athlete.Athlete, error) {
			calls++
			a.Version++
			a.Height++
			return a, nil
		}
		for i := range 3 {
			o := once[athlete.Athlete]("change", "body", "changed")
			_, err := s.ChangeAthlete(t.Context(), sc, ids[0], o, change)
			must(t, err)
			if o.Replayed() != (i > 0) {
				t.Fatalf("try %d: replayed %v", i, o.Replayed())
			}
		}
		if a, err := s.Athlete(t.Context(), sc, ids[0]); err != nil || a.Height != 1 || calls != 1 {
			t.Errorf("height %d after %d calls (%v)", a.Height, calls, err)
		}
		token, hash := issue(t, s, sc, "to rotate")
		var last organization.SecretHash
		for n := range byte(3) {
			o := once[organization.Token]("rotate", "body", "secret")
			_, err := s.ChangeToken(t.Context(), sc, token.ID,
				o, func(token organization.Token) (organization.Token, *organization.SecretHash, error) {
					last = organization.SecretHash{n}
					return token, &last, nil
				})
			must(t, err)
		}
		if _, err := s.Authenticate(t.Context(), organization.SecretHash{0}); err != nil ||
			last != (organization.SecretHash{0}) {
			t.Errorf("rotated more than once: %v, %v", last, err)
		}
		_, err := s.Authenticate(t.Context(), hash)
		refused(t, err, fault.NotFound, "no such token")
	})
}

func TestOfConcurrentRequestsWithOneKeyOneHasAnEffect(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		stores := []*Store{p.open(), p.open()}
		sc := tenant(t, stores[0], "A")
		var replayed, made atomic.Int64
		var all sync.WaitGroup
		for n := range 24 {
			all.Go(func() {
				o := once[athlete.Athlete]("key", "body", "the answer")
				if err := stores[n%2].CreateAthlete(t.Context(), sc, person(fmt.Sprint(n)), o); err != nil {
					t.Error(err)
				} else if o.Replayed() {
					replayed.Add(1)
				} else {
					made.Add(1)
				}
			})
		}
		all.Wait()
		if made.Load() != 1 || replayed.Load() != 23 || len(found(t, stores[0], sc, athlete.Query{})) != 1 {
			t.Errorf("%d made, %d replayed", made.Load(), replayed.Load())
		}
	})
}

func TestAFailureIsNotRemembered(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		ids := create(t, s, sc, person("1"))
		_, err := s.ChangeAthlete(t.Context(), sc, ids[0], once[athlete.Athlete]("key", "body", ""),
			func(a athlete.Athlete) (athlete.Athlete, error) {
				return a, fault.New(fault.BadRequest, "not like this")
			})
		refused(t, err, fault.BadRequest, "not like this")
		broken := once[athlete.Athlete]("key", "body", "")
		broken.Render = func(athlete.Athlete) ([]byte, error) { return nil, fault.New(fault.Internal, "no answer") }
		refused(t, s.CreateAthlete(t.Context(), sc, person("without an answer"), broken), fault.Internal, "no answer")
		o := once[athlete.Athlete]("key", "other body", "done") // free for any body
		must(t, s.CreateAthlete(t.Context(), sc, person("2"), o))
		if o.Replayed() {
			t.Error("a failure is replayed")
		}
		same(t, "athletes", found(t, s, sc, athlete.Query{}), []string{"1", "2"})
	})
}

func TestAnAnswerGoesWithWhatItNamesAndItsKeyStays(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		a, b := person("erased"), person("stays")
		must(t, s.CreateAthlete(t.Context(), sc, a, once[athlete.Athlete]("a", "body", "a")))
		must(t, s.CreateAthlete(t.Context(), sc, b, once[athlete.Athlete]("b", "body", "b")))
		must(t, s.DeleteAthlete(t.Context(), sc, a.ID, anybody))
		late := once[athlete.Athlete]("a", "body", "a")
		refused(t, s.CreateAthlete(t.Context(), sc, person("made again"), late), fault.NotFound, "erased")
		if late.Replayed() {
			t.Error("an erased answer is replayed")
		}
		kept := once[athlete.Athlete]("b", "body", "b")
		must(t, s.CreateAthlete(t.Context(), sc, person("made again"), kept))
		if string(kept.Replay) != "b" {
			t.Errorf("replayed %q", kept.Replay)
		}
	})
}

func TestAKeyIsFreeAgainAfterADay(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		org := idOf(t, sc)
		count := func() (n int64) {
			must(t, s.engine.Once(t.Context(), org,
				db.One(db.Into(&n), `SELECT count(*) FROM idempotency WHERE organization = $1`, org)))
			return n
		}
		age := func(key string) {
			var k [32]byte
			copy(k[:], key)
			must(t, s.write(t.Context(), org, func(w *writeTx) error {
				return w.Do(db.Exec(`UPDATE idempotency SET expires_at = expires_at - $3 WHERE organization = $1 AND key = $2`, org, k[:], answerLife.Microseconds()))
			}))
		}
		for _, key := range []string{"used again", "forgotten", "fresh"} {
			must(t, s.CreateAthlete(t.Context(), sc, person(key), once[athlete.Athlete](key, "body", "old")))
		}
		age("used again")
		o := once[athlete.Athlete]("used again", "another body", "new")
		must(t, s.CreateAthlete(t.Context(), sc, person("z"), o))
		if o.Replayed() {
			t.Error("an expired answer is replayed")
		}
		o = once[athlete.Athlete]("used again", "another body", "")
		must(t, s.CreateAthlete(t.Context(), sc, person("never"), o))
		if string(o.Replay) != "new" {
			t.Errorf("replayed %q", o.Replay)
		}
		age("forgotten")
		must(t, s.forgetAnswers(t.Context()))
		if count() != 2 {
			t.Errorf("%d answers are kept", count())
		}
	})
}

func TestALockThatWasNotToBeHadIsNotTheKeysFault(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		err := writeOnce(t.Context(), s, idOf(t, sc), once[athlete.Athlete]("key", "body", ""), nil,
			func(*writeTx) (db.ID, error) { return db.ID{}, &pgconn.PgError{Code: "55P03"} })
		refused(t, err, fault.Unavailable, "busy")
	})
}
