package table

import (
	"regexp"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/text"
	"github.com/kinebase/kinebase/motion/units"
)

// A rate is stated as a number a second (Sample rate, 100 Hz), or as the time from one
// sample to the next (Sampling interval (ms): 10), with its unit in the name, behind the
// number, in a cell of its own, or without one.

// rateName is what the name of a setting says of the number beside it.
type rateName struct {
	of     stream
	period bool   // the number is a time, and not one a second
	bare   bool   // only a unit tells that the name is that of a rate
	unit   string // that stands in the name
}

// Words of the names of rates, in small letters.
var (
	rateWords = []string{"fps", "hz", "rate", "frequency", "freq", "samplerate", "framerate", "outputrate",
		"updaterate", "samplefrequency", "samplingrate", "abtastrate", "bildrate",
		//lint:ignore misspelled French without its accent
		"messrate", "frequence", "fréquence", "frecuencia", "frequenza", "frequência", "frequencia", "frequenz",
		"abtastfrequenz", "messfrequenz", "aufnahmefrequenz", "aufzeichnungsfrequenz", "erfassungsfrequenz",
		"bildfrequenz", "bildwiederholfrequenz", "kamerafrequenz", "samplefrequenz", "samplingfrequenz", "taktfrequenz",
		"ausgabefrequenz", "exportfrequenz", "sensorfrequenz", "aufnahmerate", "samplingraten", "サンプリング周波数",
		"サンプリングレート", "フレームレート", "周波数", "采样率", "采样频率", "帧率", "频率", "샘플링주파수"}
	// These are rates with words of sampling behind them alone.
	ratesOf     = []string{"taxa", "tasa", "taux"}
	shortRates  = []string{"fs", "sr", "odr", "sps", "srate"}
	periodWords = []string{"interval", "period", "dt", "step", "timestep", "sampleinterval", "samplinginterval",
		"sampleperiod", "samplingperiod", "intervall", "abtastintervall", "periode", "période"}
	// Beside these words a word of time is that from one sample to the next.
	sampleWords = []string{"sample", "samples", "sampling", "frame", "frames", "data", "acquisition", "recording",
		"measurement", "scan", "export", "output", "adc", "time", "log", "logging", "update", "delta"}
	// With these words a rate may have others behind it.
	ofSampling = []string{"of", "de", "d", "di", "da", "du", "the", "sampling", "sample", "acquisition", "acquisizione",
		"adquisición", "adquisicion", "muestreo", "campionamento",
		"amostragem", "échantillonnage", "echantillonnage", "recording", "capture", "export", "exported", "output",
		"measurement", "data", "used", "nominal", "setting"}
	streamWords = map[string]stream{
		"export": ofExport, "exported": ofExport, "output": ofExport, "outputrate": ofExport, "odr": ofExport,
		"resampled": ofExport, "resampling": ofExport, "downsampled": ofExport,
		"analog": ofSamples, "analogue": ofSamples, "emg": ofSamples, "force": ofSamples, "forces": ofSamples,
		"plate": ofSamples, "forceplate": ofSamples, "adc": ofSamples, "daq": ofSamples,
		"video": ofVideo,
		"frame": ofFrames, "frames": ofFrames, "framerate": ofFrames, "fps": ofFrames, "camera": ofFrames,
		"cameras": ofFrames, "marker": ofFrames, "markers": ofFrames,
		"point": ofFrames, "points": ofFrames, "capture": ofFrames, "mocap": ofFrames, "bildrate": ofFrames,
		"bildfrequenz": ofFrames, "bildwiederholfrequenz": ofFrames, "kamerafrequenz": ofFrames, "フレームレート": ofFrames,
		"帧率": ofFrames, "ausgabefrequenz": ofExport, "exportfrequenz": ofExport,
	}
	// Of these something else is told: a cut-off, a cadence, a heart.
	noRates = []string{"step", "steps", "stride", "strides", "stroke", "strokes", "breath", "breathing", "respiration",
		"pulse", "error", "loading", "dose", "learning", "clock", "notch",
		"stimulation", "butterworth", "smoothing", "tremor", "vibration", "resonance", "natural", "mean", "median",
		"dominant", "peak", "max", "maximum", "min", "minimum", "spectral", "corner", "nyquist", "line",
		"center", "centre", "movement", "gait", "walking", "running", "pedal", "pedaling", "pedalling", "cycling",
		"cycle", "beat", "beats", "metronome", "stimulus", "driving", "excitation", "sway", "oscillation",
		"modulation", "flow", "sweat", "metabolic", "exchange", "firing", "discharge", "spike", "blink", "sweep",
		"ventilation", "slew", "strain", "shear", "work", "ramp", "hit", "detection", "fundamental", "swing", "jump",
		"tapping", "tap", "paddle", "rowing", "swimming", "wave",
		"carrier", "radio", "band", "transfer", "success", "loss", "development", "cadence", "mains"}
	noRateParts = []string{"cut", "filter", "pass", "heart", "baud", "bit", "drop", "refresh", "respiratory", "herzf",
		"atemf", "schrittf", "trittf", "grenzf"}
)

