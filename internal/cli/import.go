package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/intake"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/payload"
)

type importCmd struct {
	Org    string   `name:"org" placeholder:"ID" help:"The organization to import into."`
	DryRun bool     `name:"dry-run" help:"Write nothing; say what would be refused and counted."`
	Report string   `name:"report" placeholder:"FILE" help:"Write which motion file became which capture, as a table with tabs; - is standard output."`
	Paths  []string `arg:"" name:"path" help:"NDJSON manifests, folders of motion files (${kinds}), or - for a manifest on standard input."`
	folderFlags
	elsewhereFlags
	storeFlags
	jsonFlag
}

// Run imports every path. What is refused is reported on standard error, and the
// summary is all that is on standard output, unless the report of files goes
// there.
func (c *importCmd) Run(ctx context.Context, w *World) error {
	if c.JSON && c.Report == "-" {
		return usage("--report - and --json both write to standard output: give the report a file")
	}
	if err := c.judge(); err != nil {
		return err
	}
	labels, err := c.labels(c.Paths)
	if err != nil {
		return err
	}
	if c.To != "" {
		return c.send(ctx, w, labels)
	}
	if c.Org == "" {
		return usage("not given is: --org=ID, or --to=URL for a server elsewhere")
	}
	org, err := parseID("--org", c.Org)
	if err != nil {
		return err
	}
	ctx = acting(ctx, "import", "organization", org.String())
	return c.with(ctx, w, func(s *store.Store) (err error) {
		if err := exists(ctx, s, org); err != nil {
			return err
		}
		folders, end, err := c.folders(ctx, w, s, operator(org), labels)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, end()) }()
		return c.bring(ctx, w, intake.Import{Store: s, Series: s.Series(), Folders: folders, Scope: operator(org),
			Records: s.ImportRecords()})
	})
}

// bring does an import, and reports what came of it.
func (c *importCmd) bring(ctx context.Context, w *World, im intake.Import) (err error) {
	report, err := openReport(c.Report, w, c.Paths)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, report.close()) }()

	p, counted := w.progress(), tally{effects: map[manifest.Effect]int64{}}
	im.Dry, im.Stdin, im.Progress = c.DryRun, w.In, p.update
	im.Refused = func(r intake.Refusal) { p.line(refusalLine(r)) }
	im.Noticed = func(n intake.Notice) { p.line(place(n.Path, n.Line) + ": notice: " + n.Field + ": " + n.Text) }
	im.Skipped = func(s intake.Skip) { p.line(place(s.Path, s.Line) + ": skipped: " + s.Why) }
	im.Captured = func(made intake.Capture) {
		counted.add(made)
		if made.Line == 0 {
			report.add(made)
			if made.Status == capture.Error {
				p.line(damagedLine(made, c.DryRun))
			}
		}
	}
	summary, failure := im.Run(ctx, c.Paths...)
	p.clear()
	// Lines imported before a failure stay, so the report names them even then.
	if err := c.summarize(w, summary, counted); err != nil {
		return err
	}
	switch {
	case errors.Is(failure, context.Canceled):
		if c.DryRun {
			return errors.New("stopped before it was done; nothing was written")
		}
		return errors.New("stopped before it was done; run it again: what went in stays")
	case failure != nil:
		return serverError(failure)
	case summary.Failed > 0:
		return errReported
	}
	return nil
}

// tally counts captures as people want them counted.
type tally struct {
	damaged int64
	files   int64 // motion files among them, and what was done with those
	effects map[manifest.Effect]int64
}

func (t *tally) add(made intake.Capture) {
	if made.Status == capture.Error {
		t.damaged++
	}
	if made.Line == 0 {
		t.files++
		t.effects[made.Effect]++
	}
}

func (c *importCmd) summarize(w *World, s intake.Summary, t tally) error {
	if c.JSON {
		return w.json(s)
	}
	verb := "Imported"
	if c.DryRun {
		verb = "Would import"
	}
	if s.Failed+s.Athletes+s.ExportJobs == 0 && !s.Landmarks && t.files > 0 &&
		t.effects[manifest.Unchanged] == s.Captures {
		verb = "Nothing has changed:"
	}
	captures := count(s.Captures, "capture")
	if t.damaged > 0 {
		captures += fmt.Sprintf(", %s of them with status error,", grouped(t.damaged))
	}
	to := w.Out
	if c.Report == "-" { // which is for programs
		to = w.Err
	}
	_, err := fmt.Fprintf(to, "%s %s, %s and %s; %s refused.\n", verb,
		count(s.Athletes, "athlete"), captures, count(s.ExportJobs, "export job"), grouped(s.Failed))
	if err == nil && t.files > 0 {
		_, err = fmt.Fprintf(to, "Motion files: %s new, %s changed, %s as before; %s.\n",
			grouped(t.effects[manifest.Created]),
			grouped(t.effects[manifest.Updated]), grouped(t.effects[manifest.Unchanged]), count(s.Warnings, "warning"))
	}
	if err == nil && s.Landmarks {
		done := "have changed, and recordings are measured by them"
		if c.DryRun {
			done = "would change"
		}
		_, err = fmt.Fprintf(to, "Names of points %s.\n", done)
	}
	return err
}

// damagedLine says of a motion file that it could not be read, and why.
func damagedLine(made intake.Capture, dry bool) string {
	done := "stored"
	if dry {
		done = "would be stored"
	}
	why := ""
	if made.Error != nil {
		why = ": " + *made.Error
	}
	return made.Path + ": " + done + " with status error" + why
}

// refusalLine is file:line: field: rule. The rule is a sentence that begins with
// the field, or with the field around it; that is not said twice.
func refusalLine(r intake.Refusal) string {
	var b strings.Builder
	b.WriteString(place(r.Path, r.Line))
	rule := r.Rule
	if r.Field != "" {
		b.WriteString(": " + shortened(r.Field))
		around, inside, _ := strings.Cut(r.Field, ".")
		for _, name := range []string{r.Field + " ", payload.Quote(r.Field) + " ", payload.Quote(inside) + " ",
			around + ": "} {
			if rest, ok := strings.CutPrefix(rule, name); ok {
				rule = rest
				break
			}
		}
	}
	return b.String() + ": " + rule
}

// place is where something stands: the path, and the line when there is one.
func place(path string, line int) string {
	if line == 0 {
		return path
	}
	return path + ":" + strconv.Itoa(line)
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
