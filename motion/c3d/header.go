// Package c3d reads the C3D files of motion capture.
//
// What is known of the format comes from its public description, the C3D user
// guide at c3d.org (header and parameter sections, processor types, the
// ACTUAL_START_FIELD convention), and from files of many programs. In short: blocks of
// 512 bytes; a header with counts and pointers, a section of named parameters in
// groups, then the frames, each with 4 numbers a point and the analog samples
// taken during the frame. Numbers are 16-bit integers or 32-bit floating point
// (a negative scale factor says so), in the form of one of three processors.
//
// Writers disagree with themselves in every one of these places. The rule here:
// the header first, the parameters second, the length of the file as referee; and
// what disagreed is a warning for a person to read.
//
// ReadHeader reads header and parameters only, never more than they take, whatever
// the file says about its own size; File reads any stretch of frames; Write writes
// a recording.
package c3d

import (
	"fmt"
	"io"
	"math"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
)

// Header is what a C3D file says about itself, settled where it disagrees.
type Header struct {
	Processor      Processor
	Real           bool     // frames hold 32-bit floating point, else 16-bit integers
	Scale          float64  // factor of integer coordinates and of residuals, positive; 0 when there is none
	Rate           float64  // frames a second; 0 when no place states one
	Frames         int      // frames really there
	FirstFrame     int      // number of the first of them, as the file counts
	Points         []string // labels, one for each point of a frame, no two alike
	Prefixes       []string // what stands before the colon of labels ("Ann:LASI"): subjects or segments
	Analogs        []string // labels, one for each analog channel, no two alike
	AnalogPerFrame int      // samples of each channel during one frame, as the header has it
	AnalogRate     float64  // samples a second of each channel; 0 without channels or rate
	Rotations      []string // labels of the rotations, no two alike; mostly none
	Unit           string   // unit of the coordinates as the file writes it; "" when it does not
	DataStart      int64    // byte of the first frame
	FrameSize      int64    // bytes of one frame
	Groups         []Group  // all parameters, in the order of their groups
	Warnings       quality.Warnings

	raw           raw
	rotations     rotations
	parametersEnd int64 // byte after the parameter section
}

// raw is the header block as it stands there.
type raw struct {
	points, analog uint16 // points and analog samples in a frame
	first, last    uint16 // numbers of the first and last frame
	data           uint16 // block of the first frame
	perFrame       uint16 // samples of each channel in a frame
	scale, rate    float64
	parameters     byte // block of the parameter section
	announced      int  // blocks that it says to take
	events         []record.Event
}

// ReadHeader reads the header of a C3D file of that many bytes. The error is an
// *quality.Unreadable when the file is to blame, and r's own when reading failed.
func ReadHeader(r io.ReaderAt, size int64) (*Header, error) {
	if size <= 0 {
		return nil, quality.Empty()
	}
	first := make([]byte, block)
	n, err := readAt(r, first[:min(size, block)], 0)
	if err != nil {
		return nil, fmt.Errorf("reading the C3D header: %w", err)
	}
	if n > 1 && first[1] != 0x50 {
		return nil, &quality.Unreadable{
			Reason: fmt.Sprintf("This is not a C3D file: its second byte is 0x%02X and not 0x50", first[1]), Offset: 1,
			Hint: "Check what kind of file it is, or export it again as C3D.",
		}
	}
	if n < block {
		return nil, &quality.Unreadable{
			Reason: fmt.Sprintf("The file ends within its header: it has %d bytes, and a C3D header alone has %d", n,
				block), Offset: int64(n),
			Hint: quality.CopyAgain,
		}
	}
	h := &Header{}
	h.raw.parameters = first[0]
	if err := h.readSection(r, size, first); err != nil {
		return nil, err
	}
	h.findRotations(size)
	var l layout
	var frames int64
	switch {
	case len(h.rotations.names) == 0:
		l, frames, err = h.settle(r, size)
	case h.raw.points == 0 && h.raw.analog == 0:
		l, frames, err = h.settleAlone(size)
	default: // the frames end where the rotations begin
		l, frames, err = h.settle(r, h.rotations.start)
	}
	if err != nil {
		return nil, err
	}
	if len(h.rotations.names) == 0 {
		if err := h.doubtful(r, size, l, frames); err != nil {
			return nil, err
		}
	}
	h.Real, h.DataStart, h.FrameSize = l.real, l.start, l.frameSize()
	h.Frames, h.FirstFrame = int(frames), h.firstFrame()
	h.readScaleAndRate()
	h.readPoints(l.points)
	h.readAnalogs(l)
	h.settleRotations(size)
	h.checkParameters()
	return h, nil
}

