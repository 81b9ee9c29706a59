package movement

// The parameters of jumps forwards.
var (
	pushStill = Parameter{"push_still", 0.15, "s",
		"before the take-off; in the first two thirds of it the toes stay on the ground"}
	landStill = Parameter{"land_still", 0.3, "s",
		"after the landing; in the second half of it the feet stay where they landed"}
	forwardsWithin = Parameter{"forwards_within", 45, "°",
		"of where the feet point, that the pelvis goes in a jump forwards"}
	raisedFoot = Parameter{"raised_foot", 0.05, "m",
		"by which the toes of the foot that does not jump are higher while the person stands"}
	feetStill = Parameter{"feet_still", 0.01, "m",
		"the greatest standard deviation of the place of a foot that stays where it is"}
)

// byBroad finds how far a jump goes.
var byBroad = Method{
	ID: "jump.distance", Version: 2, Needs: byPelvis.Needs,
	Parameters: both(feetParameters, []Parameter{pushStill, landStill, feetStill, forwardsWithin}),
	Accuracy:   "10 mm between the points; a point on the foot is not the tip of the toe",
	Sources:    []Source{linthorne, winter},
}

// byHop finds how far a jump from one foot goes.
var byHop = Method{
	ID: "jump.distance.single", Version: 2, Needs: byPelvis.Needs,
	Parameters: both(byBroad.Parameters, []Parameter{raisedFoot}),
	Accuracy:   byBroad.Accuracy, Sources: byBroad.Sources,
}

// broadJumps are the columns of a jump forwards.
func broadJumps() []Column {
	return []Column{
		metric("jump_distance", "m", "Distance",
			"How far the jump goes, from the toes before it to the heels after it.",
			"From the front toe at the take-off to the rear heel after the landing, along the way of the pelvis and "+
				"level, between the points of the recording: the mean places in the first two thirds of {push_still} "+
				"before the take-off and in the second half of {land_still} after the landing. In them the feet stay "+
				"where they are, with a standard deviation of at most {feet_still}. Take-off and landing are where "+
				"heels and toes are {foot_contact} above where they stood; in the air the pelvis falls as all things "+
				"do, to {fall_tolerance}. The pelvis goes within {forwards_within} of where the feet point.", "", 3,
			[]Method{byBroad}).higher(0.2, 3.9),
	}
}

// hops are the columns of a jump forwards from one foot.
func hops() []Column {
	return []Column{
		metric("jump_distance", "m", "Distance", "How far the jump goes, from the toes before it to the heel after it.",
			"As of a jump from both feet, by the foot that stands before it: the toes of the other one are "+
				"{raised_foot} higher. Both are points of the recording: the mean places in the first two thirds of "+
				"{push_still} before the take-off and in the second half of {land_still} after the landing of the "+
				"same foot. In them the foot stays where it is, with a standard deviation of at most {feet_still}. "+
				"The pelvis goes within {forwards_within} of where the foot points.",
			"", 3, []Method{byHop}).higher(0.2, 3.9),
	}
}
