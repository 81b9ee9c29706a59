package movement

import (
	"fmt"

	"github.com/kinebase/kinebase/frames"
)

// nothing says why nothing can be found in a recording of these labels, whatever is in it; nil
// where the library has columns of the movement.
func (l *Library) nothing(activity, name string) *frames.Reason {
	if activity == "" || name == "" {
		return &frames.Reason{Code: NoMovement,
			Message: "The capture does not say which activity and movement it is of."}
	}
	switch m := l.Find(activity, name); {
	case m == nil && l.similar(activity, name) != nil:
		s := l.similar(activity, name)
		return &frames.Reason{Code: UnknownMovement,
			Message: fmt.Sprintf("The library of movements has no %s/%s. It has %s/%s.", activity, name, s.Activity,
				s.Movement)}
	case m == nil:
		return &frames.Reason{Code: UnknownMovement, Message: fmt.Sprintf("The library of movements has no %s/%s.",
			activity, name)}
	case len(m.Columns) == 0:
		return &frames.Reason{Code: NotYet,
			Message: fmt.Sprintf("The library of movements has no events and metrics of %s/%s yet.", activity, name)}
	}
	return nil
}

// Pending is what is told of a recording that is measured now, or once more: after a correction, or
// by another version of the library.
func Pending() *frames.Computed {
	return &frames.Computed{
		Library: Read().Version,
		Reason: &frames.Reason{Code: BeingMeasured,
			Message: "The recording is being measured by what its labels and its rate are now. What is found is here " +
				"as soon as that is done."},
		Events: []frames.ComputedEvent{}, Metrics: []frames.ComputedMetric{}, Withheld: []frames.Withheld{},
		Used: frames.Used{Channels: []string{}, Notes: []string{}},
	}
}

// mostSlips is how many letters of both labels together may be wrong, missing or too many where
// they are taken for a mistake in typing.
const mostSlips = 2

// similar is the movement that the labels were most likely meant to name; nil where there is none.
func (l *Library) similar(activity, name string) (best *Movement) {
	least := mostSlips + 1
	for i := range l.Movements {
		m := &l.Movements[i]
		if n := slips(activity, m.Activity) + slips(name, m.Movement); n < least {
			best, least = m, n
		}
	}
	return best
}

// Likely is the pair that labels, folded as they are compared, were most likely meant to name; false
// for labels of a movement that the library has, and for those that are like none of them.
func (l *Library) Likely(activity, name string) (Pair, bool) {
	if l.Find(activity, name) != nil {
		return Pair{}, false
	}
	m := l.similar(activity, name)
	if m == nil {
		return Pair{}, false
	}
	return Pair{m.Activity, m.Movement}, true
}

// Nearest is the one of some words that a word was most likely meant to be; "" where it is one of
// them, and where none is near.
func Nearest(word string, words []string) (best string) {
	least := mostSlips + 1
	for _, w := range words {
		if n := slips(word, w); n < least {
			best, least = w, n
		}
	}
	if least == 0 {
		return ""
	}
	return best
}

// slips is how many letters must be put in, taken out or replaced to make one text of another.
func slips(a, b string) int {
	to := []rune(b)
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i, letter := range []rune(a) {
		before := row[0]
		row[0] = i + 1
		for j := range to {
			n := before
			if to[j] != letter {
				n++
			}
			before = row[j+1]
			row[j+1] = min(n, before+1, row[j]+1)
		}
	}
	return row[len(to)]
}
