package body

// squats are two squats with both feet flat on the ground. As in a jump the
// centre of mass leads, and it stays above the middle of the feet.
func (p Person) squats(variation float64) *performance {
	h := p.Stature
	var s score
	stand := stance(0.105, 16)
	s.at(0, stand)
	depth := (0.185 + 0.02*variation) * h
	tall := 0.0
	var height curve
	var events []event
	t := 0.6
	arms := func(t, elevates float64) {
		s.at(t, set{}.both(set{plane: 80, elevation: elevates, rotation: 80, elbow: 14}))
	}
	arms(0, 12)
	for i := range 2 {
		down, up := t+1.0, t+1.95+0.08*float64(i)
		s.at(t, set{tilt: 6, bend: 2, nod: -4})
		s.at(down, set{tilt: 36, bend: 9, nod: -28})
		s.at(up, set{tilt: 6, bend: 2, nod: -4})
		arms(t, 12)
		arms(down, 122)
		arms(up, 12)
		height = append(height, key{t: t}, key{t: down, value: -depth, bend: 3.6}, key{t: up})
		events = append(events, event{"Lowest", down})
		t = up + 0.12
	}
	s.ready()
	middle := 0.03 * h
	tall = p.stand(s.pose(0), free, true).centre().z - 0.004*h
	for i := range height {
		height[i].value += tall
	}
	return &performance{
		duration: t + 0.5, rate: 100,
		figure: func(t float64) *figure {
			z, _, _ := height.at(t)
			_, f := p.balance(s.pose(t), free, middle, 0, z)
			return f
		},
		force: func(t float64) float64 {
			_, _, bend := height.at(t)
			return p.Mass * (gravity + bend)
		},
		events: events,
	}
}

// singleLegSquat is one squat on the right leg, the other foot held behind.
func (p Person) singleLegSquat(variation float64) *performance {
	h := p.Stature
	const shifted, lifted, down, up, lowered, back = 1.3, 1.9, 3.2, 4.4, 5.0, 5.6
	stand := stance(0.06, 8)
	depth := (0.10 + 0.015*variation) * h
	var s score
	s.at(0, stand)
	s.at(shifted, set{ballX: ankleBehind, lift: 0, heel: 0, tilt: 6, bend: 2, nod: -4, list: 0, side: 0})
	s.at(lifted, set{ballX: -0.13, lift: 0.11, heel: 48, tilt: 9, bend: 3, nod: -5, list: -3, side: 2})
	s.at(down, set{ballX: -0.21, lift: 0.10, heel: 58, tilt: 34, bend: 8, nod: -24, list: -5, side: 4})
	s.at(up, set{ballX: -0.13, lift: 0.11, heel: 48, tilt: 9, bend: 3, nod: -5, list: -3, side: 2})
	s.at(lowered, set{ballX: ankleBehind, lift: 0, heel: 0, tilt: 6, bend: 2, nod: -4, list: 0, side: 0})
	arms := func(t, elevates float64) {
		s.at(t, set{}.both(set{plane: 55, elevation: elevates, rotation: 55, elbow: 16}))
	}
	arms(0, 12)
	arms(shifted, 16)
	arms(lifted, 38)
	arms(down, 66)
	arms(up, 38)
	arms(back, 12)
	s.ready()
	across := curve{{t: 0.5}, {t: shifted, value: -0.058 * h}, {t: lowered, value: -0.058 * h}, {t: back}}
	q := s.pose(0)
	tall := p.stand(q, free, true).centre().z - 0.008*h
	height := curve{{t: lifted - 0.3, value: tall}, {t: down, value: tall - depth, bend: 1.2},
		{t: up + 0.3, value: tall}}
	return &performance{
		duration: back + 0.4, rate: 100,
		figure: func(t float64) *figure {
			y, _, _ := across.at(t)
			z, _, _ := height.at(t)
			_, f := p.balance(s.pose(t), free, 0.03*h, y, z)
			return f
		},
		force: func(t float64) float64 {
			_, _, bend := height.at(t)
			return p.Mass * (gravity + bend)
		},
		events: []event{{"Foot Off", shifted}, {"Lowest", down}, {"Foot Strike", lowered}},
	}
}
