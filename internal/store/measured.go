package store

import (
	"encoding/json"
	"reflect"
	"slices"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/job"
)

// measureAgain has a recording measured as what its capture is now. What was found before
// is not given out meanwhile, for it was found by another movement or another rate.
func (r *recording) measureAgain(w *writeTx, session string) {
	r.Info = withoutComputed(r.Info)
	if r.Table == "" {
		return // nothing can be found in it
	}
	r.stale = true
	w.enqueue(job.Job{Work: job.Process, Organization: w.org.String(), Subject: session})
}

// withoutComputed is what is known of a recording without what was found in it.
func withoutComputed(raw []byte) []byte {
	var info frames.Info
	if json.Unmarshal(raw, &info) != nil || info.Computed == nil {
		return raw
	}
	info.Computed = nil
	without, err := json.Marshal(info)
	if err != nil {
		return nil // what cannot be told is read from the file once more
	}
	return without
}

// sameValues says whether the same events and metrics were found in a recording, by
// whichever version of the library.
func sameValues(before, after []byte) bool {
	var a, b frames.Info
	if json.Unmarshal(before, &a) != nil || json.Unmarshal(after, &b) != nil {
		return string(before) == string(after)
	}
	var none frames.Computed
	if a.Computed == nil {
		a.Computed = &none
	}
	if b.Computed == nil {
		b.Computed = &none
	}
	return slices.Equal(a.Computed.Events, b.Computed.Events) &&
		slices.EqualFunc(a.Computed.Metrics, b.Computed.Metrics, func(x, y frames.ComputedMetric) bool { return reflect.DeepEqual(x, y) })
}

// sameMeasure says whether two captures are measured alike.
func sameMeasure(a, b capture.Capture, rateA, rateB float64) bool {
	return sameFolder(a, b) && rateA == rateB
}
