package movement

// The parameters of reaches of a foot.
var (
	leastReach  = Parameter{"least_reach", 0.1, "m", "that the toe of the foot that reaches moves"}
	standsStill = Parameter{"stands_still", 0.03, "m", "within which the toe of the foot that stands stays"}
)

// plisky is the reference of the Y-balance test.
var plisky = Source{"Plisky PJ, Gorman PP, Butler RJ, Kiesel KB, Underwood FB, Elkins B (2009). The reliability of an instrumented device for measuring components of the star excursion balance test. North American Journal of Sports Physical Therapy 4(2):92-99.", ""}

var (
	byReach = Method{
		ID: "reach.toe", Version: 1, Needs: []string{"the toes of both feet in a known marker set"},
		Parameters: both(markerParameters, []Parameter{leastReach, standsStill}), Accuracy: "10 mm between the points; a point on the foot is not the tip of the toe", Sources: []Source{plisky, winter},
	}
	byLegLength = Method{
		ID: "reach.leg", Version: 1, Needs: []string{"the toes of both feet", "the centres of hip, knee and ankle"},
		Parameters: byReach.Parameters, Accuracy: "2 %", Sources: byReach.Sources,
	}
)

// reachings are the columns of a reach of a foot.
func reachings() []Column {
	return []Column{
		event("reach"+frameSuffix, "Farthest reach", "When the foot reaches farthest.", "The frame of the greatest distance.", byReach),
		metric("reach_distance", "m", "Distance of the reach", "How far the one foot reaches from the one that stands.",
			"The greatest level distance between the toes of both feet, through a low-pass of {position_cutoff}. The foot that stands is the one whose toe moves less; it stays within {stands_still}, and the other one moves by {least_reach} or more.", "", 3, []Method{byReach}).higher(0.2, 1.6),
		metric("reach_distance_of_leg", "%", "Distance of the reach over the leg", "The distance in parts of the length of the leg that stands.",
			"The distance over the median of the length from hip to knee to ankle. In the clinic the length is taken from the front of the pelvis to the inner ankle, which is some centimetres more.", "", 0, []Method{byLegLength}).higher(20, 180),
	}
}
