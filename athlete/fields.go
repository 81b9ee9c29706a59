package athlete

import (
	"slices"
	"strings"
	"time"

	"github.com/kinebase/kinebase/field"
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

var diamond = []string{"pitcher", "catcher", "first_base", "second_base", "third_base", "shortstop", "left_field",
	"center_field", "right_field", "designated_hitter"}

// positions are what a player of an activity can be. The other activities have
// none.
var positions = map[string][]string{
	"baseball":   diamond,
	"softball":   diamond,
	"basketball": {"point_guard", "shooting_guard", "small_forward", "power_forward", "center"},
}

// row is a field of an athlete with all that is particular about it.
type row struct {
	field.Field[Athlete]
	// read notes what is wrong with the value of a body, or adds the edit that it asks for.
	read     func(*reader, string, payload.Value)
	clear    string // how an update clears the field, as a message says it; "" for an empty string
	brief    bool   // creating and updating answer it too
	imported bool   // an import alone sets it
}

// rows are the fields of an athlete: what is read, judged, shown, compared, kept and named by an import. Their order
// is that of the answers and of what the ids of imports are made of. A new row may stand anywhere, but what stands
// here must keep its order.
var rows = []row{
	brief(imported("id", readID, field.Field[Athlete]{Text: func(a *Athlete) *string { return &a.ID }})),
	brief(own("first_name", "a name", readFirstName,
		field.Field[Athlete]{Text: func(a *Athlete) *string { return &a.FirstName }})),
	brief(text("last_name", maxName, nil, func(a *Athlete) *string { return &a.LastName })),
	brief(own("date_of_birth", "", readDateOfBirth,
		field.Field[Athlete]{Day: func(a *Athlete) **time.Time { return &a.DateOfBirth }})),
	brief(text("email", maxEmail, emailRule, func(a *Athlete) *string { return &a.Email })),
	text("phone", maxPhone, nil, func(a *Athlete) *string { return &a.Phone }),
	enum("gender", genders, func(a *Athlete) *string { return &a.Gender }),
	enum("dominant_arm", sides, func(a *Athlete) *string { return &a.DominantArm }),
	enum("dominant_leg", sides, func(a *Athlete) *string { return &a.DominantLeg }),
	enum("activity", activities, func(a *Athlete) *string { return &a.Activity }),
	own("positions", "[] to clear it", readPositions,
		field.Field[Athlete]{List: func(a *Athlete) *[]string { return &a.Positions }}),
	enum("competition_level", levels, func(a *Athlete) *string { return &a.CompetitionLevel }),
	brief(integer("height", maxHeight, "inches", func(a *Athlete) *int { return &a.Height })),
	brief(integer("weight", maxWeight, "pounds", func(a *Athlete) *int { return &a.Weight })),
	brief(own("custom_attributes", `an object in which "" deletes a key`, readAttributes,
		field.Field[Athlete]{Map: func(a *Athlete) *map[string]string { return &a.CustomAttributes }})),
	brief(moment("created_at", func(a *Athlete) *time.Time { return &a.CreatedAt })),
	brief(moment("updated_at", func(a *Athlete) *time.Time { return &a.UpdatedAt })),
}

// Fields are all fields of an athlete but Version, which counts their changes, in the order of the answers. They
// must not be changed.
var Fields = field.Of(rows, func(r *row) field.Field[Athlete] { return r.Field })

// named finds rows by their names.
var named = field.Index(rows, func(r *row) string { return r.Name })

// own makes a row that is read in its own way.
func own(name, clear string, read func(*reader, string, payload.Value), f field.Field[Athlete]) row {
	f.Name = name
	return row{Field: f, read: read, clear: clear}
}

// imported makes a row that an import alone sets.
func imported(name string, read func(*reader, string, payload.Value), f field.Field[Athlete]) row {
	r := own(name, "", read, f)
	r.imported = true
	return r
}

// brief has a row in the short shape too.
func brief(r row) row {
	r.brief = true
	return r
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

// text makes the row of a text of at most so many code points, which a rule may restrict further.
func text(name string, most int, rule func(string) string, at func(*Athlete) *string) row {
	return own(name, "", func(r *reader, name string, v payload.Value) {
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
	}, field.Field[Athlete]{Text: at})
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

// enum makes the row of a text that is one of those.
func enum(name string, allowed []string, at func(*Athlete) *string) row {
	return own(name, "", func(r *reader, name string, v payload.Value) {
		s, ok := r.str(name, v)
		if !ok {
			return
		}
		if s != "" && !slices.Contains(allowed, s) {
			r.problems.Add(name, "%s must be one of %s", name, strings.Join(allowed, ", "))
			return
		}
		r.edit(func(a *Athlete) { *at(a) = s })
	}, field.Field[Athlete]{Text: at})
}

// integer makes the row of a whole number from 1 to most.
func integer(name string, most int64, unit string, at func(*Athlete) *int) row {
	return own(name, "0 to clear it", func(r *reader, name string, v payload.Value) {
		n, ok := v.Int()
		if !ok || n < 0 || n > most {
			r.problems.Add(name, "%s must be a whole number from 1 to %d (%s), or 0 for none", name, most, unit)
			return
		}
		r.edit(func(a *Athlete) { *at(a) = int(n) })
	}, field.Field[Athlete]{Number: at})
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
			return "positions must hold only positions of " + a.Activity + ", not " + payload.Quote(p) + " (they are " +
				strings.Join(allowed, ", ") + ")"
		}
	}
	return ""
}
