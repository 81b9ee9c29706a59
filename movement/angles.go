package movement

import (
	"math"
	"regexp"
	"strings"

	"github.com/kinebase/kinebase/frames"
)

// angles are how files call the angle of a range of motion, without the side: a word of its
// movement, or the name that OpenSim has for it.
var angles = map[string]struct {
	words string // alternatives of a pattern
	sided bool   // there is one for either side
}{
	"ankle_flexion":           {`ankle_flexion|ankle_dorsiflexion|ankle_angle`, true},
	"cervical_rotation":       {`cervical_rotation|neck_rotation`, false},
	"sfma_shoulder_extension": {`(?:sfma_)?shoulder_extension`, true},
	"sfma_shoulder_flexion":   {`(?:sfma_)?shoulder_flexion|arm_flex`, true},
	"shoulder_9090":           {`shoulder_9090|shoulder_rotation|shoulder_external_rotation|arm_rot`, true},
	"shoulder_flexion":        {`shoulder_flexion|arm_flex`, true},
	"t_spine_rotation":        {`t_spine_rotation|thoracic_rotation`, false},
}

// angleName finds what a channel is called that has an angle: a side, the words, and a side.
func angleName(words string) *regexp.Regexp {
	return regexp.MustCompile(`^(?:(left|right|l|r)_)?(?:` + words + `)(?:_angle)?(?:_(left|right|l|r))?$`)
}

// angleNames are those of all movements.
var angleNames = func() map[string]*regexp.Regexp {
	all := map[string]*regexp.Regexp{}
	for name, a := range angles {
		all[name] = angleName(a.words)
	}
	return all
}()

// withAngle finds the angles of a file, and what else there is to find of the movement by points.
func withAngle(name string, byPoints func(*measuring) error) func(*measuring) error {
	return func(m *measuring) error {
		prefixes := []string{""}
		if angles[name].sided {
			prefixes = []string{"left_", "right_"}
		}
		for _, prefix := range prefixes {
			m.angle(name, prefix)
		}
		if byPoints == nil {
			return nil
		}
		return byPoints(m)
	}
}

// angle keeps the extremes of the angle of a side.
func (m *measuring) angle(name, prefix string) {
	column := prefix + name + "_angle_"
	channel, angle, rate, err := m.rec.angle(name, strings.TrimSuffix(prefix, "_"))
	var most, least float64
	second := func(i int) float64 { return m.rec.Info.Start + float64(i)/rate }
	if err == nil {
		_, most, err = greatestHeld(angle, rate, second)
	}
	if err == nil {
		_, least, err = greatestHeld(opposite(angle), rate, second)
	}
	if err != nil {
		m.withholdFor([]string{column + "max", column + "min", column + "range"}, err)
		return
	}
	m.note("The angle %s of the file was read.", channel)
	m.metric(column+"max", byAngle.ID, most)
	m.metric(column+"min", byAngle.ID, -least)
	m.metric(column+"range", byAngle.ID, most+least)
}

// angle gives the angle of a side, or of neither, in degrees, without jumps of a whole turn and
// through the low-pass, and what the file calls it. The error is a *withheld.
func (r *Recording) angle(name, side string) (channel string, angle []float64, rate float64, err error) {
	var found *frames.Channel
	unsided := ""
	for i := range r.Info.Channels {
		c := &r.Info.Channels[i]
		called := strings.NewReplacer(" ", "_", "-", "_", ".", "_").Replace(strings.ToLower(c.Name))
		parts := angleNames[name].FindStringSubmatch(called)
		switch {
		case parts == nil || len(c.Columns) != 1:
		case parts[1] != "" && parts[2] != "":
		case side != "" && parts[1]+parts[2] == "":
			unsided = c.Name
		case side == "" && parts[1]+parts[2] != "", side != "" && (parts[1] + parts[2])[:1] != side[:1]:
		case found != nil:
			return "", nil, 0, withhold(SeveralPeople,
				"The recording has both %s and %s, and it is not known which one is meant.", found.Name, c.Name)
		default:
			found = c
		}
	}
	switch {
	case found == nil && unsided != "":
		return "", nil, 0, withhold(SideUnknown, "The angle %s does not say of which side it is.", unsided)
	case found == nil:
		return "", nil, 0, withhold(LandmarkMissing, "The recording has no angle that is called after the movement%s.",
			map[bool]string{true: " and the " + side + " side", false: ""}[side != ""])
	}
	factor := map[string]float64{"deg": 1, "rad": 180 / math.Pi}[found.Unit]
	if factor == 0 {
		return "", nil, 0, withhold(UnitUnknown, "The unit of %s is %q, and degrees or radians are needed.", found.Name,
			found.Unit)
	}
	values, rate, err := r.courses([]string{found.Name})
	if err != nil {
		return "", nil, 0, err
	}
	if least := leastOversampling.Value * positionCutoff.Value; rate < least {
		return "", nil, 0, withhold(RateTooLow, "%s has %.4g numbers a second, and a low-pass of %s needs at least %g.",
			found.Name, rate, positionCutoff, least)
	}
	for i := range values[0] {
		values[0][i] *= factor
	}
	return found.Name, smoothed(unwrapped(values[0]), positionCutoff.Value, rate), rate, nil
}
