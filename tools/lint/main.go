// Lint holds the project to the rules of rules.go:
//
//	.tools/lint -tags=… ./...
//
// A finding that is right as it stands is answered on its line or the one above,
// by "//lint:ignore RULE reason". An answer to no finding is a finding itself.
package main

import (
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis"
	"honnef.co/go/tools/analysis/lint"
	"honnef.co/go/tools/lintcmd"
)

func main() {
	command := lintcmd.NewCommand("lint")
	for _, r := range rules() {
		command.AddAnalyzers(&lint.Analyzer{
			Doc:      &lint.RawDocumentation{Title: r.why, Severity: lint.SeverityError},
			Analyzer: r.explained(),
		})
	}
	command.ParseFlags(os.Args[1:])
	command.Run()
}

// explained gives the check of a rule, which says why with each finding, and is silent where the
// rule does not hold.
func (r rule) explained() *analysis.Analyzer {
	check := *r.check
	check.Run = func(pass *analysis.Pass) (any, error) {
		own := *pass
		own.Report = func(d analysis.Diagnostic) {
			if !r.excused(pass.Fset.Position(d.Pos).Filename) {
				if r.why != "" {
					d.Message += ": " + r.why
				}
				d.Category = check.Name // which the driver goes by
				pass.Report(d)
			}
		}
		return r.check.Run(&own)
	}
	return &check
}

// excused says whether the rule leaves a file alone.
func (r rule) excused(file string) bool {
	file = filepath.ToSlash(file)
	return !strings.HasSuffix(file, ".go") || // the go command made it
		r.not&inTests != 0 && strings.HasSuffix(file, "_test.go") ||
		r.not&inTestKit != 0 && strings.Contains(file, "/internal/testkit/")
}
