package table_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/motion/record"
)

// given is a recording that is known, and the ways in which a program may write it.
type given struct {
	markers, channels []string
	// by row; three for each marker, then one for each channel; NaN where nothing was measured
	values   [][]float64
	rate     float64
	decimals int

	sep                          string
	comma                        bool   // the decimal sign
	thousands                    string // between thousands
	gap                          string // in a cell without a number
	preamble                     []string
	depth                        int // lines of names
	merged                       bool
	units                        int    // 0 none, 1 in brackets, 2 in a line of their own below the names, 3 above them
	unitWord                     string // that stands before the units in such a line, above a lead
	frame, timed                 bool
	clock                        bool
	footer                       []string
	blankAt                      int // a blank line in front of this row; -1 for none
	trailing, quoted, mark, wide bool
	end                          string
}

func (g *given) number(v float64) string {
	if math.IsNaN(v) {
		return g.gap
	}
	s := strconv.FormatFloat(v, 'f', g.decimals, 64)
	point := "."
	if g.comma {
		point = ","
	}
	whole, fraction, pointed := strings.Cut(s, ".")
	if g.thousands != "" {
		sign := ""
		if whole[0] == '-' {
			sign, whole = "-", whole[1:]
		}
		for at := len(whole) - 3; at > 0; at -= 3 {
			whole = whole[:at] + g.thousands + whole[at:]
		}
		whole = sign + whole
	}
	if pointed {
		whole += point + fraction
	}
	return whole
}

// cell puts a cell in quotation marks where it needs them.
func (g *given) cell(s string) string {
	if g.quoted || strings.Contains(s, g.sep) {
		return `"` + s + `"`
	}
	return s
}

func (g *given) line(b *strings.Builder, cells []string) {
	for i, c := range cells {
		if i > 0 {
			b.WriteString(g.sep)
		}
		b.WriteString(g.cell(c))
	}
	if g.trailing {
		b.WriteString(g.sep)
	}
	b.WriteString(g.end)
}

// heads are the lines of names.
func (g *given) heads() [][]string {
	var lead, leadUnits, upper, lower, units []string
	if g.frame {
		lead, leadUnits = append(lead, "Frame"), append(leadUnits, "")
	}
	if g.timed {
		name := "Time"
		if g.units == 1 && !g.clock {
			name = "Time (s)"
		}
		lead, leadUnits = append(lead, name), append(leadUnits, "s")
	}
	bracket := func(unit string) string {
		if g.units == 1 {
			return " (" + unit + ")"
		}
		return ""
	}
	for _, m := range g.markers {
		for k, axis := range []string{"x", "y", "z"} {
			name := m
			if g.depth == 1 {
				name = m + "_" + axis + bracket("mm")
			} else if g.merged && k > 0 {
				name = ""
			}
			upper, lower, units = append(upper, name), append(lower, strings.ToUpper(axis)), append(units, "mm")
		}
	}
	for _, c := range g.channels {
		upper, lower, units = append(upper, c+bracket("N")), append(lower, ""), append(units, "N")
	}
	all := [][]string{append(lead[:len(lead):len(lead)], upper...)}
	if g.depth == 2 {
		all = append(all, append(make([]string, len(lead)), lower...))
	}
	line := append(leadUnits, units...)
	if len(leadUnits) > 0 && g.unitWord != "" {
		line[0] = g.unitWord
	}
	switch g.units {
	case 2:
		all = append(all, line)
	case 3:
		all = slices.Insert(all, 0, line)
	}
	return all
}

func (g *given) text() string {
	var b strings.Builder
	for _, p := range g.preamble {
		b.WriteString(strings.ReplaceAll(p, "|", g.sep) + g.end)
	}
	for _, names := range g.heads() {
		g.line(&b, names)
	}
	for i, row := range g.values {
		if i == g.blankAt && i > 0 {
			b.WriteString(g.end)
		}
		var cells []string
		if g.frame {
			cells = append(cells, strconv.Itoa(i+1))
		}
		if g.timed {
			cells = append(cells, g.time(i))
		}
		for _, v := range row {
			cells = append(cells, g.number(v))
		}
		g.line(&b, cells)
	}
	for _, f := range g.footer {
		b.WriteString(strings.ReplaceAll(f, "|", g.sep) + g.end)
	}
	s := b.String()
	switch {
	case g.wide:
		raw := binary.LittleEndian.AppendUint16(nil, 0xfeff)
		for _, u := range utf16.Encode([]rune(s)) {
			raw = binary.LittleEndian.AppendUint16(raw, u)
		}
		return string(raw)
	case g.mark:
		return "\ufeff" + s
	}
	return s
}

