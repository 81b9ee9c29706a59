package export_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/export"
)

// spelled is the reference for the bytes of a world: as a rule they are what is written,
// and need not be taken apart, which is slow under the race detector.
type spelled struct {
	csv, comma []byte   // the file with a decimal point, and with a decimal comma
	json       [][]byte // a line for each row
}

// spell writes the rows, with the columns in this order.
func (w *world) spell(t *rapid.T, header []string) (s spelled) {
	quoted := map[string][2]string{} // most texts come in every row
	quote := func(s string) (inCSV, inJSON string) {
		q, ok := quoted[s]
		if !ok {
			q = [2]string{quotedCSV(t, guarded(s)), quotedJSON(t, s)}
			quoted[s] = q
		}
		return q[0], q[1]
	}
	names := make([]string, len(header))
	for i, name := range header {
		inCSV, inJSON := quote(name)
		s.csv, s.comma = append(append(s.csv, inCSV...), ','), append(append(s.comma, inCSV...), ';')
		names[i] = "," + inJSON + ":"
	}
	names[0] = "{" + names[0][1:]
	s.csv[len(s.csv)-1], s.comma[len(s.comma)-1] = '\n', '\n'
	texts := export.TextColumns(w.result.Columns)
	var line, cell []byte
	for _, row := range w.rows {
		line = line[:0]
		for i, v := range row {
			line = append(line, names[i]...)
			switch v := v.(type) {
			case nil:
				line = append(line, "null"...)
			case string:
				inCSV, inJSON := quote(v)
				s.csv, s.comma, line = append(s.csv, inCSV...), append(s.comma, inCSV...), append(line, inJSON...)
			default:
				cell = appendNumber(cell[:0], v)
				s.csv, line = append(s.csv, cell...), append(line, cell...)
				if point := bytes.IndexByte(cell, '.'); point >= 0 && !texts[i] {
					cell[point] = ','
				}
				s.comma = append(s.comma, cell...)
			}
			s.csv, s.comma = append(s.csv, ','), append(s.comma, ';')
		}
		s.csv[len(s.csv)-1], s.comma[len(s.comma)-1] = '\n', '\n'
		s.json = append(s.json, append(bytes.Clone(line), '}'))
	}
	return s
}

// guarded is a text that no spreadsheet takes for a formula.
func guarded(s string) string {
	if s != "" && strings.Contains("=+-@\t\r", s[:1]) {
		return "'" + s
	}
	return s
}

// quotedCSV is a text as a field, which every reader of CSV must read as that text,
// whatever stands between the fields.
func quotedCSV(t *rapid.T, s string) string {
	field := s
	if strings.ContainsAny(s, ",;\"\t\r\n") || strings.TrimSpace(s) != s {
		field = `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	for _, comma := range ",;" {
		r := csv.NewReader(strings.NewReader(fmt.Sprintf("%s%cend\n", field, comma)))
		r.Comma = comma
		if got, err := r.Read(); err != nil || len(got) != 2 || got[0] != s {
			t.Fatalf("%q is read as %q (%v), want %q", field, got, err, s)
		}
	}
	return field
}

func quotedJSON(t *rapid.T, s string) string {
	raw, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// text is a value as CSV has it, without quotes.
func text(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	return string(appendNumber(nil, v))
}

func appendNumber(b []byte, v any) []byte {
	wide, bits := 0.0, 64
	switch v := v.(type) {
	case int64:
		return strconv.AppendInt(b, v, 10)
	case float32:
		wide, bits = float64(v), 32
	case float64:
		wide = v
	default:
		return fmt.Append(b, v)
	}
	form := byte('f')
	if a := math.Abs(wide); a != 0 && (a < 1e-6 || a >= 1e21) {
		form = 'e'
	}
	return strconv.AppendFloat(b, wide, form, -1, bits)
}

// sameCSV holds a file to the rows, however they are written.
func (w *world) sameCSV(t *rapid.T, raw, expected []byte, header []string) {
	if !bytes.Equal(raw, expected) {
		w.sameCells(t, raw, ',', header, func(_ int, s string) string { return s })
	}
}

// sameCells takes a file apart and holds each cell to its value, as it is written there.
func (w *world) sameCells(
	t *rapid.T, raw []byte, comma rune, header []string, written func(column int, s string) string,
) {
	r := csv.NewReader(bytes.NewReader(raw))
	r.Comma = comma
	records, err := r.ReadAll()
	if err != nil || len(records) != len(w.rows)+1 {
		t.Fatalf("%d records for %d rows: %v", len(records), len(w.rows), err)
	}
	for i, name := range header {
		if records[0][i] != guarded(name) {
			t.Fatalf("column %d is called %q, want %q", i, records[0][i], name)
		}
		for row, values := range w.rows {
			want := text(values[i])
			if _, is := values[i].(string); is {
				want = guarded(want)
			}
			if want = written(i, want); records[row+1][i] != want {
				t.Fatalf("row %d of %q is %q, want %q", row, name, records[row+1][i], want)
			}
		}
	}
}
