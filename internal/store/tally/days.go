package tally

import (
	"slices"

	"github.com/kinebase/kinebase/capture"
)

// Days is a number of UTC days, the last one first, as the list is ordered.
type Days struct {
	Last  int64 // day of the last one, counted from 1970-01-01
	Count int64
}

const dayMicros = 24 * 60 * 60 * 1_000_000

// DayOf gives the day of a place in the list, counted from 1970-01-01. A place
// without a time has a day before all others.
func DayOf(k capture.Key) int64 {
	if k.Time == First.Time {
		return 1<<63 - 1
	}
	day := -k.Time / dayMicros
	if -k.Time%dayMicros < 0 {
		day--
	}
	return day
}

// Holds says whether a day is one of them.
func (d Days) Holds(day int64) bool { return day <= d.Last && day > d.Last-d.Count }

// bounds are the places between which the captures of the days lie, the second one
// excluded.
func (d Days) bounds() (low, high capture.Key) {
	return capture.Key{Time: -(d.Last+1)*dayMicros + 1}, capture.Key{Time: -(d.Last-d.Count+1)*dayMicros + 1}
}

// DayKey is what captures are counted by.
type DayKey struct {
	Day         int64
	Combination uint32
}

// PerDay is captures counted by day and combination, with what is left to count row by
// row: the blocks that hold the end of a day.
type PerDay struct {
	Counts map[DayKey]int64
	Rows   []Stretch // in order, none touching another
	days   Days
}

// Stretch is a part of the list, from Low to before High.
type Stretch struct{ Low, High capture.Key }

// PerDay counts the captures of days. Whole blocks of one day are added up; of the
// others, one a day at the most, the stretches are given, whose rows Row counts.
func (l *List) PerDay(d Days, changes []Change) *PerDay {
	p := &PerDay{Counts: map[DayKey]int64{}, days: d}
	low, high := d.bounds()
	g, b, ok := l.find(low)
	for ok && g < len(l.groups) {
		block := l.groups[g].blocks[b]
		r := l.rangeOf(g, b)
		if g == 0 && b == 0 {
			r.Low = First // what lies before the first block belongs to it
		}
		if r.Open {
			r.High = Last
		}
		if r.Low.Compare(high) >= 0 {
			break
		}
		if day := DayOf(r.Low); d.Holds(day) && day == DayOf(r.High) {
			eachCount(block.Counts, func(n Pair) { p.add(day, n.Combination, n.Captures) })
		} else {
			p.stretch(later(r.Low, low), earlier(r.High, high))
		}
		if b++; b == len(l.groups[g].blocks) {
			g, b = g+1, 0
		}
	}
	for i := range changes {
		c := &changes[i]
		if d.Holds(DayOf(c.Key)) && !p.within(c.Key) { // in a stretch it is among the rows
			p.add(DayOf(c.Key), c.Combination, c.countIn(Athlete{}).Captures)
		}
	}
	return p
}

func earlier(a, b capture.Key) capture.Key {
	if a.Compare(b) < 0 {
		return a
	}
	return b
}

func later(a, b capture.Key) capture.Key {
	if a.Compare(b) > 0 {
		return a
	}
	return b
}

func (p *PerDay) stretch(low, high capture.Key) {
	if low.Compare(high) >= 0 {
		return
	}
	if n := len(p.Rows); n > 0 && p.Rows[n-1].High == low {
		p.Rows[n-1].High = high
		return
	}
	p.Rows = append(p.Rows, Stretch{low, high})
}

func (p *PerDay) within(k capture.Key) bool {
	i, _ := slices.BinarySearchFunc(p.Rows, k, func(s Stretch, k capture.Key) int {
		if s.High.Compare(k) <= 0 {
			return -1
		}
		return 1
	})
	return i < len(p.Rows) && p.Rows[i].Low.Compare(k) <= 0
}

// Row counts a capture of a stretch.
func (p *PerDay) Row(time int64, combination uint32) {
	if day := DayOf(capture.Key{Time: time}); p.days.Holds(day) {
		p.add(day, combination, 1)
	}
}

func (p *PerDay) add(day int64, combination uint32, n int64) {
	p.Counts[DayKey{day, combination}] += n
}
