package store

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/store/tally"
)

// selection is what a filter selects.
type selection struct {
	set     tally.Set // nil: everything
	numbers []int64   // the combinations, ascending; nil when there is no filter
}

// selectCombinations finds the combinations that pass a filter, in the snapshot
// of t: those that it knows already and those that have come since.
func (s *Store) selectCombinations(t db.Tx, org db.ID, f capture.Filter) (selection, error) {
	if f.Any() {
		return selection{}, nil
	}
	all, err := s.combinationsOf(t, org)
	if err != nil {
		return selection{}, err
	}
	sel := selection{set: tally.NewSet(uint32(len(all))), numbers: []int64{}}
	for i, k := range all {
		if f.Match(k) {
			sel.put(i + 1)
		}
	}
	return sel, nil
}

func (sel *selection) put(n int) {
	sel.set.Put(uint32(n))
	sel.numbers = append(sel.numbers, int64(n))
}

// The costs of a step, in steps of a walk along the rows of a list, which reads a bit of each row: seek finds the place
// of a combination in its index, and fetch reads the row that an entry of the index is about. SQLite takes half a
// microsecond for a walk's step of a list of 600,000 rows.
const (
	walk  = 1
	seek  = 9
	fetch = 9
)

// maxList bounds a list of combinations in a statement. A filter that selects
// more, in an organization with thousands of labels, selects by the labels.
const maxList = 4096

// fewNumbers are listed in a statement of their own length.
const fewNumbers = 16

// list is what a combination must be in, with its arguments: a list of
// parameters of one of a few lengths, so that the texts are few (the last number
// fills it up), or a query.
func (sel *selection) list(first int, f capture.Filter) (string, []any) {
	if len(sel.numbers) > maxList {
		return fmt.Sprintf(`SELECT id FROM combination WHERE organization = $1 AND ($%[1]d = '' OR source = $%[1]d) AND ($%[2]d = '' OR status = $%[2]d) AND ($%[3]d = '' OR activity = $%[3]d) AND ($%[4]d = '' OR movement = $%[4]d)`,
			first, first+1, first+2, first+3), []any{f.Source, string(f.Status), f.Activity, f.Movement}
	}
	// A few are listed as they are: more than there are would make PostgreSQL think
	// that they select most of the list.
	n := len(sel.numbers)
	if n > fewNumbers {
		n = 1 << bits.Len(uint(n-1))
	}
	args := make([]any, n)
	for i := range args {
		args[i] = sel.numbers[min(i, len(sel.numbers)-1)]
	}
	return parameters(first, n), args
}

// maxWords bounds the numbers that holds compares by: so many times 64 combinations.
const maxWords = 4

// holds is the condition that the combination of a row is selected, which no index helps with, and its arguments, the
// first of which is the parameter of that number. The set is compared bit by bit: SQLite keeps a list of parameters in
// a table of its own, and to look each row up there takes longer.
func (sel *selection) holds(first int, f capture.Filter) (string, []any) {
	if len(sel.set) > maxWords {
		in, args := sel.list(first, f)
		return `+combination IN (` + in + `)`, args // the plus keeps PostgreSQL from using the index
	}
	var words strings.Builder
	args := make([]any, len(sel.set))
	for i, word := range sel.set {
		fmt.Fprintf(&words, ` WHEN %d THEN CAST($%d AS BIGINT)`, i, first+i)
		args[i] = int64(word)
	}
	return `(CASE combination >> 6` + words.String() + ` END >> CAST(combination & 63 AS INTEGER)) & 1 = 1`, args
}
