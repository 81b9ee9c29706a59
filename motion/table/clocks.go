package table

import (
	"math"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/units"
)

// A sensor may have a column of times of its own, in front of its columns, as Delsys writes it: X[s], EMG 1
// [V], X[s], ACC 1 [g]. Where the times are the same, they are those of the rows. Where
// they are not, a frame is a moment of the slowest sensor and the others have several
// samples in it, if all paces are whole multiples of the slowest. Otherwise a frame is
// a moment of the fastest, and every sample of a slower one lies at the frame nearest
// to its time. In both cases every sample is kept as it is.

// findClocks finds the columns of times where there are several of one kind.
func (p *plain) findClocks() {
	if p.export {
		return
	}
	var clocks []int
	count := map[string]int{}
	key := func(i int) string {
		name := strings.ToLower(p.names[i])
		if isRunTime(name) {
			return "time series"
		}
		if strings.HasSuffix(name, " time series") || strings.HasSuffix(name, " time") {
			name = "time series"
		}
		return name
	}
	for i, name := range p.names {
		_, timeUnit := units.PerSecond(p.units[i])
		lower := strings.ToLower(name)
		if isDuration(name) {
			continue
		}
		if timeUnit && (lower == "x" || key(i) == "time series") || (timeUnit || p.units[i] == "") &&
			(isTime(lower) || isRunTime(lower)) {
			clocks = append(clocks, i)
			count[key(i)]++
		}
	}
	if len(clocks) == 0 {
		return
	}
	name := key(clocks[0])
	clocks = slices.DeleteFunc(clocks, func(i int) bool { return key(i) != name })
	if count[name] < 2 {
		if name == "x" || name == "time series" {
			p.time = clocks[0]
		}
		return
	}
	for _, i := range clocks {
		if p.units[i] != p.units[clocks[0]] {
			return
		}
	}
	p.time, p.clocks = clocks[0], clocks
	runs := map[string]bool{}
	for _, i := range clocks {
		if _, run := withoutRun(p.names[i]); run != "" {
			runs[run] = true
		}
	}
	p.layout.runs = len(runs)
}

// settleClocks lays the samples of sensors with clocks of their own beside each other.
func (p *plain) settleClocks() error {
	if len(p.clocks) == 0 {
		return nil
	}
	all, of := p.groups()
	if len(all) == 1 {
		p.times = all[0].times
		return nil
	}
	slowest, fastest := 0, 0
	for k := range all {
		if err := all[k].measure(p); err != nil {
			return err
		}
		if all[k].rate < all[slowest].rate {
			slowest = k
		}
		if all[k].rate > all[fastest].rate {
			fastest = k
		}
	}
	base, whole := slowest, true
	for k := range all {
		all[k].perFrame = int(math.Round(all[k].rate / all[slowest].rate))
		exact := all[slowest].rate * float64(all[k].perFrame)
		whole = whole && all[k].perFrame <= 1000 && math.Abs(all[k].rate-exact) < 1e-3*exact &&
			drift(all[k].rate, exact, all[k].known) < 0.25
	}
	if !whole {
		base = fastest
		for k := range all {
			all[k].perFrame = 1
		}
	}
	return p.lay(all, of, base, whole)
}

// drift is by how many samples two rates lie apart at the end of so many.
func drift(rate, other float64, samples int) float64 {
	return math.Abs(rate/other-1) * float64(samples)
}

// ticks are the times of one clock.
type ticks struct {
	name     string
	times    []float64
	known    int // rows that have a time
	start    float64
	rate     float64
	perFrame int
}

// groups gives every clock that differs from those before it, and for each column of
// measurements the place of its clock.
func (p *plain) groups() (all []ticks, of []int) {
	where := make([]int, len(p.clocks))
	for k, times := range p.apart {
		where[k] = slices.IndexFunc(all, func(t ticks) bool {
			return slices.EqualFunc(t.times, times, func(a, b float64) bool { return a == b || a != a && b != b })
		})
		if where[k] < 0 {
			where[k] = len(all)
			all = append(all, ticks{name: p.names[p.clocks[k]], times: times})
		}
	}
	of = make([]int, len(p.data))
	for c, i := range p.data {
		for k, clock := range p.clocks {
			if clock < i {
				of[c] = where[k]
			}
		}
	}
	return all, of
}

