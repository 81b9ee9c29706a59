// Package bvh reads BVH files (Biovision): a skeleton, and how its joints turn.
//
// What is known of the format comes from its many public descriptions and from
// files of many programs. Under HIERARCHY stands a tree of joints, each with its
// OFFSET from the one above and the CHANNELS that move it, in the order in which
// they are applied; a branch may end with an End Site, which has an offset only.
// Under MOTION stand the number of frames, the time of one, and for every frame a
// number for every channel. Lengths are in no unit that the file would name,
// angles in degrees.
package bvh

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/text"
)

// Joint is a joint of the skeleton, or the end of one of its branches.
type Joint struct {
	Name     string // no two alike; the end of a branch is called after its joint, with _end
	Parent   int    // the joint that it hangs on, -1 for a root; always an earlier one
	Offset   [3]float64
	Channels []Channel
	End      bool // nothing turns here

	placed bool // it has an OFFSET
}

// Channel is one number a frame: a place along an axis, or a turn about one, in
// degrees.
type Channel struct {
	Name string // as the file has it, such as Zrotation
	Axis int    // 0, 1, 2 for x, y, z
	Turn bool
}

// words gives a text word by word, and remembers in which line. A brace is a word of its
// own, wherever it stands. The format knows no remarks, but programs and people write
// them: from a word that begins with a mark to the end of the line.
type words struct {
	lines *text.Lines
	line  []byte
}

// marks are what remarks begin with.
var marks = []string{"#", "//", ";", "%"}

// remark says whether a line goes on with a remark.
func remark(line []byte) bool {
	line = bytes.TrimLeftFunc(line, func(r rune) bool { return r <= ' ' })
	return slices.ContainsFunc(marks, func(mark string) bool { return bytes.HasPrefix(line, []byte(mark)) })
}

// next gives the next word; at the end io.EOF. The bytes are good until the next
// line.
func (w *words) next() ([]byte, error) {
	for {
		i := 0
		for i < len(w.line) && blank(w.line[i]) {
			i++
		}
		if w.line = w.line[i:]; len(w.line) > 0 && !remark(w.line) {
			break
		}
		line, err := w.lines.Next()
		if err != nil {
			return nil, err
		}
		w.line = line
	}
	if isBrace(w.line[0]) {
		word := w.line[:1]
		w.line = w.line[1:]
		return word, nil
	}
	word := w.word()
	if at := bytes.IndexAny(word, "{}"); at > 0 {
		back := len(word) - at // the line goes on behind the word
		word, w.line = word[:at], append(bytes.Clone(word[at:at+back]), w.line...)
	}
	return word, nil
}

func isBrace(b byte) bool { return b == '{' || b == '}' }

// word gives the next word of the line; none at its end.
func (w *words) word() []byte {
	start := 0
	for start < len(w.line) && blank(w.line[start]) {
		start++
	}
	end := start
	for end < len(w.line) && !blank(w.line[end]) {
		end++
	}
	word := w.line[start:end]
	w.line = w.line[end:]
	return word
}

func blank(b byte) bool { return b <= ' ' }

// name gives what is left of the line before a brace, without a remark, and whether
// there was a brace. A remark behind a name has blanks around its mark, or is behind //.
func (w *words) name() (name string, brace bool) {
	line := w.line
	w.line = nil
	if at := bytes.IndexByte(line, '{'); at >= 0 {
		line, w.line, brace = line[:at], line[at+1:], true
	}
	for _, mark := range []string{" # ", "\t# ", " //", "\t//", " ; ", "\t; ", " % ", "\t% "} {
		if at := bytes.Index(line, []byte(mark)); at >= 0 {
			line = line[:at]
			if brace { // it was part of the remark
				w.line, brace = nil, false
			}
		}
	}
	return strings.TrimSpace(label.Clean(line)), brace
}

// wrong is the error for what is not as it should be.
func (w *words) wrong(format string, args ...any) error {
	return &quality.Unreadable{Reason: fmt.Sprintf(format, args...), Line: max(1, w.lines.Number()),
		Hint: quality.ExportAgain}
}

// must is next where something must be.
func (w *words) must(what string) (string, error) {
	word, err := w.next()
	if errors.Is(err, io.EOF) {
		return "", &quality.Unreadable{Reason: "The file ends before " + what, Line: max(1, w.lines.Number()),
			Hint: quality.CopyAgain}
	}
	if err != nil {
		return "", err
	}
	return string(word), nil
}

// Bounds that no real skeleton comes near.
const (
	jointsMost  = 100_000
	deepest     = 10_000
	channelsOne = 12
)

// readSkeleton reads up to the word MOTION.
func readSkeleton(w *words, warnings *quality.Warnings) ([]Joint, error) {
	word, err := w.next()
	if errors.Is(err, io.EOF) {
		if w.lines.Number() == 0 {
			return nil, quality.Empty()
		}
		return nil, notBVH()
	}
	if err != nil {
		return nil, err
	}
	if !strings.EqualFold(string(word), "HIERARCHY") {
		return nil, notBVH()
	}
	var joints []Joint
	var open []int // the joints whose braces are open
	for {
		word, err := w.must("the word MOTION")
		if err != nil {
			return nil, err
		}
		switch strings.ToUpper(word) {
		case "ROOT", "JOINT", "END":
			if open, err = w.begin(&joints, open, strings.ToUpper(word)); err != nil {
				return nil, err
			}
		case "OFFSET":
			if len(open) == 0 {
				return nil, w.wrong("An OFFSET stands outside of every joint")
			}
			if err := w.offset(&joints[open[len(open)-1]]); err != nil {
				return nil, err
			}
		case "CHANNELS":
			if len(open) == 0 {
				return nil, w.wrong("CHANNELS stand outside of every joint")
			}
			if err := w.channels(&joints[open[len(open)-1]]); err != nil {
				return nil, err
			}
		case "}":
			if len(open) == 0 {
				return nil, w.wrong("A brace is closed that was not opened")
			}
			if joints, err = w.end(joints, open[len(open)-1]); err != nil {
				return nil, err
			}
			open = open[:len(open)-1]
		case "MOTION":
			if len(open) > 0 {
				return nil, w.wrong("The braces of %d joints are not closed", len(open))
			}
			if len(joints) == 0 {
				return nil, w.wrong("The skeleton has no joint")
			}
			return named(joints, warnings), nil
		default:
			return nil, w.wrong("%q is not expected in a skeleton", clip(word))
		}
	}
}

