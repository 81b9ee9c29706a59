package sto

import (
	"slices"
	"strings"
	"unicode"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/units"
)

// OpenSim writes inDegrees over most tables, also over those of forces, muscles and
// reactions at joints. So it says in what the angles are, if there are any; which
// columns are coordinates of a model, and which of them are angles, the names have to
// tell. A coordinate of a name that nobody knows may as well be a length, as that of a
// slider is: it is no angle, and nothing is converted.

// units gives what finds the unit of a column by its name: deg for an angle, m for a
// translation, and nothing for all that is no coordinate or may be none.
func (h *Header) units() func(name string) string {
	if !h.Stated || h.otherTable() {
		return func(string) string { return "" }
	}
	return func(name string) string {
		switch last := coordinate(name); {
		case last == "":
			return ""
		case translation(last):
			return "m"
		case angle(last) && !h.contradicts(name):
			return "deg"
		}
		return ""
	}
}

// contradicts says whether the name of a column has another unit in brackets than that which
// the file says of its angles: hip_flexion_r (rad) in a file of degrees.
func (h *Header) contradicts(name string) bool {
	open := strings.LastIndexAny(name, "([")
	if open < 0 {
		return false
	}
	degrees, known := units.Degrees(strings.TrimRight(name[open+1:], ")] "))
	return !known || (degrees == 1) != h.Degrees
}

// otherTable says whether the title is one of a table without coordinates.
func (h *Header) otherTable() bool {
	title := strings.ToLower(h.Title)
	return slices.ContainsFunc(otherTitles, func(begin string) bool { return strings.HasPrefix(title, begin) }) ||
		holds(title, otherTables)
}

// otherTitles begin the titles that OpenSim gives to tables without coordinates:
// their speeds, which bear the same names, what muscles and actuators do, and loads.
// Any other title is somebody's own name for a trial.
var otherTitles = []string{
	"accelerations", "actuator", "actuation", "controls", "inverse dynamics", "joint reaction", "jointreaction",
	"muscleanalysis", "speeds", "static optimization", "staticoptimization",
}

// otherTables are words of such titles that nobody gives to a trial.
var otherTables = []string{
	"accelerations", "activations", "excitations", "forces", "kinematics_u", "kinematics_dudt", "moment arm",
	"momentarm", "moments", "powers",
	"residuals", "torques", "velocities",
}

// otherWords are words in the names of columns that are no coordinates, though they
// may have the name of one in them, as knee_angle_r_moment has.
var otherWords = []string{
	"accel", "activation", "actuator", "control", "energy", "error", "excitation", "fiber_", "force", "grf", "lambda",
	"length", "limit", "moment",
	"motor", "power", "reserve", "residual", "speed", "stiffness", "tendon", "torque", "translation", "variance",
	"velocity", "weight", "work",
}

// otherEnds are the ends of such names: speeds and their changes, forces, moments and
// the points at which they act.
var otherEnds = []string{
	"_u", "_dot", "_acc", "_vel", "_omega", "_sin", "_cos", "_err", "_rms",
	"_fx", "_fy", "_fz", "_mx", "_my", "_mz", "_px", "_py", "_pz", "_vx", "_vy", "_vz",
}

// coordinate gives the name of the coordinate that a column may be, in small letters,
// or nothing. A full state has paths such as /jointset/hip_r/hip_flexion_r/value, with
// speeds, and with muscles.
func coordinate(name string) string {
	if parts := strings.Split(name, "/"); len(parts) > 1 {
		if !strings.EqualFold(parts[len(parts)-1], "value") || strings.EqualFold(parts[1], "forceset") {
			return ""
		}
		name = parts[len(parts)-2]
	}
	last := strings.ToLower(name)
	if holds(last, otherWords) ||
		slices.ContainsFunc(otherEnds, func(end string) bool { return strings.HasSuffix(last, end) }) {
		return ""
	}
	return last
}

func holds(name string, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(name, word) })
}

// translation says whether a coordinate is named pelvis_tx or the like.
func translation(name string) bool {
	for _, axis := range []string{"_tx", "_ty", "_tz"} {
		if strings.HasSuffix(name, axis) || strings.Contains(name, axis+"_") {
			return true
		}
	}
	return false
}

// movements are words of anatomy that nothing but an angle is called by.
var movements = []string{
	"flexion", "extension", "abduction", "adduction", "rotation", "bending", "obliquity", "pronation", "supination",
	"inversion", "eversion",
}

// joints and turns are parts of names that only together are one of an angle, as in
// elbow_flex or pelvis_list: muscles are called flex_dig or add_mag.
var (
	joints = []string{
		"ankle", "arm", "clavicle", "elbow", "foot", "hand", "head", "hip", "knee", "lumbar", "mtp", "neck", "pelvis",
		"scapula", "shoulder", "subtalar",
		"thigh", "thorax", "toe", "torso", "trunk", "wrist",
	}
	turns = []string{"abd", "abduct", "add", "bend", "dev", "deviation", "elev", "elevation", "elv", "ext", "flex",
		"list", "pitch", "roll", "rot", "tilt", "yaw"}
)

// angle says whether a coordinate has the name of an angle.
func angle(name string) bool {
	if holds(name, movements) {
		return true
	}
	parts := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) })
	has := func(words ...string) bool {
		return slices.ContainsFunc(parts, func(part string) bool { return slices.Contains(words, part) })
	}
	return has("angle", "angles") || has(joints...) && has(turns...) || has("pro") && has("sup")
}

// reportAngles tells what is not known of angles.
func (h *Header) reportAngles() {
	if h.Type != Double || h.otherTable() {
		return
	}
	likely := slices.ContainsFunc(h.Columns, func(name string) bool { return angle(coordinate(name)) })
	doubtful, first := 0, ""
	for _, name := range h.Columns {
		last := coordinate(name)
		if last == "" || translation(last) || angle(last) ||
			!strings.HasPrefix(strings.ToLower(h.Title), "coordinates") && !strings.Contains(name, "/") {
			continue
		}
		if doubtful++; doubtful == 1 {
			first = name
		}
	}
	odd := slices.IndexFunc(h.Columns, func(name string) bool {
		return h.Stated && angle(coordinate(name)) &&
			h.contradicts(name)
	})
	if odd >= 0 {
		h.Warnings.Add(quality.AngleUnitMissing,
			"The column %q has another unit in its name than inDegrees says; such columns were kept as they are, "+
				"without a unit.", h.Columns[odd])
	}
	switch {
	case likely && h.angles == unknown:
		h.Warnings.Add(quality.AngleUnitMissing,
			"What the file says behind inDegrees is neither yes nor no; all columns were kept as they are, without "+
				"a unit.")
	case likely && !h.Stated:
		h.Warnings.Add(quality.AngleUnitMissing,
			"The file does not say whether its angles are degrees or radians; all columns were kept as they are, "+
				"without a unit.")
	case h.angles == radians && doubtful > 0:
		h.Warnings.Add(quality.AngleUnitMissing,
			"The names of %s coordinates, the first of which is %q, do not tell whether they are angles in radians "+
				"or lengths; they were kept as they are, without a unit.",
			quality.Thousands(int64(doubtful)), cut(first))
	}
}
