package organization

import "strconv"

// AppendNextOffset appends where the page behind a page of a list begins, as a
// member of the answer's object: null when no row is left. The page begins at
// offset and has so many rows of all there are.
func AppendNextOffset(b []byte, offset, rows, all int64) []byte {
	b = append(b, `,"next_offset":`...)
	if rows == 0 || rows >= all-offset {
		return append(b, "null"...)
	}
	return strconv.AppendInt(b, offset+rows, 10)
}
