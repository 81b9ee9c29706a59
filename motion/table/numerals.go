package table

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/text"
)

// numerals reads the numbers of a table, and gathers how the table writes them. A
// point or a comma with three digits behind it, as in 1,234, may be a decimal sign or
// stand between thousands; every other number tells which of the two its signs are.
type numerals struct {
	group      [2]bool // what the sign stands for in a number of its own: thousands, and not decimals
	sure       [2]bool // a number in which the sign can only be the decimal one was seen
	grouped    [2]bool // a number in which it can only stand between thousands was seen
	either     [2]int  // line of the first number in which it may be either
	spaced     bool    // cells are set apart by commas
	semicolons bool    // or by semicolons, as where the comma is the decimal sign
	line       int
	places     int // decimals of the number read last
	columns    []beside
	percents   map[int]bool // columns in which a sign of per cent stands behind every number
	bracketed  garbled      // numbers in parentheses, as spreadsheets write negative ones
	minus      int          // line of the first number with a minus sign
	beyond     text.Beyond  // numbers that are infinite
}

// beside is which numbers stand in one column.
type beside struct{ either, whole bool }

// The two signs.
const (
	point = 0
	comma = 1
)

// number reads a number in a column. What is infinite is none.
func (n *numerals) number(b []byte, column int) (float64, bool) {
	v, ok := n.parse(b, column)
	return v, ok && v-v == 0
}

// parse reads a number, which may be infinite. Digits with at most one sign among
// them are what nearly every cell holds, and are read without a copy.
func (n *numerals) parse(b []byte, column int) (float64, bool) {
	i, start := 0, 0
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		i, start = 1, 1
	}
	var digits uint64
	at, sign := -1, point
	for ; i < len(b); i++ {
		switch c := b[i]; {
		case c >= '0' && c <= '9':
			digits = 10*digits + uint64(c-'0')
		case (c == '.' || c == ',') && at < 0:
			if at = i; c == ',' {
				sign = comma
			}
		default:
			return n.other(b, column)
		}
	}
	count := len(b) - start
	if at >= 0 {
		count--
	}
	if count == 0 || count > 15 || sign == comma && at == len(b)-1 { // a division takes 15 digits exactly
		return n.other(b, column)
	}
	v := float64(digits)
	n.places = 0
	switch {
	case at < 0:
		n.whole(digits, column)
	case threeBehind(b[start:], at-start):
		if !n.open(sign, column) {
			n.places = 3
		}
	default:
		n.sure[sign] = true
		n.places = len(b) - 1 - at
	}
	v /= tens[n.places]
	if b[0] == '-' {
		n.negative()
		v = -v
	}
	return v, true
}

// negative notes a number with a minus sign.
func (n *numerals) negative() {
	if n.minus == 0 {
		n.minus = max(1, n.line)
	}
}

var tens = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// threeBehind says whether a number without its sign, with one point or comma at a
// place, may be read as thousands: 1.234, but not 0.234, 1234.567 or 1.23.
func threeBehind(b []byte, at int) bool {
	return at >= 1 && at <= 3 && len(b) == at+4 && b[0] != '0'
}

// open notes a number that may be read in two ways, and says whether its sign stands
// between thousands.
func (n *numerals) open(sign, column int) bool {
	if n.either[sign] == 0 {
		n.either[sign] = max(1, n.line)
	}
	if c := n.beside(column); c != nil {
		c.either = true
	}
	return n.group[sign]
}

// whole notes a number without decimals, but for 0, which is written so in any table.
func (n *numerals) whole(digits uint64, column int) {
	if digits != 0 {
		if c := n.beside(column); c != nil {
			c.whole = true
		}
	}
}

// besideMost bounds the columns that are looked at one by one.
const besideMost = 1 << 16

func (n *numerals) beside(column int) *beside {
	if column < 0 || column >= besideMost {
		return nil
	}
	for len(n.columns) <= column {
		n.columns = append(n.columns, beside{})
	}
	return &n.columns[column]
}

// other reads a number with an exponent, with commas, with thousands that are set
// apart, or with the typographic minus.
func (n *numerals) other(b []byte, column int) (float64, bool) {
	b = bytes.Trim(b, " \t\x00")
	if len(b) == 0 || len(b) > 400 {
		return 0, false
	}
	if b[0] == '(' && b[len(b)-1] == ')' {
		return n.inParentheses(b[1:len(b)-1], column)
	}
	if b[0] == '-' {
		n.negative()
	}
	if simple(b) { // with an exponent, or many digits
		n.sure[point] = n.sure[point] || bytes.IndexByte(b, '.') >= 0
		return n.float(b)
	}
	var plain [402]byte
	mantissa, exponent := ascii(plain[:0], b), []byte(nil)
	if mantissa == nil {
		return 0, false
	}
	if len(mantissa) > 0 && mantissa[0] == '-' { // the minus of typographers
		n.negative()
	}
	if at := bytes.IndexAny(mantissa, "eE"); at >= 0 {
		mantissa, exponent = mantissa[:at:at], mantissa[at:]
	}
	plainly, ok := n.decimals(mantissa, exponent != nil, column)
	if !ok {
		return 0, false
	}
	return n.float(append(plainly, exponent...))
}

