package export_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
)

// sameJSON holds a row to its values, however they are written. As a rule it is the line
// that is expected, and need not be decoded, which is slow under the race detector.
func sameJSON(t *rapid.T, raw, line []byte, header []string, want []any) {
	if bytes.Equal(bytes.TrimSuffix(raw, []byte("\n")), line) {
		return
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var got map[string]any
	if err := d.Decode(&got); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	if len(got) != len(want) {
		t.Fatalf("a row of %d columns, want %d", len(got), len(want))
	}
	for i, name := range header {
		v := want[i]
		g, ok := got[name]
		if !ok || (g == nil) != (v == nil) || v != nil && fmt.Sprint(g) != text(v) {
			t.Fatalf("%q is %v, want %v", name, g, v)
		}
	}
}

func TestAnExportHasTheRowsOfItsRecordingsInEveryForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := worlds(t)
		header := export.Header(w.result.Columns)
		var out bytes.Buffer
		if err := export.WriteCSV(t.Context(), &out, w.reader(), export.Budget); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(out.String(), "sessionid,") {
			t.Fatalf("CSV begins with %q", out.String()[:20])
		}
		expected := w.spell(t, header)
		w.sameCSV(t, out.Bytes(), expected.csv, header)
		w.sameInAnyLocale(t, out.Bytes(), expected.comma, header)

		out.Reset()
		if err := export.WriteNDJSON(t.Context(), &out, w.reader(), export.Budget); err != nil {
			t.Fatal(err)
		}
		lines := bytes.SplitAfter(out.Bytes(), []byte("\n"))
		if len(lines) != len(w.rows)+1 {
			t.Fatalf("%d lines for %d rows", len(lines)-1, len(w.rows))
		}
		for i, want := range w.rows {
			sameJSON(t, lines[i], expected.json[i], header, want)
		}

		out.Reset()
		if err := export.WriteParquet(t.Context(), &out, w.reader(), export.Budget); err != nil {
			t.Fatal(err)
		}
		w.sameParquet(t, out.Bytes())

		for range 4 {
			offset, limit := rapid.Int64Range(0, w.result.Rows+5).Draw(t, "offset"),
				rapid.IntRange(1, 500).Draw(t, "limit")
			page, err := export.AppendPage(t.Context(), nil, w.reader(), offset, limit)
			if err != nil {
				t.Fatal(err)
			}
			var p struct {
				Results    []json.RawMessage
				TotalCount int64 `json:"total_count"`
				Offset     int64
				Limit      int
			}
			if err := json.Unmarshal(page, &p); err != nil {
				t.Fatalf("%v in %s", err, page)
			}
			want := w.rows[min(offset, w.result.Rows):min(offset+int64(limit), w.result.Rows)]
			if p.TotalCount != w.result.Rows || p.Offset != offset || p.Limit != limit || len(p.Results) != len(want) {
				t.Fatalf("a page of %d at %d has %d rows of %d, want %d of %d", limit, offset, len(p.Results),
					p.TotalCount, len(want), w.result.Rows)
			}
			for i := range want {
				sameJSON(t, p.Results[i], expected.json[int(offset)+i], header, want[i])
			}
		}
	})
}

func TestAnExportOfTooManyColumnsIsRefusedBeforeItBegins(t *testing.T) {
	w := &world{files: files{}}
	for i := range 200_000 {
		w.result.Columns.Own = append(w.result.Columns.Own, numbers(fmt.Sprint("column ", i))...)
	}
	for form, write := range map[string]func(io.Writer) error{
		"CSV":     func(o io.Writer) error { return export.WriteCSV(t.Context(), o, w.reader(), 64<<20) },
		"NDJSON":  func(o io.Writer) error { return export.WriteNDJSON(t.Context(), o, w.reader(), 64<<20) },
		"Parquet": func(o io.Writer) error { return export.WriteParquet(t.Context(), o, w.reader(), 64<<20) },
	} {
		var out bytes.Buffer
		if err := write(&out); !fault.Is(err, fault.Unprocessable) || !strings.Contains(err.Error(), export.TooLarge) ||
			out.Len() > 0 {
			t.Errorf("%s: %v behind %d bytes", form, err, out.Len())
		}
	}
}

func TestAMotionTableThatIsGoneIsAnError(t *testing.T) {
	w := &world{files: files{}, result: export.Result{Rows: 5},
		parts: []export.Part{{Source: &export.Source{SessionID: "a", Table: "gone"}, Rows: 5}}}
	if err := export.WriteCSV(t.Context(), io.Discard, w.reader(), export.Budget); err == nil {
		t.Error("CSV was written of nothing")
	}
	if err := export.WriteParquet(t.Context(), io.Discard, w.reader(), export.Budget); err == nil {
		t.Error("Parquet was written of nothing")
	}
}