// readSection finds the parameters, learns from them which processor's numbers
// these are, and decodes the header's numbers with that.
func (h *Header) readSection(r io.ReaderAt, size int64, first []byte) error {
	start := (int64(h.raw.parameters) - 1) * block
	if start <= 0 {
		h.withoutParameters(first, size)
		return nil
	}
	if start < block || start+4 > size {
		return &quality.Unreadable{
			Reason: fmt.Sprintf("The header points to parameters in block %d, and the file has %s bytes",
				h.raw.parameters, quality.Thousands(size)),
			Hint: quality.CopyAgain,
		}
	}
	s := &section{r: r, start: start, limit: int(min(size-start, 1<<16*block))}
	head, ok, err := s.at(0, 4)
	if err != nil {
		return fmt.Errorf("reading the C3D parameters: %w", err)
	}
	if !ok {
		return &quality.Unreadable{Reason: "The file ends before its parameters", Offset: start,
			Hint: quality.CopyAgain}
	}
	h.raw.announced = int(head[2])
	h.Processor = Processor(head[3])
	if !h.Processor.known() {
		h.Processor = guess(first, size)
		h.Warnings.Add(quality.ProcessorUnknown,
			"The file does not say which processor's numbers it holds (byte %s is %d); by its contents %s.",
			quality.Thousands(start+3), head[3], h.Processor)
	}
	h.raw.decode(first, h.Processor)

	// Look for the end mark no further than somebody says the section goes.
	reach := int64(h.raw.announced) * block
	if data := int64(h.raw.data-1) * block; h.raw.data > 1 && data > start {
		reach = max(reach, data-start)
	}
	if reach > 0 {
		s.limit = int(min(int64(s.limit), reach))
	}
	groups, end, err := readParameters(s, h.Processor, &h.Warnings)
	if err != nil {
		return fmt.Errorf("reading the C3D parameters: %w", err)
	}
	h.Groups, h.parametersEnd = groups, start+int64(end)
	h.checkSection(start)
	return nil
}

// withoutParameters makes do with the header block.
func (h *Header) withoutParameters(first []byte, size int64) {
	h.Processor, h.parametersEnd = guess(first, size), block
	h.raw.decode(first, h.Processor)
	h.Warnings.Add(quality.ParametersMissing,
		"The file has no parameters, and so no names; by its contents the numbers are those of %s.", h.Processor)
}

// checkSection notes what is odd about the parameter section as a whole.
func (h *Header) checkSection(start int64) {
	needed := int((h.parametersEnd - start + block - 1) / block)
	data := int64(h.raw.data-1) * block
	switch {
	case h.raw.announced < needed:
		h.Warnings.Add(quality.ParameterBlocks,
			"The parameter section is announced as %d blocks of 512 bytes but takes %d.", h.raw.announced, needed)
	case h.raw.data > 1 && data > start && start+int64(h.raw.announced)*block > data:
		h.Warnings.Add(quality.ParameterBlocks,
			"The parameter section is announced as %d blocks of 512 bytes and would reach into the frames; its end "+
				"mark comes after %d.", h.raw.announced, needed)
	}
	seen := map[string]int{}
	for _, g := range h.Groups {
		if seen[g.Name]++; seen[g.Name] == 2 {
			h.Warnings.Add(quality.GroupRepeated, "The parameter group %s is there more than once.", g.Name)
		}
	}
	for _, need := range []struct {
		name string
		used bool
	}{{"POINT", h.raw.points > 0}, {"ANALOG", h.raw.analog > 0}} {
		if need.used && seen[need.name] == 0 {
			h.Warnings.Add(quality.GroupMissing, "The parameter group %s is missing; only the header was used for it.",
				need.name)
		}
	}
}

// decode reads the words of the header block, which the format numbers from 1.
func (w *raw) decode(b []byte, p Processor) {
	word := func(n int) uint16 { return p.Word(b[2*(n-1):]) }
	float := func(n int) float64 { return p.Float(b[2*(n-1):]) }
	w.points, w.analog = word(2), word(3)
	w.first, w.last = word(4), word(5)
	w.scale = float(7)
	w.data, w.perFrame = word(9), word(10)
	w.rate = float(11)
	w.events = headerEvents(b, p)
}

// guess picks the processor under which the header makes most sense.
func guess(first []byte, size int64) Processor {
	best, most := Intel, -1
	for _, p := range []Processor{Intel, MIPS, DEC} {
		var w raw
		w.decode(first, p)
		sense := 0
		for _, good := range []bool{
			w.last >= w.first,
			w.data > 1 && int64(w.data-1)*block < size,
			w.rate >= 1 && w.rate <= 1e5,
			math.Abs(w.scale) > 1e-6 && math.Abs(w.scale) < 1e6,
		} {
			if good {
				sense++
			}
		}
		if sense > most {
			best, most = p, sense
		}
	}
	return best
}
