package cli_test

import (
	"encoding/csv"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/payload"
)

func TestTheTablesThatMotionIsJoinedWithAreExported(t *testing.T) {
	testkit.Long(t)
	s := newShell(t)
	org := s.organization("A")
	_, secret := s.token(org, "--role", "editor")
	a := apptest.Start(t, apptest.SQLite, apptest.At(map[string]string{"data": s.env["KINEBASE_DATA"]}))
	s.env["KINEBASE_URL"], s.env["KINEBASE_TOKEN"] = a.URL, secret
	for _, body := range []string{
		`{"first_name":"=Jo","last_name":"Rivera","date_of_birth":"1999-05-13","height":70,"activity":"baseball","positions":["pitcher"],"custom_attributes":{"team":"A, B"}}`,
		`{"first_name":"Bo"}`,
	} {
		a.Post("/athletes", secret, body).Want(200)
	}
	to := t.TempDir()
	file := filepath.Join(to, "athletes.csv")
	if r := s.run("export", "--table", "athletes", "-o", file).ok(); !strings.HasPrefix(r.out, "Exported 2 rows to "+
		file) {
		t.Errorf("it says %q", r.out)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil || len(rows) != 3 || rows[0][0] != "athleteid" {
		t.Fatalf("%v, %v", rows, err)
	}
	jo := rows[1]
	read := a.Get("/athletes/"+jo[0], secret).Want(200).Object()["athlete"].(map[string]any)
	read["athleteid"] = jo[0]
	delete(read, "id")
	if columns := slices.Sorted(slices.Values(rows[0])); !slices.Equal(columns, slices.Sorted(maps.Keys(read))) {
		t.Errorf("the columns are %v", columns)
	}
	if jo[1] != "'=Jo" || jo[2] != "Rivera" || jo[3] != "1999-05-13" || jo[10] != `["pitcher"]` || jo[12] != "70" ||
		jo[13] != "" || jo[14] != `{"team":"A, B"}` {
		t.Errorf("the first is %q", jo)
	}
	s.run("export", "--table", "athletes", "-o", filepath.Join(to, "athletes.parquet")).ok()
	typed, err := parquet.ReadFile[struct {
		ID        string    `parquet:"athleteid,optional"`
		FirstName string    `parquet:"first_name,optional"`
		LastName  *string   `parquet:"last_name,optional"`
		Born      *string   `parquet:"date_of_birth,optional"`
		Height    *int64    `parquet:"height,optional"`
		Positions string    `parquet:"positions,optional"`
		CreatedAt time.Time `parquet:"created_at,optional,timestamp(millisecond)"`
	}](filepath.Join(to, "athletes.parquet"))
	if err != nil || len(typed) != 2 || typed[0].FirstName != "=Jo" || *typed[0].Height != 70 ||
		typed[1].LastName != nil || typed[0].ID != jo[0] || *typed[0].Born != "1999-05-13" ||
		typed[0].Positions != `["pitcher"]` || typed[1].Positions != "[]" ||
		typed[0].CreatedAt.Format(payload.TimeLayout) != jo[15] {
		t.Errorf("Parquet has %+v, %v", typed, err)
	}
	lines := strings.Split(strings.TrimSpace(s.run("export", "--table", "athletes", "--format", "ndjson", "-o",
		"-").ok().out), "\n")
	var bo map[string]any
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &bo); err != nil || len(lines) != 2 ||
		bo["first_name"] != "Bo" || bo["height"] != nil || len(bo) != len(read) {
		t.Errorf("NDJSON has %q, %v", lines, err)
	}
	for _, table := range []string{"captures", "metrics"} {
		if r := s.run("export", "--table", table, "-o", filepath.Join(to, table+".csv")).ok(); !strings.HasPrefix(r.out,
			"Exported 0 rows") {
			t.Errorf("%s: it says %q", table, r.out)
		}
	}
	head, err := os.ReadFile(filepath.Join(to, "metrics.csv"))
	if err != nil || !strings.HasSuffix(string(head),
		",frame,time,metric,value,text,unit,source,method,method_version,description\n") {
		t.Errorf("the table of metrics begins with %q, %v", head, err)
	}
	// What may read exports alone is told no more of people than their names.
	s.env["KINEBASE_TOKEN"] = a.Token(org, organization.ExportsRead, organization.ExportsWrite)
	s.run("export", "--table", "athletes", "-o", filepath.Join(to, "no.csv")).fails(1, "athletes:read")
	for says, args := range map[string][]string{
		"--table must be captures, athletes or metrics": {"--table", "frames"},
		"leave --shape and --row-filter out":            {"--table", "metrics", "--shape", "frames"},
	} {
		s.run(append([]string{"export", "-o", filepath.Join(to, "no.csv")}, args...)...).fails(2, says)
	}
	left, err := os.ReadDir(to)
	if err != nil || len(left) != 4 {
		t.Errorf("left behind are %v", left)
	}
}