// inParentheses reads a negative number as spreadsheets and accountants write it: (0.5).
func (n *numerals) inParentheses(b []byte, column int) (float64, bool) {
	b = bytes.Trim(b, " \t")
	if len(b) == 0 || b[0] < '0' || b[0] > '9' {
		return 0, false
	}
	v, ok := n.parse(b, column)
	if ok {
		n.bracketed.note(n.line)
	}
	return -v, ok
}

// simple says whether a text is digits, at most one point, an exponent and signs.
func simple(b []byte) bool {
	points, exponent := 0, 0
	for _, c := range b {
		switch {
		case c == '.':
			points++
		case c == 'e' || c == 'E':
			exponent++
		case (c < '0' || c > '9') && c != '-' && c != '+':
			return false
		}
	}
	return points <= 1 && (exponent == 1 || len(b) > 15)
}

// float reads a number as programs write it, which may be infinite.
func (n *numerals) float(b []byte) (float64, bool) {
	n.places = 0
	digits := b
	if at := bytes.IndexAny(b, "eE"); at >= 0 {
		exponent, _ := strconv.Atoi(string(b[at+1:])) // 0 beyond any exponent of a number
		digits, n.places = b[:at], -exponent
	}
	if at := bytes.IndexByte(digits, '.'); at >= 0 {
		n.places += len(digits) - at - 1
	}
	v, err := strconv.ParseFloat(string(b), 64)
	if err != nil {
		return v, math.IsInf(v, 0)
	}
	return v, true
}

// ascii copies a number: the minus of typographers becomes that of programs, and
// whatever may stand between thousands but a point or a comma becomes a blank. nil
// where something is in it that no number has.
func ascii(to, b []byte) []byte {
	for len(b) > 0 {
		c, size := utf8.DecodeRune(b)
		switch {
		case c >= '0' && c <= '9' || c == '.' || c == ',' || c == '-' || c == '+' || c == 'e' || c == 'E':
			to = append(to, byte(c))
		case c == '−':
			to = append(to, '-')
		case c == ' ' || c == '\u00a0' || c == '\u202f' || c == '\u2009' || c == '\'' || c == '’' ||
			c == utf8.RuneError && b[0] == 0xa0:
			to = append(to, ' ')
		default:
			return nil
		}
		b = b[size:]
	}
	return bytes.Trim(to, " ")
}

// decimals takes what stands between thousands out of a number, and makes its decimal
// sign a point.
func (n *numerals) decimals(b []byte, exponent bool, column int) ([]byte, bool) {
	sign, digits := b[:0], b
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		sign, digits = b[:1:1], b[1:]
	}
	points, commas, blanks := bytes.Count(digits, []byte(".")), bytes.Count(digits, []byte(",")),
		bytes.Count(digits, []byte(" "))
	if bytes.ContainsAny(digits, "+-") || points+commas+blanks == len(digits) {
		return nil, false
	}
	decimal := -1 // where the decimal sign is
	switch {
	case points > 0 && commas > 0:
		decimal = max(bytes.LastIndexByte(digits, '.'), bytes.LastIndexByte(digits, ','))
		own := comma
		if digits[decimal] == '.' {
			own = point
		}
		if bytes.Count(digits, digits[decimal:decimal+1]) > 1 || blanks > 0 {
			return nil, false
		}
		if !thousands(digits[:decimal], [...]byte{',', '.'}[own]) {
			return nil, false
		}
		n.sure[own], n.grouped[1-own] = true, true
	case points+commas == 1:
		decimal = bytes.IndexAny(digits, ".,")
		own := point
		if commas > 0 {
			own = comma
		}
		switch {
		case own == comma && decimal == len(digits)-1:
			return nil, false
		case blanks > 0:
			if !thousands(digits[:decimal], ' ') {
				return nil, false
			}
			n.sure[own] = true
		case exponent || !threeBehind(digits, decimal):
			n.sure[own] = true
		case n.open(own, column):
			decimal = -1
		}
	case points+commas > 1:
		own := point
		if commas > 0 {
			own = comma
		}
		if blanks > 0 || !thousands(digits, ".,"[own]) {
			return nil, false
		}
		n.grouped[own] = true
	case blanks > 0:
		if !thousands(digits, ' ') {
			return nil, false
		}
	default:
		n.whole(1, column)
	}
	out := append(make([]byte, 0, len(b)), sign...)
	for i, c := range digits {
		switch {
		case i == decimal:
			out = append(out, '.')
		case c >= '0' && c <= '9':
			out = append(out, c)
		case decimal >= 0 && i > decimal:
			return nil, false
		}
	}
	return out, true
}

