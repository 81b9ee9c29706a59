package field_test

import (
	"testing"
	"time"

	"github.com/kinebase/kinebase/field"
)

type thing struct {
	text   string
	label  *string
	number int
	real   *float64
	day    *time.Time
	moment *time.Time
	at     time.Time
	list   []string
	words  map[string]string
}

var fields = []field.Field[thing]{
	{Name: "text", Text: func(v *thing) *string { return &v.text }},
	{Name: "label", Label: func(v *thing) **string { return &v.label }},
	{Name: "number", Number: func(v *thing) *int { return &v.number }},
	{Name: "real", Real: func(v *thing) **float64 { return &v.real }},
	{Name: "day", Day: func(v *thing) **time.Time { return &v.day }},
	{Name: "moment", Moment: func(v *thing) **time.Time { return &v.moment }},
	{Name: "at", Time: func(v *thing) *time.Time { return &v.at }},
	{Name: "list", List: func(v *thing) *[]string { return &v.list }},
	{Name: "words", Map: func(v *thing) *map[string]string { return &v.words }},
}

func TestAFieldOfAnyKindIsEqualToItselfAndToNoOther(t *testing.T) {
	noon := time.Date(2026, 5, 13, 12, 0, 0, 0, time.UTC)
	make := func(n int) *thing {
		text, real, at := string(rune('a'+n)), float64(n), noon.Add(time.Duration(n)*time.Hour)
		there := at.In(time.FixedZone("there", 3600)) // another way to say the same moment
		return &thing{text, &text, n, &real, &at, &at, there, []string{text}, map[string]string{text: text}}
	}
	one, twin, other, none := make(1), make(1), make(2), &thing{}
	twin.at = twin.at.UTC()
	for _, f := range fields {
		if !f.Equal(one, one) || !f.Equal(one, twin) || !f.Equal(none, &thing{}) {
			t.Errorf("%s: differs from the same", f.Name)
		}
		if f.Equal(one, other) || f.Equal(one, none) || f.Equal(none, one) {
			t.Errorf("%s: is the same as another", f.Name)
		}
	}
}
