package body

// hold lays the arms.
func (f *figure) hold(q pose, how holding) {
	if how == grips {
		f.grip = f.waist.add(f.thorax.out(vec{q[gripX], q[gripY], q[gripZ]}.times(f.size)))
		f.shaft = vec{q[shaftX], q[shaftY], q[shaftZ]}.unit()
	}
	for s := range 2 {
		switch how {
		case hips:
			f.arms[s] = f.reach(s, f.pelvis.add(f.hips.out(vec{-0.005, sign[s] * 0.115, 0.075}.times(f.size))),
				vec{-0.45, sign[s], -0.1})
			// Fingers lie forward on the bone of the hip.
			f.fingers[s] = f.arms[s].lower.add(
				f.hips.out(vec{0.85, -sign[s] * 0.35, -0.3}).unit().times(handLength * f.size))
		case grips:
			f.both(s)
		default:
			f.swing(q, s)
		}
	}
	f.clubHead = f.grip.add(f.shaft.times(clubLength * f.size))
}

// swing lays an arm by its angles.
func (f *figure) swing(q pose, s int) {
	c, out := channel(s), sign[s]
	first := f.thorax.aboutZ(-out * q[plane+c]).aboutX(out * q[elevation+c]).aboutZ(out * q[rotation+c])
	second := first.aboutY(-q[elbow+c])
	l := limb{upper: f.shoulder(s), first: first, second: second}
	l.middle = l.upper.add(first.out(vec{z: -upperArmLength * f.size}))
	l.lower = l.middle.add(second.out(vec{z: -forearmLength * f.size}))
	f.arms[s] = l
	f.fingers[s] = l.lower.add(second.out(vec{z: -handLength * f.size}))
}

// reach lays an arm so that its wrist is at a place, with the elbow pointing in a
// direction of the thorax. It does not stretch an arm altogether: what is too far away
// is reached for.
func (f *figure) reach(s int, wrist, pointing vec) limb {
	from := f.shoulder(s)
	away := wrist.sub(from)
	all := (upperArmLength + forearmLength) * f.size
	wrist = from.add(away.times(least(0.01*all, away.length(), 0.99*all) / away.length()))
	l, _ := bendTo(from, wrist, f.thorax.out(pointing), upperArmLength*f.size, forearmLength*f.size)
	// An elbow points back where a knee points forward.
	for _, bone := range []*frame{&l.first, &l.second} {
		bone[0], bone[1] = bone[0].times(-1), bone[1].times(-1)
	}
	return l
}

// both lays an arm of two that hold a shaft: the right hand below the left one, as
// right-handed people do.
func (f *figure) both(s int) {
	at := f.grip
	if s == right {
		at = at.add(f.shaft.times(0.025 * f.size))
	}
	// The hand lies between forearm and shaft, and the wrist behind it.
	l := f.reach(s, at, vec{-0.25, sign[s] * 0.55, -1})
	lies := l.lower.sub(l.middle).unit().add(f.shaft.times(0.8)).unit()
	f.arms[s] = l
	f.fingers[s] = l.lower.add(lies.times(handLength * f.size * 0.8))
}
