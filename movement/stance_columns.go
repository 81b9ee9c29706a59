package movement

// The parameters of stances.
var (
	pressureCutoff = Parameter{"pressure_cutoff", 10, "Hz",
		"at which the low-pass of the centre of pressure has -3 dB (Butterworth, second order, forwards and backwards)"}
	leastStance = Parameter{"least_stance", 10, "s", "the shortest stance"}
	leastLoad   = Parameter{"least_load", 20, "N", "from which vertical force on somebody is on a platform"}
	stanceForce = Parameter{"stance_force", 10, "%",
		"of its median, within which the vertical force stays while somebody stands"}
)

var (
	schubert = Source{"Schubert P, Kirchner M (2014). Ellipse area calculations and their applicability in " +
		"posturography. Gait & Posture 39(1):518-522.", "10.1016/j.gaitpost.2013.09.001"}
	bySway = Method{
		ID: "stance.pressure", Version: 1,
		Needs: []string{"the centre of pressure: a force platform, or the channels Fz, Mx and My about its " +
			"surface"},
		Parameters: []Parameter{pressureCutoff, leastOversampling, leastStance, leastLoad, stanceForce},
		Accuracy:   "that of the platform", Sources: []Source{schubert, winter},
	}
)

// sways are the columns of a stance on a platform.
func sways() []Column {
	by := []Method{bySway}
	lower := func(c Column) Column {
		c.Better = "lower"
		return c
	}
	axes := "along the laboratory, and of channels along the platform; x is its first axis that is level, y at a " +
		"right angle to it"
	return []Column{
		lower(metric("sway_path_length", "m", "Path of the sway", "How long the way of the centre of pressure is.",
			"The sum of its steps from sample to sample, through a low-pass of {pressure_cutoff}. It grows with the "+
				"rate and the cut-off, so that it compares with values of the same alone. The vertical force stays "+
				"within {stance_force} of its median for at least {least_stance}.", "", 4, by).within(0.005, 20)),
		metric("sway_path_length_unfiltered", "m", "Path of the sway, unfiltered",
			"How long the way of the centre of pressure is, as it was recorded.",
			"The sum of its steps from sample to sample, which has the noise of the platform in it.", "", 4, by),
		lower(metric("sway_mean_velocity", "m/s", "Mean velocity of the sway", "How fast the centre of pressure moves.",
			"The path through the low-pass over its time.", "", 4, by).within(0.0005, 1)),
		lower(metric("sway_rms_x", "m", "Sway along x", "How far the centre of pressure is from its mean along x.",
			"The root of the mean square about the mean, unfiltered, "+axes+".", "", 5, by).within(0.0001, 0.2)),
		lower(metric("sway_rms_y", "m", "Sway along y", "How far the centre of pressure is from its mean along y.",
			"As along x.", "", 5, by).within(0.0001, 0.2)),
		lower(metric("sway_range_x", "m", "Range of the sway along x", "How far the centre of pressure goes along x.",
			"The greatest value less the least, unfiltered.", "", 4, by).within(0.0005, 1)),
		lower(metric("sway_range_y", "m", "Range of the sway along y", "How far the centre of pressure goes along y.",
			"As along x.", "", 4, by).within(0.0005, 1)),
		lower(metric("sway_ellipse_area", "m²", "Area of the sway",
			"The area of the ellipse in which the next sample lies with a probability of 95 %.",
			"The prediction ellipse of the unfiltered centre of pressure, and not that of the confidence of its "+
				"mean, which is thousands of times smaller. S is the covariance with n-1.",
			"π √det S · 2 (n-1)(n+1) / (n (n-2)) · F(0.95; 2, n-2)", 6, by).within(1e-7, 0.1)),
	}
}
