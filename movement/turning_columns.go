package movement

// The names of the columns of what turns.
const (
	pelvisPeak  = "peak_pelvis_angular_velocity"
	trunkPeak   = "peak_trunk_angular_velocity"
	armPeak     = "peak_arm_angular_velocity"
	frameSuffix = "_frame"
)

// turns are the columns of throws and swings. arm says which arm counts, such as "throwing".
func turns(arm string) []Column {
	peak := func(name, title, what string, by Method, most float64) []Column {
		within := "The greatest speed of {least_turn_speed} or more that stands out by as much, from when the trunk " +
			"begins to turn forwards, at most {turn_before} before the hand is fastest, to {turn_after} after that. "
		return []Column{
			event(name+frameSuffix, title+", moment", "When this is.", "The frame of the peak.", by),
			metric(name, "°/s", title, "How fast it turns at most.", within+what, "",
				0, []Method{by}).higher(leastTurnSpeed.Value, most),
		}
	}
	about := " about the vertical, forwards positive: to the left for the right hand, to the right for the left one, " +
		"and the other way round in a backhand. The line is level by at least {least_level} while it turns. Angles " +
		"go through a low-pass of {turn_cutoff}, at {slow_turn_rate} or less of {slow_turn_cutoff}."
	order := metric("kinematic_sequence_order", "", "Order of the peaks",
		"In which order pelvis, trunk and arm are fastest.",
		"The names of the three in the order of their peaks, with = between those that are within one frame.", "", 0,
		[]Method{byArm})
	order.Type, order.Values = Text, orders()
	hand := metric("peak_hand_speed", "m/s", "Peak speed of the hand", "How fast the hand is at most.",
		"The greatest speed of the wrist, whose place goes through a low-pass of {swing_cutoff}, at most of a fifth "+
			"of the rate. It is {least_hand_speed} at least; a recording in which it reaches {other_hand_speed} of "+
			"that again has several throws or swings and is not measured.", "",
		1, []Method{byHand}).higher(leastHandSpeed.Value, 45)
	between := func(name, from, to string, by Method) Column {
		return metric(name, "s", "Time from "+from+" to "+to, "How long after the "+from+" the "+
			to+" is fastest; negative where it is fastest before.", "The difference of both moments.", "", 3,
			[]Method{by}).within(-0.5, 0.5)
	}
	speedup := metric("pelvis_to_trunk_velocity_speedup", "", "Gain of speed from pelvis to trunk",
		"How many times as fast as the pelvis the trunk turns.", "The peak of the trunk over that of the pelvis.", "",
		2, []Method{byTurn}).within(0.2, 5)
	separation := []Column{
		event("max_x_factor"+frameSuffix, "Separation of pelvis and trunk, moment", "When this is.",
			"The frame of the greatest angle.", byTurn),
		metric("max_x_factor", "°", "Separation of pelvis and trunk",
			"How far the pelvis is turned ahead of the trunk at most.",
			"The greatest angle about the vertical by which the line of the hips is turned ahead of that of the "+
				"shoulders, from {separation_ahead} before the trunk begins to turn forwards to its peak.", "",
			0, []Method{byTurn}).within(0, 120),
	}
	return ordered(
		[]Column{event("peak_hand_speed"+frameSuffix, "Fastest hand", "When the hand is fastest.",
			"The frame of the greatest speed of the wrist.", byHand), hand},
		peak(pelvisPeak, "Peak turning speed of the pelvis",
			"How fast the line from the left to the right hip, or that of the front of the pelvis, turns"+about, byTurn,
			1200),
		peak(trunkPeak, "Peak turning speed of the trunk",
			"How fast the line from the left to the right shoulder turns"+about, byTurn, 2000),
		peak(armPeak, "Peak turning speed of the "+arm+" arm", "How fast the direction from shoulder to elbow of the "+
			arm+" arm changes, in any direction; it goes through the low-pass of {turn_cutoff}, at {slow_turn_rate} "+
			"or less of {slow_turn_cutoff}.", byArm, 3000),
		separation,
		[]Column{
			speedup,
			between("time_from_pelvis_to_trunk", "pelvis", "trunk", byTurn),
			between("time_from_trunk_to_arm", "trunk", "arm", byArm),
			order,
		},
	)
}

// orders are all that an order of three can be.
func orders() (all []string) {
	names := []string{"pelvis", "trunk", "arm"}
	for i := range 3 {
		for j := range 3 {
			k := 3 - i - j
			if i == j {
				continue
			}
			a, b, c := names[i], names[j], names[k]
			all = append(all, a+"-"+b+"-"+c)
			if i < j { // those that are within a frame stand in one order
				all = append(all, a+"="+b+"-"+c)
			}
			if j < k {
				all = append(all, a+"-"+b+"="+c)
			}
		}
	}
	return append(all, "pelvis=trunk=arm")
}

// releases are the columns of throws, beside those of all.
func releases(columns []Column) []Column {
	return ordered([]Column{event("release"+frameSuffix, "Release", "When the ball or the shot leaves the hand.",
		"The frame in which the wrist is fastest.", byHand)}, columns)
}

// steps are the columns of a step onto the front foot, beside others.
func steps(columns []Column) []Column {
	return ordered([]Column{event("foot_contact"+frameSuffix, "Contact of the front foot",
		"When the front foot comes down.",
		"In the {step_before} before the hand is fastest, the ankle of the front foot, which is the other one than "+
			"the hand, comes down from its highest position by {least_lift} or more. From when it is fastest on the "+
			"way down, the first frame from which on its vertical speed is less than {foot_still} for "+
			"{foot_still_for}.", byStep)}, columns)
}

// strides are the columns of a throw with a step.
func strides() []Column {
	return ordered(steps(releases(turns("throwing"))), []Column{
		metric("stride_length", "m", "Length of the stride", "How far the front foot comes down from the rear one.",
			"The level distance from the rear ankle when the front ankle is highest to the front ankle at its contact.",
			"", 2, []Method{byStep}).within(0.1, 2.5),
		metric("time_from_foot_contact_to_release", "s", "Time from contact to release",
			"How long after the contact of the front foot the release is.", "The difference of both moments.", "", 3,
			[]Method{byStep}).within(0, stepBefore.Value),
	})
}
