package movement

// The parameters of runs with a change of direction.
var (
	cutWindow = Parameter{"cut_window", 1.5, "s", "before and after the turn, in which the run is fastest"}
	leastRun  = Parameter{"least_run", 2, "m/s", "that the pelvis reaches before and after the turn"}
	speedDrop = Parameter{"speed_drop", 10, "%",
		"of the lower one of both speeds, by which the pelvis is slower at the turn"}
	otherDrop   = Parameter{"other_drop", 80, "%", "of the drop of the speed at the turn, which no other time reaches"}
	leastCut    = Parameter{"least_cut", 20, "°", "of a change of direction"}
	mostCut     = Parameter{"most_cut", 165, "°", "up to which a turn is to one side"}
	leastMoving = Parameter{"least_moving", 0.5, "m/s", "below which the pelvis has no direction"}
	plantForce  = Parameter{"plant_force", 200, "N", "that the foot bears that turns the run"}
)

// dosSantos is a review of what is measured of changes of direction.
var dosSantos = Source{"Dos'Santos T, Thomas C, Comfort P, Jones PA (2018). The effect of angle and velocity on " +
	"change of direction biomechanics: an angle-velocity trade-off. Sports Medicine 48(10):2235-2253.",
	"10.1007/s40279-018-0968-3"}

var (
	// byCut finds the turn and the speeds around it by the pelvis.
	byCut = Method{
		ID: "cut.pelvis", Version: 2, Needs: []string{"the pelvis in a known marker set"},
		Parameters: both(markerParameters, []Parameter{cutWindow, leastRun, speedDrop, otherDrop, leastCut, mostCut,
			leastMoving}),
		Accuracy: "moments 50 ms, speed 3 % and 0.2 m/s, angle 5°", Sources: []Source{dosSantos, winter},
	}
	// byPlant finds the contact in which the turn is.
	byPlant = Method{
		ID: "cut.contact", Version: 2, Needs: []string{"the pelvis in a known marker set", "vertical force"},
		Parameters: both(byCut.Parameters, []Parameter{leastRate, contactForce, plantForce}),
		Accuracy:   "1 sample of the force", Sources: []Source{dosSantos},
	}
)

// cuts are the columns of a run with a change of direction.
func cuts() []Column {
	by := []Method{byCut}
	speed := func(name, title, description, definition string) []Column {
		return []Column{
			event(name+frameSuffix, title+", moment", "When this is.", "The frame of the greatest speed.", byCut),
			metric(name, "m/s", title, description,
				definition+" Its place goes through a low-pass of {position_cutoff}. It is withheld where the "+
					"recording begins or ends there.", "", 2, by).higher(0.5, 12.5),
		}
	}
	turn := "The time in which the level speed of the pelvis is least between two in which it is {least_run} or " +
		"more, at most {cut_window} before and after, and slower than in both by {speed_drop} or more. At no other " +
		"time the speed drops by {other_drop} of that."
	side := metric("turn_side", "", "Side of the turn", "To which side the run turns.",
		"By the direction of the speed when it is greatest before and after the turn; not of a turn by more than "+
			"{most_cut}, nor where the direction changes by more than that on the way, while the pelvis is "+
			"{least_moving} or faster.", "", 0, by)
	side.Type, side.Values = Text, sides
	return ordered(
		speed("peak_speed", "Peak speed", "How fast the pelvis is at most.",
			"The greatest level speed of the pelvis in the recording."),
		speed("entry_speed", "Speed before the turn", "How fast the pelvis is before the turn.",
			"The greatest level speed of the pelvis in the {cut_window} before the turn."),
		[]Column{
			event("foot_contact"+frameSuffix, "Contact of the foot", "When the foot comes down that turns the run.",
				"The first sample of the contact of the platforms in which the turn is: the force is {contact_force} "+
					"or more, and {plant_force} at some time.", byPlant),
			event("turn"+frameSuffix, "Turn", "When the run turns: the pelvis is slowest.", turn, byCut),
			event("foot_off"+frameSuffix, "Foot off", "When the foot leaves the ground that turns the run.",
				"The first sample after that contact.", byPlant),
		},
		speed("exit_speed", "Speed after the turn", "How fast the pelvis is after the turn.",
			"The greatest level speed of the pelvis in the {cut_window} after the turn."),
		[]Column{
			metric("turn_speed", "m/s", "Speed at the turn", "How fast the pelvis is when the run turns.", turn, "",
				2, by).within(0, 10),
			metric("turn_angle", "°", "Angle of the turn", "By how much the run changes its direction.",
				"The angle between the directions in which the pelvis goes when it is fastest in the {cut_window} "+
					"before and after the turn; {least_cut} at least.", "", 0, by).within(leastCut.Value, 180),
			side,
			metric("contact_time", "s", "Time of contact", "How long the foot is on the platforms that turns the run.",
				"From the contact of the foot to its leaving. Where both feet step onto the platforms without a "+
					"pause it is the contact of both.", "", 3, []Method{byPlant}).within(0.08, 0.8),
		},
	)
}
