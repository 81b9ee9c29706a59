package frames

import (
	"errors"
	"fmt"

	"github.com/kinebase/kinebase/frames/parquetfile"
)

// Checksums says whether the table was written with checksums; the first ones were not.
func (t *Table) Checksums() bool { return t.sums.Kept() }

// Verify reads all of a table: what does not fit its checksums, or of a table without any cannot be decoded,
// is Damaged.
func (t *Table) Verify() (err error) {
	defer damaged(&err)
	head := make([]byte, 4)
	if n, err := t.r.ReadAt(head, 0); n < len(head) {
		return fmt.Errorf("reading the motion table: %w", err)
	}
	if string(head) != "PAR1" { // which only other readers look at
		return &Damaged{errors.New("it does not begin as a Parquet file")}
	}
	if !t.Checksums() {
		scan, err := t.Scan(t.Columns())
		for g := 0; err == nil && g < len(t.groups); g++ {
			err = scan.Read(g)
		}
		return err
	}
	all := make([]int, len(t.names))
	for i := range all {
		all[i] = i
	}
	scan := t.scan(all)
	for g := range t.groups {
		if err := scan.pages(g, func(int, parquetfile.Window) error { return nil }); err != nil {
			return err
		}
	}
	return nil
}
