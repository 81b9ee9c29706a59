package body

// golf is a swing of a right-handed golfer: the ball lies ahead (+x) of the feet
// and flies to the left (+y). Pelvis, thorax and hands turn back one after another
// and forward in the same order.
func (p Person) golf(variation float64) *performance {
	const address, back, top, down, impact, through, finish = 0.7, 1.2, 1.62, 1.78, 1.92, 2.05, 2.55
	more := 4 * variation
	var s score
	hands := func(t, x, y, z, clubX, clubY, clubZ float64) {
		s.at(t, set{gripX: x, gripY: y, gripZ: z, shaftX: clubX, shaftY: clubY, shaftZ: clubZ})
	}
	start := stance(0.125, 14)
	for c, v := range (set{pelvisX: -0.055, pelvisZ: 0.497, tilt: 20, bend: 16, nod: 12}) {
		start[c] = v
	}
	s.at(0, start)
	s.at(address, set{
		pelvisX: -0.055, pelvisY: 0, pelvisZ: 0.497, yaw: 0, tilt: 20, list: 0, bend: 16, side: 3, twist: 0, nod: 12,
		turn: 0,
		heel: 0, heelRight: 0, toeOutRight: -14, ballYRight: -0.125,
	})
	s.at(back, set{yaw: -22, twist: -26, pelvisY: -0.014, turn: 40})
	s.at(top, set{
		pelvisX: -0.05, pelvisY: -0.010, pelvisZ: 0.495, yaw: -42 - more, tilt: 17, list: 3, bend: 15, side: -4,
		twist: -46, nod: 10, turn: 74,
		heel: 4, heelRight: 0, toeOutRight: -14,
	})
	s.at(down, set{yaw: -12, twist: -44, pelvisY: 0.022, turn: 50})
	s.at(impact, set{
		pelvisX: -0.05, pelvisY: 0.040, pelvisZ: 0.502, yaw: 38 + more, tilt: 13, list: 5, bend: 15, side: 14,
		twist: -14, nod: 12, turn: -20,
		heel: 0, heelRight: 14, toeOutRight: -8,
	})
	s.at(through, set{yaw: 56, twist: -2, pelvisY: 0.056, turn: -34})
	s.at(finish, set{
		pelvisX: -0.035, pelvisY: 0.085, pelvisZ: 0.516, yaw: 86, tilt: 2, list: 0, bend: -4, side: 6, twist: 26,
		nod: 2, turn: -28,
		heel: 0, heelRight: 62, toeOutRight: 40,
	})
	// Where the hands are, in the frame of the thorax, and where the club points.
	hands(0, 0.200, -0.03, 0.020, 0.64, 0, -0.77)
	hands(address, 0.200, -0.03, 0.020, 0.64, 0, -0.77)
	hands(back, 0.232, -0.07, 0.100, 0.25, -0.95, -0.10)
	hands((back+top)/2, 0.225, -0.10, 0.200, 0, -0.25, 0.95)
	hands(top, 0.200, -0.11, 0.300, -0.25, 0.93, 0.15)
	hands(down, 0.215, -0.11, 0.150, 0.10, -0.55, 0.83)
	hands((down+impact)/2, 0.215, -0.06, 0.070, 0.38, -0.88, -0.10)
	hands(impact, 0.205, -0.02, 0.020, 0.62, -0.05, -0.78)
	hands((impact+through)/2, 0.220, 0.01, 0.030, 0.52, 0.55, -0.62)
	hands(through, 0.225, 0.03, 0.075, 0.30, 0.93, 0.10)
	hands(through+0.2, 0.190, 0.09, 0.200, -0.25, 0.35, 0.90)
	hands(finish, 0.150, 0.14, 0.285, -0.55, -0.65, -0.30)
	s.at(finish+0.5, set{gripX: 0.155, gripY: 0.13, gripZ: 0.270})
	s.ready()
	return &performance{
		duration: finish + 0.95, rate: 200, club: true,
		figure: func(t float64) *figure { return p.stand(s.soft(t, 0.012), grips, true) },
		events: []event{{"Top", top}, {"Impact", impact}},
	}
}
