package table_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// sheet is a recording that is known, and how a program writes its numbers.
type sheet struct {
	t          *rapid.T
	rate       float64
	rows       int
	sep, point string
	end        string
	trailing   bool
	things     []string
	values     [][]float64 // by column: three for each thing
	b          strings.Builder
	want       map[string][]float64
	rated      bool // the layout says how fast the rows are
	frames     int  // that are wanted
}

func newSheet(t *rapid.T) *sheet {
	s := &sheet{t: t, rate: rapid.SampledFrom([]float64{50, 60, 100, 120, 250}).Draw(t, "rate"),
		rows:  rapid.IntRange(3, 30).Draw(t, "rows"),
		sep:   rapid.SampledFrom([]string{",", ";", "\t"}).Draw(t, "separator"),
		end:   rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end"),
		point: ".", trailing: rapid.Bool().Draw(t, "trailing"), want: map[string][]float64{}, rated: true}
	if s.sep != "," && rapid.Bool().Draw(t, "decimal comma") {
		s.point = ","
	}
	s.frames = s.rows
	s.things = []string{"LASI", "RASI", "Sacrum"}[:rapid.IntRange(1, 3).Draw(t, "things")]
	for range 3 * len(s.things) {
		column := make([]float64, s.rows)
		for i := range column {
			column[i] = float64(rapid.IntRange(1, 2e7).Draw(t, "value")) / 1e4 * float64(
				1-2*rapid.IntRange(0, 1).Draw(t, "negative"))
		}
		s.values = append(s.values, column)
	}
	return s
}

// gaps takes things out of frames, of the first ones at times.
func (s *sheet) gaps() {
	for thing := range s.things {
		from := rapid.IntRange(0, s.rows-1).Draw(s.t, "gap from")
		if rapid.Bool().Draw(s.t, "from the first row") {
			from = 0
		}
		for i := from; i < min(s.rows-1, from+rapid.IntRange(0, 4).Draw(s.t, "gap")); i++ {
			for k := range 3 {
				s.values[3*thing+k][i] = math.NaN()
			}
		}
	}
}

func (s *sheet) number(v float64) string {
	if v != v {
		return ""
	}
	return strings.Replace(strconv.FormatFloat(v, 'f', 4, 64), ".", s.point, 1)
}

func (s *sheet) seconds(i int) string {
	return strings.Replace(strconv.FormatFloat(float64(i)/s.rate, 'f', 6, 64), ".", s.point, 1)
}

func (s *sheet) line(cells ...string) {
	s.b.WriteString(strings.Join(cells, s.sep))
	if s.trailing {
		s.b.WriteString(s.sep)
	}
	s.b.WriteString(s.end)
}

// each gives one cell for every column of a thing.
func (s *sheet) each(cell func(thing string, axis int) string) []string {
	var cells []string
	for _, thing := range s.things {
		for axis := range 3 {
			cells = append(cells, cell(thing, axis))
		}
	}
	return cells
}

func (s *sheet) row(i int, lead ...string) {
	for _, column := range s.values {
		lead = append(lead, s.number(column[i]))
	}
	s.line(lead...)
}

// points wants the values under the names of points.
func (s *sheet) points(prefix string) {
	for c, column := range s.values {
		s.want[prefix+s.things[c/3]+"_"+"xyz"[c%3:c%3+1]] = column
	}
}

var axes = []string{"X", "Y", "Z"}

func join(lead []string, more []string) []string { return append(lead[:len(lead):len(lead)], more...) }

func motive(s *sheet) {
	s.gaps()
	s.line("Format Version", "1.23", "Take Name", "walk 1", "Capture Frame Rate",
		strings.Replace(fmt.Sprintf("%.6f", s.rate), ".", s.point, 1), "Capture Start Time",
		"2026-05-13 09.30.02.695 AM", "Total Frames in Take", strconv.Itoa(s.rows), "Rotation Type", "Quaternion",
		"Length Units", "Millimeters")
	if rapid.Bool().Draw(s.t, "blank") {
		s.b.WriteString(s.end)
	}
	titled := rapid.Bool().Draw(s.t, "titled")
	title := func(name string) []string {
		if !titled {
			name = ""
		}
		return []string{"", name}
	}
	s.line(join(title("Type"), s.each(func(string, int) string { return "Marker" }))...)
	s.line(join(title("Name"), s.each(func(thing string, _ int) string { return thing }))...)
	if titled && rapid.Bool().Draw(s.t, "ids") {
		s.line(join(title("ID"), s.each(func(thing string, _ int) string { return `"6F` + thing + `"` }))...)
	}
	s.line(join([]string{"", ""}, s.each(func(string, int) string { return "Position" }))...)
	s.line(join([]string{"Frame", "Time (Seconds)"}, s.each(func(_ string, axis int) string { return axes[axis] }))...)
	for i := range s.rows {
		s.row(i, strconv.Itoa(i), s.seconds(i))
	}
	s.points("")
}

