package athlete

import (
	"slices"
	"strings"
	"time"

	"github.com/kinebase/kinebase/payload"
)

// The bounds of an athlete's fields; of texts in code points.
const (
	maxName       = 255
	maxEmail      = 254 // what a mail address can have (RFC 5321, section 4.5.3.1.3)
	maxPhone      = 32
	maxKey        = 64
	maxValue      = 1024
	maxAttributes = 100
	maxHeight     = 120  // inches
	maxWeight     = 1500 // pounds
)

// The allowed values of the enums.
var (
	genders    = []string{"male", "female", "other"}
	sides      = []string{"left", "right", "both"}
	activities = []string{"baseball", "softball", "tennis", "basketball", "golf"}
	levels     = []string{"youth", "high_school", "college", "professional"}
)

var diamond = []string{"pitcher", "catcher", "first_base", "second_base", "third_base", "shortstop", "left_field", "center_field", "right_field", "designated_hitter"}

// positions are what a player of an activity can be. The other activities have
// none.
var positions = map[string][]string{
	"baseball":   diamond,
	"softball":   diamond,
	"basketball": {"point_guard", "shooting_guard", "small_forward", "power_forward", "center"},
}

// fields says how each field of a body is read. A reader notes what is wrong, or
// adds the edit that the field asks for.
var fields = map[string]func(*reader, string, payload.Value){
	"first_name":        readFirstName,
	"last_name":         text(maxName, nil, func(a *Athlete) *string { return &a.LastName }),
	"date_of_birth":     readDateOfBirth,
	"email":             text(maxEmail, emailRule, func(a *Athlete) *string { return &a.Email }),
	"phone":             text(maxPhone, nil, func(a *Athlete) *string { return &a.Phone }),
	"gender":            enum(genders, func(a *Athlete) *string { return &a.Gender }),
	"dominant_arm":      enum(sides, func(a *Athlete) *string { return &a.DominantArm }),
	"dominant_leg":      enum(sides, func(a *Athlete) *string { return &a.DominantLeg }),
	"activity":          enum(activities, func(a *Athlete) *string { return &a.Activity }),
	"positions":         readPositions,
	"competition_level": enum(levels, func(a *Athlete) *string { return &a.CompetitionLevel }),
	"height":            integer(maxHeight, "inches", func(a *Athlete) *int { return &a.Height }),
	"weight":            integer(maxWeight, "pounds", func(a *Athlete) *int { return &a.Weight }),
	"custom_attributes": readAttributes,
}

// str gives the trimmed text of a string; ok is false, and a problem noted, for
// any other kind.
func (r *reader) str(name string, v payload.Value) (s string, ok bool) {
	if v.Kind() != payload.KindString {
		r.problems.Add(name, "%s must be a string, not %s", name, v.Kind().Article())
		return "", false
	}
	return strings.TrimSpace(v.String()), true
}

func text(most int, rule func(string) string, at func(*Athlete) *string) func(*reader, string, payload.Value) {
	return func(r *reader, name string, v payload.Value) {
		s, ok := r.str(name, v)
		if !ok {
			return
		}
		s, broken := clean(s, most, false)
		if broken == "" && s != "" && rule != nil {
			broken = rule(s)
		}
		if broken != "" {
			r.problems.Add(name, "%s %s", name, broken)
			return
		}
		r.edit(func(a *Athlete) { *at(a) = s })
	}
}

func readFirstName(r *reader, name string, v payload.Value) {
	s, ok := r.str(name, v)
	if !ok {
		return
	}
	s, broken := clean(s, maxName, false)
	if broken == "" && blank(s) {
		broken = "must not be empty"
	}
	if broken != "" {
		r.problems.Add(name, "%s %s", name, broken)
		return
	}
	r.edit(func(a *Athlete) { a.FirstName = s })
}

func enum(allowed []string, at func(*Athlete) *string) func(*reader, string, payload.Value) {
	return func(r *reader, name string, v payload.Value) {
		s, ok := r.str(name, v)
		if !ok {
			return
		}
		if s != "" && !slices.Contains(allowed, s) {
			r.problems.Add(name, "%s must be one of %s", name, strings.Join(allowed, ", "))
			return
		}
		r.edit(func(a *Athlete) { *at(a) = s })
	}
}

func integer(most int64, unit string, at func(*Athlete) *int) func(*reader, string, payload.Value) {
	return func(r *reader, name string, v payload.Value) {
		n, ok := v.Int()
		if !ok || n < 0 || n > most {
			r.problems.Add(name, "%s must be a whole number from 1 to %d (%s), or 0 for none", name, most, unit)
			return
		}
		r.edit(func(a *Athlete) { *at(a) = int(n) })
	}
}

// firstBirth is the earliest date of birth.
var firstBirth = time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC)

// readDateOfBirth takes YYYY-MM-DD, and the form in which it is answered, so that
// what was read can be sent back.
func readDateOfBirth(r *reader, name string, v payload.Value) {
	s, ok := r.str(name, v)
	if !ok {
		return
	}
	if s == "" {
		r.edit(func(a *Athlete) { a.DateOfBirth = nil })
		return
	}
	day := strings.TrimSuffix(s, midnight)
	t, err := time.Parse(time.DateOnly, day)
	switch {
	case err != nil || len(day) != len(time.DateOnly):
		r.problems.Add(name, "%s must be a day of the calendar in the form YYYY-MM-DD", name)
	case t.Before(firstBirth) || t.After(r.now):
		r.problems.Add(name, "%s must lie between 1900-01-01 and today (UTC)", name)
	default:
		r.edit(func(a *Athlete) { a.DateOfBirth = &t })
	}
}

func readPositions(r *reader, name string, v payload.Value) {
	if v.Kind() != payload.KindArray {
		r.problems.Add(name, "%s must be an array of strings, not %s", name, v.Kind().Article())
		return
	}
	var list []string
	elements := v.Elements()
	if most := len(diamond); len(elements) > most {
		r.problems.Add(name, "%s must hold at most %d positions", name, most)
		return
	}
	for _, e := range elements {
		if e.Kind() != payload.KindString {
			r.problems.Add(name, "%s must hold strings only, not %s", name, e.Kind().Article())
			return
		}
		p := strings.TrimSpace(e.String())
		if slices.Contains(list, p) {
			r.problems.Add(name, "%s must not name %s twice", name, payload.Quote(p))
			return
		}
		list = append(list, p)
	}
	r.edit(func(a *Athlete) { a.Positions = list })
}

// positionsRule gives the rule between activity and positions that the athlete
// breaks, or "".
func positionsRule(a Athlete) string {
	if len(a.Positions) == 0 {
		return ""
	}
	allowed := positions[a.Activity]
	switch {
	case a.Activity == "":
		return "positions need an activity that has them (baseball, softball or basketball), and [] clears them"
	case allowed == nil:
		return "positions must be empty: " + a.Activity + " has none, and [] clears them"
	}
	for _, p := range a.Positions {
		if !slices.Contains(allowed, p) {
			return "positions must hold only positions of " + a.Activity + ", not " + payload.Quote(p) + " (they are " + strings.Join(allowed, ", ") + ")"
		}
	}
	return ""
}
