package c3d

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/kinebase/kinebase/motion/record"
)

// Write writes a recording as a C3D file: floating point of an Intel processor,
// which every program reads, and in which every number of a recording is exactly
// itself. What a C3D file has no place for is left out: times of frames that are
// not evenly spaced, and everything about video. Joint angles become analog
// channels; those with fewer samples a frame than others are held for the samples
// between.
//
// The error says why a recording does not fit into a C3D file, or is w's own.
func Write(w io.Writer, rec *record.Recording) error {
	o, err := plan(rec)
	if err != nil {
		return err
	}
	section := o.section(0)
	o.data = 2 + len(section)/block
	o.rotationStart = o.data + blocks(int64(rec.Frames)*int64(o.frameSize))
	section = o.section(o.data) // of the same length, now with the pointers
	if o.data > math.MaxUint16 {
		return fmt.Errorf("the names and events of the recording take %d bytes, more than a C3D file can point across",
			len(section))
	}
	for _, part := range [][]byte{o.header(), section} {
		if _, err := w.Write(part); err != nil {
			return fmt.Errorf("writing the C3D file: %w", err)
		}
	}
	if err := o.write(w, o.frameSize, o.frames); err != nil {
		return err
	}
	return o.write(w, o.rotationSize, o.moments)
}

// blocks is how many blocks so many bytes take.
func blocks(bytes int64) int { return int((bytes + block - 1) / block) }

// output is a recording on its way into a file.
type output struct {
	rec           *record.Recording
	channels      []record.Channel // analog channels and joint angles
	perFrame      int              // samples of each in a frame
	frameSize     int
	rotationSize  int // bytes of the rotations of a frame
	perRotation   int // moments of rotations in a frame
	step          float32
	data          int // block of the frames
	rotationStart int // block of the rotations
}

// plan checks that a recording is whole and fits, and lays it out.
func plan(rec *record.Recording) (*output, error) {
	o := &output{rec: rec, perFrame: 1, perRotation: 1, step: rec.ResidualStep}
	if rec.Frames < 1 {
		return nil, fmt.Errorf("a C3D file needs at least one frame")
	}
	for i := range rec.Points {
		p := &rec.Points[i]
		if len(p.X) != rec.Frames || len(p.Y) != rec.Frames || len(p.Z) != rec.Frames ||
			p.Residual != nil && len(p.Residual) != rec.Frames || p.Cameras != nil && len(p.Cameras) != rec.Frames {
			return nil, fmt.Errorf("the point %q has not as many values as the recording has frames", p.Name)
		}
		if err := pointFits(p, rec.Metres); err != nil {
			return nil, err
		}
	}
	o.channels = append(append(o.channels, rec.Analogs...), rec.Angles...)
	for i := range o.channels {
		c := &o.channels[i]
		if c.PerFrame < 1 || len(c.Values) != rec.Frames*c.PerFrame {
			return nil, fmt.Errorf("the channel %q has not as many values as the recording has frames", c.Name)
		}
		if err := fits(c.Name, c.Values, c.Wide, 0); err != nil {
			return nil, err
		}
		if i >= len(rec.Analogs) {
			c.Unit = "deg"
		}
		o.perFrame = max(o.perFrame, c.PerFrame)
	}
	for _, c := range o.channels {
		if o.perFrame%c.PerFrame != 0 {
			return nil, fmt.Errorf("the channel %q has %d samples a frame and others have %d: a C3D file has one "+
				"analog rate", c.Name, c.PerFrame, o.perFrame)
		}
	}
	for i, r := range rec.Rotations {
		if i > 0 && r.PerFrame != o.perRotation || r.PerFrame < 1 {
			return nil, fmt.Errorf("the rotations have different rates: a C3D file has one for all")
		}
		o.perRotation = r.PerFrame
		for _, values := range r.Matrix {
			if len(values) != rec.Frames*r.PerFrame {
				return nil, fmt.Errorf("the rotation %q has not as many values as the recording has frames", r.Name)
			}
		}
		if r.Reliability != nil && len(r.Reliability) != rec.Frames*r.PerFrame {
			return nil, fmt.Errorf("the rotation %q has not as many reliabilities as the recording has frames", r.Name)
		}
	}
	if n := len(o.channels) * o.perFrame; len(rec.Points) > math.MaxUint16 || n > math.MaxUint16 ||
		len(rec.Rotations) > math.MaxInt16 {
		return nil, fmt.Errorf("a C3D file has room for 65,535 points and as many analog samples a frame, and the "+
			"recording has %d and %d", len(rec.Points), n)
	}
	if last := int64(rec.FirstFrame) + int64(rec.Frames); rec.FirstFrame < 0 || last > math.MaxUint32 {
		return nil, fmt.Errorf("frames %d to %d cannot be numbered in a C3D file", rec.FirstFrame, last-1)
	}
	o.frameSize = 4 * (4*len(rec.Points) + len(o.channels)*o.perFrame)
	o.rotationSize = len(rec.Rotations) * o.perRotation * rotationSize
	if o.frameSize == 0 && o.rotationSize == 0 {
		return nil, fmt.Errorf("the recording has neither points nor channels")
	}
	o.settleStep()
	return o, nil
}

