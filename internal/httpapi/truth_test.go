package httpapi_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// TestAnExportIsWhatItsCapturesSay makes organizations up, asks for exports of all
// kinds, and holds each of them, in every form and after deletions, against a reference
// that knows nothing but the recordings that the test has made. KINEBASE_TEST_EXPORTS
// says how many pairs of organizations; with KINEBASE_TEST_SEED the first is repeated.
func TestAnExportIsWhatItsCapturesSay(t *testing.T) {
	testkit.Long(t)
	rounds, seed := 2, rand.Uint64()
	if testing.Short() {
		rounds = 1
	}
	for name, into := range map[string]any{"KINEBASE_TEST_EXPORTS": &rounds, "KINEBASE_TEST_SEED": &seed} {
		if text := os.Getenv(name); text != "" {
			if _, err := fmt.Sscan(text, into); err != nil {
				t.Fatalf("%s must be a number: %v", name, err)
			}
		}
	}
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		asked, refused, rows := 0, 0, 0
		for round := range uint64(rounds) {
			t.Logf("KINEBASE_TEST_SEED=%d", seed+round)
			r := rand.New(rand.NewPCG(seed+round, 0))
			labs := []*lab{newLab(t, a, r), newLab(t, a, r)}
			if r.IntN(3) == 0 {
				labs = append(labs, newLab(t, a, r))
			}
			for range 4 + r.IntN(10) { // in turn, so that those of one lie between those of another
				labs[r.IntN(len(labs))].film(r)
			}
			var results []*result
			for range 10 {
				l := labs[r.IntN(len(labs))]
				w := l.wish(r, labs)
				asked++
				if got := l.ask(w); got == nil {
					refused++
				} else {
					rows += len(got.parts)
					results = append(results, got)
				}
			}
			for _, got := range results {
				got.holds(r)
				for _, l := range labs {
					if l != got.lab {
						a.Get(got.path, l.token).Want(404)
					}
				}
			}
			for range 1 + r.IntN(2) {
				labs[r.IntN(len(labs))].forget(r)
			}
			for _, got := range results {
				got.parts = slices.DeleteFunc(got.parts, func(p part) bool { return p.gone() })
				got.holds(r)
			}
		}
		t.Logf("%d exports were asked for, %d of them rightly refused; the others have %d parts", asked, refused, rows)
	})
}
