package movement

// The parameters of reaches.
var (
	leastReach  = Parameter{"least_reach", 0.1, "m", "that the toe of the foot that reaches moves"}
	standsStill = Parameter{"stands_still", 0.03, "m", "within which the toe of the foot that stands stays"}
)

// The parameters of reaches of a hand: they have the numbers of those of a foot.
var (
	leastHandReach  = Parameter{leastReach.Name, leastReach.Value, "m", "that the wrist of the hand that reaches moves"}
	handStandsStill = Parameter{standsStill.Name, standsStill.Value, "m",
		"within which the wrist of the hand that stands stays"}
)

// gorman is the reference of the Y-balance test of the upper quarter.
var gorman = Source{"Gorman PP, Butler RJ, Plisky PJ, Kiesel KB (2012). Upper Quarter Y Balance Test: reliability " +
	"and performance comparison between genders in active adults. Journal of Strength and Conditioning Research " +
	"26(11):3043-3048.", ""}

// plisky is the reference of the Y-balance test.
var plisky = Source{"Plisky PJ, Gorman PP, Butler RJ, Kiesel KB, Underwood FB, Elkins B (2009). The reliability of " +
	"an instrumented device for measuring components of the star excursion balance test. North American Journal of " +
	"Sports Physical Therapy 4(2):92-99.", ""}

var (
	byReach = Method{
		ID: "reach.toe", Version: 1, Needs: []string{"the toes of both feet in a known marker set"},
		Parameters: both(markerParameters, []Parameter{leastReach, standsStill}),
		Accuracy:   "10 mm between the points; a point on the foot is not the tip of the toe",
		Sources:    []Source{plisky, winter},
	}
	byLegLength = Method{
		ID: "reach.leg", Version: 1, Needs: []string{"the toes of both feet", "the centres of hip, knee and ankle"},
		Parameters: byReach.Parameters, Accuracy: "2 %", Sources: byReach.Sources,
	}
	byHandReach = Method{
		ID: "reach.hand", Version: 1,
		Needs: []string{"both wrists in a known marker set", "which way is up, by the file or a force platform"},
		Parameters: []Parameter{setShare, positionCutoff, leastOversampling, longestBridge, leastHandReach,
			handStandsStill}, Accuracy: "10 mm between the points; a point at the wrist is not the tip of the fingers",
		Sources: []Source{gorman, winter},
	}
	byArmLength = Method{
		ID: "reach.arm", Version: 1,
		Needs:      []string{"both wrists", "shoulder and elbow", "which way is up, by the file or a force platform"},
		Parameters: byHandReach.Parameters, Accuracy: "2 %", Sources: byHandReach.Sources,
	}
)

// reachings are the columns of a reach of a foot.
func reachings() []Column {
	return []Column{
		event("reach"+frameSuffix, "Farthest reach", "When the foot reaches farthest.",
			"The frame of the greatest distance.", byReach),
		metric("reach_distance", "m", "Distance of the reach", "How far the one foot reaches from the one that stands.",
			"The greatest level distance between the toes of both feet, through a low-pass of {position_cutoff}. The "+
				"foot that stands is the one whose toe moves less; it stays within {stands_still}, and the other one "+
				"moves by {least_reach} or more.", "", 3, []Method{byReach}).higher(0.2, 1.6),
		metric("reach_distance_of_leg", "%", "Distance of the reach over the leg",
			"The distance in parts of the length of the leg that stands.",
			"The distance over the median of the length from hip to knee to ankle. In the clinic the length is taken "+
				"from the front of the pelvis to the inner ankle, which is some centimetres more.", "",
			0, []Method{byLegLength}).higher(20, 180),
	}
}

// handReachings are the columns of a reach of a hand.
func handReachings() []Column {
	return []Column{
		event("reach"+frameSuffix, "Farthest reach", "When the hand reaches farthest.",
			"The frame of the greatest distance.", byHandReach),
		metric("reach_distance", "m", "Distance of the reach", "How far the one hand reaches from the one that stands.",
			"The greatest level distance between both wrists, through a low-pass of {position_cutoff}. The hand that "+
				"stands is the one whose wrist moves less; it stays within {stands_still}, and the other one moves "+
				"by {least_reach} or more.", "", 3, []Method{byHandReach}).higher(0.1, 1.6),
		metric("reach_distance_of_arm", "%", "Distance of the reach over the arm",
			"The distance in parts of the length of the arm that stands.",
			"The distance over the median of the length from shoulder to elbow to wrist. In the clinic the length is "+
				"taken from the seventh cervical vertebra to the tip of the longest finger, which is a good deal more.",
			"", 0, []Method{byArmLength}).higher(20, 250),
	}
}