// settleStep chooses what residuals are counted in, when the recording does not
// say: so that the largest fits in a byte.
func (o *output) settleStep() {
	if o.step > 0 && finite(float64(o.step)) {
		return
	}
	largest := float32(0)
	for _, p := range o.rec.Points {
		for _, r := range p.Residual {
			if r > largest && finite(float64(r)) {
				largest = r
			}
		}
	}
	if o.step = largest / 255; !(o.step > 0) {
		o.step = 1
	}
}

// header is the header block.
func (o *output) header() []byte {
	b := make([]byte, block)
	b[0], b[1] = 2, 0x50
	word := func(n int, v int) { binary.LittleEndian.PutUint16(b[2*(n-1):], uint16(v)) }
	float := func(n int, v float32) { binary.LittleEndian.PutUint32(b[2*(n-1):], math.Float32bits(v)) }
	word(2, len(o.rec.Points))
	word(3, len(o.channels)*o.perFrame)
	word(4, o.rec.FirstFrame)
	word(5, o.rec.FirstFrame+o.rec.Frames-1)
	float(7, -o.step)
	word(9, o.data)
	word(10, o.perFrame)
	float(11, float32(o.rec.Rate))
	word(eventsKey, eventsKeyed)
	return b
}

// write writes something for every frame, piece by piece, and fills the last block.
func (o *output) write(w io.Writer, size int, encode func(b []byte, from int)) error {
	if size == 0 {
		return nil
	}
	step := max(1, piece/size)
	buf := make([]byte, min(step, o.rec.Frames)*size)
	for from := 0; from < o.rec.Frames; from += step {
		b := buf[:min(step, o.rec.Frames-from)*size]
		encode(b, from)
		if _, err := w.Write(b); err != nil {
			return fmt.Errorf("writing the C3D file: %w", err)
		}
	}
	written := int64(o.rec.Frames) * int64(size)
	if _, err := w.Write(make([]byte, int64(blocks(written))*block-written)); err != nil {
		return fmt.Errorf("writing the C3D file: %w", err)
	}
	return nil
}

// frames encodes as many frames as b has room for.
func (o *output) frames(b []byte, from int) {
	n := len(b) / o.frameSize
	put := func(at int, v float32) { binary.LittleEndian.PutUint32(b[at:], math.Float32bits(v)) }
	for i := range o.rec.Points {
		p := &o.rec.Points[i]
		for f := range n {
			x, y, z, word := p.X[from+f], p.Y[from+f], p.Z[from+f], o.word(p, from+f)
			if word < 0 {
				x, y, z = 0, 0, 0
			}
			at := f*o.frameSize + 16*i
			put(at, x)
			put(at+4, y)
			put(at+8, z)
			put(at+12, word)
		}
	}
	start := 16 * len(o.rec.Points)
	for i, c := range o.channels {
		hold := o.perFrame / c.PerFrame
		for f := range n {
			for s := range o.perFrame {
				put(f*o.frameSize+start+4*(s*len(o.channels)+i), c.Values[(from+f)*c.PerFrame+s/hold])
			}
		}
	}
}

// word is the fourth number of a point: negative when it was not seen, else the
// cameras in the high byte and the residual in the low one.
func (o *output) word(p *record.Point, frame int) float32 {
	for _, v := range [3]float32{p.X[frame], p.Y[frame], p.Z[frame]} {
		if v-v != 0 { // infinite, or not a number
			return -1
		}
	}
	word := 0
	if p.Residual != nil {
		if r := math.Round(float64(p.Residual[frame]) / float64(o.step)); r > 0 {
			word = int(min(r, 255))
		}
	}
	if p.Cameras != nil {
		word |= int(p.Cameras[frame]&0x7f) << 8
	}
	return float32(word)
}

// moments encodes the rotations of as many frames as b has room for.
func (o *output) moments(b []byte, from int) {
	for at := range len(b) / (rotationSize * len(o.rec.Rotations)) {
		for i := range o.rec.Rotations {
			r := &o.rec.Rotations[i]
			to := b[(at*len(o.rec.Rotations)+i)*rotationSize:]
			there := from*o.perRotation + at
			put := func(n int, v float32) { binary.LittleEndian.PutUint32(to[4*n:], math.Float32bits(v)) }
			reliability := float32(1)
			if r.Reliability != nil {
				reliability = r.Reliability[there]
			}
			for n := range 16 {
				v := r.Matrix[4*(n%4)+n/4][there]
				if v != v || reliability != reliability {
					v, reliability = 0, -1
				}
				put(n, v)
			}
			put(16, reliability)
		}
	}
}
