package httpapi_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kinebase/kinebase/capture"
)

// The reference: what an export ought to have, by what docs/export.md says of it.

// part is a capture for one athlete, or for nobody, and the frames that are wanted.
type part struct {
	*take
	who         *human
	first, last int               // half-open
	aside       map[string]string // what columns are called that have the name of an event
}

// shown is what a column of the recording that is no event is called in the rows.
func (p part) shown(name string) string { return cmp.Or(p.aside[name], name) }

func (p part) gone() bool { return p.take.gone || p.who != nil && p.who.gone }

// first are the columns before a capture's own.
var first = strings.Fields("sessionid session_uuid session_seq athleteid athlete_name orgid activity movement capture_datetime fps frame time")

// distinct gives each of the names that another has a number, from 2.
func distinct(taken, names []string) []string {
	had := map[string]bool{}
	for _, name := range taken {
		had[name] = true
	}
	var all []string
	for _, name := range names {
		own := name
		for n := 2; had[own] || own != name && slices.Contains(names, own); n++ {
			own = name + "_" + strconv.Itoa(n)
		}
		had[own], all = true, append(all, own)
	}
	return all
}

// settle names the columns and the events, those outside the recording left out.
func (rec *recording) settle(events []column) {
	events = slices.DeleteFunc(events, func(e column) bool { return e.at < 0 || e.at >= rec.frames })
	slices.SortStableFunc(events, func(a, b column) int { return cmp.Compare(a.at, b.at) })
	taken := slices.Clone(first)
	for _, pair := range capture.Pairs() {
		taken = append(taken, capture.Dimensions(pair[0], pair[1])...)
	}
	name := func(columns []column) {
		var names []string
		for _, c := range columns {
			names = append(names, c.name)
		}
		for i, name := range distinct(taken, names) {
			columns[i].name = name
			taken = append(taken, name)
		}
	}
	bare := taken
	name(events)
	taken = bare // an event is called so whatever the other columns are called
	name(rec.columns)
	name(rec.metrics)
	rec.events = events
}

// chosen gives the parts that a wish is about, in their order, what is to be left out,
// and what of the wish has to be refused.
func (l *lab) chosen(w wish) (parts []part, skipped map[string]bool, wrong string) {
	skipped = map[string]bool{}
	takes := slices.Clone(l.takes)
	slices.SortFunc(takes, func(a, b *take) int {
		if (a.captured == nil) != (b.captured == nil) {
			return map[bool]int{true: 1, false: -1}[a.captured == nil]
		}
		if a.captured != nil && !a.captured.Equal(*b.captured) {
			return b.captured.Compare(*a.captured)
		}
		return cmp.Compare(a.id, b.id)
	})
	has, matching := map[string]bool{}, false
	visit := func(k *take, who *human) {
		at := k.captured
		if w.byChange {
			at = &l.moments[k.changed]
		}
		if !k.completed || (w.start != nil || w.end != nil) && at == nil || w.start != nil && at.Before(*w.start) || w.end != nil && !at.Before(*w.end) ||
			w.activity != "" && w.activity != strings.ToLower(k.activity) || w.movement != "" && w.movement != strings.ToLower(k.movement) {
			return
		}
		matching = true
		if k.recording == nil {
			skipped[k.id] = true
			return
		}
		p := part{k, who, 0, k.frames, nil}
		found := w.filter == "" || w.filter == "frame"
		if w.filter == "frame" {
			p.last = 1
		}
		for _, c := range slices.Concat(k.columns, k.metrics) {
			has["metrics "+c.name] = true
		}
		for _, e := range k.events {
			has["metrics "+e.name], has["row_filter_column "+e.name] = true, true
			if e.name == w.filter {
				p.first, p.last, found = e.at, e.at+1, true
			}
		}
		if found {
			parts = append(parts, p)
		} else {
			skipped[k.id] = true
		}
	}
	for _, p := range w.athletes {
		for _, k := range takes {
			if slices.Contains(k.people, p) {
				visit(k, p)
			}
		}
	}
	for _, k := range takes {
		if people := slices.SortedFunc(slices.Values(k.people), func(a, b *human) int { return cmp.Compare(a.id, b.id) }); len(w.athletes) == 0 {
			for _, p := range people {
				visit(k, p)
			}
			if len(people) == 0 {
				visit(k, nil)
			}
		}
	}
	for _, m := range w.metrics {
		if !has["metrics "+m] {
			wrong = "metrics"
		}
	}
	if w.filter != "" && w.filter != "frame" && !has["row_filter_column "+w.filter] {
		wrong = "row_filter_column"
	}
	if !matching {
		wrong = ""
	}
	if w.wrong != "" {
		wrong = w.wrong
	}
	setAside(parts)
	return parts, skipped, wrong
}

