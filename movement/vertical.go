package movement

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion/plate"
)

// vertical is the vertical force on the body in the course of a recording, upwards
// positive, in N.
type vertical struct {
	rate        float64 // samples a second
	sum         []float64
	left, right []float64 // by foot; nil where it is not known which is which
	platforms   []*plate.Course
	most        []float64 // the greatest force of each platform
	used        frames.Used
}

// verticalForce finds it: by force platforms, or else by channels that have names and units of
// a vertical force. The error is a *withheld where the recording has none to compute with.
func (r *Recording) verticalForce() (*vertical, error) {
	if len(r.Info.Plates) > 0 {
		return r.platformForce()
	}
	return r.channelForce()
}

// platformForce adds up what the platforms measure. Where one of them cannot be computed
// with, nobody knows what it bore, and the others are less than the whole; only one that
// measured nothing at all is left out.
func (r *Recording) platformForce() (*vertical, error) {
	v := &vertical{used: frames.Used{Force: "force plates"}}
	var refused []string
	var numbers []int // of the platforms that are added up
	for i, p := range r.Info.Plates {
		course, idle, err := r.platform(i)
		var unusable *plate.Unusable
		switch {
		case errors.As(err, &unusable) && idle:
			v.used.Notes = append(v.used.Notes, fmt.Sprintf("Force platform %d measured nothing and was left out.",
				i+1))
			continue
		case errors.As(err, &unusable):
			refused = append(refused, fmt.Sprintf("Force platform %d cannot be computed with: %s.", i+1,
				unusable.Reason))
			continue
		case err != nil:
			return nil, err
		}
		if course.Reversed {
			v.used.Notes = append(v.used.Notes,
				fmt.Sprintf("The forces of platform %d have the opposite sign in the file, that of the body on the "+
					"platform, and were turned around.", i+1))
		}
		if v.sum == nil {
			v.sum, v.rate = make([]float64, course.Len()), course.Rate
		}
		if course.Len() != len(v.sum) {
			return nil, withhold(RateTooLow, "The force platforms have different rates.")
		}
		for at, f := range course.Verticals() {
			v.sum[at] += f
		}
		v.platforms, numbers = append(v.platforms, course), append(numbers, i)
		v.most = append(v.most, slices.Max(course.Verticals()))
		v.used.Channels = append(v.used.Channels, p.Channels...)
	}
	for k, b := range numbers {
		for i, a := range numbers[:k] {
			same := slices.Equal(r.Info.Plates[a].Channels, r.Info.Plates[b].Channels)
			switch {
			case !v.bears(i), !v.bears(k):
			case same, v.copies(i, k):
				refused = append(refused, fmt.Sprintf("Force platforms %d and %d have one and the same force, which "+
					"must not be counted twice.", a+1, b+1))
			case v.overlap(i, k):
				refused = append(refused, fmt.Sprintf("Force platforms %d and %d lie one over the other, and a force "+
					"that both have must not be counted twice.", a+1, b+1))
			}
		}
	}
	if len(refused) > 0 {
		return nil, withhold(PlateUnusable, "%s", strings.Join(refused, " "))
	}
	if v.sum == nil {
		return nil, withhold(NoForcePlate, "None of the %d force platforms measured anything.", len(r.Info.Plates))
	}
	return v, v.whole()
}

// bears says whether somebody stood on the platform.
func (v *vertical) bears(i int) bool { return v.most[i] >= contactForce.Value }

// copied is how far the forces of two platforms may be apart where one is a copy of the other, as a part of the
// greatest: what rounding leaves. Those of two feet differ by more in every recording, by the noise of the platforms.
const copied = 0.001

// copies says whether the platforms have the same force in every sample, wherever they lie.
func (v *vertical) copies(i, k int) bool {
	a, b := v.platforms[i].Verticals(), v.platforms[k].Verticals()
	near := copied * v.most[i]
	for at := range a {
		if !(math.Abs(a[at]-b[at]) <= near) && (a[at] == a[at] || b[at] == b[at]) {
			return false
		}
	}
	return true
}

// overlap says whether the middle of one of the platforms lies on the other, as where one is the sum of several, or is
// in the file once more with other numbers.
func (v *vertical) overlap(i, k int) bool {
	a, b := v.platforms[i].Platform, v.platforms[k].Platform
	return a.Beneath(b.Centre()) || b.Beneath(a.Centre())
}

