package table

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/motion/quality"
)

// widen names the cells that rows have beyond the names. That is only done where the
// first name is that of a time or a number of frames, and so stands where it should:
// else all names may stand above the wrong columns.
func (s *source) widen(l *layout) error {
	more := l.width - len(l.names)
	if more <= 0 {
		return nil
	}
	rows := s.rows(l.first)
	for _, h := range rows {
		if len(h.shape.kinds) > len(l.names) && len(h.shape.kinds) < l.width {
			more = -1
		}
	}
	l.more = max(0, more)
	if s.sep == ',' && !pointed(rows) && wholly(rows) {
		return &quality.Unreadable{
			Reason: fmt.Sprintf("Commas set the cells apart and may be decimal signs as well: no number has a point, "+
				"and the rows have up to %d cells below %d names, so it cannot be told which number belongs to "+
				"which name",
				l.width, len(l.names)),
			Line: l.line, Hint: "Save the table with semicolons between the cells, or with decimal points.",
		}
	}
	if more < 0 || more > 0 && s.sep == ',' && !pointed(rows) || !isLeadName(l.names[0]) || counts(rows) &&
		!isFrame(strings.ToLower(l.names[0])) {
		return &quality.Unreadable{
			Reason: fmt.Sprintf("The rows have up to %d cells and the line above them %d names, so it cannot be told "+
				"which name is that of which column", l.width, len(l.names)),
			Line: l.line, Hint: "Give every column a name.",
		}
	}
	for len(l.names) < l.width {
		l.names, l.units = append(l.names, ""), append(l.units, "")
	}
	return nil
}

// pointed says whether any number of rows has a point: where commas set cells apart and
// none has, they may be decimal signs as well.
func pointed(rows []headLine) bool {
	return slices.ContainsFunc(rows, func(h headLine) bool { return bytes.IndexByte(h.text, '.') >= 0 })
}

// wholly says whether rows have nothing but whole numbers and empty cells, as the parts of decimal
// numbers are.
func wholly(rows []headLine) bool {
	return !slices.ContainsFunc(rows, func(h headLine) bool {
		return h.shape.count[numeral]+h.shape.count[empty] != len(h.shape.kinds) ||
			slices.ContainsFunc(h.cells, func(c []byte) bool { return bytes.ContainsAny(c, ",") })
	})
}
