package body

// marker is a marker's name and place.
type marker struct {
	name string
	at   vec
}

// markers are the 39 of a common full-body set on the skin of a figure, by the
// names that laboratories know them by. mirrored says that left and right are still to
// be exchanged.
func (f *figure) markers(mirrored bool) []marker {
	h := f.size
	all := make([]marker, 0, 39)
	add := func(name string, from vec, on frame, x, y, z float64) {
		all = append(all, marker{name, from.add(on.out(vec{x, y, z}.times(h)))})
	}
	for s, l := range [2]string{"L", "R"} {
		out := sign[s]
		add(l+"FHD", f.neck, f.head, 0.050, 0.040*out, 0.118)
		add(l+"BHD", f.neck, f.head, -0.055, 0.036*out, 0.112)
		add(l+"SHO", f.waist, f.thorax, -0.002, 0.104*out, 0.252)
		add(l+"ASI", f.pelvis, f.hips, 0.050, 0.070*out, 0.042)
		add(l+"PSI", f.pelvis, f.hips, -0.072, 0.026*out, 0.055)

		arm, leg, foot := &f.arms[s], &f.legs[s], &f.feet[s]
		// Those on upper arms and on thighs and shanks are not level, so that software
		// can tell the sides apart.
		uneven := []float64{0.40, 0.55}[s]
		add(l+"UPA", arm.upper.to(arm.middle, uneven), arm.first, 0, 0.030*out, 0)
		add(l+"ELB", arm.middle, arm.first, 0, 0.023*out, 0)
		add(l+"FRM", arm.middle.to(arm.lower, uneven), arm.second, 0, 0.022*out, 0)
		add(l+"WRA", arm.lower, arm.second, 0.017, -0.008*out, 0)
		add(l+"WRB", arm.lower, arm.second, -0.017, 0.008*out, 0)
		add(l+"FIN", arm.lower.to(f.fingers[s], 0.55), arm.second, -0.006, 0.006*out, 0)
		add(l+"THI", leg.upper.to(leg.middle, uneven), leg.first, 0.008, 0.046*out, 0)
		add(l+"KNE", leg.middle, leg.first, 0, 0.030*out, 0)
		add(l+"TIB", leg.middle.to(leg.lower, uneven), leg.second, 0.004, 0.030*out, 0)
		add(l+"ANK", leg.lower, foot.frame, 0, 0.022*out, 0)
		add(l+"HEE", foot.heel, foot.frame, -0.006, 0, 0.024)
		add(l+"TOE", foot.ball, foot.frame, 0.002, 0, 0.028)
	}
	add("C7", f.waist, f.thorax, -0.040, 0, 0.258)
	add("T10", f.waist, f.thorax, -0.062, 0, 0.105)
	add("CLAV", f.waist, f.thorax, 0.036, 0, 0.222)
	add("STRN", f.waist, f.thorax, 0.062, 0, 0.130)
	back := -0.050 // on the right, whichever way it is mirrored
	if mirrored {
		back = -back
	}
	add("RBAK", f.waist, f.thorax, -0.062, back, 0.175)
	return all
}
