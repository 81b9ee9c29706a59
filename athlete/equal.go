package athlete

import "github.com/kinebase/kinebase/field"

// Equal says whether two athletes hold the same, whatever their Version.
func Equal(a, b Athlete) bool { return field.Same(Fields, &a, &b) }
