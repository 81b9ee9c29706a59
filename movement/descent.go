package movement

import (
	"math"
	"slices"
)

// descent is a movement of the pelvis down and up again, as squats and lunges are.
type descent struct {
	*measuring
	body   *body     // nil of an OpenSim solution
	by     Method    // by which repetitions are found
	height []float64 // of the pelvis, for finding moments: short gaps are bridged
	exact  []float64 // for reading values: NaN where it is missing
	rate   float64
	repetition
}

// descend finds the height of the pelvis, and the repetitions in it. The error is a *withheld.
func (m *measuring) descend() (*descent, error) {
	d := &descent{measuring: m}
	if c := m.rec.Info.Channel(pelvisHeight); c != nil && len(c.Columns) == 1 {
		values, rate, err := m.rec.courses([]string{pelvisHeight})
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(values[0], func(h float64) bool { return math.IsNaN(h) || math.IsInf(h, 0) }) {
			return nil, withhold(GapAtEvent, "The height of the pelvis is missing in some frames.")
		}
		d.by, d.height, d.exact, d.rate = bySquat, values[0], values[0], rate
	} else if err := d.pelvis(); err != nil {
		return nil, err
	}
	return d, d.repeat()
}

// pelvis finds the height of the pelvis by the points of the body.
func (d *descent) pelvis() (err error) {
	b, err := d.onFeet(positionCutoff)
	if err != nil {
		return err
	}
	pelvis, err := b.landmark("pelvis")
	if err != nil {
		return err
	}
	d.body, d.by, d.rate = b, byMarkers, b.rate
	raw := b.height(pelvis)
	d.exact = smoothed(raw, positionCutoff.Value, b.rate)
	d.height = smoothed(bridged(raw, min(longestBridge.samples(b.rate), 25)), positionCutoff.Value, b.rate)
	return nil
}

// upright finds the body and which way is up, at a rate at which its movement can be smoothed.
func (m *measuring) upright(cutoff Parameter) (*body, error) { return m.paced(cutoff, (*body).stand) }

// onFeet is upright for movements that are made on the feet.
func (m *measuring) onFeet(cutoff Parameter) (*body, error) { return m.paced(cutoff, (*body).onFeet) }

// paced finds the body, at a rate at which its movement can be smoothed, and by stand which way is
// up.
func (m *measuring) paced(cutoff Parameter, stand func(*body) error) (*body, error) {
	b, err := m.rec.body()
	if err != nil {
		return nil, err
	}
	if least := leastOversampling.Value * cutoff.Value; b.rate < least {
		return nil, withhold(RateTooLow,
			"The recording has %.4g frames a second, and a low-pass of %s needs at least %g.", b.rate, cutoff, least)
	}
	if err := b.sized(); err != nil {
		return nil, err
	}
	if err := stand(b); err != nil {
		return nil, err
	}
	m.body = b
	return b, nil
}

// repeat finds the repetitions and takes the first.
func (d *descent) repeat() error {
	all := stretches(d.height)
	least, most := extremes(d.height)
	var found []repetition
	var first *repetition
	for _, s := range all {
		for _, r := range lows(d.height[s.from:s.to], d.rate, most-least) {
			if r = r.moved(s.from); r.depth(d.height) < leastSquat.Value {
				continue
			}
			if found = append(found, r); first == nil && r.whole(d.height, s, most, most-least) {
				first = &r
			}
		}
	}
	if len(found) == 0 {
		return withhold(NoRepetition, "The pelvis does not go down and up again by %s or more.", leastSquat)
	}
	if len(all) > 1 {
		d.withhold("repetitions", GapAtEvent,
			"The height of the pelvis is missing for a time, in which there may be more repetitions than the %d that "+
				"were found.", len(found))
		d.note("The height of the pelvis is missing for a time. The first repetition that is there whole is described.")
	} else {
		d.metric("repetitions", d.by.ID, float64(len(found)))
	}
	if first == nil {
		return withhold(GapAtEvent, "Of %d repetitions none is there from beginning to end.", len(found))
	}
	d.repetition = *first
	return nil
}

// second is the time of a frame on the clock of the recording.
func (d *descent) second(i int) float64 { return d.rec.Info.Start + float64(i)/d.rate }

// moments keeps the events of the repetition under the names that begin so.
func (d *descent) moments(name string) {
	d.event(name+"_initiation_frame", d.by.ID, d.second(d.start))
	d.event(name+"_bottom_frame", d.by.ID, d.second(d.bottom))
	d.event(name+"_end_frame", d.by.ID, d.second(d.end))
}

// deep keeps how far the pelvis goes down, and how long it stays there.
func (d *descent) deep(column string) {
	high, low := d.start, d.start
	for i := d.start; i <= d.end; i++ {
		if d.height[i] > d.height[high] {
			high = i
		}
		if d.height[i] < d.height[low] {
			low = i
		}
	}
	if !known(d.exact, high) || !known(d.exact, low) {
		for _, c := range []string{column, "time_while_at_bottom"} {
			d.withhold(c, GapAtEvent, "The height of the pelvis is missing where it is highest or lowest.")
		}
		return
	}
	d.metric(column, d.by.ID, d.exact[high]-d.exact[low])
	from, to := d.bottom, d.bottom
	for from > d.start && d.height[from-1] <= d.height[d.bottom]+bottomHeight.Value {
		from--
	}
	for to < d.end && d.height[to+1] <= d.height[d.bottom]+bottomHeight.Value {
		to++
	}
	d.metric("time_while_at_bottom", d.by.ID, float64(to-from)/d.rate)
}
