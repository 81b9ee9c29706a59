// Package faults has a fault on every line that says so, and none elsewhere.
package faults

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	_ "net/http/pprof"

	// want-above blankimport, for a comment beside it would be one.

	"net/http"
	"os"
	"time"
)

type Held struct{ n int }

// want-above undocumented, for a comment beside it would be one.

// held has none and needs none.
type held struct{ n int }

func (h Held) Set() { // want undocumented
	h.n = 1 // want unusedwrite SA4005
}

func nobody() {} // want U1000

// Errors loses one in each of its ways.
func Errors(name string) error {
	os.Remove(name) // want errcheck
	_, err := os.Stat(name)
	if _, ok := err.(*os.PathError); ok { // want errorlint
		return fmt.Errorf("of %s: %v", name, err) // want errorlint
	}
	if err != nil {
		return nil // want nilerr
	}
	io.EOF = errors.New("other") // want reassigned
	return nil
}

// Lines takes a broken file for a short one.
func Lines(r io.Reader) (n int) {
	s := bufio.NewScanner(r) // want scannererr
	for s.Scan() {
		n++
	}
	return n
}

// Rows are left open, and a broken connection is not noticed.
func Rows(ctx context.Context, db *sql.DB) (n int, err error) {
	rows, err := db.QueryContext(ctx, "SELECT 1") // want sqlclosecheck sqlrowserr
	if err != nil {
		return 0, err
	}
	for rows.Next() {
		n++
	}
	return n, nil
}

// Call waits for ever, and then keeps the connection.
func Call(url string, ctx context.Context) (int, error) { // want contextfirst
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	answer, err := http.Get(url) // want forbidden noctx bodyclose
	if err != nil {
		return 0, err
	}
	return answer.StatusCode, nil
}

// Wait is too long, and longer than it says.
func Wait(d time.Duration, n int) {
	time.Sleep(d * time.Second)                // want forbidden durations
	time.Sleep(time.Duration(n) * time.Second) //lint:ignore forbidden to show an answer
	//lint:ignore forbidden to show one above its line
	time.Sleep(5 * time.Second / 2 * time.Duration(n))
	//lint:ignore forbidden
	time.Sleep(0) // want forbidden answer: it says no reason
	//lint:ignore forbidden of a call that went away
	_ = n // want-above answer, which answers nothing
}

// Pointer can only panic.
func Pointer(h *held) int {
	if h == nil {
		return h.n // want nilness
	}
	return int(h.n) // want unconverted
}

// Loops have a bound to get wrong, and a copy for nothing.
func Loops(all []int) (sum int) {
	for i := 0; i < 10; i++ { // want rangeint
		sum += i
	}
	for _, n := range all {
		n := n // want forvar
		sum += n
	}
	return sum
}

// Spelling is of what you recieve. want misspelled
func Spelling() string {
	naïve := "a"                    // want lookalike
	return fmt.Sprintf("%d", naïve) // want lookalike printf SA5009
}

// This does, as wants its name first. want ST1020
func That() {}

// Long has a line that a screen with two files beside each other cuts off, and another one that nobody could break: // want wide
func Long() (string, string) {
	return `text in backquotes stays as it is, for its line ends would be part of it: this one goes on to the column 130, or further`,
		"https://example.org/a/line/without/any/blank/that/nobody/could/break/wherever/it/stood/in/the/file/and/however/long"
}
