package c3d

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/motion/quality"
)

// layout is one reading of where the frames lie and how large each is.
type layout struct {
	points int   // points in a frame
	analog int   // analog samples in a frame, all channels together
	per    int   // samples of each channel in a frame, as the place has it that counts them so
	real   bool  // 4-byte floating point, else 2-byte integers
	start  int64 // byte of the first frame
}

// frameSize is the number of bytes of a frame: four numbers for a point (x, y, z,
// and residual with cameras), one for an analog sample.
func (l layout) frameSize() int64 {
	width := int64(2)
	if l.real {
		width = 4
	}
	return (4*int64(l.points) + int64(l.analog)) * width
}

// held is how many whole frames a file of this size has room for. The last block
// is padded, so a few of small frames may be padding.
func (l layout) held(size int64) int64 {
	if l.frameSize() == 0 || l.start >= size {
		return 0
	}
	return (size - l.start) / l.frameSize()
}

// fits says whether that many frames end where the file ends, give or take the
// padding of the last block.
func (l layout) fits(frames, size int64) bool {
	left := size - l.start - frames*l.frameSize()
	return frames > 0 && frames <= l.held(size) && left <= block
}

// claim is a number of frames that some place in the file states.
type claim struct {
	where  string
	frames int64
}

// claims collects what the file says about its number of frames, in the order in
// which it is believed.
func (h *Header) claims() []claim {
	var all []claim
	add := func(where string, frames int64, ok bool) {
		// 2^40 frames would be no file of this world; it keeps products in range.
		if ok && frames > 0 && frames < 1<<40 {
			all = append(all, claim{where, frames})
		}
	}
	add("the header", int64(h.raw.last)-int64(h.raw.first)+1, true)
	first, ok1 := h.Parameter("TRIAL", "ACTUAL_START_FIELD").LongCount()
	last, ok2 := h.Parameter("TRIAL", "ACTUAL_END_FIELD").LongCount()
	add("TRIAL:ACTUAL_END_FIELD", last-first+1, ok1 && ok2)
	long, ok := h.Parameter("POINT", "LONG_FRAMES").Count()
	add("POINT:LONG_FRAMES", long, ok)
	short, ok := h.Parameter("POINT", "FRAMES").Count()
	add("POINT:FRAMES", short, ok)
	return all
}

// layouts lists the readings that header and parameters allow, the header's own
// first. They are few: each disagreement doubles them.
func (h *Header) layouts() []layout {
	base := layout{
		points: int(h.raw.points), analog: int(h.raw.analog), per: int(h.raw.perFrame), real: h.raw.scale < 0,
		start: h.dataStarts()[0],
	}
	all := []layout{base}
	vary := func(differs bool, change func(*layout)) {
		if !differs {
			return
		}
		for _, l := range all[:len(all):len(all)] {
			change(&l)
			all = append(all, l)
		}
	}
	if n, ok := h.Parameter("POINT", "USED").Count(); ok && n <= 1<<16 {
		vary(int(n) != base.points, func(l *layout) { l.points = int(n) })
	}
	for _, l := range all[:len(all):len(all)] {
		for _, count := range h.samples() {
			l.analog, l.per = count.samples, count.per
			all = append(all, l)
		}
	}
	if scale := h.Parameter("POINT", "SCALE"); scale.Len() > 0 && scale.Type == Real {
		vary((scale.number(0) < 0) != base.real, func(l *layout) { l.real = !l.real })
	}
	if starts := h.dataStarts(); len(starts) > 1 {
		vary(true, func(l *layout) { l.start = starts[1] })
	}
	return all
}

// dataStarts gives the bytes at which the data may begin: the header's pointer,
// then the one among the parameters; where neither is set, the block after the
// parameters.
func (h *Header) dataStarts() []int64 {
	var starts []int64
	if h.raw.data > 1 {
		starts = append(starts, int64(h.raw.data-1)*block)
	}
	if n, ok := h.Parameter("POINT", "DATA_START").Count(); ok && n > 1 && n <= 1<<16 {
		if at := (n - 1) * block; len(starts) == 0 || at != starts[0] {
			starts = append(starts, at)
		}
	}
	if len(starts) == 0 {
		starts = append(starts, (h.parametersEnd+block-1)/block*block)
	}
	return starts
}

