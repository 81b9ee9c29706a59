package movement

// The ways to find the events and metrics of vertical jumps.
var (
	byFlight = Method{
		ID: "jump.force.flight", Version: 4, Needs: []string{"vertical force"}, Parameters: flightParameters,
		Accuracy: "1 sample of the force", Sources: []Source{linthorne, bosco},
	}
	byImpulse = Method{
		ID: "jump.force.impulse", Version: 5, Needs: []string{"vertical force", "a second of standing still"},
		Parameters: impulseParameters,
		Accuracy:   "height 3 mm, moments 1 sample, first movement 35 ms", Sources: []Source{linthorne, owen, mcMahon},
	}
	bySides = Method{
		ID: "jump.force.sides", Version: 3,
		Needs: []string{"a vertical force for each foot, by the names of channels or by two platforms and the points " +
			"of the feet", "a second of standing still"}, Parameters: sideParameters,
		Accuracy: "1 %", Sources: []Source{bishop},
	}
)

// byPelvis finds how high the pelvis rises, also where there is no force.
var byPelvis = Method{
	ID: "jump.pelvis", Version: 2, Needs: []string{"the pelvis", "heels and toes", "half a second of standing still"},
	Parameters: feetParameters,
	Accuracy:   "10 mm", Sources: []Source{linthorne, winter},
}

// with gives a method with further sources.
func (m Method) with(sources ...Source) []Method {
	m.Sources = append(m.Sources[:len(m.Sources):len(m.Sources)], sources...)
	return []Method{m}
}

func event(name, title, description, definition string, m Method) Column {
	return Column{Name: name, Kind: Event, Type: Integer, Unit: "frame", Title: title, Description: description,
		Definition: definition, Methods: []Method{m}}
}

// The events of a vertical jump.
var (
	jumpStart = event("jump_initiation_frame", "First movement", "When the person begins to move.",
		"From the lowest force between standing still and the peak, back to the last sample that is less than "+
			"{onset_deviations} of standing still, and at least {onset_share} of the body weight, below the body "+
			"weight; {onset_lead} before that.", byImpulse)
	squatStart = event("jump_initiation_frame", "First movement", "When the person begins to move.",
		"From the peak of the force, back to the last sample that is less than {onset_deviations} of standing still, "+
			"and at least {onset_share} of the body weight, above the body weight; {onset_lead} before that.",
		byImpulse)
	brakingStart = event("braking_start_frame", "Start of braking",
		"When the body begins to slow down on its way down.",
		"The sample of the least velocity.", byImpulse)
	bottomOfJump = event("bottom_of_jump_frame", "Lowest position", "When the body is lowest, and the push-off begins.",
		"The first sample after the least velocity with a velocity of at least 0.", byImpulse)
	takeoffEvent = event("takeoff_frame", "Take-off", "When the feet leave the ground.",
		"The first sample of the flight whose force, without the offset of the empty platform, is below "+
			"{contact_force}. A flight lasts {least_flight} to {longest_flight}, the force is then below "+
			"{contact_force} or {contact_share} of the body weight, and within {push_window} before it reaches "+
			"{push_force}. The offset is the mean of the middle half of the flight.", byFlight)
	landingEvent = event("landing_frame", "Landing", "When the feet touch the ground again.",
		"The first sample after the flight whose force, without the offset of the empty platform, is at least "+
			"{contact_force}. Within {impact_window} the force reaches {push_force}.", byFlight)
	touchEvent = event("first_contact_frame", "First contact", "When the feet touch the platform after the drop.",
		"The first sample of the contact that the take-off ends: from the take-off back, the force is at least "+
			"{contact_force}.", byFlight)
)

func metric(name, unit, title, description, definition, formula string, precision int, methods []Method) Column {
	return Column{
		Name: name, Kind: Metric, Type: Number, Unit: unit, Title: title, Description: description,
		Definition: definition,
		Formula:    formula, Precision: precision, Methods: methods,
	}
}

// higher says that more is better, and what is plausible.
func (c Column) higher(from, to float64) Column {
	c.Better = "higher"
	return c.within(from, to)
}

// within says what is plausible.
func (c Column) within(from, to float64) Column {
	c.Plausible = &[2]float64{from, to}
	return c
}

// byFlightAlone is that of a height that no integration gives.
var byFlightAlone = []Method{{ID: byFlight.ID, Version: byFlight.Version + 1, Needs: byFlight.Needs,
	Parameters: byFlight.Parameters, Accuracy: byFlight.Accuracy, Sources: byFlight.Sources}}

