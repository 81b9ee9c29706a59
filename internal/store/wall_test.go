package store

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/store/db"

	"github.com/jackc/pgx/v5"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/audit"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/movement"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/share"
	"github.com/kinebase/kinebase/skeleton"
	"github.com/kinebase/kinebase/upload"
	"github.com/kinebase/kinebase/webhook"
)

// tenantTables are all tables that hold one organization's rows.
var tenantTables = []string{"athlete", "athlete_attribute", "athlete_log", "audit", "capture", "capture_group",
	"capture_row", "column_count", "column_delta", "combination", "deletion", "erasure", "export_block", "export_build",
	"export_column", "export_file", "export_job", "export_part", "export_reason", "export_skip", "export_storage",
	"idempotency", "landmarks", "list", "list_block", "list_delta", "recording", "recording_bytes", "share",
	"share_capture", "share_progress", "skeleton", "token", "upload_partial", "upload_piece", "usage_day", "webhook",
	"webhook_delivery"}

// queueTables are River's: a job names an organization and a session.
var queueTables = []string{"river_job", "river_leader", "river_migration", "river_notification", "river_queue"}

// tableColumns gives the columns of a table, in their order.
func tableColumns(t *testing.T, s *Store, table string) (names []string) {
	t.Helper()
	text := `SELECT column_name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1 ORDER BY ordinal_position`
	if _, lite := s.engine.(*db.SQLite); lite {
		text = `SELECT name FROM pragma_table_info($1) ORDER BY cid`
	}
	must(t, s.engine.Once(t.Context(), db.ID{}, db.Each(func(r db.Rows) error {
		var name string
		err := r.Scan(&name)
		names = append(names, name)
		return err
	}, text, table)))
	return names
}

// furnished is an organization with rows in every table.
func furnished(t *testing.T, s *Store, name string) organization.Scope {
	t.Helper()
	sc := tenant(t, s, name)
	a := whole()
	must(t, s.CreateAthlete(audit.With(t.Context(), audit.Entry{Action: "createAthlete", Status: 200}), sc, a,
		once[athlete.Athlete]("key", "body", "answer")))
	issue(t, s, sc, name)
	must(t, s.CreateWebhook(t.Context(), sc, webhook.New(webhook.Change{URL: ptr("https://example.org")}, noon), nil))
	put(t, s, sc, session("folded", &noon, a.ID))
	film(t, s, sc, session("filmed and folded", &noon, a.ID), walked(3, "A", 1))
	folded(t, s, sc)
	put(t, s, sc, session("not folded", &noon, a.ID))
	film(t, s, sc, session("filmed", &noon, a.ID), walked(3, "A", 1))
	made(t, s, sc, exported(t, s, sc, export.Request{}), export.CSV, 1)
	awaited := reserve(t, s, sc, organization.NewUUID(), a.ID)
	must(t, s.Expect(t.Context(), sc, awaited.Capture.SessionID, "a file that is coming", time.Now().Add(time.Hour)))
	must(t, s.Expect(t.Context(), sc, awaited.Capture.SessionID, "a piece", time.Now().Add(time.Hour)))
	_, err := s.Receive(t.Context(), sc, awaited.Capture.SessionID, 0, 10, []upload.Piece{{Name: "a piece", Size: 4}},
		time.Now().Add(time.Hour))
	must(t, err)
	must(t, s.SetLandmarks(t.Context(), sc,
		movement.MarkerSet{Landmarks: []movement.Landmark{{Name: "pelvis", Points: [][]string{{"HIPS"}}}}},
		func(*movement.MarkerSet) error { return nil }))
	must(t, s.SetSkeletons(t.Context(), sc, skeleton.Sets{}, func(*skeleton.Sets) error { return nil }))
	progress := share.Share{ID: organization.NewID(), Kind: share.Progress, ExpiresAt: time.Now().Add(time.Hour)}
	progress.Course = &share.Course{Athlete: mustID(t, a.ID), Activity: "a", Movement: "m", Metric: "k"}
	must(t, s.CreateShare(t.Context(), sc, progress, organization.NewLinkSecret().Hash(), nil))
	must(t, s.CreateShare(t.Context(), sc, share.Share{ID: organization.NewID(), Captures: []string{"folded"},
		ExpiresAt: noon}, organization.SecretHash([]byte(name+strings.Repeat(" ", 32-len(name)))), nil))
	put(t, s, sc, session("deleted", &noon))
	must(t, s.DeleteCapture(t.Context(), sc, "deleted", func(string) error { return nil }))
	_, err = s.Import(t.Context(), sc, []manifest.Record{{Job: &export.Job{ID: "job", Status: export.Running}}}, false)
	must(t, err)
	must(t, s.noteUsage(t.Context()))
	return sc
}

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// asked reads one column of strings.
func asked(t *testing.T, conn *pgx.Conn, sql string, args ...any) []string {
	t.Helper()
	r, err := conn.Query(t.Context(), sql, args...)
	must(t, err)
	list, err := pgx.CollectRows(r, pgx.RowTo[string])
	must(t, err)
	return list
}

