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
	first, last int               // half-open; of one frame where a row is a capture
	whole       bool              // a row is a capture
	aside       map[called]string // what columns are called that another has the name of
}

// called is a kind of column, one of kinds, and its name where no other has it.
type called struct{ kind, name string }

// kinds are those of columns, in the order in which they get a name.
var kinds = []string{"event", "moment", "number", "text"}

// shown is what a column of the recording is called in the rows.
func (p part) shown(kind, name string) string { return cmp.Or(p.aside[called{kind, name}], name) }

// all gives the columns of the recording that rows have, in their order.
func (p part) all() (list []called) {
	if !p.whole {
		for _, c := range p.columns {
			list = append(list, called{"number", c.name})
		}
	}
	for _, e := range p.events {
		if list = append(list, called{"event", e.name}); p.whole {
			list = append(list, called{"moment", e.name + "_time"})
		}
	}
	for _, m := range p.metrics {
		list = append(list, m.called())
	}
	return list
}

func (m metric) called() called {
	if _, text := m.value.(string); text {
		return called{"text", m.name}
	}
	return called{"number", m.name}
}

func (p part) gone() bool { return p.take.gone || p.who != nil && p.who.gone }

// first are the columns before a capture's own, and extent those that rows of captures have
// behind them.
var (
	first = strings.Fields("sessionid session_uuid session_seq athleteid athlete_name orgid activity movement " +
		"capture_datetime fps frame time")
	extent = strings.Fields("frame_count recording_duration")
)

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
func (rec *recording) settle(events []event) {
	events = slices.DeleteFunc(events, func(e event) bool { return e.at < 0 || e.at >= rec.frames })
	slices.SortStableFunc(events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	taken := slices.Clone(first)
	for _, pair := range capture.Pairs() {
		taken = append(taken, capture.Dimensions(pair[0], pair[1])...)
	}
	name := func(n int, at func(i int) *string) {
		var names []string
		for i := range n {
			names = append(names, *at(i))
		}
		for i, name := range distinct(taken, names) {
			*at(i) = name
			taken = append(taken, name)
		}
	}
	bare := taken
	name(len(events), func(i int) *string { return &events[i].name })
	taken = bare // an event is called so whatever the other columns are called
	name(len(rec.columns), func(i int) *string { return &rec.columns[i].name })
	name(len(rec.metrics), func(i int) *string { return &rec.metrics[i].name })
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
		if w.captures != nil && !slices.Contains(w.captures, k) {
			return
		}
		if !k.completed || (w.start != nil || w.end != nil) && at == nil || w.start != nil && at.Before(*w.start) ||
			w.end != nil && !at.Before(*w.end) ||
			w.activity != "" && w.activity != strings.ToLower(k.activity) || w.movement != "" &&
			w.movement != strings.ToLower(k.movement) {
			return
		}
		matching = true
		if k.recording == nil {
			skipped[k.id] = true
			return
		}
		p := part{k, who, 0, k.frames, w.whole, nil}
		found := w.filter == "" || w.filter == "frame"
		if w.filter == "frame" || w.whole {
			p.last = 1
		}
		for _, c := range p.all() {
			has["metrics "+c.name] = true
		}
		for _, e := range k.events {
			has["row_filter_column "+e.name] = true
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
		if people := slices.SortedFunc(slices.Values(k.people),
			func(a, b *human) int { return cmp.Compare(a.id, b.id) }); len(w.athletes) == 0 {
			for _, p := range people {
				visit(k, p)
			}
			if len(people) == 0 {
				visit(k, nil)
			}
		}
	}
	for _, k := range w.captures { // each that is named is told of
		if !slices.ContainsFunc(parts, func(p part) bool { return p.take == k }) {
			skipped[k.id] = true
		}
	}
	setAside(parts)
	if len(parts) > 0 {
		for _, shown := range parts[0].aside {
			has["metrics "+shown] = true
		}
	}
	for _, m := range w.metrics {
		if !has["metrics "+m] || w.whole && slices.Contains(extent, m) {
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
	return parts, skipped, wrong
}

// setAside finds names for columns whose name another kind of column of any of the parts has.
func setAside(parts []part) {
	plain, of := map[string]bool{}, map[string][]string{}
	for _, p := range parts {
		for _, c := range p.all() {
			plain[c.name] = true
			if !slices.Contains(of[c.kind], c.name) {
				of[c.kind] = append(of[c.kind], c.name)
			}
		}
	}
	aside, taken := map[called]string{}, map[string]bool{}
	for _, name := range extent {
		taken[name] = len(parts) > 0 && parts[0].whole
	}
	for _, kind := range kinds {
		for _, name := range slices.Sorted(slices.Values(of[kind])) {
			shown := name
			for n := 2; taken[shown] || shown != name && plain[shown]; n++ {
				shown = name + "_" + strconv.Itoa(n)
			}
			if taken[shown] = true; shown != name {
				aside[called{kind, name}] = shown
			}
		}
	}
	for i := range parts {
		parts[i].aside = aside
	}
}

// ownColumns are the columns of the captures, in the order in which they come first: those of
// one name, and the time of an event of that name, beside each other.
func ownColumns(parts []part, metrics []string) (names []string) {
	has, order := map[called]bool{}, []string{}
	for _, p := range parts {
		for _, c := range p.all() {
			if has[c] = true; c.kind != "moment" && !slices.Contains(order, c.name) {
				order = append(order, c.name)
			}
		}
	}
	for _, name := range order {
		for _, c := range []called{{"event", name}, {"moment", name + "_time"}, {"number", name}, {"text", name}} {
			if event := (called{"event", name}); has[c] && (c.kind != "moment" || has[event]) {
				names = append(names, parts[0].shown(c.kind, c.name))
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
func (res *result) header() []string {
	dimensions := map[string]bool{}
	for _, p := range res.parts {
		for d := range p.dimensions {
			dimensions[d] = true
		}
	}
	there := ownColumns(res.parts, nil)
	own := slices.DeleteFunc(slices.Clone(res.names), func(name string) bool { return !slices.Contains(there, name) })
	behind := first[8:]
	if res.wish.whole {
		behind = slices.Concat(behind, extent)
	}
	return slices.Concat(first[:8], slices.Sorted(maps.Keys(dimensions)), behind, own)
}

// rows gives the rows of a part; what is not there is missing.
func (p part) rows(org string) (rows []map[string]any) {
	for f := p.first; f < p.last; f++ {
		row := map[string]any{"sessionid": p.id, "orgid": org}
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
		row["fps"], row["frame"], row["time"] = cmp.Or(p.rate, p.recording.rate), int64(f), p.time(f)
		if p.whole {
			row["frame_count"], row["recording_duration"] = int64(p.frames), p.motion.Duration
		}
		for _, m := range p.metrics {
			row[p.shown(m.called().kind, m.name)] = m.value
		}
		for _, e := range p.events {
			if p.whole {
				row[p.shown("event", e.name)], row[p.shown("moment", e.name+"_time")] = int64(e.at), e.time
			} else {
				row[p.shown("event", e.name)] = int64(f - e.at)
			}
		}
		if !p.whole {
			for _, c := range p.columns {
				if v := c.values[f]; v-v == 0 {
					row[p.shown("number", c.name)] = v
				}
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// time is the time of a frame in seconds.
func (p part) time(f int) float64 {
	switch rate := p.recording.rate; {
	case p.rate > 0 && p.times == nil:
		return p.start*(rate/p.rate) + float64(f)/p.rate
	case p.rate > 0:
		return p.start + float64(f)/p.rate
	case p.times != nil:
		return p.times[f]
	default:
		return p.start + float64(f)/rate
	}
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
