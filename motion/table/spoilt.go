package table

// leadsTo says whether a line is a row in which nothing could be measured, such as
// "0.01,no signal,no signal": its first cell is a number or a time before that of the row below
// it. A line of names has none there, whatever words stand behind it.
func leadsTo(l, below *headLine) bool {
	if l.remark || len(l.shape.kinds) < 2 || len(l.shape.kinds) > len(below.shape.kinds) ||
		l.shape.kinds[0] != below.shape.kinds[0] {
		return false
	}
	first, ok := leadOf(l.cells[0], l.shape.kinds[0])
	next, known := leadOf(below.cells[0], below.shape.kinds[0])
	return ok && known && first < next
}

// leadOf is the number or the time of a first cell, to be compared with others of its kind.
func leadOf(cell []byte, k kind) (float64, bool) {
	switch k {
	case numeral:
		var n numerals
		return n.number(cell, -1)
	case clocked:
		at, ok := momentOf(cell)
		return at.seconds, ok
	}
	return 0, false
}
