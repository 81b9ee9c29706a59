package store

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
)

// peopleExported gives the rows of a finished export of athletes as NDJSON, held to the page, to CSV and to Parquet.
func peopleExported(t *testing.T, s *Store, sc organization.Scope, r export.Result) (rows []map[string]any) {
	t.Helper()
	f := inEveryForm(t, s, sc, r)
	lines, err := csv.NewReader(&f.csv).ReadAll()
	must(t, err)
	same(t, "the names of CSV", lines[0], export.Header(r.Columns))
	typed, err := parquet.Read[struct {
		ID      string     `parquet:"athleteid,optional"`
		First   string     `parquet:"first_name,optional"`
		Last    *string    `parquet:"last_name,optional"`
		Born    *string    `parquet:"date_of_birth,optional"`
		Height  *int64     `parquet:"height,optional"`
		Created *time.Time `parquet:"created_at,optional,timestamp(millisecond)"`
	}](bytes.NewReader(f.parquet.Bytes()), int64(f.parquet.Len()))
	must(t, err)
	decoder := json.NewDecoder(&f.ndjson)
	for decoder.More() {
		var raw json.RawMessage
		must(t, decoder.Decode(&raw))
		row := map[string]any{}
		must(t, json.Unmarshal(raw, &row))
		rows = append(rows, row)
		n := len(rows)
		if string(f.page[n-1]) != string(raw) {
			t.Errorf("row %d is %s on a page and %s in NDJSON", n, f.page[n-1], raw)
		}
		for i, name := range lines[0] {
			want := ""
			if row[name] != nil {
				want = fmt.Sprint(row[name])
			}
			if cell := strings.TrimPrefix(lines[n][i], "'"); cell != want {
				t.Errorf("%s of row %d is %q in CSV, and %q in NDJSON", name, n, cell, want)
			}
		}
		of := typed[n-1]
		if of.ID != row["athleteid"] || of.First != row["first_name"] ||
			(of.Last == nil) != (row["last_name"] == nil) ||
			(of.Height == nil) != (row["height"] == nil) || of.Height != nil && float64(*of.Height) != row["height"] ||
			(of.Born == nil) != (row["date_of_birth"] == nil) || of.Born != nil && *of.Born != row["date_of_birth"] ||
			of.Created == nil || of.Created.UTC().Format("2006-01-02T15:04:05.000Z") != row["created_at"] {
			t.Errorf("row %d is %s, and %+v in Parquet", n, raw, of)
		}
	}
	if int64(len(rows)) != r.Rows || len(lines) != len(rows)+1 || len(f.page) != len(rows) || len(typed) !=
		len(rows) {
		t.Fatalf("%d rows are counted; NDJSON has %d, CSV %d, the page %d, Parquet %d", r.Rows, len(rows), len(lines)-1,
			len(f.page), len(typed))
	}
	return rows
}

// firstNames are those of rows.
func firstNames(rows []map[string]any) (list []string) {
	for _, row := range rows {
		list = append(list, fmt.Sprint(row["first_name"]))
	}
	return list
}

// peopleExport asks for athletes.
func peopleExport(ids ...string) export.Request {
	return export.Request{Shape: export.RowPerAthlete, Athletes: ids}
}

