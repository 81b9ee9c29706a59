package intake_test

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/intake"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
)

func TestATableBesideTheFilesSaysWhoseTheyAreAndWhatTheyShow(t *testing.T) {
	labs(t, func(t *testing.T, l *lab) {
		ada, ben, zoe := l.person("Ada", "Berg", "ada@example.org"), l.person("Ben", "Lund", ""),
			l.person("Zo\u00eb", "", "zoe@example.org")
		folder := lay(t, map[string]string{
			"kinebase.csv": "\ufeffMovement;FILE;athlete;arm_position;activity;capture_time;\r\n" +
				"squat;jumps/*.trc;" + strings.ToUpper(ada) + ";arm-swing;jump;2026-05-13T12:00;\r\n" +
				";;;;;;\r\n" +
				"\"counter;movement\";jumps/**;ADA@Example.org | zoe\u0308;;jump;;\r\n" +
				"; golf\\swing.c3d ;  ben   LUND|ben lund ;;golf;;\r\n" +
				"lost;nowhere.trc;;;;;\r\n",
			"jumps/a.trc": "good a", "jumps/b.c3d": "good b", "jumps/deep/c.trc": "good c",
			"golf/swing.c3d": "good swing", "other.trc": "good other",
			"jumps/deep/kinebase.csv": "file\tactivity\nd.trc\tdeeper\n", "jumps/deep/d.trc": "good d",
		})
		o := l.bring(folder).went(t)
		for file, want := range map[string]string{
			"jumps/a.trc":      "jump squat [arm_position=arm-swing] [" + ada + "]",
			"jumps/b.c3d":      "jump counter;movement [] [" + ada + " " + zoe + "]",
			"jumps/deep/c.trc": "jump counter;movement [] [" + ada + " " + zoe + "]",
			"jumps/deep/d.trc": "deeper - [] []",
			"golf/swing.c3d":   "golf - [] [" + ben + "]",
			"other.trc":        "- - [] []",
		} {
			if got := l.stored(o, file); said(got.Capture) != want {
				t.Errorf("%s became %s, want %s", file, said(got.Capture), want)
			}
		}
		a := l.stored(o, "jumps/a.trc")
		if a.Capture.CaptureTime == nil ||
			!a.Capture.CaptureTime.Equal(time.Date(2026, 5, 13, 12, 0, 0, 0, time.UTC)) ||
			!strings.Contains(a.Table, "/activity=jump/movement=squat/") {
			t.Errorf("kept is %+v", a)
		}
		want := []string{"kinebase.csv:6: there is no motion file nowhere.trc, or an earlier row already names it"}
		if !reflect.DeepEqual(o.skipped, want) {
			t.Errorf("skipped %q", o.skipped)
		}
	})
}

func TestLabelsThatAreLikelyMisspeltAreTakenAndToldByLineWithTheLikelySpelling(t *testing.T) {
	labs(t, func(t *testing.T, l *lab) {
		folder := lay(t, map[string]string{
			"kinebase.csv": "file,activity,movement,eyes,handedness\n" +
				"a.trc,Jump,contermovement,,\n" +
				"b.trc,jmp,squat,,\n" +
				"c.trc,gait,walk,open,\n" + // a lab's own
				"d.trc,stability,single_leg_stance,open,\n" +
				"e.trc,jump,squat,open,left\n" +
				"f.trc,,rotery,,\n" +
				"g.trc,tenis,,,\n" +
				"h.trc,,,,left\n" +
				"i.trc,squat,bodyweight,shut,\n",
			"a.trc": "good a", "b.trc": "good b", "c.trc": "good c", "d.trc": "good d", "e.trc": "good e",
			"f.trc": "good f", "g.trc": "good g", "h.trc": "good h", "i.trc": "good i",
		})
		o := l.bring(folder).went(t)
		if o.summary.Captures != 9 || o.summary.Failed != 0 {
			t.Errorf("summary %+v", o.summary)
		}
		if got := l.stored(o, "a.trc"); said(got.Capture) != "Jump contermovement [] []" {
			t.Errorf("a.trc became %s", said(got.Capture))
		}
		const taken = "; it was taken as it stands, and nothing is measured of it"
		want := []string{
			"kinebase.csv:2: movement: the library of movements has no jump/contermovement; jump/countermovement is " +
				"likely meant" + taken,
			"kinebase.csv:3: activity: the library of movements has no jmp/squat; jump/squat is likely meant" + taken,
			"kinebase.csv:6: eyes: eyes is kept and not shown, for jump/squat has no such dimension; it has " +
				"arm_position",
			"kinebase.csv:6: handedness: handedness is kept and not shown, for jump/squat has no such dimension; it " +
				"has arm_position",
			"kinebase.csv:7: movement: the library of movements has no movement rotery; rotary is likely meant" + taken,
			"kinebase.csv:8: activity: the library of movements has no activity tenis; tennis is likely meant" + taken,
			"kinebase.csv:9: handedness: handedness is kept and not shown: which dimensions a capture has is told by " +
				"its activity and movement, and the row does not give both",
			"kinebase.csv:10: eyes: eyes is kept and not shown, for squat/bodyweight has no such dimension",
		}
		if !reflect.DeepEqual(o.noticed, want) {
			t.Errorf("noticed\n%s\nwant\n%s", strings.Join(o.noticed, "\n"), strings.Join(want, "\n"))
		}
	})
}

