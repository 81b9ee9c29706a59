package main

import (
	"slices"

	"codeberg.org/polyfloyd/go-errorlint/errorlint"
	"github.com/gostaticanalysis/nilerr"
	"github.com/kisielk/errcheck/errcheck"
	"github.com/ryanrolds/sqlclosecheck/pkg/analyzer"
	"github.com/sonatard/noctx"
	"github.com/timakin/bodyclose/passes/bodyclose"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/appends"
	"golang.org/x/tools/go/analysis/passes/asmdecl"
	"golang.org/x/tools/go/analysis/passes/assign"
	"golang.org/x/tools/go/analysis/passes/atomic"
	"golang.org/x/tools/go/analysis/passes/bools"
	"golang.org/x/tools/go/analysis/passes/buildtag"
	"golang.org/x/tools/go/analysis/passes/cgocall"
	"golang.org/x/tools/go/analysis/passes/composite"
	"golang.org/x/tools/go/analysis/passes/copylock"
	"golang.org/x/tools/go/analysis/passes/defers"
	"golang.org/x/tools/go/analysis/passes/directive"
	"golang.org/x/tools/go/analysis/passes/errorsas"
	"golang.org/x/tools/go/analysis/passes/framepointer"
	"golang.org/x/tools/go/analysis/passes/hostport"
	"golang.org/x/tools/go/analysis/passes/httpresponse"
	"golang.org/x/tools/go/analysis/passes/ifaceassert"
	"golang.org/x/tools/go/analysis/passes/loopclosure"
	"golang.org/x/tools/go/analysis/passes/lostcancel"
	"golang.org/x/tools/go/analysis/passes/modernize"
	"golang.org/x/tools/go/analysis/passes/nilfunc"
	"golang.org/x/tools/go/analysis/passes/nilness"
	"golang.org/x/tools/go/analysis/passes/printf"
	"golang.org/x/tools/go/analysis/passes/scannererr"
	"golang.org/x/tools/go/analysis/passes/shift"
	"golang.org/x/tools/go/analysis/passes/sigchanyzer"
	"golang.org/x/tools/go/analysis/passes/slog"
	"golang.org/x/tools/go/analysis/passes/sqlrowserr"
	"golang.org/x/tools/go/analysis/passes/stdmethods"
	"golang.org/x/tools/go/analysis/passes/stdversion"
	"golang.org/x/tools/go/analysis/passes/stringintconv"
	"golang.org/x/tools/go/analysis/passes/structtag"
	"golang.org/x/tools/go/analysis/passes/testinggoroutine"
	"golang.org/x/tools/go/analysis/passes/tests"
	"golang.org/x/tools/go/analysis/passes/timeformat"
	"golang.org/x/tools/go/analysis/passes/unmarshal"
	"golang.org/x/tools/go/analysis/passes/unreachable"
	"golang.org/x/tools/go/analysis/passes/unsafeptr"
	"golang.org/x/tools/go/analysis/passes/unusedresult"
	"golang.org/x/tools/go/analysis/passes/unusedwrite"
	"golang.org/x/tools/go/analysis/passes/waitgroup"
	"honnef.co/go/tools/quickfix"
	"honnef.co/go/tools/simple"
	"honnef.co/go/tools/staticcheck"
	"honnef.co/go/tools/stylecheck"
)

// A rule stands for a mistake that a reader of the change would not see or should
// not have to look for. Taste is left to people.
type rule struct {
	check *analysis.Analyzer
	why   string // printed with each finding; "" where the finding says it
	not   places
}

// places are those where a rule does not hold.
type places int

const (
	// A test fails loudly where an error matters; closing and printing do not.
	// Its sleeps are those of a synctest bubble (internal/housetest sees to it).
	inTests places = 1 << iota
	// The test kit's servers end by signal and with the test process.
	inTestKit
)