func notBVH() error {
	return &quality.Unreadable{
		Reason: "This is not a BVH file: it does not begin with HIERARCHY", Line: 1,
		Hint: "Check what kind of file it is, or export it again as BVH.",
	}
}

// begin reads the name of a joint and the brace that opens it. A name may have
// blanks and goes to the end of its line.
func (w *words) begin(joints *[]Joint, open []int, what string) ([]int, error) {
	j := Joint{Parent: -1, End: what == "END"}
	var brace bool
	if j.Name, brace = w.name(); !brace {
		if word, err := w.must("the brace of a joint"); err != nil {
			return nil, err
		} else if word != "{" {
			return nil, w.wrong("The joint %q has no brace", clip(j.Name))
		}
	}
	switch {
	case what == "ROOT" && len(open) > 0:
		return nil, w.wrong("A ROOT stands within a joint")
	case what != "ROOT" && len(open) == 0:
		return nil, w.wrong("%q stands outside of every ROOT", clip(j.Name))
	case len(open) > 0 && (*joints)[open[len(open)-1]].End:
		return nil, w.wrong("A joint hangs on the end of a branch")
	case len(*joints) == jointsMost || len(open) == deepest:
		return nil, w.wrong("The skeleton has more joints than any creature")
	}
	if len(open) > 0 {
		j.Parent = open[len(open)-1]
	}
	*joints = append(*joints, j)
	return append(open, len(*joints)-1), nil
}

// end closes the brace of a joint. One without an OFFSET stands nowhere, unless its channels say
// where it is; the end of a branch without one is none.
func (w *words) end(joints []Joint, i int) ([]Joint, error) {
	j := &joints[i]
	places := 0
	for _, c := range j.Channels {
		if !c.Turn {
			places++
		}
	}
	switch {
	case j.placed || places == 3:
		return joints, nil
	case j.End:
		return joints[:i], nil
	}
	return nil, w.wrong("The joint %q has no OFFSET, so it is not known where it stands", clip(j.Name))
}

func (w *words) offset(j *Joint) error {
	j.placed = true
	for i := range j.Offset {
		word, err := w.must("the numbers of an OFFSET")
		if err != nil {
			return err
		}
		f, ok := text.Number([]byte(word))
		if !ok {
			return w.wrong("The OFFSET of %q has %q for a number", clip(j.Name), clip(word))
		}
		j.Offset[i] = f
	}
	return nil
}

func (w *words) channels(j *Joint) error {
	word, err := w.must("the number of CHANNELS")
	if err != nil {
		return err
	}
	n, ok := text.Number([]byte(word))
	if !ok || n < 0 || n > channelsOne || n != float64(int(n)) || len(j.Channels) > 0 || j.End {
		return w.wrong("%q cannot have %q channels", clip(j.Name), clip(word))
	}
	for range int(n) {
		word, err := w.must("the names of CHANNELS")
		if err != nil {
			return err
		}
		c := Channel{Name: word}
		lower := strings.ToLower(word)
		axis := strings.IndexByte("xyz", lower[0])
		c.Turn = lower[1:] == "rotation"
		if axis < 0 || !c.Turn && lower[1:] != "position" {
			return w.wrong("%q has the channel %q, which is neither a place along an axis nor a turn about one",
				clip(j.Name), clip(word))
		}
		c.Axis = axis
		same := func(other Channel) bool { return !other.Turn && other.Axis == axis }
		if !c.Turn && slices.ContainsFunc(j.Channels, same) {
			return w.wrong("%q has the channel %q twice, so it is not known where it is", clip(j.Name), clip(word))
		}
		j.Channels = append(j.Channels, c)
	}
	return nil
}

// named gives the joints names, no two alike.
func named(joints []Joint, warnings *quality.Warnings) []Joint {
	names := make([]string, len(joints))
	for i, j := range joints {
		if names[i] = j.Name; j.End {
			names[i] = joints[j.Parent].Name + "_end"
		}
	}
	distinct, _, _ := label.Distinct(names, len(names))
	repeated, unnamed := 0, 0
	for i := range joints {
		switch {
		case names[i] == "":
			unnamed++
		case distinct[i] != names[i] && !joints[i].End:
			repeated++
		}
		joints[i].Name = distinct[i]
	}
	if unnamed > 0 {
		warnings.Add(quality.LabelsMissing,
			"%d of the %d joints have no name; they are called unnamed_ and their number.", unnamed, len(joints))
	}
	if repeated > 0 {
		warnings.Add(quality.LabelsRepeated,
			"%d of the %d joints have a name that another has already; they are told apart by _2, _3 and so on.",
			repeated, len(joints))
	}
	return joints
}

// clip makes a word of a file fit into a sentence.
func clip(s string) string {
	if s = label.Clean([]byte(s)); len(s) > 40 {
		return strings.ToValidUTF8(s[:40], "") + "…"
	}
	return s
}
