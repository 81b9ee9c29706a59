package record

import (
	"fmt"
	"slices"

	"github.com/kinebase/kinebase/motion/quality"
)

// Order remembers where the times of rows go back, while the rows are read. The zero value is
// ready.
type Order struct {
	last  float64
	begun bool
	rows  []int // up to remembered of them
	lines []int
}

// remembered bounds what is remembered of a file in which many times go back.
const remembered = 1 << 12

// Row notes the time of a row, counted from 0, which stands in a line. A time that is NaN is
// passed over.
func (o *Order) Row(seconds float64, row, line int) {
	if seconds != seconds {
		return
	}
	if o.begun && seconds < o.last && len(o.rows) < remembered {
		o.rows, o.lines = append(o.rows, row), append(o.lines, line)
	}
	o.begun, o.last = true, seconds
}

// Restarted refuses rows whose times, as Uneven gives them, begin again: nothing says how the
// recordings follow one another, and two rows would be of one moment.
func (o *Order) Restarted(times []float64) error {
	row, ok := restart(times)
	if !ok {
		return nil
	}
	line := 0
	if at := slices.Index(o.rows, row); at >= 0 {
		line = o.lines[at]
	}
	return Below(fmt.Sprintf("The times of the rows go back to %.3f s", times[row]), line)
}

// Below refuses a table in which recordings stand below one another, by what shows it.
func Below(reason string, line int) error {
	return &quality.Unreadable{Reason: reason + ", as where one recording stands below another", Line: line,
		Hint: "Save each recording as a file of its own."}
}

// restart finds the frame at which the times begin again, as where one recording stands below
// another: they go back by more than a second, or to the first of them and by more than three
// paces, and the next frame goes on from there. What goes back less is a clock that was
// corrected, or frames that came late.
func restart(times []float64) (frame int, ok bool) {
	first, last := Known(times)
	if last <= first {
		return 0, false
	}
	type step struct {
		frame int
		back  float64
	}
	var backwards []step
	var paces []float64
	before := times[first]
	for i := first + 1; i <= last; i++ {
		t := times[i]
		switch {
		case t > before:
			paces = append(paces, t-before)
		case t < before:
			backwards = append(backwards, step{i, before - t})
		}
		if t == t {
			before = t
		}
	}
	if len(backwards) == 0 || len(paces) == 0 {
		return 0, false
	}
	slices.Sort(paces)
	pace := paces[len(paces)/2]
	for _, s := range backwards {
		if s.back > 3*pace && (s.back > 1 || times[s.frame] <= times[first]+pace) && goesOn(times, s.frame, s.back) {
			return s.frame, true
		}
	}
	return 0, false
}

// goesOn says whether the frame behind one whose time went back comes after it, and not where
// the times were before, as it does where one time alone is wrong.
func goesOn(times []float64, frame int, back float64) bool {
	for _, t := range times[frame+1:] {
		if t == t {
			return t >= times[frame] && t-times[frame] < back
		}
	}
	return false
}
