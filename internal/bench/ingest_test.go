package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/internal/testkit/fixture"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
)

// ingest writes the captures of an organization, of one day, by several writers
// at once, and says how many a second were acknowledged.
func (j job) ingest() error {
	ctx := context.Background()
	s, err := store.Open(ctx, store.Options{Data: j.Data, DatabaseURL: j.URL})
	if err != nil {
		return err
	}
	scope := organization.In(j.Organization.ID)
	// The labels are brought in first; what follows is about counts alone.
	var before, captures []manifest.Record
	labels := map[capture.Combination]bool{}
	for r := range j.Organization.Records() {
		if r.Capture != nil && labels[r.Capture.Combination()] {
			captures = append(captures, r)
			continue
		}
		if r.Capture != nil {
			labels[r.Capture.Combination()] = true
		}
		before = append(before, r)
	}
	if _, err := s.Import(ctx, scope, before, false); err != nil {
		return err
	}
	batches := make(chan []manifest.Record, len(captures)/j.Batch+1)
	for part := range slices.Chunk(captures, j.Batch) {
		batches <- part
	}
	close(batches)
	errs := make([]error, j.Writers)
	var wait sync.WaitGroup
	begun, costBefore := time.Now(), ownCost()
	for i := range j.Writers {
		wait.Go(func() {
			for part := range batches {
				if _, err := s.Import(ctx, scope, part, false); err != nil {
					errs[i] = err
					return
				}
			}
		})
	}
	wait.Wait()
	took := time.Since(begun)
	if err := errors.Join(append(errs, s.Close())...); err != nil {
		return err
	}
	if cost := ownCost() - costBefore; j.Cost {
		fmt.Println(float64(cost.Microseconds()) / float64(len(captures)))
		return nil
	}
	fmt.Println(float64(len(captures)) / took.Seconds())
	return nil
}

// ownCost is the processor time that this process has taken.
func ownCost() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // it fails for nobody's own
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// uncounted makes the database forget the changes of lists as they come, so that
// there is nothing to count: what is left is the speed without counts.
const uncounted = `CREATE RULE uncounted AS ON INSERT TO list_delta DO INSTEAD NOTHING`

// ingests compares writing with and without counts on PostgreSQL.
func (b *bench) ingests(c *cluster) error {
	const operation = "PostgreSQL: ingest of one organization and day"
	if !b.wanted(operation) {
		return nil
	}
	if err := c.recreate(b.ctx, "ingest_", "ingest_counted", "ingest_plain"); err != nil {
		return err
	}
	for _, way := range []struct {
		name                    string
		writers, batch, records int
	}{
		{"16 writers, 20 captures a commit", 16, 20, 30_000},
		{"one writer, 1,000 captures a commit", 1, 1_000, 30_000},
	} {
		rates := map[string][]float64{}
		for round := range b.rounds + 1 { // the first one fills empty tables and does not count
			for side, database := range []string{"ingest_counted", "ingest_plain"} {
				url := c.url(database)
				o := fixture.Organization{
					ID:       fmt.Sprintf("0190f0e5-7b1c-7cc3-98c5-%04d%04d%04d", way.writers, round, side),
					Athletes: 1_000, Captures: way.records, Shared: 0.03, Span: 24 * time.Hour,
				}
				if _, err := prepare(b.ctx, "", url, []fixture.Organization{o}); err != nil {
					return err
				}
				if round == 0 && way.writers > 1 && database == "ingest_plain" {
					if err := execute(b.ctx, url, uncounted); err != nil {
						return err
					}
				}
				rate, err := finish(job{Role: roleIngest, URL: url, Organization: o, Writers: way.writers,
					Batch: way.batch})
				if err != nil {
					return err
				}
				if round == 0 {
					continue
				}
				rates[database] = append(rates[database], rate)
			}
		}
		b.rates(operation+", "+way.name, measured{rate: median(rates["ingest_counted"])},
			measured{rate: median(rates["ingest_plain"])}, "without counts", 0.9, atLeast)
	}
	return c.recreate(b.ctx, "ingest_")
}

func execute(ctx context.Context, url, statement string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, statement)
	return errors.Join(err, conn.Close(ctx))
}

// finish runs a job that ends by itself and gives its one figure.
func finish(j job) (figure float64, err error) {
	c, err := start(j)
	if err != nil {
		return 0, err
	}
	line, err := c.line()
	if err == nil {
		_, err = fmt.Sscan(line, &figure)
	}
	return figure, errors.Join(err, c.end())
}
