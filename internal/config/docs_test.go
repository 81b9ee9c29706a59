package config_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/config"
)

// row is how the reference shows a setting.
func row(s config.Setting) string {
	flag := "–"
	if s.Flag != "" {
		flag = "`--" + s.Flag + "`"
	}
	def := "not set"
	if s.Default != "" {
		def = "`" + s.Default + "`"
	}
	return fmt.Sprintf("| `%s` | %s | %s | %s |", s.Variable, flag, def, s.Meaning)
}

func TestTheReferenceNamesEverySettingWithItsDefaultAndMeaning(t *testing.T) {
	raw, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	var shown []string
	for line := range strings.Lines(string(raw)) {
		if strings.HasPrefix(line, "| `KINEBASE_") || strings.HasPrefix(line, "| `OTEL_") {
			shown = append(shown, strings.TrimSpace(line))
		}
	}
	var want []string
	for _, s := range config.Settings {
		want = append(want, row(s))
	}
	if got, want := strings.Join(shown, "\n"), strings.Join(want, "\n"); got != want {
		t.Errorf("docs/configuration.md has these rows:\n%s\nbut the code has these settings:\n%s", got, want)
	}
}

func TestWhatIsDeployedSetsNothingThatIsNotThere(t *testing.T) {
	// the first is Compose's own, the second a pattern
	known := map[string]bool{"KINEBASE_VERSION": true, "KINEBASE_": true}
	for _, s := range config.Settings {
		known[s.Variable] = true
	}
	seen := 0
	err := filepath.WalkDir("../../deploy", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		for _, name := range regexp.MustCompile(`KINEBASE_[A-Z0-9_]*`).FindAllString(string(raw), -1) {
			if seen++; !known[name] {
				t.Errorf("%s sets %s, which nothing reads", path, name)
			}
		}
		return err
	})
	if err != nil || seen < 20 {
		t.Errorf("%d settings were looked at (%v)", seen, err)
	}
}

func TestTheReferenceNamesNoSettingThatIsNotThere(t *testing.T) {
	raw, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	// the last two are for clients
	known := map[string]bool{"KINEBASE_": true, "KINEBASE_URL": true, "KINEBASE_TOKEN": true}
	for _, s := range config.Settings {
		known[s.Variable] = true
	}
	for _, name := range regexp.MustCompile(`KINEBASE_[A-Z0-9_]+`).FindAllString(string(raw), -1) {
		if !known[name] {
			t.Errorf("docs/configuration.md speaks of %s, which nothing reads", name)
		}
	}
}

func TestTheStatedDefaultsAreTheOnesThatCount(t *testing.T) {
	values := load(t, config.Source{Env: env()}).Values()
	for _, s := range config.Settings {
		switch s.Variable {
		case "KINEBASE_DATA", "KINEBASE_FILES", "KINEBASE_WORKERS": // depend on the machine; tests of their own
			continue
		}
		if values[s.Variable] != s.Default {
			t.Errorf("%s is %q by default, but %q is stated", s.Variable, values[s.Variable], s.Default)
		}
	}
}