func TestWhatIsWrongInATableIsToldByLineAndColumnAndItsFilesAreNotImported(t *testing.T) {
	labs(t, func(t *testing.T, l *lab) {
		l.person("Ada", "Berg", "ada@example.org")
		first, second := l.person("Kim", "Li", "kim@example.org"), l.person("KIM", "li", "kim@example.org")
		folder := lay(t, map[string]string{
			"kinebase.csv": "file,athlete,capture_time,eyes,movement\n" +
				"a.trc,Cleo Dahl\n" +
				"b.trc,kim li\n" +
				"c.trc,kim@EXAMPLE.org\n" +
				"d.trc,0190f0e5-7b1c-7cc3-98c4-dc0c0c07398f,13.5.2026," + strings.Repeat("x", 129) + "\n" +
				"e.trc,,,,,surplus\n" +
				",Ada Berg,,,\n" +
				"../f.trc,Ada Berg,,,\n" +
				"g.trc,Ada Berg|nobody@example.org,,,\n" +
				"h.trc,,,,\"two\nlines\"\n" +
				"good.trc,ada  berg,,,\n",
			"a.trc": "good", "b.trc": "good", "c.trc": "good", "d.trc": "good", "e.trc": "good", "g.trc": "good",
			"h.trc": "good", "good.trc": "good",
		})
		o := l.bring(folder)
		if o.err != nil || o.summary.Captures != 1 || o.summary.Failed != 9+7 {
			t.Errorf("summary %+v, %v", o.summary, o.err)
		}
		got := strings.Join(o.told(), "\n")
		got = regexp.MustCompile(first+", "+second+"|"+second+", "+first).ReplaceAllString(got, "IDS")
		want := strings.Join([]string{
			`kinebase.csv:2: athlete: athlete names "Cleo Dahl", but no athlete of the organization is called that`,
			`kinebase.csv:3: athlete: athlete names "kim li", but more than one athlete is called that: write the id of the one that is meant (IDS)`,
			`kinebase.csv:4: athlete: athlete names "kim@EXAMPLE.org", but more than one athlete has that e-mail: write the id of the one that is meant (IDS)`,
			`kinebase.csv:5: athlete: athlete names 0190f0e5-7b1c-7cc3-98c4-dc0c0c07398f, which is no athlete of the organization`,
			`kinebase.csv:5: capture_time: capture_time must be an ISO 8601 date and time such as 2026-05-13T12:00:00.000Z`,
			`kinebase.csv:5: eyes: eyes must be at most 128 characters long`,
			`kinebase.csv:6: cell 6, "surplus", stands in no column that has a name`,
			`kinebase.csv:7: file: file is required: the path of a motion file from here, or a pattern with * and **`,
			`kinebase.csv:8: file: file must be the path of a motion file from here on, such as walk.c3d or monday/*.trc`,
			`kinebase.csv:9: athlete: athlete names "nobody@example.org", but no athlete of the organization has that e-mail`,
			`kinebase.csv:10: movement: movement must not hold control characters`,
		}, "\n")
		for i, name := range []string{"a", "b", "c", "d", "e", "g", "h"} {
			want += fmt.Sprintf("\n%s.trc: is not imported, because line %d of kinebase.csv speaks of it and was "+
				"refused", name, []int{2, 3, 4, 5, 6, 9, 10}[i])
		}
		if got != want {
			t.Errorf("told is\n%s\nwant\n%s", got, want)
		}
		if l.stored(o, "good.trc"); len(o.skipped) > 0 {
			t.Errorf("skipped %q", o.skipped)
		}
	})
}

