package movement

// The parameters of squats and lunges.
var (
	repetitionProminence = Parameter{"repetition_prominence", 70, "%",
		"of the range of the pelvis height, the least that a lowest position stands out by"}
	repetitionApart = Parameter{"repetition_apart", 0.5, "s", "between two lowest positions"}
	repetitionWidth = Parameter{"repetition_width", 95, "%",
		"of what the lowest position stands out by, at which a repetition begins and ends"}
	bottomHeight = Parameter{"bottom_height", 0.02, "m",
		"above the lowest position, up to which the person is at the bottom"}
	provenAngle = Parameter{"proven_angle", 20, "°",
		"that the flexion of the knee has to exceed to one side alone"}
	cutShare = Parameter{"cut_share", 2, "%",
		"of the range of the pelvis height, by which the pelvis may be under its highest position where the " +
			"recording begins or ends in a repetition"}
	leastSquat = Parameter{"least_squat", 0.05, "m", "the least depth"}

	positionCutoff = Parameter{"position_cutoff", 6, "Hz",
		"at which the low-pass of positions has -3 dB (Butterworth, second order, forwards and backwards)"}
	leastOversampling = Parameter{"least_oversampling", 5, "", "times the cut-off, the least rate"}
	longestBridge     = Parameter{"longest_bridge", 0.1, "s",
		"of a gap, and at most 25 frames, over which moments are found; no value is read in it"}
)

// pelvisHeight is what OpenSim calls the height of the pelvis, in m.
const pelvisHeight = "pelvis_ty"

var (
	openCap = Source{"OpenCap: opencap-processing, squat analysis (Apache-2.0), " +
		"https://github.com/opencap-org/opencap-processing.", ""}
	winter = Source{"Winter DA (2009). Biomechanics and Motor Control of Human Movement, 4th edition. Wiley.",
		"10.1002/9780470549148"}
)

// repetitionParameters find repetitions.
var repetitionParameters = []Parameter{repetitionProminence, repetitionApart, repetitionWidth, bottomHeight, leastSquat,
	cutShare}

// markerParameters find the body.
var markerParameters = []Parameter{setShare, uprightFrames, uprightShare, positionCutoff, leastOversampling,
	longestBridge}

func both(a, b []Parameter) []Parameter { return append(a[:len(a):len(a)], b...) }

var (
	// bySquat finds repetitions by the height of the pelvis.
	bySquat = Method{
		ID: "squat.pelvis", Version: 2, Needs: []string{"the height of the pelvis as OpenSim has it (pelvis_ty, m)"},
		Parameters: repetitionParameters, Accuracy: "1 frame", Sources: []Source{openCap},
	}
	// byMarkers finds them by the points of the pelvis.
	byMarkers = Method{
		ID: "squat.markers", Version: 2, Needs: []string{"the points of the pelvis in a known marker set"},
		Parameters: both(repetitionParameters, markerParameters), Accuracy: "3 mm, moments 20 ms",
		Sources: []Source{openCap, winter},
	}
	// byKnee finds the flexion of a knee by an angle of the file.
	byKnee = Method{
		ID: "squat.knee", Version: 2,
		Needs: []string{"the angle of the knee as OpenSim has it (knee_angle_r, knee_angle_l) or as Plug-in " +
			"Gait has it (RKneeAngles, LKneeAngles)"},
		Parameters: both(repetitionParameters, []Parameter{provenAngle}), Accuracy: "that of the angle",
		Sources: []Source{openCap},
	}
	// byLegs finds it by the joints.
	byLegs = Method{
		ID: "squat.legs", Version: 1, Needs: []string{"the centres of hip, knee and ankle"},
		Parameters: both(repetitionParameters, markerParameters), Accuracy: "that of the joint centres",
		Sources: []Source{openCap, winter},
	}
	byHips = Method{ID: "squat.hips", Version: 1, Needs: byLegs.Needs, Parameters: byLegs.Parameters,
		Accuracy: byLegs.Accuracy, Sources: byLegs.Sources}
	byValgus = Method{
		ID: "squat.valgus", Version: 1,
		Needs:      []string{"the centres of hip, knee and ankle", "the toes and the heels or ankles"},
		Parameters: byLegs.Parameters, Accuracy: byLegs.Accuracy, Sources: []Source{winter},
	}
	byStance = Method{
		ID: "lunge.stance", Version: 1, Needs: []string{"the ankles", "the hips or the front of the pelvis",
			"the toes"},
		Parameters: byLegs.Parameters, Accuracy: "10 mm", Sources: []Source{winter},
	}
)
