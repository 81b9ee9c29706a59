package movement

// The parameters of planks.
var (
	plankRise  = Parameter{"plank_rise", 35, "°", "from level, of the line from the ankles to the shoulders"}
	plankAngle = Parameter{"plank_angle", 140, "°",
		"the least angle at the pelvis between the shoulders and the ankles"}
	plankSpeed = Parameter{"plank_speed", 0.25, "m/s", "the greatest speed of the pelvis"}
	leastPlank = Parameter{"least_plank", 3, "s", "that the body is held"}
)

// byPlank finds how long a straight body is held.
var byPlank = Method{
	ID: "plank.points", Version: 1, Needs: []string{"both shoulders, the pelvis and both ankles in a known marker set",
		"which way is up, by the file or by a force platform"},
	Parameters: []Parameter{setShare, positionCutoff, leastOversampling, longestBridge, plankRise, plankAngle,
		plankSpeed, leastPlank}, Accuracy: "0.1 s", Sources: []Source{winter},
}

// planks are the columns of planks.
func planks() []Column {
	by := []Method{byPlank}
	straight := "The longest time in which the line from the ankles to the shoulders is within {plank_rise} of " +
		"level, the angle at the pelvis is {plank_angle} or more, and the pelvis is no faster than {plank_speed}; " +
		"{least_plank} at least. Points that are missing for {longest_bridge} or less do not end it."
	speed := metric("pelvis_mean_speed", "m/s", "Mean speed of the pelvis",
		"How fast the pelvis moves while the body is held.",
		"The mean of its speed; its place goes through a low-pass of {position_cutoff}.", "", 4, by).within(0,
		plankSpeed.Value)
	speed.Better = "lower"
	return []Column{
		event("plank_start"+frameSuffix, "Start", "When the body is held from.", straight, byPlank),
		event("plank_end"+frameSuffix, "End", "When the body is held to.", "The last frame of that time.", byPlank),
		metric("plank_duration", "s", "Duration", "How long the body is held.", straight, "",
			1, by).higher(leastPlank.Value, 36000),
		speed,
		metric("hip_angle_mean", "°", "Mean angle at the pelvis",
			"How straight the body is held: 180 is a straight line.",
			"The mean of the angle at the pelvis between the middle of the shoulders and that of the ankles.", "", 1,
			by).within(plankAngle.Value, 180),
	}
}
