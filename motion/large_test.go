package motion_test

import (
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/recordtest"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
)

func TestANumberThatIsTooLargeForTheUnitItIsConvertedToIsMissingAndWarnedOf(t *testing.T) {
	for name, text := range map[string]string{
		"walk.sto": "walk\nversion=1\nnRows=3\nnColumns=2\ninDegrees=no\nendheader\ntime\tknee_angle_r\n0\t1\n" +
			"0.01\t-6e36\n0.02\t1\n",
		"angles.csv": "time (s),knee (rad),hip (deg)\n0,1,1\n0.01,-6e36,2\n0.02,1,3\n",
		"places.csv": "time (s),A X (mm),A Y (mm),A Z (mm),B X (m),B Y (m),B Z (m)\n0,1,1,1,1,1,1\n" +
			"0.01,2,2,2,1,-6e36,1\n0.02,3,3,3,1,1,1\n",
	} {
		var rec *record.Recording
		recordtest.Read(t, len(text), recordtest.Table, func() (_ *record.Recording, err error) {
			rec, err = motion.Read(name, strings.NewReader(text), int64(len(text)))
			return rec, err
		})
		if rec == nil {
			t.Errorf("%s was not read", name)
			continue
		}
		missing := 0
		for _, c := range append(rec.Angles, rec.Analogs...) {
			for _, v := range c.Values {
				if v != v {
					missing++
				}
			}
		}
		for _, p := range rec.Points {
			for i := range rec.Frames {
				if p.Missing(i) {
					missing++
				}
			}
		}
		if missing != 1 || !rec.Warnings.Has(quality.ValuesNotNumbers) {
			t.Errorf("%s: %d are missing, and it warns of %v", name, missing, rec.Warnings)
		}
	}
}
