package store

import (
	"regexp"
	"strings"
	"sync"
)

// Statements are written once, in PostgreSQL's words, of which SQLite knows all
// but two: parameters are ?N and not $N (SQLite takes $N too, but numbers it by
// first appearance, so that $2 before $1 would silently swap them), and rows
// cannot be locked, which needs no doing where there is a single writer.
var (
	parameter = regexp.MustCompile(`\$(\d+)`)
	rowLock   = regexp.MustCompile(`\s+FOR (UPDATE|NO KEY UPDATE|KEY SHARE|SHARE)\s*$`)
)

var rewritten sync.Map // PostgreSQL's text → SQLite's

// forSQLite rewrites a statement for SQLite, once.
func forSQLite(sql string) string {
	if s, ok := rewritten.Load(sql); ok {
		return s.(string)
	}
	s := parameter.ReplaceAllString(rowLock.ReplaceAllString(strings.TrimSpace(sql), ""), "?$1")
	rewritten.Store(sql, s)
	return s
}
