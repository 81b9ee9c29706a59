package movement

import (
	"slices"
	"strings"
)

// entry is a movement in the table of the library.
type entry struct {
	Activity, Movement, Title string
	Description, Protocol     string
	names                     string   // of its dimensions, in the order of their names
	columns                   []Column // nil where the library has no method yet
}

// dimensions describes those of the entry.
func (e *entry) dimensions() []Dimension {
	list := []Dimension{}
	for _, name := range strings.Fields(e.names) {
		d := dimensions[name]
		d.Name, d.Values = name, Values(name, e.Movement)
		d.Enforced, d.Values = d.Values != nil, whole(d.Values)
		list = append(list, d)
	}
	return list
}

// movements makes the movements of the table, in the order of their names.
func movements() []Movement {
	list := make([]Movement, len(table))
	for i := range table {
		e := &table[i]
		list[i] = Movement{
			Activity: e.Activity, Movement: e.Movement, Title: e.Title, Description: e.Description,
			Protocol:   e.Protocol,
			Dimensions: e.dimensions(), Columns: whole(slices.Clone(e.columns)),
		}
	}
	return list
}

// Protocols that several movements share.
const (
	onPlate = "Stand still on the force platform for at least a second, jump as high as possible, and land on it."
	throws  = "Stand still for a second, make the movement once with full effort, and come to rest."
	rom     = "Take up the starting position for a second, move as far as possible without help and without pain, " +
		"and return."
	balance = "Take up the position and hold it; the recording is the time of holding."
	reaches = "Stand still for a second, reach as far as possible while the supporting limb stays where it is, and " +
		"return."
)

