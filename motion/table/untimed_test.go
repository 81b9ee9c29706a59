package table_test

import (
	"fmt"
	"testing"

	"github.com/kinebase/kinebase/motion/quality"
)

// TestFirstFramesOfALongTableMayHaveNoTime leaves the times of the first frames out of a long table:
// they are frames, before the first that has one, and told.
func TestFirstFramesOfALongTableMayHaveNoTime(t *testing.T) {
	for untimed := range 4 {
		text := "Frame,Time,keypoint,x\n"
		for i := range 8 {
			at := ""
			if i >= untimed {
				at = fmt.Sprintf("%.2f", 1+float64(i)/100)
			}
			text += fmt.Sprintf("%[1]d,%[2]s,nose,%[3]d\n%[1]d,%[2]s,tail,%[4]d\n", i+1, at, 7*i, 9*i)
		}
		rec := whole(t, text)
		if rec.Frames != 8 || rec.Rate != 100 || len(rec.Analogs) != 2 || rec.Analogs[1].Values[5] != 45 ||
			rec.Start < 0.9999 || rec.Start > 1.0001 || rec.Warnings.Has(quality.TimesMissing) != (untimed > 0) {
			t.Errorf("%d without a time: %d frames at %v Hz from %v s, %v", untimed, rec.Frames, rec.Rate, rec.Start,
				rec.Warnings)
		}
	}
}
