package payload

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Kind is the kind of a value.
type Kind byte

// The kinds of values.
const (
	KindNull Kind = iota
	KindBool
	KindNumber
	KindString
	KindArray
	KindObject
)

// String names the kind as messages do: "null", "boolean", "number", "string",
// "array", "object".
func (k Kind) String() string {
	return [...]string{"null", "boolean", "number", "string", "array", "object"}[k]
}

// Article names the kind with its article: "a number", "an array", "null".
func (k Kind) Article() string {
	switch k {
	case KindNull:
		return "null"
	case KindArray, KindObject:
		return "an " + k.String()
	}
	return "a " + k.String()
}

func kindOf(k jsontext.Kind) Kind {
	switch k {
	case jsontext.KindTrue, jsontext.KindFalse:
		return KindBool
	case jsontext.KindNumber:
		return KindNumber
	case jsontext.KindString:
		return KindString
	case jsontext.KindBeginArray:
		return KindArray
	case jsontext.KindBeginObject:
		return KindObject
	}
	return KindNull
}

// Value is one JSON value. The zero value is null. An accessor of another kind
// than the value's gives the zero value of its result.
type Value struct {
	kind Kind
	flag bool
	text string // of a string its characters, of a number its literal
	raw  []byte // of an array or object its text, already judged
}

// Kind says what the value is.
func (v Value) Kind() Kind { return v.kind }

// Null says whether the value is null.
func (v Value) Null() bool { return v.kind == KindNull }

// Bool gives a boolean.
func (v Value) Bool() bool { return v.flag }

// String gives the characters of a string, unescaped.
func (v Value) String() string {
	if v.kind != KindString {
		return ""
	}
	return v.text
}

// Number gives the literal of a number as it was sent: 7e1 stays "7e1".
func (v Value) Number() string {
	if v.kind != KindNumber {
		return ""
	}
	return v.text
}

// Float gives a number as the nearest float64; false when the value is not a
// number or beyond the range of float64.
func (v Value) Float() (float64, bool) {
	if v.kind != KindNumber {
		return 0, false
	}
	f, err := strconv.ParseFloat(v.text, 64)
	return f, err == nil
}

// Int gives a number whose value is integral, however it is spelled: 70, 70.0,
// 7e1 and -0 are integers (JSON Schema 2020-12, section 6.1.1). It is false when
// the value is not a number, has a fraction, or does not fit.
func (v Value) Int() (int64, bool) {
	if v.kind != KindNumber {
		return 0, false
	}
	mantissa, exp, _ := strings.Cut(strings.ToLower(v.text), "e")
	mantissa, negative := strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	significant := strings.TrimRight(digits, "0")
	if significant == "" {
		return 0, true
	}
	// The value is significant × 10^scale, and significant does not end in zero:
	// it is integral exactly when the scale is not negative.
	scale := len(digits) - len(significant) - len(fraction)
	if exp != "" {
		n, err := strconv.Atoi(exp)
		if err != nil || n > 1<<30 || n < -1<<30 { // an exponent beyond any body's digits
			return 0, false
		}
		scale += n
	}
	const maxDigits = 19 // of an int64
	if scale < 0 || len(significant)+scale > maxDigits {
		return 0, false
	}
	text := significant + strings.Repeat("0", scale)
	if negative {
		text = "-" + text
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}

// Object gives an object with its members in their order.
func (v Value) Object() Object {
	if v.kind != KindObject {
		return Object{}
	}
	s := scanners.Get().(*scanner)
	defer s.release()
	s.open(v.raw)
	members, err := s.members()
	if err != nil { // Parse has read the same bytes without an error
		panic(err)
	}
	return Object{members}
}

// Elements gives the elements of an array.
func (v Value) Elements() []Value {
	if v.kind != KindArray {
		return nil
	}
	s := scanners.Get().(*scanner)
	defer s.release()
	s.open(v.raw)
	values, err := s.elements()
	if err != nil { // as in Object
		panic(err)
	}
	return values
}

// AppendJSON appends the value as JSON again: objects and arrays as they were
// sent, white space included.
func AppendJSON(b []byte, v Value) []byte {
	switch v.kind {
	case KindBool:
		return strconv.AppendBool(b, v.flag)
	case KindNumber:
		return append(b, v.text...)
	case KindString:
		quoted, err := jsontext.AppendQuote(b, v.text)
		if err != nil { // Parse takes no text that is not UTF-8
			panic(err)
		}
		return quoted
	case KindArray, KindObject:
		return append(b, v.raw...)
	}
	return append(b, "null"...)
}

// Quote shows a caller's own text in a message: quoted, without control
// characters, and not longer than is needed to recognize it.
func Quote(s string) string {
	const most = 64
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most]) + "…"
	}
	return strconv.Quote(s)
}
