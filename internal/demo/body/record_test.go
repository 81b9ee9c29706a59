package body

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/motion/record"
)

// recorded makes a recording.
func recorded(t *testing.T, p Person, m Movement, seed uint64) *record.Recording {
	t.Helper()
	rec, err := p.Record(m, seed)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// point finds a point by its label.
func point(t *testing.T, rec *record.Recording, label string) *record.Point {
	t.Helper()
	for i := range rec.Points {
		if rec.Points[i].Label() == label {
			return &rec.Points[i]
		}
	}
	t.Fatalf("there is no point %s", label)
	return nil
}

func TestTheSameSeedGivesTheSameRecording(t *testing.T) {
	bits := func(seed uint64) (all []uint32) {
		for _, p := range recorded(t, people[1], Squats, seed).Points {
			for i := range p.X {
				all = append(all, math.Float32bits(p.X[i]), math.Float32bits(p.Z[i]))
			}
		}
		return all
	}
	if !reflect.DeepEqual(bits(3), bits(3)) {
		t.Error("two recordings of one seed differ")
	}
	if reflect.DeepEqual(bits(3), bits(4)) {
		t.Error("two seeds give the same")
	}
}

func TestARecordingIsOfTheUsualMarkers(t *testing.T) {
	want := strings.Fields(`LFHD RFHD LBHD RBHD C7 T10 CLAV STRN RBAK
		LSHO LUPA LELB LFRM LWRA LWRB LFIN RSHO RUPA RELB RFRM RWRA RWRB RFIN
		LASI RASI LPSI RPSI LTHI LKNE LTIB LANK LHEE LTOE RTHI RKNE RTIB RANK RHEE RTOE`)
	for _, m := range Movements {
		for _, p := range people {
			rec := recorded(t, p, m, 1)
			there, gaps, outside := 0, 0, 0
			for i := range rec.Points {
				q := &rec.Points[i]
				if q.Quantity != record.Position || q.Subject != "" {
					continue
				}
				there++
				for f := range rec.Frames {
					switch {
					case q.Missing(f):
						gaps++
					case q.Z[f] < -10 || q.Z[f] > 3500 || math.Abs(float64(q.X[f])) > 3000:
						outside++
					}
				}
			}
			for _, name := range want {
				point(t, rec, name)
			}
			if there != len(want) || outside > 0 {
				t.Errorf("%s: %d markers, want %d; %d times one was where nobody is", m, there, len(want), outside)
			}
			if share := float64(gaps) / float64(there*rec.Frames); gaps == 0 || share > 0.02 {
				t.Errorf("%s: %.2f %% of the markers are not seen, want some and few", m, 100*share)
			}
			if rec.Rate < 100 || rec.Rate > 200 || rec.Duration() < 2 || rec.Duration() > 6.1 {
				t.Errorf("%s: %g frames a second for %.2f s", m, rec.Rate, rec.Duration())
			}
			for _, e := range rec.Events {
				if e.Time <= 0 || e.Time >= rec.Duration() {
					t.Errorf("%s: %s is at %.3f s of %.3f", m, e.Label, e.Time, rec.Duration())
				}
			}
		}
	}
	if _, err := people[0].Record("somersault", 1); err == nil {
		t.Error("a somersault is made, and nobody has said how")
	}
}

// TestMarkersOfOneBoneKeepTheirDistance sees bones as somebody does who has the
// file alone.
func TestMarkersOfOneBoneKeepTheirDistance(t *testing.T) {
	for _, m := range Movements {
		rec := recorded(t, people[1], m, 2)
		for _, pair := range [][2]string{
			{"LASI", "RASI"}, {"LFHD", "RBHD"}, {"C7", "T10"}, {"CLAV", "RBAK"}, {"LUPA", "LELB"}, {"RUPA", "RELB"},
			{"LFRM", "LWRA"}, {"RFRM", "RWRB"}, {"LTHI", "LKNE"}, {"RTHI", "RKNE"}, {"LHEE", "LTOE"}, {"RHEE", "RTOE"},
		} {
			a, b := point(t, rec, pair[0]), point(t, rec, pair[1])
			least, most := math.Inf(1), 0.0
			for f := range rec.Frames {
				if a.Missing(f) || b.Missing(f) {
					continue
				}
				d := math.Hypot(math.Hypot(float64(a.X[f]-b.X[f]), float64(a.Y[f]-b.Y[f])), float64(a.Z[f]-b.Z[f]))
				least, most = math.Min(least, d), math.Max(most, d)
			}
			if most-least > 14*markerNoise {
				t.Errorf("%s: %s and %s are %.1f to %.1f mm apart", m, pair[0], pair[1], least, most)
			}
		}
	}
}

func TestALeftHandedPersonIsTheMirrorImage(t *testing.T) {
	p := people[1]
	right := recorded(t, p, GolfSwing, 5)
	p.Left = true
	left := recorded(t, p, GolfSwing, 5)
	for _, pair := range [][2]string{{"LFIN", "RFIN"}, {"RKNE", "LKNE"}, {"C7", "C7"}, {"Club:HEAD", "Club:HEAD"}} {
		a, b := point(t, right, pair[0]), point(t, left, pair[1])
		for f := range right.Frames {
			if a.Missing(f) || b.Missing(f) {
				continue
			}
			if d := math.Hypot(math.Hypot(float64(a.X[f]-b.X[f]), float64(a.Y[f]+b.Y[f])), float64(a.Z[f]-b.Z[f])); d >
				12*markerNoise {
				t.Fatalf("in frame %d %s and the mirrored %s are %.1f mm apart", f, pair[0], pair[1], d)
			}
		}
	}
	// The back is marked on one side only, which is the right one of everybody.
	for _, rec := range []*record.Recording{right, left} {
		back, spine, other := point(t, rec, "RBAK"), point(t, rec, "T10"), point(t, rec, "RSHO")
		if (back.Y[0] < spine.Y[0]) != (other.Y[0] < spine.Y[0]) {
			t.Error("RBAK is not on the right")
		}
	}
}

func TestThePlateWeighsWhoStandsOnIt(t *testing.T) {
	rec := recorded(t, people[1], Squats, 1)
	if len(rec.Analogs) != 1 || rec.Analogs[0].Name != "Fz1" || rec.Analogs[0].Rate != 1000 {
		t.Fatalf("channels %v", rec.Analogs)
	}
	sum := 0.0
	for _, v := range rec.Analogs[0].Values[:500] {
		sum += float64(v) / 500
	}
	if want := 72 * 9.80665; math.Abs(sum-want) > 1 {
		t.Errorf("%.1f N, want %.1f", sum, want)
	}
}