// rateNameOf reads the name of a setting, false where it is that of no rate.
func rateNameOf(name string) (rateName, bool) {
	lower := strings.ToLower(name)
	if lower == "" || lower[0] >= '0' && lower[0] <= '9' ||
		slices.ContainsFunc(noRateParts, func(part string) bool { return strings.Contains(lower, part) }) {
		return rateName{}, false
	}
	words := wordsOf(strings.ReplaceAll(name, "kHz", "khz"))
	var r rateName
	if isPerSecond(words) {
		return rateName{of: streamOf(words)}, true
	}
	words, r.unit = trailingUnit(words)
	if len(words) == 0 || len(words) > 5 {
		return rateName{}, false
	}
	r.of = streamOf(words)
	last := words[len(words)-1]
	r.period = isPeriod(words)
	switch {
	case r.period:
		r.bare = !slices.ContainsFunc(words,
			func(w string) bool { return slices.Contains(sampleWords, w) || w == "dt" || len(w) > len("interval") })
		return r, len(words) <= 4
	case slices.ContainsFunc(words, func(w string) bool { return slices.Contains(noRates, w) }):
		return rateName{}, false
	case len(words) == 1 && slices.Contains(shortRates, last), slices.Contains(words, "odr"), isRateWord(last):
		return r, len(words) <= 4
	case isRateWord(words[0]), slices.Contains(ratesOf, words[0]) && len(words) > 1:
		return r, !slices.ContainsFunc(words[1:],
			func(w string) bool { return streamWords[w] == 0 && !slices.Contains(ofSampling, w) })
	case len(words) == 1 && slices.Contains([]string{"sampling", "acquisition", "recording", "aufnahme", "abtastung"},
		last):
		r.bare = true
		return r, true
	}
	return rateName{}, false
}

func isRateWord(word string) bool {
	return slices.Contains(rateWords, word)
}

// isPerSecond says whether a name is that of a number of samples: frames per second.
func isPerSecond(words []string) bool {
	return len(words) > 1 && len(words) < 5 &&
		slices.Contains([]string{"frames", "samples", "readings", "scans", "images"}, words[0]) &&
		slices.Contains([]string{"second", "sec", "s"}, words[len(words)-1]) && (len(words) == 2 || words[1] == "per")
}

// isPeriod says whether words are those of the time from one sample to the next. A step
// is one only of time.
func isPeriod(words []string) bool {
	last := words[len(words)-1]
	switch {
	case last == "t":
		return len(words) == 2 && words[0] == "delta"
	case last == "time":
		return len(words) == 2 && words[0] == "frame"
	case last == "step":
		return len(words) == 2 && words[0] == "time"
	case slices.Contains(periodWords, last):
		return len(words) == 1 || !slices.ContainsFunc(words[:len(words)-1], func(w string) bool {
			_, known := streamWords[w]
			return !known && !slices.Contains(sampleWords, w)
		})
	}
	return false
}

// streamOf tells by the words of its name of what a rate is: the first that says it, but
// for the words of exports, which count before all others.
func streamOf(words []string) stream {
	found := ofRows
	for _, w := range words {
		of, known := streamWords[w]
		switch {
		case known && of == ofExport:
			return ofExport
		case known && (found == ofRows || found == ofFrames):
			found = of
		}
	}
	return found
}

// trailingUnit takes the unit off the words of a name: sampling rate in Hz.
func trailingUnit(words []string) (rest []string, unit string) {
	n := len(words)
	if n < 2 {
		return words, ""
	}
	last := words[n-1]
	_, isTime := units.PerSecond(last)
	switch {
	case last == "hz" || last == "khz":
		n--
	case isTime && n > 2 && slices.Contains([]string{"samples", "frames", "sample", "frame"}, words[n-2]):
		n, last = n-2, "hz"
	case isTime:
		n--
	default:
		return words, ""
	}
	if n > 1 && words[n-1] == "in" {
		n--
	}
	return words[:n], last
}

// perSecondUnits are the spellings of units of rates, in small letters without blanks.
var perSecondUnits = map[string]float64{"hz": 1, "hertz": 1, "herz": 1, "fps": 1, "/s": 1, "1/s": 1, "s/s": 1, "sps": 1,
	"s-1": 1, "s^-1": 1, "f/s": 1, "/sec": 1,
	"samples/s": 1, "samples/sec": 1, "samples/second": 1, "samplespersecond": 1, "frames/s": 1, "frames/sec": 1,
	"frames/second": 1, "framespersecond": 1, "khz": 1e3, "kilohertz": 1e3}

