package body

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/plate"
	"github.com/kinebase/kinebase/motion/plate/platetest"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/movement"
)

// laboratory is a recording, all of it in memory.
type laboratory struct{ rec *record.Recording }

func (l laboratory) Stretch(from, n int) (*motion.Recording, error) {
	rec := *l.rec
	rec.Frames, rec.Analogs, rec.Points = n, nil, nil
	for _, p := range l.rec.Points {
		p.X, p.Y, p.Z, p.Residual = p.X[from:from+n], p.Y[from:from+n], p.Z[from:from+n], nil
		rec.Points = append(rec.Points, p)
	}
	for _, c := range l.rec.Analogs {
		c.Values = c.Values[from*c.PerFrame : (from+n)*c.PerFrame]
		rec.Analogs = append(rec.Analogs, c)
	}
	return &rec, nil
}

// measured is what the library finds in it.
func (l laboratory) measured(t *testing.T, activity, name string) *frames.Computed {
	t.Helper()
	return l.measuredAs(t, activity, name, "")
}

// measuredAs is what it finds in that of a hand.
func (l laboratory) measuredAs(t *testing.T, activity, name, hand string) *frames.Computed {
	t.Helper()
	var table, samples bytes.Buffer
	info, _, kept, err := frames.WriteKeeping(&table, &samples, motion.C3D, l.rec.Frames, l,
		func(i *frames.Info) []string { return movement.Wanted(activity, name, i, nil) })
	if err != nil {
		t.Fatal(err)
	}
	rec := &movement.Recording{Info: info, Handedness: hand}
	for to, b := range map[**frames.Table]*bytes.Buffer{&rec.Table: &table, &rec.Samples: &samples} {
		if b.Len() == 0 {
			continue
		}
		if *to, err = frames.Open(bytes.NewReader(b.Bytes()), int64(b.Len())); err != nil {
			t.Fatal(err)
		}
	}
	found := movement.Measure(activity, name, rec)
	if rec.Kept = kept; !reflect.DeepEqual(movement.Measure(activity, name, rec), found) {
		t.Errorf("%s %s is another by what is kept in memory than by the tables", activity, name)
	}
	return found
}

// onPlates has the person jump in a laboratory of two platforms of a random type, which lie
// anywhere, along any axes. Each foot carries its share of the force.
func (does *performance) onPlates(chance *rand.Rand, share float64) laboratory {
	n := int(does.duration * does.rate)
	per := int(plateRate / does.rate)
	noise := plateNoise / math.Sqrt2 // so that both together have that of one
	rec := &record.Recording{Rate: does.rate, Frames: n, FirstFrame: 1, Unit: "mm", Metres: 0.001}
	up := chance.IntN(3)
	for side := range 2 {
		floor := platetest.Nth(chance, up, side)
		p, units := floor.Describe(chance, 1+chance.IntN(4))
		for i, unit := range units {
			p.Channels = append(p.Channels, len(rec.Analogs))
			rec.Analogs = append(rec.Analogs, record.Channel{Name: fmt.Sprintf("plate%d.%d", side+1, i+1), Unit: unit,
				Rate: plateRate, PerFrame: per, Values: make([]float32, n*per)})
		}
		for i := range n * per {
			force := does.force(float64(i)/plateRate) * []float64{share, 1 - share}[side]
			cop := plate.Vector{20 * math.Sin(float64(i)/300), 10, 0}
			if force == 0 {
				cop = plate.Vector{}
			}
			v := platetest.Channels(p, plate.Vector{0.02 * force, 0, -force + noise*chance.NormFloat64()}, cop, 0)
			for c, place := range p.Channels {
				rec.Analogs[place].Values[i] = float32(v[c])
			}
		}
		rec.Plates = append(rec.Plates, p)
	}
	return laboratory{rec}
}

// seedsOf is how many people are made up; fewer in a short run.
func seedsOf(all int) int {
	if testing.Short() {
		return 20
	}
	return all
}

