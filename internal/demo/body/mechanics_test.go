package body

import (
	"math"
	"testing"
)

// acceleration of the centre of mass, in m/s².
func (does *performance) acceleration(t float64) vec {
	return accelerated(does.figure(t-step), does.figure(t), does.figure(t+step))
}

// accelerated is the same of three figures that are one step apart.
func accelerated(before, now, after *figure) vec {
	return after.centre().add(before.centre()).sub(now.centre().times(2)).times(1 / (step * step))
}

// moments gives the times of two events.
func (does *performance) moments(t *testing.T) (first, second float64) {
	t.Helper()
	if len(does.events) != 2 {
		t.Fatalf("events %v, want two", does.events)
	}
	return does.events[0].time, does.events[1].time
}

func TestInFlightTheCentreOfMassFalls(t *testing.T) {
	for _, m := range []Movement{Countermovement, ArmSwing, SquatJump} {
		for i, p := range people {
			does, err := p.perform(m, float64(i)/2)
			if err != nil {
				t.Fatal(err)
			}
			off, landed := does.moments(t)
			if flight := landed - off; flight < 0.38 || flight > 0.65 {
				t.Errorf("%s: a flight of %.3f s", m, flight)
			}
			for at := off + 0.01; at < landed-0.01; at += 0.005 {
				a := does.acceleration(at)
				if math.Abs(a.z+9.81) > 0.05 || math.Abs(a.x) > 0.05 || math.Abs(a.y) > 0.05 {
					t.Fatalf("%s: %.3f s after take-off the centre is accelerated by %.3f", m, at-off, a)
				}
				if f := does.figure(at); f.feet[0].ball.z <= 0 || f.feet[1].ball.z <= 0 {
					t.Fatalf("%s: a foot is on the ground in flight, %.3f s after take-off", m, at-off)
				}
			}
		}
	}
}

func TestThePlateBearsWhatTheCentreOfMassDoes(t *testing.T) {
	everybody(t, func(t *testing.T, p Person, does *performance) {
		if does.force == nil {
			return
		}
		all := does.all()
		for i := 1; i < len(all)-1; i++ {
			at := float64(i) * step
			if at < 0.01 || at > does.duration-0.01 {
				continue
			}
			got := does.force(at)
			if want := p.Mass * (gravity + accelerated(all[i-1], all[i], all[i+1]).z); math.Abs(got-want) >
				0.06*p.Mass*gravity {
				t.Fatalf("at %.3f s the plate bears %.0f N and the body %.0f N", at, got, want)
			}
			if got < 0 || got > 4*p.Mass*gravity {
				t.Fatalf("at %.3f s the plate bears %.0f N of a body of %.0f N", at, got, p.Mass*gravity)
			}
		}
	})
}

func TestFeetStayWhereTheyStand(t *testing.T) {
	for _, p := range people {
		for m, standing := range map[Movement]func(f *figure, t float64, does *performance) []foot{
			Squats:         func(f *figure, _ float64, _ *performance) []foot { return f.feet[:] },
			SingleLegSquat: func(f *figure, _ float64, _ *performance) []foot { return f.feet[right:] },
			Countermovement: func(f *figure, at float64, does *performance) []foot {
				if at < does.events[0].time-0.15 {
					return f.feet[:]
				}
				return nil
			},
		} {
			does, err := p.perform(m, 0.5)
			if err != nil {
				t.Fatal(err)
			}
			first := does.figure(0)
			does.each(func(at float64, f *figure) {
				for i, foot := range standing(f, at, does) {
					was := first.feet[i+2-len(standing(f, at, does))]
					if foot.ball.sub(was.ball).length() > 1e-4 || foot.heel.sub(was.heel).length() > 1e-4 ||
						math.Abs(foot.ball.z) > 0.003 {
						t.Fatalf("%s: at %.3f s foot %d has moved", m, at, i)
					}
				}
			})
		}
	}
}

func TestTheCentreOfMassIsAboveTheFeet(t *testing.T) {
	for _, m := range []Movement{Countermovement, ArmSwing, SquatJump, Squats, SingleLegSquat} {
		does, err := people[1].perform(m, 0.5)
		if err != nil {
			t.Fatal(err)
		}
		does.each(func(at float64, f *figure) {
			c := f.centre()
			back, front := math.Inf(1), math.Inf(-1)
			for _, foot := range f.feet {
				if foot.ball.z < 0.01 {
					back, front = math.Min(back, foot.heel.x), math.Max(front, foot.ball.x+0.04)
				}
			}
			if front > back && (c.x < back || c.x > front) {
				t.Fatalf("%s: at %.3f s the centre is at %.3f m and the feet from %.3f to %.3f", m, at, c.x, back,
					front)
			}
		})
	}
}

func TestTheHandIsFastestWhenTheBallLeavesIt(t *testing.T) {
	does, err := people[1].perform(Pitch, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	_, release := does.moments(t)
	fastest, when := 0.0, 0.0
	var last vec
	does.each(func(at float64, f *figure) {
		if v := f.fingers[right].sub(last).length() / step; at > 0.1 && v > fastest {
			fastest, when = v, at
		}
		last = f.fingers[right]
	})
	if math.Abs(when-release) > 0.03 || fastest < 12 || fastest > 40 {
		t.Errorf("the hand reaches %.1f m/s at %.3f s, and the ball leaves it at %.3f s", fastest, when, release)
	}
}

func TestBothHandsHoldTheClub(t *testing.T) {
	for _, p := range people {
		does, err := p.perform(GolfSwing, 0.5)
		if err != nil {
			t.Fatal(err)
		}
		does.each(func(at float64, f *figure) {
			if apart := f.arms[0].lower.sub(f.arms[1].lower).length(); apart > 0.04*p.Stature {
				t.Fatalf("at %.3f s the hands are %.3f m apart", at, apart)
			}
		})
	}
}