func (g *given) time(i int) string {
	seconds := float64(i) / g.rate
	point := map[bool]string{true: ",", false: "."}[g.comma]
	if g.clock {
		return strings.Replace(fmt.Sprintf("2026-05-13 12:00:%07.4f", seconds), ".", point, 1)
	}
	return strings.Replace(strconv.FormatFloat(seconds, 'f', 4, 64), ".", point, 1)
}

// drawn is a recording in some of all ways.
func drawn(t *rapid.T) *given {
	pick := func(name string, of ...string) string { return rapid.SampledFrom(of).Draw(t, name) }
	yes := func(name string) bool { return rapid.IntRange(0, 3).Draw(t, name) == 0 }
	g := &given{
		rate:     rapid.SampledFrom([]float64{50, 100, 200, 250, 1000}).Draw(t, "rate"),
		decimals: rapid.IntRange(0, 5).Draw(t, "decimals"),
		sep:      pick("separator", ",", ";", "\t", "|"), end: pick("end", "\n", "\r\n", "\r"),
		gap:   pick("gap", "", "NA", "NaN", "null", "N/A", "na", "nan"),
		depth: rapid.IntRange(1, 2).Draw(t, "depth"), units: rapid.IntRange(0, 3).Draw(t, "units"),
		merged: yes("merged"),
		frame:  yes("frame"), clock: yes("clock"), trailing: yes("trailing"), quoted: yes("quoted"), mark: yes("mark"),
		wide: yes("UTF-16"), blankAt: -1,
	}
	g.timed = !yes("without times")
	g.unitWord = pick("word for units", "", "units", "Unit", "Units:", "# units")
	g.comma = g.sep != "," && yes("comma") || yes("comma in quotes")
	if yes("thousands") {
		g.thousands = pick("between thousands", map[bool]string{true: ".", false: ","}[g.comma], "\u00a0", "'",
			"\u202f")
	}
	if g.thousands == "." || g.thousands == "," {
		g.decimals = max(1, g.decimals) // without decimals, 1.000 is 1 in most tables
	}
	if g.timed && yes("blank line") {
		g.blankAt = rapid.IntRange(1, 4).Draw(t, "in front of")
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "markers") {
		g.markers = append(g.markers, []string{"LASI", "RASI", "Mia:SACR"}[i])
	}
	for i := range rapid.IntRange(1, 3).Draw(t, "channels") {
		g.channels = append(g.channels, []string{"Fz", "Fz Left", "EMG 1"}[i])
	}
	if len(g.markers) == 0 {
		g.depth = 1
	}
	size := rapid.SampledFrom([]float64{1, 30, 2000, 2e6}).Draw(t, "size")
	for range rapid.IntRange(2, 40).Draw(t, "rows") {
		var row []float64
		missing := yes("missing")
		for range g.markers {
			gone := missing && rapid.Bool().Draw(t, "marker missing")
			for range 3 {
				row = append(row, g.drawValue(t, size, gone))
			}
		}
		for range g.channels {
			row = append(row, g.drawValue(t, size, missing && rapid.Bool().Draw(t, "channel missing")))
		}
		g.values = append(g.values, row)
	}
	if !g.frame && !g.timed && g.gap == "" {
		g.gap = "NA" // lines of separators at the end are no rows
	}
	g.around(t)
	return g
}

func (g *given) drawValue(t *rapid.T, size float64, gone bool) float64 {
	if gone {
		return math.NaN()
	}
	v := rapid.Float64Range(-size, size).Draw(t, "value")
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'f', g.decimals, 64), 64)
	return v
}

