package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/kinebase/kinebase/internal/process"
	"github.com/kinebase/kinebase/motion/c3d"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// measuringRuns is how often a reader reads the recording, and measures it, and measuringRounds how many readers do so
// in turn with as many that read alone.
const (
	measuringRuns   = 10
	measuringRounds = 7
)

// fullBody are the markers of Plug-in Gait by where they are in somebody who stands, in m: forwards,
// to the left, upwards.
var fullBody = map[string][3]float64{
	"LASI": {0.1, 0.12, 1}, "RASI": {0.1, -0.12, 1}, "LPSI": {-0.1, 0.05, 1}, "RPSI": {-0.1, -0.05, 1},
	"LKNE": {0, 0.17, 0.5}, "RKNE": {0, -0.17, 0.5}, "LANK": {0, 0.15, 0.08}, "RANK": {0, -0.15, 0.08},
	"LHEE": {-0.06, 0.12, 0.04}, "RHEE": {-0.06, -0.12, 0.04}, "LTOE": {0.15, 0.12, 0.03}, "RTOE": {0.15, -0.12, 0.03},
	"LSHO": {0, 0.2, 1.45}, "RSHO": {0, -0.2, 1.45}, "LELB": {0, 0.25, 1.15}, "RELB": {0, -0.25, 1.15},
	"LWRA": {0.02, 0.25, 0.9}, "RWRA": {0.02, -0.25, 0.9}, "LWRB": {-0.02, 0.25, 0.9}, "RWRB": {-0.02, -0.25, 0.9},
	"LFHD": {0.1, 0.07, 1.75}, "RFHD": {0.1, -0.07, 1.75}, "LBHD": {-0.1, 0.07, 1.75}, "RBHD": {-0.1, -0.07, 1.75},
	"C7": {-0.05, 0, 1.5}, "CLAV": {0.08, 0, 1.42}, "STRN": {0.1, 0, 1.3}, "T10": {-0.1, 0, 1.25},
}

// longJump is a minute of a jump on two platforms at 1,000 Hz, with 100 markers at 100 Hz: those of a full
// body, and others. The person squats first, for what is found by the points.
func longJump() *record.Recording {
	const frames, perFrame, weight = 6000, 10, 700.0
	rec := &record.Recording{Rate: 100, FirstFrame: 1, Frames: frames, Unit: "mm", Metres: 0.001, Up: "+z"}
	names := []string{}
	for name := range fullBody {
		names = append(names, name)
	}
	for n := len(names); n < 100; n++ {
		names = append(names, fmt.Sprintf("M%02d", n))
	}
	for _, name := range names {
		p := record.Point{Name: name, Quantity: record.Position}
		at := fullBody[name]
		for i := range frames {
			t := float64(i) / 100
			down := 0.0
			if t > 10 && t < 12 && at[2] > 0.5 {
				down = 0.2 * (1 - math.Cos(math.Pi*(t-10)))
			}
			if air := t - 30.85; air > 0 && air < 0.42 { // as fast as the force has the body fly
				down = 9.81 * air * (air - 0.42) / 2
			}
			p.X, p.Y, p.Z = append(p.X, float32(1000*at[0]+math.Sin(9*t))),
				append(p.Y, float32(1000*at[1]+math.Cos(8*t))), append(p.Z, float32(1000*(at[2]-down)+math.Sin(7*t)/2))
		}
		rec.Points = append(rec.Points, p)
	}
	force := make([]float64, frames*perFrame)
	for i := range force {
		t := float64(i)/1000 - 30
		switch {
		case t < 0:
			force[i] = weight * (1 + 0.001*math.Sin(float64(i)))
		case t < 0.4:
			force[i] = weight * (1 - 0.5*math.Sin(math.Pi*t/0.4))
		case t < 0.85:
			force[i] = weight * (1 + 1.25*math.Sin(math.Pi*(t-0.4)/0.45))
		case t < 1.27:
			force[i] = 0
		case t < 1.57:
			force[i] = weight * 4 * math.Sin(math.Pi*(0.02+0.98*(t-1.27)/0.3))
		default:
			force[i] = weight * (1 + 0.001*math.Sin(float64(i)))
		}
	}
	for side := range 2 {
		y := 600 * float64(side)
		p := record.Plate{Type: 2, Corners: [4][3]float64{{300, y, 0}, {-300, y, 0}, {-300, y - 600, 0},
			{300, y - 600, 0}}, Origin: [3]float64{0, 0, -40}}
		for k, unit := range []string{"N", "N", "N", "Nmm", "Nmm", "Nmm"} {
			c := record.Channel{Name: fmt.Sprintf("%s%d", []string{"Fx", "Fy", "Fz", "Mx", "My", "Mz"}[k], side+1),
				Unit: unit, Rate: 1000, PerFrame: perFrame, Values: make([]float32, len(force))}
			if k == 2 {
				for i, f := range force {
					c.Values[i] = float32(-f * (0.48 + 0.04*float64(side)))
				}
			}
			p.Channels = append(p.Channels, len(rec.Analogs))
			rec.Analogs = append(rec.Analogs, c)
		}
		rec.Plates = append(rec.Plates, p)
	}
	return rec
}

// measuring compares reading a recording with computing what the library of movements has for it.
func (l *laboratoryOf) measuring(operation, activity, movement string) (row, error) {
	path := filepath.Join(l.folder, "jump.c3d")
	f, err := os.Create(path)
	if err != nil {
		return row{}, err
	}
	if err := errors.Join(c3d.Write(f, longJump()), f.Close()); err != nil {
		return row{}, err
	}
	cost := func(measured bool) (float64, error) {
		begun, err := used()
		if err != nil {
			return 0, err
		}
		r := &process.Runner{Binary: l.program, Dir: l.folder, Memory: 512 << 20, Time: time.Minute}
		for range measuringRuns {
			if err := l.once(r, path, measured,
				upload.Measured{Activity: activity, Movement: movement, Handedness: "right"}); err != nil {
				return 0, err
			}
		}
		if err := r.Close(); err != nil {
			return 0, err
		}
		ended, err := used()
		return (ended - begun).Seconds() * 1e3 / measuringRuns, err
	}
	var costs [2][]float64 // of reading alone, and of both
	for round := range 2 * measuringRounds {
		took, err := cost(round%2 == 1)
		if err != nil {
			return row{}, err
		}
		costs[round%2] = append(costs[round%2], took)
	}
	read, both := median(costs[0]), median(costs[1])
	goal, met := judge(both/read, 1.1, atMost)
	return row{operation: operation, ours: figure(both) + " ms of processor time with computing",
		baseline: "reading alone " + figure(read) + " ms", ratio: figure(both / read), goal: goal, met: met}, nil
}

// once reads a file in a confined process, and has it measured.
func (l *laboratoryOf) once(r *process.Runner, path string, measured bool, by upload.Measured) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	stat, err := f.Stat()
	if err != nil {
		return err
	}
	s := organization.In(l.organization)
	source := upload.Source{Name: path}
	if measured {
		source.As = &by
	}
	got, err := r.Read(context.Background(), s, source, openFile{folderFile{f, stat.Size()}})
	if err != nil {
		return err
	}
	return got.Close()
}
