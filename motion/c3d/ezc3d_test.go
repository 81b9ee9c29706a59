package c3d_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/testkit/need"
	"github.com/kinebase/kinebase/motion/c3d"
	"github.com/kinebase/kinebase/motion/c3d/c3dtest"
	"github.com/kinebase/kinebase/motion/plate"
	"github.com/kinebase/kinebase/motion/plate/platetest"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/units"
)

// lengths are units in which a file may have its places: how many metres each has, what moments with
// it are called, what forces are, and how many newtons that is.
var lengths = []struct {
	name           string
	metres         float64
	moment, force  string
	newtons, pairs float64 // pairs is N·m of a moment
}{
	{"mm", 0.001, "Nmm", "N", 1, 0.001}, {"cm", 0.01, "Ncm", "N", 1, 0.01}, {"m", 1, "Nm", "N", 1, 1},
	{"m", 1, "kNm", "kN", 1000, 1000},
}

// load is what a platform bears in a sample, in the laboratory, in N and m.
type load struct{ force, cop plate.Vector }

// loaded makes a recording of two platforms of a type that lie anywhere, in units of lengths, and what
// they bear. Channels are those of platetest, which are N, mm and N·mm, in the units of the file.
func loaded(chance *rand.Rand, kind, unit int) (*record.Recording, [2][]load) {
	const frames, perFrame = 40, 5
	u := lengths[unit]
	rec := &record.Recording{Rate: 100, Frames: frames, FirstFrame: 1, Unit: u.name, Metres: u.metres}
	var loads [2][]load
	for side := range loads {
		floor := platetest.Random(chance, chance.IntN(3))
		p, named := floor.Describe(chance, kind)
		scaled := p
		for i := range p.Corners {
			for axis := range 3 {
				scaled.Corners[i][axis] = p.Corners[i][axis] / 1000 / u.metres
			}
		}
		for axis := range p.Origin {
			scaled.Origin[axis] = p.Origin[axis] / 1000 / u.metres
		}
		scale := make([]float64, len(named))
		for i, unit := range named {
			switch unit {
			case "N", "newton", "":
				named[i], scale[i] = u.force, 1/u.newtons
			case "Nmm":
				named[i], scale[i] = u.moment, 0.001/u.pairs
			case "mm":
				named[i], scale[i] = u.name, 0.001/u.metres
			default: // volts, of which the matrix makes N and N·mm
				scale[i] = 1
			}
		}
		if kind == 4 {
			scaled.Matrix = append([]float64{}, p.Matrix...)
			for i := range scaled.Matrix {
				scaled.Matrix[i] *= map[bool]float64{true: 1 / u.newtons, false: 0.001 / u.pairs}[i%6 < 3]
			}
		}
		values := make([][]float32, len(named))
		for range frames * perFrame {
			force := plate.Vector{600*chance.Float64() - 300, 600*chance.Float64() - 300, -25 - 2500*chance.Float64()}
			cop := plate.Vector{(chance.Float64() - 0.5) * 900 * floor.Long,
				(chance.Float64() - 0.5) * 900 * floor.Short, 0}
			for i, v := range platetest.Channels(p, force, cop, 5e4*(2*chance.Float64()-1)) {
				values[i] = append(values[i], float32(v*scale[i]))
			}
			place := floor.Lab(plate.Vector{cop[0] / 1000, cop[1] / 1000, 0})
			for axis := range place {
				place[axis] += floor.Centre[axis]
			}
			loads[side] = append(loads[side], load{floor.Lab(force), place})
		}
		for i := range named {
			scaled.Channels = append(scaled.Channels, len(rec.Analogs))
			rec.Analogs = append(rec.Analogs, record.Channel{Name: fmt.Sprintf("p%d.%d", side+1, i+1), Unit: named[i],
				Rate: 500, PerFrame: perFrame, Values: values[i]})
		}
		rec.Plates = append(rec.Plates, scaled)
	}
	return rec, loads
}

