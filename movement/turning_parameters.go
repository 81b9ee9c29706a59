package movement

// The parameters of throws and swings.
var (
	turnCutoff = Parameter{"turn_cutoff", 12, "Hz",
		"at which the low-pass of turning angles has -3 dB (Butterworth, second order, forwards and backwards), at " +
			"more than 120 frames a second"}
	slowTurnCutoff = Parameter{"slow_turn_cutoff", 8, "Hz", "the same at 120 frames a second or less"}
	slowTurnRate   = Parameter{"slow_turn_rate", 120, "Hz", "up to which the lower cut-off holds"}
	swingCutoff    = Parameter{"swing_cutoff", 20, "Hz",
		"at which the low-pass of the places of hands and feet has -3 dB, and at most a fifth of the rate"}
	swingRate = Parameter{"swing_rate", 50, "Hz", "the least rate"}

	leastHandSpeed = Parameter{"least_hand_speed", 3, "m/s", "that the hand reaches in a throw or a swing"}
	otherHandSpeed = Parameter{"other_hand_speed", 80,
		"%", "of the greatest speed of the hand, which it reaches once; more than a turn's time apart"}
	turnBefore = Parameter{"turn_before", 1,
		"s", "before the hand is fastest, in which pelvis, trunk and arm turn"}
	turnAfter      = Parameter{"turn_after", 0.1, "s", "after the hand is fastest, in which they still may be fastest"}
	leastTurnSpeed = Parameter{"least_turn_speed", 250, "°/s",
		"that a peak of a turning speed reaches, and by which it stands out"}
	leastLevel = Parameter{"least_level", 50, "%",
		"of the line of the hips or of the shoulders, that is level while it turns"}
	separationAhead = Parameter{"separation_ahead", 0.5, "s",
		"before the trunk turns forwards, in which the separation may be greatest"}

	stepBefore = Parameter{"step_before", 2, "s", "before the hand is fastest, in which the front foot comes down"}
	leastLift  = Parameter{"least_lift", 0.05, "m", "that the front ankle comes down after it was raised"}
	footStill  = Parameter{"foot_still", 0.2, "m/s",
		"the greatest vertical speed of the ankle of a foot on the ground"}
	footStillFor = Parameter{"foot_still_for", 0.02, "s", "for which the ankle is so slow"}
)

// The sources of the definitions of throws and swings.
var (
	fleisig = Source{"Fleisig GS, Barrentine SW, Zheng N, Escamilla RF, Andrews JR (1999). Kinematic and kinetic " +
		"comparison of baseball pitching among various levels of development. Journal of Biomechanics " +
		"32(12):1371-1375.", "10.1016/S0021-9290(99)00127-X"}
	putnam = Source{"Putnam CA (1993). Sequential motions of body segments in striking and throwing skills: " +
		"descriptions and explanations. Journal of Biomechanics 26(Suppl 1):125-135.", "10.1016/0021-9290(93)90084-R"}
)

// turnParameters find when a throw or a swing is.
var turnParameters = both([]Parameter{setShare, uprightFrames, uprightShare, longestBridge},
	[]Parameter{swingCutoff, swingRate, leastHandSpeed, otherHandSpeed, turnBefore, turnAfter})

var (
	// byHand finds it by the hand.
	byHand = Method{
		ID: "turn.hand", Version: 1, Needs: []string{"both wrists", "handedness"},
		Parameters: turnParameters, Accuracy: "50 ms of the moment in which a ball leaves the hand; speed 5 %",
		Sources: []Source{winter, fleisig},
	}
	// byTurn finds how fast pelvis and trunk turn.
	byTurn = Method{
		ID: "turn.segments", Version: 1, Needs: []string{"both hips or the front of the pelvis", "both shoulders",
			"the wrists", "handedness"},
		Parameters: both(turnParameters, []Parameter{turnCutoff, slowTurnCutoff, slowTurnRate, leastTurnSpeed,
			leastLevel, separationAhead}),
		Accuracy: "moments 20 ms; the low-pass lowers a peak that is shorter than 0.1 s",
		Sources:  []Source{putnam, winter},
	}
	// byArm finds how fast the upper arm turns.
	byArm = Method{
		ID: "turn.arm", Version: 1, Needs: []string{"shoulder and elbow", "both shoulders", "the wrists", "handedness"},
		Parameters: byTurn.Parameters, Accuracy: byTurn.Accuracy, Sources: byTurn.Sources,
	}
	// byStep finds the step of the front foot.
	byStep = Method{
		ID: "turn.step", Version: 2, Needs: []string{"both ankles", "the wrists", "handedness"},
		Parameters: both(turnParameters, []Parameter{stepBefore, leastLift, footStill, footStillFor}),
		Accuracy:   "50 ms, of a foot that comes down softly 70 ms too early, length 20 mm", Sources: []Source{fleisig},
	}
)
