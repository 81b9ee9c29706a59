package body

import (
	"math"
	"math/rand/v2"

	"github.com/kinebase/kinebase/motion/record"
)

// plateRate is how many samples a second the force plate gives.
const plateRate = 1000

// The noise of what is measured: of each coordinate of a marker in mm, and of the
// plates together in N.
const (
	markerNoise = 0.25
	plateNoise  = 1.5
)

// Record makes a recording of the person doing a movement: 39 markers in mm with a
// little noise and a few gaps, the flexions of knees and elbows in degrees, the
// moments that matter as events, of jumps two force plates, and of other movements on one its
// vertical force "Fz1" in N. The seed makes noise, gaps and the repetition's own course.
// The error is that of a movement that there is not.
func (p Person) Record(m Movement, seed uint64) (*record.Recording, error) {
	chance := rand.New(rand.NewPCG(seed, 0x626f6479))
	does, err := p.perform(m, chance.Float64())
	if err != nil {
		return nil, err
	}
	n := int(math.Round(does.duration*does.rate)) + 1
	rec := &record.Recording{Rate: does.rate, Frames: n, FirstFrame: 1, Unit: "mm", Metres: 0.001, Up: "+z"}
	figures := make([]*figure, n)
	for i := range figures {
		figures[i] = does.figure(float64(i) / does.rate)
	}
	p.addMarkers(rec, figures, chance)
	if does.club {
		p.addClub(rec, figures, chance)
	}
	p.addAngles(rec, figures)
	p.addForce(rec, does, chance)
	for _, e := range does.events {
		rec.Events = append(rec.Events,
			record.Event{Label: e.label, Context: record.General, Time: math.Round(1000*e.time) / 1000})
	}
	return rec, nil
}

// seen puts a place into a point, mirrored for a left-handed person.
func (p Person) seen(to *record.Point, i int, at vec) {
	if p.Left {
		at.y = -at.y
	}
	to.X[i], to.Y[i], to.Z[i] = float32(1000*at.x), float32(1000*at.y), float32(1000*at.z)
}

// newPoint makes a point with room for n frames.
func newPoint(name string, quantity record.Quantity, n int) record.Point {
	return record.Point{Name: name, Quantity: quantity, X: make([]float32, n), Y: make([]float32, n),
		Z: make([]float32, n)}
}

// name is what a marker or an angle is called on the side where it is.
func (p Person) name(name string) string {
	if p.Left && name != "RBAK" {
		switch name[0] {
		case 'L':
			return "R" + name[1:]
		case 'R':
			return "L" + name[1:]
		}
	}
	return name
}

func (p Person) addMarkers(rec *record.Recording, figures []*figure, chance *rand.Rand) {
	var points []record.Point
	for i, f := range figures {
		for k, m := range f.markers(p.Left) {
			if i == 0 {
				points = append(points, newPoint(p.name(m.name), record.Position, rec.Frames))
			}
			p.seen(&points[k], i, m.at)
		}
	}
	for k := range points {
		blur(&points[k], chance)
	}
	// Now and then a marker is hidden from the cameras.
	for range 3 + chance.IntN(4) {
		from, n := 20+chance.IntN(rec.Frames-80), 4+chance.IntN(36)
		hide(&points[chance.IntN(len(points))], from, n)
	}
	rec.Points = append(rec.Points, points...)
}

// blur adds what cameras are wrong by, and how much they believe it to be.
func blur(p *record.Point, chance *rand.Rand) {
	p.Residual = make([]float32, len(p.X))
	for i := range p.X {
		for _, v := range [3]*float32{&p.X[i], &p.Y[i], &p.Z[i]} {
			*v += float32(markerNoise * chance.NormFloat64())
		}
		p.Residual[i] = float32(0.3 + 0.25*math.Abs(chance.NormFloat64()))
	}
}

// hide has a marker not seen in n frames.
func hide(p *record.Point, from, n int) {
	for i := from; i < min(from+n, len(p.X)); i++ {
		p.X[i], p.Y[i], p.Z[i] = record.NaN32, record.NaN32, record.NaN32
		p.Residual[i] = record.NaN32
	}
}

// addClub adds both ends of what the hands hold, as a subject of its own.
func (p Person) addClub(rec *record.Recording, figures []*figure, chance *rand.Rand) {
	grip, head := newPoint("GRIP", record.Position, rec.Frames), newPoint("HEAD", record.Position, rec.Frames)
	for i, f := range figures {
		p.seen(&grip, i, f.grip)
		p.seen(&head, i, f.clubHead)
	}
	for _, point := range []*record.Point{&grip, &head} {
		point.Subject = "Club"
		blur(point, chance)
		rec.Points = append(rec.Points, *point)
	}
}

// addAngles adds flexions as capture software writes angles: three numbers, of
// which those about the other two axes are 0 for a hinge.
func (p Person) addAngles(rec *record.Recording, figures []*figure) {
	for s, l := range [2]string{"L", "R"} {
		knee, elbow := newPoint(p.name(l+"KneeAngles"), record.Angle, rec.Frames),
			newPoint(p.name(l+"ElbowAngles"), record.Angle, rec.Frames)
		knee.Unit, elbow.Unit = "deg", "deg"
		for i, f := range figures {
			knee.X[i], elbow.X[i] = float32(f.legs[s].flexion()), float32(f.arms[s].flexion())
		}
		rec.Points = append(rec.Points, knee, elbow)
	}
}

// addForce adds the plates, or the plate of which the vertical force alone is known, if there
// are any.
func (p Person) addForce(rec *record.Recording, does *performance, chance *rand.Rand) {
	switch {
	case does.loads != nil:
		p.addPlates(rec, does, chance)
		return
	case does.force == nil:
		return
	}
	perFrame := int(plateRate / does.rate)
	plate := record.Channel{Name: "Fz1", Unit: "N", Rate: plateRate, PerFrame: perFrame,
		Values: make([]float32, rec.Frames*perFrame)}
	for i := range plate.Values {
		plate.Values[i] = float32(does.force(float64(i)/plateRate) + plateNoise*chance.NormFloat64())
	}
	rec.Analogs = append(rec.Analogs, plate)
}
