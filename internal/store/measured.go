package store

import (
	"encoding/json"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/upload"
)

// measureAgain has a recording measured as what its capture is now. What was found before
// is not given out meanwhile, for it was found by another movement or another rate.
func (r *recording) measureAgain(w *writeTx, session string) {
	if r.learn(withoutComputed(r.Info)); r.Info == nil {
		return // it was not read yet
	}
	r.stale = true
	w.Enqueue(job.Job{Work: job.Process, Organization: w.Org.String(), Subject: session})
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
	return len(a.Computed.Differences(b.Computed)) == 0
}

// sameMeasure says whether two captures are measured alike.
func sameMeasure(a, b capture.Capture, rateA, rateB float64) bool {
	return sameFolder(a, b) && upload.MeasuredAs(a, rateA) == upload.MeasuredAs(b, rateB)
}
