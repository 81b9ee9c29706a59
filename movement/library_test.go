package movement_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/movement"
)

// each goes through all columns of the library.
func each(f func(m *movement.Movement, c *movement.Column)) {
	for i := range movement.Read().Movements {
		m := &movement.Read().Movements[i]
		for c := range m.Columns {
			f(m, &m.Columns[c])
		}
	}
}

func TestEveryMovementSaysWhatItIsAndHowItIsRecorded(t *testing.T) {
	all := movement.Read().Movements
	if len(all) < 38 {
		t.Fatalf("the library has %d movements", len(all))
	}
	if !slices.IsSortedFunc(all, func(a, b movement.Movement) int {
		return slices.Compare([]string{a.Activity, a.Movement}, []string{b.Activity, b.Movement})
	}) {
		t.Error("the movements are not in the order of their names")
	}
	for _, m := range all {
		if m.Title == "" || !strings.HasSuffix(m.Description, ".") || !strings.HasSuffix(m.Protocol, ".") {
			t.Errorf("%s/%s is %q: %q %q", m.Activity, m.Movement, m.Title, m.Description, m.Protocol)
		}
		for _, d := range m.Dimensions {
			if !strings.HasSuffix(d.Description, ".") || d.Enforced != (len(d.Values) > 0) {
				t.Errorf("%s/%s has the dimension %+v", m.Activity, m.Movement, d)
			}
		}
	}
}

func TestEveryColumnIsDefinedOnceAndWhole(t *testing.T) {
	name := regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	each(func(m *movement.Movement, c *movement.Column) {
		where := m.Activity + "/" + m.Movement + " " + c.Name
		if !name.MatchString(c.Name) || slices.Contains(frames.Reserved, c.Name) {
			t.Errorf("%s: the name is not one of a column", where)
		}
		if n := slices.IndexFunc(m.Columns,
			func(other movement.Column) bool { return other.Name == c.Name }); &m.Columns[n] != c {
			t.Errorf("%s is there twice", where)
		}
		if (c.Kind == movement.Event) != strings.HasSuffix(c.Name, "_frame") {
			t.Errorf("%s: the names of events end in _frame, and those of nothing else", where)
		}
		if c.Title == "" || !strings.HasSuffix(c.Description, ".") || strings.Contains(c.Definition, "{") ||
			c.Definition+c.Formula == "" && c.Description == "" {
			t.Errorf("%s: %q %q %q", where, c.Title, c.Description, c.Definition)
		}
		if (c.Type == movement.Text) != (len(c.Values) > 0) {
			t.Errorf("%s is a %s of the values %v", where, c.Type, c.Values)
		}
		if c.Plausible != nil && !(c.Plausible[0] < c.Plausible[1]) {
			t.Errorf("%s: plausible is %v", where, *c.Plausible)
		}
		if len(c.Methods) == 0 {
			t.Errorf("%s has no method", where)
		}
		for _, by := range c.Methods {
			if by.ID == "" || by.Version < 1 || len(by.Needs) == 0 || by.Accuracy == "" || len(by.Sources) == 0 {
				t.Errorf("%s: %+v", where, by)
			}
		}
	})
}

func TestEveryReasonIsListedOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range movement.Read().Reasons {
		if seen[r.Code] || !strings.HasSuffix(r.Description, ".") {
			t.Errorf("%+v", r)
		}
		seen[r.Code] = true
	}
}
