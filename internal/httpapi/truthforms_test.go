package httpapi_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// holds gets the result in every form and holds it against the reference.
func (res *result) holds(r *rand.Rand) {
	res.Helper()
	res.kept = r.IntN(4) == 0
	var rows []map[string]any
	for _, p := range res.parts {
		rows = append(rows, p.rows(res.id)...)
	}
	names := res.header()
	if job := ended(res.T, res.app, res.token, strings.Split(res.path, "/")[4]); *job.RowCount != int64(len(rows)) {
		res.Fatalf("%v has %d rows, want %d", res.wish.body, *job.RowCount, len(rows))
	}
	res.holdsCSV(r, names, rows)
	res.holdsLines(names, rows)
	res.holdsParquet(names, rows)
	res.holdsPages(r, names, rows)
}

// get asks until there is an answer; for files now and then until one is kept.
func (res *result) get(query string, headers ...string) *apptest.Answer {
	var got *apptest.Answer
	res.app.Until("the result is there", func() bool {
		got = res.app.Get(res.path+query, res.token, headers...)
		file := len(headers) > 0
		return got.Status != 503 && (!file || !res.kept || got.Header.Get("Accept-Ranges") == "bytes")
	})
	return got.Want(200)
}

func (res *result) differs(form string, row int, name string, got, want any) {
	res.Helper()
	res.Fatalf("%s of %v: row %d of %q is %#v, want %#v", form, res.json(res.wish.body), row, name, got, want)
}

// guarded is a text as CSV has it: no spreadsheet may run it.
func guarded(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}

func (res *result) holdsCSV(r *rand.Rand, names []string, rows []map[string]any) {
	query, mark := one(r, "", "?bom=0"), ""
	if r.IntN(2) == 0 {
		query, mark = "?bom=1", "\ufeff"
	}
	body, ok := bytes.CutPrefix(res.get(query, "Accept", "text/csv").Body, []byte(mark))
	table, err := csv.NewReader(bytes.NewReader(body)).ReadAll()
	if err != nil || !ok || len(table) != len(rows)+1 {
		res.Fatalf("CSV of %v: %d lines for %d rows, mark %v: %v", res.json(res.wish.body), len(table), len(rows), ok,
			err)
	}
	for i, name := range names {
		if i >= len(table[0]) || table[0][i] != guarded(name) {
			res.Fatalf("CSV of %v has the columns %q, want %q", res.json(res.wish.body), table[0], names)
		}
		for n, row := range rows {
			want := cell(row[name])
			if _, text := row[name].(string); text {
				want = guarded(want)
			}
			if table[n+1][i] != want {
				res.differs("CSV", n, name, table[n+1][i], want)
			}
		}
	}
	if len(table[0]) != len(names) {
		res.Fatalf("CSV has %d columns, want %d", len(table[0]), len(names))
	}
}

// holdsObject holds a row of JSON.
func (res *result) holdsObject(form string, n int, raw []byte, names []string, want map[string]any) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var got map[string]any
	if err := d.Decode(&got); err != nil || len(got) != len(names) {
		res.Fatalf("%s of %v: row %d has %d columns, want %d: %v", form, res.json(res.wish.body), n, len(got),
			len(names), err)
	}
	for _, name := range names {
		v, there := got[name]
		_, text := v.(string)
		_, wantText := want[name].(string)
		if v == nil {
			v = ""
		}
		if !there || text != wantText || (got[name] == nil) != (want[name] == nil) ||
			fmt.Sprint(v) != cell(want[name]) {
			res.differs(form, n, name, got[name], want[name])
		}
	}
}

func (res *result) holdsLines(names []string, rows []map[string]any) {
	lines := bytes.SplitAfter(res.get("", "Accept", "application/x-ndjson").Body, []byte("\n"))
	if len(lines) != len(rows)+1 {
		res.Fatalf("%d lines for %d rows", len(lines)-1, len(rows))
	}
	for n, row := range rows {
		res.holdsObject("NDJSON", n, lines[n], names, row)
	}
}

func (res *result) holdsPages(r *rand.Rand, names []string, rows []map[string]any) {
	for offset, most := 0, 1+r.IntN(500); ; {
		limit := 1 + r.IntN(most)
		var page struct {
			Results       []json.RawMessage
			TotalCount    int `json:"total_count"`
			Offset, Limit int
		}
		res.get(fmt.Sprintf("?limit=%d&offset=%d", limit, offset)).Into(&page)
		want := rows[min(offset, len(rows)):min(offset+limit, len(rows))]
		if page.TotalCount != len(rows) || page.Offset != offset || page.Limit != limit ||
			len(page.Results) != len(want) {
			res.Fatalf("the page of %d at %d has %d of %d rows, want %d of %d", limit, offset, len(page.Results),
				page.TotalCount, len(want), len(rows))
		}
		for n, row := range want {
			res.holdsObject("JSON", offset+n, page.Results[n], names, row)
		}
		if len(want) == 0 {
			return
		}
		if offset += limit; r.IntN(6) == 0 || len(rows) > 300 {
			offset += r.IntN(len(rows))
		}
	}
}

func (res *result) holdsParquet(names []string, rows []map[string]any) {
	body := res.get("", "Accept", "application/vnd.apache.parquet").Body
	f, err := parquet.OpenFile(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		res.Fatal(err)
	}
	var got []string
	for _, c := range f.Root().Columns() {
		got = append(got, c.Name())
	}
	if !slices.Equal(got, names) || f.NumRows() != int64(len(rows)) {
		res.Fatalf("Parquet of %v has %d rows of %q, want %d of %q", res.json(res.wish.body), f.NumRows(), got,
			len(rows), names)
	}
	for i, name := range names {
		row, pages := 0, f.Root().Columns()[i].Pages()
		for page, err := pages.ReadPage(); err != io.EOF; page, err = pages.ReadPage() {
			if err != nil {
				res.Fatal(err)
			}
			values := make([]parquet.Value, page.NumValues())
			if n, err := page.Values().ReadValues(values); n != len(values) || err != nil && err != io.EOF {
				res.Fatal(n, err)
			}
			for _, v := range values {
				want := rows[row][name]
				if narrow, is := want.(float32); is && v.Kind() == parquet.Double { // a metric elsewhere
					wide, err := strconv.ParseFloat(strconv.FormatFloat(float64(narrow), 'g', -1, 32), 64)
					if err != nil {
						res.Fatal(err)
					}
					want = wide
				}
				if got := plain(name, v); got != want {
					res.differs("Parquet", row, name, got, want)
				}
				row++
			}
		}
		if _ = pages.Close(); row != len(rows) {
			res.Fatalf("Parquet: %q has %d values for %d rows", name, row, len(rows))
		}
	}
}

// plain is a value of Parquet as the reference has it.
func plain(name string, v parquet.Value) any {
	switch {
	case v.IsNull():
		return nil
	case name == "capture_datetime":
		return time.UnixMilli(v.Int64()).UTC().Format("2006-01-02T15:04:05.000Z")
	case v.Kind() == parquet.ByteArray:
		return v.String()
	case v.Kind() == parquet.Int64:
		return v.Int64()
	case v.Kind() == parquet.Float:
		return v.Float()
	default:
		return v.Double()
	}
}
