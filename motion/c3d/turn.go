package c3d

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/kinebase/kinebase/motion/record"
)

// piece is how many bytes of frames are read and turned at a time. A file has its
// numbers frame by frame, a recording has them channel by channel, so a piece is
// gone through once for every channel: it has to stay in the processor's cache,
// and yet give each channel a run of values long enough to be written at speed.
// Of 64 KiB to 1 MiB this was the fastest.
const piece = 256 << 10

// readFrames fills in the values of points and analog channels. Every processor
// takes the next piece as soon as it is done with one.
func (f *File) readFrames(rec *record.Recording, from, n int) error {
	size := int(f.FrameSize)
	if size == 0 || n == 0 { // nothing but rotations
		return nil
	}
	step := min(n, max(1, piece/size))
	readers := min(runtime.GOMAXPROCS(0), (n+step-1)/step)
	for len(f.pieces) < readers {
		f.pieces = append(f.pieces, nil)
	}
	var next atomic.Int64
	masks := make([][]uint8, readers) // the cameras that saw each point
	doubts := make([]record.Doubts, readers)
	errs := make([]error, readers)
	read := func(reader int) {
		if cap(f.pieces[reader]) < step*size {
			f.pieces[reader] = make([]byte, step*size)
		}
		masks[reader] = make([]uint8, len(rec.Points))
		for errs[reader] == nil {
			at := int(next.Add(int64(step))) - step
			if at >= n {
				return
			}
			count := min(step, n-at)
			buf := f.pieces[reader][:count*size]
			if errs[reader] = f.fetch(buf, f.DataStart+int64(from+at)*f.FrameSize); errs[reader] == nil {
				f.turn(rec, buf, at, count, masks[reader], &doubts[reader])
			}
		}
	}
	var all sync.WaitGroup
	for reader := 1; reader < readers; reader++ {
		all.Go(func() { read(reader) })
	}
	read(0)
	all.Wait()
	for reader, err := range errs {
		if err != nil {
			return err
		}
		rec.Doubts.Add(doubts[reader])
	}
	blind := !slices.ContainsFunc(masks, func(seen []uint8) bool {
		return slices.ContainsFunc(seen, func(mask uint8) bool { return mask != 0 })
	})
	for i := range rec.Points {
		if blind {
			rec.Points[i].Cameras = nil
		}
	}
	return nil
}

// turn fills in the values of count frames that buf holds, which come at place at
// of the recording, and counts points and samples that are no numbers.
func (f *File) turn(rec *record.Recording, buf []byte, at, count int, seen []uint8, doubts *record.Doubts) {
	plain(buf, f.Processor, f.Real)
	size, scale := int(f.FrameSize), float32(f.Scale)
	for i := range rec.Points {
		p := &rec.Points[i]
		to := columns{p.X[at : at+count], p.Y[at : at+count], p.Z[at : at+count], p.Residual[at : at+count],
			p.Cameras[at : at+count]}
		if f.Real {
			mask, lost := to.fromReal(buf[16*i:], size, scale)
			seen[i] |= mask
			doubts.Nowhere += lost
		} else {
			seen[i] |= to.fromInt(buf[8*i:], size, scale)
		}
	}
	doubts.Infinite += f.turnSamples(rec.Analogs, buf, at, count)
}

// turnSamples is turn for the analog channels; it gives how many samples are infinite.
func (f *File) turnSamples(channels []record.Channel, buf []byte, at, count int) (infinite int) {
	size, per, width := int(f.FrameSize), f.AnalogPerFrame, 2
	if f.Real {
		width = 4
	}
	start, gap := 4*width*len(f.Points), width*len(channels)
	values := func(c int) []float32 { return channels[c].Values[at*per : (at+count)*per] }
	if n := len(channels); n >= 4 {
		for next := 0; next < n; next += 4 {
			c := min(next, n-4) // the last four may have been there in part before
			to := [4][]float32{values(c), values(c + 1), values(c + 2), values(c + 3)}
			if cal, src := f.calibration[c:c+4], buf[start+width*c:]; f.Real {
				for i, samples := range fourReals(cal, to, src, size, gap, per) {
					if c+i >= next {
						infinite += samples
					}
				}
			} else {
				fourInts(cal, to, src, size, gap, per)
			}
		}
		return infinite
	}
	for c := range channels {
		src := buf[start+width*c:]
		switch cal := f.calibration[c]; {
		case f.Real:
			infinite += cal.fromReal(values(c), src, size, gap, per)
		case cal.unsigned:
			cal.fromUnsigned(values(c), src, size, gap, per)
		default:
			cal.fromInt(values(c), src, size, gap, per)
		}
	}
	return infinite
}
