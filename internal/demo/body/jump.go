package body

import "math"

// jump is a jump straight up, out of a movement down or out of a crouch.
//
// The centre of mass leads: its height is a curve that falls with gravity in
// flight, and pelvis and legs follow so that it is where it should be. So what
// the plate under the feet bears is right in every moment.
type jump struct {
	p           Person
	pace        float64 // what times are to be multiplied by
	hold        holding
	score       score
	height      curve // of the centre of mass, in metres
	off, landed float64
	rise        float64 // velocity at take-off, m/s
	leaves      float64 // height of the centre at take-off
	pelvisAbove curve   // of the balls of the feet while in flight, parts of the stature
	middle      curve   // x of the centre
	feet        [2]foot // as they stand, and land
	stronger    float64 // how much more than a half of the force the foot of the better side has
}

func (p Person) jump(hold holding, crouch bool, variation float64) *performance {
	// A small person has less far to push, is slower and takes less time for it: times of
	// falling grow with the root of the length.
	h, pace := p.Stature, math.Sqrt(p.Stature/1.75)
	j := &jump{p: p, hold: hold, pace: pace, rise: (2.25 + 0.3*variation) * pace}
	if hold == free {
		j.rise += 0.25 * pace
	}
	depth := (0.155 + 0.02*variation) * h
	stand := stance(0.075, 8)
	q := pose{}.with(stand)
	tall := p.stand(q, hold, true).centre().z - 0.005*h
	// The feet leave the ground with the legs almost straight and the heels on their way
	// up, and meet it so, but with the arms lower.
	high, low := set{}, set{}
	if hold == free {
		high.both(set{plane: 80, elevation: 125, elbow: 34, rotation: 80})
		low.both(set{plane: 76, elevation: 66, elbow: 30, rotation: 76})
	}
	toes := q.with(set{pelvisZ: 1}.both(set{heel: 36}))
	j.leaves = p.stand(toes.with(high), hold, true).centre().z - 0.022*h
	touches := p.stand(toes.with(low), hold, true).centre().z - 0.027*h

	// When the centre begins to sink: whoever measures the jump by its force weighs the person
	// in the second before.
	const start = 1.3
	bottom := start + 0.56*pace
	begin := bottom
	push, up := pushed(depth+j.leaves-tall, j.rise)
	if crouch {
		bottom, begin = start+pace, start+pace+0.9
		depth *= 0.9
		push, up = (depth+j.leaves-tall)/(0.47*j.rise), 0
	}
	leave := begin + push
	j.off = leave
	falls := math.Sqrt(j.rise*j.rise + 2*gravity*(j.leaves-touches)) // downward, at landing
	j.landed = leave + (j.rise+falls)/gravity
	absorbed := j.landed + (touches-tall+0.85*depth)/(0.44*falls)
	risen := absorbed + 0.95*pace

	s := &j.score
	s.at(0, stand)
	s.at(start+0.08*pace, set{tilt: 6, bend: 2, nod: -4})
	s.at(bottom, set{tilt: 38, bend: 14, nod: -28})
	s.at(begin, set{tilt: 38, bend: 14, nod: -28})
	s.at(leave+0.02*pace, set{tilt: 4, bend: 0, nod: -4})
	s.at(j.landed-0.05*pace, set{tilt: 10, bend: 3, nod: -8})
	s.at(absorbed, set{tilt: 32, bend: 12, nod: -24})
	s.at(risen-0.15*pace, set{tilt: 6, bend: 2, nod: -4})
	for _, side := range []channel{heel, heelRight} {
		s.at(leave-0.13*pace, set{side: 0})
		s.at(leave, set{side: 36})
		s.at(leave+0.07*pace, set{side: 56})
		s.at(j.landed-0.07*pace, set{side: 50})
		s.at(j.landed, set{side: 36})
		s.at(j.landed+0.13*pace, set{side: 0})
	}
	if hold == free {
		raise := func(t, elevates, bends, across float64) {
			s.at(t, set{}.both(set{plane: across, elevation: elevates, elbow: bends, rotation: across}))
		}
		raise(start, 12, 14, 60)
		raise(bottom-0.17*pace, -44, 18, 78)
		raise(leave+0.04*pace, 142, 34, 82)
		raise(j.landed+0.05*pace, 62, 30, 76)
		raise(absorbed+0.1, 18, 24, 66)
		raise(risen+0.2, 12, 14, 60)
	}
	s.ready()

	j.height = curve{{t: start, value: tall}, {t: bottom, value: tall - depth, bend: up}}
	if crouch {
		j.height = append(j.height, key{t: begin, value: tall - depth})
	}
	j.height = append(j.height,
		key{leave, j.leaves, j.rise, -gravity},
		key{j.landed, touches, -falls, -gravity},
		key{absorbed, tall - 0.85*depth, 0, 1.5},
		key{t: risen, value: tall})
	heels, balls := 0.03*h, 0.062*h // the weight goes onto the balls of the feet
	j.middle = through(curve{{t: start, value: heels}, {t: begin, value: heels + 0.2*(balls-heels)},
		{t: leave - 0.05*pace, value: balls}, {t: j.landed + 0.05*pace, value: balls}, {t: risen, value: heels}})
	j.settleFlight()
	j.feet, j.stronger = j.figure(0).feet, 0.005+0.02*variation
	return &performance{
		duration: risen + 0.7, rate: 200,
		figure: j.figure,
		force:  j.bears,
		loads:  j.loads,
		events: []event{{"Take-off", j.off}, {"Landing", j.landed}},
		rise:   j.rise * j.rise / (2 * gravity),
	}
}

