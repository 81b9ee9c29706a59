package store

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/search"
	"github.com/kinebase/kinebase/internal/store/tally"
)

func TestManySegmentsAreLookedThroughOnceEachWhateverTheProcessors(t *testing.T) {
	r, q := &hits{matches: map[*segment]*segmentMatch{}}, search.Query{Text: "7.", Labels: tally.NewSet(1), One: -1}
	q.Ready()
	var held []*segment
	for i := range 9*fewSegments + 1 {
		docs := []search.Doc{{Key: capture.Key{Time: int64(i), SessionID: "s"}, Combination: 1,
			File: fmt.Sprintf("take %d.", i)}}
		held = append(held, &segment{version: uint64(i),
			texts: search.NewSegment([]*search.Block{search.NewBlock(docs)})})
	}
	if err := r.matchHeld(held, &q); err != nil {
		t.Fatal(err)
	}
	for i, s := range held {
		m, want := r.matches[s], int64(0)
		if i%10 == 7 {
			want = 1
		}
		if m == nil || m.version != s.version || m.Docs != want || m.Rows != want {
			t.Errorf("segment %d: %+v, and not %d", i, m, want)
		}
	}
}

func TestSegmentsHaveAllBlocksInOrderWhateverComesAndMoves(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 50 {
		x := &texts{most: 1 + r.IntN(search.SegmentBlocks)}
		for range 30 {
			for range r.IntN(1 + r.IntN(3*search.SegmentBlocks)) {
				x.order = append(x.order,
					&textBlock{id: int64(len(x.order)), low: capture.Key{Time: r.Int64N(1 << 40)}})
			}
			if len(x.order) > 0 && r.IntN(3) == 0 {
				x.order[r.IntN(len(x.order))].low.Time = r.Int64N(1 << 40)
			}
			before := slices.Clone(x.segments)
			x.layOut()
			var all []*textBlock
			for _, s := range x.segments {
				if len(s.blocks) == 0 || len(s.blocks) > x.most {
					t.Fatalf("a segment of %d blocks", len(s.blocks))
				}
				for i, b := range s.blocks {
					if b.of != s || b.place != i || b.at != len(all) {
						t.Fatalf("a block is told another place: %+v", b)
					}
					all = append(all, b)
				}
				if !slices.Contains(before, s) &&
					slices.ContainsFunc(before, func(o *segment) bool { return o.version == s.version }) {
					t.Fatal("a new segment has the version of a former one")
				}
			}
			if !slices.Equal(all, x.order) ||
				!slices.IsSortedFunc(all, func(a, b *textBlock) int { return a.low.Compare(b.low) }) {
				t.Fatal("the segments do not have all blocks in order")
			}
		}
	}
}