func TestRowsOfAthletesHaveEveryFieldThatReadingOneAnswers(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		full := person("=Ann")
		full.LastName, full.Email, full.Height, full.Weight = "O\"Neil, jr", "ann@example.com", 70, 154
		full.DateOfBirth = ptr(time.Date(1999, 5, 13, 0, 0, 0, 0, time.UTC))
		full.Activity, full.Positions = "baseball", []string{"pitcher", "catcher"}
		full.CustomAttributes = map[string]string{"team": "Ä, \n\"B\""}
		ids := create(t, s, sc, full, person("Bo"), person("Cy"))
		create(t, s, tenant(t, s, "B"), person("Stranger"))

		all := exported(t, s, sc, peopleExport())
		rows := peopleExported(t, s, sc, all)
		same(t, "rows", firstNames(rows), []string{"=Ann", "Bo", "Cy"})
		for i, id := range ids {
			read, err := s.Athlete(t.Context(), sc, id)
			must(t, err)
			var want map[string]any
			must(t, json.Unmarshal(athlete.AppendJSON(nil, read), &want))
			for name, value := range want {
				got := rows[i][name]
				switch name {
				case "id":
					got = rows[i]["athleteid"]
				case "date_of_birth":
					if value != nil {
						value, _, _ = strings.Cut(value.(string), "T")
					}
				case "positions", "custom_attributes":
					var list any
					must(t, json.Unmarshal([]byte(got.(string)), &list))
					got = list
				}
				if !reflect.DeepEqual(got, value) {
					t.Errorf("%s of %s is %v, and %v is read", name, id, got, value)
				}
			}
			if len(rows[i]) != len(want) {
				t.Errorf("the columns are %v", slices.Sorted(maps.Keys(rows[i])))
			}
		}
		e, err := s.Estimate(t.Context(), sc, peopleExport())
		must(t, err)
		if e != (export.Estimate{Rows: 3, Exact: true}) {
			t.Errorf("the estimate is %+v", e)
		}
	})
}

func TestRowsOfAthletesAreThoseThatARequestNamesInItsOrder(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		var people []athlete.Athlete
		for i := range 2*writeChunk + 3 { // the database is asked three times
			people = append(people, person(fmt.Sprintf("P%03d", i)))
		}
		ids := create(t, s, sc, people...)
		slices.Reverse(ids)
		some := exported(t, s, sc, peopleExport(ids...))
		names := firstNames(peopleExported(t, s, sc, some)[:5])
		backwards := func(a, b string) int { return strings.Compare(b, a) }
		if some.Rows != int64(len(ids)) || !slices.IsSortedFunc(names, backwards) {
			t.Errorf("%d rows begin with %v", some.Rows, names)
		}
		// A server from before there were rows of athletes must not take the request for one of frames.
		kept := []byte(keptFor(t, s, sc, some.Job.ID))
		if json.Unmarshal(kept, new(export.Request)) == nil ||
			json.Unmarshal(kept, &[]any{new(export.Request), new(string)}) == nil {
			t.Errorf("an older version would read %s", kept)
		}
		stranger := create(t, s, tenant(t, s, "B"), person("Stranger"))[0]
		_, err := s.CreateJob(t.Context(), sc, peopleExport(stranger), nil)
		refused(t, err, fault.BadRequest, stranger)
		_, err = s.Estimate(t.Context(), sc, peopleExport(stranger))
		refused(t, err, fault.BadRequest, stranger)
	})
}

func TestARowOfAnAthleteGoesWithTheAthlete(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		ids := create(t, s, sc, person("Ann"), person("Bo"), person("Cy"), person("Di"))
		all, some := exported(t, s, sc, peopleExport()), exported(t, s, sc, peopleExport(ids[1], ids[3]))
		now := func(r export.Result) []string {
			t.Helper()
			r, err := s.Result(t.Context(), sc, r.Job.ID)
			must(t, err)
			return firstNames(peopleExported(t, s, sc, r))
		}
		must(t, s.DeleteAthlete(t.Context(), sc, ids[0], anybody))
		same(t, "without Ann", now(all), []string{"Bo", "Cy", "Di"})
		_, err := s.MergeAthletes(t.Context(), sc, ids[2], ids[1], nil, merging)
		must(t, err)
		same(t, "Bo is Cy now", now(all), []string{"Cy", "Di"})
		same(t, "where Cy was not asked for", now(some), []string{"Di"})
		late, err := s.CreateJob(t.Context(), sc, peopleExport(ids[2]), nil)
		must(t, err)
		must(t, s.DeleteAthlete(t.Context(), sc, ids[2], anybody))
		if got := built(t, s, sc, late.ID); got.Job.Status != export.Completed || got.Rows != 0 {
			t.Errorf("an export of somebody who was deleted before it was built is %+v", got)
		}
	})
}
