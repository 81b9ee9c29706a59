package frames

import "math"

// mostKept is how many bytes of numbers are kept of a recording at the most.
const mostKept = 16 << 20

// Kept has the numbers of some columns in memory, from when their tables were written on, so that what is
// computed of them at once is not read from the tables. It gives the numbers that the tables give.
type Kept struct{ columns map[string]*run }

// Read is [Table.ReadSamples] of the table that has all samples of channels with so many a frame, or with 1 the first
// of each frame. It is false where one of the columns was not kept.
func (k *Kept) Read(columns []string, perFrame int) (values [][]float64, ok bool) {
	s, ok := k.Samples(columns, perFrame)
	if !ok {
		return nil, false
	}
	values = make([][]float64, len(columns))
	for i := range values {
		values[i] = make([]float64, s.runs[i].Len()/s.every[i])
		s.Read(i, 0, values[i])
	}
	return values, true
}

// has says whether all columns were kept.
func (k *Kept) has(columns []string, perFrame int) bool {
	if k == nil {
		return false
	}
	for _, name := range columns {
		if r := k.columns[name]; r == nil || r.per != perFrame && perFrame != 1 {
			return false
		}
	}
	return true
}

// Samples are channels of one column each that stay in memory.
type Samples struct {
	runs  []*run
	every []int
}

// Samples gives those of some columns, of channels with so many samples a frame as in Read.
func (k *Kept) Samples(columns []string, perFrame int) (s Samples, ok bool) {
	if !k.has(columns, perFrame) {
		return s, false
	}
	for _, name := range columns {
		r := k.columns[name]
		s.runs, s.every = append(s.runs, r), append(s.every, r.per/perFrame)
	}
	return s, true
}

// Len is how many samples each channel has.
func (s Samples) Len() int { return s.runs[0].Len() / s.every[0] }

// Read fills a list with those of a channel from one on; NaN for what is missing.
func (s Samples) Read(channel, from int, to []float64) {
	r, every := s.runs[channel], s.every[channel]
	from, end := from*every, (from+len(to))*every
	if r.Wide != nil {
		widen(to, r.Wide[from:end], every)
	} else {
		widen(to, r.Narrow[from:end], every)
	}
}

// widen fills a list with the first of every so many numbers. What is infinite is missing, as in the tables.
func widen[T float32 | float64](to []float64, values []T, every int) {
	if every == 1 {
		values = values[:len(to)]
		var odd [4]T // four sums, for the processor adds them side by side
		i := 0
		for ; i+4 <= len(values); i += 4 {
			v, w := values[i:i+4:i+4], to[i:i+4:i+4]
			w[0], w[1], w[2], w[3] = float64(v[0]), float64(v[1]), float64(v[2]), float64(v[3])
			odd[0] += v[0] - v[0] // 0, unless it is no number
			odd[1] += v[1] - v[1]
			odd[2] += v[2] - v[2]
			odd[3] += v[3] - v[3]
		}
		if odd == [4]T{} {
			to, values = to[i:], values[i:]
		}
	}
	for i := range to {
		v := float64(values[i*every])
		if v-v != 0 {
			v = math.NaN()
		}
		to[i] = v
	}
}

// keep makes room for the columns that are wanted; none where they are too many.
func (w *writer) keep(info *Info, wanted []string) *Kept {
	want := map[string]bool{}
	for _, name := range wanted {
		want[name] = true
	}
	k := &Kept{columns: map[string]*run{}}
	var runs []*run
	bytes := 0
	for i := range info.Channels {
		c := &info.Channels[i]
		bits := max(32, c.Bits)
		for _, name := range c.Columns {
			if !want[name] {
				runs = append(runs, nil)
				continue
			}
			r := &run{per: max(1, c.PerFrame)}
			if bytes += info.Frames * r.per * bits / 8; bytes > mostKept {
				return nil
			}
			r.Numbers = numbers(bits, info.Frames*r.per)
			runs, k.columns[name] = append(runs, r), r
		}
	}
	w.kept = runs
	return k
}