// platform gives the course of one, or says that it cannot be computed with and whether it measured nothing at all.
func (r *Recording) platform(n int) (c *plate.Course, idle bool, err error) {
	p := r.Info.Plates[n]
	if len(p.Channels) == 0 {
		return nil, false, &plate.Unusable{Reason: "the file has none of its channels, so that what it bore is " +
			"not known"}
	}
	channels, rate, err := r.samples(p.Channels)
	if err != nil {
		return nil, false, err
	}
	platform, _, err := r.Info.Platform(n)
	if err == nil {
		c, err = platform.Course(channels, rate)
	}
	return c, err != nil && plate.Idle(channels, len(p.Channels)), err
}

// upwards are names of channels that are nothing but a vertical force: Fz, Fz1, F1Z,
// Force.Fz1, vGRF, and what OpenSim calls the ground force along its vertical axis. What
// stands around them says whose or which: "left", a number.
var upwards = regexp.MustCompile(`(?i)^(?:.*[^a-z0-9])?(left|right|l|r)?` +
	`(?:f_?z_?\d*|f\d+_?z|v_?grf|grf_?[zv]|vertical[ _]?(?:ground[ _]?reaction[ _]?)?force|(?:\d+_)?ground_force\d*_vy)` +
	`(left|right|l|r)?(?:[^a-z0-9].*)?$`)

// opensim are those that have no unit of their own, for OpenSim has SI units alone.
var opensim = regexp.MustCompile(`(?i)ground_force\d*_vy`)

// channelForce adds up channels that are a vertical force by name and unit.
func (r *Recording) channelForce() (*vertical, error) {
	v := &vertical{used: frames.Used{Force: "channels"}}
	var names []string
	var factors []float64
	for i := range r.Info.Channels {
		c := &r.Info.Channels[i]
		if len(c.Columns) != 1 || c.Kind != frames.KindAnalog || !upwards.MatchString(c.Name) {
			continue
		}
		newtons, known := plate.Newtons(c.Unit)
		if strings.TrimSpace(c.Unit) == "" {
			known = opensim.MatchString(c.Name)
		}
		if !known {
			return nil, withhold(UnitUnknown, "The unit of the vertical force %q is %q, and N or kN is needed.", c.Name,
				c.Unit)
		}
		if opensim.MatchString(c.Name) {
			v.used.Force = "opensim"
		}
		names, factors = append(names, c.Name), append(factors, newtons)
	}
	if len(names) == 0 {
		return nil, withhold(NoForcePlate,
			"The recording has neither a force platform nor a channel of the vertical force.")
	}
	values, rate, err := r.courses(names)
	if err != nil {
		return nil, err
	}
	a, b, twice := worked(names)
	if !twice {
		a, b, twice = alike(names, values)
	}
	if twice {
		return nil, withhold(SideUnknown,
			"The channels %q and %q are likely one force, as it was measured and as it was smoothed or worked on "+
				"otherwise: keep one of them.", a, b)
	}
	for i := range values {
		for at := range values[i] {
			values[i][at] *= factors[i]
		}
	}
	v.rate = rate
	if err := v.add(names, values); err != nil {
		return nil, err
	}
	return v, nil
}

// work are words in the name of a channel that say what was made of its numbers, and not what was measured.
var work = regexp.MustCompile(`(?i)(?:^|[^a-z])(?:raw|orig(?:inal)?|un?filt(?:ered)?|filt(?:er|ered)?|flt|` +
	`smooth(?:ed)?|low_?pass|lp|butter(?:worth)?|proc(?:essed)?|corr(?:ected)?|tared?|zeroed|offset|clean(?:ed)?|` +
	`interp(?:olated)?|resampled|down_?sampled|\d+ ?hz)(?:[^a-z]|$)`)

