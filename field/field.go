// Package field says of a stored thing, once, which fields it has: what each is called, and where a value
// keeps it. Everything that is done to every field (JSON, columns of a table, the identity of a line of an
// import, comparing) is a walk along one table of them, so that a field that is added there is forgotten
// nowhere.
package field

import (
	"maps"
	"slices"
	"time"
)

// Field is one field of T. Exactly one of the functions is set: it gives the place in a value, and its type says
// what lies there.
type Field[T any] struct {
	Name   string                      // on the wire, in imports and of the column
	Text   func(*T) *string            // "" is unset
	Label  func(*T) **string           // nil is unset; "" is a text
	Number func(*T) *int               // 0 is unset
	Real   func(*T) **float64          // nil is unset
	Day    func(*T) **time.Time        // midnight UTC; nil is unset
	Moment func(*T) **time.Time        // nil is unset
	Time   func(*T) *time.Time         // the zero time is unset
	List   func(*T) *[]string          // empty is unset
	Map    func(*T) *map[string]string // empty is unset
}

// Equal says whether two values hold the same in this field.
func (f *Field[T]) Equal(a, b *T) bool {
	switch {
	case f.Text != nil:
		return *f.Text(a) == *f.Text(b)
	case f.Label != nil:
		return same(*f.Label(a), *f.Label(b))
	case f.Number != nil:
		return *f.Number(a) == *f.Number(b)
	case f.Real != nil:
		return same(*f.Real(a), *f.Real(b))
	case f.Day != nil:
		return sameTime(*f.Day(a), *f.Day(b))
	case f.Moment != nil:
		return sameTime(*f.Moment(a), *f.Moment(b))
	case f.Time != nil:
		return f.Time(a).Equal(*f.Time(b))
	case f.List != nil:
		return slices.Equal(*f.List(a), *f.List(b))
	case f.Map != nil:
		return maps.Equal(*f.Map(a), *f.Map(b))
	}
	panic("field: " + f.Name + " has no place")
}

// Same says whether two values hold the same in all these fields.
func Same[T any](fields []Field[T], a, b *T) bool {
	for i := range fields {
		if !fields[i].Equal(a, b) {
			return false
		}
	}
	return true
}

// Of gives the fields of a table whose rows say more of them.
func Of[T, R any](rows []R, of func(*R) Field[T]) []Field[T] {
	fields := make([]Field[T], len(rows))
	for i := range rows {
		fields[i] = of(&rows[i])
	}
	return fields
}

// Index finds the rows of a table by their names.
func Index[R any](rows []R, name func(*R) string) map[string]*R {
	index := make(map[string]*R, len(rows))
	for i := range rows {
		index[name(&rows[i])] = &rows[i]
	}
	return index
}

func same[V comparable](a, b *V) bool { return a == b || a != nil && b != nil && *a == *b }

func sameTime(a, b *time.Time) bool { return a == b || a != nil && b != nil && a.Equal(*b) }
