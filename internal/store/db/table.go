package db

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kinebase/kinebase/field"
	"github.com/kinebase/kinebase/internal/store/db/stringjson"
	"github.com/kinebase/kinebase/organization"
)

// Column is a column of a table whose rows are values of T.
type Column[T any] struct {
	Name string
	key  bool // by which an update finds the row
	// Into gives where Scan puts the column: a place in the value or, of what is kept in another form, in the cell,
	// from where settle takes it. nil: the column is written and never read back.
	Into   func(*T, *Cell) any
	Settle func(*T, *Cell) error
	Value  func(*T) any // as it is written; nil: it is given with each statement
}

// Cell holds a column as the database has it.
type Cell struct {
	n    int64
	null *int64
	Text string
	id   ID
}

// Table is a table of the database as far as its rows are values of T. It knows each column once: what is selected,
// scanned, inserted and updated follows from its columns.
type Table[T any] struct {
	columns []Column[T]
	cells   int    // how many columns have one
	List    string // the columns that are read, in their order
	Insert  string // $1 and on: the given columns, then all others
	Update  string // the same parameters
}

// NewTable makes a table. The given columns are known of a row before it is read, and find it: the organization first.
func NewTable[T any](name string, given []string, columns ...Column[T]) *Table[T] {
	t := &Table[T]{columns: columns}
	all := slices.Clone(given)
	var list, numbers, set, where []string
	for _, c := range columns {
		all = append(all, c.Name)
		if c.Into != nil {
			list = append(list, c.Name)
		}
		if c.Settle != nil {
			t.cells++
		}
	}
	for i, c := range all {
		number := fmt.Sprintf("$%d", i+1)
		numbers = append(numbers, number)
		if term := c + " = " + number; i < len(given) || columns[i-len(given)].key {
			where = append(where, term)
		} else {
			set = append(set, term)
		}
	}
	t.List = strings.Join(list, ", ")
	t.Insert = "INSERT INTO " + name + " (" + strings.Join(all, ", ") + ") VALUES (" + strings.Join(numbers, ", ") + ")"
	t.Update = "UPDATE " + name + " SET " + strings.Join(set, ", ") + " WHERE " + strings.Join(where, " AND ")
	return t
}

// Scan reads a row of t.List.
// more are the places of columns that follow them.
func (t *Table[T]) Scan(r Rows, v *T, more ...any) error {
	places, cells := make([]any, 0, len(t.columns)), make([]Cell, t.cells)
	n := 0
	for i := range t.columns {
		switch c := &t.columns[i]; {
		case c.Into == nil:
		case c.Settle == nil:
			places = append(places, c.Into(v, nil))
		default:
			places = append(places, c.Into(v, &cells[n]))
			n++
		}
	}
	if err := r.Scan(append(places, more...)...); err != nil {
		return err
	}
	n = 0
	for i := range t.columns {
		if c := &t.columns[i]; c.Settle != nil {
			if err := c.Settle(v, &cells[n]); err != nil {
				return err
			}
			n++
		}
	}
	return nil
}

// Args are the parameters of t.Insert and t.Update.
func (t *Table[T]) Args(v *T, given ...any) []any {
	args := append(make([]any, 0, len(given)+len(t.columns)), given...)
	for i := range t.columns {
		if value := t.columns[i].Value; value != nil {
			args = append(args, value(v))
		}
	}
	return args
}

// Inserted makes the statement that keeps a new row.
func (t *Table[T]) Inserted(v *T, given ...any) Statement {
	return Exec(t.Insert, t.Args(v, given...)...)
}

// Updated makes the statement that writes over an old row.
func (t *Table[T]) Updated(v *T, given ...any) Statement {
	return Exec(t.Update, t.Args(v, given...)...)
}

// AsIs is a column that is kept as it is in the value: V is a type of a statement's arguments.
func AsIs[T, V any](name string, at func(*T) *V) Column[T] {
	return Column[T]{Name: name, Into: func(v *T, _ *Cell) any { return at(v) },
		Value: func(v *T) any { return *at(v) }}
}

