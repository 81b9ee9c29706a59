package httpapi_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/motion/c3d"
	"github.com/kinebase/kinebase/motion/plate"
	"github.com/kinebase/kinebase/motion/plate/platetest"
	"github.com/kinebase/kinebase/motion/record"
)

// standing is a C3D file of two platforms with ten samples a frame, on which a force and its
// centre of pressure wander, and what they are at a sample, in the laboratory. The second
// platform is saturated where it is to be.
func standing(t *testing.T, chance *rand.Rand, saturated bool) (file string,
	at func(platform, sample int) (force, cop plate.Vector, free plate.Vector)) {
	t.Helper()
	const frames, per = 30, 10
	floors := []platetest.Floor{platetest.Random(chance, 2), platetest.Random(chance, 2)}
	load := func(n, i int) (force, cop plate.Vector, free float64) {
		s := math.Sin(float64(i) / 40)
		return plate.Vector{20 * s, -10, -600 - 100*s - float64(n)}, plate.Vector{50 * s, 30, 0}, 3000 * s
	}
	rec := record.Recording{Frames: frames, Rate: 100, Unit: "mm", Metres: 0.001, Up: "+z",
		Points: []record.Point{{Name: "LASI", X: make([]float32, frames), Y: make([]float32, frames),
			Z: make([]float32, frames)}}}
	for n, f := range floors {
		p, units := f.Describe(chance, 1+chance.IntN(4))
		first := len(rec.Analogs)
		for k, unit := range units {
			p.Channels = append(p.Channels, first+k)
			rec.Analogs = append(rec.Analogs, record.Channel{Name: fmt.Sprintf("P%d.%d", n, k), Unit: unit, Rate: 1000,
				PerFrame: per, Values: make([]float32, frames*per)})
		}
		for i := range frames * per {
			force, cop, free := load(n, i)
			for k, v := range platetest.Channels(p, force, cop, free) {
				rec.Analogs[first+k].Values[i] = float32(v)
			}
		}
		for i := range rec.Analogs[first+2].Values[:100] {
			if n == 1 && saturated {
				rec.Analogs[first+2].Values[i] = -1e6
			}
		}
		rec.Plates = append(rec.Plates, p)
	}
	var b bytes.Buffer
	if err := c3d.Write(&b, &rec); err != nil {
		t.Fatal(err)
	}
	return b.String(), func(n, i int) (force, cop, free plate.Vector) {
		f, c, m := load(n, i)
		place := floors[n].Lab(plate.Vector{c[0] / 1000, c[1] / 1000, 0})
		for axis := range place {
			place[axis] += floors[n].Centre[axis]
		}
		return floors[n].Lab(f), place, floors[n].Lab(plate.Vector{0, 0, m / 1000})
	}
}

func TestWhatAForcePlatformMeasuredIsGivenInTheLaboratory(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite)
	token := a.Token(a.Organization())
	seed := rand.Uint64()
	t.Log("seed", seed)
	file, at := standing(t, rand.New(rand.NewPCG(seed, 0)), false)
	r := reserve(t, a, token, `{"file_name":"a.c3d"}`)
	upload(t, a, r, file).Want(204)
	if status := settled(a, token, r.SessionID); status != "completed" {
		t.Fatalf("the file is %s", status)
	}
	var motion struct {
		Channels  []struct{ Name string } `json:"channels"`
		Platforms []struct {
			Name, Kind, Unit string
			Rate             float64
			PerFrame         int `json:"per_frame"`
			Columns          []string
		} `json:"platform_channels"`
	}
	a.Get("/captures/"+r.SessionID+"/motion", token).Want(200).Into(&motion)
	if p := motion.Platforms; len(p) != 6 || p[4].Name != "plate2_cop" || p[4].Kind != "point" || p[4].Unit != "m" ||
		p[4].Rate != 1000 || p[4].PerFrame != 10 || p[4].Columns[2] != "plate2_cop_z" {
		t.Fatalf("the platforms have %+v", motion.Platforms)
	}
	type part struct {
		Columns map[string][]*float64
	}
	of := func(query string) (p part) {
		t.Helper()
		a.Get("/captures/"+r.SessionID+"/frames"+query, token).Want(200).Into(&p)
		return p
	}
	if all := of(""); len(all.Columns) != 2+3+len(motion.Channels)-1 {
		t.Errorf("without channels there are %d columns of %d channels", len(all.Columns), len(motion.Channels))
	}
	check := func(p part, first, every int) {
		t.Helper()
		for row := range p.Columns["frame"] {
			for n := range 2 {
				force, cop, free := at(n, first+row*every)
				for axis, letter := range "xyz" {
					for name, want := range map[string]float64{"force": force[axis], "cop": cop[axis],
						"moment": free[axis]} {
						column := p.Columns[fmt.Sprintf("plate%d_%s_%c", n+1, name, letter)]
						if column == nil || column[row] == nil ||
							math.Abs(*column[row]-want) > 2e-3*max(1, math.Abs(want)) {
							t.Fatalf("row %d: plate%d_%s_%c is %v, want %v", row, n+1, name, letter, column, want)
						}
					}
				}
			}
		}
	}
	check(of("?channels=plate*&rows=samples&from=7&to=120&every=3"), 7, 3)
	check(of("?channels=plate*&from=2&to=30"), 20, 10)
	mixed := of("?channels=plate1_force_z,LASI_x,plate2_cop&to=3")
	if len(mixed.Columns) != 2+5 || len(mixed.Columns["LASI_x"]) != 3 || mixed.Columns["LASI_x"][0] == nil {
		t.Errorf("mixed columns are %v", mixed.Columns)
	}
	csv := a.Get("/captures/"+r.SessionID+"/frames?channels=plate1_cop_y,LASI_x,plate1_force_x&to=1", token, "Accept",
		"text/csv").Want(200)
	if head, _, _ := strings.Cut(string(csv.Body), "\n"); strings.TrimSpace(head) !=
		"frame,time,plate1_cop_y,LASI_x,plate1_force_x" {
		t.Errorf("the columns are %q", head)
	}
	a.Get("/captures/"+r.SessionID+"/frames?channels=plate3_force", token).Want(400)
	a.Get("/captures/"+r.SessionID+"/frames?channels=LASI&rows=samples", token).Want(400)
}

func TestAPlatformThatCannotBeReliedOnIsRefusedWithTheReason(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite)
	token := a.Token(a.Organization())
	file, _ := standing(t, rand.New(rand.NewPCG(5, 0)), true)
	r := reserve(t, a, token, `{"file_name":"a.c3d"}`)
	upload(t, a, r, file).Want(204)
	settled(a, token, r.SessionID)
	a.Get("/captures/"+r.SessionID+"/frames?channels=plate1_force", token).Want(200)
	if got := a.Get("/captures/"+r.SessionID+"/frames?channels=plate2_force",
		token).Want(409); !strings.Contains(string(got.Body), "Force platform 2") ||
		!strings.Contains(string(got.Body), "saturated") {
		t.Errorf("refused with %s", got.Body)
	}
}