// thousands says whether digits are set apart in threes by a sign.
func thousands(digits []byte, sign byte) bool {
	parts := bytes.Split(digits, []byte{sign})
	for i, part := range parts {
		if i > 0 && len(part) != 3 || len(part) == 0 || len(part) > 3 ||
			bytes.IndexFunc(part, func(r rune) bool { return r < '0' || r > '9' }) >= 0 {
			return false
		}
	}
	return len(parts) > 1
}

// verdict says by all numbers that were read what the signs stand for, or why that
// cannot be told.
func (n *numerals) verdict() (group [2]bool, err error) {
	if n.bracketed.count > 0 && n.minus > 0 {
		return group, &quality.Unreadable{
			Reason: fmt.Sprintf("Numbers stand in parentheses, as spreadsheets write negative ones, and others have "+
				"a minus sign, the first in line %s, so it cannot be told what the parentheses mean",
				quality.Thousands(int64(n.minus))),
			Line: n.bracketed.at, Hint: "Save the table with plain numbers.",
		}
	}
	for sign := range group {
		group[sign] = n.grouped[sign] || n.sure[1-sign] && !n.sure[sign]
	}
	for sign, line := range n.either {
		switch {
		case line == 0:
		case n.sure[point] && n.sure[comma], n.grouped[sign] && n.sure[sign]:
			return group, n.undecided(sign, "the table has numbers of both kinds")
		case n.sure[point], n.sure[comma], n.grouped[sign]:
		case n.either[1-sign] != 0:
			return group, n.undecided(sign, "numbers with a point stand beside numbers with a comma")
		case n.mixed(), n.spaced && sign == comma, n.semicolons && sign == point:
			return group, n.undecided(sign, "no other number of the table tells")
		}
	}
	return group, nil
}

// assumed is the line of the first number whose comma was taken for the decimal sign though nothing in the table tells
// so; 0 where there is none.
func (n *numerals) assumed() int {
	if n.sure[point] || n.sure[comma] || n.grouped[comma] || n.semicolons {
		return 0
	}
	return n.either[comma]
}

// mixed says whether a column has numbers with three digits behind a sign, and others
// without one, as no program writes decimals.
func (n *numerals) mixed() bool {
	for _, c := range n.columns {
		if c.either && c.whole {
			return true
		}
	}
	return false
}

func (n *numerals) undecided(sign int, why string) error {
	name := [...]string{"point", "comma"}[sign]
	return &quality.Unreadable{
		Reason: "It cannot be told whether a " + name +
			" with three digits behind it is a decimal sign or stands between thousands: " + why,
		Line: n.either[sign], Hint: "Save the table without signs between thousands.",
	}
}

// value reads the number of a cell. What is infinite in 32 bits is missing, and so is
// what the file says is; ok is false where the cell holds something else.
func (n *numerals) value(cell []byte, column int) (v text.Figure, ok bool) {
	if n.percents[column] {
		cell = bytes.TrimRight(cell, "% ")
	}
	f, ok := n.parse(cell, column)
	if near := single(f, cell); ok && !text.Endless(near) {
		v = text.Figure{Value: f, Near: near}
		if float64(near) != f {
			v.Step = math.Pow10(-n.places)
		}
		return v, true
	}
	v = text.FigureOf(math.NaN())
	v.Beyond = ok || text.IsInfinite(cell)
	n.beyond.Note(v, n.line)
	return v, v.Beyond || len(bytes.TrimSpace(cell)) == 0 || isMissing(cell)
}

// single is a number in 32 bits: the one nearest to what the cell says, and not to
// its number in 64 bits, which may lie on the other side of the middle between two.
func single(v float64, cell []byte) float32 {
	if math.Float64bits(v)&(1<<29-1) == 1<<28 {
		// where it is no decimal comma, another number comes out
		decimal := bytes.ReplaceAll(bytes.TrimSpace(cell), []byte(","), []byte("."))
		if f, err := strconv.ParseFloat(string(decimal), 32); err == nil && math.Abs(f-v) <= math.Abs(v)*1e-6 {
			return float32(f)
		}
	}
	return float32(v)
}
