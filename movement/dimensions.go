package movement

import "strings"

// A dimension is described once, whichever movements have it. One with Values has no
// other value, one without has any text.
var dimensions = map[string]Dimension{
	"arm_position": {Description: "What the arms do during the jump.",
		Values: []string{"arm-swing", "hands-on-hips"}},
	"bat_length": {Description: "The length of the bat."},
	"body_position": {Description: "How the body is held while the joint moves, such as standing or " +
		"half-kneeling."},
	"direction": {Description: "Which way the movement goes."},
	"eyes":      {Description: "Whether the eyes are open or closed."},
	"footedness": {Description: "The foot that the movement is made with, or stood on.",
		Values: []string{"left", "right"}},
	"handedness": {Description: "The hand that the movement is made with, or the side that it is made to.",
		Values: []string{"left", "right"}},
	"overhand_serve_type": {Description: "How the feet are placed during the serve.",
		Values: []string{"pinpoint", "platform"}},
	"plank_orientation": {Description: "Which side of the body faces the ground."},
	"plank_position":    {Description: "What the arms rest on, such as hands or elbows."},
	"y_balance_lower_quarter_direction": {
		Description: "The direction of the reach, as seen from the foot that stands.",
		Values:      []string{"Anterior", "Posteromedial", "Posterolateral"},
	},
	"y_balance_upper_quarter_direction": {
		Description: "The direction of the reach, as seen from the hand that supports.",
		Values:      []string{"Medial", "Superolateral", "Inferolateral"},
	},
}

// sides are the values that a direction has where it is a side of the body.
var sides = []string{"left", "right"}

// Pair is an activity and a movement, in small letters.
type Pair struct{ Activity, Movement string }

// Dimensions gives the names of the dimensions of every pair that the library has, in
// alphabetical order.
func Dimensions() map[Pair][]string {
	all := make(map[Pair][]string, len(table))
	for i := range table {
		all[Pair{table[i].Activity, table[i].Movement}] = strings.Fields(table[i].names)
	}
	return all
}

// Values lists what a dimension of a movement may be, in the listed spelling; nil: any
// text. The movement is in small letters.
func Values(dimension, name string) []string {
	if dimension == "direction" && name == "cervical_rotation" {
		return sides
	}
	return dimensions[dimension].Values
}
