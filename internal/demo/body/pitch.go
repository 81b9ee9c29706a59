package body

// pitch is a throw from a mound that is flat: a right-handed pitcher stands
// sideways, lifts the left leg, strides towards +x, and pelvis, thorax and arm
// follow one another. Angles and their times are those of the literature, rounded
// (Fleisig et al., J. Biomech. 32, 1999): the arm is turned out furthest about 0.11 s after
// the foot has come down, and the ball leaves the hand 0.04 s later.
func (p Person) pitch(variation float64) *performance {
	const set0, up, fall, contact = 0.5, 1.15, 1.45, 1.78
	const cocked, release, turnedIn, follow, done = contact + 0.11, contact + 0.155, contact + 0.20, contact + 0.36,
		contact + 1.0
	stride := 0.70 + 0.05*variation // parts of the stature, between the balls of the feet
	var s score
	// Standing sideways: the left foot ahead of the right one.
	s.at(0, set{
		ballX: 0.09, ballY: -ankleBehind, ballXRight: -0.09, ballYRight: -ankleBehind, toeOut: -85, toeOutRight: -90,
		yaw: -90, tilt: 5, bend: 5, nod: 4, turn: 62, pelvisX: 0, pelvisY: -0.01, pelvisZ: 0.522,
	})
	s.at(set0, set{
		ballX: 0.09, ballY: -ankleBehind, toeOut: -85, lift: 0, heel: 0,
		pelvisX: 0, pelvisY: -0.01, yaw: -90, tilt: 5, bend: 5, twist: 0, side: 0, list: 0, turn: 62, nod: 4,
	})
	s.at(up, set{
		ballX: 0.06, ballY: -0.17, lift: 0.26, heel: 22, toeOut: -95,
		pelvisX: -0.085, pelvisY: -0.02, pelvisZ: 0.518, yaw: -102, tilt: -4, list: 3, bend: 12, twist: -4, side: -3,
		turn: 70, nod: 4,
	})
	s.at(fall, set{
		ballX: 0.30, ballY: -0.10, lift: 0.10, heel: 4, toeOut: -60,
		pelvisX: 0.06, pelvisY: -0.02, pelvisZ: 0.475, yaw: -96, tilt: 2, list: -2, bend: 6, twist: -6, side: 4,
		turn: 74, nod: 2,
		ballXRight: -0.09, ballYRight: -ankleBehind, toeOutRight: -90, heelRight: 0, liftRight: 0,
	})
	s.at(contact, set{
		ballX: stride - 0.09, ballY: -0.055, lift: 0, heel: 0, toeOut: -8,
		pelvisX: stride - 0.43, pelvisY: -0.05, pelvisZ: 0.43, yaw: -46, tilt: 2, list: -2, bend: -4, twist: -38,
		side: 4, turn: 62, nod: 4,
		ballXRight: -0.06, ballYRight: -ankleBehind, toeOutRight: -62, heelRight: 40, liftRight: 0,
	})
	s.at(cocked, set{
		pelvisX: stride - 0.385, pelvisZ: 0.442, yaw: -4, tilt: 12, list: -6, bend: -12, twist: -10, side: -14,
		turn: 14, nod: 10,
		ballXRight: 0.04, toeOutRight: -30, heelRight: 60,
	})
	s.at(release, set{
		pelvisX: stride - 0.36, pelvisY: -0.06, pelvisZ: 0.455, ballXRight: 0.09, heelRight: 66, yaw: 6, tilt: 22,
		list: -8, bend: 14, twist: 10, side: -20, turn: -6, nod: -8,
	})
	s.at(turnedIn, set{bend: 26, twist: 18, side: -18, tilt: 28, yaw: 10, turn: -10, nod: -18})
	s.at(follow, set{
		pelvisX: stride - 0.28, pelvisY: -0.05, pelvisZ: 0.478, yaw: 24, tilt: 36, list: -4, bend: 30, twist: 26,
		side: -4, turn: -20, nod: -46,
		ballXRight: 0.22, ballYRight: -0.12, liftRight: 0.12, toeOutRight: -10, heelRight: 62,
	})
	s.at(done, set{
		pelvisX: stride - 0.09 - ankleBehind, pelvisY: -0.14, pelvisZ: 0.497, yaw: 4, tilt: 18, list: 0, bend: 12,
		twist: 4, side: 0, turn: -4, nod: -20,
		ballXRight: stride - 0.05, ballYRight: -0.25, liftRight: 0, toeOutRight: -2, heelRight: 0,
		ballX: stride - 0.09, ballY: -0.055, lift: 0, heel: 0, toeOut: -8,
	})
	p.pitchingArms(&s, set0, up, fall, contact, cocked, release, turnedIn, follow, done)
	s.ready()
	return &performance{
		duration: done + 0.5, rate: 200,
		figure: func(t float64) *figure { return p.stand(s.soft(t, 0.012), free, true) },
		events: []event{{"Foot Strike", contact}, {"Ball Release", release}},
	}
}

// pitchingArms adds the arms: both hold the ball before the chest, part when the
// leg falls, and the right one throws.
func (p Person) pitchingArms(s *score, set0, up, fall, contact, cocked, release, turnedIn, follow, done float64) {
	together := set{}.both(set{plane: 62, elevation: 34, rotation: 28, elbow: 118})
	s.at(0, together)
	s.at(set0, together)
	s.at(up, set{}.both(set{plane: 64, elevation: 46, rotation: 30, elbow: 116}))
	s.at(fall, set{plane: 30, elevation: 62, rotation: 18, elbow: 60, planeRight: 8, elevationRight: 52,
		rotationRight: -20, elbowRight: 52})
	s.at(contact, set{plane: 14, elevation: 88, rotation: 6, elbow: 34, planeRight: -18, elevationRight: 90,
		rotationRight: 58, elbowRight: 88})
	s.at(cocked, set{plane: 30, elevation: 62, rotation: 20, elbow: 92, planeRight: 12, elevationRight: 94,
		rotationRight: 172, elbowRight: 82})
	s.at(release, set{plane: 42, elevation: 48, rotation: 34, elbow: 118, planeRight: 8, elevationRight: 94,
		rotationRight: 112, elbowRight: 24})
	s.at(turnedIn, set{planeRight: 22, elevationRight: 92, rotationRight: 18, elbowRight: 16})
	s.at(follow, set{plane: 44, elevation: 36, rotation: 40, elbow: 112, planeRight: 84, elevationRight: 66,
		rotationRight: 10, elbowRight: 34})
	s.at(done, set{plane: 60, elevation: 22, rotation: 50, elbow: 50, planeRight: 64, elevationRight: 22,
		rotationRight: 50, elbowRight: 42})
}
