package table_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/motion/quality"
)

// rated writes a table of forces, or of a marker, under lines of settings.
func rated(settings, sep, point string, marker bool, at []float64) string {
	names := []string{"Fx", "Fz"}
	if marker {
		names = []string{"LASI_x", "LASI_y", "LASI_z"}
	}
	if at != nil {
		names = append([]string{"Time"}, names...)
	}
	text := settings + strings.Join(names, sep) + "\n"
	for i := range 12 {
		var cells []string
		for c := range names {
			v := fmt.Sprintf("%d.25", 10*i+c)
			if at != nil && c == 0 {
				v = fmt.Sprintf("%.6f", at[i])
			}
			cells = append(cells, strings.ReplaceAll(v, ".", point))
		}
		text += strings.Join(cells, sep) + "\n"
	}
	return text
}

func TestARateIsReadInEverySpellingOrNotAtAll(t *testing.T) {
	found, tried, lost := 0, 0, ""
	rapid.Check(t, func(t *rapid.T) {
		tried++
		pick := func(name string, of ...string) string { return rapid.SampledFrom(of).Draw(t, name) }
		hz := rapid.SampledFrom([]float64{25, 50, 60, 100, 120, 200, 250, 500, 1000, 2000}).Draw(t, "rate")
		sep, point := pick("separator", ",", ";", "\t"), "."
		if sep != "," && rapid.Bool().Draw(t, "decimal comma") {
			point = ","
		}
		name, value, unit := "", hz, ""
		switch kind := rapid.IntRange(0, 2).Draw(t, "kind"); kind {
		case 0:
			name = pick("name", "Rate", "Sample rate", "sampling_rate", "SamplingFrequency", "Frequency", "Frame Rate",
				"fps", "OutputRate", "Output data rate", "Export rate", "Capture frame rate",
				"Abtastrate", "Messfrequenz", "Abtastfrequenz", "Fréquence d'acquisition", "Frecuencia de muestreo",
				"Sampling rate of export", "Update rate", "fs", "ODR", "Data rate")
			unit = pick("unit", "", "Hz", "kHz", "samples/s", "1/s", "fps")
		case 1:
			name = pick("name", "Sampling interval", "Sample period", "dt", "time step", "Frame interval",
				"SamplingPeriod", "Sample_Interval", "delta t", "Acquisition period", "Frame time")
			unit = pick("unit", "", "s", "sec", "ms", "msec", "us", "milliseconds")
		default:
			name, unit = pick("name", "Interval", "Period", "Acquisition", "Sampling"), pick("unit", "ms", "s", "us")
			if name == "Acquisition" || name == "Sampling" {
				unit = pick("unit of rate", "Hz", "kHz")
			}
		}
		switch strings.ToLower(unit) {
		case "khz":
			value = hz / 1e3
		case "s", "sec":
			value = 1 / hz
		case "ms", "msec", "milliseconds":
			value = 1e3 / hz
		case "us":
			value = 1e6 / hz
		case "":
			if !strings.Contains(strings.ToLower(name), "rate") && !strings.Contains(strings.ToLower(name), "fr") &&
				name != "fps" && name != "fs" && name != "ODR" || strings.HasPrefix(name, "Frame ") &&
				name != "Frame Rate" {
				value = 1 / hz
			}
		}
		number := strconv.FormatFloat(value, 'f', -1, 64)
		if decimals := rapid.IntRange(0, 6).Draw(t, "decimals"); value == math.Trunc(value) && decimals > 0 {
			number = strconv.FormatFloat(value, 'f', decimals, 64)
		}
		number = strings.ReplaceAll(number, ".", point)
		if rapid.IntRange(0, 3).Draw(t, "a fraction") == 0 && unit == "" && value == math.Trunc(value) {
			number = fmt.Sprintf("%.0f/1001", value*1001)
		}
		sign := pick("sign", sep, sep, ":"+sep, ": ", "=", " = ", ":")
		line := ""
		switch place := pick("place of the unit", "name", "number", "cell"); {
		case unit == "":
			line = name + sign + number
		case place == "name":
			line = name + pick("brackets", " (%)", " [%]", "_%", " in %") + sign + number
			line = strings.ReplaceAll(line, "%", unit)
		case place == "cell" && strings.HasSuffix(sign, sep):
			line = name + sign + number + sep + unit
		default:
			line = name + sign + number + " " + unit
		}
		line = pick("remark", "", "", "# ", "// ") + line
		above := pick("above", "", "Athlete"+sep+"Mia\n", "Low pass filter"+sep+"6 Hz\nStep rate"+sep+"3\n",
			"Filter: Butterworth, cut-off frequency: 6 Hz\n", "Sensor resolution: 16 bit\n")
		below := pick("below", "\n", "", "Trial"+sep+"3\n\n")
		text := rated(above+line+"\n"+below, sep, point, rapid.Bool().Draw(t, "marker"), nil)
		rec, err := read(text)
		if err != nil {
			return
		}
		if rec.Rate != 0 && math.Abs(rec.Rate-hz) > 1e-9*hz {
			t.Fatalf("%v Hz, want %v: %v\n%s", rec.Rate, hz, rec.Warnings, text)
		}
		if rec.Rate == 0 && !rec.Warnings.Has(quality.RateMissing) {
			t.Fatalf("no rate and no warning\n%s", text)
		}
		if rec.Rate > 0 {
			found++
		} else {
			lost += line + "\n"
		}
	})
	if 100*found < 85*tried && !testing.Short() { // in a short run there are too few to tell
		t.Errorf("%d of %d rates were read, but not\n%s", found, tried, lost)
	}
}