// measure finds the pace of a clock, which must be even.
func (t *ticks) measure(p *plain) error {
	first, last := record.Known(t.times)
	odd := &quality.Unreadable{Reason: "The table has several columns of time that tell different times, and one of " +
		"them has gaps or no even pace", Line: p.layout.line, Hint: "Export every sensor to a table of its own."}
	if first != 0 || last < 1 {
		return odd
	}
	t.known, t.start = last+1, t.times[0]
	if t.rate = record.RateOf(last, t.times[last]-t.times[0]); t.rate == 0 {
		return odd
	}
	tolerance := min(0.0015, 0.5/t.rate)
	for i, at := range t.times[:t.known] {
		if !(math.Abs(at-t.start-float64(i)/t.rate) <= tolerance) {
			return odd
		}
	}
	return nil
}

// lay makes channels of all columns, in frames of the clock at base.
func (p *plain) lay(all []ticks, of []int, base int, whole bool) error {
	start, rate := all[0].start, all[base].rate
	for k := range all {
		start = min(start, all[k].start)
	}
	frames := all[base].known
	if whole {
		for k := range all {
			from := int(math.Round((all[k].start - start) * all[k].rate))
			frames = max(frames, (from+all[k].known+all[k].perFrame-1)/all[k].perFrame)
		}
	}
	cells := 0
	for c := range p.data {
		cells += frames * all[of[c]].perFrame
	}
	if cells > 2*p.rows*len(p.data)+1000 {
		return p.apartTooFar()
	}
	behind, end := 0, start+float64(frames)/rate
	for c, i := range p.data {
		t := &all[of[c]]
		own, ownWide := p.columns.Column(c), p.columns.Wide(c)
		values := missingValues[float32](frames * t.perFrame)
		var wide []float64
		if ownWide != nil {
			wide = missingValues[float64](len(values))
		}
		for row := range t.known {
			at := int(math.Round((t.times[row] - start) * rate * float64(t.perFrame)))
			switch {
			case own[row] != own[row]:
			case at >= 0 && at < len(values):
				if values[at] = own[row]; wide != nil {
					wide[at] = ownWide[row]
				}
			case t.times[row] > end+1/t.rate:
				return p.apartTooFar()
			default:
				behind++
			}
		}
		p.several = append(p.several, series{name: p.names[i], unit: p.units[i], values: values, wide: wide,
			words: p.words[c], perFrame: t.perFrame, alone: true})
	}
	p.times, p.rows = nil, frames
	p.rec.Frames, p.rec.Start, p.rate = frames, start, rate
	p.tellClocks(all, base, whole, behind)
	return nil
}

// missingValues are n values of which none is there.
func missingValues[T float32 | float64](n int) []T {
	values := make([]T, n)
	for i := range values {
		values[i] = T(math.NaN())
	}
	return values
}

func (p *plain) apartTooFar() error {
	return &quality.Unreadable{Reason: "The table has several columns of time that tell different times, too far " +
		"apart to be one recording", Line: p.layout.line, Hint: "Export every sensor to a table of its own."}
}

// tellClocks warns of what became of the clocks.
func (p *plain) tellClocks(all []ticks, base int, whole bool, behind int) {
	w := &p.rec.Warnings
	if whole {
		w.Add(quality.ClocksSeveral,
			"The table has %d columns of time with paces of their own; a frame is a moment of the slowest one, %g "+
				"Hz, and the samples of the others lie in it by their times.", len(all), all[base].rate)
		return
	}
	w.Add(quality.ClocksSeveral,
		"The table has %d columns of time with paces of their own; a frame is a moment of the fastest one, %g Hz, "+
			"and the samples of the others lie at the frames nearest to their times.", len(all), all[base].rate)
	if behind > 0 {
		w.Add(quality.FramesDisagree,
			"%s samples of slower columns of time lie behind the last frame and were left out.",
			quality.Thousands(int64(behind)))
	}
}