func TestOnPostgreSQLNothingForeignIsThereWhateverIsAskedFor(t *testing.T) {
	s := postgres(t).open(still)
	a, b := furnished(t, s, "A"), furnished(t, s, "B")
	for _, who := range []db.ID{idOf(t, a), idOf(t, b), {}, organization.NewID()} {
		must(t, s.engine.Read(t.Context(), who, func(tx db.Tx) error {
			for _, table := range tenantTables {
				own, foreign := 0, 0
				if err := tx.Do(db.Each(func(r db.Rows) error {
					var org db.ID
					if err := r.Scan(&org); err != nil {
						return err
					}
					if org == who {
						own++
					} else {
						foreign++
					}
					return nil
				}, `SELECT organization FROM `+table)); err != nil {
					return err
				}
				if known := who == idOf(t, a) || who == idOf(t, b); foreign > 0 || (own > 0) != known {
					t.Errorf("%s sees %d own and %d foreign rows of %s", who, own, foreign, table)
				}
			}
			return nil
		}))
	}
}

func TestOnPostgreSQLTheStoreSeesNothingForeignWithItsOwnFilterTurnedOff(t *testing.T) {
	server := testkit.Postgres(t)
	p := place{t, Options{DatabaseURL: server.Database(t)}}
	s := p.open(still)
	a := furnished(t, s, "A")
	furnished(t, s, "B")
	without := func(e db.Engine) *Store {
		open := &Store{log: s.log, now: s.now, engine: unfiltered{e}}
		open.lists.limit, open.answers.limit = 1<<20, 1<<20
		return open
	}
	open := without(s.engine)
	for _, q := range []capture.Query{{}, {Filter: capture.Filter{Source: "import"}}, {Offset: 1}} {
		same(t, fmt.Sprintf("%+v", q), listed(t, open, a, q).sessions(), listed(t, s, a, q).sessions())
	}
	same(t, "athletes", found(t, open, a, athlete.Query{}), []string{"Zoë"})
	tokens, err := open.Tokens(t.Context(), a)
	must(t, err)
	if len(tokens) != 1 || tokens[0].Name != "A" {
		t.Errorf("tokens: %+v", tokens)
	}
	_, err = open.Capture(t.Context(), a, "folded", 0)
	must(t, err)

	// And with the second wall away too, the foreign rows are there: the filter was
	// really off.
	_, err = connect(t, server.Superuser(t, p.options.DatabaseURL)).Exec(t.Context(),
		`ALTER TABLE athlete DISABLE ROW LEVEL SECURITY`)
	must(t, err)
	same(t, "athletes with no wall at all", found(t, open, a, athlete.Query{}), []string{"Zoë", "Zoë"})
}

// unfiltered is the engine without the condition that the store itself puts on
// every statement.
type unfiltered struct{ db.Engine }

// ownFilter is the application's own wall in a statement.
var ownFilter = regexp.MustCompile(`\b(?:\w\.)?organization = \$1\b`)

func (u unfiltered) Read(ctx context.Context, org db.ID, fn func(db.Tx) error) error {
	return u.Engine.Read(ctx, org, func(t db.Tx) error { return fn(unfilteredTx{t}) })
}

func (u unfiltered) Once(ctx context.Context, org db.ID, statements ...db.Statement) error {
	return u.Read(ctx, org, func(t db.Tx) error { return t.Do(statements...) })
}