func rules() []rule {
	// Writing to a terminal or an HTTP answer fails only when nobody listens.
	errcheck.DefaultExcludedSymbols = append(errcheck.DefaultExcludedSymbols,
		"fmt.Fprint", "fmt.Fprintf", "fmt.Fprintln",
		// Nothing read is lost by it, and what must last is synced before.
		"(io.ReadCloser).Close", "(*os.File).Close", "(*os.Root).Close")

	wrapping := errorlint.NewAnalyzer()
	for name, on := range map[string]string{
		"comparison": "false", // io.EOF comes unwrapped by contract; our own are asked with fault.Is
		"errorf":     "true",
	} {
		if err := wrapping.Flags.Set(name, on); err != nil {
			panic(err)
		}
	}

	all := []rule{
		// Of an error.
		{errcheck.Analyzer, "an error nobody looks at; where that is right, write _ = and why", inTests},
		{wrapping, "a type assertion and %v lose a wrapped error", inTests},
		{nilerr.Analyzer, `"if err != nil { return nil }" hides a failure`, 0},
		{reassigned, "a changed io.EOF changes it for everybody", 0},
		{scannererr.Analyzer, "a broken file looks like the end of the lines", inTests},
		{sqlrowserr.Analyzer, "a broken connection looks like the end of the rows", 0},

		// Of what is held.
		{analyzer.NewAnalyzer(), "rows left open hold a connection until the pool is empty", inTests},
		{bodyclose.Analyzer, "an HTTP answer left open holds its connection", inTests},
		{noctx.Analyzer, "a request without a context cannot be cancelled", inTests | inTestKit},
		{contextFirst, "so that nobody forgets it", 0},
		{forbidden, "", inTests | inTestKit},

		// Of a value.
		{durations, "seconds times seconds", 0},
		{nilness.Analyzer, "a branch that can only panic", 0},
		{unusedwrite.Analyzer, "a field set on a copy", 0},
		{unconverted, "a conversion that does nothing hides those that do", 0},
		{unusedCode, "code that nobody calls", 0},

		// Of the text.
		{undocumented, "what others may call says what it does", inTests},
		{blankImport, "an import for its side effect says which", inTests},
		{lookalike, "a reviewer sees other text than the compiler", 0},
		{wide, "at most 120 columns: two files fit beside each other", 0},
		{misspelled, "English words, once, rightly", 0},
		{modernize.ForVarAnalyzer, "a copy that the language makes by itself since Go 1.22", 0},
		{modernize.RangeIntAnalyzer, "the shorter loop has no bound to get wrong", 0},
	}
	for _, check := range vet {
		all = append(all, rule{check, "", 0})
	}
	// The largest set of real bugs with the fewest false alarms.
	for _, check := range slices.Concat(staticcheck.Analyzers, simple.Analyzers, stylecheck.Analyzers,
		quickfix.Analyzers) {
		switch check.Analyzer.Name {
		case "SA1004", // a nanosecond is a whole step of a synctest bubble's clock
			"ST1003",           // names as the interface spells them (captureId) stay greppable
			"QF1001", "QF1008": // taste: "not both" and "the header's frames" read as they are meant
		case "S1025": // a test of how a value prints asks for %s by name
			all = append(all, rule{check.Analyzer, "", inTests})
		default:
			all = append(all, rule{check.Analyzer, "", 0})
		}
	}
	return all
}

// vet is what the go command looks for when nobody names another tool: what the
// compiler lets through.
var vet = []*analysis.Analyzer{
	appends.Analyzer,
	asmdecl.Analyzer,
	assign.Analyzer,
	atomic.Analyzer,
	bools.Analyzer,
	buildtag.Analyzer,
	cgocall.Analyzer,
	composite.Analyzer,
	copylock.Analyzer,
	defers.Analyzer,
	directive.Analyzer,
	errorsas.Analyzer,
	framepointer.Analyzer,
	hostport.Analyzer,
	httpresponse.Analyzer,
	ifaceassert.Analyzer,
	loopclosure.Analyzer,
	lostcancel.Analyzer,
	nilfunc.Analyzer,
	printf.Analyzer,
	shift.Analyzer,
	sigchanyzer.Analyzer,
	slog.Analyzer,
	stdmethods.Analyzer,
	stdversion.Analyzer,
	stringintconv.Analyzer,
	structtag.Analyzer,
	testinggoroutine.Analyzer,
	tests.Analyzer,
	timeformat.Analyzer,
	unmarshal.Analyzer,
	unreachable.Analyzer,
	unsafeptr.Analyzer,
	unusedresult.Analyzer,
	waitgroup.Analyzer,
}
