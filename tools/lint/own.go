package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/golangci/misspell"
	"github.com/golangci/unconvert"
	"golang.org/x/tools/go/analysis"
	"honnef.co/go/tools/unused"
)

// each makes a check that looks at every node of one type by itself.
func each[N ast.Node](name, doc string, look func(pass *analysis.Pass, n N)) *analysis.Analyzer {
	return &analysis.Analyzer{Name: name, Doc: doc, Run: func(pass *analysis.Pass) (any, error) {
		for _, file := range pass.Files {
			for n := range ast.Preorder(file) {
				if n, ok := n.(N); ok {
					look(pass, n)
				}
			}
		}
		return nil, nil
	}}
}

// bans are what is not to be called, and what to do instead.
var bans = map[string]string{
	"time.Sleep":             "wait for a signal, a timer beside the context, or a condition with a deadline",
	"net/http.Get":           "the default client waits for ever; make one with a timeout",
	"net/http.Post":          "the default client waits for ever; make one with a timeout",
	"net/http.Head":          "the default client waits for ever; make one with a timeout",
	"net/http.PostForm":      "the default client waits for ever; make one with a timeout",
	"net/http.DefaultClient": "the default client waits for ever; make one with a timeout",
}

var forbidden = each("forbidden", "what is not to be called", func(pass *analysis.Pass, id *ast.Ident) {
	if used := pass.TypesInfo.Uses[id]; atPackage(used) {
		name := used.Pkg().Path() + "." + used.Name()
		if instead := bans[name]; instead != "" {
			pass.Reportf(id.Pos(), "%s: %s", name, instead)
		}
	}
})

// atPackage says whether something is declared in a package and in nothing
// smaller.
func atPackage(o types.Object) bool {
	return o != nil && o.Pkg() != nil && o.Parent() == o.Pkg().Scope()
}

var reassigned = each("reassigned", "another package's error is given a new value",
	func(pass *analysis.Pass, n *ast.AssignStmt) {
		for _, left := range n.Lhs {
			selector, ok := left.(*ast.SelectorExpr)
			if !ok {
				continue
			}
			v, ok := pass.TypesInfo.Uses[selector.Sel].(*types.Var)
			if ok && atPackage(v) && v.Pkg() != pass.Pkg &&
				types.Identical(v.Type(), types.Universe.Lookup("error").Type()) {
				pass.Reportf(left.Pos(), "%s.%s belongs to another package", v.Pkg().Name(), v.Name())
			}
		}
	})

var contextFirst = each("contextfirst", "a context is the first parameter", func(pass *analysis.Pass, f *ast.FuncType) {
	position := 0
	for _, field := range f.Params.List {
		of := pass.TypesInfo.TypeOf(field.Type)
		// A test's first parameter is the test.
		if position > 0 && named(of, "context", "Context") {
			pass.Reportf(field.Pos(), "a context comes first")
		}
		if !theTest(of) {
			position += max(1, len(field.Names))
		}
	}
})

func named(t types.Type, path, name string) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == path && n.Obj().Name() == name
}

func theTest(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	return slices.ContainsFunc([]string{"T", "B", "F", "TB"},
		func(name string) bool { return named(t, "testing", name) })
}

var durations = each("durations", "a duration times a duration", func(pass *analysis.Pass, n *ast.BinaryExpr) {
	if n.Op == token.MUL && duration(pass, n.X) && duration(pass, n.Y) {
		pass.Reportf(n.OpPos, "a duration times a duration")
	}
})

// duration says whether an expression is a length of time, and not a number that
// only has the type, such as the 5 of 5*time.Second.
func duration(pass *analysis.Pass, e ast.Expr) bool {
	isDuration := func(t types.Type) bool { return named(t, "time", "Duration") }
	switch e := e.(type) {
	case *ast.BasicLit:
		return false
	case *ast.ParenExpr:
		return duration(pass, e.X)
	case *ast.UnaryExpr:
		return duration(pass, e.X)
	case *ast.BinaryExpr:
		if e.Op == token.QUO {
			return duration(pass, e.X) && !duration(pass, e.Y)
		}
		return duration(pass, e.X) || duration(pass, e.Y)
	case *ast.CallExpr:
		if pass.TypesInfo.Types[e.Fun].IsType() && len(e.Args) == 1 && !isDuration(pass.TypesInfo.TypeOf(e.Args[0])) {
			return false
		}
	case *ast.Ident:
		if c, ok := pass.TypesInfo.Uses[e].(*types.Const); ok {
			return isDuration(c.Type())
		}
	case *ast.SelectorExpr:
		if c, ok := pass.TypesInfo.Uses[e.Sel].(*types.Const); ok {
			return isDuration(c.Type())
		}
	}
	return isDuration(pass.TypesInfo.TypeOf(e))
}

var unconverted = &analysis.Analyzer{Name: "unconverted", Doc: "a conversion to the type that it has already",
	Run: func(pass *analysis.Pass) (any, error) {
		for _, at := range unconvert.Run(pass) {
			pass.Reportf(positionIn(pass, at), "a conversion to the type that it has already")
		}
		return nil, nil
	}}