func TestATableThatCannotBeUsedKeepsItsFilesOut(t *testing.T) {
	l := newLab(t, store.Options{Data: t.TempDir()})
	for text, want := range map[string]string{
		"": "below/kinebase.csv: is empty: its first line must name its columns, of " +
			"which file is one",
		"file,activty\na.trc,jump\n": `below/kinebase.csv:1: activty: "activty" is no column of such a table; activity is likely meant. There are file, athlete, activity, movement, capture_time, landmark, points, and the movement dimensions: arm_position, `,
		"athlete\nAda\n": "below/kinebase.csv:1: file: file is required as a column: it says which " +
			"motion files a row speaks of",
		"file,FILE\na.trc,\n":           "below/kinebase.csv:1: file: file must not be there twice",
		"file,movement\na.trc,\"jump\n": "below/kinebase.csv:2: has quotes that do not match",
		"file,movement\na.trc,J\xe4g\n": "below/kinebase.csv:2: is not in UTF-8: save it as CSV in UTF-8",
		"\xff\xfef\x00i\x00l\x00e\x00":  "below/kinebase.csv: is in UTF-16: save it as CSV in UTF-8",
	} {
		o := l.bring(lay(t, map[string]string{"below/kinebase.csv": text, "below/a.trc": "good",
			"below/deep/b.trc": "good", "c.trc": "good"}))
		told := o.told()
		if o.err != nil || len(told) != 3 || !strings.HasPrefix(told[0], want) || o.made["c.trc"].Capture == nil ||
			len(o.made) != 1 {
			t.Errorf("with %q told is\n%s", text, strings.Join(told, "\n"))
			continue
		}
		for i, file := range []string{"below/a.trc", "below/deep/b.trc"} {
			if told[i+1] != file+": is not imported, because below/kinebase.csv cannot be used" {
				t.Errorf("with %q told is %q", text, told[i+1])
			}
		}
	}
	o := l.bring(lay(t, map[string]string{"KineBase.CSV": "file\na.trc\n"}))
	if told := o.told(); len(told) != 1 || !strings.Contains(told[0], "small letters") {
		t.Errorf("told is %q", told)
	}
}

func TestATableIsReadHoweverASpreadsheetWritesIt(t *testing.T) {
	l := newLab(t, store.Options{Data: t.TempDir()})
	const text = "file;activity\na.trc;squat\n;\nb.trc;oops\n"
	for name, text := range map[string]string{
		"line feeds":        text,
		"carriage returns":  strings.ReplaceAll(text, "\n", "\r"),
		"both":              strings.ReplaceAll(text, "\n", "\r\n"),
		"a mark":            "\ufeff" + text,
		"commas":            strings.ReplaceAll(text, ";", ","),
		"tabs":              strings.ReplaceAll(text, ";", "\t"),
		"bars, told":        "sep=|\n" + strings.ReplaceAll(text, ";", "|"),
		"a told separator":  "sep=;\r\n" + strings.ReplaceAll(text, "\n", "\r\n"),
		"a mark and one":    "\ufeff\"sep=;\"\n" + text,
		"another than most": "sep=,\n" + "file,activity,movement\na.trc,squat,a;b;c;d\n",
	} {
		o := l.bring(lay(t, map[string]string{"kinebase.csv": text, "a.trc": "good " + name, "c.trc": "good"}))
		made := o.made["a.trc"].Capture
		if o.err != nil || made == nil || made.Activity == nil || *made.Activity != "squat" {
			t.Errorf("%s: a.trc became %+v; told is %q", name, made, o.told())
		}
	}
	// The line that tells the separator is a line of the file.
	o := l.bring(lay(t, map[string]string{"kinebase.csv": "sep=;\nfile;capture_time\na.trc;never\n", "a.trc": "good"}))
	if told := o.told(); len(told) == 0 || !strings.HasPrefix(told[0], "kinebase.csv:3: ") {
		t.Errorf("told is %q", told)
	}
}

