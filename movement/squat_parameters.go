package movement

// The parameters of squats.
var (
	repetitionProminence = Parameter{"repetition_prominence", 70, "%", "of the range of the pelvis height, the least that a lowest position stands out by"}
	repetitionApart      = Parameter{"repetition_apart", 0.5, "s", "between two lowest positions"}
	repetitionWidth      = Parameter{"repetition_width", 95, "%", "of what the lowest position stands out by, at which a repetition begins and ends"}
	bottomHeight         = Parameter{"bottom_height", 0.02, "m", "above the lowest position, up to which the person is at the bottom"}
	provenAngle          = Parameter{"proven_angle", 20, "°", "that the flexion of the knee has to exceed to one side alone"}
	leastSquat           = Parameter{"least_squat", 0.05, "m", "the least depth"}
)

var openCap = Source{"OpenCap: opencap-processing, squat analysis (Apache-2.0), https://github.com/opencap-org/opencap-processing.", ""}

// bySquat finds repetitions by the height of the pelvis.
var bySquat = Method{
	ID: "squat.pelvis", Version: 1, Needs: []string{"the height of the pelvis as OpenSim has it (pelvis_ty, m)"},
	Parameters: []Parameter{repetitionProminence, repetitionApart, repetitionWidth, bottomHeight, leastSquat},
	Accuracy:   "1 frame", Sources: []Source{openCap},
}

// byKnee finds the flexion of a knee.
var byKnee = Method{
	ID: "squat.knee", Version: 1, Needs: []string{"the angle of the knee as OpenSim has it (knee_angle_r, knee_angle_l)"},
	Parameters: append(bySquat.Parameters[:len(bySquat.Parameters):len(bySquat.Parameters)], provenAngle),
	Accuracy:   "that of the angle", Sources: []Source{openCap},
}

// squats are the columns of squats.
func squats() []Column {
	flexion := func(side string) Column {
		return metric("peak_knee_flexion_"+side, "°", "Peak flexion of the "+side+" knee", "The greatest flexion of the "+side+" knee in the first repetition.",
			"The greatest angle of the repetition in the direction of the flexion, which is told by the data: the angle exceeds {proven_angle} to one side alone.", "", 2, []Method{byKnee}).within(10, 180)
	}
	repetitions := metric("repetitions", "", "Repetitions", "How many squats the recording has; the first one is described.",
		"The lowest positions of the pelvis that stand out by {repetition_prominence} of its range and are {repetition_apart} apart.", "", 0, []Method{bySquat})
	repetitions.Type = Integer
	return []Column{
		event("squat_initiation_frame", "Start", "When the first squat begins.", "Where the pelvis is lower than around the repetition by all but {repetition_width} of what the lowest position stands out by, on the way down.", bySquat),
		event("squat_bottom_frame", "Lowest position", "When the pelvis is lowest.", "The lowest position of the first repetition.", bySquat),
		event("squat_end_frame", "End", "When the first squat ends.", "As the start, on the way up.", bySquat),
		repetitions,
		metric("squat_depth", "m", "Depth", "How far the pelvis goes down in the first squat.", "Its greatest height from start to end less its least.", "", 4, []Method{bySquat}).within(leastSquat.Value, 1),
		metric("time_while_at_bottom", "s", "Time at the bottom", "How long the pelvis stays at the bottom in the first squat.", "The time in which it is at most {bottom_height} above the lowest position.", "", 3, []Method{bySquat}).within(0, 60),
		flexion("left"), flexion("right"),
	}
}
