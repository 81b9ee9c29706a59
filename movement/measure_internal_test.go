package movement

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/frames"
)

// computedBy is what a jump has when it is computed so.
func computedBy(compute func(*measuring) error, unknown ...string) *frames.Computed {
	rate := 100.0
	rec := &Recording{Info: frames.Info{Rate: &rate, Frames: 100, Unknown: unknown}}
	return measured("jump", "countermovement", rec, compute)
}

// reasonOf is why a column is withheld; "" where it is given.
func reasonOf(c *frames.Computed, column string) (code, message string) {
	for _, w := range c.Withheld {
		if w.Column == column {
			return w.Code, w.Message
		}
	}
	return "", ""
}

func TestAComputationThatFailsGivesNothingAndSaysSo(t *testing.T) {
	for says, compute := range map[string]func(*measuring) error{
		"index out of range": func(m *measuring) error { return errors.New(m.computed.Used.Channels[0]) },
		"the disk is full":   func(*measuring) error { return errors.New("the disk is full") },
		"gave no number": func(m *measuring) error {
			m.metric("jump_height_impulse", byImpulse.ID, math.NaN())
			m.metric("takeoff_velocity", byImpulse.ID, math.Inf(1))
			return nil
		},
	} {
		got := computedBy(compute)
		for _, column := range []string{"jump_height_impulse", "takeoff_velocity"} {
			if code, message := reasonOf(got, column); code != Failed || !strings.Contains(message, says) {
				t.Errorf("%s: %s is withheld for %q: %s", says, column, code, message)
			}
		}
		if len(got.Metrics)+len(got.Events) > 0 {
			t.Errorf("%s: given are %v and %v", says, got.Metrics, got.Events)
		}
	}
}

func TestOneCameraGivesNoEventsAndNoTextsThatNeedADepth(t *testing.T) {
	found := func(m *measuring) error {
		for i := range m.movement.Columns { // by a method that needs one
			c := &m.movement.Columns[i]
			c.Methods = append(c.Methods[:len(c.Methods):len(c.Methods)], Method{ID: "by.depth"})
		}
		m.event("takeoff_frame", "by.depth", 0.5)
		m.text("jump_height_method", "by.depth", "impulse")
		m.metric("jump_flight_time", "by.depth", 0.5)
		return nil
	}
	for _, c := range []struct {
		unknown []string
		code    string
	}{{nil, ""}, {[]string{frames.UnknownDepth}, DepthUnknown}} {
		got := computedBy(func(m *measuring) error {
			own := *m.movement
			own.Columns = append([]Column{}, own.Columns...)
			m.movement = &own
			return found(m)
		}, c.unknown...)
		for _, column := range []string{"takeoff_frame", "jump_height_method", "jump_flight_time"} {
			if code, _ := reasonOf(got, column); code != c.code {
				t.Errorf("where %v is unknown %s is withheld for %q, want %q", c.unknown, column, code, c.code)
			}
		}
	}
}

func TestWhatIsBeingMeasuredIsToldSo(t *testing.T) {
	got := Pending()
	if got.Reason == nil || got.Reason.Code != BeingMeasured || got.Library != Read().Version {
		t.Errorf("it is %+v", got)
	}
}