type unfilteredTx struct{ db.Tx }

func (u unfilteredTx) Do(statements ...db.Statement) error {
	for i := range statements {
		statements[i].SQL = ownFilter.ReplaceAllString(statements[i].SQL, "$$1::uuid IS NOT NULL")
	}
	return u.Tx.Do(statements...)
}

func TestOnPostgreSQLRowsCannotBeWrittenIntoAForeignOrganization(t *testing.T) {
	p := postgres(t)
	s := p.open(still)
	a, b := furnished(t, s, "A"), furnished(t, s, "B")
	conn := connect(t, p.options.DatabaseURL)
	for _, table := range tenantTables {
		names := tableColumns(t, s, table)
		i := slices.Index(names, "organization")
		names[i] = "$1::uuid"
		for what, sql := range map[string]string{
			"a new row":   "INSERT INTO " + table + " SELECT " + strings.Join(names, ", ") + " FROM " + table,
			"a moved row": "UPDATE " + table + " SET organization = $1",
		} {
			tx, err := conn.Begin(t.Context())
			must(t, err)
			_, err = tx.Exec(t.Context(), db.SetOrganization, a.Organization)
			must(t, err)
			_, err = tx.Exec(t.Context(), sql, [16]byte(idOf(t, b)))
			if err == nil || !strings.Contains(err.Error(), "row-level security") {
				t.Errorf("%s, %s: %v", table, what, err)
			}
			must(t, tx.Rollback(t.Context()))
		}
		for _, sql := range []string{"DELETE FROM " + table + " WHERE organization = $1", "UPDATE " + table +
			" SET organization = organization WHERE organization = $1"} {
			tx, err := conn.Begin(t.Context())
			must(t, err)
			_, err = tx.Exec(t.Context(), db.SetOrganization, a.Organization)
			must(t, err)
			tag, err := tx.Exec(t.Context(), sql, [16]byte(idOf(t, b)))
			must(t, err)
			if tag.RowsAffected() > 0 {
				t.Errorf("%s touched %d foreign rows", sql, tag.RowsAffected())
			}
			must(t, tx.Rollback(t.Context()))
		}
	}
}

func TestOnPostgreSQLEveryTenantTableStandsBehindTheWallAndNothingElseOutside(t *testing.T) {
	p := postgres(t)
	p.open()
	conn := connect(t, p.options.DatabaseURL)
	const tables = `SELECT c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p', 'v', 'm') `
	same(t, "outside", asked(t, conn, tables+`AND NOT (c.relrowsecurity AND c.relforcerowsecurity) ORDER BY 1`),
		slices.Sorted(slices.Values(
			append([]string{"audit_streamed", "audit_turn", "ended", "gone_organization", "goose_db_version",
				"latest_moment", "library", "organization", "secret", "token_index"}, queueTables...))))
	same(t, "inside", asked(t, conn,
		tables+`AND c.relrowsecurity AND c.relforcerowsecurity AND EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid AND p.polcmd = '*' AND p.polpermissive) ORDER BY 1`), tenantTables)
	same(t, "tables with an organization",
		asked(t, conn, `SELECT table_name::text FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'organization' AND table_name <> 'token_index' ORDER BY 1`), tenantTables)
	same(t, "policies", asked(t, conn, `SELECT DISTINCT qual FROM pg_policies WHERE schemaname = 'public'`),
		[]string{`(organization = (NULLIF(current_setting('app.org'::text, true), ''::text))::uuid)`})
}

func TestARoleToWhichTheWallDoesNotApplyIsRefused(t *testing.T) {
	server := testkit.Postgres(t)
	url := server.Database(t)
	_, err := Open(t.Context(), Options{DatabaseURL: server.Superuser(t, url)})
	if err == nil || !strings.Contains(err.Error(), "is a superuser or has BYPASSRLS") ||
		!strings.Contains(err.Error(), "CREATE ROLE") {
		t.Fatalf("got %v", err)
	}
	conn := connect(t, url)
	if tables := asked(t, conn, `SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'`); len(tables) > 0 {
		t.Errorf("a refused role made %v", tables)
	}
}
