package c3d

import (
	"encoding/binary"
	"math"

	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
)

// rotations is where the rotations of the frames lie: a section of its own behind
// the frames, as markerless systems write it (described by C-Motion as the
// ROTATION data type). A rotation is 17 floating-point numbers: a 4×4 matrix
// column by column, then its reliability, negative where there is no matrix. The
// rotations of a moment lie together; there may be several moments to a frame.
type rotations struct {
	names    []string
	start    int64
	perFrame int
	rate     float64
}

const rotationSize = 17 * 4

func (r rotations) frameSize() int64 { return int64(len(r.names)*r.perFrame) * rotationSize }

// findRotations reads the group ROTATION. It is called before the frames are
// counted, since they end where the rotations begin.
func (h *Header) findRotations(size int64) {
	used, ok := h.Parameter("ROTATION", "USED").Count()
	if !ok || used == 0 {
		return
	}
	block1, ok := h.Parameter("ROTATION", "DATA_START").Count()
	start := (block1 - 1) * block
	frames := h.dataStarts()[0]
	before := start < frames || start == frames && (h.raw.points > 0 || h.raw.analog > 0)
	if !ok || used > 1<<16 || block1 <= 1 || before || start >= size {
		h.Warnings.Add(quality.RotationsDamaged,
			"The file announces %d rotations but does not say where in it they are; they were left out.", used)
		return
	}
	if used > (size-start)/rotationSize {
		h.Warnings.Add(quality.RotationsDamaged,
			"The file announces %d rotations and has no room for one of each; they were left out.", used)
		return
	}
	h.rotations = rotations{start: start, perFrame: 1, names: make([]string, used)}
	if ratio, ok := h.Parameter("ROTATION", "RATIO").Count(); ok && ratio > 0 && ratio <= 1<<16 {
		h.rotations.perFrame = int(ratio)
	} else if rate, ok := h.real("ROTATION", "RATE"); ok && record.Usable(rate) && record.Usable(h.raw.rate) {
		h.rotations.perFrame = max(1, int(math.Round(rate/h.raw.rate)))
	}
}

// settleAlone counts the frames of a file of nothing but rotations.
func (h *Header) settleAlone(size int64) (layout, int64, error) {
	l := layout{real: true, start: h.rotations.start}
	frames := (size - l.start) / h.rotations.frameSize()
	if frames == 0 {
		return l, 0, &quality.Unreadable{Reason: "The file ends within the rotations of its first frame", Offset: size,
			Hint: quality.CopyAgain}
	}
	if claims := deliberate(h.claims()); len(claims) > 0 {
		frames = min(frames, claims[0].frames)
	}
	return l, frames, nil
}

// settleRotations names the rotations and checks that there are some for every
// frame.
func (h *Header) settleRotations(size int64) {
	r := &h.rotations
	if len(r.names) == 0 {
		return
	}
	if have := (size - r.start) / r.frameSize(); have < int64(h.Frames) {
		h.Warnings.Add(quality.RotationsDamaged, "The file has rotations for %s of its %s frames; they were left out.",
			quality.Thousands(have), quality.Thousands(int64(h.Frames)))
		*r = rotations{}
		return
	}
	r.names = h.distinct("rotation", h.texts("ROTATION", "LABELS"), len(r.names))
	r.rate = h.Rate * float64(r.perFrame)
	h.Rotations = r.names
}

// readRotations fills in the rotations of n frames.
func (f *File) readRotations(rec *record.Recording, from, n int) error {
	r := f.rotations
	if len(r.names) == 0 {
		return nil
	}
	per := r.perFrame
	rec.Rotations = make([]record.Rotation, len(r.names))
	for i, name := range r.names {
		to := &rec.Rotations[i]
		to.Subject, to.Name = label.Split(name)
		to.Rate, to.PerFrame = r.rate, per
		slab := make([]float32, 17*n*per)
		for c := range to.Matrix {
			to.Matrix[c], slab = slab[:n*per:n*per], slab[n*per:]
		}
		to.Reliability = slab
	}
	size := int(r.frameSize())
	step := max(1, piece/size)
	buf := make([]byte, min(step, n)*size)
	for at := 0; at < n; at += step {
		count := min(step, n-at)
		if err := f.fetch(buf[:count*size], r.start+int64(from+at)*int64(size)); err != nil {
			return err
		}
		plain(buf[:count*size], f.Processor, true)
		moment := len(r.names) * rotationSize
		for i := range rec.Rotations {
			for m := range count * per {
				place(&rec.Rotations[i], at*per+m, buf[m*moment+i*rotationSize:])
			}
		}
	}
	return nil
}

// place decodes one rotation.
func place(to *record.Rotation, at int, b []byte) {
	var v [17]float32
	there := true
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		there = there && v[i]-v[i] == 0
	}
	there = there && v[16] >= 0
	for i := range 16 {
		if !there {
			v[i] = record.NaN32
		}
		row, column := i%4, i/4
		to.Matrix[4*row+column][at] = v[i]
	}
	if !there {
		v[16] = record.NaN32
	}
	to.Reliability[at] = v[16]
}