// jumpHeights are the heights of a jump and how long it is in the air.
func jumpHeights(impulse bool) []Column {
	height := metric("jump_height", "m", "Jump height", "How far the body rises after the take-off.",
		"By impulse where that is given, else by flight time; never from standing, which is another quantity, 10 to "+
			"15 cm more in published trials.", "", 4, append(byImpulse.with(), byFlight)).higher(0.02, 1.2)
	method := Column{
		Name: "jump_height_method", Kind: Metric, Type: Text, Title: "Method of the jump height",
		Description: "By which method jump_height was found.",
		Definition:  "impulse or flight_time.", Values: []string{"impulse", "flight_time"},
		Methods: append(byImpulse.with(), byFlight),
	}
	flightHeight := metric("jump_height_flight_time", "m", "Jump height by flight time",
		"How far the body rises after the take-off, if it lands as it took off. It reads 0.6 to 4 cm more than by "+
			"impulse, for people land with bent legs.",
		"By the time from take-off to landing. All of the jump is withheld where it is higher than anybody jumps, "+
			"where there are points and the pelvis does not fall as all things do, to {pelvis_fall}, in the middle of "+
			"the flight, and where by the points one foot stands on force platforms before the take-off, and the "+
			"other one not more than {foot_flight} higher and more than {beside_plates} from all that bear it.",
		"g T² / 8", 4, []Method{byFlight}).higher(0.01, 1.2)
	time := metric("jump_flight_time", "s", "Flight time", "How long the body is in the air.",
		"From take-off to landing.", "", 3, []Method{byFlight}).higher(leastFlight.Value, longestFlight.Value)
	count := metric("jumps_detected", "", "Jumps",
		"How many jumps the recording has; the longest one with a landing is described, or without any the last.",
		"Times in the air of at least {least_flight} with a push-off before.", "", 0, []Method{byFlight})
	count.Type = Integer
	offset := metric("plate_offset", "N", "Offset of the platform",
		"What the empty platform measured, which was taken off.",
		"The mean of the middle half of the flight, of one without a landing of its first {open_flight}.", "",
		1, []Method{byFlight})
	noise := metric("plate_noise", "N", "Noise of the platform", "How much the empty platform varied.",
		"The standard deviation of the middle half of the flight.", "", 2, []Method{byFlight})
	if !impulse { // the weight of somebody who drops onto the platform is not known
		height.Definition, height.Methods = "By flight time: the weight of somebody who drops onto the platform is "+
			"not known, so that nothing is integrated.", byFlightAlone
		method.Definition, method.Values, method.Methods = "flight_time.", []string{"flight_time"}, byFlightAlone
	}
	all := []Column{height, method}
	if impulse {
		all = append(all, metric("jump_height_impulse", "m", "Jump height by impulse",
			"How far the body rises after the take-off.",
			"By the velocity at the take-off, which is the integral of the force from the first movement. It is "+
				"withheld with all that is integrated where it differs from the height by flight time by more than "+
				"{disagree_height} and {disagree_percent} of the greater one, and all of the jump where the body "+
				"moves up and down by more than {longest_push} before the take-off.", "v² / (2 g)",
			4, []Method{byImpulse}).higher(0.01, 1.2),
			metric("jump_height_standing", "m", "Jump height from standing",
				"How far the body rises above standing. It is more than the height after the take-off, by how far "+
					"feet and arms have lifted the body until then: 10 to 15 cm in published trials.",
				"By impulse, the height after the take-off and where the body is at the take-off above the first "+
					"movement; not of a jump out of a held squat. By the pelvis, where there is no force: its "+
					"greatest height while heels and toes are more than {foot_contact} above where they stood, and "+
					"at some time {foot_flight}, less its mean in the first {standing_time} of standing still. In "+
					"the air it falls as all things do, to {fall_tolerance}.", "v² / (2 g) + x", 4,
				[]Method{byImpulse, byPelvis}).higher(0.05, 1.4))
	}
	return append(all, flightHeight, time, count, offset, noise)
}

// jumpForces are what is integrated from the first movement on.
func jumpForces() []Column {
	by := []Method{byImpulse}
	return []Column{
		metric("takeoff_velocity", "m/s", "Take-off velocity", "How fast the body is at the take-off, upwards.",
			"The integral of the force at the take-off; it is not the greatest velocity, which comes before.", "", 4,
			by).higher(0.3, 5),
		metric("time_to_takeoff", "s", "Time to take-off", "From the first movement to the take-off.", "", "",
			3, by).within(0.1, 5),
		metric("reactive_strength_index_modified", "m/s", "Modified reactive strength index",
			"The height of the jump by the time that it took.", "The height by impulse over the time to take-off.",
			"h / t", 3, byImpulse.with(ebben)).higher(0.01, 3),
		metric("body_weight", "N", "Body weight", "The weight on the platform, clothes and load included.",
			"The mean of the stillest {weighing} before the peak of the force, or of all of it where there is less, "+
				"but at least {least_weighing}. The standard deviation is at most {quiet_deviation}.", "", 1,
			by).within(100, 3500),
		metric("system_mass", "kg", "Mass", "The mass on the platform, clothes and load included.",
			"The body weight over the acceleration of free fall.", "W / g", 2, by),
		metric("peak_force", "N", "Peak force", "The greatest force of the push-off.",
			"The greatest force from the first movement to the take-off.", "", 0, by),
		metric("peak_force_relative", "BW", "Peak force in body weights",
			"The greatest force of the push-off in body weights.", "", "F / W", 3, by).higher(1, 8),
		metric("peak_power", "W", "Peak power", "The greatest power of the push-off.",
			"The greatest force times velocity from the lowest position to the take-off.", "F v", 0, by),
		metric("peak_power_relative", "W/kg", "Peak power per mass", "The greatest power of the push-off per mass.",
			"", "F v / m", 1, by).higher(5, 120),
		metric("propulsive_impulse", "N·s", "Propulsive impulse", "The net impulse of the push-off.",
			"The integral of the force less the weight, from the lowest position to the take-off.", "", 2, by),
		metric("propulsion_time", "s", "Time of propulsion", "From the lowest position to the take-off.", "", "", 3,
			by),
		metric("peak_landing_force", "N", "Peak landing force", "The greatest force of the landing.",
			"The greatest force within {landing_window} from the landing.", "", 0, byLanding),
	}
}