func TestWhatIsNoRateOfTheRowsIsNotReadAsOne(t *testing.T) {
	for _, line := range []string{
		"Low pass,6 Hz", "Cutoff frequency (Hz),6", "Filter: Butterworth 4th order, 6 Hz", "Heart rate,64",
		"Step rate,3", "Stride frequency (Hz),0.9", "Loading rate,80", "Rate of force development,900",
		"Clock frequency,8,MHz", "Carrier frequency,2.4 GHz", "Sampling frequency,59,94", "Abtastrate;1.000",
		"Sample rate,\"1,000\"", "Sampling interval,0.5", "Rate,5 bpm", "Period,2",
		"Interval,10", "Rest interval,2 s", "Frame rate,100 Hz / 1000 Hz", "Sample rates,100,1000",
		"Refresh rate: 60 Hz", "Video rate (Hz),50\nAnalog rate (Hz),1000", "Camera rate,100\nAnalog rate,1000",
		"Video rate (Hz),Analog rate (Hz)\n50,1000", "Athlete 100 Hz", "Mean frequency,72",
		"Stimulation frequency: 30 Hz", "Time step: 3", "Step,2 ms",
	} {
		sep := ","
		if strings.Contains(line, ";") {
			sep = ";"
		}
		text := rated(line+"\n\n", sep, ".", false, nil)
		if rec := whole(t, text); rec.Rate != 0 {
			t.Errorf("%q makes %v Hz", line, rec.Rate)
		}
	}
}

