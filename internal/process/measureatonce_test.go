package process_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/process"
	"github.com/kinebase/kinebase/movement"
	"github.com/kinebase/kinebase/upload"
)

// jumped is a recording of somebody who stands, jumps and lands on a platform, whose channel has this name and beside
// which there is one of another name.
func jumped(t *testing.T, beside string) upload.File {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "time (s),Fz (N),%s\n", beside)
	for i := range 4500 {
		at, force := float64(i)/1000-1.5, 700*(1+0.001*math.Sin(float64(i)))
		switch {
		case at < 0:
		case at < 0.4:
			force = 700 * (1 - 0.5*math.Sin(math.Pi*at/0.4))
		case at < 0.85:
			force = 700 * (1 + 1.25*math.Sin(math.Pi*(at-0.4)/0.45))
		case at < 1.27:
			force = 0
		case at < 1.57:
			force = 2800 * math.Sin(math.Pi*(0.02+0.98*(at-1.27)/0.3))
		}
		fmt.Fprintf(&b, "%.3f,%.3f,%d\n", float64(i)/1000, force, i%7)
	}
	return fileOf(t, "jumped.csv", b.String())
}

// wantSame wants that a file is measured when it is read as its tables are measured later, to the last byte.
func wantSame(t *testing.T, r *process.Runner, name string, f upload.File, as upload.Measured) string {
	t.Helper()
	got, err := r.Read(t.Context(), lab, upload.Source{Name: name, As: &as}, f)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = got.Close() }()
	alone, err := r.Read(t.Context(), lab, upload.Source{Name: name}, f)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = alone.Close() }()
	want, err := r.Measure(t.Context(), lab, as, alone.Info, alone.Table, alone.Samples)
	if err != nil {
		t.Fatal(err)
	}
	if string(got.Info) != string(want) {
		t.Errorf("as %+v it is\n%s\nand by its tables\n%s", as, got.Info, want)
	}
	return string(got.Info)
}

func TestWhatIsMeasuredWhenAFileIsReadIsWhatItsTablesGive(t *testing.T) {
	r := runner(t)
	for _, as := range []upload.Measured{
		{Activity: "jump", Movement: "countermovement"},
		{Activity: "jump", Movement: "countermovement", Rate: 500},
		{Activity: "jump", Movement: "squat", Handedness: "left"},
		{Activity: "squat", Movement: "bodyweight"},
		{Activity: "jump", Movement: "contermovement"},
		{},
	} {
		said := wantSame(t, r, "jumped.csv", jumped(t, "EMG (mV)"), as)
		if as.Movement == "countermovement" && as.Rate == 0 && (!strings.Contains(said, `"column":"jump_height"`) ||
			!strings.Contains(said, `"library":"`+movement.Read().Version+`"`)) {
			t.Errorf("there is no height: %s", said)
		}
	}
}

func TestAReaderThatEndsWhileItMeasuresEndsNeitherTheReadingNorTheMeasurement(t *testing.T) {
	r := runner(t)
	*process.Hasty = time.Second
	defer func(was time.Duration) { *process.Hasty = was }(15 * time.Second)
	as := upload.Measured{Activity: "jump", Movement: "countermovement"}
	for _, beside := range []string{"crash when measured", "hang when measured"} {
		for range 2 { // by a reader that has read no other file, and by one that has
			if said := wantSame(t, r, "jumped.csv", jumped(t, beside+" (mV)"), as); !strings.Contains(said,
				`"column":"jump_height"`) {
				t.Errorf("%s: there is no height: %s", beside, said)
			}
		}
	}
}

func TestARecordingIsMeasuredByNamesThatFillManyPages(t *testing.T) {
	r := runner(t)
	for _, long := range []int{10, 100, 512} {
		own := &movement.MarkerSet{Name: "own names"}
		for _, landmark := range movement.LandmarkNames() {
			l := movement.Landmark{Name: landmark}
			for way := range 8 {
				l.Points = append(l.Points, []string{fmt.Sprintf("%s %d %s", landmark, way, strings.Repeat("n", long))})
			}
			own.Landmarks = append(own.Landmarks, l)
		}
		as := upload.Measured{Activity: "squat", Movement: "bodyweight", Own: own}
		if said := wantSame(t, r, "jumped.csv", jumped(t, "EMG (mV)"), as); !strings.Contains(said, own.Version()) {
			t.Errorf("the version of the names is missing: %s", said)
		}
	}
}
