//go:build corpus_motion

package intake_test

import (
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/intake"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/internal/testkit/corpus"
)

func TestRealFilesWouldComeInWithTheRatesMeasuredOfThem(t *testing.T) {
	folder, files := corpus.Motion(t)
	o := newLab(t, store.Options{Data: t.TempDir()}).bring(folder, func(im *intake.Import) { im.Dry = true }).went(t)
	for _, f := range files {
		file, measured := f.File, f.Measured
		c := o.made[file]
		if c.Capture == nil {
			t.Errorf("%s became no capture", file)
			continue
		}
		rate, readable := rateOf(filepath.Ext(file), measured)
		switch {
		case !readable:
			if c.Status != capture.Error || c.Error == nil || len(*c.Error) < 20 || !strings.HasSuffix(*c.Error, ".") {
				t.Errorf("%s cannot be read, but its capture is %+v", file, c)
			}
		case c.Status != capture.Completed || rate != 0 &&
			(c.FPSDetected == nil || math.Abs(*c.FPSDetected-rate) > rate*1e-5):
			t.Errorf("%s: capture %+v, rate measured %v", file, c, rate)
		}
	}
	if o.summary.Captures != 60 {
		t.Errorf("%d captures of 60 files", o.summary.Captures)
	}
}

var (
	measuredRate  = regexp.MustCompile(`(?:rate=|header=|video .*fps=)([0-9.]+)`)
	measuredFrame = regexp.MustCompile(`frametime=([0-9.]+)`)
)

// rateOf gives the rate that was measured of a file, 0 where none was, and
// whether the file can be read at all.
func rateOf(kind, measured string) (rate float64, readable bool) {
	if found := measuredFrame.FindStringSubmatch(measured); found != nil {
		seconds, err := strconv.ParseFloat(found[1], 64)
		return 1 / seconds, err == nil
	}
	if found := measuredRate.FindStringSubmatch(measured); found != nil {
		rate, err := strconv.ParseFloat(found[1], 64)
		return rate, err == nil
	}
	switch strings.ToLower(kind) {
	case ".mp4", ".mov":
		return 0, strings.Contains(measured, "video ")
	case ".mot", ".sto", ".csv": // one of them has no rows, which is odd but can be read
		return 0, true
	}
	return 0, false
}
