package c3d

import (
	"strings"

	"github.com/kinebase/kinebase/motion/label"
)

// Type is the kind of values that a parameter holds; its absolute value is the
// size of one in bytes.
type Type int8

// The types of parameters.
const (
	Text Type = -1
	Byte Type = 1
	Int  Type = 2
	Real Type = 4
)

func (t Type) size() int {
	switch t {
	case Text, Byte:
		return 1
	case Int:
		return 2
	case Real:
		return 4
	}
	return 0
}

// Group is a named set of parameters.
type Group struct {
	Name        string // in capitals, as names are compared
	Description string
	Locked      bool // the writer asks that it be left as it is
	Parameters  []Parameter
}

// Parameter is a named array of values. A file's dimensions are kept as they
// are: the first one runs fastest, and of text it is the length of one string.
type Parameter struct {
	Name        string // in capitals
	Description string
	Locked      bool
	Type        Type
	Dimensions  []int // none for a single value

	data      []byte // exactly as long as type and dimensions say
	processor Processor
}

// Len is the number of values, for text the number of characters.
func (p *Parameter) Len() int {
	if p == nil || p.Type.size() == 0 {
		return 0
	}
	return len(p.data) / p.Type.size()
}

// Numbers gives the values of a numeric parameter in the order of the file,
// integers with their sign. Text has none.
func (p *Parameter) Numbers() []float64 {
	if p == nil || p.Type == Text {
		return nil
	}
	numbers := make([]float64, p.Len())
	for i := range numbers {
		numbers[i] = p.number(i)
	}
	return numbers
}

func (p *Parameter) number(i int) float64 {
	at := p.data[i*p.Type.size():]
	switch p.Type {
	case Byte:
		return float64(at[0])
	case Int:
		return float64(int16(p.processor.Word(at)))
	default:
		return p.processor.Float(at)
	}
}

// Count gives the first value as a count. Sixteen-bit integers are taken without
// sign; files with more than 65,535 of something store a real number instead.
// False when there is no value, or none that can be a count.
func (p *Parameter) Count() (int64, bool) {
	if p == nil || p.Type == Text || p.Len() == 0 {
		return 0, false
	}
	if p.Type == Int {
		return int64(p.processor.Word(p.data)), true
	}
	n := p.number(0)
	if !(n >= 0 && n < 1<<40) || n != float64(int64(n)) {
		return 0, false
	}
	return int64(n), true
}

// LongCount gives a count that is stored as two 16-bit words, the low one first,
// as TRIAL:ACTUAL_START_FIELD is; of any other shape it is Count.
func (p *Parameter) LongCount() (int64, bool) {
	if p != nil && p.Type == Int && p.Len() >= 2 {
		return int64(p.processor.Word(p.data)) | int64(p.processor.Word(p.data[2:]))<<16, true
	}
	return p.Count()
}

// Strings gives the strings of a text parameter, without their padding. Each
// takes the whole first dimension, so that their number is bounded by the bytes
// that are really there.
func (p *Parameter) Strings() []string {
	if p == nil || p.Type != Text || len(p.data) == 0 {
		return nil
	}
	length := len(p.data)
	if len(p.Dimensions) > 0 {
		length = p.Dimensions[0]
	}
	texts := make([]string, 0, len(p.data)/length)
	for at := 0; at+length <= len(p.data); at += length {
		texts = append(texts, label.Clean(p.data[at:at+length]))
	}
	return texts
}

// Parameter finds a parameter by the names of its group and itself, in any case;
// nil when there is none, which all methods of Parameter bear. Of groups that
// share a name, the first that has the parameter counts.
func (h *Header) Parameter(group, name string) *Parameter {
	for i := range h.Groups {
		g := &h.Groups[i]
		if !strings.EqualFold(g.Name, group) {
			continue
		}
		for j := range g.Parameters {
			if strings.EqualFold(g.Parameters[j].Name, name) {
				return &g.Parameters[j]
			}
		}
	}
	return nil
}