// Keyed has the column find the row of an update.
func Keyed[T any](c Column[T]) Column[T] {
	c.key = true
	return c
}

// Written is a column that is made of the value and never read back.
func Written[T any](name string, value func(*T) any) Column[T] {
	return Column[T]{Name: name, Value: value}
}

// Beside is a column that is not made of the value: what is written is given behind the value's own arguments. Such
// columns come last.
func Beside[T any](name string) Column[T] { return Column[T]{Name: name} }

// UUID is a column of a lower-case UUID.
func UUID[T any](name string, at func(*T) *string) Column[T] {
	return Column[T]{Name: name,
		Into:   func(_ *T, c *Cell) any { return &c.id },
		Settle: func(v *T, c *Cell) error { *at(v) = c.id.String(); return nil },
		Value: func(v *T) any {
			key, _ := organization.ParseID(*at(v))
			return key
		}}
}

// AsNumber is a column that a number stands for.
func AsNumber[T, V any](name string, at func(*T) *V, from func(int64) V, to func(V) int64) Column[T] {
	return Column[T]{Name: name,
		Into:   func(_ *T, c *Cell) any { return &c.n },
		Settle: func(v *T, c *Cell) error { *at(v) = from(c.n); return nil },
		Value:  func(v *T) any { return to(*at(v)) }}
}

// Moment is a column of a time.
func Moment[T any](name string, at func(*T) *time.Time) Column[T] {
	return AsNumber(name, at, FromMicros, Micros)
}

// Flag is a column of 0 or 1.
func Flag[T any](name string, at func(*T) *bool) Column[T] {
	return AsNumber(name, at, func(n int64) bool { return n != 0 }, func(b bool) int64 {
		if b {
			return 1
		}
		return 0
	})
}

// MaybeMoment is a column of a time or of NULL.
func MaybeMoment[T any](name string, at func(*T) **time.Time) Column[T] {
	return Column[T]{Name: name,
		Into:   func(_ *T, c *Cell) any { return &c.null },
		Settle: func(v *T, c *Cell) error { *at(v) = TimeOrNil(c.null); return nil },
		Value:  func(v *T) any { return MicrosOrNil(*at(v)) }}
}

// encoded is a column of a list or a map of strings, as stringjson writes it.
func encoded[T any, V []string | map[string]string](name string, at func(*T) *V) Column[T] {
	return Column[T]{Name: name,
		Into:   func(_ *T, c *Cell) any { return &c.Text },
		Settle: func(v *T, c *Cell) error { return stringjson.Decode(c.Text, at(v)) },
		Value:  func(v *T) any { return stringjson.Encode(*at(v)) }}
}

// FieldColumns are the columns of the fields of a noun, which are called as the fields are.
func FieldColumns[T any](fields []field.Field[T]) []Column[T] {
	columns := make([]Column[T], len(fields))
	for i, f := range fields {
		switch {
		case f.Text != nil:
			columns[i] = AsIs(f.Name, f.Text)
		case f.Label != nil:
			columns[i] = AsIs(f.Name, f.Label)
		case f.Number != nil:
			columns[i] = AsIs(f.Name, f.Number)
		case f.Real != nil:
			columns[i] = AsIs(f.Name, f.Real)
		case f.Day != nil:
			columns[i] = MaybeMoment(f.Name, f.Day)
		case f.Moment != nil:
			columns[i] = MaybeMoment(f.Name, f.Moment)
		case f.Time != nil:
			columns[i] = Moment(f.Name, f.Time)
		case f.List != nil:
			columns[i] = encoded(f.Name, f.List)
		case f.Map != nil:
			columns[i] = encoded(f.Name, f.Map)
		default:
			panic("store: no column keeps " + f.Name)
		}
	}
	return columns
}
