package movement

import "math"

// plank measures how long and how still a straight body is held.
func (m *measuring) plank() error {
	b, err := m.paced(positionCutoff, (*body).lie)
	if err != nil {
		return err
	}
	shoulders, err := b.pairMiddle("shoulder")
	if err != nil {
		return err
	}
	ankles, err := b.pairMiddle("ankle")
	if err != nil {
		return err
	}
	pelvis, err := b.landmark("pelvis")
	if err != nil {
		return err
	}
	pelvis = b.smooth(pelvis, positionCutoff)
	rise, still, angle := make([]float64, len(pelvis)), make([]float64, len(pelvis)), make([]float64, len(pelvis))
	for i := range pelvis {
		line := shoulders[i].minus(ankles[i])
		rise[i] = 90 - line.angle(b.up)
		angle[i] = shoulders[i].minus(pelvis[i]).angle(ankles[i].minus(pelvis[i]))
		still[i] = math.NaN()
		if i > 0 && i < len(pelvis)-1 {
			still[i] = pelvis[i+1].minus(pelvis[i-1]).length() * b.rate / 2
		}
	}
	return m.held(b, rise, still, angle)
}

// lie finds which way is up of somebody who does not stand: by the file or by a platform alone. The
// error is a *withheld.
func (b *body) lie() error {
	if b.told() {
		return nil
	}
	return withhold(VerticalUnknown,
		"Neither the file nor a force platform tells which way is up, and of a body that lies the points do not "+
			"tell it.")
}

// pairMiddle is the middle of both sides of a landmark.
func (b *body) pairMiddle(name string) ([]vector, error) {
	pair, err := b.both(name)
	if err != nil {
		return nil, err
	}
	middle := make([]vector, len(pair[0]))
	for i := range middle {
		middle[i] = pair[0][i].plus(pair[1][i]).by(0.5)
	}
	return middle, nil
}

// held keeps the longest time in which the body is held. Gaps of the points that are short do not
// end it.
func (m *measuring) held(b *body, rise, still, angle []float64) error {
	var best stretch
	for from := 0; from < len(rise); from++ {
		to, last, missing := from, from, 0
		for ; to < len(rise) && missing <= longestBridge.samples(b.rate); to++ {
			switch {
			case rise[to] != rise[to] || still[to] != still[to] || angle[to] != angle[to]:
				missing++
				continue
			case math.Abs(rise[to]) > plankRise.Value || still[to] > plankSpeed.Value || angle[to] < plankAngle.Value:
				missing = len(rise) // it ends here
				continue
			}
			missing, last = 0, to+1
		}
		if last-from > best.to-best.from && rise[from] == rise[from] && still[from] == still[from] {
			best = stretch{from, last}
		}
		from = max(from, to-1)
	}
	if best.to-best.from < leastPlank.samples(b.rate) {
		return withhold(NoRepetition,
			"At no time the body is held for %s: its line within %s of level, straight to %s at the pelvis, and the "+
				"pelvis slower than %s.", leastPlank, plankRise, plankAngle, plankSpeed)
	}
	start, end := b.second(best.from), b.second(best.to-1)
	m.event("plank_start"+frameSuffix, byPlank.ID, start)
	m.event("plank_end"+frameSuffix, byPlank.ID, end)
	m.metric("plank_duration", byPlank.ID, end-start)
	m.metric("pelvis_mean_speed", byPlank.ID, meanOf(still[best.from:best.to]))
	m.metric("hip_angle_mean", byPlank.ID, meanOf(angle[best.from:best.to]))
	return nil
}

// meanOf is that of the numbers that are there.
func meanOf(values []float64) float64 {
	sum, n := 0.0, 0
	for _, v := range values {
		if v == v {
			sum, n = sum+v, n+1
		}
	}
	return sum / float64(n)
}
