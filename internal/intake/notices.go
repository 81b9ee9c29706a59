package intake

import (
	"fmt"
	"maps"
	"slices"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/movement"
)

// notices tells what of the labels of a row was hardly meant as it stands, with those that hold for all
// files where the row says nothing. The interface takes all of it, and so does an import.
func (r *row) notices(defaults capture.Capture) (all []Notice) {
	if r.wrong {
		return nil
	}
	c := relabel(defaults, r.labels)
	activity, name := folded(c.Activity), folded(c.Movement)
	if field, text := misspelt(activity, name); text != "" && (r.labels.Activity != nil || r.labels.Movement != nil) {
		return []Notice{{Field: field, Text: text}} // what dimensions it has is not known
	}
	known := movement.Read().Find(activity, name)
	for _, dimension := range slices.Sorted(maps.Keys(r.labels.Dimensions)) {
		switch {
		case activity == "" || name == "":
			all = append(all, Notice{Field: dimension,
				Text: fmt.Sprintf("%s is kept and not shown: which dimensions a capture has is told by its activity "+
					"and movement, and the row does not give both", dimension)})
		case known != nil && !slices.Contains(capture.Dimensions(activity, name), dimension):
			text := fmt.Sprintf("%s is kept and not shown, for %s/%s has no such dimension", dimension, activity, name)
			if has := capture.Dimensions(activity, name); len(has) > 0 {
				text = fmt.Sprintf("%s; it has %s", text, fault.Listed(has))
			}
			all = append(all, Notice{Field: dimension, Text: text})
		}
	}
	return all
}

// folded is a label as it is compared; "" where there is none.
func folded(label *string) string {
	if label == nil {
		return ""
	}
	return capture.Fold(*label)
}

// misspelt says which label is likely misspelt and how it is likely spelt; "" where none is.
func misspelt(activity, name string) (field, text string) {
	l := movement.Read()
	const taken = "; it was taken as it stands, and nothing is measured of it"
	if activity == "" || name == "" {
		var activities, names []string
		for _, m := range l.Movements {
			activities, names = append(activities, m.Activity), append(names, m.Movement)
		}
		if likely := movement.Nearest(activity, activities); activity != "" && likely != "" {
			return "activity", fmt.Sprintf("the library of movements has no activity %s; %s is likely meant%s",
				activity, likely, taken)
		}
		if likely := movement.Nearest(name, names); name != "" && likely != "" {
			return "movement", fmt.Sprintf("the library of movements has no movement %s; %s is likely meant%s", name,
				likely, taken)
		}
		return "", ""
	}
	likely, ok := l.Likely(activity, name)
	if !ok {
		return "", ""
	}
	if field = "movement"; likely.Activity != activity {
		field = "activity"
	}
	return field, fmt.Sprintf("the library of movements has no %s/%s; %s/%s is likely meant%s", activity, name,
		likely.Activity, likely.Movement, taken)
}
