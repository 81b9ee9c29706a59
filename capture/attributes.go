package capture

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/movement"
	"github.com/kinebase/kinebase/payload"
)

// ReadLabel reads activity or movement of a request; null is nil. field is what
// messages call it.
func ReadLabel(p *fault.Problems, field string, v payload.Value) *string {
	if v.Null() {
		return nil
	}
	label := importLabel(field)(p, v)
	if label != nil {
		*label = strings.TrimSpace(*label)
	}
	return label
}

// IsDimension says whether some pair of the table has a dimension of this name.
func IsDimension(name string) bool {
	_, ok := slices.BinarySearch(dimensionNames, name)
	return ok
}

// ReadDimension reads a dimension of a request: a text of 1..128 characters, or
// null for none, which is "".
func ReadDimension(p *fault.Problems, field string, v payload.Value) string {
	if v.Null() {
		return ""
	}
	if v.Kind() != payload.KindString {
		p.Add(field, "%s must be a string, not %s", field, v.Kind().Article())
		return ""
	}
	value := strings.TrimSpace(v.String())
	switch n := utf8.RuneCountInString(value); {
	case hasControl(v.String()):
		p.Add(field, "%s must not hold control characters", field)
	case n == 0:
		p.Add(field, "%s must not be blank", field)
	case n > MaxLabel:
		p.Add(field, "%s must be at most %d characters long", field, MaxLabel)
	default:
		return value
	}
	return ""
}

// SettleDimensions holds the dimensions against the lists of known values, which
// depend on the movement, and takes the listed spelling. prefix goes before the
// names of fields in messages.
func SettleDimensions(p *fault.Problems, prefix string, label *string, dimensions map[string]string) {
	folded := ""
	if label != nil {
		folded = Fold(*label)
	}
	for name, value := range dimensions {
		values := movement.Values(name, folded)
		if values == nil {
			continue
		}
		i := slices.IndexFunc(values, func(v string) bool { return Fold(v) == Fold(value) })
		if i < 0 {
			p.Add(prefix+name, "%s must be one of %s", prefix+name, strings.Join(values, ", "))
			continue
		}
		dimensions[name] = values[i]
	}
}