// ours gives what Kinebase finds on the platforms of a file.
func ours(t *testing.T, path string) (loads [][]load) {
	t.Helper()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rec := c3dtest.Read(t, file)
	metres, ok := units.Metres(rec.Unit)
	if !ok {
		t.Fatalf("the unit of %s is %q", path, rec.Unit)
	}
	for _, p := range rec.Plates {
		names, channels := c3dtest.Measured(rec, p)
		platform, err := plate.New(p, metres, rec.Up, names)
		if err != nil {
			t.Fatal(err)
		}
		all := make([]load, len(channels[0]))
		for i := range all {
			sample := make([]float64, len(channels))
			for c := range channels {
				sample[c] = channels[c][i]
			}
			w := platform.Wrench(sample)
			all[i] = load{w.Force, w.COP}
		}
		loads = append(loads, all)
	}
	return loads
}

// near says whether two vectors are the same to a ten-thousandth of their size, of a force of one
// newton and of a place of one metre at least.
func near(a, b plate.Vector) bool {
	size := math.Max(1, math.Sqrt(b[0]*b[0]+b[1]*b[1]+b[2]*b[2]))
	for i := range a {
		if !(math.Abs(a[i]-b[i]) <= 1e-4*size) {
			return false
		}
	}
	return true
}

func TestForcePlatformsThatAreWrittenMeasureTheSameInEzc3d(t *testing.T) {
	interpreter, err := filepath.Abs(filepath.Join("..", "..", ".tools", "readers", "bin", "python"))
	if err != nil {
		t.Fatal(err)
	}
	if err := exec.Command(interpreter, "-c", "import ezc3d").Run(); err != nil {
		need.Missing(t, "no ezc3d to read C3D with; to run this test: make .tools/readers/installed")
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	chance := rand.New(rand.NewPCG(seed, 1))
	folder := t.TempDir()
	var files []string
	var truths [][2][]load
	var scales []int
	for kind := 1; kind <= 4; kind++ {
		for unit := range lengths {
			if kind == 4 && lengths[unit].newtons != 1 {
				// its channels have volts, and the file no place for the unit of a force
				continue
			}
			for turn := range 2 {
				rec, loads := loaded(chance, kind, unit)
				path := filepath.Join(folder,
					fmt.Sprintf("type%d_%s_%s_%d.c3d", kind, lengths[unit].name, lengths[unit].force, turn))
				f, err := os.Create(path)
				if err != nil {
					t.Fatal(err)
				}
				if err := c3d.Write(f, rec); err != nil {
					t.Fatal(err)
				}
				if err := f.Close(); err != nil {
					t.Fatal(err)
				}
				files, truths, scales = append(files, path), append(truths, loads), append(scales, unit)
			}
		}
	}
	out, err := exec.Command(interpreter, append([]string{filepath.Join("testdata", "ezc3d_plates.py")},
		files...)...).Output()
	if err != nil {
		t.Fatalf("ezc3d: %v %s", err, out)
	}
	var theirs [][]struct {
		Force []plate.Vector `json:"force"`
		COP   []plate.Vector `json:"cop"`
	}
	if err := json.Unmarshal(out, &theirs); err != nil {
		t.Fatal(err)
	}
	for at, path := range files {
		name, u, mine := strings.TrimSuffix(filepath.Base(path), ".c3d"), lengths[scales[at]], ours(t, path)
		if len(theirs[at]) != 2 || len(mine) != 2 {
			t.Errorf("%s: ezc3d has %d platforms and Kinebase %d", name, len(theirs[at]), len(mine))
			continue
		}
		for side, want := range truths[at] {
			other := theirs[at][side]
			if len(other.Force) != len(want) || len(mine[side]) != len(want) {
				t.Errorf("%s: ezc3d has %d samples and Kinebase %d, want %d", name, len(other.Force), len(mine[side]),
					len(want))
				continue
			}
			for i, w := range want {
				force, cop := other.Force[i], other.COP[i]
				for axis := range force {
					force[axis] *= u.newtons
					cop[axis] *= u.metres
				}
				switch {
				case !near(mine[side][i].force, w.force) || !near(mine[side][i].cop, w.cop):
					t.Errorf("%s, platform %d, sample %d: Kinebase has %v, want %v", name, side+1, i, mine[side][i], w)
				case !near(force, w.force) || !near(cop, w.cop):
					t.Errorf("%s, platform %d, sample %d: ezc3d has %v at %v, want %v", name, side+1, i, force, cop, w)
				default:
					continue
				}
				break
			}
		}
	}
}
