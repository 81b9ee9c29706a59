package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/kinebase/kinebase/payload"
)

// jsonFlag is on every verb that prints something.
type jsonFlag struct {
	JSON bool `name:"json" help:"Print JSON, for programs."`
}

// quietFlag is on every verb that makes what later commands name.
type quietFlag struct {
	Quiet bool `name:"quiet" short:"q" xor:"print" help:"Print nothing but ${quiet}, for shell variables."`
	JSON  bool `name:"json" xor:"print" help:"Print JSON, for programs."`
}

// say prints one line for people.
func (w *World) say(format string, args ...any) error {
	_, err := fmt.Fprintf(w.Out, format+"\n", args...)
	return err
}

// json prints one value for programs.
func (w *World) json(value any) error {
	e := json.NewEncoder(w.Out)
	e.SetEscapeHTML(false)
	return e.Encode(value)
}

// table prints rows under headings, in columns.
func (w *World) table(headings []string, rows [][]string) error {
	t := tabwriter.NewWriter(w.Out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(t, strings.Join(headings, "\t"))
	for _, row := range rows {
		_, _ = fmt.Fprintln(t, strings.Join(row, "\t"))
	}
	return t.Flush()
}

// stamp is a time as text, nil for none: null in JSON.
func stamp(at *time.Time) *string {
	if at == nil {
		return nil
	}
	s := at.UTC().Format(payload.TimeLayout)
	return &s
}

// day is a time for a table, or what stands for none.
func day(at *time.Time, none string) string {
	if at == nil {
		return none
	}
	return at.UTC().Format("2006-01-02 15:04")
}
