package sto

import (
	"slices"
	"strings"
)

// OpenSim writes inDegrees over most tables, also over those of forces, muscles and
// reactions at joints. So it says in what the angles are, if there are any; which
// columns are coordinates of a model, the title and the names have to tell.

// units gives what finds the unit of a column by its name: deg for an angle, m for a
// translation, and nothing for all that is no coordinate or may be none.
func (h *Header) units() func(name string) string {
	title := strings.ToLower(h.Title)
	if !h.Stated || slices.ContainsFunc(otherTitles, func(begin string) bool { return strings.HasPrefix(title, begin) }) {
		return func(string) string { return "" }
	}
	all := strings.HasPrefix(title, "coordinates") || h.anglesLikely()
	return func(name string) string {
		last, path := coordinate(name)
		switch {
		case last == "":
			return ""
		case translation(last):
			return "m"
		case all || path:
			return "deg"
		}
		return ""
	}
}

// otherTitles begin the titles that OpenSim gives to tables without coordinates:
// their speeds, which bear the same names, what muscles and actuators do, and loads.
// What else a title says is somebody's own name for a trial.
var otherTitles = []string{
	"accelerations", "actuator", "actuation", "controls", "inverse dynamics", "joint reaction", "jointreaction",
	"muscleanalysis", "speeds", "static optimization", "staticoptimization",
}

// otherWords are words in the names of columns that are no coordinates, though they
// may have the name of one in them, as knee_angle_r_moment has.
var otherWords = []string{"accel", "activation", "fiber_", "force", "moment", "power", "reserve", "speed", "torque", "velocity"}

// otherEnds are the ends of such names: speeds and their changes, forces, moments and
// the points at which they act.
var otherEnds = []string{
	"_u", "_dot", "_acc", "_vel",
	"_fx", "_fy", "_fz", "_mx", "_my", "_mz", "_px", "_py", "_pz", "_vx", "_vy", "_vz",
}

// coordinate gives the name of the coordinate that a column may be, in small
// letters, or nothing. OpenSim names translations pelvis_tx and so on; a full state
// has paths such as /jointset/hip_r/hip_flexion_r/value, with speeds, and with muscles.
func coordinate(name string) (last string, path bool) {
	last = strings.ToLower(name)
	if parts := strings.Split(last, "/"); len(parts) > 1 {
		if parts[len(parts)-1] != "value" {
			return "", true
		}
		last, path = parts[len(parts)-2], true
	}
	if holds(last, otherWords) || slices.ContainsFunc(otherEnds, func(end string) bool { return strings.HasSuffix(last, end) }) {
		return "", path
	}
	return last, path
}

func holds(name string, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(name, word) })
}

func translation(name string) bool {
	for _, axis := range []string{"_tx", "_ty", "_tz"} {
		if strings.HasSuffix(name, axis) || strings.Contains(name, axis+"_") {
			return true
		}
	}
	return false
}

// anglesLikely says whether columns are named as joint angles are.
func (h *Header) anglesLikely() bool {
	return slices.ContainsFunc(h.Columns, func(name string) bool {
		last, _ := coordinate(name)
		return holds(last, []string{"flexion", "adduction", "rotation", "_angle", "_tilt", "_list"})
	})
}
