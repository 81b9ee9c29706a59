package sto

import (
	"slices"
	"strings"
)

// angles is what a file says its angles are in.
type angles int

const (
	unsaid  angles = iota // it does not say
	unknown               // it says something that nobody knows, or both
	degrees
	radians
)

// inDegrees reads the word behind inDegrees, with what people and spreadsheets put
// behind it: a remark, a semicolon, tabs, quotation marks.
func inDegrees(value string) angles {
	for _, remark := range []string{"#", "//", "%", "!"} {
		value, _, _ = strings.Cut(value, remark)
	}
	switch value = strings.ToLower(strings.Trim(value, " \t,;.:\"'")); {
	case slices.Contains([]string{"yes", "y", "true", "t", "1", "on", "degrees", "deg"}, value):
		return degrees
	case slices.Contains([]string{"no", "n", "false", "f", "0", "off", "radians", "rad"}, value):
		return radians
	}
	return unknown
}

// and puts together what two lines say.
func (a angles) and(b angles) angles {
	if a != unsaid && a != b {
		return unknown
	}
	return b
}
