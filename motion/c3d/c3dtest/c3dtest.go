// Package c3dtest writes small C3D files for tests and demonstrations: right
// ones in every processor's numbers, and wrong ones in the ways of real programs.
package c3dtest

import (
	"encoding/binary"
	"math"

	"github.com/kinebase/kinebase/motion/c3d"
)

// Options says what file to make. The zero value is a good Intel file of integer
// coordinates, one frame at 100 Hz and no points; the fields of the second half
// make it contradict itself.
type Options struct {
	Processor c3d.Processor // Intel when 0
	Real      bool          // floating point instead of integers
	Points    []string      // labels
	Analogs   []string      // labels
	PerFrame  int           // samples of each channel in a frame; 1 when 0
	Frames    int           // 1 when 0
	First     int           // number of the first frame
	Rate      float32       // Hz; 100 when 0
	Scale     float32       // factor of integer coordinates; 0.1 when 0
	Unit      string        // no UNITS parameter when ""

	// Point gives the coordinates of a point in a frame, both counted from 0; a
	// slow circle about the origin when nil. Analog gives one sample.
	Point  func(frame, point int) (x, y, z float32)
	Analog func(frame, sample, channel int) float32
	// Word gives the fourth number of a point: negative when it was not seen, else
	// the cameras in the high byte and the residual in the low one; 0 when nil.
	Word func(frame, point int) int

	Events []Event // of the header block, at most 18

	Without         []string    // groups to leave out, and parameters as GROUP:NAME
	Add             []Parameter // more parameters, or others of a name that is there already
	Header          func(h *Header)
	ParameterBlocks int  // what the section says of its own length; the truth when 0
	NoEndMark       bool // fill the last block of the parameter section with x instead of ending it
	ProcessorByte   int  // what the section says of the processor; the truth when 0
	DataBytes       int  // cut (negative: leave out so many) or pad (positive: that many more) the data
}

// Header is the header block, by its fields; Options.Header may change it before
// it is written.
type Header struct {
	Parameters     byte
	Points, Analog uint16
	First, Last    uint16
	Scale          float32
	Data, PerFrame uint16
	Rate           float32
}

// Parameter is one parameter to write. Value is string, []string, int16, []int16,
// float32, []float32
// or Array.
type Parameter struct {
	Group, Name string
	Value       any
}

// Event is one event of the header block.
type Event struct {
	Label string // four letters at most
	Time  float32
}

// Array is the value of a parameter of any type and dimensions, as it will stand in
// the file.
type Array struct {
	Type       c3d.Type
	Dimensions []int
	Data       []byte
}

// Many gives n labels that begin alike.
func Many(prefix string, n int) []string {
	labels := make([]string, n)
	for i := range labels {
		labels[i] = prefix + string(rune('A'+i/676%26)) + string(rune('A'+i/26%26)) + string(rune('A'+i%26))
	}
	return labels
}

// File makes the file.
func File(o Options) []byte {
	o.fill()
	w := writer{processor: o.Processor}
	h := Header{
		Parameters: 2,
		Points:     uint16(len(o.Points)), Analog: uint16(len(o.Analogs) * o.PerFrame),
		First: uint16(o.First), Last: uint16(o.First + o.Frames - 1),
		Scale: o.scale(), PerFrame: uint16(o.PerFrame), Rate: o.Rate,
	}
	// The section names the block of the data behind it: its size must be known
	// first, and does not depend on the value.
	h.Data = uint16(2 + len(o.section(w, 0))/block)
	section := o.section(w, int16(h.Data))
	if o.Header != nil {
		o.Header(&h)
	}
	file := append(o.events(w, h.encode(w)), section...)
	data := o.data(w)
	if o.DataBytes < 0 {
		return append(file, data[:max(0, len(data)+o.DataBytes)]...)
	}
	return pad(append(append(file, data...), make([]byte, o.DataBytes)...))
}

const block = 512

func (o *Options) fill() {
	if o.Processor == 0 {
		o.Processor = c3d.Intel
	}
	o.PerFrame, o.Frames = max(1, o.PerFrame), max(1, o.Frames)
	if o.Rate == 0 {
		o.Rate = 100
	}
	if o.Scale == 0 {
		o.Scale = 0.1
	}
	if o.Point == nil {
		o.Point = func(frame, point int) (x, y, z float32) {
			angle := float64(frame)/50 + float64(point)
			return float32(500 * math.Cos(angle)), float32(500 * math.Sin(angle)), float32(100 * point)
		}
	}
	if o.Analog == nil {
		o.Analog = func(frame, sample, channel int) float32 { return float32((frame + sample + channel) % 100) }
	}
}

func (o *Options) word(frame, point int) int {
	if o.Word == nil {
		return 0
	}
	return o.Word(frame, point)
}

// scale is negative in files of floating point: that is how they say it.
func (o *Options) scale() float32 {
	if o.Real {
		return -o.Scale
	}
	return o.Scale
}

func (h Header) encode(w writer) []byte {
	b := make([]byte, block)
	b[0], b[1] = h.Parameters, 0x50
	for word, v := range map[int]uint16{2: h.Points, 3: h.Analog, 4: h.First, 5: h.Last, 6: 10, 9: h.Data,
		10: h.PerFrame} {
		copy(b[2*(word-1):], w.word(v))
	}
	copy(b[2*(7-1):], w.float(h.Scale))
	copy(b[2*(11-1):], w.float(h.Rate))
	return b
}

// events writes the events into the header block.
func (o *Options) events(w writer, b []byte) []byte {
	copy(b[2*149:], w.word(12345)) // labels have four letters
	copy(b[2*150:], w.word(uint16(len(o.Events))))
	for i, e := range o.Events {
		copy(b[2*152+4*i:], w.float(e.Time))
		copy(b[2*198+4*i:], (e.Label + "    ")[:4])
	}
	return b
}

// data is the frames, and nothing behind the last.
func (o *Options) data(w writer) []byte {
	var b []byte
	number := func(v float32) {
		if o.Real {
			b = append(b, w.float(v)...)
		} else {
			b = append(b, w.word(uint16(int16(math.Round(float64(v)))))...)
		}
	}
	unit := float32(1)
	if !o.Real {
		unit = o.Scale
	}
	for frame := range o.Frames {
		for point := range o.Points {
			x, y, z := o.Point(frame, point)
			number(x / unit)
			number(y / unit)
			number(z / unit)
			number(float32(o.word(frame, point)))
		}
		for sample := range o.PerFrame {
			for channel := range o.Analogs {
				number(o.Analog(frame, sample, channel))
			}
		}
	}
	return b
}

func pad(b []byte) []byte {
	return append(b, make([]byte, (block-len(b)%block)%block)...)
}

// writer encodes numbers for a processor.
type writer struct{ processor c3d.Processor }

func (w writer) word(v uint16) []byte {
	if w.processor == c3d.MIPS {
		return binary.BigEndian.AppendUint16(nil, v)
	}
	return binary.LittleEndian.AppendUint16(nil, v)
}

func (w writer) float(v float32) []byte {
	switch w.processor {
	case c3d.MIPS:
		return binary.BigEndian.AppendUint32(nil, math.Float32bits(v))
	case c3d.DEC:
		bits := math.Float32bits(v * 4)
		return binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(nil, uint16(bits>>16)), uint16(bits))
	}
	return binary.LittleEndian.AppendUint32(nil, math.Float32bits(v))
}
