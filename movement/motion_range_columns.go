package movement

// The parameters of ranges of motion.
var (
	quietTime  = Parameter{"quiet_time", 0.5, "s", "for which the starting position is held"}
	quietAngle = Parameter{"quiet_angle", 1, "°",
		"the greatest standard deviation of the angle in the starting position"}
	mostLean = Parameter{"most_lean", 30, "°", "of the trunk from the vertical, about which the rotation is measured"}
)

// norkin is the reference of clinical goniometry.
var norkin = Source{"Norkin CC, White DJ (2016). Measurement of Joint Motion: A Guide to Goniometry, 5th edition. " +
	"F.A. Davis.", ""}

// rangeParameters find an angle of the body.
var rangeParameters = both(markerParameters, []Parameter{quietTime, quietAngle, mostLean})

var (
	byRotation = Method{
		ID: "range.rotation", Version: 1,
		Needs:      []string{"the pelvis and the neck", "both shoulders", "both sides of the head, or both hips"},
		Parameters: rangeParameters, Accuracy: "2° of markers, that of the points of others",
		Sources: []Source{norkin, winter},
	}
	byRaise = Method{
		ID: "range.shoulder", Version: 2, Needs: []string{"the pelvis and the neck", "shoulder and elbow"},
		Parameters: rangeParameters,
		Accuracy:   "10° of markers on the skin, which lie beside the joints; that of the joint centres of others",
		Sources:    []Source{norkin, winter},
	}
	byFoot = Method{
		ID: "range.ankle", Version: 1, Needs: []string{"knee, ankle, heel and toe"},
		Parameters: rangeParameters, Accuracy: "2° of markers, that of the points of others",
		Sources: []Source{norkin, winter},
	}
)

// The angles from which on a range of motion counts as functional.
var (
	functionalRotation = Parameter{"functional_rotation", 45,
		"°", "of the head against the shoulders, the least that is functional"}
	functionalRaise = Parameter{"functional_flexion", 165,
		"°", "of the arm against the trunk, the least that is functional"}
)

// publicThresholds is where they are printed.
var publicThresholds = Source{"Thresholds of the published description of the columns cervical_rotation_functional " +
	"and shoulder_flexion_functional of the interface that Kinebase has.", ""}

var (
	byFunctionalRotation = byRotation.flagged("range.rotation.functional", functionalRotation)
	byFunctionalRaise    = byRaise.flagged("range.shoulder.functional", functionalRaise)
)

// flagged is the method of a flag that rests on what a method finds.
func (m Method) flagged(id string, least Parameter) Method {
	m.ID, m.Version, m.Parameters = id, 1, both(m.Parameters, []Parameter{least})
	m.Sources = []Source{publicThresholds}
	return m
}

// flag is whether something is so: 1 for yes, 0 for no.
func flag(name, title, description, definition string, method Method) Column {
	c := metric(name, "", title, description+": 1 for yes, 0 for no.", definition, "", 0, []Method{method})
	c.Type = Integer
	return c
}

// peaks are an angle at its greatest and its moment.
func peaks(name, title, description, definition string, method Method, from, to float64) []Column {
	return []Column{
		event(name+"_frame", title+", moment", "When this is: "+description, "The frame of the greatest angle.",
			method),
		metric(name, "°", title, description,
			definition+" It is the greatest of the middle ones of every three numbers.", "",
			1, []Method{method}).higher(from, to),
	}
}

// ordered puts events before metrics.
func ordered(columns ...[]Column) []Column {
	var events, metrics []Column
	for _, list := range columns {
		for _, c := range list {
			if c.Kind == Event {
				events = append(events, c)
			} else {
				metrics = append(metrics, c)
			}
		}
	}
	return append(events, metrics...)
}

func neckRotations() []Column {
	side := func(side string) []Column {
		return peaks("cervical_rotation_"+side+"_peak", "Rotation of the head to the "+side,
			"How far the head turns to the "+side+" against the shoulders.",
			"The angle about the vertical between the line of both sides of the head and that of the shoulders, 0 in "+
				"the starting position: the first {quiet_time} with a standard deviation of at most {quiet_angle}. "+
				"The trunk leans by at most {most_lean}.", byRotation, 5, 120)
	}
	enough := func(side string) Column {
		return flag("cervical_rotation_"+side+"_functional", "Functional rotation to the "+side,
			"Whether the head turns far enough to the "+side, "The rotation of the head to the "+
				side+" is at least {functional_rotation}.", byFunctionalRotation)
	}
	return withAngles("cervical_rotation",
		ordered(side("left"), side("right"), []Column{enough("left"), enough("right")}))
}

func trunkRotations() []Column {
	angle := func(name, title, description, what string) []Column {
		return peaks("t_spine_rotation_"+name, title, description,
			what+", 0 in the starting position: the first {quiet_time} with a standard deviation of at most "+
				"{quiet_angle}; to either side. The trunk leans by at most {most_lean}.", byRotation, 0, 150)
	}
	return withAngles("t_spine_rotation", ordered(
		angle("peak_trunk_rotation", "Rotation of the trunk", "How far the shoulders turn.",
			"The angle about the vertical of the line of the shoulders"),
		angle("peak_pelvis_rotation", "Rotation of the pelvis", "How far the pelvis turns along.",
			"The angle about the vertical of the line of the hips"),
		angle("peak_trunk_pelvis_separation", "Separation of trunk and pelvis",
			"How far the shoulders turn against the pelvis.",
			"The angle about the vertical between the line of the shoulders and that of the hips")))
}

func shoulderFlexions() []Column {
	side := func(side string) []Column {
		return peaks(side+"_shoulder_flexion_max", "Flexion of the "+side+" shoulder",
			"How far the "+side+" arm is raised.",
			"The angle between the upper arm, from shoulder to elbow, and the trunk, from neck to pelvis: 0 of an "+
				"arm that hangs, 180 overhead.", byRaise, 40, 180)
	}
	enough := func(side string) Column {
		return flag(side+"_shoulder_flexion_functional", "Functional flexion of the "+side+" shoulder",
			"Whether the "+side+" arm is raised far enough", "The flexion of the "+side+
				" shoulder is at least {functional_flexion}.", byFunctionalRaise)
	}
	return withAngles("shoulder_flexion",
		ordered(side("left"), side("right"), []Column{enough("left"), enough("right")}))
}

func ankleFlexions() []Column {
	angle := func(side, name, title, description string) []Column {
		return peaks(side+"_ankle_"+name+"_max", title+" of the "+side+" ankle", description,
			"The angle between the foot, from heel to toe, and the shank, from ankle to knee, 0 in the starting "+
				"position: the first {quiet_time} with a standard deviation of at most {quiet_angle}.", byFoot, 2, 80)
	}
	var all [][]Column
	for _, side := range []string{"left", "right"} {
		all = append(all, angle(side, "dorsiflexion", "Dorsiflexion",
			"How far the "+side+" foot is bent towards the shin."),
			angle(side, "plantarflexion", "Plantarflexion", "How far the "+side+" foot is bent away from the shin."))
	}
	return withAngles("ankle_flexion", ordered(all...))
}
