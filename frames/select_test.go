package frames_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/frames"
)

func chosenFrom() frames.Info {
	point := func(name string) frames.Channel {
		return frames.Channel{Name: name, Kind: frames.KindPoint,
			Columns: []string{name + "_x", name + "_y", name + "_z"}}
	}
	plain := func(name, column string) frames.Channel {
		return frames.Channel{Name: name, Kind: frames.KindAnalog, Columns: []string{column}}
	}
	return frames.Info{Channels: []frames.Channel{
		point("LASI"), point("RASI"), plain("Fz1", "Fz1"), plain("Fz2", "Fz2"), plain("time", "time_2"),
		plain("a,b", "a,b"), plain("x*y", "x*y"), plain(`c\d`, `c\d`), plain("Left knee", "Left knee"),
	}}
}

func TestAListOfNamesChoosesColumns(t *testing.T) {
	for list, want := range map[string]string{
		"":                    "LASI_x LASI_y LASI_z RASI_x RASI_y RASI_z Fz1 Fz2 time_2 a,b x*y c\\d Left knee",
		"*":                   "LASI_x LASI_y LASI_z RASI_x RASI_y RASI_z Fz1 Fz2 time_2 a,b x*y c\\d Left knee",
		"LASI":                "LASI_x LASI_y LASI_z",
		"LASI_*,Fz1":          "LASI_x LASI_y LASI_z Fz1",
		"Fz1, LASI_y":         "Fz1 LASI_y",
		"Fz*,Fz1":             "Fz1 Fz2",
		"*ASI_z":              "LASI_z RASI_z",
		"*A*I*x":              "LASI_x RASI_x",
		"time":                "time_2",
		"frame,time,Fz2":      "time_2 Fz2",
		"frame":               "",
		`a\,b`:                "a,b",
		`x\*y`:                "x*y",
		`c\\d`:                `c\d`,
		" Left knee ,  Fz1\t": "Left knee Fz1",
	} {
		got, err := frames.Select(chosenFrom(), list)
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%q chooses %q (%v), want %q", list, got, err, want)
		}
	}
}

func TestANameThatNothingHasIsRefusedByName(t *testing.T) {
	for list, named := range map[string]string{"lasi": "lasi", "Fz1,Fz9": "Fz9", "Q*": "Q*", "Fz1,,Fz2": `""`,
		"LASI_": "LASI_", `a\*b`: `a\\*b`, "*ASI*ASI*": "*ASI*ASI*"} {
		got, err := frames.Select(chosenFrom(), list)
		if !fault.Is(err, fault.BadRequest) || !strings.Contains(err.Error(), named) {
			t.Errorf("%q chooses %q: %v", list, got, err)
		}
	}
}

func TestAnyNameCanBeChosenAlone(t *testing.T) {
	escape := strings.NewReplacer(`\`, `\\`, ",", `\,`, "*", `\*`)
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`[ab,*\\_x]{0,5}[ab,*\\]`), 1,
			6, func(s string) string { return s }).Draw(t, "names")
		var info frames.Info
		for _, name := range names {
			info.Channels = append(info.Channels, frames.Channel{Name: name, Columns: []string{name}})
		}
		for _, name := range names {
			if got, err := frames.Select(info, escape.Replace(name)); err != nil || !slices.Equal(got, []string{name}) {
				t.Fatalf("%q chooses %q (%v) of %q", escape.Replace(name), got, err, names)
			}
		}
	})
}

func TestACallGivesAMillionValuesAtMost(t *testing.T) {
	if err := frames.Limit(10_000, 100); err != nil {
		t.Error(err)
	}
	err := frames.Limit(10_001, 100)
	if !fault.Is(err, fault.BadRequest) || !strings.Contains(err.Error(), "1000100 values") ||
		!strings.Contains(err.Error(), "every") {
		t.Error(err)
	}
}