func vicon(s *sheet) {
	s.gaps()
	forces := rapid.Bool().Draw(s.t, "devices")
	if forces {
		s.line("Devices")
		s.line(strconv.Itoa(int(2 * s.rate)))
		s.line("", "", "Plate", "")
		s.line("Frame", "Sub Frame", "Fx", "Fz")
		s.line("", "", "N", "N")
		var x []float64
		for i := range 2 * s.rows {
			x = append(x, float64(i)+0.25)
			s.line(strconv.Itoa(i/2+1), strconv.Itoa(i%2), s.number(x[i]), s.number(1.5))
		}
		s.b.WriteString(s.end)
		s.want["Plate Fx"] = x
	}
	s.line("Trajectories")
	s.line(strconv.Itoa(int(s.rate)))
	s.line(join([]string{"", ""}, s.each(func(thing string, axis int) string {
		if axis > 0 {
			return ""
		}
		return "Mia:" + thing
	}))...)
	s.line(join([]string{"Frame", "Sub Frame"}, s.each(func(_ string, axis int) string { return axes[axis] }))...)
	s.line(join([]string{"", ""}, s.each(func(string, int) string { return "mm" }))...)
	for i := range s.rows {
		s.row(i, strconv.Itoa(i+1), "0")
	}
	s.points("Mia:")
}

func qualisys(s *sheet) {
	s.gaps()
	s.line("NO_OF_FRAMES", strconv.Itoa(s.rows))
	s.line("FREQUENCY", strconv.Itoa(int(s.rate)))
	s.line("ANALOG_FREQUENCY", "1000")
	s.line("TIME_STAMP", "2026-05-13", "12:00:01.123")
	s.line("DATA_INCLUDED", "3D")
	s.line(join([]string{"MARKER_NAMES"}, s.things)...)
	lead := func(i int) []string { return nil }
	if rapid.Bool().Draw(s.t, "names above the columns") {
		lead = func(i int) []string { return []string{strconv.Itoa(i + 1), s.seconds(i)} }
		s.line(join([]string{"Frame", "Time"},
			s.each(func(thing string, axis int) string { return thing + " " + axes[axis] }))...)
	}
	for i := range s.rows {
		cells := lead(i)
		for _, column := range s.values {
			if v := column[i]; v != v {
				cells = append(cells, s.number(0)) // a marker that was not seen
			} else {
				cells = append(cells, s.number(v))
			}
		}
		s.line(cells...)
	}
	s.points("")
}

func xsens(s *sheet) {
	if rapid.Bool().Draw(s.t, "sep") {
		s.b.WriteString("sep=" + s.sep + s.end)
	}
	s.line("DeviceTag:", "LS")
	s.line("StartTime:", "2026-05-13_12:00:01_123")
	if s.trailing = false; rapid.Bool().Draw(s.t, "blank") {
		s.b.WriteString(s.end)
	}
	s.things = s.things[:1]
	s.values = s.values[:3]
	s.line("PacketCounter", "SampleTimeFine", "Acc_X", "Acc_Y", "Acc_Z", "Status")
	start := rapid.SampledFrom([]int{0, 512345, 1<<32 - 20000}).Draw(s.t, "start") // the last runs over
	for i := range s.rows {
		fine := (start + int(math.Round(float64(i)*1e6/s.rate))) % (1 << 32)
		s.line(strconv.Itoa(i+7), strconv.Itoa(fine), s.number(s.values[0][i]), s.number(s.values[1][i]),
			s.number(s.values[2][i]), "0")
	}
	s.want["Acc_x"], s.want["Acc_y"], s.want["Acc_z"] = s.values[0], s.values[1], s.values[2]
}

