package frames_test

import (
	"bytes"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion"
)

func TestWhatIsKeptInMemoryIsWhatTheTablesHave(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rec := recordings(rt)
		for i := range rec.Points { // which no table has either
			for k := range rec.Points[i].X {
				if k%11 == 5 {
					rec.Points[i].X[k] = float32(math.Inf(1))
				}
			}
		}
		left := map[string]bool{}
		var table, samples bytes.Buffer
		info, fast, kept, err := frames.WriteKeeping(&table, &samples, motion.C3D, rec.Frames, memory{rec},
			func(i *frames.Info) (wanted []string) {
				for _, name := range all(*i) {
					if left[name] = rapid.IntRange(0, 3).Draw(rt, "left out") == 0; !left[name] {
						wanted = append(wanted, name)
					}
				}
				return wanted
			})
		if err != nil {
			rt.Fatal(err)
		}
		open := func(b []byte) *frames.Table {
			o, err := frames.Open(bytes.NewReader(b), int64(len(b)))
			if err != nil {
				rt.Fatal(err)
			}
			return o
		}
		motionTable := open(table.Bytes())
		for _, c := range info.Channels {
			for _, name := range c.Columns {
				for _, per := range []int{1, max(1, c.PerFrame)} {
					got, ok := kept.Read([]string{name}, per)
					if ok == left[name] {
						rt.Fatalf("%s is kept: %v, and is left out: %v", name, ok, left[name])
					}
					if left[name] {
						continue
					}
					from := motionTable
					if per > 1 && fast {
						from = open(samples.Bytes())
					}
					want, err := from.ReadSamples([]string{name}, per)
					if err != nil || len(got[0]) != len(want[0]) {
						rt.Fatalf("%s has %d numbers, want %d, %v", name, len(got[0]), len(want[0]), err)
					}
					for i := range want[0] {
						if !same(got[0][i], want[0][i]) {
							rt.Fatalf("number %d of %s is %v, want %v", i, name, got[0][i], want[0][i])
						}
					}
				}
			}
		}
	})
}

func TestOfALongRecordingNothingIsKept(t *testing.T) {
	rec := wide(40, 150_000) // 120 columns of 4 bytes, more than 16 MiB
	_, _, kept, err := frames.WriteKeeping(&bytes.Buffer{}, &bytes.Buffer{}, motion.C3D, rec.Frames, memory{rec},
		func(i *frames.Info) []string { return all(*i) })
	if err != nil || kept != nil {
		t.Errorf("%v, %v", kept, err)
	}
}
