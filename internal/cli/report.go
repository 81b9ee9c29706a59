package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kinebase/kinebase/internal/intake"
	"github.com/kinebase/kinebase/manifest"
)

// report is a table of which motion file became which capture: a line of names,
// then a line a file, with tabs between the cells. An empty cell is one that is
// not known.
type report struct {
	out   *bufio.Writer // nil when nobody asked for one
	close func() error
}

const reportHeader = "file\tsession_id\tstatus\tfps_detected\terror\teffect\twarnings\n"

// openReport begins a report: in a file, which is made or written again, on
// standard output for "-", nowhere for "". It is begun before anything is
// imported, so that a report that cannot be written stops the import.
func openReport(name string, w *World, paths []string) (*report, error) {
	switch name {
	case "":
		return &report{close: func() error { return nil }}, nil
	case "-":
		return newReport(w.Out, func() error { return nil })
	}
	for _, path := range paths {
		if there, err := os.Stat(name); err == nil {
			if read, err := os.Stat(path); err == nil && os.SameFile(there, read) {
				return nil, usage("--report must not be what is imported: %s", name)
			}
		}
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600) // names of files may tell of people
	if err != nil {
		return nil, fmt.Errorf("the report cannot be written: %w", err)
	}
	return newReport(f, f.Close)
}

func newReport(to io.Writer, end func() error) (*report, error) {
	out := bufio.NewWriter(to)
	_, err := out.WriteString(reportHeader)
	return &report{out: out, close: func() error {
		if err := errors.Join(out.Flush(), end()); err != nil {
			return fmt.Errorf("the report was not written to its end: %w", err)
		}
		return nil
	}}, err
}

// cell keeps a text in its cell, and from acting on a terminal that the report is
// printed on. What it replaces can be told from what it does not, so that a program
// gets the text back to the byte.
func cell(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == '\\':
			b.WriteString(`\\`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == utf8.RuneError && n == 1, !unicode.IsGraphic(r):
			for i := range n {
				fmt.Fprintf(&b, `\x%02x`, s[i])
			}
		default:
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

// effects are the words for what an import did with a file.
var effects = map[manifest.Effect]string{manifest.Unchanged: "unchanged", manifest.Created: "created",
	manifest.Updated: "updated"}

// add notes a capture. What the writer failed with, close tells.
func (r *report) add(made intake.Capture) {
	if r.out == nil {
		return
	}
	rate, why := "", ""
	if made.FPSDetected != nil {
		rate = strconv.FormatFloat(*made.FPSDetected, 'f', -1, 64)
	}
	if made.Error != nil {
		why = *made.Error
	}
	cells := []string{cell(made.Path), made.SessionID, string(made.Status), rate, cell(why), effects[made.Effect],
		strconv.Itoa(made.Warnings)}
	_, _ = r.out.WriteString(strings.Join(cells, "\t") + "\n")
}
