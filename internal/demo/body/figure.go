package body

import "math"

// The sides, as indexes; sign is how y counts to the outside.
const left, right = 0, 1

var sign = [2]float64{1, -1}

// foot is where a foot is.
type foot struct {
	frame      frame
	ball, heel vec // on the sole
	ankle      vec
}

// limb is an arm or a leg: the two long bones, and what hangs at them.
type limb struct {
	upper, middle, lower vec // hip, knee, ankle; or shoulder, elbow, wrist
	first, second        frame
}

// figure is a person in a pose: where the joints are and how bones lie. Lengths are
// metres.
type figure struct {
	size                  float64 // the stature
	pelvis, waist, neck   vec
	hips, thorax, head    frame
	legs, arms            [2]limb
	feet                  [2]foot
	fingers               [2]vec
	grip, shaft, clubHead vec     // of what the hands hold
	stretched             float64 // by how much the leg that reaches furthest falls short, in metres
}

// clubLength is how far the head of a club is from the hands, as part of the stature.
const clubLength = 0.55

// stand makes the figure of a pose. With keep the pelvis comes down where a leg
// would not reach its foot; without it the figure says by how much it does not.
func (p Person) stand(q pose, hold holding, keep bool) *figure {
	h := p.Stature
	f := &figure{size: h}
	f.hips = room.aboutZ(q[yaw]).aboutY(q[tilt]).aboutX(q[list])
	f.pelvis = vec{q[pelvisX], q[pelvisY], q[pelvisZ]}.times(h)
	for s := range 2 {
		f.feet[s] = p.foot(q, channel(s))
	}
	if keep {
		heights := []float64{f.pelvis.z}
		for s := range 2 {
			hip, ankle := f.hip(s), f.feet[s].ankle
			flat := math.Hypot(hip.x-ankle.x, hip.y-ankle.y)
			reach := 0.994 * (thighLength + shankLength) * h
			heights = append(heights, ankle.z+math.Sqrt(math.Max(0, reach*reach-flat*flat))-(hip.z-f.pelvis.z))
		}
		f.pelvis.z = least(0.003*h, heights...)
	}
	f.waist = f.pelvis.add(f.hips.out(vec{z: waistUp * h}))
	f.thorax = f.hips.aboutZ(q[twist]).aboutY(q[bend]).aboutX(q[side])
	f.neck = f.waist.add(f.thorax.out(vec{z: neckUp * h}))
	f.head = f.thorax.aboutZ(q[turn]).aboutY(q[nod])
	for s := range 2 {
		f.leg(s)
	}
	f.hold(q, hold)
	return f
}

// hip is where a hip joint is.
func (f *figure) hip(s int) vec {
	return f.pelvis.add(f.hips.out(vec{y: sign[s] * hipHalf * f.size}))
}

// shoulder is where a shoulder joint is.
func (f *figure) shoulder(s int) vec {
	return f.waist.add(f.thorax.out(vec{y: sign[s] * shoulderHalf, z: shoulderUp}.times(f.size)))
}

// foot rolls over its ball when the heel is lifted and over its heel when the toes
// are, and so never gets under the ground.
func (p Person) foot(q pose, s channel) foot {
	h := p.Stature
	f := foot{frame: room.aboutZ(q[toeOut+s]).aboutY(q[heel+s])}
	drop := math.Sin(-q[heel+s] * math.Pi / 180) // how much lower the heel is, of its distance
	f.ball = vec{q[ballX+s], q[ballY+s], q[lift+s] + heelBehind*roundCorner(drop, 0.02)}.times(h)
	f.heel = f.ball.add(f.frame.out(vec{x: -heelBehind * h}))
	f.ankle = f.ball.add(f.frame.out(vec{x: -ankleBehind, z: ankleHeight}.times(h)))
	return f
}

// leg bends the knee so that the hip reaches the foot. The knee points where the
// toes do.
func (f *figure) leg(s int) {
	hip, ankle := f.hip(s), f.feet[s].ankle
	forward := f.feet[s].frame[0]
	forward.z = 0
	var short float64
	f.legs[s], short = bendTo(hip, ankle, forward, thighLength*f.size, shankLength*f.size)
	f.stretched = math.Max(f.stretched, short)
}

// bendTo lays two bones from one end to the other, with the joint between them on
// the side that it points to. It says by how much they fall short.
func bendTo(upper, lower, pointing vec, first, second float64) (limb, float64) {
	reach := lower.sub(upper)
	distance, down := reach.length(), reach.unit()
	short := math.Max(0, distance-(first+second))
	distance = math.Max(math.Min(distance, (first+second)*0.99999), math.Abs(first-second)+1e-6)
	out := pointing.across(down).unit()
	ahead := (distance*distance + first*first - second*second) / (2 * distance)
	beside := math.Sqrt(math.Max(0, first*first-ahead*ahead))
	l := limb{upper: upper, lower: upper.add(down.times(distance))}
	l.middle = upper.add(down.times(ahead)).add(out.times(beside))
	axis := out.cross(down)
	l.first, l.second = along(upper.sub(l.middle), axis), along(l.middle.sub(l.lower), axis)
	return l, short
}

// flexion is by how much the joint in the middle is bent.
func (l limb) flexion() float64 { return between(l.upper.sub(l.middle), l.middle.sub(l.lower)) }

// centre is the centre of mass.
func (f *figure) centre() vec {
	h := f.size
	c := f.pelvis.add(f.hips.out(vec{z: 0.03 * h})).times(pelvisMass)
	c = c.add(f.waist.add(f.thorax.out(vec{z: 0.035 * h})).times(abdomenMass))
	c = c.add(f.waist.add(f.thorax.out(vec{z: 0.155 * h})).times(thoraxMass))
	c = c.add(f.neck.add(f.head.out(vec{x: 0.01, z: headUp}.times(h))).times(headMass))
	for s := range 2 {
		leg, arm := f.legs[s], f.arms[s]
		c = c.add(leg.upper.to(leg.middle, thighCentre).times(thighMass))
		c = c.add(leg.middle.to(leg.lower, shankCentre).times(shankMass))
		c = c.add(f.feet[s].ankle.to(f.feet[s].ball, footCentre).times(footMass))
		c = c.add(arm.upper.to(arm.middle, upperArmCentre).times(upperArmMass))
		c = c.add(arm.middle.to(arm.lower, forearmCentre).times(forearmMass))
		c = c.add(arm.lower.to(f.fingers[s], handCentre).times(handMass))
	}
	return c
}