func delsys(s *sheet) {
	faster := rapid.SampledFrom([]int{1, 2, 10}).Draw(s.t, "faster")
	if rapid.Bool().Draw(s.t, "title") {
		s.b.WriteString("Label: Trigno EMG 1 Sampling frequency: 2000 Unit: V" + s.end)
	}
	s.line("X [s]", "EMG 1 [V]", "X [s]", "ACC 1 [g]")
	var emg []float64
	for i := range s.rows * faster {
		emg = append(emg, float64(i)+0.125)
		cells := []string{strings.Replace(strconv.FormatFloat(float64(i)/s.rate/float64(faster), 'f', 7, 64),
			".", s.point, 1), s.number(emg[i]), "", ""}
		if i < s.rows {
			cells[2], cells[3] = strings.Replace(strconv.FormatFloat(float64(i)/s.rate, 'f', 7, 64), ".", s.point, 1),
				s.number(s.values[0][i])
		}
		s.line(cells...)
	}
	s.want["EMG 1"], s.want["ACC 1"] = emg, s.values[0]
}

func pose(s *sheet) {
	s.gaps()
	s.rated, s.trailing = false, false
	persons := rapid.Bool().Draw(s.t, "individuals")
	s.line(join([]string{"scorer"}, s.each(func(string, int) string { return "DLC_net" }))...)
	prefix := ""
	if persons {
		s.line(join([]string{"individuals"}, s.each(func(thing string, _ int) string { return "of" + thing }))...)
	}
	s.line(join([]string{"bodyparts"}, s.each(func(thing string, _ int) string { return thing }))...)
	s.line(join([]string{"coords"},
		s.each(func(_ string, axis int) string { return []string{"x", "y", "likelihood"}[axis] }))...)
	for i := range s.rows {
		s.row(i, strconv.Itoa(i))
	}
	for c, column := range s.values {
		if persons && len(s.things) > 1 {
			prefix = "of" + s.things[c/3] + " "
		}
		s.want[prefix+s.things[c/3]+"_"+[]string{"x", "y", "likelihood"}[c%3]] = column
	}
}

func plate(s *sheet) {
	s.line("BioWare", "5.3")
	s.line("Date:", "13/05/2026")
	s.line("Sampling Rate (Hz):", strconv.Itoa(int(s.rate)))
	s.b.WriteString(s.end)
	timed := rapid.Bool().Draw(s.t, "timed")
	names, lead := []string{"Fx", "Fy", "Fz"}, []string(nil)
	if timed {
		names = append([]string{"abs time (s)"}, names...)
	}
	s.line(names...)
	if rapid.Bool().Draw(s.t, "units") {
		s.line(append(make([]string, len(names)-3), "N", "N", "N")...)
	}
	for i := range s.rows {
		if timed {
			lead = []string{s.seconds(i)}
		}
		s.line(append(lead[:len(lead):len(lead)], s.number(s.values[0][i]), s.number(s.values[1][i]),
			s.number(s.values[2][i]))...)
	}
	if timed && rapid.Bool().Draw(s.t, "sums") {
		s.line("Mean", "1", "2", "3")
	}
	s.want["Fx"], s.want["Fy"], s.want["Fz"] = s.values[0], s.values[1], s.values[2]
}

func longTable(s *sheet) {
	s.rated = rapid.Bool().Draw(s.t, "timed")
	numbered, byThing := rapid.Bool().Draw(s.t, "numbered"), rapid.Bool().Draw(s.t, "by thing")
	key, name := "keypoint", func(thing int) string { return s.things[thing] }
	if numbered {
		key, name = "landmark", strconv.Itoa
	}
	head := []string{"frame", key, "x", "y", "z"}
	if s.rated {
		head = []string{"frame", "time", key, "x", "y", "z"}
	}
	s.line(head...)
	write := func(i, thing int) {
		cells := []string{strconv.Itoa(i)}
		if s.rated {
			cells = append(cells, s.seconds(i))
		}
		cells = append(cells, name(thing))
		for k := range 3 {
			cells = append(cells, s.number(s.values[3*thing+k][i]))
		}
		s.line(cells...)
	}
	for a := range s.rows * len(s.things) {
		if byThing {
			write(a%s.rows, a/s.rows)
		} else {
			write(a/len(s.things), a%len(s.things))
		}
	}
	for c, column := range s.values {
		thing := s.things[c/3]
		if numbered {
			thing = "landmark " + strconv.Itoa(c/3)
		}
		s.want[thing+"_"+"xyz"[c%3:c%3+1]] = column
	}
	if len(s.things) == 1 { // a table like any other, with a column that says the same in every row
		s.want = map[string][]float64{}
	}
}

