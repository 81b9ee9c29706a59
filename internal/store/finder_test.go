package store

import (
	"fmt"
	"testing"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/search"
	"github.com/kinebase/kinebase/internal/store/tally"
)

func TestManyBlocksAreLookedThroughOnceEachWhateverTheProcessors(t *testing.T) {
	x, r, n := &texts{}, &hits{}, 5*fewBlocks+3
	for i := range n {
		docs := []search.Doc{{Key: capture.Key{Time: int64(i), SessionID: "s"}, Combination: 1, File: fmt.Sprintf("take %d.", i)}}
		x.order = append(x.order, &textBlock{slot: n - 1 - i, version: 1, texts: search.NewBlock(docs)})
	}
	x.order[7].texts = nil // one that is not in memory
	r.matches = make([]blockMatch, n)
	q := search.Query{Text: "7.", Labels: tally.NewSet(1), One: -1}
	q.Sketch()
	if looked, err := r.matchHeld(x, &q); err != nil || !looked {
		t.Fatal(looked, err)
	}
	for i, b := range x.order {
		want := blockMatch{version: 1}
		if b.texts == nil {
			want.version = 0
		} else if i%10 == 7 {
			want.Docs, want.Rows = 1, 1
		}
		if got := r.matches[b.slot]; got.version != want.version || got.Docs != want.Docs || got.Rows != want.Rows {
			t.Errorf("block %d: %+v, and not %+v", i, got, want)
		}
	}
	if looked, err := r.matchHeld(x, &q); err != nil || looked {
		t.Error("blocks are looked through again", err)
	}
}
