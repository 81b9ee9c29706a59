package motion

import "github.com/kinebase/kinebase/motion/units"

// Metres gives the length in metres of a unit as files write it, in any case, with
// any padding, and also when C3D has cut its name: "mete" is metres.
func Metres(unit string) (float64, bool) { return units.Metres(unit) }
