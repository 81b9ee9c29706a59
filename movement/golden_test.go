package movement_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/movement"
)

var update = flag.Bool("update", false, "rewrite the golden files where versions allow it")

// golden holds lines of a key, a version and what the version stands for against a file:
// what a version stands for never changes. With -update it writes the file, but only where
// every change has a version of its own.
func golden(t *testing.T, path string, lines []string) {
	t.Helper()
	kept, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	before := map[string]string{}
	for line := range strings.Lines(string(kept)) {
		fields := strings.Fields(line)
		before[strings.Join(fields[:len(fields)-1], " ")] = fields[len(fields)-1]
	}
	changed := false
	for _, line := range lines {
		fields := strings.Fields(line)
		key, stands := strings.Join(fields[:len(fields)-1], " "), fields[len(fields)-1]
		switch was, ok := before[key]; {
		case !ok:
			changed = true
		case was != stands:
			t.Errorf("%s was %s and is %s: give it a new version", key, was, stands)
		}
		delete(before, key)
	}
	changed = changed || len(before) > 0
	switch {
	case t.Failed() || !changed:
	case *update:
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s does not have what the library has: go test ./movement -update writes it", path)
	}
}

// definition is what a version of a method stands for: all that is said of a column and
// of the method.
func definition(c movement.Column, by movement.Method) string {
	c.Methods, by.Version = nil, 0
	raw, err := json.Marshal([]any{c, by})
	if err != nil {
		panic(err)
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])[:12]
}

func TestADefinitionNeverChangesWithoutANewVersion(t *testing.T) {
	var lines []string
	each(func(m *movement.Movement, c *movement.Column) {
		for _, by := range c.Methods {
			lines = append(lines, fmt.Sprintf("%s/%s %s %s %d %s", m.Activity, m.Movement, c.Name, by.ID, by.Version,
				definition(*c, by)))
		}
	})
	golden(t, "testdata/definitions.txt", lines)
}
