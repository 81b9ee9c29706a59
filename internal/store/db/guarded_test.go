package db

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"
	sqlite "github.com/ncruces/go-sqlite3/driver"
	"github.com/ncruces/go-sqlite3/vfs"
	"golang.org/x/sys/unix"
)

var read byte // keeps the compiler from leaving a read out

// sqliteFailures are ways in which a call of SQLite does not come to its end.
func sqliteFailures(t *testing.T) map[string]func() {
	file, err := os.Create(filepath.Join(t.TempDir(), "shared"))
	must(t, err)
	must(t, file.Truncate(1<<16))
	memory, err := unix.Mmap(int(file.Fd()), 0, 1<<16, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	must(t, err)
	t.Cleanup(func() { _ = unix.Munmap(memory) })
	must(t, file.Truncate(0))
	must(t, file.Close())
	var nowhere context.Context // nil, for which the library has an assertion
	return map[string]func(){
		"the file is cut, and it is read":    func() { read = memory[40000] },
		"the file is cut, and it is written": func() { memory[40000] = 1 },
		"the file is cut, and it is copied":  func() { copy(make([]byte, 1<<15), memory) },
		"the library finds a lock gone":      func() { _ = new(sqlite3.Stmt).Step() },
		"the library has no connection":      func() { _ = new(sqlite3.Conn).Exec("SELECT 1") },
		"the library has an assertion":       func() { new(sqlite3.Conn).SetInterrupt(nowhere) },
	}
}

// failing fails in every method: it is a connection, a transaction and rows under the
// types that database/sql calls. failingStmt is a statement.
type failing struct{ fail func() }

func (f failing) Raw() *sqlite3.Conn                  { f.fail(); return nil }
func (f failing) Prepare(string) (driver.Stmt, error) { f.fail(); return nil, nil }
func (f failing) PrepareContext(context.Context, string) (driver.Stmt, error) {
	f.fail()
	return nil, nil
}
func (f failing) Begin() (driver.Tx, error) { f.fail(); return nil, nil }
func (f failing) BeginTx(context.Context, driver.TxOptions) (driver.Tx, error) {
	f.fail()
	return nil, nil
}
func (f failing) ExecContext(context.Context, string, []driver.NamedValue) (driver.Result, error) {
	f.fail()
	return nil, nil
}
func (f failing) CheckNamedValue(*driver.NamedValue) error { f.fail(); return nil }
func (f failing) Close() error                             { f.fail(); return nil }
func (f failing) Commit() error                            { f.fail(); return nil }
func (f failing) Rollback() error                          { f.fail(); return nil }
func (f failing) Columns() []string                        { f.fail(); return nil }
func (f failing) Next([]driver.Value) error                { f.fail(); return nil }

type failingStmt struct{ fail func() }

func (f failingStmt) Close() error                               { f.fail(); return nil }
func (f failingStmt) NumInput() int                              { f.fail(); return 0 }
func (f failingStmt) Exec([]driver.Value) (driver.Result, error) { f.fail(); return nil, nil }
func (f failingStmt) Query([]driver.Value) (driver.Rows, error)  { f.fail(); return nil, nil }
func (f failingStmt) CheckNamedValue(*driver.NamedValue) error   { f.fail(); return nil }
func (f failingStmt) ExecContext(context.Context, []driver.NamedValue) (driver.Result, error) {
	f.fail()
	return nil, nil
}
func (f failingStmt) QueryContext(context.Context, []driver.NamedValue) (driver.Rows, error) {
	f.fail()
	return nil, nil
}

// withoutSQLite are the methods that do not call SQLite.
var withoutSQLite = []string{
	"connection.IsValid", "statement.NumInput", "statement.Exec", "statement.Query", "rows.Columns",
	"statement.Close", // it is kept
	"one more statement than are kept.NumInput", "one more statement than are kept.Exec",
	"one more statement than are kept.Query",
	"connection that is lent.IsValid", "connection that is lent.Begin", "connection that is lent.BeginTx",
	"connection that is lent.Close",
}

// underDatabaseSQL are the types that database/sql calls, over SQLite that fails.
var underDatabaseSQL = map[string]func(*mapped, func()) any{
	"connection":              func(p *mapped, fail func()) any { return failingConn(p, fail) },
	"connection that is lent": func(p *mapped, fail func()) any { return lent{failingConn(p, fail)} },
	"transaction": func(p *mapped, fail func()) any {
		return &mappedTx{guarded[driver.Tx]{failing{fail}, p}}
	},
	"rows": func(p *mapped, fail func()) any {
		return &mappedRows{rows: guarded[driver.Rows]{failing{fail}, p}}
	},
	"statement": func(p *mapped, fail func()) any {
		return &mappedStmt{stmt: guarded[driver.Stmt]{failingStmt{fail}, p}, c: failingConn(p, fail)}
	},
	"one more statement than are kept": func(p *mapped, fail func()) any {
		s := &mappedStmt{stmt: guarded[driver.Stmt]{failingStmt{fail}, p}, c: failingConn(p, fail)}
		for i := range maxStatements {
			s.c.kept[fmt.Sprint(i)] = s
		}
		return s
	},
}

func failingConn(p *mapped, fail func()) *mappedConn {
	return &mappedConn{conn: guarded[sqlite.Conn]{failing{fail}, p}, kept: map[string]*mappedStmt{}}
}

func newPart(t *testing.T) *mapped {
	return &mapped{m: newMapping(filepath.Join(t.TempDir(), FileName), slog.New(slog.DiscardHandler))}
}

func TestEveryMethodThatDatabaseSQLCallsSurvivesAFailureUnderSQLite(t *testing.T) {
	for kind, fail := range sqliteFailures(t) {
		for what, made := range underDatabaseSQL {
			typ := reflect.TypeOf(made(newPart(t), fail))
			for i := range typ.NumMethod() {
				p := newPart(t)
				method := reflect.ValueOf(made(p, fail)).Method(i)
				var in []reflect.Value
				for a := range method.Type().NumIn() {
					in = append(in, reflect.Zero(method.Type().In(a)))
				}
				name := what + "." + typ.Method(i).Name
				func() {
					defer func() {
						if why := recover(); why != nil {
							t.Errorf("%s: %s panics: %v", kind, name, why)
						}
					}()
					method.Call(in)
				}()
				if called := !slices.Contains(withoutSQLite, name); p.lost != called {
					t.Errorf("%s: after %s the connection is lost: %t, want %t", kind, name, p.lost, called)
				}
			}
		}
	}
}

func TestACallThatSQLiteDoesNotEndIsAnErrorOfTheDiskAndAPanicOfOursIsNone(t *testing.T) {
	for kind, fail := range sqliteFailures(t) {
		for _, depth := range []int{1, 2, 3} {
			g := guarded[func()]{fail, newPart(t)}
			var call func(int) error
			call = func(n int) error {
				return g.Do(func(fail func()) error {
					if n > 1 {
						return call(n - 1)
					}
					fail()
					return nil
				})
			}
			if err := call(depth); !errors.Is(err, errFault) || !errors.Is(err, sqlite3.IOERR) || !g.stale() {
				t.Errorf("%s: %v, stale: %t", kind, err, g.stale())
			}
			err := g.Do(func(func()) error { t.Error("a connection that is lost is used"); return nil })
			if !errors.Is(err, errMapped) {
				t.Errorf("the next call hears %v", err)
			}
			if err := g.Close(func(func()) error { t.Error("a connection that is lost is closed"); return nil }); err !=
				nil {
				t.Errorf("to close it is %v", err)
			}
			g = guarded[func()]{fail, newPart(t)}
			if err := g.Close(func(fail func()) error { fail(); return nil }); !errors.Is(err, errFault) {
				t.Errorf("%s while it is closed: %v", kind, err)
			}
			g = guarded[func()]{fail, newPart(t)}
			g.p.m.age.Add(1)
			if err := g.Close(func(fail func()) error { fail(); return nil }); err != nil || g.p.m.failed.Load() {
				t.Errorf("%s while a connection is closed whose files are: %v", kind, err)
			}
		}
	}
	g := guarded[int]{1, newPart(t)}
	func() {
		defer func() {
			if why := recover(); why != "ours" {
				t.Errorf("a panic of ours becomes %v", why)
			}
		}()
		_ = g.Do(func(int) error { return g.Do(func(int) error { panic("ours") }) })
	}()
	if g.stale() || g.p.m.failed.Load() {
		t.Error("a panic of ours ends the connection")
	}
	must(t, g.Do(func(int) error { return nil }))
}

// counting says what of it is closed, and in which order.
type counting struct {
	failing
	name   string
	closed *[]string
}

func (c counting) NumInput() int                              { return 0 }
func (c counting) Exec([]driver.Value) (driver.Result, error) { return nil, nil }
func (c counting) Query([]driver.Value) (driver.Rows, error)  { return nil, nil }
func (c counting) Close() error                               { *c.closed = append(*c.closed, c.name); return nil }

func TestTheStatementsOfAConnectionAreClosedBeforeItAlsoWhenItsFilesAreClosedAlready(t *testing.T) {
	for _, stale := range []bool{false, true} {
		var closed []string
		p := newPart(t)
		c := failingConn(p, nil)
		c.conn = guarded[sqlite.Conn]{counting{name: "connection", closed: &closed}, p}
		s := &mappedStmt{stmt: guarded[driver.Stmt]{counting{name: "statement", closed: &closed}, p}, c: c,
			text: "kept"}
		must(t, s.Close())
		if stale {
			p.m.heal()
		}
		must(t, c.Close())
		same(t, "what is closed", closed, []string{"statement", "connection"})
	}
}

func TestAFileThatIsClosedUnderSQLiteAnswersEveryLockWithoutAPanic(t *testing.T) {
	const read = "SELECT count(*) FROM sqlite_schema"
	for _, begin := range [][]string{{}, {read}, {"BEGIN", read}, {"BEGIN IMMEDIATE"}} {
		e := lite(t)
		c, err := openSQLite(e.mapping, fileURI(e.path), sqlite3.OPEN_READWRITE|sqlite3.OPEN_URI)
		must(t, err)
		for _, text := range begin {
			must(t, c.Do(Exec(text)))
		}
		var opened []*scrubFile
		openFiles.Range(func(f, _ any) bool {
			if f := f.(*scrubFile); f.name == e.path {
				opened = append(opened, f)
			}
			return true
		})
		e.mapping.heal()
		for _, f := range opened {
			for _, level := range []vfs.LockLevel{vfs.LOCK_SHARED, vfs.LOCK_RESERVED, vfs.LOCK_EXCLUSIVE} {
				if err := f.Lock(level); !errors.Is(err, errShut) {
					t.Errorf("a lock of the level %d is %v", level, err)
				}
			}
			if _, err := f.CheckReservedLock(); !errors.Is(err, errShut) {
				t.Errorf("to ask for a lock is %v", err)
			}
			must(t, f.Unlock(vfs.LOCK_SHARED))
			must(t, f.Unlock(vfs.LOCK_NONE))
		}
		must(t, c.Close())
		must(t, e.Once(t.Context(), ID{}, Exec("SELECT 1")))
	}
}

// handles are the types of SQLite's that have a connection behind them.
var handles = regexp.MustCompile(`\b(sqlite3\.(Conn|Stmt|Backup|Blob)|sqlite\.Conn|driver\.(Conn|Stmt|Tx|Rows))\b`)

// opening are calls that open a connection.
var opening = regexp.MustCompile(`^sqlite3?\.Open|onnector\.Connect$|^sql\.Open$`)

func TestNothingOfSQLiteIsKeptOrOpenedPastTheGuard(t *testing.T) {
	names, err := filepath.Glob("*.go")
	must(t, err)
	files := token.NewFileSet()
	seen := 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		must(t, err)
		file, err := parser.ParseFile(files, name, text, 0)
		must(t, err)
		for _, i := range file.Imports {
			if i.Path.Value == `"github.com/ncruces/go-sqlite3/driver"` && (i.Name == nil || i.Name.Name != "sqlite") {
				t.Errorf("%s: this test knows the library's driver by the name sqlite", name)
			}
		}
		source := func(n ast.Node) string {
			return string(text[files.Position(n.Pos()).Offset:files.Position(n.End()).Offset])
		}
		var within []ast.Node // function literals that run within the guard
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				if n.Name.Name == "sqliteSession" || n.Name.Name == "sqliteRows" { // they live within the guard
					return false
				}
			case *ast.StructType:
				for _, field := range n.Fields.List {
					typ := source(field.Type)
					if strings.HasPrefix(typ, "guarded[") {
						seen++
					} else if handles.MatchString(typ) {
						t.Errorf("%s: a field of the type %s is past the guard", files.Position(field.Pos()), typ)
					}
				}
			case *ast.CallExpr:
				f := source(n.Fun)
				if f == "open" || f == "ask" || f == "derive" || strings.HasSuffix(f, ".Do") ||
					strings.HasSuffix(f, ".Close") {
					for _, a := range n.Args {
						if f, ok := a.(*ast.FuncLit); ok {
							within = append(within, f)
						}
					}
				}
				in := func(f ast.Node) bool { return f.Pos() <= n.Pos() && n.End() <= f.End() }
				if opening.MatchString(f) && !slices.ContainsFunc(within, in) {
					t.Errorf("%s: %s opens a connection past the guard", files.Position(n.Pos()), f)
				}
			case *ast.SelectorExpr:
				if n.Sel.Name == "handle" && name != "guarded.go" {
					t.Errorf("%s: %s goes past the guard", files.Position(n.Pos()), source(n))
				}
			}
			return true
		})
	}
	if seen < 5 {
		t.Errorf("only %d fields are guarded", seen)
	}
}
