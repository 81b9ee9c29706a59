package movement_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/record"
	"pgregory.net/rapid"
)

type place [3]float64

// person is the points of somebody in the course of time, in m, forwards along x, to the left
// along y, upwards along z.
type person struct {
	rate   float64
	frames int
	names  []string
	at     func(name string, i int) place
}

// laboratory is where a person is recorded: turned about the vertical by an angle, from a place,
// with an axis upwards, and a unit of so many metres.
type laboratory struct {
	yaw    float64
	from   place
	up     int // 0, 1, 2
	metres float64
	told   bool // the file says which axis is up
	lost   map[string][2]int
	twice  bool // everything is there twice
}

// seen is a place along the axes of the laboratory, in its unit; turn is the cosine and the sine of its
// angle.
func (l laboratory) seen(p place, turn [2]float64) (q place) {
	x, y := turn[0]*p[0]-turn[1]*p[1], turn[1]*p[0]+turn[0]*p[1]
	q[(l.up+1)%3], q[(l.up+2)%3], q[l.up] = x+l.from[0], y+l.from[1], p[2]+l.from[2]
	for i := range q {
		q[i] /= l.metres
	}
	return q
}

// points is a recording of points alone, as a source of stretches.
type points struct{ *motion.Recording }

func (p points) Stretch(from, n int) (*motion.Recording, error) {
	rec := *p.Recording
	rec.Frames, rec.Points, rec.Angles, rec.Analogs = n, slices.Clone(p.Points), slices.Clone(p.Angles),
		slices.Clone(p.Analogs)
	for i := range rec.Points {
		q := &rec.Points[i]
		q.X, q.Y, q.Z = q.X[from:from+n], q.Y[from:from+n], q.Z[from:from+n]
	}
	for i := range rec.Angles {
		rec.Angles[i].Values = rec.Angles[i].Values[from : from+n]
	}
	for i := range rec.Analogs {
		rec.Analogs[i].Values = rec.Analogs[i].Values[from*rec.Analogs[i].PerFrame : (from+n)*rec.Analogs[i].PerFrame]
	}
	if p.Times != nil {
		rec.Times = p.Times[from : from+n]
	}
	return &rec, nil
}

// record has the person recorded in the laboratory.
func (l laboratory) record(p person) *motion.Recording {
	rec := &motion.Recording{Frames: p.frames, Rate: p.rate, Unit: "mm", Metres: l.metres}
	if l.told {
		rec.Up = []string{"+x", "+y", "+z"}[l.up]
	}
	turn := [2]float64{math.Cos(l.yaw), math.Sin(l.yaw)}
	for _, name := range p.names {
		all := make([]float32, 3*p.frames)
		q := record.Point{Name: name, Quantity: record.Position, X: all[:p.frames], Y: all[p.frames : 2*p.frames],
			Z: all[2*p.frames:]}
		for i := range p.frames {
			at := l.seen(p.at(name, i), turn)
			if gap, ok := l.lost[name]; ok && i >= gap[0] && i < gap[1] {
				at = place{math.NaN(), math.NaN(), math.NaN()}
			}
			q.X[i], q.Y[i], q.Z[i] = float32(at[0]), float32(at[1]), float32(at[2])
		}
		rec.Points = append(rec.Points, q)
		if l.twice {
			rec.Points = append(rec.Points, q)
		}
	}
	return rec
}

func measurePoints(t testing.TB, activity, name string, rec *motion.Recording) *frames.Computed {
	t.Helper()
	return measureBoth(t, activity, name, tables(t, motion.TRC, rec.Frames, points{rec}))
}

// wantWithheld wants some columns to be withheld for a reason, or to be given where it is "", and one to be kept
// where it is named.
func wantWithheld(t *testing.T, what string, got *frames.Computed, reason string, columns []string, kept string) {
	t.Helper()
	for _, column := range columns {
		if code, message := why(got, column); code != reason {
			t.Errorf("%s: %s is withheld as %q, want %q: %s", what, column, code, reason, message)
		}
	}
	if v := number(got, kept); kept != "" && v != v {
		code, message := why(got, kept)
		t.Errorf("%s: %s is withheld too: %s %s", what, kept, code, message)
	}
}