func TestOfSeveralRatesThatOfTheRowsCounts(t *testing.T) {
	times := func(hz float64) []float64 {
		var at []float64
		for i := range 12 {
			at = append(at, float64(i)/hz)
		}
		return at
	}
	for _, c := range []struct {
		settings string
		times    float64 // 0 for none
		marker   bool
		want     float64
		warned   bool
	}{
		{"Camera rate,100\nExport rate,50\nAnalog rate,1000\n", 100, false, 100, true},
		{"Camera rate,100\nExport rate,50\nAnalog rate,1000\n", 50, false, 50, false},
		{"Camera rate,100\nExport rate,50\nAnalog rate,1000\n", 1000, false, 1000, true},
		{"Camera rate,100\nExport rate,50\nAnalog rate,1000\n", 0, false, 50, false},
		{"Capture Frame Rate,100,Export Frame Rate,50\n", 100, true, 100, true},
		{"Marker rate,100\nOutput data rate,50 Hz\n", 100, true, 100, true},
		{"Frame rate,100\nExported at 50 Hz\n", 100, true, 100, true},
		{"Video rate (Hz),50\nAnalog rate (Hz),1000\n", 1000, false, 1000, false},
		{"Video rate (Hz),50\nAnalog rate (Hz),1000\n", 50, false, 50, false},
		{"Video rate (Hz),Analog rate (Hz)\n50,1000\n", 50, true, 50, false},
		{"Video rate (Hz),50,Analog rate (Hz),1000\n", 0, true, 50, false},
		{"Video rate (Hz),50\nCapture rate (Hz),100\nAnalog rate (Hz),1000\n", 0, true, 100, false},
		{"FREQUENCY,100\nANALOG_FREQUENCY,1000\n", 0, true, 100, false},
		{"Camera rate,100\nSample rate,1000\n", 100, true, 100, false},
		{"Sample rate,100\nSampling frequency,50\n", 100, true, 100, true},
		{"Sample rate,200\nAnalog rate,1000\n", 1000, false, 1000, true},
		{"Sample rate,200\n", 100, false, 100, true},
		{"Analog rate,1000\n", 0, false, 1000, false},
		{"Sample rate;1.000\n", 1000, false, 1000, false},
	} {
		var at []float64
		if c.times > 0 {
			at = times(c.times)
		}
		sep := ","
		if strings.Contains(c.settings, ";") {
			sep = ";"
		}
		rec := whole(t, rated(c.settings+"\n", sep, ".", c.marker, at))
		if math.Abs(rec.Rate-c.want) > 1e-6*c.want || rec.Warnings.Has(quality.RateDisagrees) != c.warned {
			t.Errorf("%q and times of %v Hz make %v Hz, want %v: %v", c.settings, c.times, rec.Rate, c.want,
				rec.Warnings)
		}
	}
	// What is not even has no rate that nothing in it bears.
	uneven := times(100)
	uneven[5] += 0.004
	uneven[8] += 0.003
	if rec := whole(t, rated("Export rate,50\n", ",", ".", false, uneven)); rec.Rate != 0 ||
		!rec.Warnings.Has(quality.RateDisagrees) {
		t.Errorf("%v Hz, %v", rec.Rate, rec.Warnings)
	}
	if rec := whole(t, rated("Export rate,100\n", ",", ".", false, uneven)); rec.Rate != 100 ||
		rec.Warnings.Has(quality.RateDisagrees) {
		t.Errorf("%v Hz, %v", rec.Rate, rec.Warnings)
	}
}

func TestALongTableWithoutTimesHasTheRateAboveItsNames(t *testing.T) {
	const rows = "0,knee,1.5,2,3\n0,hip,4,5,6\n1,knee,2.5,2,3\n1,hip,4,5,6\n2,knee,3.5,2,3\n2,hip,4,5,6\n"
	for settings, want := range map[string]float64{
		"Frame rate,100\n": 100, "Video rate,50\nAnalog rate,1000\n": 50, "Camera rate,100\nSample rate,100\n": 100,
		"Rate,100\nSample rate,50\n": 0, "Export rate,25\nRate,100\n": 25,
	} {
		rec := whole(t, settings+"\nframe,keypoint,x,y,z\n"+rows)
		holds(t, rec, want, 3, map[string][]float64{"knee_x": {1.5, 2.5, 3.5}, "hip_z": {6, 6, 6}})
		rec = whole(t, settings+"\nframe,sensor,acc\n0,a,1.5\n0,b,2\n1,a,2.5\n1,b,2\n2,a,3.5\n2,b,2\n")
		holds(t, rec, rec.Rate, 3, map[string][]float64{"a_acc": {1.5, 2.5, 3.5}})
	}
}

