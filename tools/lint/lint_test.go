package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// marks gives what a file says of itself: the rules that are to find something,
// by line. A mark holds for its own line or, as want-above, for the one before.
func marks(t *testing.T, file string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]bool{}
	mark := regexp.MustCompile(`// .*?\bwant(-above)?((?: \w+)+)`)
	line := 0
	last := 0 // that held something
	for words := range strings.Lines(string(text)) {
		line++
		if m := mark.FindStringSubmatch(words); m != nil {
			at := line
			if m[1] != "" {
				at = last
			}
			for rule := range strings.FieldsSeq(m[2]) {
				all[fmt.Sprintf("line %d: %s", at, rule)] = true
			}
		}
		if strings.TrimSpace(words) != "" {
			last = line
		}
	}
	return all
}

func TestEveryPlantedFaultIsFoundAndNothingElse(t *testing.T) {
	lint := filepath.Join(t.TempDir(), "lint")
	if out, err := exec.Command("go", "build", "-o", lint, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := exec.Command(lint, "./testdata/faults").CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		t.Fatalf("faults are planted, and the tool says %v: %s", err, out)
	}
	found := map[string]bool{}
	form := regexp.MustCompile(`(?m)faults\.go:(\d+):\d+: .* \((\w+)\)$`)
	for _, m := range form.FindAllStringSubmatch(string(out), -1) {
		rule := m[2]
		if rule == "staticcheck" || rule == "compile" { // what the driver itself finds
			rule = "answer"
		}
		found["line "+m[1]+": "+rule] = true
	}
	want := marks(t, "testdata/faults/faults.go")
	if len(want) == 0 {
		t.Fatal("nothing is planted")
	}
	for _, fault := range slices.Sorted(maps.Keys(want)) {
		if !found[fault] {
			t.Errorf("not found, %s", fault)
		}
	}
	for _, fault := range slices.Sorted(maps.Keys(found)) {
		if !want[fault] {
			t.Errorf("found for nothing, %s", fault)
		}
	}
	if t.Failed() {
		t.Logf("the tool says:\n%s", out)
	}
}

func TestRulesLeaveTestsAndTheTestKitAlone(t *testing.T) {
	for file, want := range map[string]places{
		"/somewhere/internal/store/sqlite.go":        0,
		"/somewhere/internal/store/sqlite_test.go":   inTests,
		"/somewhere/internal/testkit/server.go":      inTestKit,
		"/somewhere/internal/testkit/server_test.go": inTests | inTestKit,
		"/somewhere/internal/testkits/server.go":     0,
	} {
		for _, place := range []places{inTests, inTestKit} {
			if got := (rule{not: place}).excused(file); got != (want&place != 0) {
				t.Errorf("%s is excused %t of a rule that leaves %d alone", file, got, place)
			}
		}
	}
}