// handed is somebody who moves as a right-hander does, or as in a mirror: frames a second, how long and from when
// in s, whether the names of the sides are exchanged, and the joints that are not there.
type handed struct {
	rate, lasts, late float64
	left, swapped     bool
	lost              []string
}

// person has the joints where a right-hander has them at a time in s.
func (h handed) person(at func(name string, t float64) place) person {
	swapped := strings.NewReplacer("L", "R", "R", "L")
	return person{rate: h.rate, frames: int(h.lasts * h.rate), names: without(halpe, h.lost...),
		at: func(name string, i int) place {
			if h.left != h.swapped && (name[0] == 'L' || name[0] == 'R') {
				name = swapped.Replace(name[:1]) + name[1:]
			}
			p := at(name, h.late+float64(i)/h.rate)
			if h.left {
				p[1] = -p[1]
			}
			return p
		}}
}

// halpe are the names of the joints of a person in the order of sides.
var halpe = []string{
	"Hip", "LHip", "RHip", "LKnee", "RKnee", "LAnkle", "RAnkle", "LHeel", "RHeel", "LBigToe", "RBigToe", "LSmallToe",
	"RSmallToe",
	"Neck", "Head", "LShoulder", "RShoulder", "LElbow", "RElbow", "LWrist", "RWrist", "LEar", "REar",
}

// upright is where a joint of halpe is in somebody who stands, in the middle of the body, what it
// is called without its side, and the side: 1 for left, -1 for right, 0 for neither.
func upright(name string) (p place, base string, side float64) {
	switch base = name; name[0] {
	case 'L':
		base, side = name[1:], 1
	case 'R':
		base, side = name[1:], -1
	}
	return standing[base], base, side
}

// without is a list of names but for some.
func without(names []string, lost ...string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(lost, name) })
}

// standing is where joints are in somebody who stands.
var standing = map[string]place{
	"Hip": {0, 0, 1}, "Knee": {0, 0, 0.55}, "Ankle": {0, 0, 0.08}, "Heel": {-0.06, 0, 0.03}, "BigToe": {0.17, 0, 0.02},
	"SmallToe": {0.17, 0, 0.02},
	"Neck":     {0, 0, 1.5}, "Shoulder": {0, 0, 1.45}, "Elbow": {0, 0, 1.15}, "Wrist": {0, 0, 0.9}, "Ear": {0, 0, 1.65},
	"Head": {0, 0, 1.75},
}

// squatting is somebody who squats three times, deeper each time, with knees that go outwards by
// so much at the lowest position of the first.
type squatting struct {
	rate, leg, depth, outwards float64
}

// down is how deep the pelvis is at a time, from 0 to 1.
func (s squatting) down(t float64) float64 {
	for k := range 3 {
		if from := 1 + 2.5*float64(k); t >= from && t < from+2 {
			return (1 - math.Cos(math.Pi*(t-from))) / 2 * (0.9 + 0.05*float64(k))
		}
	}
	return 0
}

func (s squatting) person() person {
	return person{rate: s.rate, frames: int(9 * s.rate), names: halpe, at: func(name string, i int) place {
		down := s.down(float64(i) / s.rate)
		half := s.leg / 2
		hip := place{0, 0, 0.08 + s.leg*0.99 - s.depth*down}
		// The knee is as far from the hip as from the ankle.
		rise := (hip[2] - 0.08) / 2
		forwards := math.Sqrt(max(0, half*half-rise*rise-s.outwards*s.outwards*down*down))
		knee := place{forwards, s.outwards * down, 0.08 + rise}
		var p place
		side := 0.0
		switch name[0] {
		case 'L':
			side = 1
		case 'R':
			side = -1
		}
		base := name
		if side != 0 {
			base = name[1:]
		}
		switch base {
		case "Hip":
			p = hip
		case "Knee":
			p = knee
		case "Ankle":
			p = place{0, 0, 0.08}
		case "Heel":
			p = place{-0.06, 0, 0.03}
		case "BigToe", "SmallToe":
			p = place{0.17, 0, 0.02}
		case "Neck", "Shoulder":
			p = place{0.03, 0, hip[2] + 0.5}
		case "Elbow":
			p = place{0.2, 0, hip[2] + 0.3}
		case "Wrist":
			p = place{0.4, 0, hip[2] + 0.3}
		default:
			p = place{0.05, 0, hip[2] + 0.7}
		}
		p[1] = (p[1] + 0.12) * side
		return p
	}}
}

