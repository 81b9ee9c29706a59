package movement

import (
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/motion/plate"
)

// pressure is the course of the centre of pressure along two level axes at a right angle, in m, and
// the vertical force in N.
type pressure struct {
	rate        float64
	x, y, force []float64
}

// sway measures how the centre of pressure moves in a stance.
func (m *measuring) sway() error {
	p, err := m.pressure()
	if err != nil {
		return err
	}
	seconds := float64(len(p.x)) / p.rate
	switch {
	case p.rate < leastOversampling.Value*pressureCutoff.Value:
		return withhold(RateTooLow, "The force has %.4g samples a second, and a low-pass of %s needs at least %g.",
			p.rate, pressureCutoff, leastOversampling.Value*pressureCutoff.Value)
	case seconds < leastStance.Value:
		return withhold(TooShort, "The recording lasts %.1f s, and at least %s of standing are needed.", seconds,
			leastStance)
	}
	sorted := slices.Sorted(slices.Values(p.force))
	if weight := median(sorted); weight < leastLoad.Value || sorted[0] < weight-stanceForce.of(weight) ||
		sorted[len(sorted)-1] > weight+stanceForce.of(weight) {
		return withhold(NoQuietStanding,
			"The vertical force goes from %.0f to %.0f N about %.0f N: somebody who stands all the time stays within "+
				"%s of it.", sorted[0], sorted[len(sorted)-1], weight, stanceForce)
	}
	if slices.ContainsFunc(slices.Concat(p.x, p.y), func(v float64) bool { return v != v }) {
		return withhold(GapAtEvent, "The centre of pressure is missing in some samples.")
	}
	keep := func(column string, value float64) { m.metric(column, bySway.ID, value) }
	path := way(smoothed(p.x, pressureCutoff.Value, p.rate), smoothed(p.y, pressureCutoff.Value, p.rate))
	keep("sway_path_length", path)
	keep("sway_path_length_unfiltered", way(p.x, p.y))
	keep("sway_mean_velocity", path/(float64(len(p.x)-1)/p.rate))
	keep("sway_rms_x", rms(p.x))
	keep("sway_rms_y", rms(p.y))
	keep("sway_range_x", slices.Max(p.x)-slices.Min(p.x))
	keep("sway_range_y", slices.Max(p.y)-slices.Min(p.y))
	keep("sway_ellipse_area", ellipse(p.x, p.y))
	return nil
}

// way is how long a course is.
func way(x, y []float64) (sum float64) {
	for i := 1; i < len(x); i++ {
		sum += math.Hypot(x[i]-x[i-1], y[i]-y[i-1])
	}
	return sum
}

// rms is the root of the mean square about the mean.
func rms(values []float64) float64 {
	_, deviation := spread(values)
	n := float64(len(values))
	return deviation * math.Sqrt((n-1)/n)
}

// ellipse is the area of the 95 % prediction ellipse: that in which the next sample lies with that
// probability. The quantile of F with 2 and d degrees of freedom is d/2 (0.05^(-2/d) - 1).
func ellipse(x, y []float64) float64 {
	n := float64(len(x))
	mx, sx := spread(x)
	my, sy := spread(y)
	covariance := 0.0
	for i := range x {
		covariance += (x[i] - mx) * (y[i] - my) / (n - 1)
	}
	d := n - 2
	quantile := d / 2 * (math.Pow(0.05, -2/d) - 1)
	return math.Pi * math.Sqrt(max(0, sx*sx*sy*sy-covariance*covariance)) * 2 * (n - 1) * (n + 1) / (n * d) * quantile
}

// pressure finds the centre of pressure: of the only platform that somebody stands on, or of
// channels of forces and moments. The error is a *withheld.
func (m *measuring) pressure() (*pressure, error) {
	if len(m.rec.Info.Plates) == 0 {
		return m.channelPressure()
	}
	var found *plate.Course
	for n, p := range m.rec.Info.Plates {
		if len(p.Channels) == 0 { // one foot stands on one of the others, or nowhere
			m.note("The file has none of the channels of force platform %d, and nothing is known of it.", n+1)
			continue
		}
		course, idle, err := m.rec.platform(n)
		var unusable *plate.Unusable
		switch {
		case errors.As(err, &unusable) && idle:
			continue
		case errors.As(err, &unusable):
			return nil, withhold(PlateUnusable, "Force platform %d cannot be computed with: %s.", n+1, unusable.Reason)
		case err != nil:
			return nil, err
		case !borne(course):
			continue
		case found != nil:
			return nil, withhold(SideUnknown,
				"Several force platforms are stood on, and their centres of pressure are not put together.")
		}
		found = course
		m.computed.Used.Force, m.computed.Used.Channels = "force plates", p.Channels
	}
	if found == nil {
		return nil, withhold(NoForcePlate, "Nobody stands on any of the %d force platforms.", len(m.rec.Info.Plates))
	}
	up := vector(found.Platform.Up())
	across, along := up.level()
	p := &pressure{rate: found.Rate}
	for i := range found.Len() {
		cop := vector(found.At(i).COP)
		p.x, p.y, p.force = append(p.x, cop.dot(across)), append(p.y, cop.dot(along)),
			append(p.force, found.Vertical(i))
	}
	return p, nil
}

// borne says whether somebody is on a platform at some time.
func borne(c *plate.Course) bool {
	for i := range c.Len() {
		if c.Vertical(i) >= leastLoad.Value {
			return true
		}
	}
	return false
}

// pressureChannels are those by which a centre of pressure is found where there is no force platform.
var pressureChannels = []string{"fz", "mx", "my"}

// channelPressure finds it by the channels Fz, Mx and My: moments about the surface of a platform.
func (m *measuring) channelPressure() (*pressure, error) {
	var names []string
	factors := []float64{}
	for _, wanted := range pressureChannels {
		at := -1
		for i, c := range m.rec.Info.Channels {
			if strings.EqualFold(c.Name, wanted) && len(c.Columns) == 1 {
				at = i
			}
		}
		if at < 0 {
			return nil, withhold(NoForcePlate,
				"The recording has neither a force platform nor the channels Fz, Mx and My.")
		}
		c := m.rec.Info.Channels[at]
		factor, known := plate.NewtonMetres(c.Unit)
		if wanted == "fz" {
			factor, known = plate.Newtons(c.Unit)
			known = known && strings.TrimSpace(c.Unit) != ""
		}
		if !known {
			return nil, withhold(UnitUnknown, "The unit of %s is %q, which is none of force or of moments.", c.Name,
				c.Unit)
		}
		names, factors = append(names, c.Name), append(factors, factor)
	}
	values, rate, err := m.rec.courses(names)
	if err != nil {
		return nil, err
	}
	m.computed.Used.Force, m.computed.Used.Channels = "channels", names
	p := &pressure{rate: rate}
	sign := 1.0
	if plate.Downwards(values[0]) {
		sign = -1
	}
	for i := range values[0] {
		force, mx, my := factors[0]*values[0][i], factors[1]*values[1][i], factors[2]*values[2][i]
		p.x, p.y, p.force = append(p.x, -my/force), append(p.y, mx/force), append(p.force, sign*force)
	}
	return p, nil
}
