package movement

import "strings"

// descents are the columns of movements of the pelvis down and up again: what one of them is
// called, how the names of its events begin, and that of its depth.
func descents(what, name, depth string) []Column {
	repetitions := metric("repetitions", "", "Repetitions",
		"How many "+what+"s the recording has; the first one is described.",
		"The lowest positions of the pelvis that stand out by {repetition_prominence} of its range and are "+
			"{repetition_apart} apart.", "", 0, []Method{bySquat, byMarkers})
	repetitions.Type = Integer
	moment := func(suffix, title, description, definition string) Column {
		c := event(name+suffix, title, description, definition, bySquat)
		c.Methods = []Method{bySquat, byMarkers}
		return c
	}
	flexion := func(side string) Column {
		return metric("peak_knee_flexion_"+side, "°", "Peak flexion of the "+side+" knee",
			"The greatest flexion of the "+side+" knee in the first repetition.",
			"By the joint centres, the angle between the line from hip to knee and that from knee to ankle, 0 in a "+
				"straight leg. By an angle of the file, its greatest value in the direction of the flexion, which is "+
				"told by the data: the angle exceeds {proven_angle} to one side alone.", "",
			2, []Method{byLegs, byKnee}).within(10, 180)
	}
	valgus := func(side string) Column {
		return metric(side+"_knee_valgus_at_bottom", "m", strings.ToUpper(side[:1])+side[1:]+" knee beside the leg",
			"How far the "+side+" knee is beside the line from hip to ankle at the lowest position, outwards "+
				"positive, inwards negative.",
			"The distance of the centre of the knee from the plane that has the centres of hip and ankle in it and "+
				"goes where the person faces: level, at a right angle to the line of the hips.", "", 3,
			[]Method{byValgus}).within(-0.3, 0.3)
	}
	return []Column{
		moment("_initiation_frame", "Start", "When the first "+what+" begins.",
			"Where the pelvis is lower than around the repetition by all but {repetition_width} of what the lowest "+
				"position stands out by, on the way down."),
		moment("_bottom_frame", "Lowest position", "When the pelvis is lowest.",
			"The lowest position of the first repetition."),
		moment("_end_frame", "End", "When the first "+what+" ends.", "As the start, on the way up."),
		repetitions,
		metric(depth, "m", "Depth", "How far the pelvis goes down in the first "+what+".",
			"Its greatest height from start to end less its least; start and end are at {repetition_width} of the "+
				"way, so that it is that part of the way down from standing.", "", 4,
			[]Method{bySquat, byMarkers}).within(leastSquat.Value, 1),
		metric("time_while_at_bottom", "s", "Time at the bottom",
			"How long the pelvis stays at the bottom in the first "+what+".",
			"The time in which it is at most {bottom_height} above the lowest position.", "",
			3, []Method{bySquat, byMarkers}).within(0, 60),
		flexion("left"), flexion("right"),
		valgus("left"), valgus("right"),
	}
}

// squats are the columns of squats.
func squats() []Column {
	below := metric("hip_below_knee", "", "Hips below the knees",
		"Whether the hips are lower than the knees at the lowest position: 1 for yes, 0 for no.",
		"The mean height of the centres of both hips is less than that of both knees.", "", 0, []Method{byHips})
	below.Type = Integer
	return append(descents("squat", "squat", "squat_depth"), below)
}

// lunges are the columns of lunges, whose events have names that begin so.
func lunges(name string) []Column {
	return append(descents("lunge", name, "lunge_depth"),
		metric("stance_length", "m", "Length of the stance",
			"How far one foot is ahead of the other at the lowest position.",
			"The distance of both ankles along where the person faces: level, at a right angle to the line of "+
				"the hips.", "", 3, []Method{byStance}).within(0, 2),
		metric("stance_width", "m", "Width of the stance", "How far the feet are apart across at the lowest position.",
			"The distance of both ankles at a right angle to where the person faces, level.", "",
			3, []Method{byStance}).within(0, 2))
}
