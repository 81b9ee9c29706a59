// Lint holds the project to the rules of rules.go. The go command runs it, once
// for each package, and remembers what it said:
//
//	go vet -vettool=$PWD/.tools/lint ./...
//
// A finding that is right as it stands is answered on its line or the one above,
// by "//lint:ignore RULE reason". An answer to no finding is a finding itself.
package main

import (
	"encoding/json"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/gostaticanalysis/nilerr"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"
)

func main() {
	house := newHouse(rules())
	roots := []*analysis.Analyzer{house}
	if dependency(os.Args[len(os.Args)-1]) {
		roots = factsOf(house)
	}
	unitchecker.Main(roots...)
}

// dependency says whether a unit of work is a package that is only imported: the
// go command asks then what its callers have to know, such as which functions
// never return, and not for findings. To judge all of the standard library for
// that would take minutes.
func dependency(unit string) bool {
	if !strings.HasSuffix(unit, ".cfg") {
		return false
	}
	var config struct{ VetxOnly bool }
	text, err := os.ReadFile(unit)
	return err == nil && json.Unmarshal(text, &config) == nil && config.VetxOnly
}

// factsOf gives the checks below a that tell their like in other packages
// something.
func factsOf(a *analysis.Analyzer) []*analysis.Analyzer {
	var facts []*analysis.Analyzer
	seen := map[*analysis.Analyzer]bool{}
	var walk func(*analysis.Analyzer)
	walk = func(a *analysis.Analyzer) {
		if seen[a] {
			return
		}
		seen[a] = true
		if len(a.FactTypes) > 0 {
			facts = append(facts, a)
		}
		for _, below := range a.Requires {
			walk(below)
		}
	}
	walk(a)
	return facts
}

// newHouse makes one check of all: it sees every finding of the others, and so
// also which answers to findings answer nothing.
func newHouse(rules []rule) *analysis.Analyzer {
	var collected []*analysis.Analyzer
	for _, r := range rules {
		collected = append(collected, collect(r.check))
	}
	return &analysis.Analyzer{
		Name:     "house",
		Doc:      "the rules of the house",
		Requires: collected,
		Run: func(pass *analysis.Pass) (any, error) {
			answers := answersIn(pass)
			for i, r := range rules {
				for _, finding := range pass.ResultOf[collected[i]].([]analysis.Diagnostic) {
					at := pass.Fset.Position(finding.Pos)
					if r.excused(at.Filename) || slices.ContainsFunc(answers, func(a *answer) bool { return a.to(r.check.Name, at) }) {
						continue
					}
					finding.Message += " (" + strings.TrimSuffix(r.check.Name+": "+r.why, ": ") + ")"
					pass.Report(finding)
				}
			}
			for _, a := range answers {
				if wrong := a.wrong(); wrong != "" {
					pass.Reportf(a.pos, "%s", wrong)
				}
			}
			return nil, nil
		},
	}
}

// collect gives a check that hands its findings to another one and reports none.
func collect(check *analysis.Analyzer) *analysis.Analyzer {
	quiet := *check
	quiet.ResultType = reflect.TypeFor[[]analysis.Diagnostic]()
	quiet.Run = func(pass *analysis.Pass) (any, error) {
		var found []analysis.Diagnostic
		pass.Report = func(d analysis.Diagnostic) { found = append(found, d) }
		_, err := check.Run(pass)
		return found, err
	}
	return &quiet
}

// An answer is a comment that says why a finding is right as it stands.
type answer struct {
	pos    token.Pos
	at     token.Position
	rules  []string
	reason string
	met    bool
}

var answerForm = regexp.MustCompile(`^//lint:ignore(?:\s+(\S+))?(?:\s+(.+))?$`)

func answersIn(pass *analysis.Pass) []*answer {
	var all []*answer
	for _, file := range pass.Files {
		for _, group := range file.Comments {
			for _, comment := range group.List {
				if form := answerForm.FindStringSubmatch(comment.Text); form != nil {
					all = append(all, &answer{
						pos: comment.Pos(), at: pass.Fset.Position(comment.Pos()),
						rules: strings.Split(form[1], ","), reason: form[2],
					})
				}
			}
		}
	}
	return all
}

// to says whether the answer is to a finding of a rule at a place, and remembers
// that it was.
func (a *answer) to(rule string, at token.Position) bool {
	meets := a.at.Filename == at.Filename && (a.at.Line == at.Line || a.at.Line+1 == at.Line) && slices.Contains(a.rules, rule)
	a.met = a.met || meets
	return meets
}

// listening are the rules that read the answers to them by themselves, so that
// their findings never come here.
var listening = []string{"U1000", nilerr.Analyzer.Name}

// wrong says what is wrong with the answer itself, "" when nothing is.
func (a *answer) wrong() string {
	switch {
	case a.reason == "":
		return "an answer names its rule and its reason: //lint:ignore RULE reason"
	case !a.met && !slices.ContainsFunc(a.rules, func(rule string) bool { return slices.Contains(listening, rule) }):
		return fmt.Sprintf("nothing here is found by %s any more: take the answer away", strings.Join(a.rules, ", "))
	}
	return ""
}

// excused says whether the rule leaves a file alone.
func (r rule) excused(file string) bool {
	file = filepath.ToSlash(file)
	return r.not&inTests != 0 && strings.HasSuffix(file, "_test.go") ||
		r.not&inTestKit != 0 && strings.Contains(file, "/internal/testkit/")
}
