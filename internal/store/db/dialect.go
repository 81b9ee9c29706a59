package db

import (
	"iter"
	"regexp"
	"strings"
	"sync"
)

// Statements are written once, in PostgreSQL's words, of which SQLite knows all
// but two: parameters are ?N and not $N (SQLite takes $N too, but numbers it by
// first appearance, so that $2 before $1 would silently swap them), and rows
// cannot be locked, which needs no doing where there is a single writer. SQLite
// plans without statistics; where it must be told which index to use, the text
// says so in a comment, /*+ INDEXED BY … */, which only SQLite gets to read.
var (
	hint      = regexp.MustCompile(`/\*\+ (.*?) \*/`)
	parameter = regexp.MustCompile(`\$(\d+)`)
	rowLock   = regexp.MustCompile(`\s+FOR (UPDATE|NO KEY UPDATE|KEY SHARE|SHARE)\s*$`)
)

var rewritten sync.Map // PostgreSQL's text → SQLite's

// Texts are the statements that this process has run on SQLite, as they are written.
func Texts() iter.Seq[string] {
	return func(yield func(string) bool) {
		rewritten.Range(func(text, _ any) bool { return yield(text.(string)) })
	}
}

// ForSQLite rewrites a statement for SQLite, once.
func ForSQLite(sql string) string {
	if s, ok := rewritten.Load(sql); ok {
		return s.(string)
	}
	s := rowLock.ReplaceAllString(strings.TrimSpace(sql), "")
	s = hint.ReplaceAllString(parameter.ReplaceAllString(s, "?$1"), "$1")
	rewritten.Store(sql, s)
	return s
}
