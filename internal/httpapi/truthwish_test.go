package httpapi_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// wish is a request for an export, and what it means.
type wish struct {
	body               map[string]any
	start, end         *time.Time
	byChange           bool
	athletes           []*human
	captures           []*take // those that are named; nil for all
	activity, movement string
	metrics            []string
	filter             string
	whole              bool   // a row is a capture
	wrong              string // what has to be named as refused, whatever the captures are
}

// wish makes a request up, as often as not about something that is there.
func (l *lab) wish(r *rand.Rand, labs []*lab) wish {
	w := wish{body: map[string]any{}}
	l.wishTimes(r, &w)
	if r.IntN(3) == 0 {
		ids := []string{}
		for range r.IntN(len(l.people) + 1) {
			p := one(r, l.people...)
			if !slices.Contains(w.athletes, p) {
				w.athletes = append(w.athletes, p)
			}
			ids = append(ids, one(r, p.id, strings.ToUpper(p.id)))
		}
		if other := one(r, labs...); r.IntN(8) == 0 && other != l && w.wrong == "" {
			w.wrong = one(r, other.people...).id
			w.body["athletes"] = append(ids, w.wrong)
			return w // the first thing that is wrong is told, and this is to be it
		}
		w.body["athletes"] = ids
	}
	if len(l.takes) > 0 && r.IntN(3) == 0 {
		ids := []string{}
		for range 1 + r.IntN(2*len(l.takes)) {
			k := one(r, l.takes...)
			if !slices.Contains(w.captures, k) {
				w.captures = append(w.captures, k)
			}
			ids = append(ids, one(r, k.id, " "+k.id))
		}
		if other := one(r, labs...); r.IntN(8) == 0 && other != l && len(other.takes) > 0 && w.wrong == "" {
			w.wrong = one(r, other.takes...).id
			w.body["captures"] = append(ids, w.wrong)
			return w
		}
		w.body["captures"] = ids
	}
	if k := one(r, append(l.takes, &take{activity: "golf", movement: "swing"})...); r.IntN(5) == 0 {
		w.activity, w.movement = strings.ToLower(k.activity), one(r, "", strings.ToLower(k.movement))
		w.body["activity"], w.body["movement"] = one(r, " ", "")+strings.ToUpper(w.activity), w.movement+" "
	}
	if shape := one(r, "", "", "frames", "captures", "captures", "captures"); shape != "" {
		w.body["shape"], w.whole = shape, shape == "captures"
	}
	var parts []part
	names, events := []string{}, []string{"frame", "frame"}
	for _, k := range l.takes {
		if k.recording == nil {
			continue
		}
		p := part{take: k, last: 1, whole: w.whole}
		for _, c := range p.all() {
			names = append(names, c.name)
		}
		for _, e := range k.events {
			events = append(events, e.name)
		}
		parts = append(parts, p)
	}
	setAside(parts)
	if len(parts) > 0 { // what is called otherwise for the sake of another column is wished for as often as all others
		for i, shown := 0, slices.Sorted(maps.Values(parts[0].aside)); len(shown) > 0 && i < len(names); i += 2 {
			names = append(names, one(r, shown...))
		}
	}
	if r.IntN(3) == 0 || len(parts) > 0 && len(parts[0].aside) > 0 && r.IntN(2) == 0 {
		for range r.IntN(min(6, 1+len(names))) {
			if name := one(r, names...); !slices.Contains(w.metrics, name) {
				w.metrics = append(w.metrics, name)
			}
		}
		if r.IntN(10) == 0 {
			w.metrics = append(w.metrics, one(r, "nobody_x", "fps", "frame", "handedness", "frame_count"))
		}
		w.body["metrics"] = append([]string{}, w.metrics...)
	}
	if w.whole {
		if r.IntN(12) == 0 && w.wrong == "" {
			w.body["row_filter_column"], w.wrong = one(r, events...), "row_filter_column chooses among frames"
		}
	} else if r.IntN(2) == 0 {
		w.filter = one(r, events...)
		if r.IntN(10) == 0 {
			w.filter = one(r, append(names, "left_nothing")...)
		}
		w.body["row_filter_column"] = w.filter
	}
	if r.IntN(4) == 0 {
		w.body["metrics"], w.metrics = nil, nil
	}
	return w
}

// wishTimes chooses a range, at the edges of what there is.
func (l *lab) wishTimes(r *rand.Rand, w *wish) {
	if w.byChange = r.IntN(3) == 0; w.byChange || r.IntN(3) == 0 {
		w.body["dateMode"] = map[bool]string{true: "last_modified", false: "capture_time"}[w.byChange]
	}
	edge := func(field string) *time.Time {
		if r.IntN(2) == 0 {
			return nil
		}
		at := noon.Add(time.Duration(r.IntN(4)) * one(r, time.Millisecond, time.Hour, 24*time.Hour))
		if w.byChange {
			at = one(r, l.moments...)
		}
		if day := at.Truncate(24 * time.Hour); r.IntN(8) == 0 && !w.byChange {
			w.body[field] = day.Format(time.DateOnly)
			return &day
		}
		w.body[field] = one[any](r, float64(at.UnixMilli())/1000, at.UnixMilli(), at.Format("2006-01-02T15:04:05.000Z"),
			at.Format("2006-01-02T15:04:05.000"), at.In(time.FixedZone("", -5*3600-1800)).Format(time.RFC3339Nano))
		return &at
	}
	w.start, w.end = edge("startTime"), edge("endTime")
	if w.start != nil && w.end != nil && w.end.Before(*w.start) && r.IntN(4) > 0 {
		w.start, w.end = w.end, w.start
		w.body["startTime"], w.body["endTime"] = w.body["endTime"], w.body["startTime"]
	}
	if w.start != nil && w.end != nil && !w.start.Before(*w.end) {
		w.wrong = "endTime must be after startTime"
	}
}