var byLanding = []Method{{
	ID: "jump.force.landing", Version: 2, Needs: []string{"vertical force"},
	Parameters: append(flightParameters[:len(flightParameters):len(flightParameters)], landingWindow),
	Accuracy:   "1 sample of the force", Sources: []Source{linthorne},
}}

// jumpDip are what only a jump with a dip has.
func jumpDip() []Column {
	by := []Method{byImpulse}
	return []Column{
		metric("countermovement_depth", "m", "Depth of the countermovement",
			"How far the body goes down, positive downwards.", "The lowest position below that of the first movement.",
			"", 4, by).within(0.02, 0.9),
		metric("braking_impulse", "N·s", "Braking impulse", "The net impulse that stops the way down.",
			"The integral of the force less the weight, from the least velocity to the lowest position.", "", 2, by),
		metric("unweighting_time", "s", "Time of unweighting", "From the first movement to the start of braking.", "",
			"", 3, by),
		metric("braking_time", "s", "Time of braking", "From the start of braking to the lowest position.", "", "",
			3, by),
	}
}

func asymmetry(name, what, from, to string) Column {
	c := metric(name, "%", "Asymmetry of "+what,
		"By how much the right side has more than the left, positive for more on the right.",
		"By the integrals of the force of each side from "+from+" to "+to+
			", with the weight that they carry. A force is that of a foot by the name of its channel, or by the "+
			"platform that the middle of heel and toe is above while the person is weighed. The offset of a "+
			"platform, its mean in the middle half of the flight, is taken off where it is at least {side_offset}.",
		"100 (R - L) / max(R, L)", 2, []Method{bySides})
	return c.within(-100, 100)
}

// countermovement are the columns of a jump with a dip.
func countermovement() []Column {
	all := []Column{jumpStart, brakingStart, bottomOfJump, takeoffEvent, landingEvent}
	all = append(all, jumpHeights(true)...)
	all = append(all, jumpForces()...)
	all = append(all, jumpDip()...)
	return append(all,
		asymmetry("braking_impulse_asymmetry", "braking", "the start of braking", "the lowest position"),
		asymmetry("propulsive_impulse_asymmetry", "propulsion", "the lowest position", "the take-off"),
		asymmetry("landing_impulse_asymmetry", "landing", "the landing", "{landing_window} after it"))
}

// squatJump are the columns of a jump without a dip.
func squatJump() []Column {
	all := []Column{squatStart, takeoffEvent, landingEvent}
	all = append(all, jumpHeights(true)...)
	all = append(all, jumpForces()...)
	flag := metric("countermovement", "", "Countermovement",
		"Whether there was a dip before the push-off, which a squat jump must not have: 1 for yes, 0 for no.",
		"Within {dip_window} before the first movement upwards the force is below the body weight by more than "+
			"{onset_deviations} of standing still and {dip_share} of the body weight.", "", 0,
		[]Method{{ID: byImpulse.ID, Version: byImpulse.Version, Needs: byImpulse.Needs,
			Parameters: append(impulseParameters[:len(impulseParameters):len(impulseParameters)], dipWindow, dipShare),
			Accuracy:   byImpulse.Accuracy, Sources: byImpulse.Sources}})
	flag.Type = Integer
	return append(all, flag,
		asymmetry("propulsive_impulse_asymmetry", "propulsion", "the first movement", "the take-off"),
		asymmetry("landing_impulse_asymmetry", "landing", "the landing", "{landing_window} after it"))
}

// dropVertical are the columns of a jump out of a drop.
func dropVertical() []Column {
	all := []Column{touchEvent, takeoffEvent, landingEvent}
	all = append(all, jumpHeights(false)...)
	return append(all,
		metric("contact_time", "s", "Contact time", "How long the feet are on the platform between drop and jump.",
			"From the first contact to the take-off.", "", 3, []Method{byFlight}).within(0.08, 3),
		metric("reactive_strength_index", "m/s", "Reactive strength index",
			"The height of the jump by the time of contact.", "The height by flight time over the contact time.",
			"h / t", 3, byFlight.with(young)).higher(0.02, 6),
		metric("reactive_strength_ratio", "", "Reactive strength ratio", "The time in the air by the time of contact.",
			"The flight time over the contact time.", "T / t", 3, byFlight.with(healy)).higher(0.05, 8),
		metric("peak_landing_force", "N", "Peak landing force", "The greatest force of the landing.",
			"The greatest force within {landing_window} from the landing.", "", 0, byLanding))
}