func TestATableCountsBeforeTheOptionsFieldByField(t *testing.T) {
	labs(t, func(t *testing.T, l *lab) {
		ada, ben := l.person("Ada", "Berg", ""), l.person("Ben", "", "")
		ids, err := intake.FindAthletes(t.Context(), l.store, l.scope, "ben", " Ben ", ben)
		l.must(err)
		defaults, err := intake.Labels(map[string]string{"activity": "jump", "movement": " squat ",
			"arm_position": "arm-swing", "eyes": "open"})
		l.must(err)
		defaults.AthleteIDs = ids
		options := func(im *intake.Import) { im.Folders.Defaults = defaults }
		folder := lay(t, map[string]string{
			"a.trc": "good a", "b.trc": "good b",
			"kinebase.csv": "file,athlete,movement,eyes,capture_time\na.trc,Ada " +
				"Berg,,closed,2026-05-13T12:00:00+02:00\n",
		})
		o := l.bring(folder, options).went(t)
		for file, want := range map[string]string{
			"a.trc": "jump squat [arm_position=arm-swing eyes=closed] [" + ada + "]",
			"b.trc": "jump squat [arm_position=arm-swing eyes=open] [" + ben + "]",
		} {
			if got := l.stored(o, file); said(got.Capture) != want {
				t.Errorf("%s became %s, want %s", file, said(got.Capture), want)
			}
		}
		// What is said another way the next time is changed, without reading a file.
		l.reader.reads()
		l.rewrite(folder, "kinebase.csv", "file,athlete,movement,handedness\na.trc,ben|Ada Berg,drop,left\n")
		o = l.bring(folder, options).went(t)
		if e := o.effects(); e[manifest.Updated] != 1 || e[manifest.Unchanged] != 1 || l.reader.reads() != 0 {
			t.Errorf("effects %v", e)
		}
		got := l.stored(o, "a.trc")
		if want := "jump drop [arm_position=arm-swing eyes=open handedness=left] [" + ben + " " + ada +
			"]"; said(got.Capture) != want {
			t.Errorf("a.trc is %s now, want %s", said(got.Capture), want)
		}
		if got.Capture.CaptureTime == nil || got.Table == "" {
			t.Errorf("a.trc is %+v now", got)
		}
		// What is not said any more stays.
		if o := l.bring(folder).went(t); o.effects()[manifest.Unchanged] != 2 {
			t.Errorf("without options: %v", o.effects())
		}
	})
}

func TestTheTimeThatAFileKnowsCountsBeforeThatOfTheTable(t *testing.T) {
	labs(t, func(t *testing.T, l *lab) {
		folder := lay(t, map[string]string{
			"dated.trc": "dated 2026-05-13T12:00:00.1239Z", "undated.trc": "good",
			"kinebase.csv": "file,capture_time\n*,2020-01-02T03:04:05Z\n",
		})
		for range 2 {
			o := l.bring(folder).went(t)
			for file, want := range map[string]time.Time{"dated.trc": time.Date(2026, 5, 13, 12, 0, 0, 123e6, time.UTC),
				"undated.trc": time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)} {
				if got := l.stored(o, file).Capture.CaptureTime; got == nil || !got.Equal(want) {
					t.Errorf("%s is of %v, want %v", file, got, want)
				}
			}
		}
	})
}

func TestAnAthleteThatIsDeletedMeanwhileKeepsTheFileOutAlone(t *testing.T) {
	labs(t, func(t *testing.T, l *lab) {
		gone := organization.NewUUID()
		o := l.bring(lay(t, map[string]string{"a.trc": "good", "b.trc": "good b",
			"kinebase.csv": "file,athlete\nb.trc," + l.person("Ada", "", "") + "\n"}), func(im *intake.Import) {
			im.Folders.Defaults = capture.Capture{AthleteIDs: []string{gone}}
		})
		if told := o.told(); o.err != nil || o.summary.Captures != 1 || len(told) != 1 ||
			told[0] != "a.trc: is not imported: an athlete that it belongs to has been deleted meanwhile" {
			t.Errorf("told is %q, %v", told, o.err)
		}
		l.erase()
		if kept := l.keeps(); len(kept) != 3 {
			t.Errorf("kept is %q", kept)
		}
	})
}

func TestAnAthleteIsFoundAmongMany(t *testing.T) {
	labs(t, func(t *testing.T, l *lab) {
		var records []manifest.Record
		for i := range 1203 { // several pages of those whose names begin alike
			records = append(records, manifest.Record{Athlete: person(fmt.Sprintf("Ann%04d", i), "Lee")})
		}
		records = append(records, manifest.Record{Athlete: person("Ann", "Lee")},
			manifest.Record{Athlete: person("Ann_Lee", "")})
		_, err := l.store.Import(t.Context(), l.scope, records, false)
		l.must(err)
		for called, want := range map[string]string{"ann lee": "Ann", "ANN0777 lee": "Ann0777", "Ann_Lee": "Ann_Lee"} {
			ids, err := intake.FindAthletes(t.Context(), l.store, l.scope, called)
			if err != nil || len(ids) != 1 {
				t.Errorf("%s is %v, %v", called, ids, err)
				continue
			}
			if a, err := l.store.Athlete(t.Context(), l.scope, ids[0]); err != nil || a.FirstName != want {
				t.Errorf("%s is %+v, %v", called, a, err)
			}
		}
		if _, err := intake.FindAthletes(t.Context(), l.store, l.scope, "ann"); err == nil {
			t.Error("a part of a name is somebody")
		}
	})
}
