package housetest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// floors are the rooms from the roof to the ground. A package imports only what
// lies on a floor below its own. Rooms that share a line know nothing of each
// other; the subpackages of one room do. "internal" is every machine that no
// other line names.
var floors = [][]string{
	{"internal/housetest"},
	{"cmd"},
	{"internal/testkit"}, // builds whole servers, for tests alone
	{"internal/cli"},
	// a whole server; what asks one and sends to one, through the client
	{"internal/app", "internal/mcp", "internal/sending"},
	{"internal", "client"},
	{"internal/telemetry", "internal/static"}, // every machine tells how it does; several have pages that never change
	{"caller"}, // who calls
	{"manifest", "feed", "backup", "audit", "webhook", "share"},
	{"export"},
	{"upload"}, // how the file of a capture comes in
	{"capture"},
	{"athlete"},
	{"person"}, // whom an OpenID provider vouches for
	{"organization"},
	{"job"},      // what is done after a transaction
	{"skeleton"}, // which points organizations join
	{"movement"}, // the library of movements, and what it finds in a recording
	{"frames"},   // a recording as a table
	{"motion"},
	{"turns"},   // who may have how much of what organizations share, and who waits
	{"breaker"}, // whether a neighbour answers
	// how what people send is read, and which fields a stored thing has, whichever noun it is about
	{"payload", "field"},
	{"fault"},
	{".", "web"}, // the interface document; the console's front end as it was built
}

// pure are the rooms of nouns and rules: they decide, and leave the doing to
// machines.
var pure = []string{"caller", "person", "manifest", "feed", "backup", "audit", "webhook", "share", "export", "upload",
	"capture", "athlete", "organization", "job", "movement", "frames", "motion", "skeleton", "turns", "breaker",
	"payload", "fault"}

// doing is what a pure room has no use for.
var doing = []string{"net/http", "database/sql", "os", "os/exec", "net"}

// forTests are rooms that only tests may enter.
var forTests = []string{"internal/testkit", "internal/housetest", "testing", "go.uber.org/goleak", "pgregory.net/rapid"}

// sharedData are parts of a machine that are plain data and arithmetic, which
// other machines may therefore use as they use a noun. Each has its reason.
var sharedData = map[string]string{}

// floor gives the floor of a package, counted from the roof, and the room on it.
func floor(name string) (level int, room string) {
	level = -1
	for i, rooms := range floors {
		for _, r := range rooms {
			if (r == name || r != "." && below(r, name)) && len(r) > len(room) {
				level, room = i, r
			}
		}
	}
	if room == "internal" {
		room = machine(name)
	}
	return level, room
}

// turnsBack says what is wrong with an import, "" when nothing is.
func turnsBack(from, to string) string {
	fromLevel, fromRoom := floor(from)
	toLevel, toRoom := floor(to)
	switch {
	case fromLevel < 0:
		return fmt.Sprintf("%s has no place in the house: give it one in floors", from)
	case toLevel < 0 || fromRoom == toRoom || toLevel > fromLevel || sharedData[to] != "":
		return ""
	case toLevel == fromLevel:
		return fmt.Sprintf("%s imports %s, a machine of its own: let them meet in internal/app", from, to)
	default:
		return fmt.Sprintf("%s imports %s, which stands above it", from, to)
	}
}

func TestAnImportNeverTurnsBack(t *testing.T) {
	arrows := 0
	for _, p := range packages(t) {
		for _, imported := range p.Imports {
			to := inside(imported)
			if to == "" {
				continue
			}
			arrows++
			if wrong := turnsBack(p.name, to); wrong != "" {
				t.Error(wrong)
			}
		}
		if level, _ := floor(p.name); level < 0 {
			t.Errorf("%s has no place in the house: give it one in floors", p.name)
		}
	}
	if arrows == 0 {
		t.Error("no package imports another, so nothing was tested")
	}
}

func TestTheArrowRuleRefusesWhatItShould(t *testing.T) {
	for arrow, want := range map[string]string{
		"cmd/kinebase → internal/cli":                 "",
		"internal/cli → internal/app":                 "",
		"internal/app → internal/store":               "",
		"internal/store → internal/store/migrations":  "",
		"internal/store → capture":                    "",
		"internal/store → internal/telemetry":         "",
		"capture → athlete":                           "",
		"motion → motion/c3d":                         "",
		"internal/store → internal/httpapi":           "of its own",
		"internal/store/storetest → internal/httpapi": "of its own",
		"internal/httpapi → internal/app":             "above",
		"internal/telemetry → internal/store":         "above",
		"athlete → capture":                           "above",
		"capture → internal/store":                    "above",
		"motion/c3d → capture":                        "above",
		"fault → organization":                        "above",
		"client → internal/httpapi":                   "of its own",
		"surprise → fault":                            "no place",
		"internal/app → internal/cli":                 "above",
		"internal/limit → github.com/redis/go-redis":  "",
	} {
		from, to, _ := strings.Cut(arrow, " → ")
		got := turnsBack(from, to)
		if (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%s: the rule says %q, want %q", arrow, got, want)
		}
	}
}

func TestNounsDecideAndDoNot(t *testing.T) {
	for _, p := range packages(t) {
		if !slices.ContainsFunc(pure, func(room string) bool { return below(room, p.name) }) {
			continue
		}
		for _, imported := range p.Imports {
			if slices.Contains(doing, imported) {
				t.Errorf("%s imports %s: that is a machine's work", p.name, imported)
			}
		}
	}
}

func TestWhatIsForTestsStaysInTests(t *testing.T) {
	for _, p := range packages(t) {
		if testsOnly(p.name) {
			continue
		}
		for _, imported := range p.Imports {
			for _, room := range forTests {
				if imported == room || below(module+"/"+room, imported) {
					t.Errorf("%s imports %s outside its tests: it would be in the program that people run", p.name,
						imported)
				}
			}
		}
	}
}

// testsOnly says whether a package exists for tests: the kits, and a suite that
// several implementations of a port share, which is named for what it tests
// (storetest, blobtest).
func testsOnly(name string) bool {
	last := name[strings.LastIndexByte(name, '/')+1:]
	return below("internal/testkit", name) || below("internal/housetest", name) || strings.HasSuffix(last, "test")
}

func TestEverySharedPartOfAMachineExistsAndHasAReason(t *testing.T) {
	names := map[string]bool{}
	for _, p := range packages(t) {
		names[p.name] = true
	}
	for part := range maps.Keys(sharedData) {
		if !names[part] {
			t.Errorf("sharedData names %s, which is not there", part)
		}
	}
}

func TestTheDatabaseBelowTheStoreKnowsNoNoun(t *testing.T) {
	allowed := []string{"organization", "job", "turns", "breaker", "field", "fault", "internal/store/migrations",
		"internal/store/db/stringjson"}
	for _, p := range packages(t) {
		if p.name != "internal/store/db" {
			continue
		}
		for _, imported := range p.Imports {
			if to := inside(imported); to != "" && !slices.Contains(allowed, to) {
				t.Errorf("%s imports %s: what is kept is the store's to know", p.name, to)
			}
		}
		return
	}
	t.Error("internal/store/db is not there")
}
