package store

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/movement"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/share"
	"github.com/kinebase/kinebase/skeleton"
	"github.com/kinebase/kinebase/upload"
	"github.com/kinebase/kinebase/webhook"
)

// anybody may be erased.
func anybody(athlete.Athlete) error { return nil }

func asFault(err error, f **fault.Error) bool { return errors.As(err, f) }

func TestErasingAnAthleteTakesItsCapturesAndOnlyTheLinkOfSharedOnes(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc, other := tenant(t, s, "A"), tenant(t, s, "B")
		ids := create(t, s, sc, person("gone"), person("stays"))
		shared := session("shared", &noon, ids[0], ids[1])
		shared.Activity, shared.FPSDetected = ptr("jump"), ptr(60.0)
		put(t, s, sc, session("own", &noon, ids[0]), shared, session("other", &noon, ids[1]),
			session("nobody's", &noon))

		refused(t, s.DeleteAthlete(t.Context(), other, ids[0], anybody), fault.NotFound, "no such athlete")
		must(t, s.DeleteAthlete(t.Context(), sc, ids[0], anybody))
		refused(t, s.DeleteAthlete(t.Context(), sc, ids[0], anybody), fault.NotFound, "no such athlete")

		_, err := s.Athlete(t.Context(), sc, ids[0])
		refused(t, err, fault.NotFound, "no such athlete")
		_, err = s.Capture(t.Context(), sc, "own", 0)
		refused(t, err, fault.NotFound, "no such capture")
		a, err := s.Capture(t.Context(), sc, "shared", 0)
		must(t, err)
		if !strings.Contains(string(a.Body), `"athlete_id":"`+ids[1]) ||
			!strings.Contains(string(a.Body), `"fps_detected":60`) {
			t.Errorf("the shared capture is now %s", a.Body)
		}
		page := listed(t, s, sc, capture.Query{})
		same(t, "what is left", page.sessions(), []string{"nobody's", "other", "shared"})
		if page.Total != 3 {
			t.Errorf("total %d", page.Total)
		}
	})
}

func TestAnAthleteThatComesBackHasNothingOfItsOldSelf(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		old := whole()
		create(t, s, sc, old)
		var captures []capture.Capture
		for n := range 2 * shortList { // long enough for counts of its own
			captures = append(captures, session(fmt.Sprintf("s%d", n), ptr(noon.Add(time.Duration(n)*time.Second)),
				old.ID))
		}
		put(t, s, sc, captures...)
		must(t, s.fold(t.Context(), idOf(t, sc), []db.ID{mustID(t, old.ID)}))
		must(t, s.DeleteAthlete(t.Context(), sc, old.ID, anybody))
		back := person("Back")
		back.ID = old.ID
		create(t, s, sc, back)
		if page := listed(t, s, sc, capture.Query{AthleteID: back.ID}); page.Total != 0 || len(page.Captures) != 0 {
			t.Errorf("%d captures are back", page.Total)
		}
		same(t, "by its old attribute",
			found(t, s, sc, athlete.Query{Attributes: map[string]string{"_x": old.CustomAttributes["_x"]}}), []string{})
		put(t, s, sc, captures[0], captures[7])
		folded(t, s, sc)
		same(t, "new captures", listed(t, s, sc, capture.Query{AthleteID: back.ID}).sessions(), []string{"s7", "s0"})
	})
}

func mustID(t *testing.T, s string) db.ID {
	t.Helper()
	v, ok := organization.ParseID(s)
	if !ok {
		t.Fatalf("%q is no id", s)
	}
	return v
}