func clocks(s *sheet) {
	form := rapid.SampledFrom([]string{"12:59:%09.6f", "2026-05-13 12:59:%09.6f", "2026-05-13T12:59:%09.6fZ",
		"13.05.2026 12:59:%09.6f"}).Draw(s.t, "form")
	name := rapid.SampledFrom([]string{"Time", "timestamp", "S1_Timestamp_CAL"}).Draw(s.t, "name")
	s.line(name, "ax", "label", "ay")
	for i := range s.rows {
		at := strings.Replace(fmt.Sprintf(form, float64(i)/s.rate), ".", s.point, strings.Count(form, ".")-1)
		if strings.HasPrefix(form, "13") {
			at = fmt.Sprintf(form, float64(i)/s.rate)
		}
		s.line(at, s.number(s.values[0][i]), "walk", s.number(s.values[1][i]))
	}
	s.want["ax"], s.want["ay"] = s.values[0], s.values[1]
}

func counters(s *sheet) {
	name := rapid.SampledFrom([]string{"boot_ms", "timestamp_ms", "Elapsed (ms)", "time_ms", "epoch (ms)",
		"TimeMs"}).Draw(s.t, "name")
	s.rate = rapid.SampledFrom([]float64{50, 100, 200, 500}).Draw(s.t, "whole rate")
	start := rapid.SampledFrom([]int{0, 1234, 1718030736872}).Draw(s.t, "start")
	s.line(name, "ax", "ay")
	for i := range s.rows {
		s.line(strconv.Itoa(start+i*int(1000/s.rate)), s.number(s.values[0][i]), s.number(s.values[1][i]))
	}
	s.want["ax"], s.want["ay"] = s.values[0], s.values[1]
}

func TestEveryLayoutOfASystemGivesItsNumbersOrIsRefused(t *testing.T) {
	for name, write := range map[string]func(*sheet){"Motive": motive, "Vicon": vicon, "Qualisys": qualisys,
		"Xsens": xsens, "Delsys": delsys,
		"pose estimation": pose, "force plates": plate, "long tables": longTable, "clocks": clocks,
		"counters of time": counters,
		"trainings":        training, "activity monitors": monitor, "minutes and hours": coarse, "phones": phone,
		"lines of rates": lineOfRates, "runs": runs, "bodies": bodies, "LabChart": labChart, "words in dates": worded} {
		t.Run(name, func(t *testing.T) {
			read_, refused, last := 0, 0, ""
			rapid.Check(t, func(t *rapid.T) {
				s := newSheet(t)
				write(s)
				text := s.b.String()
				rec, err := read(text)
				if err != nil {
					refused, last = refused+1, err.Error()+"\n"+text
					return
				}
				read_++
				if rec.Frames != s.frames || s.rated && math.Abs(rec.Rate-s.rate) > 1e-3*s.rate || !s.rated &&
					rec.Rate != 0 {
					t.Fatalf("%d frames at %v Hz, want %d at %v: %v\n%s", rec.Frames, rec.Rate, s.frames, s.rate,
						rec.Warnings, text)
				}
				got := numbers(rec)
				for name, want := range s.want {
					values, ok := got[name]
					if !ok || len(values) < len(want) {
						t.Fatalf("no %q of %d numbers: %v\n%s", name, len(want), rec.Warnings, text)
					}
					for i, w := range want {
						if v := values[i]; v != float32(w) && !(w != w && v != v) {
							t.Fatalf("%s is %v in row %d, want %v: %v\n%s", name, v, i, w, rec.Warnings, text)
						}
					}
				}
			})
			if t.Logf("%d read, %d refused", read_, refused); refused > read_/20 {
				t.Errorf("%d recordings were read and %d refused, the last for: %s", read_, refused, last)
			}
		})
	}
}