// settle decides how the frames lie and how many there are. Header before
// parameters, and the length of the file decides: the first reading under
// which some stated count ends where the file ends is the right one. When none
// does, the file was cut or something was appended, and the header's reading
// stands, bounded by what is really there.
//
// Where the frames are few, several readings end in the last block. Then the first
// is right behind whose frames the block is filled up with zeros.
func (h *Header) settle(r io.ReaderAt, size int64) (layout, int64, error) {
	claims, layouts := h.claims(), h.layouts()
	l, frames, err := h.judge(r, size, layouts, claims)
	if err != nil {
		return l, 0, err
	}
	if frames > 0 {
		h.compare(l, claims, frames)
		return l, frames, nil
	}
	l = layouts[0]
	held := l.held(size)
	if held == 0 {
		return l, 0, h.nothing(l, claims, size)
	}
	if err := h.undecided(layouts); err != nil {
		return l, 0, err
	}
	frames = held
	for _, c := range deliberate(claims) {
		if c.frames <= held {
			frames = c.frames
			break
		}
	}
	switch {
	case len(claims) == 0:
		if frames, err = unpadded(r, l, held); err != nil {
			return l, 0, err
		}
		h.Warnings.Add(quality.FramesDisagree,
			"No place in the file states the number of frames; by its length there are %s.", quality.Thousands(frames))
	case deliberate(claims)[0].frames > held && frames == held:
		h.Warnings.Add(quality.CutShort, "The file announces %s frames but ends after %s.",
			quality.Thousands(deliberate(claims)[0].frames), quality.Thousands(held))
	case h.raw.last == 1<<16-1 && frames == claims[0].frames:
		// The 16-bit counter stopped at its end and nothing else goes on counting.
		if frames, err = unpadded(r, l, held); err != nil {
			return l, 0, err
		}
		h.Warnings.Add(quality.FramesDisagree,
			"The header can count no further than frame 65,535; by its length the file holds %s frames.",
			quality.Thousands(frames))
	default:
		left := size - l.start - frames*l.frameSize()
		h.Warnings.Add(quality.BytesLeftOver, "After the %s frames of %s bytes there are %s more bytes in the file.",
			quality.Thousands(frames), quality.Thousands(l.frameSize()), quality.Thousands(left))
	}
	h.compare(l, claims, frames)
	return l, frames, nil
}

// deliberate leaves out the 16-bit counts that wrapped or stopped at their end,
// as another count tells: what is beyond 16 bits is only ever said on purpose.
func deliberate(claims []claim) []claim {
	for _, long := range claims {
		if long.frames >= 1<<16 {
			return slices.DeleteFunc(slices.Clone(claims), func(c claim) bool { return c.short(long.frames) })
		}
	}
	return claims
}

// short says whether a count is what 16 bits keep of a larger number.
func (c claim) short(frames int64) bool {
	return frames >= 1<<16 && (c.frames == frames&(1<<16-1) || c.frames == 1<<16-1)
}

// nothing explains why there is no frame at all.
func (h *Header) nothing(l layout, claims []claim, size int64) error {
	announced := "its first frame"
	if len(claims) > 0 {
		announced = "the first of the " + quality.Thousands(claims[0].frames) + " frames that it announces"
	}
	switch {
	case l.frameSize() == 0:
		return &quality.Unreadable{Reason: "The file holds neither points nor analog channels",
			Hint: quality.ExportAgain}
	case size <= l.start:
		return &quality.Unreadable{
			Reason: fmt.Sprintf("The file ends before %s, which should begin at byte %s", announced,
				quality.Thousands(l.start)),
			Offset: size, Hint: quality.CopyAgain,
		}
	default:
		return &quality.Unreadable{Reason: "The file ends within " + announced, Offset: size, Hint: quality.CopyAgain}
	}
}

// compare notes what disagrees with the reading that was chosen.
func (h *Header) compare(l layout, claims []claim, frames int64) {
	if h.raw.scale < 0 != l.real {
		h.Warnings.Add(quality.ScaleDisagrees,
			"The header calls the numbers %s, but by the length of the file they are %s.", coding(!l.real),
			coding(l.real))
	}
	if int(h.raw.points) != l.points {
		h.Warnings.Add(quality.PointsDisagree,
			"The header counts %d points, POINT:USED %d; by the length of the file there are %d.", h.raw.points,
			l.points, l.points)
	} else if n, ok := h.Parameter("POINT", "USED").Count(); ok && n != int64(l.points) {
		h.Warnings.Add(quality.PointsDisagree,
			"The header counts %d points, POINT:USED %d; the header's count was used.", h.raw.points, n)
	}
	if int(h.raw.analog) != l.analog {
		h.Warnings.Add(quality.AnalogDisagrees,
			"The header counts %d analog samples a frame, %d of each channel; by the parameters and the length of "+
				"the file there are %d, %d of each.",
			h.raw.analog, h.raw.perFrame, l.analog, l.per)
	}
	if starts := h.dataStarts(); len(starts) > 1 {
		h.Warnings.Add(quality.DataStartDisagrees,
			"The header lets the frames begin at byte %s, POINT:DATA_START at byte %s; byte %s was used.",
			quality.Thousands(starts[0]), quality.Thousands(starts[1]), quality.Thousands(l.start))
	} else if h.raw.data <= 1 {
		h.Warnings.Add(quality.DataStartDisagrees, "The header does not say where the frames begin; byte %s was used.",
			quality.Thousands(l.start))
	} else if n, ok := h.Parameter("POINT", "DATA_START").Count(); ok && n == 0 {
		h.Warnings.Add(quality.DataStartDisagrees, "POINT:DATA_START is 0; the header's pointer to byte %s was used.",
			quality.Thousands(l.start))
	}
	var differing []string
	for _, c := range claims {
		if c.frames == frames || c.short(frames) {
			continue
		}
		differing = append(differing, c.where+" says "+quality.Thousands(c.frames))
	}
	if len(differing) > 0 {
		h.Warnings.Add(quality.FramesDisagree, "The file holds %s frames, but %s.", quality.Thousands(frames),
			strings.Join(differing, ", "))
	}
}

func coding(real bool) string {
	if real {
		return "floating-point"
	}
	return "integers"
}
