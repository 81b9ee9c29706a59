package c3d

import (
	"fmt"
	"math"
	"strings"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
)

// calibration is what makes a measurement of a stored sample:
// (sample - offset) × scale.
type calibration struct {
	offset, scale float64
	unsigned      bool // integers are without a sign
	unit          string
}

// calibrate settles the calibration of every analog channel. Each has a scale and
// an offset of its own, and all have ANALOG:GEN_SCALE in common. What is missing is
// 1 or 0, with a warning.
func (h *Header) calibrate() []calibration {
	if len(h.Analogs) == 0 {
		return nil
	}
	general := h.general()
	unsigned := false
	if format := h.Parameter("ANALOG", "FORMAT").Strings(); len(format) > 0 {
		unsigned = strings.HasPrefix(strings.ToUpper(format[0]), "UNSIGNED")
	}
	scales := h.numbers("ANALOG", "SCALE", false)
	offsets := h.numbers("ANALOG", "OFFSET", unsigned)
	units := h.texts("ANALOG", "UNITS")
	all := make([]calibration, len(h.Analogs))
	plain, zero := 0, 0
	for i := range all {
		c := calibration{scale: general, unsigned: unsigned}
		if i < len(offsets) && finite(offsets[i]) {
			c.offset = offsets[i]
		}
		if i < len(scales) && c.bears(general*scales[i]) {
			if c.scale *= scales[i]; c.scale == 0 {
				zero++
			}
		} else {
			plain++
		}
		if !c.bears(c.scale) {
			c.scale, c.offset = 1, 0
		}
		if i < len(units) {
			c.unit = units[i]
		}
		all[i] = c
	}
	if plain > 0 {
		h.Warnings.Add(quality.AnalogScale,
			"%d of the %d analog channels have no usable scale; their samples were taken as they are.", plain, len(all))
	}
	if zero > 0 {
		h.Warnings.Add(quality.AnalogScale,
			"%d of the %d analog channels have the scale 0, which makes every sample of them 0.", zero, len(all))
	}
	return all
}

// general is the scale that all channels have in common.
func (h *Header) general() float64 {
	p := h.Parameter("ANALOG", "GEN_SCALE")
	general, ok := h.real("ANALOG", "GEN_SCALE")
	switch {
	case ok && general == 0:
		h.Warnings.Add(quality.AnalogScale, "ANALOG:GEN_SCALE is 0, which would make every sample 0; 1 was used.")
	case !ok && p.Len() > 0:
		h.Warnings.Add(quality.AnalogScale, "ANALOG:GEN_SCALE is no number; 1 was used.")
	}
	if !ok || general == 0 {
		return 1
	}
	return general
}

// bears says whether a scale leaves every integer sample a finite number.
func (c calibration) bears(scale float64) bool {
	return math.Abs(scale)*(math.Abs(c.offset)+math.MaxUint16) < math.MaxFloat32
}

// numbers collects the numbers of NAME, NAME2, NAME3 and so on, 16-bit integers
// without sign if that is how the file has them.
func (h *Header) numbers(group, name string, unsigned bool) []float64 {
	var all []float64
	h.each(group, name, func(p *Parameter) {
		if unsigned && p.Type == Int {
			for i := range p.Len() {
				all = append(all, float64(p.processor.Word(p.data[2*i:])))
			}
			return
		}
		all = append(all, p.Numbers()...)
	})
	return all
}

// texts collects the strings of NAME, NAME2, NAME3 and so on.
func (h *Header) texts(group, name string) []string {
	var all []string
	h.each(group, name, func(p *Parameter) { all = append(all, p.Strings()...) })
	return all
}

// each goes through NAME, NAME2, NAME3 and so on: one parameter holds 255 values
// of a dimension at most.
func (h *Header) each(group, name string, take func(*Parameter)) {
	if p := h.Parameter(group, name); p != nil {
		take(p)
	}
	for i := 2; ; i++ {
		more := h.Parameter(group, fmt.Sprintf("%s%d", name, i))
		if more == nil {
			return
		}
		take(more)
	}
}

// beyond counts the samples that are beyond the 16 bits which ANALOG:FORMAT says they
// are of. Only a file of floating point can hold such.
func (f *File) beyond(channels []record.Channel) int {
	if len(f.Parameter("ANALOG", "FORMAT").Strings()) == 0 {
		return 0
	}
	count := 0
	for i, c := range channels {
		cal := f.calibration[i]
		if cal.scale == 1 && cal.offset == 0 { // measurements already, and no numbers of a converter
			continue
		}
		least, most := -1<<15, 1<<15-1
		if cal.unsigned {
			least, most = 0, 1<<16-1
		}
		a, b := float32((float64(least)-cal.offset)*cal.scale), float32((float64(most)-cal.offset)*cal.scale)
		a, b = min(a, b), max(a, b)
		for _, v := range c.Values {
			if v < a || v > b {
				count++
			}
		}
	}
	return count
}
