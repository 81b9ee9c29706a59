package athlete

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/payload"
)

// midnight follows the day of birth in answers.
const midnight = "T00:00:00.000Z"

// AppendRead appends the read shape (interface, section 2.2) as reading one
// athlete answers it: {"athlete":{…}}.
func AppendRead(b []byte, a Athlete) []byte {
	return append(appendFields(append(b, `{"athlete":`...), &a, false), '}')
}

// AppendWritten appends the ten fields with which creating and updating answer:
// {"athlete":{…}}.
func AppendWritten(b []byte, a Athlete) []byte {
	return append(appendFields(append(b, `{"athlete":`...), &a, true), '}')
}

// AppendJSON appends the bare read shape. Every field is there, always: unset
// strings, numbers and dates are null, positions is [], custom_attributes is {}.
func AppendJSON(b []byte, a Athlete) []byte { return appendFields(b, &a, false) }

// keys are the names of rows as they stand in JSON, each with the comma before it and the colon after it.
var keys = func() (list []string) {
	for _, r := range rows {
		list = append(list, `,"`+r.Name+`":`)
	}
	return list
}()

func appendFields(b []byte, a *Athlete, brief bool) []byte {
	start := len(b)
	for i := range rows {
		if f := &rows[i]; !brief || f.brief {
			b = appendField(append(b, keys[i]...), f, a)
		}
	}
	b[start] = '{'
	return append(b, '}')
}

func appendField(b []byte, f *row, a *Athlete) []byte {
	switch {
	case f.Text != nil:
		return appendText(b, *f.Text(a))
	case f.Number != nil:
		return appendNumber(b, *f.Number(a))
	case f.Day != nil:
		return appendDay(b, *f.Day(a))
	case f.Time != nil:
		return payload.AppendTime(b, f.Time(a))
	case f.List != nil:
		return appendList(b, *f.List(a))
	case f.Map != nil:
		return appendMap(b, *f.Map(a))
	}
	panic("athlete: nothing writes " + f.Name)
}

// AppendPage appends the answer of a list: {"athletes":[…],"total_count":…,
// "offset":…,"limit":…,"next_offset":…}, each athlete in the read shape.
func AppendPage(b []byte, p Page, q Query) []byte {
	b = append(b, `{"athletes":[`...)
	for i := range p.Athletes {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendFields(b, &p.Athletes[i], false)
	}
	b = strconv.AppendInt(append(b, `],"total_count":`...), p.TotalCount, 10)
	b = strconv.AppendInt(append(b, `,"offset":`...), q.Offset, 10)
	b = strconv.AppendInt(append(b, `,"limit":`...), int64(q.Limit), 10)
	return append(organization.AppendNextOffset(b, q.Offset, int64(len(p.Athletes)), p.TotalCount), '}')
}

// AppendLinked appends the answer about the athletes of a capture:
// {"athletes":[{"id":…,"first_name":…,"last_name":…},…]}.
func AppendLinked(b []byte, linked []Linked) []byte {
	b = append(b, `{"athletes":[`...)
	for i, a := range linked {
		if i > 0 {
			b = append(b, ',')
		}
		b = payload.AppendString(append(b, `{"id":`...), a.ID)
		b = payload.AppendString(append(b, `,"first_name":`...), a.FirstName)
		b = append(appendText(append(b, `,"last_name":`...), a.LastName), '}')
	}
	return append(b, "]}"...)
}

// Tag is the athlete's entity tag, without quotes: another one after every
// change, the same in every answer about this version. It covers what can be
// read as well as the version, because an athlete that was deleted and imported
// again begins at version 1 again.
func (a Athlete) Tag() string {
	h := xxhash.Sum64(strconv.AppendInt(AppendJSON(make([]byte, 0, 1024), a), a.Version, 10))
	return strconv.FormatInt(a.Version, 36) + "-" + strconv.FormatUint(h, 36)
}

func appendDay(b []byte, t *time.Time) []byte {
	if t == nil {
		return append(b, "null"...)
	}
	b = t.UTC().AppendFormat(append(b, '"'), time.DateOnly)
	return append(append(b, midnight...), '"')
}

func appendList(b []byte, list []string) []byte {
	b = append(b, '[')
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = payload.AppendString(b, s)
	}
	return append(b, ']')
}

func appendMap(b []byte, m map[string]string) []byte {
	b = append(b, '{')
	if len(m) > 0 { // spares the sort's allocation for most
		for i, k := range slices.Sorted(maps.Keys(m)) {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(payload.AppendString(b, k), ':')
			b = payload.AppendString(b, m[k])
		}
	}
	return append(b, '}')
}

func appendNumber(b []byte, n int) []byte {
	if n == 0 {
		return append(b, "null"...)
	}
	return strconv.AppendInt(b, int64(n), 10)
}

func appendText(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return payload.AppendString(b, s)
}