// A time from one sample to the next is often rounded; it stands for the rate that it was made of.
func TestARoundedIntervalHasItsRate(t *testing.T) {
	for line, want := range map[string]float64{"Sampling interval (ms),16.667": 60, "Sampling interval,0.0167 s": 60,
		"Sampling interval (ms),8.33": 120, "dt = 0.03333": 30, "Sample period: 33.367 ms": 29.97,
		"Sampling interval (ms),0.52": 1923, "Sampling interval (ms),16": 62.5} {
		rec, err := read(line + "\n\nfx,fy\n" + strings.Repeat("1.5,2.5\n2.5,3.5\n", 5))
		if err != nil || rec.Rate != want {
			t.Errorf("%q: %+v, %v", line, rec, err)
		}
	}
}

// Times of rows tell more than an interval of two digits.
func TestTimesOfRowsAreFinerThanACoarseInterval(t *testing.T) {
	for _, rows := range []int{3, 10, 30, 300} {
		for interval, rate := range map[string]float64{"0.0083 s": 120, "0.017": 60, "8.3 ms": 120, "17 ms": 60} {
			text := "Sampling interval," + interval + "\n\ntime,fz\n"
			for i := range rows {
				text += fmt.Sprintf("%.6f,%d.5\n", float64(i)/rate, i)
			}
			if rec, err := read(text); err != nil || rec.Rate != rate {
				t.Errorf("%s, %d rows: %+v, %v", interval, rows, rec, err)
			}
		}
	}
}

// A frequency of something else than sampling is no rate of the rows, in any language and however it is written; one
// of sampling is.
func TestFrequenciesOfOtherThingsAreNoRateOfTheRows(t *testing.T) {
	others := []string{"Corner frequency", "Nyquist frequency", "Line frequency", "Movement frequency",
		"Gait frequency", "Walking rate",
		"Metronome rate", "Beat frequency", "Strain rate", "Sway frequency", "Cut-off frequency",
		"Eckfrequenz", "Netzfrequenz", "Resonanzfrequenz", "Schrittfrequenz", "Pulsfrequenz", "Tiefpassfrequenz",
		"Fréquence de coupure", "Fréquence cardiaque", "Frecuencia de corte", "Frecuencia cardiaca",
		"Frequenza cardiaca", "Frequência de corte", "Taxa de erro", "Tasa de error", "Taux de perte"}
	own := []string{"Sampling frequency", "Sample rate", "Rate", "Capture frequency", "Abtastfrequenz", "Messfrequenz",
		"Bildfrequenz", "Abtastrate", "Fréquence d'acquisition", "Taux d'échantillonnage", "Frecuencia de muestreo",
		"Tasa de muestreo", "Taxa de amostragem", "Frequenza di campionamento", "サンプリング周波数",
		"フレームレート", "采样率", "采样频率", "帧率"}
	rapid.Check(t, func(t *rapid.T) {
		sampled := rapid.Bool().Draw(t, "sampled")
		names := others
		if sampled {
			names = own
		}
		name := rapid.SampledFrom(names).Draw(t, "name")
		form := rapid.SampledFrom([]string{"%s,%d", "%s: %d", "%s: %d Hz", "%s [Hz],%d", "%s = %d Hz",
			"%s,%d,Hz"}).Draw(t, "form")
		rate := rapid.SampledFrom([]int{20, 50, 100, 1000}).Draw(t, "number")
		text := fmt.Sprintf(form, name, rate) + "\nKnee,Hip\n"
		for i := range rapid.IntRange(3, 20).Draw(t, "rows") {
			text += fmt.Sprintf("%d.5,2.25\n", i)
		}
		rec, err := read(text)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case sampled && rec.Rate != float64(rate):
			t.Fatalf("%v Hz: %v\n%s", rec.Rate, rec.Warnings, text)
		case !sampled && (rec.Rate != 0 || !rec.Warnings.Has(quality.RateMissing)):
			t.Fatalf("%v Hz: %v\n%s", rec.Rate, rec.Warnings, text)
		}
	})
}
