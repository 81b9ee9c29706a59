package cli

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/kinebase/kinebase/internal/intake"
	"github.com/kinebase/kinebase/internal/store"
)

type importCmd struct {
	Org    string   `name:"org" required:"" placeholder:"ID" help:"The organization to import into."`
	DryRun bool     `name:"dry-run" help:"Write nothing; say what would be refused and counted."`
	Paths  []string `arg:"" name:"path" help:"NDJSON manifests, folders of C3D and TRC files, or - for a manifest on standard input."`
	storeFlags
	jsonFlag
}

// Run imports every path. What is refused is reported on standard error, and the
// summary is all that is on standard output.
func (c *importCmd) Run(ctx context.Context, w *World) error {
	org, err := parseID("--org", c.Org)
	if err != nil {
		return err
	}
	return c.with(ctx, w, func(s *store.Store) error {
		if err := exists(ctx, s, org); err != nil {
			return err
		}
		p := w.progress()
		im := intake.Import{
			Store: s, Scope: operator(org), Dry: c.DryRun, Stdin: w.In,
			Refused:  func(r intake.Refusal) { p.line(refusalLine(r)) },
			Skipped:  func(path, why string) { p.line(path + ": skipped: " + why) },
			Progress: p.update,
		}
		summary, failure := im.Run(ctx, c.Paths...)
		p.clear()
		// What went in before a failure stays in, so it is told even then.
		if err := c.summarize(w, summary); err != nil {
			return err
		}
		switch {
		case failure != nil:
			return failure
		case summary.Failed > 0:
			return errReported
		}
		return nil
	})
}

func (c *importCmd) summarize(w *World, s intake.Summary) error {
	if c.JSON {
		return w.json(s)
	}
	verb := "Imported"
	if c.DryRun {
		verb = "Would import"
	}
	return w.say("%s %s, %s and %s; %s refused.", verb,
		count(s.Athletes, "athlete"), count(s.Captures, "capture"), count(s.ExportJobs, "export job"), grouped(s.Failed))
}

// refusalLine is file:line: field: rule. The rule is a sentence that begins with
// the field; it is not said twice.
func refusalLine(r intake.Refusal) string {
	var b strings.Builder
	b.WriteString(r.Path)
	if r.Line > 0 {
		fmt.Fprintf(&b, ":%d", r.Line)
	}
	rule := r.Rule
	if r.Field != "" {
		b.WriteString(": " + shortened(r.Field))
		rule = strings.TrimPrefix(rule, r.Field+" ")
	}
	return b.String() + ": " + rule
}

func shortened(s string) string {
	if runes := []rune(s); len(runes) > 64 {
		return string(runes[:64]) + "…"
	}
	return s
}

// progress reports on standard error, with a bar when that is a terminal.
func (w *World) progress() *progress {
	p := &progress{out: w.Err, started: time.Now()}
	if f, ok := w.Err.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.width = func() int {
			width, _, err := term.GetSize(int(f.Fd()))
			if err != nil {
				return 80
			}
			return width
		}
	}
	return p
}
