package sto

import (
	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/text"
	"github.com/kinebase/kinebase/motion/units"
)

// settleRate finds the rate of the rows: DataRate when their times bear it, else the
// times. Rows that are not evenly spaced keep their times, and have a rate where they
// scatter about one. Times of which nobody can tell what they count give no rate.
func (h *Header) settleRate(r *rows) error {
	stated, ok := text.Number([]byte(h.values["datarate"]))
	ok = ok && record.Usable(stated)
	if !h.countTimes(r, stated, ok) {
		if ok {
			h.Rate = stated
			return nil
		}
		h.Warnings.Add(quality.RateMissing, "The times of the rows do not tell how many there are to a second.")
		return nil
	}
	paces, seconds := r.count-1, r.last-r.first
	measured := record.RateOfTimes(r.times)
	if measured == 0 && h.Frames > 1 {
		h.Warnings.Add(quality.RateMissing, "The times of the rows do not tell how many there are to a second.")
	}
	rec := &record.Recording{Rate: measured, Start: h.Start}
	r.times = record.Uneven(r.times, rec)
	h.Warnings = append(h.Warnings, rec.Warnings...)
	if err := r.order.Restarted(r.times); err != nil {
		return err
	}
	if r.times != nil {
		h.Rate = record.Nominal(r.times)
		return nil
	}
	if measured == 0 {
		return nil
	}
	if ok {
		if record.Holds(stated, paces, seconds) {
			h.Rate = stated
			return nil
		}
		h.Warnings.Add(quality.RateDisagrees,
			"The header's DataRate is %g Hz, but by the times of the rows it is %g Hz, which was used.", stated,
			measured)
	}
	h.Rate = measured
	return nil
}

// countTimes makes seconds of the times of the rows; false where nobody can tell what
// they count, and they become a column.
func (h *Header) countTimes(r *rows, stated float64, ok bool) bool {
	if r.count == 0 {
		return true
	}
	count := record.Count{PerSecond: 1}
	if perSecond, known := units.PerSecond(h.timeIn); known {
		count.PerSecond = perSecond
	} else if ok {
		count = record.CountOf(r.times, stated)
	} else {
		count = record.CountOf(r.times)
	}
	count.Tell(&h.Warnings, "DataRate", h.timeLabel())
	if count.Told == record.Untold {
		h.uncounted, r.times, h.Start = r.times, nil, 0
		return false
	}
	count.Scale(r.times)
	r.first, r.last = r.times[0], r.times[r.count-1]
	h.Start = r.first
	return true
}

// timeLabel is what the column is called that times become of which nobody can tell what
// they count.
func (h *Header) timeLabel() string {
	names, _, _ := label.Distinct(append(h.Columns[:len(h.Columns):len(h.Columns)], "time"), len(h.Columns)+1)
	return names[len(h.Columns)]
}
