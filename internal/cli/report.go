package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

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

// openReport begins a report: in a file, which is made or written anew, on
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

// cell keeps a text in its cell.
var cell = strings.NewReplacer("\\", `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)

// effects are the words for what an import did with a file.
var effects = map[manifest.Effect]string{manifest.Unchanged: "unchanged", manifest.Created: "created", manifest.Updated: "updated"}

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
	cells := []string{cell.Replace(made.Path), made.SessionID, string(made.Status), rate, cell.Replace(why), effects[made.Effect], strconv.Itoa(made.Warnings)}
	_, _ = r.out.WriteString(strings.Join(cells, "\t") + "\n")
}
