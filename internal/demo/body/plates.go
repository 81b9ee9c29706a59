package body

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/kinebase/kinebase/motion/record"
)

// The two force plates of the laboratory lie side by side, a foot on each: their sides along and
// across where people face, the gap between them, how far their middles are ahead of the ankles,
// and how deep their sensors are, in m.
const (
	plateLong, plateShort = 0.6, 0.4
	plateGap              = 0.005
	plateAhead            = 0.03
	plateDepth            = 0.04
)

// load is what the ground bears up a foot with, in N, and where on the ground, in m.
type load struct{ force, at vec }

// loads gives the loads of the left and the right foot. The centre of pressure of both together
// is that of a body whose mass is all at its centre, as far as the soles reach. The stronger side
// carries a little more, and so its foot is loaded further inside.
func (j *jump) loads(t float64) (all [2]load) {
	bears := j.bears(t)
	if bears == 0 {
		return all
	}
	x, _, ahead := j.middle.at(t)
	z, _, _ := j.height.at(t)
	forwards := j.p.Mass * ahead
	heels, toes := j.feet[left].heel.x, j.feet[left].ball.x+0.04*j.p.Stature
	x = min(max(x-z*forwards/bears, heels), toes)
	share := [2]float64{left: 0.5 - j.stronger, right: 0.5 + j.stronger}
	inside := share[left]*j.feet[left].ball.y + share[right]*j.feet[right].ball.y
	for s := range all {
		all[s] = load{vec{forwards, 0, bears}.times(share[s]), vec{x, j.feet[s].ball.y - inside, 0}}
	}
	return all
}

// floor is where a plate lies: its middle, and its axes in the room. Its z points down.
type floor struct {
	middle vec
	axes   frame
}

// floors are the plates in the order of the file: the one at the side of positive y first.
func floors() (all [2]floor) {
	for i := range all {
		all[i] = floor{vec{plateAhead, sign[i] * (plateShort + plateGap) / 2, 0},
			frame{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}}
	}
	return all
}

// within takes a direction of the room to the axes of the plate.
func (f floor) within(v vec) vec { return vec{v.dot(f.axes[0]), v.dot(f.axes[1]), v.dot(f.axes[2])} }

// corners are those of the plate in the order of its quadrants, in mm.
func (f floor) corners() (c [4][3]float64) {
	for i, q := range [4]vec{{1, 1, 0}, {-1, 1, 0}, {-1, -1, 0}, {1, -1, 0}} {
		at := f.middle.add(f.axes.out(vec{q.x * plateLong / 2, q.y * plateShort / 2, 0})).times(1000)
		c[i] = [3]float64{at.x, at.y, at.z}
	}
	return c
}

// channels are what a plate of type 2 writes under a load: forces in N, and moments about its
// sensors in N·mm.
func (f floor) channels(l load) [6]float64 {
	force, at := f.within(l.force), f.within(l.at.sub(f.middle))
	moment := at.sub(vec{0, 0, -plateDepth}).cross(force).times(1000)
	return [6]float64{force.x, force.y, force.z, moment.x, moment.y, moment.z}
}

// addPlates adds both plates, with six channels each.
func (p Person) addPlates(rec *record.Recording, does *performance, chance *rand.Rand) {
	perFrame := int(plateRate / does.rate)
	samples := rec.Frames * perFrame
	plates := floors()
	first := len(rec.Analogs)
	for n, f := range plates {
		out := record.Plate{Type: 2, Corners: f.corners(), Origin: [3]float64{0, 0, -1000 * plateDepth}}
		for c, name := range []string{"Fx", "Fy", "Fz", "Mx", "My", "Mz"} {
			unit := "N"
			if c > 2 {
				unit = "Nmm"
			}
			out.Channels = append(out.Channels, len(rec.Analogs))
			rec.Analogs = append(rec.Analogs, record.Channel{Name: fmt.Sprint(name, n+1), Unit: unit, Rate: plateRate,
				PerFrame: perFrame, Values: make([]float32, samples)})
		}
		rec.Plates = append(rec.Plates, out)
	}
	for i := range samples {
		for s, l := range does.loads(float64(i) / plateRate) {
			n := s
			if p.Left { // the mirror image has its other foot there
				n, l.force.y, l.at.y = 1-s, -l.force.y, -l.at.y
			}
			for c, v := range plates[n].channels(l) {
				noise := plateNoise / math.Sqrt2 // so that both plates together have that of one
				if c > 2 {
					noise *= 100
				}
				rec.Analogs[first+6*n+c].Values[i] = float32(v + noise*chance.NormFloat64())
			}
		}
	}
}
