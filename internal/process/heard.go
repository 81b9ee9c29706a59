package process

import (
	"bytes"
	"strconv"
	"strings"
)

// longestLine is how long a line may be that is heard; longer ones are passed over.
const longestLine = 64

// lines gives each short line of what is written to it to hear.
type lines struct {
	hear func(line string)
	part []byte // of a line that has no end yet; longer than longestLine: nobody hears it
}

func (l *lines) Write(b []byte) (int, error) {
	n := len(b)
	for len(b) > 0 {
		line, rest, whole := bytes.Cut(b, []byte{'\n'})
		if keep := longestLine + 1 - len(l.part); keep > 0 {
			l.part = append(l.part, line[:min(keep, len(line))]...)
		}
		if whole {
			if len(l.part) <= longestLine {
				l.hear(string(l.part))
			}
			l.part = l.part[:0]
		}
		b = rest
	}
	return n, nil
}

// doneOf reads a line with which a video processor says how far it is: done, a blank, and the part from 0 to 1.
func doneOf(line string) (done float64, ok bool) {
	text, ok := strings.CutPrefix(strings.TrimSpace(line), "done ")
	if !ok {
		return 0, false
	}
	done, err := strconv.ParseFloat(text, 64)
	return done, err == nil && done >= 0 && done <= 1
}

// withoutProgress is what a video processor said without the lines that say how far it is.
func withoutProgress(said string) string {
	var rest strings.Builder
	for line := range strings.Lines(said) {
		if _, ok := doneOf(line); !ok {
			rest.WriteString(line)
		}
	}
	return rest.String()
}
