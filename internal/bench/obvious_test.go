package bench

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cespare/xxhash/v2"
	_ "github.com/jackc/pgx/v5/stdlib"
	_ "github.com/ncruces/go-sqlite3/driver"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/payload"
)

// obvious is what a good programmer writes first: a table of captures, one of
// links, an index for every filter, count(DISTINCT), LIMIT and OFFSET,
// encoding/json. It is spared the join where no athlete is asked for, prepares
// its statements once, and reads total and page in one transaction.
type obvious struct {
	capture.Store // what no load asks for

	db, writer *sql.DB // SQLite has one writer: waiting in turn is quicker than to collide
	prepared   sync.Map
	postgres   bool
}

const obviousReaders = 16

func openObvious(ctx context.Context, file, address string) (*obvious, error) {
	o := &obvious{postgres: address != ""}
	var err error
	if o.postgres {
		if o.db, err = sql.Open("pgx", address); err != nil {
			return nil, err
		}
		o.db.SetMaxOpenConns(obviousReaders)
		o.db.SetMaxIdleConns(obviousReaders)
		o.writer = o.db
		return o, o.db.PingContext(ctx)
	}
	dsn := (&url.URL{Scheme: "file", OmitHost: true, Path: file}).String() +
		"?_pragma=busy_timeout(10000)&_pragma=journal_mode(wal)&_pragma=synchronous(full)&_pragma=cache_size(-16384)"
	if o.db, err = sql.Open("sqlite3", dsn); err != nil {
		return nil, err
	}
	o.db.SetMaxOpenConns(4)
	o.db.SetMaxIdleConns(4)
	if o.writer, err = sql.Open("sqlite3", dsn+"&_txlock=immediate"); err != nil {
		return nil, err
	}
	o.writer.SetMaxOpenConns(1)
	return o, o.writer.PingContext(ctx)
}

func (o *obvious) close() error {
	if o.writer != o.db {
		_ = o.writer.Close()
	}
	return o.db.Close()
}

func (o *obvious) prepare(ctx context.Context, db *sql.DB, text string) (*sql.Stmt, error) {
	if s, ok := o.prepared.Load(text); ok {
		return s.(*sql.Stmt), nil
	}
	s, err := db.PrepareContext(ctx, o.dialect(text))
	if err != nil {
		return nil, err
	}
	known, loaded := o.prepared.LoadOrStore(text, s)
	if loaded {
		_ = s.Close()
	}
	return known.(*sql.Stmt), nil
}

