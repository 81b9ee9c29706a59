package bench

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/testkit/fixture"
)

// The tables of the obvious implementation. {text} keeps bytes in order on
// PostgreSQL, as SQLite does; {last} says there what SQLite does by itself.
const obviousTables = `
CREATE TABLE capture (
    id           BIGINT PRIMARY KEY,
    organization TEXT{text} NOT NULL,
    session_id   TEXT{text} NOT NULL,
    source       TEXT{text} NOT NULL,
    status       TEXT{text} NOT NULL,
    activity     TEXT{text},
    movement     TEXT{text},
    activity_key TEXT{text},
    movement_key TEXT{text},
    dimensions   TEXT{text} NOT NULL,
    error        TEXT{text},
    capture_time BIGINT,
    fps          DOUBLE PRECISION
);
CREATE TABLE capture_athlete (
    capture BIGINT NOT NULL,
    athlete TEXT{text} NOT NULL,
    place   BIGINT NOT NULL,
    PRIMARY KEY (capture, athlete)
);
CREATE TABLE athlete (
    id                TEXT{text} PRIMARY KEY,
    organization      TEXT{text} NOT NULL,
    first_name        TEXT NOT NULL,
    last_name         TEXT NOT NULL,
    date_of_birth     BIGINT,
    email             TEXT NOT NULL,
    height            BIGINT NOT NULL,
    weight            BIGINT NOT NULL,
    custom_attributes TEXT NOT NULL,
    created_at        BIGINT NOT NULL,
    updated_at        BIGINT NOT NULL
);
CREATE INDEX athlete_name ON athlete (organization, last_name, first_name)`

const obviousIndexes = `
CREATE UNIQUE INDEX capture_session ON capture (organization, session_id);
CREATE INDEX capture_order ON capture (organization, capture_time DESC{last}, session_id);
CREATE INDEX capture_source ON capture (organization, source, capture_time DESC{last}, session_id);
CREATE INDEX capture_status ON capture (organization, status, capture_time DESC{last}, session_id);
CREATE INDEX capture_labels ON capture (organization, activity_key, movement_key, capture_time DESC{last}, session_id);
CREATE INDEX capture_movement ON capture (organization, movement_key, capture_time DESC{last}, session_id);
CREATE INDEX capture_linked ON capture_athlete (athlete, capture)`

func (o *obvious) script(ctx context.Context, text string) error {
	replace := strings.NewReplacer("{text}", "", "{last}", "", "BIGINT PRIMARY KEY", "INTEGER PRIMARY KEY")
	if o.postgres {
		replace = strings.NewReplacer("{text}", ` COLLATE "C"`, "{last}", " NULLS LAST")
	}
	for statement := range strings.SplitSeq(text, ";") {
		if _, err := o.writer.ExecContext(ctx, replace.Replace(statement)); err != nil {
			return err
		}
	}
	return nil
}

// fill makes the tables and puts the organizations' captures into them.
func (o *obvious) fill(ctx context.Context, url string, organizations []fixture.Organization) error {
	if err := o.script(ctx, obviousTables); err != nil {
		return err
	}
	var err error
	if o.postgres {
		err = o.copyIn(ctx, url, organizations)
	} else {
		err = o.insertAll(ctx, organizations)
	}
	if err != nil {
		return err
	}
	if err := o.script(ctx, obviousIndexes); err != nil {
		return err
	}
	analyze := "ANALYZE"
	if o.postgres {
		analyze = "VACUUM ANALYZE"
	}
	_, err = o.writer.ExecContext(ctx, analyze)
	return err
}

var captureColumns = []string{"id", "organization", "session_id", "source", "status", "activity", "movement",
	"activity_key", "movement_key", "dimensions", "error", "capture_time", "fps"}

func obviousRow(id int64, org string, c capture.Capture) []any {
	dimensions := ""
	if len(c.Dimensions) > 0 {
		b, err := json.Marshal(c.Dimensions)
		if err != nil { // strings always encode
			panic(err)
		}
		dimensions = string(b)
	}
	key := func(s *string) *string {
		if s == nil {
			return nil
		}
		k := capture.Fold(*s)
		return &k
	}
	var taken *int64
	if c.CaptureTime != nil {
		t := c.CaptureTime.UnixMicro()
		taken = &t
	}
	return []any{id, org, c.SessionID, c.Source, string(c.Status), c.Activity, c.Movement, key(c.Activity),
		key(c.Movement), dimensions, c.Error, taken, c.FPSDetected}
}

func (o *obvious) insertAll(ctx context.Context, organizations []fixture.Organization) error {
	tx, err := o.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	row, err := tx.PrepareContext(ctx, `INSERT INTO capture (`+strings.Join(captureColumns, ", ")+`) VALUES (`+
		strings.Repeat("?, ", len(captureColumns)-1)+`?)`)
	if err != nil {
		return err
	}
	link, err := tx.PrepareContext(ctx, `INSERT INTO capture_athlete (capture, athlete, place) VALUES (?, ?, ?)`)
	if err != nil {
		return err
	}
	id := int64(0)
	for _, org := range organizations {
		for i := range org.Captures {
			c := org.Capture(i)
			id++
			if _, err := row.ExecContext(ctx, obviousRow(id, org.ID, c)...); err != nil {
				return err
			}
			for place, a := range c.AthleteIDs {
				if _, err := link.ExecContext(ctx, id, a, place); err != nil {
					return err
				}
			}
		}
	}
	return tx.Commit()
}

func (o *obvious) copyIn(ctx context.Context, url string, organizations []fixture.Organization) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	id := int64(0)
	for _, org := range organizations {
		var links [][]any
		first := id
		if _, err := conn.CopyFrom(ctx, pgx.Identifier{"capture"}, captureColumns,
			pgx.CopyFromSlice(org.Captures, func(i int) ([]any, error) {
				c := org.Capture(i)
				id = first + int64(i) + 1
				for place, a := range c.AthleteIDs {
					links = append(links, []any{id, a, int64(place)})
				}
				return obviousRow(id, org.ID, c), nil
			})); err != nil {
			return err
		}
		if _, err := conn.CopyFrom(ctx, pgx.Identifier{"capture_athlete"}, []string{"capture", "athlete", "place"},
			pgx.CopyFromRows(links)); err != nil {
			return err
		}
	}
	return nil
}
