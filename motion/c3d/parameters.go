package c3d

import (
	"bytes"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/quality"
)

// most bounds the number of parameters, so that a file made of nothing but tiny
// ones cannot take many times its own size in memory. Real files have a few
// hundred.
const most = 20_000

// entry is one piece of the parameter section: a group or a parameter.
type entry struct {
	id     int8 // negative for a group, else the group that the parameter is of
	locked bool
	name   string
	body   []byte // what follows the offset to the next record
	next   int    // where the next record begins
	last   bool   // the offset was 0: nothing follows
}

// readParameters reads groups and parameters until the end mark. Neither the
// announced number of blocks nor the pointer to the data decides where they end,
// since writers get both wrong: they only say how far to look when the end mark
// is missing. end is how long the section is in bytes.
func readParameters(s *section, p Processor, w *quality.Warnings) (groups []Group, end int, err error) {
	const start = 4 // two reserved bytes, the number of blocks, the processor
	var (
		index   = map[int8]int{} // from group id to place in groups
		members = map[int8][]Parameter{}
		count   int
		damaged int
	)
	pos := start
	for {
		r, more, err := readEntry(s, p, pos)
		if err != nil {
			return nil, 0, err
		}
		if more == cut || count == most {
			w.Add(quality.ParametersCut,
				"The parameter section has no end mark; what came before byte %s of the file was used.",
				quality.Thousands(s.start+int64(pos)))
			break
		}
		if more == ended {
			break
		}
		count++
		pos = r.next
		switch {
		case r.id < 0:
			if _, twice := index[r.id]; twice {
				damaged++
				break
			}
			index[r.id] = len(groups)
			text, _ := describe(r.body)
			groups = append(groups, Group{Name: r.name, Description: text, Locked: r.locked})
		default:
			if parameter, ok := r.parameter(p); ok {
				members[-r.id] = append(members[-r.id], parameter)
			} else {
				damaged++
			}
		}
		if r.last {
			pos -= r.slack(p)
			break
		}
	}
	// A parameter may stand before its group, so they meet only now.
	for id, place := range index {
		groups[place].Parameters = members[id]
		delete(members, id)
	}
	for _, homeless := range members {
		damaged += len(homeless)
	}
	if damaged > 0 {
		w.Add(quality.ParametersDamaged, "%d of the %d entries in the parameter section are damaged and were left out.",
			damaged, count)
	}
	return groups, pos, nil
}

// Kinds of entries that readEntry finds.
type outcome int

const (
	found outcome = iota
	ended         // the end mark
	cut           // no end mark, but no further record either
)

// readEntry reads the record at pos. An offset of 0 says that it is the last;
// then its length follows from its content alone, and body is whatever is left.
func readEntry(s *section, p Processor, pos int) (r entry, o outcome, err error) {
	head, ok, err := s.at(pos, 2)
	if err != nil || !ok {
		return r, cut, err
	}
	length := int(int8(head[0]))
	r.id = int8(head[1])
	if length == 0 || r.id == 0 {
		return r, ended, nil
	}
	if length < 0 {
		r.locked, length = true, -length
	}
	named, ok, err := s.at(pos+2, length+2)
	if err != nil || !ok {
		return r, cut, err
	}
	raw := named[:length]
	if bytes.ContainsFunc(raw, func(c rune) bool { return c < ' ' }) {
		return r, cut, nil // these are numbers, not names: we ran into the data
	}
	r.name = strings.ToUpper(label.Clean(raw))
	offset := int(p.Word(named[length:]))
	from := pos + 2 + length + 2
	if offset == 0 {
		r.last = true
		offset = 2 + min(1<<16, max(0, s.limit-from))
	}
	if offset < 2 {
		return r, cut, nil
	}
	r.next = from - 2 + offset
	r.body, ok, err = s.at(from, offset-2)
	if err != nil || !ok {
		return r, cut, err
	}
	return r, found, nil
}

// parameter decodes the body of a record; false when its values do not fit in.
func (r entry) parameter(p Processor) (Parameter, bool) {
	b := r.body
	if len(b) < 2 {
		return Parameter{}, false
	}
	typ, dims := Type(int8(b[0])), int(b[1])
	size := typ.size()
	b = b[2:]
	if size == 0 || len(b) < dims {
		return Parameter{}, false
	}
	dimensions := make([]int, dims)
	for i := range dimensions {
		dimensions[i] = int(b[i])
	}
	if slices.Contains(dimensions, 0) {
		size = 0
	}
	for _, n := range dimensions {
		if size *= n; size > len(b) {
			return Parameter{}, false
		}
	}
	b = b[dims:]
	if size > len(b) {
		return Parameter{}, false
	}
	text, _ := describe(b[size:])
	return Parameter{
		Name: r.name, Description: text, Locked: r.locked,
		Type: typ, Dimensions: dimensions,
		data: bytes.Clone(b[:size]), processor: p,
	}, true
}

// slack is how much of the body of a last record is not its own.
func (r entry) slack(p Processor) int {
	own := 0
	if parameter, ok := r.parameter(p); ok && r.id > 0 {
		own = 2 + len(parameter.Dimensions) + len(parameter.data)
	}
	_, described := describe(r.body[own:])
	return len(r.body) - own - described
}

// describe decodes a description, its length and then that many bytes, and says
// how many bytes it takes. Many writers leave it out, so a missing one is no fault.
func describe(b []byte) (text string, size int) {
	if len(b) == 0 {
		return "", 0
	}
	size = min(len(b), 1+int(b[0]))
	return label.Clean(b[1:size]), size
}