// dialect writes ? as the engine wants it.
func (o *obvious) dialect(text string) string {
	if !o.postgres {
		return text
	}
	var b strings.Builder
	n := 0
	for _, r := range text {
		if r == '?' {
			n++
			b.WriteString("$" + strconv.Itoa(n))
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

const obviousColumns = `c.session_id, l.athlete, c.activity, c.movement, c.status, c.error, c.capture_time, c.fps, c.dimensions`

func scanObvious(scan func(...any) error) (map[string]any, error) {
	var session, status, dimensions string
	var linked, activity, movement, problem *string
	var taken *int64
	var fps *float64
	if err := scan(&session, &linked, &activity, &movement, &status, &problem, &taken, &fps, &dimensions); err != nil {
		return nil, err
	}
	c := map[string]any{}
	if dimensions != "" {
		if err := json.Unmarshal([]byte(dimensions), &c); err != nil {
			return nil, err
		}
	}
	c["session_id"], c["athlete_id"], c["activity"], c["movement"] = session, linked, activity, movement
	c["status"], c["error"], c["fps_detected"], c["capture_time"] = status, problem, fps, nil
	if taken != nil {
		c["capture_time"] = time.UnixMicro(*taken).UTC().Format(payload.TimeLayout)
	}
	return c, nil
}

func answer(v any) (capture.Answer, error) {
	body, err := json.Marshal(v)
	return capture.Answer{Body: body, Tag: strconv.FormatUint(xxhash.Sum64(body), 36)}, err
}

// Capture gives one on the wire.
func (o *obvious) Capture(ctx context.Context, s organization.Scope, sessionID string,
	_ capture.Include) (capture.Answer, error) {
	find, err := o.prepare(ctx, o.db, `SELECT `+obviousColumns+
		` FROM capture c LEFT JOIN capture_athlete l ON l.capture = c.id
WHERE c.organization = ? AND c.session_id = ? ORDER BY l.place LIMIT 1`)
	if err != nil {
		return capture.Answer{}, err
	}
	c, err := scanObvious(find.QueryRowContext(ctx, s.Organization.String(), sessionID).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return capture.Answer{}, fault.New(fault.NotFound, "there is no such capture")
	}
	if err != nil {
		return capture.Answer{}, err
	}
	return answer(c)
}

// Captures gives a page on the wire.
func (o *obvious) Captures(ctx context.Context, s organization.Scope, q capture.Query) (capture.Answer, error) {
	where, args := `c.organization = ?`, []any{s.Organization.String()}
	for _, f := range []struct{ column, value string }{
		{"c.source", q.Filter.Source}, {"c.status", string(q.Filter.Status)}, {"c.activity_key", q.Filter.Activity},
		{"c.movement_key", q.Filter.Movement}, {"l.athlete", q.AthleteID},
	} {
		if f.value != "" {
			where += ` AND ` + f.column + ` = ?`
			args = append(args, f.value)
		}
	}
	join := ``
	if q.AthleteID != "" {
		join = ` JOIN capture_athlete l ON l.capture = c.id`
	}
	count, err := o.prepare(ctx, o.db, `SELECT count(DISTINCT c.id) FROM capture c`+join+` WHERE `+where)
	if err != nil {
		return capture.Answer{}, err
	}
	// SQLite reads links in the order of their key, and sorts for nothing when asked to.
	order := `c.capture_time DESC NULLS LAST, c.session_id`
	if o.postgres {
		order += `, l.athlete`
	}
	page, err := o.prepare(ctx, o.db, `SELECT `+obviousColumns+
		` FROM capture c LEFT JOIN capture_athlete l ON l.capture = c.id
WHERE `+where+` ORDER BY `+order+` LIMIT ? OFFSET ?`)
	if err != nil {
		return capture.Answer{}, err
	}
	options := &sql.TxOptions{ReadOnly: true}
	if o.postgres {
		options.Isolation = sql.LevelRepeatableRead
	}
	tx, err := o.db.BeginTx(ctx, options)
	if err != nil {
		return capture.Answer{}, err
	}
	defer func() { _ = tx.Rollback() }()
	var total int64
	if err := tx.StmtContext(ctx, count).QueryRowContext(ctx, args...).Scan(&total); err != nil {
		return capture.Answer{}, err
	}
	rows, err := tx.StmtContext(ctx, page).QueryContext(ctx, append(args, q.Limit, q.Offset)...)
	if err != nil {
		return capture.Answer{}, err
	}
	defer rows.Close()
	list := []map[string]any{}
	for rows.Next() {
		c, err := scanObvious(rows.Scan)
		if err != nil {
			return capture.Answer{}, err
		}
		list = append(list, c)
	}
	if err := rows.Err(); err != nil {
		return capture.Answer{}, err
	}
	return answer(map[string]any{"captures": list, "total_count": total, "offset": q.Offset, "limit": q.Limit})
}

// obviousAthletes creates athletes with one transaction each; for the rest there
// is the store.
type obviousAthletes struct {
	*store.Store
	o *obvious
}

// CreateAthlete keeps a new athlete.
func (a obviousAthletes) CreateAthlete(ctx context.Context, s organization.Scope, n athlete.Athlete,
	_ *organization.Once[athlete.Athlete]) error {
	insert, err := a.o.prepare(ctx, a.o.writer,
		`INSERT INTO athlete (id, organization, first_name, last_name, date_of_birth, email, height, weight, custom_attributes, created_at, updated_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	attributes, err := json.Marshal(n.CustomAttributes)
	if err != nil {
		return err
	}
	var born *int64
	if n.DateOfBirth != nil {
		t := n.DateOfBirth.UnixMicro()
		born = &t
	}
	tx, err := a.o.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.StmtContext(ctx, insert).ExecContext(ctx, n.ID, s.Organization.String(), n.FirstName, n.LastName,
		born, n.Email, n.Height, n.Weight, string(attributes), n.CreatedAt.UnixMicro(), n.UpdatedAt.UnixMicro()); err !=
		nil {
		return fmt.Errorf("insert: %w", err)
	}
	return tx.Commit()
}