// table is the library's list: the pairs of the interface, in the order of their names, and
// two squats that the interface has no dimensions for.
var table = []entry{
	{Activity: "agility", Movement: "cutting", Title: "Cutting",
		Description: "A run with one sharp change of direction.",
		Protocol:    "Run up, turn once where it was agreed, and run out.", names: "direction", columns: cuts()},
	{Activity: "baseball", Movement: "hitting", Title: "Baseball swing", Description: "One swing of the bat at a ball.",
		Protocol: throws, names: "bat_length handedness", columns: steps(turns("front"))},
	{Activity: "baseball", Movement: "pitching", Title: "Baseball pitch", Description: "One overhand pitch.",
		Protocol: throws, names: "handedness", columns: strides()},
	{Activity: "basketball", Movement: "free_throw", Title: "Free throw",
		Description: "One throw at the basket from the free-throw line.", Protocol: throws, names: "handedness",
		columns: shots()},
	{Activity: "basketball", Movement: "jump_shot", Title: "Jump shot",
		Description: "One throw at the basket from a jump.", Protocol: throws, names: "handedness",
		columns: jumpShots()},
	{Activity: "basketball", Movement: "layup", Title: "Layup", Description: "One throw at the basket out of a run.",
		Protocol: "Stand still for a second, run up, jump off one leg, and throw.", names: "handedness",
		columns: layups()},
	{Activity: "golf", Movement: "swing", Title: "Golf swing", Description: "One full swing of a golf club.",
		Protocol: throws, names: "handedness", columns: turns("front")},
	{Activity: "jump", Movement: "broad", Title: "Broad jump",
		Description: "One jump forwards from both feet, as far as possible.",
		Protocol:    "Stand still for a second, jump, and hold the landing.", names: "arm_position",
		columns: broadJumps()},
	{Activity: "jump", Movement: "countermovement", Title: "Countermovement jump",
		Description: "One maximal vertical jump from standing, with a dip before it.", Protocol: onPlate,
		names: "arm_position", columns: countermovement()},
	{Activity: "jump", Movement: "drop_vertical", Title: "Drop vertical jump",
		Description: "A drop from a box onto both feet and at once a maximal vertical jump.",
		Protocol: "Step off the box onto the empty force platform, jump at once as high as possible, and " +
			"land on it.", names: "arm_position", columns: dropVertical()},
	{Activity: "jump", Movement: "single_leg", Title: "Single-leg jump",
		Description: "One maximal vertical jump from one leg.", Protocol: onPlate, names: "arm_position footedness",
		columns: countermovement()},
	{Activity: "jump", Movement: "single_leg_broad", Title: "Single-leg broad jump",
		Description: "One jump forwards from one leg, as far as possible.",
		Protocol:    "Stand still for a second, jump, and hold the landing.", names: "arm_position footedness",
		columns: hops()},
	{Activity: "jump", Movement: "squat", Title: "Squat jump",
		Description: "One maximal vertical jump out of a held squat, without a dip.",
		Protocol: "Squat on the force platform and hold it for at least a second, jump as high as possible, and " +
			"land on it.", names: "arm_position", columns: squatJump()},
	{Activity: "lunge", Movement: "forward", Title: "Forward lunge",
		Description: "A step forwards into a lunge and back.",
		Protocol:    "Stand still for a second, step forwards into a lunge, and return.", names: "footedness",
		columns: lunges("lunge_forward")},
	{Activity: "lunge", Movement: "side", Title: "Side lunge", Description: "A step to the side into a lunge and back.",
		Protocol: "Stand still for a second, step to the side into a lunge, and return.", names: "footedness",
		columns: lunges("lunge_side")},
	{Activity: "range_of_motion", Movement: "ankle_flexion", Title: "Ankle flexion",
		Description: "The foot is bent towards the shin and away from it.", Protocol: rom,
		names: "body_position footedness", columns: ankleFlexions()},
	{Activity: "range_of_motion", Movement: "cervical_rotation", Title: "Cervical rotation",
		Description: "The head is turned to one side.", Protocol: rom, names: "direction", columns: neckRotations()},
	{Activity: "range_of_motion", Movement: "sfma_shoulder_extension", Title: "Shoulder extension reach",
		Description: "One hand reaches up the back from below.", Protocol: rom, names: "handedness",
		columns: withAngles("sfma_shoulder_extension", nil)},
	{Activity: "range_of_motion", Movement: "sfma_shoulder_flexion", Title: "Shoulder flexion reach",
		Description: "One hand reaches down the back from above.", Protocol: rom, names: "handedness",
		columns: withAngles("sfma_shoulder_flexion", nil)},
	{Activity: "range_of_motion", Movement: "shoulder_9090", Title: "Shoulder rotation at 90/90",
		Description: "The upper arm is held out to the side at a right angle, the elbow bent at a right angle, and " +
			"the forearm turned.", Protocol: rom, names: "handedness", columns: withAngles("shoulder_9090", nil)},
	{Activity: "range_of_motion", Movement: "shoulder_flexion", Title: "Shoulder flexion",
		Description: "The straight arm is raised to the front and overhead.", Protocol: rom, names: "handedness",
		columns: shoulderFlexions()},
	{Activity: "range_of_motion", Movement: "t_spine_rotation", Title: "Thoracic rotation",
		Description: "The trunk is turned while the pelvis is held.", Protocol: rom, names: "handedness",
		columns: trunkRotations()},
	{Activity: "softball", Movement: "hitting", Title: "Softball swing", Description: "One swing of the bat at a ball.",
		Protocol: throws, names: "bat_length handedness", columns: steps(turns("front"))},
	{Activity: "softball", Movement: "pitching", Title: "Softball pitch", Description: "One underhand pitch.",
		Protocol: throws, names: "handedness", columns: strides()},
	{Activity: "squat", Movement: "bodyweight", Title: "Squat", Description: "Squats on both legs without a load.",
		Protocol: "Stand still for a second, squat as deep as possible, and stand up.", columns: squats()},
	{Activity: "squat", Movement: "overhead", Title: "Overhead squat",
		Description: "Squats on both legs with the arms held overhead.",
		Protocol:    "Stand still for a second with the arms overhead, squat as deep as possible, and stand up.",
		columns:     squats()},
	{Activity: "squat", Movement: "single_leg", Title: "Single-leg squat", Description: "Squats on one leg.",
		Protocol: "Stand still on one leg for a second, squat as deep as possible, and stand up.", names: "footedness",
		columns: squats()},
	{Activity: "stability", Movement: "plank", Title: "Plank",
		Description: "The straight body is held on arms and feet.", Protocol: balance,
		names: "plank_orientation plank_position", columns: planks()},
	{Activity: "stability", Movement: "rotary", Title: "Rotary stability",
		Description: "On hands and knees, an arm and a leg are stretched and brought together.",
		Protocol: "On hands and knees, stretch an arm and a leg, bring elbow and knee together, and stretch " +
			"them again.", names: "handedness", columns: rotaries()},
	{Activity: "stability", Movement: "single_leg_stance", Title: "Single-leg stance",
		Description: "Standing on one leg.", Protocol: balance, names: "eyes footedness", columns: sways()},
	{Activity: "stability", Movement: "y_balance_lower_quarter", Title: "Y-balance, lower quarter",
		Description: "Standing on one leg, the other foot reaches in one direction.", Protocol: reaches,
		names: "footedness y_balance_lower_quarter_direction", columns: reachings()},
	{Activity: "stability", Movement: "y_balance_upper_quarter", Title: "Y-balance, upper quarter",
		Description: "In a push-up position on one hand, the other hand reaches in one direction.", Protocol: reaches,
		names: "handedness y_balance_upper_quarter_direction", columns: handReachings()},
	{Activity: "tennis", Movement: "backhand", Title: "Backhand",
		Description: "One stroke with the back of the hand forwards.", Protocol: throws, names: "handedness",
		columns: turns("playing")},
	{Activity: "tennis", Movement: "forehand", Title: "Forehand", Description: "One stroke with the palm forwards.",
		Protocol: throws, names: "handedness", columns: turns("playing")},
	{Activity: "tennis", Movement: "overhand_serve", Title: "Overhand serve",
		Description: "One serve from above the head.", Protocol: throws, names: "handedness overhand_serve_type",
		columns: turns("playing")},
	{Activity: "tennis", Movement: "underhand_serve", Title: "Underhand serve",
		Description: "One serve from below the waist.", Protocol: throws, names: "handedness",
		columns: turns("playing")},
	{Activity: "track_and_field", Movement: "discus", Title: "Discus throw", Description: "One throw of the discus.",
		Protocol: throws, names: "handedness", columns: releases(turns("throwing"))},
	{Activity: "track_and_field", Movement: "shot_put", Title: "Shot put", Description: "One put of the shot.",
		Protocol: throws, names: "handedness", columns: releases(turns("throwing"))},
}
