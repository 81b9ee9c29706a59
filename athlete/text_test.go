package athlete_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/athlete"
)

func named(t *testing.T, field, text string) (athlete.Athlete, error) {
	t.Helper()
	b, err := json.Marshal(map[string]string{"first_name": "Ann", field: text})
	if err != nil {
		t.Fatal(err)
	}
	return create(t, string(b))
}

func TestTextIsTrimmedAndNormalized(t *testing.T) {
	for sent, kept := range map[string]string{
		"  Ann\u00a0\u3000":               "Ann",
		"Jose\u0301":                      "José",
		"\u0645\u06cc\u200c\u062e":        "\u0645\u06cc\u200c\u062e", // Persian needs the joiner inside words
		"=HYPERLINK(\"x\")":               "=HYPERLINK(\"x\")",
		"\U0001F468\u200d\U0001F469":      "\U0001F468\u200d\U0001F469",
		"a" + strings.Repeat("\u0323", 8): "ạ" + strings.Repeat("\u0323", 7),
		strings.Repeat("é", 255):          strings.Repeat("é", 255),
		strings.Repeat("e\u0301", 255):    strings.Repeat("é", 255),
		"Ann\n":                           "Ann",
	} {
		a, err := named(t, "first_name", sent)
		if err != nil || a.FirstName != kept {
			t.Errorf("%q is kept as %q, %v; want %q", sent, a.FirstName, err, kept)
		}
	}
}

func TestTextThatDoesHarmIsRefused(t *testing.T) {
	for name, bad := range map[string]string{
		"line feed": "Ann\nADMIN login ok", "tab": "a\tb", "NUL": "A\x00B", "delete": "A\x7fB", "C1": "A\u0085B",
		"override": "A\u202eB", "embedding": "A\u202aB", "isolate": "A\u2066B", "end of isolate": "A\u2069",
		"noncharacter": "A\ufffe", "noncharacter of a block": "A\ufdd0", "noncharacter beyond": "A\U0010ffff",
		"nine marks": "a" + strings.Repeat("\u0323", 9), "a flood of marks": "a" + strings.Repeat("\u0301", 5000),
		"too long": strings.Repeat("a", 256), "very long": strings.Repeat("a", 100_000),
	} {
		for _, field := range []string{"first_name", "last_name"} {
			_, err := named(t, field, bad)
			refused(t, field+" with "+name, err, field)
		}
	}
	for field, most := range map[string]int{"email": 254, "phone": 32} {
		at := ""
		if field == "email" {
			at = "@"
		}
		if _, err := named(t, field, "é"+at+strings.Repeat("a", most-1-len(at))); err != nil {
			t.Errorf("%s of %d: %v", field, most, err)
		}
		_, err := named(t, field, "é"+at+strings.Repeat("a", most-len(at)))
		refused(t, field, err, field)
	}
}

func TestAnEMailAddressHasOneAtBetweenSomething(t *testing.T) {
	for _, ok := range []string{"a@b", "jo@example.org", " jo@example.org ", "jö@exämple.org", `"x"@y`} {
		if _, err := named(t, "email", ok); err != nil {
			t.Errorf("%s: %v", ok, err)
		}
	}
	for _, bad := range []string{"x", "@", "a@", "@b", "a@b@c", "a@@b", "a b@c", "a@b c", "Jo <jo@example.org>",
		"a@b\r\nBcc: all@example.org", "a@b\u00a0c"} {
		_, err := named(t, "email", bad)
		refused(t, bad, err, "email")
	}
}

func TestFoldingBringsSpellingsTogether(t *testing.T) {
	for a, b := range map[string]string{"RIVERA": "rivera", "JOSE\u0301": "josé", "ΣΑΣ": "σας", "Åsa": "åsa"} {
		if athlete.Fold(a) != athlete.Fold(b) {
			t.Errorf("%q folds to %q and %q to %q", a, athlete.Fold(a), b, athlete.Fold(b))
		}
	}
	if athlete.Fold("a") == athlete.Fold("á") {
		t.Error("letters with marks are letters of their own")
	}
}

// Normalizing may lengthen text, join marks to letters and take letters apart:
// what is kept must pass its own rules all the same.
func TestKeptTextIsKeptUnchangedTheSecondTime(t *testing.T) {
	awkward := []rune("aeé \u00a0\u0301\u0323\u0345\u0327\u0958\u0929\u0b94\u212b\u2126\u1100\u1161\u11a8\uac00\u200d\u200c\ufe0f\u034f\u2000\u3000\u0f73\U0001D15E\u0344\n\t\u0344\u0340\u0374\ufb1d")
	rapid.Check(t, func(rt *rapid.T) {
		sent := rapid.StringOfN(rapid.SampledFrom(awkward), 0, 40, -1).Draw(rt, "text")
		b, _ := json.Marshal(map[string]any{"first_name": "x" + sent, "last_name": sent,
			"custom_attributes": map[string]string{"k": sent}})
		a, err := create(t, string(b))
		if err != nil {
			return
		}
		b, _ = json.Marshal(map[string]any{"first_name": a.FirstName, "last_name": a.LastName,
			"custom_attributes": a.CustomAttributes})
		again, err := create(t, string(b))
		again.ID = a.ID
		if err != nil || !athlete.Equal(a, again) {
			rt.Fatalf("%+q is kept as %+q, %+q, %+q, then as %+q, %+q, %+q: %v", sent, a.FirstName, a.LastName,
				a.CustomAttributes["k"], again.FirstName, again.LastName, again.CustomAttributes["k"], err)
		}
		if athlete.AttributeText(sent) != a.CustomAttributes["k"] {
			rt.Fatalf("a search for %+q compares %+q, and %+q is stored", sent, athlete.AttributeText(sent),
				a.CustomAttributes["k"])
		}
	})
}
