package movement_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/movement"
)

// page writes the library for people.
func page() string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("<!-- Written by `go test ./movement -update` from the library itself. -->\n")
	say("# Movements and what is found in them\n")
	say("This page is the library of movements, which `GET /v1/movements` gives as data. What is found in a " +
		"recording is")
	say("`computed` of `GET /v1/captures/{captureId}/motion` and columns of exports. A column that is not given is " +
		"withheld with a")
	say("reason. Version of the library: `%s`.\n", movement.Read().Version)
	for _, m := range movement.Read().Movements {
		say("## %s (`%s/%s`)\n", m.Title, m.Activity, m.Movement)
		say("%s\n\nRecording: %s\n", m.Description, m.Protocol)
		for _, d := range m.Dimensions {
			values := "any text"
			if d.Enforced {
				values = strings.Join(d.Values, ", ")
			}
			say("- `%s`: %s Values: %s.", d.Name, d.Description, values)
		}
		if len(m.Dimensions) > 0 {
			say("")
		}
		if len(m.Columns) == 0 {
			say("Nothing is computed yet.\n")
			continue
		}
		for _, c := range m.Columns {
			say("- `%s` (%s): %s", c.Name, unit(c), about(c))
		}
		say("")
	}
	say("## Parameters\n")
	say("| method | parameter | value | meaning |\n|---|---|---|---|")
	seen := map[string]bool{}
	each(func(_ *movement.Movement, c *movement.Column) {
		for _, by := range c.Methods {
			for _, p := range by.Parameters {
				line := fmt.Sprintf("| `%s` version %d | `%s` | %s | %s |", by.ID, by.Version, p.Name, p, p.Description)
				if !seen[line] {
					say("%s", line)
				}
				seen[line] = true
			}
		}
	})
	say("\n## Sources\n")
	each(func(_ *movement.Movement, c *movement.Column) {
		for _, by := range c.Methods {
			for _, source := range by.Sources {
				line := "- " + source.Citation
				if source.DOI != "" {
					line += " <https://doi.org/" + source.DOI + ">"
				}
				if !seen[line] {
					say("%s", line)
				}
				seen[line] = true
			}
		}
	})
	say("\n## Marker sets\n")
	say("The points of a body are found by their names, whatever the case of the letters and whatever subject they " +
		"have. The first")
	say("set of which a recording has most landmarks of the legs, or of the trunk and the arms, is taken. A landmark " +
		"is the middle of")
	say("its points; a recording that lacks one of them has the landmark by the next way, or not.\n")
	for _, set := range movement.Read().MarkerSets {
		centres := "points on the skin"
		if set.Centres {
			centres = "centres of the joints"
		}
		say("- %s (%s)", set.Name, centres)
		for _, l := range set.Landmarks {
			var ways []string
			for _, way := range l.Points {
				ways = append(ways, strings.Join(way, " + "))
			}
			say("  - `%s`: %s", l.Name, strings.Join(ways, "; or "))
		}
	}
	say("\n## Reasons\n")
	for _, r := range movement.Read().Reasons {
		say("- `%s`: %s", r.Code, r.Description)
	}
	return b.String()
}

// unit says what the values of a column are.
func unit(c movement.Column) string {
	switch {
	case c.Kind == movement.Event:
		return "event"
	case c.Type == movement.Text:
		return "text: " + strings.Join(c.Values, ", ")
	case c.Unit == "":
		return "number"
	}
	return c.Unit
}

// about says what a column is and how it is found.
func about(c movement.Column) string {
	text := c.Description
	if c.Definition != "" {
		text += " " + c.Definition
	}
	if c.Formula != "" {
		text += " Formula: " + c.Formula + "."
	}
	if c.Plausible != nil {
		text += fmt.Sprintf(" Withheld outside of %g to %g.", c.Plausible[0], c.Plausible[1])
	}
	var methods []string
	for _, by := range c.Methods {
		methods = append(methods, fmt.Sprintf("`%s` version %d (%s)", by.ID, by.Version, by.Accuracy))
	}
	return text + " By " + strings.Join(methods, ", else ") + "."
}

func TestTheDocumentsHaveTheLibraryAsItIs(t *testing.T) {
	const path = "../docs/movements.md"
	kept, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	switch want := page(); {
	case string(kept) == want:
	case *update:
		if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is not what the library has: go test ./movement -update writes it", path)
	}
}