func TestTheLibraryMeasuresJumpsAsHighAsTheyWere(t *testing.T) {
	seeds := seedsOf(200)
	worst := 0.0
	for seed := range seeds {
		chance := rand.New(rand.NewPCG(uint64(seed), 0x6a756d70))
		stature := 1.5 + 0.55*chance.Float64()
		p := Person{Stature: stature, Mass: (18 + 12*chance.Float64()) * stature * stature, Left: chance.IntN(2) == 0}
		kind := []Movement{Countermovement, ArmSwing, SquatJump}[chance.IntN(3)]
		name := map[bool]string{true: "squat", false: "countermovement"}[kind == SquatJump]
		does, err := p.perform(kind, chance.Float64())
		if err != nil {
			t.Fatal(err)
		}
		lab := does.onPlates(chance, 0.4+0.2*chance.Float64())
		got := lab.measured(t, "jump", name)
		values := map[string]float64{}
		for _, m := range got.Metrics {
			if m.Value != nil {
				values[m.Column] = *m.Value
			}
		}
		off := 0.0
		for _, e := range got.Events {
			if e.Column == "takeoff_frame" {
				off = e.Time
			}
		}
		failed := func(format string, args ...any) {
			t.Errorf("seed %d, %s of %.2f m and %.1f kg: %s; withheld %v, notes %v", seed, kind, p.Stature, p.Mass,
				fmt.Sprintf(format, args...), got.Withheld, got.Used.Notes)
		}
		height, ok := values["jump_height_impulse"]
		if !ok || math.Abs(height-does.rise) > 0.003 {
			failed("the height is %.4f m, want %.4f", height, does.rise)
		}
		worst = max(worst, math.Abs(height-does.rise))
		if weight := p.Mass * gravity; math.Abs(values["body_weight"]-weight) > 0.001*weight {
			failed("the weight is %.2f N, want %.2f", values["body_weight"], weight)
		}
		if math.Abs(off-does.events[0].time) > 0.002 {
			failed("the take-off is at %.4f s, want %.4f", off, does.events[0].time)
		}
		if kind == SquatJump && values["countermovement"] != 0 {
			failed("a squat jump without a dip is called one with")
		}
	}
	t.Logf("%d jumps, the height off by at most %.2f mm", seeds, 1000*worst)
}

// turned puts all places of a recording into a laboratory that is turned about the vertical, has
// another axis upwards, and another unit.
func turned(rec *record.Recording, yaw float64, up int, metres float64) {
	for i := range rec.Points {
		p := &rec.Points[i]
		if p.Quantity != record.Position {
			continue
		}
		for k := range p.X {
			x, y, z := float64(p.X[k]), float64(p.Y[k]), float64(p.Z[k])
			x, y = math.Cos(yaw)*x-math.Sin(yaw)*y, math.Sin(yaw)*x+math.Cos(yaw)*y
			var q [3]float32
			for axis, v := range [3]float64{x, y, z} {
				q[(axis+1+up)%3] = float32(v / 1000 / metres)
			}
			p.X[k], p.Y[k], p.Z[k] = q[0], q[1], q[2]
		}
	}
	for i := range rec.Plates {
		p := &rec.Plates[i]
		for k, c := range p.Corners {
			x, y := math.Cos(yaw)*c[0]-math.Sin(yaw)*c[1], math.Sin(yaw)*c[0]+math.Cos(yaw)*c[1]
			for axis, v := range [3]float64{x, y, c[2]} {
				p.Corners[k][(axis+1+up)%3] = v / 1000 / metres
			}
		}
		for axis := range p.Origin {
			p.Origin[axis] /= 1000 * metres
		}
	}
	rec.Metres, rec.Up = metres, []string{"+x", "+y", "+z"}[up]
}

// pelvisHeight is that of the middle of the pelvis markers at a time, without noise.
func (does *performance) pelvisHeight(t float64) (sum float64) {
	for _, m := range does.figure(t).markers(false) {
		switch m.name {
		case "LASI", "RASI", "LPSI", "RPSI":
			sum += m.at.z / 4
		}
	}
	return sum
}

// depthOf is how far the middle of the pelvis markers goes down in the first squat, by the
// definition of the library, without noise and without gaps.
func (does *performance) depthOf() float64 {
	const step = 0.005
	top, low := math.Inf(-1), math.Inf(1)
	for t := 0.0; t < does.events[0].time+0.5; t += step {
		h := does.pelvisHeight(t)
		if t < does.events[0].time {
			top = max(top, h)
		}
		low = min(low, h)
	}
	return 0.95 * (top - low)
}

