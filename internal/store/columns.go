package store

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kinebase/kinebase/field"
)

// tableColumn is a column of a table whose rows are values of T.
type tableColumn[T any] struct {
	name string
	key  bool // by which an update finds the row
	// into gives where Scan puts the column: a place in the value or, of what is kept in another form, in the cell,
	// from where settle takes it. nil: the column is written and never read back.
	into   func(*T, *cell) any
	settle func(*T, *cell) error
	value  func(*T) any // as it is written; nil: it is given with each statement
}

// cell holds a column as the database has it.
type cell struct {
	n    int64
	null *int64
	text string
	id   id
}

// table is a table of the database as far as its rows are values of T. It knows each column once: what is selected,
// scanned, inserted and updated follows from its columns.
type table[T any] struct {
	columns []tableColumn[T]
	cells   int    // how many columns have one
	list    string // the columns that are read, in their order
	insert  string // $1 and on: the given columns, then all others
	update  string // the same parameters
}

// newTable makes a table. The given columns are known of a row before it is read, and find it: the organization first.
func newTable[T any](name string, given []string, columns ...tableColumn[T]) *table[T] {
	t := &table[T]{columns: columns}
	all := slices.Clone(given)
	var list, numbers, set, where []string
	for _, c := range columns {
		all = append(all, c.name)
		if c.into != nil {
			list = append(list, c.name)
		}
		if c.settle != nil {
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
	t.list = strings.Join(list, ", ")
	t.insert = "INSERT INTO " + name + " (" + strings.Join(all, ", ") + ") VALUES (" + strings.Join(numbers, ", ") + ")"
	t.update = "UPDATE " + name + " SET " + strings.Join(set, ", ") + " WHERE " + strings.Join(where, " AND ")
	return t
}

// scan reads a row of t.list.
// more are the places of columns that follow them.
func (t *table[T]) scan(r rows, v *T, more ...any) error {
	places, cells := make([]any, 0, len(t.columns)), make([]cell, t.cells)
	n := 0
	for i := range t.columns {
		switch c := &t.columns[i]; {
		case c.into == nil:
		case c.settle == nil:
			places = append(places, c.into(v, nil))
		default:
			places = append(places, c.into(v, &cells[n]))
			n++
		}
	}
	if err := r.Scan(append(places, more...)...); err != nil {
		return err
	}
	n = 0
	for i := range t.columns {
		if c := &t.columns[i]; c.settle != nil {
			if err := c.settle(v, &cells[n]); err != nil {
				return err
			}
			n++
		}
	}
	return nil
}

// args are the parameters of t.insert and t.update.
func (t *table[T]) args(v *T, given ...any) []any {
	args := append(make([]any, 0, len(given)+len(t.columns)), given...)
	for i := range t.columns {
		if value := t.columns[i].value; value != nil {
			args = append(args, value(v))
		}
	}
	return args
}

// inserted makes the statement that keeps a new row, updated the one that writes over an old one.
func (t *table[T]) inserted(v *T, given ...any) statement {
	return exec(t.insert, t.args(v, given...)...)
}
func (t *table[T]) updated(v *T, given ...any) statement {
	return exec(t.update, t.args(v, given...)...)
}

// asIs is a column that is kept as it is in the value: V is a type of a statement's arguments.
func asIs[T, V any](name string, at func(*T) *V) tableColumn[T] {
	return tableColumn[T]{name: name, into: func(v *T, _ *cell) any { return at(v) }, value: func(v *T) any { return *at(v) }}
}

// keyed has the column find the row of an update.
func keyed[T any](c tableColumn[T]) tableColumn[T] {
	c.key = true
	return c
}

// written is a column that is made of the value and never read back.
func written[T any](name string, value func(*T) any) tableColumn[T] {
	return tableColumn[T]{name: name, value: value}
}

// beside is a column that is not made of the value: what is written is given behind the value's own arguments. Such
// columns come last.
func beside[T any](name string) tableColumn[T] { return tableColumn[T]{name: name} }

// uuid is a column of a lower-case UUID.
func uuid[T any](name string, at func(*T) *string) tableColumn[T] {
	return tableColumn[T]{name: name,
		into:   func(_ *T, c *cell) any { return &c.id },
		settle: func(v *T, c *cell) error { *at(v) = c.id.String(); return nil },
		value: func(v *T) any {
			key, _ := parseID(*at(v))
			return key
		}}
}

// asNumber is a column that a number stands for.
func asNumber[T, V any](name string, at func(*T) *V, from func(int64) V, to func(V) int64) tableColumn[T] {
	return tableColumn[T]{name: name,
		into:   func(_ *T, c *cell) any { return &c.n },
		settle: func(v *T, c *cell) error { *at(v) = from(c.n); return nil },
		value:  func(v *T) any { return to(*at(v)) }}
}

// moment is a column of a time.
func moment[T any](name string, at func(*T) *time.Time) tableColumn[T] {
	return asNumber(name, at, fromMicros, micros)
}

// flag is a column of 0 or 1.
func flag[T any](name string, at func(*T) *bool) tableColumn[T] {
	return asNumber(name, at, func(n int64) bool { return n != 0 }, func(b bool) int64 {
		if b {
			return 1
		}
		return 0
	})
}

// maybeMoment is a column of a time or of NULL.
func maybeMoment[T any](name string, at func(*T) **time.Time) tableColumn[T] {
	return tableColumn[T]{name: name,
		into:   func(_ *T, c *cell) any { return &c.null },
		settle: func(v *T, c *cell) error { *at(v) = timeOrNil(c.null); return nil },
		value:  func(v *T) any { return microsOrNil(*at(v)) }}
}

// encoded is a column of a list or a map of strings, as toJSON writes it.
func encoded[T any, V []string | map[string]string](name string, at func(*T) *V) tableColumn[T] {
	return tableColumn[T]{name: name,
		into:   func(_ *T, c *cell) any { return &c.text },
		settle: func(v *T, c *cell) error { return fromJSON(c.text, at(v)) },
		value:  func(v *T) any { return toJSON(*at(v)) }}
}

// fieldColumns are the columns of the fields of a noun, which are called as the fields are.
func fieldColumns[T any](fields []field.Field[T]) []tableColumn[T] {
	columns := make([]tableColumn[T], len(fields))
	for i, f := range fields {
		switch {
		case f.Text != nil:
			columns[i] = asIs(f.Name, f.Text)
		case f.Label != nil:
			columns[i] = asIs(f.Name, f.Label)
		case f.Number != nil:
			columns[i] = asIs(f.Name, f.Number)
		case f.Real != nil:
			columns[i] = asIs(f.Name, f.Real)
		case f.Day != nil:
			columns[i] = maybeMoment(f.Name, f.Day)
		case f.Moment != nil:
			columns[i] = maybeMoment(f.Name, f.Moment)
		case f.Time != nil:
			columns[i] = moment(f.Name, f.Time)
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
