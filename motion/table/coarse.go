package table

import (
	"regexp"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/motion/units"
)

// Some times have names that other things have as well: min may be minutes or the least of
// something, hr hours or a heart. Their place, their numbers and the other names tell.

// coarseUnit is the unit of minutes or hours among words that are otherwise those of a
// clock, "" where there is none.
func coarseUnit(words []string) (unit string) {
	for _, w := range words {
		perSecond, ok := units.PerSecond(w)
		switch {
		case ok && perSecond < 1 && unit == "":
			unit = w
		case !slices.Contains(clockWords, w):
			return ""
		}
	}
	if strings.HasPrefix(unit, "h") && len(unit) < 4 && len(words) == 1 { // a heart rate, a height
		return ""
	}
	return unit
}

// coarseTime finds a column of minutes or hours where no other column has the times: the
// first, whose numbers never fall, in a table that has no greatest or mean beside a least.
func (p *plain) coarseTime() int {
	i := 0
	if len(p.names) > 1 && isFrame(strings.ToLower(p.names[0])) {
		i = 1
	}
	if i >= len(p.names) || i >= len(p.layout.rising) || !p.layout.rising[i] {
		return -1
	}
	_, timed := units.PerSecond(p.units[i])
	if words := wordsOf(p.names[i]); timed && len(words) > 1 && isTime(words[0]) && !isDuration(p.names[i]) {
		// Time 1 - default sample rate (s)
		return i
	}
	if coarseUnit(wordsOf(p.names[i])) == "" {
		return -1
	}
	for k, name := range p.names {
		if k != i && slices.ContainsFunc(wordsOf(name), func(w string) bool {
			return slices.Contains([]string{"min", "max", "maximum", "mean", "avg", "average", "median", "sd", "std",
				"range", "mode"}, w)
		}) {
			return -1
		}
	}
	return i
}

// pathTime finds the times by the last part of a path: Main.Study.Output.Abscissa.t.
func (p *plain) pathTime() int {
	if len(p.names) < 2 || len(p.layout.rising) == 0 || !p.layout.rising[0] {
		return -1
	}
	name := strings.ToLower(p.names[0])
	if name == "x_value" && p.layout.settings.timed {
		return 0
	}
	if at := strings.LastIndexAny(name, "./:|"); at > 0 &&
		slices.Contains([]string{"t", "time", "timestamp"}, strings.TrimSpace(name[at+1:])) {
		return 0
	}
	return -1
}

// finerTime gives another column of times in the place of one that is written so coarsely
// that most rows have the time of the row before, as a time of day in whole seconds at ten
// rows a second has: the first that goes up in every row.
func (p *plain) finerTime(at int) int {
	if p.export || p.part || at < 0 || at >= len(p.layout.repeats) || !p.layout.repeats[at] {
		return at
	}
	for i, name := range p.names {
		lower := strings.ToLower(name)
		if i != at && i < len(p.layout.climbs) && p.layout.climbs[i] && (isTime(lower) || isClockName(name)) &&
			!isDuration(name) && !isFrame(lower) {
			return i
		}
	}
	return at
}

// runMark is what tells one of several recordings side by side from the others.
var runMark = regexp.MustCompile(`(?i)\b(?:run|trial|latest|data ?set)\b\s*#?\s*([0-9]*)\s*:?`)

// isRunTime says whether a name, in small letters, is that of the times of one of several
// recordings: run 1: time.
func isRunTime(name string) bool {
	rest, _ := withoutRun(name)
	return rest != name && isTime(rest)
}

// withoutRun takes it off a name, and gives its number.
func withoutRun(name string) (rest, run string) {
	found := runMark.FindStringSubmatch(name)
	if found == nil {
		return name, ""
	}
	return strings.Join(strings.Fields(runMark.ReplaceAllString(name, " ")), " "), found[1]
}
