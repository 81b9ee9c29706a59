package c3d

import (
	"slices"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
)

// mostPlates bounds the force platforms of a file. Real laboratories have up to a dozen.
const mostPlates = 64

// plateGroups are the names under which the group of the force platforms is found: its
// own, and one that some writers have.
var plateGroups = []string{"FORCE_PLATFORM", "FORCE_PLATEFORM"}

// plates collects the force platforms, and the numbers of the first and last frame in
// which by the file nobody stood on one: 0, 0 when it names none.
func (h *Header) plates() (plates []record.Plate, zero [2]int) {
	for _, group := range plateGroups {
		if plates = h.platesOf(group); len(plates) == 0 {
			continue
		}
		if frames := h.numbers(group, "ZERO", true); len(frames) >= 2 && frames[1] >= frames[0] && frames[0] > 0 {
			zero = [2]int{int(frames[0]), int(frames[1])}
		}
		return plates, zero
	}
	return nil, zero
}

// platesOf reads one group. Where its parameters count differently the smallest count
// holds, for of the others something is missing.
func (h *Header) platesOf(group string) []record.Plate {
	used, ok := h.Parameter(group, "USED").Count()
	if !ok || used == 0 {
		return nil
	}
	types, corners, origins := h.numbers(group, "TYPE", false), h.numbers(group, "CORNERS", false),
		h.numbers(group, "ORIGIN", false)
	channels, width := h.numbers(group, "CHANNEL", true), h.width(group, "CHANNEL")
	n := min(int64(len(types)), int64(len(corners)/12), int64(len(origins)/3), used, mostPlates)
	if width > 0 {
		n = min(n, int64(len(channels)/width))
	} else {
		n = 0
	}
	// A group without any platform is what some programs write who know of none.
	described := min(int64(len(types)), int64(len(corners)/12), int64(len(origins)/3))
	if n > 0 && n < used || n == 0 && described >= used {
		h.Warnings.Add(quality.PlatesDisagree,
			"%s:USED counts %d force platforms, but type, corners, origin and channels are there of %d.", group, used,
			n)
	}
	var plates []record.Plate
	matrices := h.numbers(group, "CAL_MATRIX", false)
	for i := range int(n) {
		p := record.Plate{Type: int(types[i]), Origin: [3]float64(origins[3*i:])}
		for c := range p.Corners {
			p.Corners[c] = [3]float64(corners[12*i+3*c:])
		}
		if p.Type == 4 && len(matrices) >= 36*(i+1) {
			p.Matrix = matrices[36*i : 36*(i+1)]
		}
		for _, number := range channels[width*i : width*(i+1)] {
			if place := int(number) - 1; place >= 0 && place < len(h.Analogs) {
				p.Channels = append(p.Channels, place)
			}
		}
		// Of plates with six and eight channels in one file those of six have two more places.
		if six := p.Type != 3 && width > 6; six && len(p.Channels) > 6 {
			p.Channels = p.Channels[:6]
		}
		if !allFinite(origins[3*i:3*i+3], corners[12*i:12*i+12], p.Matrix) {
			h.Warnings.Add(quality.PlatesDisagree,
				"The corners, the origin or the calibration of force platform %d are no numbers; it was left out.", i+1)
			continue
		}
		plates = append(plates, p)
	}
	return plates
}

// allFinite says whether all numbers of all lists are finite.
func allFinite(lists ...[]float64) bool {
	return !slices.ContainsFunc(slices.Concat(lists...), func(n float64) bool { return !finite(n) })
}

// width is how many values of a parameter belong to one platform: its first dimension.
func (h *Header) width(group, name string) int {
	p := h.Parameter(group, name)
	if p == nil || len(p.Dimensions) == 0 {
		return 0
	}
	return p.Dimensions[0]
}