// erasedFrom makes an organization in which people have captures, folds them
// into blocks, erases one person and gives what must be found nowhere any more.
func erasedFrom(t *testing.T, s *Store) (sc organization.Scope, traces [][]byte) {
	t.Helper()
	sc = tenant(t, s, "A")
	r := chance(t)
	h := hooked(t, s, sc, webhook.AthleteCreated, webhook.AthleteDeleted, webhook.CaptureDeleted)
	gone := whole()
	gone.FirstName, gone.Email, gone.CustomAttributes = "Unmistakable-Name", "unmistakable-mail@example.org",
		map[string]string{"unmistakable-key": "unmistakable-value"}
	o := once[athlete.Athlete]("key", "body", "unmistakable-answer")
	must(t, s.CreateAthlete(t.Context(), sc, gone, o))
	others := create(t, s, sc, person("1"), person("2"))
	key := mustID(t, gone.ID)
	for round := range 4 { // with folds between, so that the erased are bounds of blocks
		var captures []capture.Capture
		for n := range 800 {
			at := ptr(noon.Add(time.Duration(r.IntN(2000)) * time.Hour))
			switch r.IntN(4) {
			case 0:
				captures = append(captures, session(fmt.Sprintf("kept-%d-%d", round, n), at, others[r.IntN(2)]))
			case 1:
				captures = append(captures,
					session(fmt.Sprintf("shared-%d-%d", round, n), at, gone.ID, others[r.IntN(2)]))
			default:
				captures = append(captures, session(fmt.Sprintf("unmistakable-%d-%d", round, n), at, gone.ID))
			}
		}
		put(t, s, sc, captures...)
		must(t, s.fold(t.Context(), idOf(t, sc), []db.ID{key}))
	}
	recorded(t, s, sc, "unmistakable-recorded", gone.ID)
	recorded(t, s, sc, "shared-recorded", gone.ID, others[0])
	film(t, s, sc, session("unmistakable-filmed", &noon, gone.ID), walked(3, "Unmistakable", -1))
	film(t, s, sc, session("kept-filmed", &noon, others[0], gone.ID), walked(3, "A", -1))
	made(t, s, sc, exported(t, s, sc, export.Request{}), export.CSV, 1)
	own := movement.MarkerSet{Name: "own",
		Landmarks: []movement.Landmark{{Name: "pelvis", Points: [][]string{{"HIP"}}}}}
	must(t, s.SetLandmarks(t.Context(), sc, own, func(*movement.MarkerSet) error { return nil }))
	must(t, s.SetSkeletons(t.Context(), sc, skeleton.Sets{}, func(*skeleton.Sets) error { return nil }))
	for n, shown := range []string{"kept-filmed", "unmistakable-filmed"} { // what is shown of the erased goes with them
		must(t, s.CreateShare(t.Context(), sc, share.Share{ID: organization.NewID(), Name: shown, View: shown,
			Captures: []string{"kept-filmed", shown}[:n+1], ExpiresAt: time.Now().Add(time.Hour)},
			organization.SecretHash{byte(n)}, nil))
	}
	for n, of := range []string{others[0], gone.ID} {
		shown := []string{"kept", "unmistakable"}[n]
		must(t, s.CreateShare(t.Context(), sc, share.Share{ID: organization.NewID(), Kind: share.Progress, Name: shown,
			View: shown, ExpiresAt: time.Now().Add(time.Hour), Course: &share.Course{Athlete: mustID(t, of),
				Activity: shown, Movement: shown, Metric: shown}}, organization.SecretHash{9, byte(n)}, nil))
	}
	awaited := reserve(t, s, sc, organization.NewUUID(), others[0]).Capture.SessionID
	must(t, s.Expect(t.Context(), sc, awaited, "coming", time.Now().Add(time.Hour)))
	_, err := s.Receive(t.Context(), sc, awaited, 0, 10, []upload.Piece{{Name: "coming", Size: 4}},
		time.Now().Add(time.Hour))
	must(t, err)
	must(t, s.DeleteAthlete(t.Context(), sc, gone.ID, anybody))
	must(t, s.Erased(t.Context(), sc, erasable(t, s, sc)))
	folded(t, s, sc)
	// Of a deletion the feed keeps the id, for a time. After it there is nothing left.
	s.options.ChangesKeep = -time.Minute
	must(t, s.forgetDeletions(t.Context()))
	// So do deliveries that have ended.
	for turn := batch(t, s, sc, h, nil); turn != nil; {
		turn = batch(t, s, sc, h, outcome(s, turn, 200))
	}
	now := s.now
	s.now = func() time.Time { return now().AddDate(0, 0, webhook.KeepDays+1) }
	must(t, s.forgetDeliveries(t.Context()))
	s.now = now
	put(t, s, sc, session("neutral", &noon))
	must(t, s.DeleteCapture(t.Context(), sc, "neutral", func(string) error { return nil }))
	folded(t, s, sc)
	must(t, s.noteUsage(t.Context()))
	return sc, [][]byte{[]byte("nmistakable"), []byte("unmistakable-1-"), key[:], []byte(gone.ID), []byte("Ångström")}
}

// recorded stores a capture with a file that names it in everything that is kept of it.
func recorded(t *testing.T, s *Store, sc organization.Scope, name string, athletes ...string) {
	t.Helper()
	must(t, s.ExpectBrought(t.Context(), sc, name, time.Now().Add(time.Hour), name+" file", name+" table"))
	must(t, s.Bring(t.Context(), sc, upload.Brought{Capture: session(name, &noon, athletes...), FileName: name + ".c3d",
		Original: name + " file",
		Outcome:  upload.Outcome{Table: name + " table", Info: []byte(`{"format":"` + name + `"}`)}}))
}

func TestAfterAnErasureNoRowNamesTheErased(t *testing.T) {
	testkit.Long(t)
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc, traces := erasedFrom(t, s)
		org := idOf(t, sc)
		for _, table := range tenantTables {
			var n int
			must(t, s.engine.Once(t.Context(), org, db.Each(func(r db.Rows) error {
				n++
				for col := range tableColumns(t, s, table) {
					raw := r.Raw(col)
					for _, trace := range traces {
						if bytes.Contains(raw, trace) {
							t.Errorf("%s, column %d, names the erased: %q", table, col, raw)
						}
					}
				}
				return nil
			}, `SELECT * FROM `+table+` WHERE organization = $1`, org)))
			if n == 0 && table != "list_delta" && table != "column_delta" && table != "token" &&
				table != "export_job" && table != "athlete_attribute" && table != "audit" {
				t.Errorf("%s is empty: nothing was looked at", table)
			}
		}
	})
}

