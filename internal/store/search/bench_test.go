package search

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/tally"
)

// BenchmarkSearch looks for texts among 600,000 captures of 12,000 athletes on one processor, each text as one that
// was not looked for before.
func BenchmarkSearch(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	people := NewPeople()
	for i := range 12_000 {
		people.Name([16]byte{byte(i), byte(i >> 8)}, fmt.Sprintf("Name%02d Family%02d", i%26, i%25))
	}
	var segments []*Segment
	var blocks []*Block
	size := 0
	for len(segments) < 600_000/170/SegmentBlocks {
		blocks = nil
		for range SegmentBlocks {
			var docs []Doc
			for range 170 {
				d := Doc{Key: capture.Key{SessionID: fmt.Sprintf("%08x-%04x-%012x_1", r.Uint32(), r.Uint32N(1<<16),
					r.Uint64N(1<<48))}, Combination: 1 + r.Uint32N(200)}
				for range 1 + r.IntN(33)/32 {
					d.Athletes = append(d.Athletes, r.Uint32N(12_000))
				}
				docs = append(docs, d)
			}
			blocks = append(blocks, NewBlock(docs))
		}
		s := NewSegment(blocks)
		segments = append(segments, s)
		size += s.Bytes()
	}
	b.Logf("%d bytes a capture", size/len(segments)/SegmentBlocks/170)
	for _, text := range []string{"absent", "a", "3f", "3f2", "3f2a", "3f2a3", "_1", "name07", "name07 family07",
		string(segments[3].blocks[5].textOf(7)[:34])} {
		b.Run(text, func(b *testing.B) {
			for range b.N {
				q := Query{Text: text, Labels: tally.NewSet(200), People: people.Find(text), One: -1}
				q.Ready()
				for _, s := range segments {
					s.Match(&q)
				}
			}
		})
	}
	b.Run("making a segment", func(b *testing.B) {
		for range b.N {
			NewSegment(blocks)
		}
	})
}
