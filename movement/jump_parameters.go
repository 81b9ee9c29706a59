package movement

// gravity is the standard acceleration of free fall in m/s² (ISO 80000-3), by which all
// sources compute.
const gravity = 9.80665

// The parameters of vertical jumps from force.
var (
	leastRate    = Parameter{"least_rate", 200, "Hz", "below it the take-off is not known well enough"}
	goodRate     = Parameter{"good_rate", 500, "Hz", "below it a note says that the values are less certain"}
	contactForce = Parameter{"contact_force", 20, "N", "from which vertical force on there is contact"}
	contactShare = Parameter{"contact_share", 5,
		"%", "of the body weight, below which the force has to be in flight where that is more than the contact force"}
	loadedShare = Parameter{"loaded_share", 25,
		"%", "of the 95th percentile of the force, above which the rough weight is taken"}
	leastFlight   = Parameter{"least_flight", 0.1, "s", "the shortest flight"}
	longestFlight = Parameter{"longest_flight", 1.2, "s", "the longest flight"}
	pushWindow    = Parameter{"push_window", 0.4, "s", "before the take-off, in which the push-off is"}
	impactWindow  = Parameter{"impact_window", 0.3, "s", "after the landing, in which the impact is"}
	pushForce     = Parameter{"push_force", 1.3, "BW", "that push-off and impact reach"}
	openFlight    = Parameter{"open_flight", 0.5, "s", "of a flight without a landing that the zero is taken from"}
	mostOffset    = Parameter{"most_offset", 20, "N", "of the empty platform, beyond which a note tells of it"}
	pelvisFall    = Parameter{"pelvis_fall", 4, "m/s²",
		"by which the fall of the pelvis may differ from free fall where there is a force: legs that are drawn up in " +
			"the air move it against the body"}
	besidePlates = Parameter{"beside_plates", 0.05, "m",
		"from all platforms with a force, beyond which a foot on the ground stands on none of them"}

	weighing       = Parameter{"weighing", 1, "s", "of standing still"}
	leastWeighing  = Parameter{"least_weighing", 0.5, "s", "of standing still, where the contact is shorter"}
	quietDeviation = Parameter{"quiet_deviation", 1.5, "%",
		"of the body weight, the greatest standard deviation of standing still"}

	onsetDeviations = Parameter{"onset_deviations", 5, "SD",
		"of standing still, from which on the force has left the body weight"}
	onsetShare = Parameter{"onset_share", 0.5, "%",
		"of the body weight, the least that the force has to leave it by"}
	onsetLead   = Parameter{"onset_lead", 0.03, "s", "before the force has left the body weight"}
	longestPush = Parameter{"longest_push", 1.2, "m",
		"that the body moves up and down before the take-off, beyond which the rate of the recording is wrong"}
	dipWindow = Parameter{"dip_window", 0.5, "s",
		"before the first movement upwards, in which a squat jump must have no dip"}
	dipShare = Parameter{"dip_share", 10, "%",
		"of the body weight, beyond which a squat jump had a countermovement"}

	jumpCutoff = Parameter{"jump_cutoff", 12, "Hz",
		"at which the low-pass of the height of the pelvis has -3 dB (Butterworth, second order, forwards and " +
			"backwards)"}
	standingTime = Parameter{"standing_time", 0.5, "s", "of standing still before the jump, by the pelvis"}
	standingSway = Parameter{"standing_sway", 0.01, "m",
		"the greatest standard deviation of the height of the pelvis while standing"}
	footContact   = Parameter{"foot_contact", 0.01, "m", "above where it stood, up to which a foot is on the ground"}
	footFlight    = Parameter{"foot_flight", 0.03, "m", "above where they stood, that both feet reach in a jump"}
	fallTolerance = Parameter{"fall_tolerance", 1.5, "m/s²",
		"by which the fall of the pelvis may differ from free fall"}

	sideOffset = Parameter{"side_offset", 1,
		"N", "of one empty platform, from which on it is taken off the force of that foot"}
	landingWindow   = Parameter{"landing_window", 0.5, "s", "from the landing"}
	disagreeHeight  = Parameter{"disagree_height", 0.06, "m", "by which the two heights may differ"}
	disagreePercent = Parameter{"disagree_percent", 20,
		"%", "of the greater height, by which the two may differ where that is more"}
)

var (
	// flightParameters find the flight.
	flightParameters = []Parameter{leastRate, goodRate, contactForce, contactShare, loadedShare, leastFlight,
		longestFlight, pushWindow, impactWindow, pushForce, openFlight, mostOffset, pelvisFall, footFlight,
		besidePlates}
	// impulseParameters find what is integrated.
	impulseParameters = append(flightParameters[:len(flightParameters):len(flightParameters)],
		weighing, leastWeighing, quietDeviation, onsetDeviations, onsetShare, onsetLead, disagreeHeight,
		disagreePercent, longestPush)
	// sideParameters find what each foot carries.
	sideParameters = append(impulseParameters[:len(impulseParameters):len(impulseParameters)], sideOffset,
		landingWindow)
	// feetParameters find a jump by the points of the body.
	feetParameters = both([]Parameter{setShare, uprightFrames, uprightShare, leastOversampling, leastFlight,
		longestFlight}, []Parameter{jumpCutoff, standingTime, standingSway, footContact, footFlight, fallTolerance})
)
