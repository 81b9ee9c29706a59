package frames

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"strings"
)

// binaryHead is what stands before the numbers.
type binaryHead struct {
	SessionID string     `json:"session_id"`
	Rate      *float64   `json:"rate"`
	From      int        `json:"from"`
	To        int        `json:"to"`
	Every     int        `json:"every"`
	Frames    int        `json:"frames"`
	Columns   []string   `json:"columns"`
	Wide      wideColumn `json:"wide,omitempty"`
}

// wideColumn has the columns that have numbers of 64 bits, by their names.
type wideColumn map[string]decimals

// decimals are numbers as JSON, null where one is missing.
type decimals []float64

func (d decimals) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for i, v := range d {
		if i > 0 {
			b = append(b, ',')
		}
		b = AppendNumber(b, v, 64, "null")
	}
	return append(b, ']'), nil
}

// AppendBinary appends the part as numbers that a program can use where they lie,
// for one that draws has no time to read decimals: KBF1, the length of the head, the
// head as JSON, then little-endian the times as 64-bit floats, the columns as 32-bit
// ones, one behind the other, and the frames of the rows as 32-bit integers. Blanks
// fill the head up to a multiple of 8, so that all numbers are aligned. NaN is what
// is missing.
//
// A column that 32 bits cannot hold is rounded there, and stands in the head as well,
// with all of its digits: whoever does not know of that reads what there always was.
func (p *Part) AppendBinary(b []byte, sessionID string) []byte {
	names := p.Names
	if names == nil {
		names = []string{}
	}
	rows := len(p.Frames)
	wide := wideColumn{}
	for i, n := range p.Columns {
		if n.Wide != nil {
			wide[names[i]] = n.Wide
		}
	}
	head, err := json.Marshal(binaryHead{sessionID, p.Rate, p.From, p.To, p.Every, rows, names, wide})
	if err != nil { // texts and finite numbers always can be
		return b
	}
	head = append(head, strings.Repeat(" ", (8-len(head)%8)%8)...)
	size := 8 + len(head) + rows*(8+4*len(p.Columns)+4)
	if cap(b)-len(b) < size {
		b = append(make([]byte, 0, len(b)+size), b...)
	}
	b = append(b, "KBF1"...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(head)))
	b = append(b, head...)
	for _, at := range p.Time {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(at))
	}
	for _, n := range p.Columns {
		for _, v := range n.Narrow {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
		}
		for _, v := range n.Wide {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
		}
	}
	for _, frame := range p.Frames {
		b = binary.LittleEndian.AppendUint32(b, uint32(frame))
	}
	return b
}
