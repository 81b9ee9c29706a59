package body

import "fmt"

// Movement is something that a person can be made to do.
type Movement string

// The movements.
const (
	Countermovement Movement = "countermovement"  // a jump, hands on the hips
	ArmSwing        Movement = "arm-swing"        // the same jump with the arms
	SquatJump       Movement = "squat-jump"       // a jump out of a crouch that is held
	Squats          Movement = "squats"           // two of them, arms forward
	SingleLegSquat  Movement = "single-leg-squat" // on the dominant leg
	Pitch           Movement = "pitch"            // of a baseball
	GolfSwing       Movement = "golf-swing"
)

// Movements lists them all.
var Movements = []Movement{Countermovement, ArmSwing, SquatJump, Squats, SingleLegSquat, Pitch, GolfSwing}

// event is a moment that somebody would mark.
type event struct {
	label string
	time  float64
}

// performance is a movement by somebody in particular, of a right-handed one: what
// a left-handed one does is its mirror image.
type performance struct {
	duration float64 // seconds
	rate     float64 // frames a second
	figure   func(t float64) *figure
	force    func(t float64) float64 // what the ground bears up with, in N; nil where no plate is
	loads    func(t float64) [2]load // that of each foot; nil where there are no plates that tell
	events   []event
	club     bool
	rise     float64 // of a jump: how far the centre of mass rises after the take-off, in m
}

// perform has the person do it. Variation in 0..1 makes one repetition differ from
// another.
func (p Person) perform(m Movement, variation float64) (*performance, error) {
	switch m {
	case Countermovement:
		return p.jump(hips, false, variation), nil
	case ArmSwing:
		return p.jump(free, false, variation), nil
	case SquatJump:
		return p.jump(hips, true, variation), nil
	case Squats:
		return p.squats(variation), nil
	case SingleLegSquat:
		return p.singleLegSquat(variation), nil
	case Pitch:
		return p.pitch(variation), nil
	case GolfSwing:
		return p.golf(variation), nil
	}
	return nil, fmt.Errorf("there is no movement %q", m)
}

// balance moves the pelvis until the centre of mass is where it belongs: x and y in
// metres, and z where it is above 0.
func (p Person) balance(q pose, hold holding, x, y, z float64) (pose, *figure) {
	f := p.stand(q, hold, false)
	missing := func() vec {
		off := vec{x, y, z}.sub(f.centre())
		if z == 0 {
			off.z = 0
		}
		return off
	}
	// Most of the body goes along with the pelvis, the feet stay. How the centre of mass answers to the
	// pelvis is learned from each step (Broyden's method), for knees and arms make it answer askew.
	const share = 0.87
	answer := frame{{x: 1 / share}, {y: 1 / share}, {z: 1 / share}}
	off := missing()
	for range 14 {
		if off.length() < 1e-9 {
			break
		}
		step := answer.out(off)
		q[pelvisX] += step.x / p.Stature
		q[pelvisY] += step.y / p.Stature
		q[pelvisZ] += step.z / p.Stature
		f = p.stand(q, hold, false)
		left := missing()
		answer = answer.learned(step, off.sub(left))
		off = left
	}
	return q, f
}

// learned is the matrix that gives the step for what moved by it, and changes as little as it can.
func (f frame) learned(step, moved vec) frame {
	row := vec{step.dot(f[0]), step.dot(f[1]), step.dot(f[2])}
	scale := row.dot(moved)
	if scale < 1e-14 { // too small a step to learn from
		return f
	}
	wrong := step.sub(f.out(moved)).times(1 / scale)
	return frame{f[0].add(wrong.times(row.x)), f[1].add(wrong.times(row.y)), f[2].add(wrong.times(row.z))}
}

// stance is how somebody stands: feet apart and a little out, arms hanging.
func stance(apart, out float64) set {
	return set{
		ballX: ankleBehind, ballXRight: ankleBehind, ballY: apart, ballYRight: -apart,
		toeOut: out, toeOutRight: -out,
		pelvisZ: 0.53, tilt: 6, bend: 2, nod: -4,
		plane: 60, planeRight: 60, elevation: 12, elevationRight: 12,
		rotation: 60, rotationRight: 60, elbow: 14, elbowRight: 14,
	}
}

// both gives the left and the right channel the same value.
func (s set) both(values set) set {
	for c, v := range values {
		s[c], s[c+1] = v, v
	}
	return s
}