// unusedCode tells its findings to the driver, which joins those of a package with and without
// its tests.
var unusedCode = unused.Analyzer.Analyzer

// positionIn finds a place that was written down as file, line and column.
func positionIn(pass *analysis.Pass, at token.Position) token.Pos {
	for _, file := range pass.Files {
		if f := pass.Fset.File(file.Pos()); f.Name() == at.Filename {
			return f.LineStart(at.Line) + token.Pos(at.Column-1)
		}
	}
	return token.NoPos
}

// wellKnown are the methods that say by their name alone what they do.
var wellKnown = strings.Fields("Error String Unwrap ServeHTTP Read Write Close Len Less Swap Push Pop")

var undocumented = each("undocumented", "an exported name without a comment",
	func(pass *analysis.Pass, file *ast.File) {
		if ast.IsGenerated(file) {
			return
		}
		want := func(id *ast.Ident, comments ...*ast.CommentGroup) {
			if id.IsExported() && !slices.ContainsFunc(comments, func(c *ast.CommentGroup) bool { return c != nil }) {
				pass.Reportf(id.Pos(), "%s has no comment", id.Name)
			}
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil || exportedReceiver(d.Recv) && !slices.Contains(wellKnown, d.Name.Name) {
					want(d.Name, d.Doc)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						want(spec.Name, d.Doc, spec.Doc, spec.Comment)
					case *ast.ValueSpec:
						for _, name := range spec.Names {
							want(name, d.Doc, spec.Doc, spec.Comment)
						}
					}
				}
			}
		}
	})

func exportedReceiver(fields *ast.FieldList) bool {
	exported := false
	ast.Inspect(fields.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			exported = exported || id.IsExported()
			return false
		}
		_, parameters := n.(*ast.IndexExpr)
		return !parameters || !exported
	})
	return exported
}

var blankImport = each("blankimport", "an import for its side effect", func(pass *analysis.Pass, n *ast.ImportSpec) {
	// The language asks for embed itself, beside the directive that uses it.
	if n.Name != nil && n.Name.Name == "_" && n.Path.Value != `"embed"` && n.Doc == nil && n.Comment == nil {
		pass.Reportf(n.Pos(), "import of %s without a comment", n.Path.Value)
	}
})

var lookalike = each("lookalike", "text that reads as other text", func(pass *analysis.Pass, file *ast.File) {
	for n := range ast.Preorder(file) {
		if id, ok := n.(*ast.Ident); ok &&
			strings.ContainsFunc(id.Name, func(r rune) bool { return r >= utf8.RuneSelf }) {
			pass.Reportf(id.Pos(), "%+q is not ASCII", id.Name)
		}
	}
	eachLine(pass, file, func(at token.Pos, line string) {
		if i := strings.IndexFunc(line, func(r rune) bool { return unicode.Is(unicode.Bidi_Control, r) }); i >= 0 {
			pass.Reportf(at+token.Pos(i), "text that runs the other way from here; write it as an escape")
		}
	})
})

// spelling knows the words; it is the same for all packages.
var spelling = sync.OnceValue(func() *misspell.Replacer {
	r := misspell.New()
	r.Compile()
	return r
})

var misspelled = each("misspelled", "a word that is often written wrongly", func(pass *analysis.Pass, file *ast.File) {
	eachLine(pass, file, func(at token.Pos, line string) {
		_, wrong := spelling().Replace(line)
		for _, w := range wrong {
			pass.Report(analysis.Diagnostic{Pos: at + token.Pos(w.Column),
				Message: fmt.Sprintf("%q is written %q", w.Original, w.Corrected)})
		}
	})
})

// widest is how many columns a line may have, a tab taken for four.
const widest = 120

// wide finds lines that are too wide and could be broken. Text in backquotes stays as it is, and so does what has
// no place to break it.
var wide = each("wide", "a line of more than 120 columns", func(pass *analysis.Pass, file *ast.File) {
	f := pass.Fset.File(file.Pos())
	verbatim := map[int]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING && strings.HasPrefix(text.Value, "`") {
			for line := f.Line(text.Pos()); line <= f.Line(text.End()); line++ {
				verbatim[line] = true
			}
		}
		return true
	})
	eachLine(pass, file, func(at token.Pos, line string) {
		columns := utf8.RuneCountInString(strings.TrimRight(line, "\n")) + 3*strings.Count(line, "\t")
		unbroken := slices.ContainsFunc(strings.Fields(line), func(word string) bool { return len(word) > widest/2 })
		if columns > widest && !verbatim[f.Line(at)] && !unbroken {
			pass.Reportf(at, "%d columns", columns)
		}
	})
})

// eachLine goes through the text of a file, comments and all.
func eachLine(pass *analysis.Pass, file *ast.File, look func(at token.Pos, line string)) {
	f := pass.Fset.File(file.Pos())
	text, err := os.ReadFile(f.Name())
	if err != nil {
		return // the compiler read it a moment ago
	}
	offset := 0
	for line := range strings.Lines(string(text)) {
		look(f.Pos(offset), line)
		offset += len(line)
	}
}
