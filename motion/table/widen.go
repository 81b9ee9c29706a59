package table

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/units"
)

// widen names the cells that rows have beyond the names. That is only done where the
// first name is that of a time or a number of frames, and so stands where it should:
// else all names may stand above the wrong columns.
func (s *source) widen(l *layout) error {
	more := l.width - len(l.names)
	rows := s.rows(l.first)
	if s.sep == ',' && partedClock(rows) {
		return &quality.Unreadable{
			Reason: "Commas set the cells apart and may stand before the milliseconds of the times of day as well, " +
				"as in 12:00:00,010, so it cannot be told which name is that of which column",
			Line: l.line, Hint: "Write the times with points (12:00:00.010), or in quotation marks.",
		}
	}
	if more <= 0 {
		return nil
	}
	if more == 1 && numbersRows(rows) {
		return &quality.Unreadable{
			Reason: "The rows have one cell more than there are names and begin with whole numbers that rise beside " +
				"others that rise, so they may be numbered without a name, as R writes them, and it cannot be told " +
				"which name is that of which column",
			Line: l.line, Hint: "Give every column a name.",
		}
	}
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

// byAccident says why a table may have decimal commas between commas even though its rows have as many
// cells as names: no number has a point, and whole numbers stand beside each other of which the second
// begins with a 0, as decimals do (12,05), or a unit stands as a name below every second of them, as
// where names have commas too (Time, s,Force, N).
func (s *source) byAccident(l *layout) error {
	rows := s.rows(l.first)
	if s.sep != ',' || pointed(rows) || !wholly(rows) || len(l.names) < 2 {
		return nil
	}
	pairs := len(l.names) >= 4 && len(l.names)%2 == 0
	for c := 1; c < len(l.names); c += 2 {
		pairs = pairs && units.Known(l.names[c]) && !units.Known(l.names[c-1]) && areDigits(rows, c)
	}
	for c := 1; c < len(l.names) && !pairs; c++ {
		pairs = padded(rows, c) && areDigits(rows, c) && !isPadded(l.names[c])
	}
	if !pairs {
		return nil
	}
	return &quality.Unreadable{
		Reason: "Commas set the cells apart and may be decimal signs as well: no number has a point, and whole " +
			"numbers stand beside each other as decimals would, so it cannot be told which number belongs to which " +
			"name",
		Line: l.line, Hint: "Save the table with semicolons between the cells, or with decimal points.",
	}
}

// areDigits says whether the cells of a column are digits alone, as those behind a decimal sign are.
func areDigits(rows []headLine, column int) bool {
	return !slices.ContainsFunc(rows, func(h headLine) bool {
		return len(bytes.Trim(cell(h.cells, column), "0123456789")) > 0
	})
}

// padded says whether a cell of a column begins with a 0 in front of other digits.
func padded(rows []headLine, column int) bool {
	return slices.ContainsFunc(rows, func(h headLine) bool {
		c := cell(h.cells, column)
		return len(c) > 1 && c[0] == '0'
	})
}

// isPadded says whether a column of this name has whole numbers that programs fill up with zeros: those of
// dates, of times of day and of numbers of identification.
func isPadded(name string) bool {
	return slices.ContainsFunc(wordsOf(name), func(w string) bool {
		return slices.Contains([]string{"year", "month", "day", "hour", "hours", "minute", "minutes", "min", "second",
			"seconds", "sec", "millisecond", "milliseconds", "ms", "date", "time", "timestamp", "id", "no", "nr",
			"number", "code", "frame", "trial", "take", "session", "index", "subject", "athlete", "hex", "status",
			"jahr", "monat", "tag", "stunde", "sekunde"}, w)
	})
}

// partedClock says whether a column of times of day in whole seconds stands before one of three digits each, some of
// which begin with a 0: the milliseconds of these times behind a decimal comma, as in logs of Python.
func partedClock(rows []headLine) bool {
	for c := range rows[0].shape.kinds {
		parted, padded := len(rows) > 1, false
		for _, h := range rows {
			clock, behind := cell(h.cells, c), cell(h.cells, c+1)
			parted = parted && kindOf(clock) == clocked && bytes.Count(clock, []byte{':'}) >= 2 &&
				!bytes.ContainsAny(clock, ".,") && len(behind) == 3 && len(bytes.Trim(behind, "0123456789")) == 0
			padded = padded || len(behind) == 3 && behind[0] == '0'
		}
		if parted && padded {
			return true
		}
	}
	return false
}

// numbersRows says whether the first two cells of rows rise from row to row and the first are whole numbers.
func numbersRows(rows []headLine) bool {
	var n numerals
	var last [2]float64
	for i, h := range rows {
		for c := range last {
			v, ok := n.number(cell(h.cells, c), -1)
			if !ok || i > 0 && v <= last[c] || c == 0 && v != math.Trunc(v) {
				return false
			}
			last[c] = v
		}
	}
	return len(rows) > 1
}