// around draws what stands above the names and below the rows. In it a bar stands for
// the separator.
func (g *given) around(t *rapid.T) {
	above := rapid.SampledFrom([][]string{nil, {""}, {"Hop 1", ""}, {"# a remark", "# rate: RATE Hz"},
		{"// one|two", "// exported"},
		{"Athlete|Mia Lund", "Sample rate|RATE", "Mass|63", ""}, {"Sample Rate:|RATE|Hz", "Notes|none"},
		{"Date|13/05/2026", "Trial|3", "Height|171", "Rate|RATE", "", ""},
		{"Version: 2.1", "Units: mm", "||", ""}, {"sep=SEP"}, {"sep=SEP", "Subject|7", "Age|23", ""},
		{"-- Data File Created By a device v6.1 at RATE Hz  Filter Normal --", "Serial Number: 7"},
		{"Name|Date|Start time|Duration", "Mia|13-05-2026|09:30:02|00:30:12", ""}}).Draw(t, "above")
	for _, line := range above {
		g.preamble = append(g.preamble, strings.NewReplacer("RATE", strconv.FormatFloat(g.rate, 'f', -1, 64), "SEP",
			g.sep).Replace(line))
	}
	if !g.timed {
		return
	}
	width := 3*len(g.markers) + len(g.channels)
	sums := func(name string) string {
		lead := name
		if g.frame {
			lead = "|" + name
		}
		return lead + strings.Repeat("|7", width)
	}
	g.footer = rapid.SampledFrom([][]string{nil, nil, {sums("Mean"), sums("SD")}, {"", "Generated by a tool"},
		{"", sums("Maximum")}, {"", "", "end of file", ""},
		{"", "time|knee", "0|5", "0|7", "0|8"}}).Draw(t, "below")
}

func TestHoweverARecordingIsWrittenItsNumbersAreTheSameOrItIsRefused(t *testing.T) {
	read_, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		g := drawn(t)
		text := g.text()
		rec, err := read(text)
		if err != nil {
			refused++
			return
		}
		read_++
		g.check(t, rec, text)
	})
	t.Logf("%d read, %d refused", read_, refused)
	if read_ < 3*refused {
		t.Errorf("%d recordings were read and %d refused", read_, refused)
	}
}

// check wants the numbers of a recording that was read.
func (g *given) check(t *rapid.T, rec *record.Recording, text string) {
	if rec.Frames != len(g.values) {
		t.Fatalf("%d frames, want %d: %v\n%s", rec.Frames, len(g.values), rec.Warnings, text)
	}
	if g.timed && math.Abs(rec.Rate-g.rate) > 1e-3*g.rate {
		t.Fatalf("%v Hz, want %v: %v\n%s", rec.Rate, g.rate, rec.Warnings, text)
	}
	if columns := len(g.heads()[0]); g.units >= 2 && columns > 2 {
		if len(g.markers) > 0 && rec.Unit != "mm" {
			t.Fatalf("positions in %q: %v\n%s", rec.Unit, rec.Warnings, text)
		}
		for _, c := range rec.Analogs {
			if c.Unit != "N" {
				t.Fatalf("%s in %q: %v\n%s", c.Name, c.Unit, rec.Warnings, text)
			}
		}
	}
	got := numbers(rec)
	column := func(name string, at int, whole func(row []float64) bool) {
		values, ok := got[name]
		if !ok {
			t.Fatalf("no %s; there are %v\n%s", name, len(got), text)
		}
		for i, row := range g.values {
			want := float32(row[at])
			if !whole(row) {
				want = float32(math.NaN())
			}
			if v := values[i]; v != want && !(v != v && want != want) {
				t.Fatalf("%s is %v in row %d, want %v; warnings %v\n%s", name, v, i, want, rec.Warnings, text)
			}
		}
	}
	for m, name := range g.markers {
		whole := func(row []float64) bool { return row[3*m] == row[3*m] }
		for k, axis := range []string{"_x", "_y", "_z"} {
			column(name+axis, 3*m+k, whole)
		}
	}
	for c, name := range g.channels {
		known := false
		for _, row := range g.values {
			known = known || row[3*len(g.markers)+c] == row[3*len(g.markers)+c]
		}
		if known {
			column(name, 3*len(g.markers)+c, func([]float64) bool { return true })
		}
	}
}
