// Package quality is the vocabulary in which a codec reports on the file before
// it: Warning for what is odd and can be lived with, Unreadable for what cannot.
// It stands below the codecs so that they need not know package motion, which
// knows all of them and offers these types under its own name.
package quality

import (
	"fmt"
	"strconv"
	"strings"
)

// Code is the short machine-readable name of a kind of warning.
type Code string

// The codes of all codecs. A code says what disagrees or is missing; the
// sentence beside it says with which numbers.
const (
	FramesDisagree     Code = "frames-disagree"      // the places that count frames differ
	FirstDisagrees     Code = "first-frame-disagree" // the places that number the first frame differ
	FramesJump         Code = "frame-numbers-jump"   // frame numbers skip or go back
	CutShort           Code = "cut-short"            // the file ends before what it announces
	BytesLeftOver      Code = "bytes-left-over"      // the file goes on after its last frame
	PointsDisagree     Code = "points-disagree"      // the places that count points differ
	PointsUnnamed      Code = "points-unnamed"       // columns of points without a name
	AnalogDisagrees    Code = "analog-disagree"      // the places that count analog samples differ
	RateDisagrees      Code = "rate-disagree"        // the places that state the rate differ
	RateMissing        Code = "rate-missing"         // no place states a usable rate
	AnalogRate         Code = "analog-rate-disagree" // analog rate and samples per frame differ
	ScaleDisagrees     Code = "scale-disagree"       // the places that state the scale factor differ
	ScaleMissing       Code = "scale-missing"        // no place states a usable scale factor
	DataStartDisagrees Code = "data-start-disagree"  // the places that point to the first frame differ
	ProcessorUnknown   Code = "processor-unknown"    // the byte order had to be guessed
	ParameterBlocks    Code = "parameter-blocks"     // the parameter section is not as long as announced
	ParametersDamaged  Code = "parameters-damaged"   // some parameters could not be read
	ParametersCut      Code = "parameters-cut"       // the parameter section stops without its end mark
	GroupMissing       Code = "group-missing"        // a parameter group that should be there is not
	GroupRepeated      Code = "group-repeated"       // a parameter group is there twice
	LabelsMissing      Code = "labels-missing"       // fewer names than points or channels
	LabelsExtra        Code = "labels-extra"         // more names than points or channels
	LabelsRepeated     Code = "labels-repeated"      // a name is used more than once
	UnitMissing        Code = "unit-missing"         // no unit of length
	UnitUnknown        Code = "unit-unknown"         // a unit of length that cannot be converted
	UnitCut            Code = "unit-cut"             // a unit of length that is not written to its end
	UnitsDiffer        Code = "units-differ"         // positions are in several units of length
	TimeUnitUnknown    Code = "time-unit-unknown"    // times are in a unit that is not known
	HeaderShifted      Code = "header-shifted"       // header values are not below their names
	NamesShifted       Code = "names-shifted"        // names are not above their columns
	RowsRagged         Code = "rows-ragged"          // rows have differing numbers of cells
	RowsSkipped        Code = "rows-skipped"         // lines among the rows that are no frames
	TimesMissing       Code = "times-missing"        // rows without a readable time
	RowsNone           Code = "rows-none"            // a table without rows
	ColumnsDisagree    Code = "columns-disagree"     // the places that count columns differ
	TimesUneven        Code = "times-uneven"         // frames are not evenly spaced in time
	ParameterMissing   Code = "parameter-missing"    // a parameter that should be there is not
	ParametersMissing  Code = "parameters-missing"   // there is no parameter section at all
	AnalogScale        Code = "analog-scale"         // the calibration of analog channels is missing or useless
	AnalogRange        Code = "analog-range"         // analog samples are beyond what their format can hold
	EventsMisnamed     Code = "events-misnamed"      // the events are in a group of another name
	EventsDisagree     Code = "events-disagree"      // the places that count or time events differ
	MetricsDisagree    Code = "metrics-disagree"     // the places that count, name or have metrics differ
	PlatesDisagree     Code = "plates-disagree"      // the places that count or describe force platforms differ
	RotationsDamaged   Code = "rotations-damaged"    // rotations are announced that cannot be read
	LineEndsDoubled    Code = "line-ends-doubled"    // lines end in CR CR LF
	ValuesNotNumbers   Code = "values-not-numbers"   // points that are marked as seen and have no place
	CellsUnreadable    Code = "cells-unreadable"     // cells of a table that hold something other than a number
	Placeholders       Code = "placeholders"         // numbers such as -9999 stand where nothing was measured
	PointsAtOrigin     Code = "points-at-origin"     // points jump to exactly 0, 0, 0 and back
	ScaleIgnored       Code = "scale-ignored"        // a setting asks to multiply or shift numbers, which were kept
	DecimalsUnclear    Code = "decimals-unclear"     // a comma was taken for the decimal sign without proof
	NegativesBracketed Code = "negatives-bracketed"  // negative numbers stand in parentheses
	AngleUnitMissing   Code = "angle-unit-missing"   // the file does not say whether angles are degrees or radians
	SectionsSkipped    Code = "sections-skipped"     // a part of the file that was not read
	CapturesSeveral    Code = "captures-several"     // the file holds several recordings, of which the first was read
	ZoneMissing        Code = "zone-missing"         // the time of recording has no time zone
	DatesUnclear       Code = "dates-unclear"        // the dates of rows can be read in several ways
	ClocksSeveral      Code = "clocks-several"       // sensors have times of their own
	EditsIgnored       Code = "edits-ignored"        // only a part of the video is to be shown, all of it was counted
)

