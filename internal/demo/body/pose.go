package body

import "math"

// channel is one number of a pose.
type channel int

// The channels of a pose. Lengths are parts of the stature, angles degrees. Of
// channels that both sides have, the left one is named and the right one follows.
const (
	pelvisX channel = iota // of the middle between the hips, in the room
	pelvisY
	pelvisZ
	yaw  // of the pelvis: to the left
	tilt // of the pelvis: forward
	list // of the pelvis: to the right
	bend // of the thorax against the pelvis: forward
	side // to the right
	twist
	nod  // of the head against the thorax: forward
	turn // to the left

	ballX // of the foot: where its ball stands in the room
	ballXRight
	ballY
	ballYRight
	lift // of the lowest point of the foot above the ground
	liftRight
	toeOut // of the foot: its direction in the room, to the left
	toeOutRight
	heel // by how much the heel is lifted about the ball; below 0 the toes are
	heelRight

	plane // of the upper arm: 0 is sideways, 90 forward
	planeRight
	elevation // 0 is hanging, 90 level
	elevationRight
	rotation // of the upper arm about itself, outward; 0 for a raised arm is the forearm level
	rotationRight
	elbow // its flexion
	elbowRight

	gripX // of the hands, where both hold something: in the frame of the thorax
	gripY
	gripZ
	shaftX // the direction of what they hold, in the room
	shaftY
	shaftZ

	channels
)

// pose is a number for each channel.
type pose [channels]float64

// set names some channels.
type set map[channel]float64

// score is how a pose goes on in time.
type score [channels]curve

// at adds a key to every channel that is named; of two at one time the later counts.
func (s *score) at(t float64, values set) {
	for c, v := range values {
		if n := len(s[c]); n > 0 && s[c][n-1].t == t {
			s[c] = s[c][:n-1]
		}
		s[c] = append(s[c], key{t: t, value: v})
	}
}

// ready makes curves of the keys.
func (s *score) ready() *score {
	for c := range s {
		s[c] = through(s[c])
	}
	return s
}

// pose gives it at a time.
func (s *score) pose(t float64) (p pose) {
	for c := range s {
		p[c], _, _ = s[c].at(t)
	}
	return p
}

// soft is the pose with what lasts less than about width seconds rounded over: keys
// that follow closely upon one another are only where a fast movement goes through.
func (s *score) soft(t, width float64) (p pose) {
	sum := 0.0
	for i := -4.0; i <= 4; i++ {
		weight := math.Exp(-i * i / 8)
		sum += weight
		for c, v := range s.pose(t + i*width/2) {
			p[c] += weight * v
		}
	}
	for c := range p {
		p[c] /= sum
	}
	return p
}

// with is the pose with some channels at other values.
func (p pose) with(values set) pose {
	for c, v := range values {
		p[c] = v
	}
	return p
}

// holding is where the arms get their angles from.
type holding int

const (
	free  holding = iota // from the pose
	hips                 // hands rest on the hips
	grips                // both hands hold something
)

// roundCorner is max(0, v) with its corner rounded over, never below 0.
func roundCorner(v, width float64) float64 { return (v + math.Sqrt(v*v+width*width)) / 2 }
