package demo_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/demo"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/organization"
)

// read reads a made-up file as anybody's.
func read(t *testing.T, name string, data []byte) *motion.Recording {
	t.Helper()
	rec, err := motion.Read(name, bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return rec
}

func TestMotionFilesAreReadWithoutAnyDoubt(t *testing.T) {
	motions, err := demo.MotionsOf(1, now)
	if err != nil {
		t.Fatal(err)
	}
	if len(motions) != demo.Motions || len(motions) < 8 || len(motions) > 12 {
		t.Errorf("%d motions", len(motions))
	}
	athletes, _, _ := sample(1)
	there := map[string]bool{}
	for _, a := range athletes {
		there[a.ID] = true
	}
	who, days, groups := map[string]bool{}, map[string]bool{}, map[string]string{}
	last := now
	for _, m := range motions {
		rec := read(t, m.FileName, m.File)
		if len(rec.Warnings) > 0 || rec.Metres != 0.001 || rec.Frames < 200 {
			t.Errorf("%s: %d frames, %d m, warnings %v", m.FileName, rec.Frames, int(1000*rec.Metres), rec.Warnings)
		}
		if strings.HasSuffix(m.FileName, ".c3d") && len(rec.Events) == 0 {
			t.Errorf("%s has no events", m.FileName)
		}
		c := m.Capture
		if len(c.AthleteIDs) != 1 || !there[c.AthleteIDs[0]] {
			t.Fatalf("%s is of %v, who is not an athlete of the sample", m.FileName, c.AthleteIDs)
		}
		if other, ok := groups[m.Group]; ok && other != c.AthleteIDs[0] {
			t.Errorf("the group of %s is of another athlete, too", m.FileName)
		}
		if _, ok := organization.ParseUUID(m.Group); !ok {
			t.Errorf("%s is of the group %q", m.FileName, m.Group)
		}
		groups[m.Group] = c.AthleteIDs[0]
		who[c.AthleteIDs[0]], days[c.CaptureTime.Format("2006-01-02")] = true, true
		if c.CaptureTime.After(last) {
			t.Errorf("%s is newer than the one before", m.FileName)
		}
		last = *c.CaptureTime
		for _, name := range capture.Dimensions(*c.Activity, *c.Movement) {
			if c.Dimensions[name] == "" {
				t.Errorf("%s has no %s", m.FileName, name)
			}
		}
		if want := len(capture.Dimensions(*c.Activity, *c.Movement)); len(c.Dimensions) != want {
			t.Errorf("%s has the dimensions %v", m.FileName, c.Dimensions)
		}
	}
	if len(who) < 4 || len(days) < 4 {
		t.Errorf("%d athletes on %d days", len(who), len(days))
	}
}

func TestOneMovementIsThereInTwoFormats(t *testing.T) {
	files, err := demo.Files(1)
	if err != nil {
		t.Fatal(err)
	}
	read2 := map[string]*motion.Recording{}
	for _, f := range files {
		if strings.HasPrefix(f.Name, "squats.") {
			read2[f.Name] = read(t, f.Name, f.Data)
		}
	}
	a, b := read2["squats.c3d"], read2["squats.trc"]
	if a == nil || b == nil {
		t.Fatalf("of the two there is %v", read2)
	}
	if len(b.Points) != 39 || a.Rate != b.Rate || a.Frames != b.Frames {
		t.Fatalf("%d markers; %g and %g frames a second, %d and %d frames", len(b.Points), a.Rate, b.Rate, a.Frames,
			b.Frames)
	}
	for i := range b.Points {
		p, q := &a.Points[i], &b.Points[i]
		for f := range a.Frames {
			same := p.X[f] == q.X[f] && p.Y[f] == q.Y[f] && p.Z[f] == q.Z[f] || p.Missing(f) && q.Missing(f)
			if p.Name != q.Name || !same {
				t.Fatalf("frame %d of %s and %s differ", f, p.Name, q.Name)
			}
		}
	}
}

func TestTheSameSeedGivesTheSameFiles(t *testing.T) {
	files := func(seed uint64) []demo.File {
		all, err := demo.Files(seed)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	if !reflect.DeepEqual(files(7), files(7)) {
		t.Error("two runs of one seed differ")
	}
	if a, b := files(7), files(8); bytes.Equal(a[0].Data, b[0].Data) {
		t.Error("two seeds give the same")
	}
}
