package store

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/testkit"
)

func TestExportsThatWaitForTheirTurnKeepNobodyWaiting(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		for n := range buildPiece + 1 {
			film(t, s, sc, session(fmt.Sprintf("s%d", n), &noon), walked(1, "A", -1))
		}
		const builders = 20 // more than there are connections for others
		var waiting, done sync.WaitGroup
		turns := make(chan struct{})
		wait := func(ctx context.Context) error {
			waiting.Done()
			select {
			case <-turns:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		waiting.Add(builders)
		for range builders {
			j, err := s.CreateJob(t.Context(), sc, export.Request{}, nil)
			must(t, err)
			must(t, s.write(t.Context(), idOf(t, sc), func(w *writeTx) error { // as if it were another's
				return w.Do(db.Exec(`UPDATE export_build SET line = 2 WHERE organization = $1 AND job = $2`, w.Org,
					j.ID))
			}))
			done.Go(func() {
				if _, err := step(t.Context(), s, sc, j.ID, site(wait)); err != nil {
					t.Error(err)
				}
			})
		}
		waiting.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), testkit.Patience)
		defer cancel()
		_, err := s.Capture(ctx, sc, "s0", 0)
		close(turns)
		must(t, err)
		done.Wait()
	})
}
