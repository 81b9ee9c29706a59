package movement

// The parameters of tests of rotary stability.
var (
	stretchedHand   = Parameter{"stretched_hand", 0.2, "m", "that the wrist of the arm moves that is stretched"}
	stretchedKnee   = Parameter{"stretched_knee", 0.15, "m", "that the knee of the leg moves that is stretched"}
	kneeStandsStill = Parameter{"knee_stands_still", 0.05, "m", "within which the knee stays that bears the body"}
	mostTogether    = Parameter{"most_together", 0.4, "m",
		"of elbow and knee that are brought together: on hands and knees they are further apart"}
	leastOpening = Parameter{"least_opening", 0.25, "m", "by which the distance of elbow and knee changes"}
)

// cook describes the test.
var cook = Source{"Cook G, Burton L, Hoogenboom BJ, Voight M (2014). Functional movement screening: the use of " +
	"fundamental movements as an assessment of function, part 2. International Journal of Sports Physical Therapy " +
	"9(4):549-563.", ""}

// byRotary finds repetitions by the elbow and the knee that move.
var byRotary = Method{
	ID: "rotary.points", Version: 2, Needs: []string{"both wrists and both knees in a known marker set", "the elbow"},
	Parameters: []Parameter{setShare, positionCutoff, leastOversampling, longestBridge, repetitionProminence,
		repetitionApart, stretchedHand, handStandsStill, stretchedKnee, kneeStandsStill, leastOpening, mostTogether},
	Accuracy: "10 mm between the points, which lie beside the joints; moments 50 ms", Sources: []Source{cook, winter},
}

// rotaries are the columns of a test of rotary stability. How well somebody does it is judged by eye,
// and no score is made of these.
func rotaries() []Column {
	by := []Method{byRotary}
	limbs := "The arm and the leg are those whose wrist moves by {stretched_hand} or more and whose knee by " +
		"{stretched_knee} or more, while the other wrist stays within {stands_still} and the other knee within " +
		"{knee_stands_still}. "
	repetitions := metric("repetitions", "", "Repetitions",
		"How often arm and leg are brought together; the first time is described.",
		limbs+"The least distances of elbow and knee that stand out on both sides by {repetition_prominence} of its "+
			"range, so that arm and leg are stretched before and after, and are {repetition_apart} apart. They are "+
			"{most_together} or less, and the range is {least_opening} or more.", "", 0, by)
	repetitions.Type = Integer
	pattern := metric("rotary_pattern", "", "Arm and leg", "Whether arm and leg are those of one side or of both.",
		limbs, "", 0, by)
	pattern.Type, pattern.Values = Text, []string{"same-side", "diagonal"}
	pattern.Definition = limbs[:len(limbs)-1]
	return []Column{
		event("stretched"+frameSuffix, "Stretched", "When arm and leg are stretched before they are brought together.",
			"The frame of the greatest distance of elbow and knee before the first repetition.", byRotary),
		event("together"+frameSuffix, "Together", "When elbow and knee are nearest to each other.",
			"The frame of the least distance of elbow and knee of the first repetition.", byRotary),
		repetitions, pattern,
		metric("elbow_to_knee_greatest", "m", "Distance when stretched",
			"How far elbow and knee are from each other before they are brought together.",
			"Their distance through a low-pass of {position_cutoff}.", "", 2, by).within(0.2, 2),
		metric("elbow_to_knee_least", "m", "Distance when together",
			"How far elbow and knee are from each other when they are nearest.",
			"Their distance through a low-pass of {position_cutoff}: points on the skin or in the joints do not "+
				"touch when elbow and knee do.", "", 2, by).within(0, 1.2),
	}
}
