package table

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/motion/quality"
)

func TestARowThatCountsTheSamplesIsNoFrame(t *testing.T) {
	rows := func(from, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "%g,%d,%d\n", float64(from+i)/500, n-i, i%5)
		}
		return b.String()
	}
	for name, c := range map[string]struct {
		text   string
		frames int // 0 where it is refused
	}{
		"below the names":   {"sec,CH1,CH2\n,40,40\n" + rows(0, 40), 0},
		"with a known time": {"time,CH1,CH2\n,40,40\n" + rows(0, 40), 0},
		"below other lines": {"a.acq\n2 msec/sample\n2 channels\nECG\nmV\nForce\nN\nmin,CH1,CH2\n,40,40\n" +
			rows(0, 40), 0},
		"another number":        {"time,CH1,CH2\n,39,40\n" + rows(0, 40), 41},
		"a first row of values": {"time,CH1,CH2\n,0.5,0.25\n" + rows(0, 40), 41},
		"a countdown":           {"time,CH1\n0,3\n1,2\n2,1\n3,0\n", 4},
	} {
		got, err := Read(strings.NewReader(c.text), int64(len(c.text)))
		var u *quality.Unreadable
		switch {
		case c.frames == 0 && (!errors.As(err, &u) || !strings.Contains(u.Reason, "counts samples")):
			t.Errorf("%s: it is read with %+v, %v", name, got, err)
		case c.frames > 0 && (err != nil || got.Frames != c.frames):
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}
