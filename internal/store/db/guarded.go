package db

import (
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/ncruces/go-sqlite3"
)

// guarded holds something of SQLite's: a connection, a statement, a transaction, rows. The
// functions of this file are the only way to it, so that no call of SQLite is made outside
// of the guard, which makes an error of a fault in the shared memory.
type guarded[T any] struct {
	handle T
	p      *mapped
}

// open opens a connection and has it take part in the mapping.
func open[T any](m *mapping, opening func() (T, error)) (guarded[T], error) {
	g := guarded[T]{p: &mapped{m: m, age: m.age.Load()}}
	err := g.p.use(func() (err error) {
		if m.cut() {
			m.fail(saysMemory)
			return errMapped
		}
		g.handle, err = opening()
		return err
	})
	return g, err
}

// Do calls f with what is guarded. The error is errMapped when the memory has failed
// before, and errFault when SQLite did not come to the end of this call.
func (g guarded[T]) Do(f func(T) error) error {
	return g.p.use(func() error { return f(g.handle) })
}

// Close closes a connection with f. It does nothing when the memory of the connection
// cannot be trusted: heal closes its files.
func (g guarded[T]) Close(f func(T) error) error {
	return g.p.Close(func() error { return f(g.handle) })
}

// stale says whether the connection is of no use any longer. It is asked by the
// connection's user; whether it stays so is certain within do alone.
func (g guarded[T]) stale() bool { return g.p.stale() }

// ask is do for what gives a value that is not SQLite's.
func ask[T, V any](g guarded[T], f func(T) (V, error)) (value V, err error) {
	err = g.Do(func(handle T) (err error) { value, err = f(handle); return err })
	return value, err
}

// derive is do for what gives something else of SQLite's, on the same connection.
func derive[T, U any](g guarded[T], f func(T) (U, error)) (guarded[U], error) {
	next := guarded[U]{p: g.p}
	err := g.Do(func(handle T) (err error) { next.handle, err = f(handle); return err })
	return next, err
}

// mapped is one connection of a mapping. It serves one goroutine at a time.
type mapped struct {
	m      *mapping
	age    int64
	inside int  // calls of use within each other
	ending bool // it is being closed
	lost   bool // its memory cannot be trusted
}

func (p *mapped) stale() bool { return p.lost || p.age != p.m.age.Load() }

// use runs f, which may call use again.
func (p *mapped) use(f func() error) (err error) {
	if p.ending { // what belongs to a connection is closed with it, of a stale one too
		return f()
	}
	if p.inside == 0 {
		p.m.mu.RLock()
		defer p.m.mu.RUnlock()
		defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	}
	if p.stale() || p.m.failed.Load() {
		return errMapped
	}
	p.inside++
	defer func() { p.inside-- }()
	defer p.caught(&err, true)
	return f()
}

func (p *mapped) Close(shut func() error) (err error) {
	if p.lost {
		return nil
	}
	p.m.mu.RLock()
	defer p.m.mu.RUnlock()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	current := p.age == p.m.age.Load()
	p.ending = true
	defer func() {
		p.ending = false
		if !current {
			err = nil // its files are closed, and SQLite says so
		}
	}()
	defer p.caught(&err, current)
	return shut()
}

// caught makes an error of a panic in SQLite: of a fault in the memory, and of everything
// else that the library panics with, for it holds what it finds in a broken connection to
// be impossible. A panic of somebody else goes on.
func (p *mapped) caught(err *error, tell bool) {
	why := recover()
	if why == nil {
		return
	}
	_, memory := why.(interface {
		runtime.Error
		Addr() uintptr
	})
	if !memory && !throughSQLite() {
		panic(why)
	}
	p.lost, *err = true, errFault
	if !memory {
		*err = fmt.Errorf("%w: %v", errFault, why)
	}
	switch {
	case !tell:
	case memory:
		p.m.fail(saysMemory)
	default:
		p.m.fail(saysPanic, "error", fmt.Sprint(why), "stack", string(debug.Stack()))
	}
}

// library begins the names of all functions of SQLite's library, the translated ones included.
var library = reflect.TypeFor[sqlite3.Conn]().PkgPath()

// throughSQLite says whether a function of SQLite's library is running, or was when the panic
// came that is just being handled.
func throughSQLite() bool {
	pcs := make([]uintptr, 1024)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs)])
	for {
		frame, more := frames.Next()
		if strings.HasPrefix(frame.Function, library) {
			return true
		}
		if !more {
			return false
		}
	}
}