func TestAfterAnErasureNoByteOfTheSQLiteFilesNamesTheErased(t *testing.T) {
	testkit.Long(t)
	p := place{t, Options{Data: t.TempDir()}}
	s := p.open(still)
	_, traces := erasedFrom(t, s)
	must(t, s.engine.Tidy(t.Context()))
	log := filepath.Join(p.options.Data, db.FileName+"-wal")
	testkit.Until(t, "the log is cut down to nothing", func() bool {
		info, err := os.Stat(log)
		return err == nil && info.Size() == 0
	})
	wrong, err := s.Integrity(t.Context())
	must(t, err)
	same(t, "what is wrong with the file", wrong, nil)
	files, err := filepath.Glob(filepath.Join(p.options.Data, "*"))
	must(t, err)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		must(t, err)
		for _, trace := range traces {
			if n := bytes.Count(raw, trace); n > 0 {
				at := bytes.Index(raw, trace)
				t.Errorf("%s names the erased %d times (%q): …%s…", filepath.Base(file), n, trace,
					hex.Dump(raw[max(0, at-32):min(len(raw), at+64)]))
			}
		}
	}
}

func TestAFoldThatBeganBeforeAnErasureDoesNotBringTheErasedBack(t *testing.T) {
	p := postgres(t) // on SQLite a fold has the only writer to itself
	for what, counted := range map[string]bool{"with counts of its own": true, "about to get them": false} {
		t.Run(what, func(t *testing.T) {
			s := p.open(still)
			sc := tenant(t, s, "A")
			org := idOf(t, sc)
			gone := create(t, s, sc, person("gone"))[0]
			key := mustID(t, gone)
			var records []capture.Capture
			for n := range shortList/2 + 50 { // long, but not so many changes that they are folded at once
				records = append(records, session(fmt.Sprint(n), ptr(noon.Add(time.Duration(n)*time.Second)), gone))
			}
			put(t, s, sc, records...)
			if counted {
				must(t, s.fold(t.Context(), org, []db.ID{key}))
				put(t, s, sc, session("one more", &noon, gone))
			}
			tries := 0
			fold := func(tx db.Tx) error {
				var n int64
				if err := tx.Do(db.One(db.Into(&n), `SELECT count(*) FROM list_block WHERE organization = $1`,
					org)); err != nil {
					return err
				}
				if tries++; tries == 1 { // after the snapshot of the fold, and before its work
					if err := s.DeleteAthlete(context.Background(), sc, gone, anybody); err != nil {
						return err
					}
				}
				f := folding{s: s, t: tx, org: org, now: db.Micros(time.Now())}
				return f.run([]db.ID{key})
			}
			testkit.Until(t, "no other fold is under way", func() bool {
				err := s.engine.Fold(t.Context(), org, fold)
				if !errors.Is(err, db.ErrElsewhere) {
					must(t, err)
				}
				return err == nil
			})
			folded(t, s, sc)
			var lists, blocks int64
			must(t, s.engine.Once(t.Context(), org,
				db.One(db.Into(&lists), `SELECT count(*) FROM list WHERE organization = $1 AND athlete = $2`, org, key),
				db.One(db.Into(&blocks), `SELECT count(*) FROM list_block WHERE organization = $1 AND athlete = $2`,
					org, key)))
			if lists+blocks > 0 {
				t.Errorf("%d lists and %d blocks of the erased athlete are there", lists, blocks)
			}
			if tries < 2 {
				t.Error("the fold that began before the erasure was not begun anew")
			}
		})
	}
}

func TestAnErasureMeetsImportsOfTheSameAthleteWithoutLeavingALink(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		first, second := p.open(), p.open()
		sc := tenant(t, first, "A")
		for round := range 8 {
			a := person("contended")
			create(t, first, sc, a)
			done := make(chan error, 1)
			go func() {
				for n := range 10 {
					outcomes, err := second.Import(context.Background(), sc,
						[]manifest.Record{{Capture: ptr(session(fmt.Sprintf("%d-%d", round, n), &noon, a.ID))}}, false)
					if err != nil {
						done <- err
						return
					}
					if outcomes[0].Effect == manifest.Refused {
						break
					}
				}
				done <- nil
			}()
			must(t, first.DeleteAthlete(t.Context(), sc, a.ID, anybody))
			must(t, <-done)
			org := idOf(t, sc)
			var links int64
			must(t, first.engine.Once(t.Context(), org,
				db.One(db.Into(&links), `SELECT count(*) FROM capture_row WHERE organization = $1 AND athlete = $2`,
					org, mustID(t, a.ID))))
			if links > 0 {
				t.Fatalf("%d captures are linked to an athlete that is gone", links)
			}
		}
	})
}
