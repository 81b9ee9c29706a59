package body

import (
	"fmt"
	"math"
	"testing"
)

// people are a child, an average and a tall adult.
var people = []Person{{Stature: 1.32, Mass: 29}, {Stature: 1.75, Mass: 72}, {Stature: 2.06, Mass: 101, Left: true}}

// What the tests look at is made once for all of them, for they change none of it: the
// performances of everybody, and the figures at every step of each performance.
var (
	performed = map[string]*performance{}
	figures   = map[*performance][]*figure{}
)

// everybody has each person do each movement as differently as it comes.
func everybody(t *testing.T, check func(t *testing.T, p Person, does *performance)) {
	t.Helper()
	for _, m := range Movements {
		t.Run(string(m), func(t *testing.T) {
			for i, p := range people {
				key := fmt.Sprint(m, i)
				if performed[key] == nil {
					does, err := p.perform(m, float64(i)/2)
					if err != nil {
						t.Fatal(err)
					}
					performed[key] = does
				}
				check(t, p, performed[key])
			}
		})
	}
}

// step is how close moments are looked at, in seconds.
const step = 0.002

// all are the figures of every step.
func (does *performance) all() []*figure {
	all := figures[does]
	for i := len(all); float64(i)*step <= does.duration; i++ {
		all = append(all, does.figure(float64(i)*step))
	}
	figures[does] = all
	return all
}

// each calls back for every step.
func (does *performance) each(check func(t float64, f *figure)) {
	for i, f := range does.all() {
		check(float64(i)*step, f)
	}
}

func TestBonesKeepTheirLength(t *testing.T) {
	everybody(t, func(t *testing.T, p Person, does *performance) {
		does.each(func(at float64, f *figure) {
			for s := range 2 {
				leg, arm, foot := f.legs[s], f.arms[s], f.feet[s]
				for _, bone := range []struct {
					name   string
					a, b   vec
					length float64
				}{
					{"thigh", leg.upper, leg.middle, thighLength},
					{"shank", leg.middle, leg.lower, shankLength},
					{"ankle", leg.lower, foot.ankle, 0}, // the leg ends where the foot begins
					{"foot", foot.heel, foot.ball, heelBehind},
					{"upper arm", arm.upper, arm.middle, upperArmLength},
					{"forearm", arm.middle, arm.lower, forearmLength},
					{"hips", f.legs[0].upper, f.legs[1].upper, 2 * hipHalf},
					{"shoulders", f.arms[0].upper, f.arms[1].upper, 2 * shoulderHalf},
				} {
					if got, want := bone.a.sub(bone.b).length(), bone.length*p.Stature; math.Abs(got-want) > 1e-6 {
						t.Fatalf("at %.3f s the %s of side %d is %.6f m long, want %.6f", at, bone.name, s, got, want)
					}
				}
			}
		})
	})
}

func TestFeetAreNeverUnderTheGround(t *testing.T) {
	everybody(t, func(t *testing.T, _ Person, does *performance) {
		does.each(func(at float64, f *figure) {
			for s := range 2 {
				if low := math.Min(f.feet[s].ball.z, f.feet[s].heel.z); low < -0.005 {
					t.Fatalf("at %.3f s foot %d is at %.4f m", at, s, low)
				}
			}
			if does.club && f.clubHead.z < -0.03 {
				t.Fatalf("at %.3f s the club is at %.3f m", at, f.clubHead.z)
			}
		})
	})
}

func TestJointsStayWithinWhatPeopleCan(t *testing.T) {
	everybody(t, func(t *testing.T, _ Person, does *performance) {
		does.each(func(at float64, f *figure) {
			for s := range 2 {
				leg, foot := f.legs[s], f.feet[s]
				// Up to where the shank would stand upright on the foot, forward is above 0.
				ankle := 90 - between(leg.middle.sub(leg.lower), foot.frame[0])
				for _, joint := range []struct {
					name        string
					degrees     float64
					least, most float64
				}{
					{"knee", leg.flexion(), 1, 140},
					{"elbow", f.arms[s].flexion(), 1, 145},
					{"ankle", ankle, -60, 45},
					{"hip", 90 - between(leg.middle.sub(leg.upper), f.hips[0]), -45, 125},
					{"thorax", between(f.hips[2], f.thorax[2]), 0, 45},
					{"neck", between(f.thorax[0], f.head[0]), 0, 90},
				} {
					if joint.degrees < joint.least || joint.degrees > joint.most || math.IsNaN(joint.degrees) {
						t.Errorf("at %.3f s the %s of side %d is at %.1f°, want %g to %g", at, joint.name, s,
							joint.degrees, joint.least, joint.most)
					}
				}
			}
			if t.Failed() {
				t.FailNow()
			}
		})
	})
}

func TestNothingJerks(t *testing.T) {
	// The hand of a pitcher goes through more than 1,000 m/s². A path with a bend in it,
	// of 2 m/s say, would show as 1,000 m/s² at this step, wherever it is.
	most := map[bool]float64{false: 400, true: 1900}
	everybody(t, func(t *testing.T, p Person, does *performance) {
		throws := does.events[len(does.events)-1].label == "Ball Release"
		var before, last []vec
		does.each(func(at float64, f *figure) {
			var now []vec
			for _, m := range f.markers(false) {
				now = append(now, m.at)
			}
			for k := range before {
				a := now[k].sub(last[k]).sub(last[k].sub(before[k])).length() / (step * step) / p.Stature * 1.75
				if a > most[throws] {
					t.Fatalf("at %.3f s %s is accelerated by %.0f m/s²", at, f.markers(false)[k].name, a)
				}
			}
			before, last = last, now
		})
	})
}
