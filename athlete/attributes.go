package athlete

import (
	"maps"

	"github.com/kinebase/kinebase/payload"
)

// mostNamed is how many attributes one body may name: all that an athlete can
// have, deleted, and as many new ones.
const mostNamed = 2 * maxAttributes

// readAttributes reads custom_attributes. On create and import they are the
// athlete's attributes; on update they are merged into the ones there are, and
// "" or the number 0 deletes a key, also one that is not there, for a retry must
// not fail.
func readAttributes(r *reader, name string, v payload.Value) {
	if v.Kind() != payload.KindObject {
		r.problems.Add(name, "%s must be an object of strings, not %s", name, v.Kind().Article())
		return
	}
	members := v.Object().Members()
	if len(members) > mostNamed {
		r.tooManyAttributes()
		return
	}
	set := map[string]string{}
	for _, m := range members {
		field := name + "." + m.Name
		if rule := keyRule(m.Name); rule != "" {
			r.problems.Add(field, "%s: the key %s %s", name, payload.Quote(m.Name), rule)
			continue
		}
		value, rule := r.attribute(m.Value)
		if rule != "" {
			r.problems.Add(field, "%s: the value of %s %s", name, m.Name, rule)
			continue
		}
		set[m.Name] = value
	}
	r.edit(func(a *Athlete) {
		merged := maps.Clone(a.CustomAttributes)
		for k, value := range set {
			if value == "" {
				delete(merged, k)
				continue
			}
			if merged == nil {
				merged = map[string]string{}
			}
			merged[k] = value
		}
		a.CustomAttributes = merged
	})
}

// attribute reads the value of an attribute; "" is none.
func (r *reader) attribute(v payload.Value) (value, rule string) {
	switch v.Kind() {
	case payload.KindString:
		return clean(v.String(), maxValue, true)
	case payload.KindNumber:
		if r.updating {
			if n, ok := v.Int(); ok && n == 0 {
				return "", ""
			}
			return "", "must be a string (or 0, which deletes it), not another number"
		}
	case payload.KindNull:
		if r.updating {
			return "", `must be a string, not null ("" deletes it)`
		}
	}
	return "", "must be a string, not " + v.Kind().Article()
}

func (r *reader) tooManyAttributes() {
	r.problems.Add("custom_attributes", "custom_attributes must hold at most %d attributes", maxAttributes)
}