// Warning is one oddity of a file that could be read nevertheless.
type Warning struct {
	Code    Code
	Message string // a whole sentence for a person, with the numbers that differ
}

// Warnings collects the warnings on one file, in the order in which they were
// found. The zero value is ready.
type Warnings []Warning

// Add notes a warning with a formatted sentence.
func (w *Warnings) Add(code Code, format string, args ...any) {
	*w = append(*w, Warning{Code: code, Message: fmt.Sprintf(format, args...)})
}

// AddNowhere notes in how many places a point is marked as seen and is not there:
// whoever reads a file in stretches adds them up before.
func (w *Warnings) AddNowhere(places int) {
	w.Add(ValuesNotNumbers, "In %s places a point is marked as seen but its coordinates are no numbers; it was taken "+
		"for missing there.", Thousands(int64(places)))
}

// AddBeyond notes how many analog samples are beyond what their format can hold, as
// AddNowhere does for points.
func (w *Warnings) AddBeyond(samples int) {
	w.Add(AnalogRange, "%s analog samples are beyond what the 16 bits of ANALOG:FORMAT can hold; they were kept as "+
		"the file has them.", Thousands(int64(samples)))
}

// AddInfinite notes how many analog samples are infinite, as AddNowhere does for points.
func (w *Warnings) AddInfinite(samples int) {
	w.Add(ValuesNotNumbers, "Of the analog samples %s had an infinite value; it was taken for missing.",
		Thousands(int64(samples)))
}

// AddTooLarge warns of numbers that are missing because they are too large in the unit that
// they were converted to, if there are any.
func (w *Warnings) AddTooLarge(numbers int, name, unit string) {
	if numbers > 0 {
		w.Add(ValuesNotNumbers, "%s numbers of %q are too large in %q and are missing.", Thousands(int64(numbers)),
			name, unit)
	}
}

// Has says whether a warning of this code was noted.
func (w Warnings) Has(code Code) bool {
	for _, x := range w {
		if x.Code == code {
			return true
		}
	}
	return false
}

// Unreadable says why a file cannot be read, where it goes wrong, and what the
// person who has it can do. It is about the file alone: a disk that fails while
// the file is being read is an ordinary error.
type Unreadable struct {
	Reason string // what is wrong, a sentence without its full stop
	Offset int64  // the byte where it goes wrong, counted from 0; 0 when it is no single byte
	Line   int    // the line where it goes wrong, counted from 1; 0 in a binary file
	Hint   string // what to do about it, a whole sentence
}

// Error is the reason, the place and the hint, as a person would read them.
func (u *Unreadable) Error() string {
	var b strings.Builder
	b.WriteString(u.Reason)
	switch {
	case u.Line > 0:
		fmt.Fprintf(&b, " (line %s)", Thousands(int64(u.Line)))
	case u.Offset > 0:
		fmt.Fprintf(&b, " (at byte %s)", Thousands(u.Offset))
	}
	b.WriteString(".")
	if u.Hint != "" {
		b.WriteString(" " + u.Hint)
	}
	return b.String()
}

// The hints that several codecs give.
const (
	ExportAgain = "Export it again from the capture software."
	CopyAgain   = "Copy it again from where it came from, or export it again."
)

// Empty is the error for a file of no bytes.
func Empty() *Unreadable {
	return &Unreadable{Reason: "The file is empty (0 bytes)", Hint: ExportAgain}
}

// Thousands writes a number with commas, as sentences have it.
func Thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
