package store

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// cameBy brings a piece of a file of ten bytes.
func cameBy(t *testing.T, s *Store, sc organization.Scope, session string, at, size int64, until time.Time) (string,
	error) {
	t.Helper()
	name := upload.PieceName(sc.Organization.String())
	must(t, s.Expect(t.Context(), sc, session, name, until))
	_, err := s.Receive(t.Context(), sc, session, at, 10, []upload.Piece{{Name: name, Size: size}}, until)
	return name, err
}

func TestPiecesAreTakenInTheirOrderAndAreTheCapturesOnce(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		ahead := clock(s)
		sc := tenant(t, s, "A")
		session := reserve(t, s, sc, organization.NewUUID()).Capture.SessionID
		until := s.now().Add(time.Hour)
		first, err := cameBy(t, s, sc, session, 0, 4, until)
		must(t, err)
		for _, wrong := range []int64{0, 3, 5} {
			if _, err := cameBy(t, s, sc, session, wrong, 4, until); !errors.Is(err, upload.ErrOffset) {
				t.Errorf("at %d: %v", wrong, err)
			}
		}
		_, err = cameBy(t, s, sc, session, 4, 7, until)
		refused(t, err, fault.PayloadTooLarge, "10 bytes")
		if got, err := s.Partial(t.Context(), sc, session); err != nil || got.Received != 4 || got.Arrived ||
			got.Size != 10 {
			t.Errorf("4 bytes have come: %+v, %v", got, err)
		}
		if g, wait, err := s.ClaimPieces(t.Context(), sc, session); g != nil || wait != 0 || err != nil {
			t.Errorf("a file that is not whole is given out: %+v, %v, %v", g, wait, err)
		}
		second, err := cameBy(t, s, sc, session, 4, 6, until)
		must(t, err)
		if n, err := s.Incomplete(t.Context(), sc); err != nil || n != 10 {
			t.Errorf("%d bytes are counted, %v", n, err)
		}

		// A worker dies, another one takes the pieces over, and what the first one says is not heard.
		dead, _, err := s.ClaimPieces(t.Context(), sc, session)
		must(t, err)
		if !slices.Equal(dead.Pieces, []upload.Piece{{Name: first, Size: 4}, {Name: second, Size: 6}}) ||
			dead.Size != 10 {
			t.Fatalf("the pieces are %+v", dead)
		}
		if g, wait, err := s.ClaimPieces(t.Context(), sc, session); g != nil || wait <= 0 || err != nil {
			t.Errorf("two workers have the pieces: %+v, %v, %v", g, wait, err)
		}
		ahead(job.Lease + time.Second)
		alive, _, err := s.ClaimPieces(t.Context(), sc, session)
		must(t, err)
		if err := s.Extend(t.Context(), dead.Held); !errors.Is(err, job.ErrLost) {
			t.Errorf("the dead worker extends its lease: %v", err)
		}
		must(t, s.Extend(t.Context(), alive.Held))
		must(t, s.ReleasePieces(t.Context(), sc, alive, time.Time{}))
		_, _, err = s.ClaimPieces(t.Context(), sc, session)
		must(t, err)

		name := upload.OriginalName(sc.Organization.String())
		must(t, s.Expect(t.Context(), sc, session, name, s.now().Add(time.Hour)))
		must(t, s.Arrive(t.Context(), sc, session, name, 10, "hash"))
		if got := erasable(t, s, sc); !slices.Contains(got, first) || !slices.Contains(got, second) ||
			slices.Contains(got, name) {
			t.Errorf("to be erased are %v", got)
		}
		if got, err := s.Partial(t.Context(), sc, session); err != nil || !got.Arrived {
			t.Errorf("the file has arrived: %+v, %v", got, err)
		}
		if n, err := s.Incomplete(t.Context(), sc); err != nil || n != 0 {
			t.Errorf("%d bytes are left, %v", n, err)
		}
		if g, _, err := s.ClaimPieces(t.Context(), sc, session); g != nil || err != nil {
			t.Errorf("the pieces are given out again: %+v, %v", g, err)
		}
	})
}