// bears is what the ground bears the jumper up with, in N.
func (j *jump) bears(t float64) float64 {
	if t > j.off && t < j.landed {
		return 0
	}
	_, _, bend := j.height.at(t)
	return j.p.Mass * (gravity + bend)
}

// pushed is how long it takes to be as fast as that, in m/s, over a distance in
// metres, and the acceleration that it begins with, in m/s²: it hardly lessens at
// first and ends with the fall. (By the integrals of a - (a+g)u³ over u in 0..1.)
func pushed(distance, speed float64) (time, acceleration float64) {
	time = (math.Sqrt(0.36*speed*speed+0.4*gravity*distance) - 0.6*speed) / (0.2 * gravity)
	return time, (speed/time + gravity/4) / 0.75
}

// grounded is the pose with the feet on the ground.
func (j *jump) grounded(t float64) (pose, *figure) {
	x, _, _ := j.middle.at(t)
	z, _, _ := j.height.at(t)
	return j.p.balance(j.score.pose(t), j.hold, x, 0, z)
}

// settleFlight has the legs go on as they left the ground, stop, and come as they
// will touch it.
func (j *jump) settleFlight() {
	const step = 0.002
	stretch := 0.05 * j.pace
	state := func(t, step float64) key {
		var at [3]float64
		for i := range at {
			q, _ := j.grounded(t + float64(i)*step)
			at[i] = q[pelvisZ]
		}
		return key{t, at[0], (-3*at[0] + 4*at[1] - at[2]) / (2 * step), (at[0] - 2*at[1] + at[2]) / (step * step)}
	}
	from, to := state(j.off, -step), state(j.landed, step)
	j.pelvisAbove = curve{from,
		{t: j.off + stretch, value: from.value + 0.36*stretch*from.slope},
		{t: j.landed - stretch, value: to.value - 0.36*stretch*to.slope},
		to}
}

// figure gives the jumper at a time.
func (j *jump) figure(t float64) *figure {
	if t <= j.off || t >= j.landed {
		_, f := j.grounded(t)
		return f
	}
	q := j.score.pose(t)
	q[pelvisZ], _, _ = j.pelvisAbove.at(t)
	x, _, _ := j.middle.at(t)
	q, f := j.p.balance(q, j.hold, x, 0, 0)
	z, _, _ := j.height.at(t)
	risen := (z - f.centre().z) / j.p.Stature
	q[pelvisZ] += risen
	q[lift], q[liftRight] = risen, risen
	return j.p.stand(q, j.hold, false)
}
