package search

import (
	"fmt"
	"testing"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/tally"
	"github.com/kinebase/kinebase/organization"
	"math/rand/v2"
)

func BenchmarkMatch(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	people := NewPeople()
	for i := range 20000 {
		people.Name([16]byte{byte(i >> 8), byte(i)}, fmt.Sprintf("First%d Last%d", i%997, i))
	}
	var blocks []*Block
	for k := range 2400 {
		var docs []Doc
		for i := range 250 {
			docs = append(docs, Doc{Key: capture.Key{Time: int64(i), SessionID: organization.NewID()}, Combination: uint32(1 + r.IntN(60)), File: fmt.Sprintf("trial_%d_%d.c3d", k, i), Athletes: []uint32{uint32(r.IntN(20000))}})
		}
		blocks = append(blocks, NewBlock(docs))
	}
	b.Logf("%d bytes a capture", blocks[0].Bytes()/250)
	for _, text := range []string{"no such text", "7ef", "last777", "first77", "e", "c3", "7e", "7ef1", "first7"} {
		b.Run(text, func(b *testing.B) {
			q := Query{Text: text, Labels: tally.NewSet(60), People: people.Find(text), One: -1}
			q.Sketch()
			n := int64(0)
			for b.Loop() {
				n = 0
				for _, x := range blocks {
					m := x.Match(&q)
					n += m.Docs
				}
			}
			b.ReportMetric(float64(n), "matches")
		})
	}
}
