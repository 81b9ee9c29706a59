package export_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion/table"
)

// sameInAnyLocale says that a file with a decimal comma has the same texts and numbers,
// for others and for Kinebase's own reader of tables.
func sameInAnyLocale(t *rapid.T, point []byte, texts int) {
	comma := slices.Clone(point)
	frames.NewRespeller(texts).Change(comma)
	want, err := csv.NewReader(bytes.NewReader(point)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	r := csv.NewReader(bytes.NewReader(comma))
	r.Comma = ';'
	got, err := r.ReadAll()
	if err != nil || len(got) != len(want) {
		t.Fatalf("%d lines, want %d: %v", len(got), len(want), err)
	}
	for row := range want {
		for i, cell := range want[row] {
			if row > 0 && i >= texts {
				cell = strings.ReplaceAll(cell, ".", ",")
			}
			if got[row][i] != cell {
				t.Fatalf("line %d has %q, want %q", row, got[row], want[row])
			}
		}
	}
	read, failed := table.Read(bytes.NewReader(point), int64(len(point)))
	again, refused := table.Read(bytes.NewReader(comma), int64(len(comma)))
	if (failed == nil) != (refused == nil) || failed == nil && fmt.Sprintf("%+v", read) != fmt.Sprintf("%+v", again) {
		t.Fatalf("with a decimal comma it is read as\n%+v, %v, with a point as\n%+v, %v; of\n%s", again, refused, read, failed, comma)
	}
}
