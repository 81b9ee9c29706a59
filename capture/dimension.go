package capture

import "slices"

// pair is an (activity, movement), folded.
type pair struct{ activity, movement string }

// dimensions is the interface's table of movement dimensions (section 2.1), the
// fields of each pair in alphabetical order.
var dimensions = map[pair][]string{
	{"agility", "cutting"}:                         {"direction"},
	{"baseball", "hitting"}:                        {"bat_length", "handedness"},
	{"baseball", "pitching"}:                       {"handedness"},
	{"basketball", "free_throw"}:                   {"handedness"},
	{"basketball", "jump_shot"}:                    {"handedness"},
	{"basketball", "layup"}:                        {"handedness"},
	{"golf", "swing"}:                              {"handedness"},
	{"jump", "broad"}:                              {"arm_position"},
	{"jump", "countermovement"}:                    {"arm_position"},
	{"jump", "drop_vertical"}:                      {"arm_position"},
	{"jump", "single_leg"}:                         {"arm_position", "footedness"},
	{"jump", "single_leg_broad"}:                   {"arm_position", "footedness"},
	{"jump", "squat"}:                              {"arm_position"},
	{"lunge", "forward"}:                           {"footedness"},
	{"lunge", "side"}:                              {"footedness"},
	{"range_of_motion", "ankle_flexion"}:           {"body_position", "footedness"},
	{"range_of_motion", "cervical_rotation"}:       {"direction"},
	{"range_of_motion", "sfma_shoulder_extension"}: {"handedness"},
	{"range_of_motion", "sfma_shoulder_flexion"}:   {"handedness"},
	{"range_of_motion", "shoulder_9090"}:           {"handedness"},
	{"range_of_motion", "shoulder_flexion"}:        {"handedness"},
	{"range_of_motion", "t_spine_rotation"}:        {"handedness"},
	{"softball", "hitting"}:                        {"bat_length", "handedness"},
	{"softball", "pitching"}:                       {"handedness"},
	{"squat", "single_leg"}:                        {"footedness"},
	{"stability", "plank"}:                         {"plank_orientation", "plank_position"},
	{"stability", "rotary"}:                        {"handedness"},
	{"stability", "single_leg_stance"}:             {"eyes", "footedness"},
	{"stability", "y_balance_lower_quarter"}:       {"footedness", "y_balance_lower_quarter_direction"},
	{"stability", "y_balance_upper_quarter"}:       {"handedness", "y_balance_upper_quarter_direction"},
	{"tennis", "backhand"}:                         {"handedness"},
	{"tennis", "forehand"}:                         {"handedness"},
	{"tennis", "overhand_serve"}:                   {"handedness", "overhand_serve_type"},
	{"tennis", "underhand_serve"}:                  {"handedness"},
	{"track_and_field", "discus"}:                  {"handedness"},
	{"track_and_field", "shot_put"}:                {"handedness"},
}

// Dimensions names the dimension fields of a pair, in alphabetical order; none
// for a pair that the table does not have. The pair is compared by Fold.
func Dimensions(activity, movement string) []string {
	return dimensions[pair{Fold(activity), Fold(movement)}]
}

// DimensionNames lists every name that some pair has, in alphabetical order.
func DimensionNames() []string {
	var names []string
	for _, fields := range dimensions {
		names = append(names, fields...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Pairs lists the (activity, movement) pairs of the table, in order.
func Pairs() [][2]string {
	var pairs [][2]string
	for p := range dimensions {
		pairs = append(pairs, [2]string{p.activity, p.movement})
	}
	slices.SortFunc(pairs, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	return pairs
}
