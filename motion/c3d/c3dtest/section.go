package c3dtest

import (
	"bytes"
	"fmt"
	"slices"
)

// section is the parameter section, padded to whole blocks.
func (o *Options) section(w writer, data int16) []byte {
	var groups []string
	members := map[string][]Parameter{}
	for _, p := range append(o.parameters(data), o.Add...) {
		if slices.Contains(o.Without, p.Group) || slices.Contains(o.Without, p.Group+":"+p.Name) {
			continue
		}
		if !slices.Contains(groups, p.Group) {
			groups = append(groups, p.Group)
		}
		same := func(q Parameter) bool { return q.Name == p.Name }
		if i := slices.IndexFunc(members[p.Group], same); i >= 0 {
			members[p.Group][i] = p
		} else {
			members[p.Group] = append(members[p.Group], p)
		}
	}
	b := make([]byte, 4)
	for i, group := range groups {
		id := byte(i + 1)
		b = w.record(b, -id, group, []byte{0})
		for _, p := range members[group] {
			b = w.record(b, id, p.Name, append(w.values(p), 0))
		}
	}
	if o.NoEndMark {
		for len(b)%block != 0 {
			b = append(b, 'x')
		}
	} else {
		b = pad(append(b, 0, 0))
	}
	b[0], b[1], b[2], b[3] = 1, 0x50, byte(len(b)/block), byte(o.Processor)
	if o.ParameterBlocks != 0 {
		b[2] = byte(o.ParameterBlocks)
	}
	if o.ProcessorByte != 0 {
		b[3] = byte(o.ProcessorByte)
	}
	return b
}

// parameters are those that a good file has.
func (o *Options) parameters(data int16) []Parameter {
	all := []Parameter{
		{"POINT", "USED", int16(len(o.Points))},
		{"POINT", "FRAMES", int16(uint16(o.Frames))},
		{"POINT", "RATE", o.Rate},
		{"POINT", "SCALE", o.scale()},
		{"POINT", "DATA_START", data},
	}
	if o.Unit != "" {
		all = append(all, Parameter{"POINT", "UNITS", []string{o.Unit}})
	}
	all = append(all, labels("POINT", o.Points)...)
	all = append(all,
		Parameter{"ANALOG", "USED", int16(len(o.Analogs))},
		Parameter{"ANALOG", "RATE", o.Rate * float32(o.PerFrame)},
	)
	all = append(all, labels("ANALOG", o.Analogs)...)
	if o.Frames > 1<<16-1 || o.First+o.Frames-1 > 1<<16-1 {
		last := o.First + o.Frames - 1
		all = append(all,
			Parameter{"TRIAL", "ACTUAL_START_FIELD", []int16{int16(uint16(o.First)), int16(uint16(o.First >> 16))}},
			Parameter{"TRIAL", "ACTUAL_END_FIELD", []int16{int16(uint16(last)), int16(uint16(last >> 16))}},
		)
	}
	return all
}

// labels spreads names over LABELS, LABELS2 and so on, 255 in each.
func labels(group string, names []string) []Parameter {
	var all []Parameter
	for names := range slices.Chunk(names, 255) {
		name := "LABELS"
		if len(all) > 0 {
			name = fmt.Sprintf("LABELS%d", len(all)+1)
		}
		all = append(all, Parameter{group, name, slices.Clone(names)})
	}
	return all
}

// record appends a group or parameter, with the offset to the next.
func (w writer) record(b []byte, id byte, name string, body []byte) []byte {
	b = append(b, byte(len(name)), id)
	b = append(b, name...)
	b = append(b, w.word(uint16(2+len(body)))...)
	return append(b, body...)
}

// values encodes type, dimensions and values of a parameter.
func (w writer) values(p Parameter) []byte {
	switch v := p.Value.(type) {
	case string:
		return append([]byte{0xff, 1, byte(len(v))}, v...)
	case []string:
		return w.text(v)
	case int16:
		return append([]byte{2, 0}, w.word(uint16(v))...)
	case []int16:
		b := []byte{2, 1, byte(len(v))}
		for _, n := range v {
			b = append(b, w.word(uint16(n))...)
		}
		return b
	case []float32:
		b := []byte{4, 1, byte(len(v))}
		for _, n := range v {
			b = append(b, w.float(n)...)
		}
		return b
	case Array:
		b := []byte{byte(v.Type), byte(len(v.Dimensions))}
		for _, n := range v.Dimensions {
			b = append(b, byte(n))
		}
		return append(b, v.Data...)
	case float32:
		return append([]byte{4, 0}, w.float(v)...)
	}
	panic(fmt.Sprintf("c3dtest: %s:%s cannot be written as %T", p.Group, p.Name, p.Value))
}

// text encodes strings, padded to the longest, as the format has them.
func (w writer) text(texts []string) []byte {
	longest := 0
	for _, s := range texts {
		longest = max(longest, len(s))
	}
	b := []byte{0xff, 2, byte(longest), byte(len(texts))}
	for _, s := range texts {
		b = append(b, s...)
		b = append(b, bytes.Repeat([]byte(" "), longest-len(s))...)
	}
	return b
}
