package capture

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/organization"
)

// ColumnQuery asks for a page of the columns that recordings have.
type ColumnQuery struct {
	Activity string // folded; "" for any
	Movement string // folded; "" for any
	Kind     string // one of frames.ColumnKinds; "" for any
	Search   string // folded by athlete.Fold: part of the name; "" for all
	Limit    int    // 1..500
	Offset   int64
}

// Takes says whether captures of these labels, which are folded, are asked for.
func (q *ColumnQuery) Takes(activity, movement string) bool {
	return (q.Activity == "" || q.Activity == activity) && (q.Movement == "" || q.Movement == movement)
}

// Picks says whether the column is asked for.
func (q *ColumnQuery) Picks(c frames.Column) bool {
	return (q.Kind == "" || q.Kind == c.Kind) && (q.Search == "" || strings.Contains(athlete.Fold(c.Name), q.Search))
}

// ColumnUse is in how many completed captures of an activity and a movement the recording has a column.
type ColumnUse struct {
	Activity string // folded; "" for captures without one
	Movement string // the same
	frames.Column
	Captures int64
}

// Compare orders uses by activity, movement, name, kind and unit; what is "" comes last.
func (u ColumnUse) Compare(o ColumnUse) int {
	label := func(a, b string) int {
		if (a == "") != (b == "") {
			return cmp.Compare(b, a)
		}
		return cmp.Compare(a, b)
	}
	return cmp.Or(label(u.Activity, o.Activity), label(u.Movement, o.Movement), cmp.Compare(u.Name, o.Name),
		cmp.Compare(u.Kind, o.Kind), cmp.Compare(u.Unit, o.Unit))
}

// ColumnPage is a page of them, and how many there are in all.
type ColumnPage struct {
	Columns []ColumnUse
	Total   int64
}

// Page sorts all uses and gives the page that is asked for.
func (q *ColumnQuery) Page(all []ColumnUse) ColumnPage {
	slices.SortFunc(all, ColumnUse.Compare)
	from := int(min(q.Offset, int64(len(all))))
	return ColumnPage{Columns: all[from:min(from+q.Limit, len(all))], Total: int64(len(all))}
}

// AppendJSON appends the page as the interface shows it.
func (p *ColumnPage) AppendJSON(b []byte, q ColumnQuery) []byte {
	b = append(b, `{"columns":[`...)
	label := func(name, s string) {
		if b = append(b, name...); s == "" {
			b = append(b, "null"...)
		} else {
			b = appendString(b, s)
		}
	}
	for i := range p.Columns {
		c := &p.Columns[i]
		if i > 0 {
			b = append(b, ',')
		}
		label(`{"activity":`, c.Activity)
		label(`,"movement":`, c.Movement)
		b = appendString(append(b, `,"name":`...), c.Name)
		b = appendString(append(b, `,"kind":`...), c.Kind)
		b = appendString(append(b, `,"unit":`...), c.Unit)
		b = strconv.AppendInt(append(b, `,"captures":`...), c.Captures, 10)
		b = append(b, '}')
	}
	b = strconv.AppendInt(append(b, `],"total_count":`...), p.Total, 10)
	b = strconv.AppendInt(append(b, `,"offset":`...), q.Offset, 10)
	b = strconv.AppendInt(append(b, `,"limit":`...), int64(q.Limit), 10)
	return append(organization.AppendNextOffset(b, q.Offset, int64(len(p.Columns)), p.Total), '}')
}