func TestASquatIsTheSameInEveryLaboratory(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := squatting{
			rate:     rapid.SampledFrom([]float64{60, 100, 250}).Draw(rt, "rate"),
			leg:      rapid.Float64Range(0.75, 1).Draw(rt, "leg"),
			depth:    rapid.Float64Range(0.2, 0.6).Draw(rt, "depth"),
			outwards: rapid.Float64Range(-0.06, 0.06).Draw(rt, "outwards"),
		}
		l := laboratory{
			yaw: rapid.Float64Range(0, 2*math.Pi).Draw(rt, "yaw"), up: rapid.IntRange(0, 2).Draw(rt, "up"),
			metres: rapid.SampledFrom([]float64{1, 0.01, 0.001}).Draw(rt, "metres"),
			from: place{rapid.Float64Range(-5, 5).Draw(rt, "x"), rapid.Float64Range(-5, 5).Draw(rt, "y"),
				rapid.Float64Range(-1, 1).Draw(rt, "z")}, told: rapid.Bool().Draw(rt, "told"),
		}
		got := measurePoints(t, "squat", "bodyweight", l.record(s.person()))
		bottom := 2.0
		hip, knee, ankle := s.person().at("LHip", int(bottom*s.rate)), s.person().at("LKnee", int(bottom*s.rate)),
			s.person().at("LAnkle", int(bottom*s.rate))
		flexion := 180 - between(hip, knee, ankle)
		want := map[string]float64{
			"repetitions": 3, "squat_depth": 0.95 * 0.9 * s.depth, "peak_knee_flexion_left": flexion,
			"peak_knee_flexion_right":    flexion,
			"left_knee_valgus_at_bottom": 0.9 * s.outwards, "right_knee_valgus_at_bottom": 0.9 * s.outwards,
		}
		if hip[2]-knee[2] != 0 {
			want["hip_below_knee"] = map[bool]float64{true: 1, false: 0}[hip[2] < knee[2]]
		}
		// A repetition begins and ends at a frame, half a frame from where it truly does.
		near := map[string]float64{"squat_depth": 0.001 + 0.7*s.depth/s.rate, "peak_knee_flexion_left": 1.5,
			"peak_knee_flexion_right": 1.5, "left_knee_valgus_at_bottom": 0.002, "right_knee_valgus_at_bottom": 0.002}
		for column, value := range want {
			if g := number(got, column); !(math.Abs(g-value) <= near[column]) {
				code, message := why(got, column)
				rt.Errorf("%s is %v, want %v (%s %s)", column, g, value, code, message)
			}
		}
		if g := moment(got, "squat_bottom_frame"); !(math.Abs(g-bottom) < 0.02) {
			rt.Errorf("the lowest position is at %v s, want %v", g, bottom)
		}
		if up := []string{"+x", "+y", "+z"}[l.up]; got.Used.Up != up || got.Used.MarkerSet != "HALPE 26" ||
			len(got.Used.Landmarks["pelvis"]) != 1 {
			rt.Errorf("used %+v", got.Used)
		}
	})
}

// between is the angle at b, in degrees.
func between(a, b, c place) float64 {
	var dot, u, v float64
	for i := range a {
		x, y := a[i]-b[i], c[i]-b[i]
		dot, u, v = dot+x*y, u+x*x, v+y*y
	}
	return math.Acos(dot/math.Sqrt(u*v)) * 180 / math.Pi
}
