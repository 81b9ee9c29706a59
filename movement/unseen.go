package movement

import (
	"slices"
	"strings"

	"github.com/kinebase/kinebase/frames"
)

// upAndDown are the methods that look at how high something is alone. One camera shows that, as
// far as it is known how large things are.
var upAndDown = []string{"squat.pelvis", "squat.markers", "jump.pelvis"}

// unseen is why a value is not given of a recording that does not know the depth or the scale of
// its points, as that of one camera; nil where the method does without. Forces and pressures are
// measured otherwise.
func (m *measuring) unseen(by Method, unit string) *withheld {
	unknown := func(what string) bool { return m.rec != nil && slices.Contains(m.rec.Info.Unknown, what) }
	switch {
	case strings.HasPrefix(by.ID, "jump.force.") || strings.HasPrefix(by.ID, "stance.pressure"):
		return nil
	case unknown(frames.UnknownDepth) && !slices.Contains(upAndDown, by.ID):
		return reason(DepthUnknown, "One camera does not show how far away things are, which this needs.")
	case unknown(frames.UnknownScale) && strings.HasPrefix(unit, "m"):
		return reason(ScaleUnknown,
			"It is not known how large the person is, which this needs: enter the athlete's height and send the "+
				"video again.")
	}
	return nil
}
