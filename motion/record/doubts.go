package record

import "github.com/kinebase/kinebase/motion/quality"

// Doubts counts what is odd about the numbers of a stretch of frames. Add joins those of another
// stretch, so that a file that is read in stretches is warned of once, by Tell. The zero value has none.
type Doubts struct {
	Nowhere  int // places where a point is marked as seen but has no numbers
	Beyond   int // analog samples that their own format cannot hold
	Infinite int // analog samples

	marks []mark // of each analog channel
}

// mark is what one channel has of a number that programs write where nothing was measured.
type mark struct {
	name    string
	value   float32 // 0: there is none
	count   int
	others  float32 // the number that is farthest from zero, of all others
	several bool    // there are others of the kind, so that none of them is a sign
}

// Look notes the samples of analog channels that programs write where nothing was measured. The
// channels are the same, in the same order, in every stretch.
func (d *Doubts) Look(channels []Channel) {
	if d.marks == nil {
		d.marks = make([]mark, len(channels))
	}
	for i := range channels {
		d.marks[i].name = channels[i].Name
		d.marks[i].look(channels[i].Values)
	}
}

// leastMark is the smallest placeholder that counts as one by itself.
const leastMark = 9_999

func (m *mark) look(values []float32) {
	least, most := float32(0), float32(0)
	for _, v := range values {
		switch {
		case v >= leastMark || v <= -leastMark:
			m.far(v)
		case v > most:
			most = v
		case v < least:
			least = v
		}
	}
	m.others = max(m.others, most, -least)
}

// far takes in a number that is as far from zero as placeholders are.
func (m *mark) far(v float32) {
	switch {
	case v == m.value:
		m.count++
	case Placeholder(v) && m.value == 0:
		m.value, m.count = v, 1
	default:
		m.several = m.several || Placeholder(v)
		m.others = max(m.others, abs(v))
	}
}

// Add joins the doubts of another stretch of the same file.
func (d *Doubts) Add(o Doubts) {
	d.Nowhere, d.Beyond, d.Infinite = d.Nowhere+o.Nowhere, d.Beyond+o.Beyond, d.Infinite+o.Infinite
	if d.marks == nil {
		d.marks = append(d.marks, o.marks...)
		return
	}
	for i, m := range o.marks {
		d.marks[i].join(m)
	}
}

func (m *mark) join(o mark) {
	m.others, m.several = max(m.others, o.others), m.several || o.several
	switch {
	case m.value == 0:
		m.value, m.count = o.value, o.count
	case m.value == o.value:
		m.count += o.count
	case o.value != 0:
		m.several = true
	}
}

// Tell warns of every doubt.
func (d *Doubts) Tell(w *quality.Warnings) {
	if d.Nowhere > 0 {
		w.AddNowhere(d.Nowhere)
	}
	if d.Beyond > 0 {
		w.AddBeyond(d.Beyond)
	}
	if d.Infinite > 0 {
		w.AddInfinite(d.Infinite)
	}
	var kept placed
	for _, m := range d.marks {
		if m.value != 0 && !m.several && m.others*placeholderFar <= abs(m.value) {
			kept.count += m.count
			if kept.name == "" {
				kept.name, kept.first = m.name, m.value
			}
		}
	}
	kept.tell(w)
}