func TestTheLibraryMeasuresSquatsAsDeepAsTheyWere(t *testing.T) {
	seeds := seedsOf(200)
	worst, measured := 0.0, 0
	for seed := range seeds {
		chance := rand.New(rand.NewPCG(uint64(seed), 0x7371756174))
		stature := 1.5 + 0.55*chance.Float64()
		p := Person{Stature: stature, Mass: 23 * stature * stature, Left: chance.IntN(2) == 0}
		rec, err := p.Record(Squats, uint64(seed))
		if err != nil {
			t.Fatal(err)
		}
		does := p.squats(rand.New(rand.NewPCG(uint64(seed), 0x626f6479)).Float64())
		turned(rec, 2*math.Pi*chance.Float64(), chance.IntN(3), []float64{1, 0.001}[chance.IntN(2)])
		got := laboratory{rec}.measured(t, "squat", "bodyweight")
		want := does.depthOf()
		for _, m := range got.Metrics {
			if m.Column == "squat_depth" {
				measured++
				worst = max(worst, math.Abs(*m.Value-want))
				if math.Abs(*m.Value-want) > 0.003 {
					t.Errorf("seed %d: the depth is %.4f m, want %.4f; notes %v", seed, *m.Value, want, got.Used.Notes)
				}
			}
			if m.Column == "repetitions" && *m.Value != 2 {
				t.Errorf("seed %d: %v repetitions, want 2", seed, *m.Value)
			}
		}
		for _, e := range got.Events {
			if e.Column == "squat_bottom_frame" && math.Abs(e.Time-does.events[0].time) > 0.1 &&
				math.Abs(e.Time-does.events[1].time) > 0.1 {
				t.Errorf("seed %d: the lowest position is at %.3f s, want %.3f", seed, e.Time, does.events[0].time)
			}
		}
	}
	if measured < seeds*6/10 {
		t.Errorf("of %d squats %d have a depth", seeds, measured)
	}
	t.Logf("%d of %d squats have a depth, off by at most %.2f mm", measured, seeds, 1000*worst)
}

// risesOf is how far the middle of the pelvis markers rises above standing, without noise.
func (does *performance) risesOf() float64 {
	top := 0.0
	for t := 0.0; t < does.duration; t += 0.005 {
		top = max(top, does.pelvisHeight(t))
	}
	return top - does.pelvisHeight(0.25)
}

func TestTheLibraryMeasuresHowHighAPelvisRisesWhereThereIsNoForce(t *testing.T) {
	seeds := seedsOf(60)
	worst, measured := 0.0, 0
	for seed := range seeds {
		chance := rand.New(rand.NewPCG(uint64(seed), 0x66656574))
		stature := 1.5 + 0.55*chance.Float64()
		p := Person{Stature: stature, Mass: 23 * stature * stature, Left: chance.IntN(2) == 0}
		kind := []Movement{Countermovement, ArmSwing}[chance.IntN(2)]
		rec, err := p.Record(kind, uint64(seed))
		if err != nil {
			t.Fatal(err)
		}
		does, err := p.perform(kind, rand.New(rand.NewPCG(uint64(seed), 0x626f6479)).Float64())
		if err != nil {
			t.Fatal(err)
		}
		rec.Analogs, rec.Plates = nil, nil
		turned(rec, 2*math.Pi*chance.Float64(), chance.IntN(3), []float64{1, 0.001}[chance.IntN(2)])
		want := does.risesOf()
		for _, m := range (laboratory{rec}).measured(t, "jump", "countermovement").Metrics {
			if m.Column != "jump_height_standing" {
				t.Errorf("seed %d: %s is given without a force", seed, m.Column)
				continue
			}
			measured++
			if worst = max(worst, math.Abs(*m.Value-want)); math.Abs(*m.Value-want) > 0.005 {
				t.Errorf("seed %d: the pelvis rises by %.4f m, want %.4f", seed, *m.Value, want)
			}
		}
	}
	if measured < seeds/2 {
		t.Errorf("of %d jumps %d have a height", seeds, measured)
	}
	t.Logf("%d of %d jumps have a height of the pelvis, off by at most %.1f mm", measured, seeds, 1000*worst)
}
