package movement

// The parameters of throws at the basket.
var (
	leastRise  = Parameter{"least_rise", 1.5, "m/s", "with which the wrist goes up above the shoulder"}
	guideSpeed = Parameter{"guide_speed", 110, "%",
		"of the speed of the wrist that throws, up to which the other one goes up"}
	floorShare = Parameter{"floor_share", 5, "%",
		"of the heights of the toes, that are lower than the ground is taken to be"}
	crouchTime = Parameter{"crouch_time", 1.5, "s", "before the release, in which the knees are bent"}
	apexTime   = Parameter{"apex_time", 0.5, "s", "before and after the release, in which the jump is highest"}
	apexHalf   = Parameter{"apex_half", 0.06, "s",
		"before and after the highest position, in which the pelvis falls as all things do"}
	releaseNear = Parameter{"release_near", 0.15,
		"s", "before the take-off or after the landing, up to which the release is in the jump"}
)

// okazaki is a study of throws at the basket by the points of the arm.
var okazaki = Source{"Okazaki VHA, Rodacki ALF (2018). Basketball jump shot performed by adults and children. Human " +
	"Movement 19(1):71-79.", "10.5114/hm.2018.73615"}

// shotParameters find the release.
var shotParameters = both(both(markerParameters, []Parameter{swingCutoff, swingRate}),
	[]Parameter{leastRise, guideSpeed, otherHandSpeed, turnBefore})

var (
	byRelease = Method{
		ID: "shot.wrist", Version: 1, Needs: []string{"both wrists and both shoulders", "handedness"},
		Parameters: shotParameters,
		Accuracy:   "experimental: 100 ms of the moment in which the ball leaves the hand; speed of the wrist 5 %",
		Sources:    []Source{okazaki, winter},
	}
	byFloor = Method{
		ID: "shot.height", Version: 1, Needs: append(byRelease.Needs[:2:2], "both toes"),
		Parameters: both(shotParameters, []Parameter{floorShare}),
		Accuracy: "experimental: 0.1 m, by the moment of the release and by how high a point on the toes is above " +
			"the ground", Sources: byRelease.Sources,
	}
	byElbow = Method{
		ID: "shot.elbow", Version: 1, Needs: append(byRelease.Needs[:2:2], "the elbow"), Parameters: shotParameters,
		Accuracy: "experimental: 20°, for the arm stretches fast at the release", Sources: byRelease.Sources,
	}
	byCrouch = Method{
		ID: "shot.knees", Version: 1, Needs: append(byRelease.Needs[:2:2], "the centres of hip, knee and ankle"),
		Parameters: both(shotParameters, []Parameter{crouchTime}),
		Accuracy:   "that of the joint centres", Sources: byRelease.Sources,
	}
	byApex = Method{
		ID: "shot.apex", Version: 1, Needs: append(byRelease.Needs[:2:2], "the pelvis"),
		Parameters: both(shotParameters, []Parameter{apexTime, apexHalf, fallTolerance}),
		Accuracy:   "experimental: highest position 20 ms, release 100 ms", Sources: byRelease.Sources,
	}
	// byShotPelvis is how high the pelvis rises, of the jump in which the release is.
	byShotPelvis = Method{
		ID: byPelvis.ID, Version: byPelvis.Version, Needs: append(byPelvis.Needs[:3:3], byRelease.Needs...),
		Parameters: both(byPelvis.Parameters, both(shotParameters, []Parameter{releaseNear})),
		Accuracy:   byPelvis.Accuracy, Sources: byPelvis.Sources,
	}
)

// shots are the columns of a throw at the basket.
func shots() []Column {
	knee := func(side string) Column {
		return metric("peak_knee_flexion_"+side, "°", "Peak flexion of the "+side+" knee", "How far the "+side+
			" knee is bent at most before the release.",
			"By the joint centres, the angle between the line from hip to knee and that from knee to ankle, 0 in a "+
				"straight leg; its greatest in the {crouch_time} before the release.", "", 0,
			[]Method{byCrouch}).within(0, 170)
	}
	return []Column{
		event("release"+frameSuffix, "Release", "When the ball leaves the hand, by the wrist.",
			"Of the frames in which the wrist is above the shoulder, the one in which it goes up fastest, by "+
				"{least_rise} at least. Its place goes through a low-pass of {swing_cutoff}, at most of a fifth of "+
				"the rate. A recording in which it reaches {other_hand_speed} of that again has several throws and "+
				"is not measured; nor is one in which the other wrist goes up with more than {guide_speed} of "+
				"its speed.", byRelease),
		metric("wrist_speed_at_release", "m/s", "Speed of the wrist at the release",
			"How fast the wrist is at the release.",
			"The speed of the wrist in that frame, in any direction. The ball is faster.", "", 1,
			[]Method{byRelease}).within(leastRise.Value, 15),
		metric("wrist_height_at_release", "m", "Height of the wrist at the release",
			"How high above the ground the wrist is at the release.",
			"The height of the wrist above the toes on the ground: that below which {floor_share} of the heights of "+
				"both toes are. The ball is higher.", "", 2, []Method{byFloor}).within(0.8, 3.8),
		metric("elbow_flexion_at_release", "°", "Flexion of the elbow at the release",
			"How far the elbow is bent at the release.",
			"The angle between the line from shoulder to elbow and that from elbow to wrist, 0 in a straight arm.",
			"", 0, []Method{byElbow}).within(0, 150),
		knee("left"), knee("right"),
	}
}

// apexes are the columns of when a throw out of a jump is highest.
func apexes() []Column {
	return []Column{
		event("jump_apex"+frameSuffix, "Highest position", "When the jump is highest.",
			"The frame in which the pelvis is highest within {apex_time} of the release, through a low-pass of "+
				"{position_cutoff}. In the {apex_half} before and after it falls as all things do, to "+
				"{fall_tolerance}.", byApex),
		metric("time_from_release_to_apex", "s", "Time from release to highest position",
			"How long after the release the jump is highest; negative where the ball leaves the hand on the way down.",
			"The difference of both moments.", "", 2, []Method{byApex}).within(-apexTime.Value, apexTime.Value),
	}
}

// jumpShots are the columns of a throw at the basket out of a jump from standing.
func jumpShots() []Column { return ordered(countermovement(), shots(), apexes()) }

// layups are those of one out of a run, of which the force does not tell which of its steps is the
// jump.
func layups() []Column {
	height := metric("jump_height_standing", "m", "Jump height from standing",
		"How far the pelvis rises above standing.",
		"Its greatest height while heels and toes are more than {foot_contact} above where they stood, and at some "+
			"time {foot_flight}, less its mean in the first {standing_time} of standing still: in the longest time "+
			"in the air, in which the release is. In the air it falls as all things do, to {fall_tolerance}.", "", 4,
		[]Method{byShotPelvis}).higher(0.05, 1.4)
	return ordered(shots(), apexes(), []Column{height})
}
