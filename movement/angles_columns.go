package movement

import "strings"

// byAngle reads an angle of the file.
var byAngle = Method{
	ID: "range.angle", Version: 1, Needs: []string{"an angle in degrees or radians that is called after the movement"},
	Parameters: []Parameter{positionCutoff, leastOversampling, longestBridge}, Accuracy: "that of the angle",
	Sources: []Source{norkin, winter},
}

// withAngles are columns, and after them those of the angle that a file has of the movement.
func withAngles(name string, columns []Column) []Column {
	own := []Column{}
	prefixes := []string{""}
	if angles[name].sided {
		prefixes = []string{"left_", "right_"}
	}
	for _, prefix := range prefixes {
		of := "the angle of the file"
		if prefix != "" {
			of = "the " + strings.TrimSuffix(prefix, "_") + " angle of the file"
		}
		add := func(end, title, description, definition string, from, to float64) {
			own = append(own, metric(prefix+name+"_angle_"+end, "°", title+" of "+of, description, definition+
				" The angle is through a low-pass of {position_cutoff}, and without jumps of a whole turn; its zero "+
				"and its direction are those of the file. Of every three numbers the middle one counts.", "",
				1, []Method{byAngle}).within(from, to))
		}
		add("max", "Greatest value", "The greatest value of "+of+".",
			"The greatest number of the channel that is called after the movement.", -400, 400)
		add("min", "Least value", "The least value of "+of+".",
			"The least number of the channel that is called after the movement.", -400, 400)
		add("range", "Range", "How far "+of+" goes.", "The greatest value less the least one.", 2, 400)
	}
	return ordered(columns, own)
}