// worked finds two names that are one when the words for what was made of the numbers are left out.
func worked(names []string) (first, second string, ok bool) {
	seen := map[string]string{}
	for _, name := range names {
		plain := name
		for work.MatchString(plain) {
			plain = work.ReplaceAllString(plain, " ")
		}
		plain = strings.ToLower(strings.Join(strings.FieldsFunc(plain,
			func(r rune) bool { return r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' }), " "))
		if other, ok := seen[plain]; ok && (work.MatchString(name) || work.MatchString(other)) {
			return other, name, true
		}
		seen[plain] = name
	}
	return "", "", false
}

// bare are the names of a vertical force that say nothing else of it.
var bare = regexp.MustCompile(`(?i)^(?:f_?z|v_?grf|grf_?[zv]|vertical[ _]?(?:ground[ _]?reaction[ _]?)?force)$`)

// alike finds a channel with a bare name and another one of the same course, or the same up to a constant: a force, and
// what is left of it without the weight.
func alike(names []string, values [][]float64) (first, second string, ok bool) {
	for k := range names {
		for i := range k {
			if (bare.MatchString(names[i]) || bare.MatchString(names[k])) &&
				deviation(values[i], values[k], 1, true) <= likeness*(slices.Max(values[i])-slices.Min(values[i])) {
				return names[i], names[k], true
			}
		}
	}
	return "", "", false
}

// likeness is how far two courses of one force are apart at the most, as a part of its range: what smoothing changes.
const likeness = 0.04

// sameness is as much for numbers that were only rounded otherwise.
const sameness = 0.005

// deviation is the root of the mean square of what one course, times a factor, is away from another one, if wanted up
// to a constant.
func deviation(a, b []float64, factor float64, constant bool) float64 {
	mean := 0.0
	if constant {
		for i := range a {
			mean += (factor*a[i] - b[i]) / float64(len(a))
		}
	}
	sum := 0.0
	for i := range a {
		d := factor*a[i] - b[i] - mean
		sum += d * d / float64(len(a))
	}
	return math.Sqrt(sum)
}

// add makes the vertical force of the channels: their sum, or the one of them that is the
// sum of the others.
func (v *vertical) add(names []string, values [][]float64) error {
	v.sum = make([]float64, len(values[0]))
	for _, course := range values {
		for at, f := range course {
			v.sum[at] += f
		}
	}
	v.used.Channels = names
	if err := v.whole(); err != nil {
		return err
	}
	v.turn(values)
	if v.sides(names, values) || len(names) == 1 {
		return nil
	}
	within := likeness
	if len(names) == 2 { // the feet of one person press much alike
		within = sameness
	}
	total := slices.IndexFunc(values, func(course []float64) bool { return v.isHalf(course, within) })
	switch {
	case total < 0:
	case len(names) == 2:
		return withhold(SideUnknown,
			"The channels %q and %q have the same force, and nothing says whether each is a half of it.", names[0],
			names[1])
	default:
		v.sum, v.used.Channels = values[total], names[total:total+1]
		v.used.Notes = append(v.used.Notes,
			fmt.Sprintf("The channel %q is the sum of the other vertical forces, and was taken alone.", names[total]))
		v.sides(slices.Delete(slices.Clone(names), total, total+1), slices.Delete(slices.Clone(values), total, total+1))
	}
	return nil
}

// isHalf says whether a course is half of the sum, to that part of its range.
func (v *vertical) isHalf(course []float64, within float64) bool {
	return deviation(course, v.sum, 2, false) <= within*(slices.Max(v.sum)-slices.Min(v.sum))
}

// whole refuses a force that is missing somewhere: a sum over a gap is no impulse.
func (v *vertical) whole() error {
	for i, f := range v.sum {
		if f-f != 0 { // missing, or infinite
			return withhold(GapAtEvent,
				"The vertical force is missing at %.3f s, and an integral cannot step over a gap.", float64(i)/v.rate)
		}
	}
	return nil
}

// turn makes the force on the body of that on the platform.
func (v *vertical) turn(values [][]float64) {
	if !plate.Downwards(v.sum) {
		return
	}
	v.used.Notes = append(v.used.Notes,
		"The forces have the opposite sign in the file, that of the body on the platform, and were turned around.")
	for _, course := range append(values, v.sum) {
		plate.Negate(course)
	}
}

// aside finds a word for one side of the body in the name of a channel.
var aside = regexp.MustCompile(`(?i)(?:^|[^a-z])(left|right|l|r)(?:[^a-z]|$)`)

// sideOf is l, r, or "" where the name of a vertical force says no side.
func sideOf(name string) string {
	m := upwards.FindStringSubmatch(name)
	if m == nil || m[1]+m[2] == "" {
		m = aside.FindStringSubmatch(name)
	}
	if m == nil {
		return ""
	}
	return strings.ToLower(strings.Join(m[1:], "")[:1])
}

// sides tells the feet apart where there are two channels, one called after each, and says
// whether there are.
func (v *vertical) sides(names []string, values [][]float64) bool {
	if len(names) != 2 {
		return false
	}
	switch sideOf(names[0]) + sideOf(names[1]) {
	case "lr":
		v.left, v.right = values[0], values[1]
	case "rl":
		v.left, v.right = values[1], values[0]
	}
	return v.left != nil
}