func TestPiecesOfWhatIsNeverFinishedGo(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		ahead := clock(s)
		sc := tenant(t, s, "A")
		ways := map[string]func(session string){
			"deleted": func(session string) {
				must(t, s.DeleteCapture(t.Context(), sc, session, func(string) error { return nil }))
			},
			"ended": func(session string) { must(t, s.TurnAway(t.Context(), sc, session, "It was ended.")) },
			"by a form": func(session string) {
				name := upload.OriginalName(sc.Organization.String())
				must(t, s.Expect(t.Context(), sc, session, name, s.now().Add(time.Hour)))
				must(t, s.Arrive(t.Context(), sc, session, name, 3, "hash"))
			},
			"late": func(session string) {
				// Within the window of the last piece, but after that of the reservation, it goes on.
				ahead(upload.Window - time.Minute)
				_, err := cameBy(t, s, sc, session, 4, 1, s.now().Add(upload.Window))
				must(t, err)
				ahead(upload.Window - time.Minute)
				wait, err := s.Expire(t.Context(), sc, session)
				if err != nil || wait <= 0 || wait > upload.Window {
					t.Errorf("it is asked again after %v, %v", wait, err)
				}
				_, err = cameBy(t, s, sc, session, 5, 1, s.now().Add(upload.Window))
				must(t, err)
				ahead(upload.Window + time.Second)
				_, err = s.Partial(t.Context(), sc, session)
				refused(t, err, fault.Gone, "has passed")
				_, err = cameBy(t, s, sc, session, 6, 4, s.now().Add(upload.Window))
				refused(t, err, fault.Gone, "has passed")
				wait, err = s.Expire(t.Context(), sc, session)
				if err != nil || wait != 0 {
					t.Errorf("it is asked again after %v, %v", wait, err)
				}
				if got, why := status(t, s, sc, session); got != capture.Error || why == "" {
					t.Errorf("the capture is %s: %s", got, why)
				}
			},
		}
		for _, what := range []string{"deleted", "ended", "by a form", "late"} { // the last one has time go by
			end := ways[what]
			session := reserve(t, s, sc, organization.NewUUID()).Capture.SessionID
			name, err := cameBy(t, s, sc, session, 0, 4, s.now().Add(upload.Window))
			must(t, err)
			if slices.Contains(erasable(t, s, sc), name) {
				t.Errorf("%s: the piece is erased while more is waited for", what)
			}
			end(session)
			if !slices.Contains(erasable(t, s, sc), name) {
				t.Errorf("%s: the piece stays", what)
			}
			if n, err := s.Incomplete(t.Context(), sc); err != nil || n != 0 {
				t.Errorf("%s: %d bytes are counted, %v", what, n, err)
			}
			if _, err := s.Receive(t.Context(), sc, session, 4, 10, nil, s.now().Add(time.Hour)); err == nil {
				t.Errorf("%s: more is taken", what)
			}
		}
	})
}

func TestAFileMayHaveSoManyPieces(t *testing.T) {
	s := place{t, Options{Data: t.TempDir()}}.open(still)
	sc := tenant(t, s, "A")
	session := reserve(t, s, sc, organization.NewUUID()).Capture.SessionID
	var pieces []upload.Piece
	for i := range upload.MaxPieces {
		pieces = append(pieces, upload.Piece{Name: fmt.Sprint("p", i), Size: 1})
	}
	at, err := s.Receive(t.Context(), sc, session, 0, 1<<20, pieces, s.now().Add(time.Hour))
	must(t, err)
	_, err = s.Receive(t.Context(), sc, session, at, 1<<20, []upload.Piece{{Name: "one more", Size: 1}},
		s.now().Add(time.Hour))
	refused(t, err, fault.PayloadTooLarge, "10000 pieces")
}
