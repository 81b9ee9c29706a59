package movement

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/kinebase/kinebase/frames"
)

// Measure finds the events and metrics that the library has for a movement, by the labels
// of its capture as they are compared. Each column has a value or a reason, and where the library
// has no columns of the movement the whole has a reason. A computation that fails, whatever it
// does, withholds what it would have found.
func Measure(activity, name string, rec *Recording) *frames.Computed {
	return versioned(Compute(activity, name, rec))
}

// Compute is Measure without the version of the library.
func Compute(activity, name string, rec *Recording) *frames.Computed {
	return measured(activity, name, rec, computations[Pair{activity, name}])
}

// versioned says by which version of the library a result was found.
func versioned(c *frames.Computed) *frames.Computed {
	c.Library = Read().Version
	return c
}

// measured has the columns of a movement computed.
func measured(activity, name string, rec *Recording, compute func(*measuring) error) *frames.Computed {
	l := library()
	out := &measuring{library: l, movement: l.Find(activity, name), rec: rec, reasons: map[string]*withheld{}}
	out.computed = frames.Computed{
		Reason: l.nothing(activity, name),
		Events: []frames.ComputedEvent{}, Metrics: []frames.ComputedMetric{}, Withheld: []frames.Withheld{},
		Used: frames.Used{Channels: []string{}, Notes: []string{}},
	}
	if out.computed.Reason != nil {
		return &out.computed
	}
	out.run(compute)
	return out.finish()
}

// NotMeasured withholds all columns of a movement, for the computation failed as the message
// says.
func NotMeasured(activity, name, message string) *frames.Computed {
	return versioned(measured(activity, name, nil,
		func(*measuring) error { return &withheld{Failed, "The computation failed. " + message} }))
}

// computations find the columns of a movement. An error of theirs is why all that was not
// found is withheld.
var computations = map[Pair]func(*measuring) error{
	{"agility", "cutting"}:                         (*measuring).cut,
	{"baseball", "hitting"}:                        swing{twoHands: true, step: true}.measure,
	{"baseball", "pitching"}:                       swing{step: true, release: true, stride: true}.measure,
	{"basketball", "free_throw"}:                   shot{}.measure,
	{"basketball", "jump_shot"}:                    shot{jumps: true, plate: true}.measure,
	{"basketball", "layup"}:                        shot{jumps: true}.measure,
	{"golf", "swing"}:                              swing{twoHands: true}.measure,
	{"jump", "broad"}:                              (*measuring).broadJump,
	{"jump", "countermovement"}:                    func(m *measuring) error { return m.jump(withDip) },
	{"jump", "single_leg_broad"}:                   (*measuring).singleLegBroadJump,
	{"jump", "single_leg"}:                         func(m *measuring) error { return m.jump(withDip) },
	{"jump", "squat"}:                              func(m *measuring) error { return m.jump(withoutDip) },
	{"jump", "drop_vertical"}:                      func(m *measuring) error { return m.jump(outOfDrop) },
	{"lunge", "forward"}:                           func(m *measuring) error { return m.lunge("lunge_forward") },
	{"lunge", "side"}:                              func(m *measuring) error { return m.lunge("lunge_side") },
	{"range_of_motion", "ankle_flexion"}:           withAngle("ankle_flexion", (*measuring).ankleFlexion),
	{"range_of_motion", "cervical_rotation"}:       withAngle("cervical_rotation", (*measuring).neckRotation),
	{"range_of_motion", "shoulder_flexion"}:        withAngle("shoulder_flexion", (*measuring).shoulderFlexion),
	{"range_of_motion", "t_spine_rotation"}:        withAngle("t_spine_rotation", (*measuring).trunkRotation),
	{"range_of_motion", "sfma_shoulder_extension"}: withAngle("sfma_shoulder_extension", nil),
	{"range_of_motion", "sfma_shoulder_flexion"}:   withAngle("sfma_shoulder_flexion", nil),
	{"range_of_motion", "shoulder_9090"}:           withAngle("shoulder_9090", nil),
	{"softball", "hitting"}:                        swing{twoHands: true, step: true}.measure,
	{"softball", "pitching"}:                       swing{step: true, release: true, stride: true}.measure,
	{"squat", "bodyweight"}:                        (*measuring).squat,
	{"squat", "overhead"}:                          (*measuring).squat,
	{"squat", "single_leg"}:                        (*measuring).squat,
	{"stability", "plank"}:                         (*measuring).plank,
	{"stability", "y_balance_lower_quarter"}:       leg.measure,
	{"stability", "y_balance_upper_quarter"}:       arm.measure,
	{"stability", "rotary"}:                        (*measuring).rotary,
	{"stability", "single_leg_stance"}:             (*measuring).sway,
	{"tennis", "backhand"}:                         swing{backwards: true}.measure,
	{"tennis", "forehand"}:                         swing{}.measure,
	{"tennis", "overhand_serve"}:                   swing{}.measure,
	{"tennis", "underhand_serve"}:                  swing{}.measure,
	{"track_and_field", "discus"}:                  swing{release: true}.measure,
	{"track_and_field", "shot_put"}:                swing{release: true}.measure,
}

// measuring is one recording that is being measured.
type measuring struct {
	library  *Library
	movement *Movement
	rec      *Recording
	computed frames.Computed
	reasons  map[string]*withheld // of columns
	rest     *withheld            // of all others without a value
	body     *body                // nil where no points of a body were needed
	flown    *[2]float64          // from when to when the feet were in the air, in s; nil where they did not tell
}