// setAside finds names for columns that are called like an event of any of the parts.
func setAside(parts []part) {
	columns, events := map[string]bool{}, map[string]bool{}
	for _, p := range parts {
		for _, c := range slices.Concat(p.columns, p.metrics) {
			columns[c.name] = true
		}
		for _, e := range p.events {
			events[e.name] = true
		}
	}
	aside := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(columns)) {
		for n := 2; events[name] && aside[name] == ""; n++ {
			if free := name + "_" + strconv.Itoa(n); !columns[free] && !events[free] && !slices.Contains(slices.Collect(maps.Values(aside)), free) {
				aside[name] = free
			}
		}
	}
	for i := range parts {
		parts[i].aside = aside
	}
}

// ownColumns are the columns of the captures, in the order in which they come first.
func ownColumns(parts []part, metrics []string) (names []string) {
	is := func(list []column, name string) bool {
		return slices.ContainsFunc(list, func(c column) bool { return c.name == name })
	}
	seen := map[string]bool{}
	for _, p := range parts {
		for _, c := range slices.Concat(p.columns, p.events, p.metrics) {
			if seen[c.name] {
				continue
			}
			seen[c.name] = true
			if slices.ContainsFunc(parts, func(p part) bool { return is(p.events, c.name) }) {
				names = append(names, c.name)
			}
			if slices.ContainsFunc(parts, func(p part) bool { return is(p.columns, c.name) || is(p.metrics, c.name) }) {
				names = append(names, p.shown(c.name))
			}
		}
	}
	if len(metrics) > 0 {
		return slices.DeleteFunc(slices.Clone(metrics), func(name string) bool { return !slices.Contains(names, name) })
	}
	return names
}

// header gives the columns of the parts: the dimensions that they have, and those of
// their own columns that some of them have.
func header(parts []part, order []string) []string {
	dimensions := map[string]bool{}
	for _, p := range parts {
		for d := range p.dimensions {
			dimensions[d] = true
		}
	}
	there := ownColumns(parts, nil)
	own := slices.DeleteFunc(slices.Clone(order), func(name string) bool { return !slices.Contains(there, name) })
	return slices.Concat(first[:8], slices.Sorted(maps.Keys(dimensions)), first[8:], own)
}

// rows gives the rows of a part; what is not there is missing.
func (p part) rows(org string) (rows []map[string]any) {
	for f := p.first; f < p.last; f++ {
		row := map[string]any{"sessionid": p.id, "orgid": org, "frame": int64(f)}
		if group, n, ok := strings.Cut(p.id, "_"); ok && len(group) == 36 {
			seq, _ := strconv.ParseInt(n, 10, 64)
			row["session_uuid"], row["session_seq"] = group, seq
		}
		if p.who != nil {
			row["athleteid"], row["athlete_name"] = p.who.id, p.who.name
		}
		if p.activity != "" {
			row["activity"], row["movement"] = p.activity, p.movement
		}
		for d, v := range p.dimensions {
			row[d] = v
		}
		if p.captured != nil {
			row["capture_datetime"] = p.captured.Format("2006-01-02T15:04:05.000Z")
		}
		switch rate := p.recording.rate; {
		case p.rate > 0 && p.times == nil:
			row["fps"], row["time"] = p.rate, p.start*(rate/p.rate)+float64(f)/p.rate
		case p.rate > 0:
			row["fps"], row["time"] = p.rate, p.start+float64(f)/p.rate
		case p.times != nil:
			row["fps"], row["time"] = rate, p.times[f]
		default:
			row["fps"], row["time"] = rate, p.start+float64(f)/rate
		}
		for _, c := range slices.Concat(p.columns, p.metrics) {
			if v := c.values[f]; v-v == 0 {
				row[p.shown(c.name)] = v
			}
		}
		for _, e := range p.events {
			row[e.name] = int64(f - e.at)
		}
		rows = append(rows, row)
	}
	return rows
}

// cell is a value as text has it.
func cell(v any) string {
	form := func(v float64, bits int) string {
		if a := max(v, -v); a != 0 && (a < 1e-6 || a >= 1e21) {
			return strconv.FormatFloat(v, 'e', -1, bits)
		}
		return strconv.FormatFloat(v, 'f', -1, bits)
	}
	switch v := v.(type) {
	case nil:
		return ""
	case float32:
		return form(float64(v), 32)
	case float64:
		return form(v, 64)
	}
	return fmt.Sprint(v)
}