// numberFirst takes a number off the beginning of a text.
var numberFirst = regexp.MustCompile(
	`^([0-9](?:[0-9.,']|[ \x{a0}\x{202f}][0-9]{3})*(?:[eE]-?[0-9]+)?)(?:\s*/\s*([0-9]+))?\s*(.*)$`)

// firstNumber gives the number at the beginning of a text, what it is divided by, and what is
// behind it; nil where there is none.
func firstNumber(text string) []string {
	if text == "" || text[0] < '0' || text[0] > '9' {
		return nil
	}
	return numberFirst.FindStringSubmatch(text)
}

// ratesOf reads the number of a setting and its unit, which may stand in the next cell.
// Of a number that may be read in two ways it gives both.
func (n rateName) ratesOf(value, next string) []rate {
	found := firstNumber(strings.TrimSpace(value))
	if found == nil || isAnother(value, next) {
		return nil
	}
	numbers := readings(strings.TrimRight(found[1], ",.'"))
	if divisor := found[2]; divisor != "" && len(numbers) == 1 { // 30000/1001
		by, _ := small(divisor, 1e8)
		numbers[0] /= by // infinite is no usable rate
	}
	behind, _, _ := strings.Cut(found[3], "(")
	unit := unitOfRate(behind, n.unit, next)
	var all []rate
	for _, v := range numbers {
		last := 0.0 // what 1 in the last digit is worth
		if _, digit, ok := text.Stated([]byte(strings.TrimRight(found[1], ",.'"))); ok && found[2] == "" {
			last = digit * v / numbers[0]
		}
		for _, one := range n.perSecond(v, last, unit) {
			if record.Usable(one.hz) && (found[2] == "" || one.hz >= 1) {
				one.of = n.of
				all = append(all, one)
			}
		}
	}
	for i := range all {
		all[i].unsure = len(all) > 1
	}
	return all
}

// isAnother says whether another number stands behind that of a setting: its decimals,
// behind a comma that sets cells apart, or one of another thing.
func isAnother(value, next string) bool {
	value, next = strings.TrimSpace(value), strings.TrimSpace(next)
	return kindOf([]byte(next)) == numeral && strings.Trim(next, "0") != "" && next != value
}

// perSecond makes a rate of a number in a unit, and two where it may be in two units. What 1 in the
// last digit of the number is worth tells how far a time may be rounded: 0.0167 s is 60 Hz.
func (n rateName) perSecond(v, last float64, unit string) []rate {
	scale, isRate := perSecondUnits[unit]
	each := func(perSecond float64) rate {
		hz, least, most := record.RateOfPace(v/perSecond, last/perSecond)
		return rate{hz: hz, coarse: least < most}
	}
	perSecond, isTime := units.PerSecond(unit)
	switch {
	case unit == "" && n.bare:
	case unit == "" && n.period && v > 0.05:
		return []rate{each(1), each(1e3)}
	case unit == "" && n.period:
		return []rate{each(1)}
	case unit == "":
		return []rate{{hz: v}}
	case isRate && !n.period:
		return []rate{{hz: v * scale}}
	case isTime && (n.period && (!n.bare || v < perSecond) || !n.period && perSecond > 1):
		return []rate{each(perSecond)}
	}
	return nil
}

// unitOfRate is the first unit of those behind a number, in the name of its setting, and
// in the cell beside it, which counts only if it is a unit.
func unitOfRate(behind, inName, next string) string {
	plain := func(text string) string {
		return strings.ToLower(strings.Join(strings.Fields(strings.Trim(text, " .,;")), ""))
	}
	if behind = plain(behind); behind != "" {
		return behind
	}
	next = plain(next)
	_, isRate := perSecondUnits[next]
	_, isTime := units.PerSecond(next)
	if isRate || isTime || slices.Contains([]string{"mhz", "ghz", "rpm", "bpm", "%"}, next) {
		return next
	}
	return inName
}

// readings gives the numbers that digits may stand for: 1.000 is a thousand in some
// countries, and 1,000 in others.
func readings(digits string) []float64 {
	var n numerals
	v, ok := n.number([]byte(digits), -1)
	if !ok || !(v > 0) {
		return nil
	}
	if at := strings.IndexAny(digits, ".,"); at >= 0 && threeBehind([]byte(digits), at) &&
		(at == 1 || at == 2 && digits[at] == ',') {
		return []float64{v, 1000 * v}
	}
	return []float64{v}
}
