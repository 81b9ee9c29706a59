package store

import (
	"bytes"
	"cmp"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/internal/store/migrations"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/organization"
)

// versions are those that an engine's store has had, oldest first.
func versions(t *testing.T, engine string) (all []int64) {
	t.Helper()
	files, err := fs.Glob(migrations.Of(engine), "*.sql")
	must(t, err)
	for _, name := range files {
		number, _, _ := strings.Cut(name, "_")
		n, err := strconv.ParseInt(number, 10, 64)
		must(t, err)
		all = append(all, n)
	}
	slices.Sort(all)
	return all
}

// TestAStoreOfEveryVersionIsUpgradedWithWhatItHas makes the store of each version that there was, with rows as the
// first one wrote them. That each version takes these rows says, too, that the first one can go on beside it.
func TestAStoreOfEveryVersionIsUpgradedWithWhatItHas(t *testing.T) {
	testkit.Long(t)
	for engine, fresh := range map[string]func(t *testing.T) place{
		"sqlite":   func(t *testing.T) place { return place{t, Options{Data: t.TempDir()}} },
		"postgres": func(t *testing.T) place { return place{t, Options{DatabaseURL: testkit.Postgres(t).Database(t)}} },
	} {
		for _, version := range versions(t, engine) {
			t.Run(engine+" "+strconv.FormatInt(version, 10), func(t *testing.T) { upgraded(t, fresh(t), version) })
		}
	}
}

func upgraded(t *testing.T, p place, version int64) {
	older(t, p, version)
	sc := organization.Scope{Organization: organization.NewID()}
	body := `'{"session_id":"walk"}'`
	if p.options.Data != "" {
		body = `CAST(` + body + ` AS BLOB)`
	}
	for _, text := range []string{
		`INSERT INTO organization (id, name, created_at) VALUES ($1, 'A', 1)`,
		`INSERT INTO athlete (organization, id, first_name, last_name, email, phone, gender, dominant_arm, dominant_leg, activity, positions, competition_level, height, weight, custom_attributes, created_at, updated_at, version, first_key, last_key, born_key, search_key)
SELECT id, id, 'Jo', '', '', '', '', '', '', '', '', '', 70, 0, '', 5, 5, 1, 'jo', '', 0, 'jo' FROM organization WHERE id = $1`,
		`INSERT INTO capture (organization, session_id, sort_time, combination, source, status, dimensions, version, created_at, updated_at) SELECT id, 'walk', 1, 1, 'import', 'completed', '', 1, 9, 9 FROM organization WHERE id = $1`,
		`INSERT INTO capture_row (organization, sort_time, session_id, athlete, place, combination, body) SELECT organization, sort_time, session_id, organization, 0, combination, ` + body + ` FROM capture WHERE organization = $1`,
		`INSERT INTO export_job (organization, id, status, error_message, created_at) SELECT id, 'job', 'CANCELED', '', 4 FROM organization WHERE id = $1`,
	} {
		inOlder(t, p, sc, text)
	}
	s := p.open()
	id := sc.Organization.String()
	if a, err := s.Athlete(t.Context(), sc, id); err != nil || a.FirstName != "Jo" || a.Height != 70 {
		t.Errorf("the athlete is %+v: %v", a, err)
	}
	if page, err := s.Athletes(t.Context(), sc, athlete.Query{Limit: 10}); err != nil || page.TotalCount != 1 {
		t.Errorf("the list of athletes is %+v: %v", page, err)
	}
	if a, err := s.Capture(t.Context(), sc, "walk", 0); err != nil || !bytes.Contains(a.Body, []byte(`"walk"`)) {
		t.Errorf("the capture is %s: %v", a.Body, err)
	}
	if j, err := s.Job(t.Context(), sc, "job", export.Left{}); err != nil || j.ID != "job" {
		t.Errorf("the export is %+v: %v", j, err)
	}
	create(t, s, sc, person("new"))
	if page, err := s.Athletes(t.Context(), sc, athlete.Query{Limit: 10}); err != nil || page.TotalCount != 2 {
		t.Errorf("after another athlete the list is %+v: %v", page, err)
	}
}

