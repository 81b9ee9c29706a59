package contract

import (
	"bytes"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/kinebase/kinebase"
)

var update = flag.Bool("update", false, "write into openapi.yaml what follows from the properties of Athlete")

// A field of an athlete stands in openapi.yaml as a property of Athlete. Its name under required, its properties of
// AthleteCreate and AthleteUpdate and its values in the examples of whole athletes follow from that.
func TestEveryFieldOfAnAthleteHasItsPlacesInTheDocument(t *testing.T) {
	document, missing, err := derived(kinebase.OpenAPI)
	switch {
	case err != nil:
		t.Fatal(err)
	case len(missing) == 0:
	case *update:
		if err := os.WriteFile("../../../openapi.yaml", document, 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("go test ./internal/testkit/contract -update writes into openapi.yaml:\n%s",
			strings.Join(missing, "\n"))
	}
}

// A field that is added gets everything that the fields before it have, and no other byte of the document changes.
func TestAnAddedFieldOfAnAthleteGetsItsPlacesInTheDocument(t *testing.T) {
	document, _, err := derived(kinebase.OpenAPI) // without what is missing now
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ property, create, update, value string }{
		"text": {"type: [string, 'null']|minLength: 1|maxLength: 64|examples: [Jojo, Jo]",
			"type: [string, 'null']|maxLength: 64", "type: string|maxLength: 64", "Jojo"},
		"choice": {"type: [string, 'null']|enum: [low, high, null]",
			"type: [string, 'null']|enum: [low, high, '', null]", "type: string|enum: [low, high, '']", "null"},
		"number": {"type: [integer, 'null']|minimum: 1|maximum: 9|examples: [7]",
			"type: [integer, 'null']|minimum: 0|maximum: 9", "type: integer|minimum: 0|maximum: 9", "7"},
	} {
		block := func(name, lines string) string {
			return "        " + name + ":\n          description: One more.\n          " +
				strings.ReplaceAll(lines, "|", "\n          ") + "\n"
		}
		added := block("added", c.property)
		const after = "\n        height:\n          description: The height in inches.\n"
		before := strings.Replace(string(document), after, "\n"+added+after[1:], 1)
		got, missing, err := derived([]byte(before))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(missing) != 8 {
			t.Errorf("%s: %d places were found: %q", name, len(missing), missing)
		}
		text := string(got)
		for what, n := range map[string]int{"\n        - added\n": 1, block("added", c.create): 1,
			block("added", c.update): 1, added: 1, " added: " + c.value + "\n": 4, " added: null\n": 1} {
			if c.value == "null" && strings.HasPrefix(what, " added: ") {
				n = 5
			}
			if found := strings.Count(text, what); found != n {
				t.Errorf("%s: %q is there %d times, and not %d times", name, what, found, n)
			}
		}
		for _, what := range []string{added, block("added", c.create), block("added", c.update)} {
			text = strings.ReplaceAll(text, what, "")
		}
		text = regexp.MustCompile(`(?m)^ *(- )?added(: .*)?\n`).ReplaceAllString(text, "")
		if text != string(document) {
			t.Errorf("%s: the rest of the document has changed", name)
		}
		if _, err := Load(got); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if again, missing, err := derived(got); err != nil || len(missing) > 0 || !bytes.Equal(again, got) {
			t.Errorf("%s: a second time writes %q: %v", name, missing, err)
		}
	}
}

// A property of a kind that the test cannot derive is written by hand.
func TestAFieldThatTheDocumentDoesNotDeriveIsAskedFor(t *testing.T) {
	const height = "\n        height:\n          description: The height in inches.\n"
	before := strings.Replace(string(kinebase.OpenAPI), height,
		"\n        added:\n          description: More.\n          type: object\n"+height[1:], 1)
	if _, _, err := derived([]byte(before)); err == nil || !strings.Contains(err.Error(), "added") {
		t.Errorf("the error is %v", err)
	}
	before = strings.Replace(string(kinebase.OpenAPI),
		"          description: The telephone number.\n          type: string\n          maxLength: 32\n",
		"          description: The telephone number.\n          type: string\n          maxLength: 31\n", 1)
	if _, _, err := derived([]byte(before)); err == nil || !strings.Contains(err.Error(), "phone of AthleteUpdate") {
		t.Errorf("the error is %v", err)
	}
}
