package plate

import (
	"strings"

	"github.com/kinebase/kinebase/motion/units"
)

// newtons are the names of units of force, in small letters, and how many N each has.
// Nothing at all is N: that is what writers mean who leave it out.
var newtons = map[string]float64{"": 1, "n": 1, "newton": 1, "newtons": 1, "kn": 1000, "lbf": 4.4482216152605}

// moments are the names of units of moments and how many N·m each has.
var moments = map[string]float64{
	"nm": 1, "n.m": 1, "n-m": 1, "n*m": 1, "n m": 1, "n·m": 1,
	"nmm": 1e-3, "n.mm": 1e-3, "n-mm": 1e-3, "n*mm": 1e-3, "n mm": 1e-3, "n·mm": 1e-3,
	"ncm": 1e-2, "n.cm": 1e-2, "n*cm": 1e-2, "n·cm": 1e-2, "knm": 1e3,
}

// Newtons gives how many N a unit of force has; false for what is none.
func Newtons(unit string) (float64, bool) {
	n, ok := newtons[plain(unit)]
	return n, ok
}

// NewtonMetres gives how many N·m a unit of moments has; false for what is none.
func NewtonMetres(unit string) (float64, bool) {
	n, ok := moments[plain(unit)]
	return n, ok
}

func plain(unit string) string { return strings.ToLower(strings.TrimSpace(unit)) }

// scale finds what makes N, N·m and m of the channels. A moment whose unit is not told
// is in N times the unit of the corners, as the C3D user guide has it.
func (p *Platform) scale(names []string, metres float64) error {
	moment := func(unit string) float64 {
		if factor, ok := NewtonMetres(unit); ok {
			return factor
		}
		return metres
	}
	p.units = make([]float64, len(names))
	if p.kind == 4 { // whatever the channels hold, the matrix makes forces and moments of it
		p.volts = make([]bool, len(names))
		for i, unit := range names {
			p.units[i] = 1
			p.volts[i] = plain(unit) == "v" || strings.HasPrefix(plain(unit), "volt")
		}
		p.moment = moment(names[5])
		return nil
	}
	for i, unit := range names {
		switch {
		case i < 3 || p.kind == 3:
			newtons, ok := Newtons(unit)
			if !ok {
				return unusable("the unit of its channel %d is %s, which is none of force", i+1, unit)
			}
			p.units[i] = newtons
		case p.kind == 1 && i < 5: // the centre of pressure
			p.units[i] = metres
			if length, ok := units.Metres(unit); ok {
				p.units[i] = length
			}
		default:
			p.units[i] = moment(unit)
		}
	}
	return nil
}