// run computes, and withholds what is left when it fails.
func (m *measuring) run(compute func(*measuring) error) {
	defer func() {
		if r := recover(); r != nil {
			m.rest = &withheld{Failed, fmt.Sprintf("The computation failed: %v.", r)}
		}
	}()
	err := compute(m)
	if err != nil && !errors.As(err, &m.rest) {
		m.rest = &withheld{Failed, fmt.Sprintf("The computation failed: %v.", err)}
	}
}

// method is that of a column by which a value was found.
func (m *measuring) method(column, id string) (*Column, Method) {
	c := m.movement.Column(column)
	if c == nil {
		panic("the library has no column " + column + " of " + m.movement.Title)
	}
	at := slices.IndexFunc(c.Methods, func(method Method) bool { return method.ID == id })
	if at < 0 {
		panic("the library has no method " + id + " of " + column)
	}
	return c, c.Methods[at]
}

// event keeps a moment, in seconds on the clock of the recording.
func (m *measuring) event(column, method string, time float64) {
	_, by := m.method(column, method)
	if why := m.unseen(by, ""); why != nil {
		m.withhold(column, why.code, "%s", why.message)
		return
	}
	info := m.rec.Info
	frame := int(math.Round((time - info.Start) * *info.Rate))
	frame = max(0, min(info.Frames-1, frame))
	m.computed.Events = append(m.computed.Events,
		frames.ComputedEvent{Column: column, Frame: frame, Time: time, Method: by.ID, Version: by.Version})
}

// metric keeps a number, or withholds it where it cannot be.
func (m *measuring) metric(column, method string, value float64) {
	c, by := m.method(column, method)
	why := m.unseen(by, c.Unit)
	switch {
	case why != nil:
		m.withhold(column, why.code, "%s", why.message)
	case math.IsNaN(value) || math.IsInf(value, 0):
		m.withhold(column, Failed, "The computation gave no number.")
	case c.Plausible != nil && (value < c.Plausible[0] || value > c.Plausible[1]):
		m.withhold(column, Implausible, "%.4g %s is outside of what people can do, %g to %g.", value, c.Unit,
			c.Plausible[0], c.Plausible[1])
	default:
		m.computed.Metrics = append(m.computed.Metrics,
			frames.ComputedMetric{Column: column, Value: &value, Unit: c.Unit, Method: by.ID, Version: by.Version})
	}
}

// text keeps a text.
func (m *measuring) text(column, method, text string) {
	_, by := m.method(column, method)
	if why := m.unseen(by, ""); why != nil {
		m.withhold(column, why.code, "%s", why.message)
		return
	}
	m.computed.Metrics = append(m.computed.Metrics, frames.ComputedMetric{Column: column, Text: &text, Method: by.ID,
		Version: by.Version})
}

// withhold says why a column has no value. The first reason counts.
func (m *measuring) withhold(column, code, format string, args ...any) {
	if m.movement.Column(column) == nil {
		panic("the library has no column " + column + " of " + m.movement.Title)
	}
	if m.reasons[column] == nil {
		m.reasons[column] = &withheld{code, fmt.Sprintf(format, args...)}
	}
}

// withholdAll says it of every column that some method alone finds.
func (m *measuring) withholdAll(method string, code, format string, args ...any) {
	for i := range m.movement.Columns {
		if c := &m.movement.Columns[i]; !slices.ContainsFunc(c.Methods,
			func(by Method) bool { return by.ID != method }) {
			m.withhold(c.Name, code, format, args...)
		}
	}
}

func (m *measuring) note(format string, args ...any) {
	m.computed.Used.Notes = append(m.computed.Used.Notes, fmt.Sprintf(format, args...))
}

// has says whether a column has a value.
func (m *measuring) has(column string) bool {
	return slices.ContainsFunc(m.computed.Events, func(e frames.ComputedEvent) bool { return e.Column == column }) ||
		slices.ContainsFunc(m.computed.Metrics, func(v frames.ComputedMetric) bool { return v.Column == column })
}

// finish puts all in order and gives every column without a value its reason.
func (m *measuring) finish() *frames.Computed {
	c := &m.computed
	if m.body != nil {
		c.Used.MarkerSet, c.Used.Landmarks, c.Used.Up = m.body.set.Name, m.body.points(), m.body.up.axis()
	}
	slices.SortStableFunc(c.Events, func(a, b frames.ComputedEvent) int { return cmp.Compare(a.Time, b.Time) })
	place := func(name string) int {
		return slices.IndexFunc(m.movement.Columns, func(c Column) bool { return c.Name == name })
	}
	slices.SortFunc(c.Metrics,
		func(a, b frames.ComputedMetric) int { return cmp.Compare(place(a.Column), place(b.Column)) })
	for i := range m.movement.Columns {
		name := m.movement.Columns[i].Name
		if m.has(name) {
			continue
		}
		why := m.reasons[name]
		if why == nil {
			why = m.rest
		}
		if why == nil {
			why = &withheld{EventMissing, "What it rests on was not found."}
		}
		c.Withheld = append(c.Withheld, frames.Withheld{Column: name, Code: why.code, Message: why.message})
	}
	return c
}