// takenAway are the statements with which a version before could not go on: what it reads is not there, or what it
// writes is refused.
var takenAway = []*regexp.Regexp{
	regexp.MustCompile(`(?i)\bDROP\s+(TABLE|COLUMN)\b`),
	regexp.MustCompile(`(?i)\bRENAME\b`),
	regexp.MustCompile(`(?i)\bALTER\s+(COLUMN\s+\w+\s+)?(SET\s+NOT\s+NULL|TYPE\b|SET\s+DATA\s+TYPE)`),
	regexp.MustCompile(`(?i)\bALTER\s+COLUMN\s+\w+\s+(TYPE|SET\s+NOT\s+NULL|SET\s+DATA)\b`),
	regexp.MustCompile(`(?i)\bADD\s+(CONSTRAINT|CHECK|FOREIGN|PRIMARY)\b`),
}

// addedColumn is a column that a table gets.
var addedColumn = regexp.MustCompile(`(?i)\bADD\s+COLUMN\s+[^;]*`)

// refusesTheOld gives what of a migration the version before it could not live with; "" for nothing.
func refusesTheOld(text string) string {
	var plain []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(strings.TrimSpace(line), "--") {
			plain = append(plain, line)
		}
	}
	text = strings.Join(plain, "")
	found := ""
	for _, p := range takenAway {
		found = cmp.Or(found, p.FindString(text))
	}
	for _, column := range addedColumn.FindAllString(text, -1) {
		upper := strings.ToUpper(column)
		if strings.Contains(upper, "NOT NULL") && !strings.Contains(upper, "DEFAULT") {
			found = cmp.Or(found, column)
		}
	}
	return found
}

// inTwoSteps are migrations that take away what the release before them did not use any more, each with that release.
var inTwoSteps = map[string]string{}

// TestAMigrationTakesNothingFromTheVersionBefore holds the rule that a rolling upgrade needs: servers of the version
// before go on while the first new one has migrated.
func TestAMigrationTakesNothingFromTheVersionBefore(t *testing.T) {
	for _, engine := range []string{"sqlite", "postgres"} {
		all := migrations.Of(engine)
		files, err := fs.Glob(all, "*.sql")
		must(t, err)
		if len(files) < 20 {
			t.Fatalf("only %d migrations were found", len(files))
		}
		for _, name := range files {
			raw, err := fs.ReadFile(all, name)
			must(t, err)
			if found := refusesTheOld(string(raw)); found != "" && inTwoSteps[engine+"/"+name] == "" {
				t.Errorf("%s/%s: %q breaks servers of the version before; add first, and take away a release later",
					engine, name, found)
			}
		}
	}
	for _, wrong := range []string{"DROP TABLE a;", "ALTER TABLE a DROP COLUMN b;",
		"ALTER TABLE a RENAME COLUMN b TO c;",
		"ALTER TABLE a ADD COLUMN b BIGINT NOT NULL;", "ALTER TABLE a ALTER COLUMN b SET NOT NULL;",
		"ALTER TABLE a ALTER COLUMN b TYPE TEXT;", "ALTER TABLE a ADD CONSTRAINT c CHECK (b > 0);"} {
		if refusesTheOld(wrong) == "" {
			t.Errorf("%q is taken", wrong)
		}
	}
	for _, right := range []string{"ALTER TABLE a ADD COLUMN b BIGINT NOT NULL DEFAULT 0;", "-- DROP TABLE a;",
		"ALTER TABLE a ADD COLUMN b BIGINT;", "DROP INDEX i;"} {
		if found := refusesTheOld(right); found != "" {
			t.Errorf("%q is refused for %q", right, found)
		}
	}
}
