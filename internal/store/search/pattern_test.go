package search

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/kinebase/kinebase/capture"
)

func TestPatternsAreHeldAsLongAsABlockUsesThemAndNeverTakeMoreThanTheirRoom(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	const most = 20 * (patternCost + 9)
	p := NewPatterns(most)
	type held struct {
		block *Block
		texts []string // of the captures, "" where there was no room
	}
	var blocks []held
	for range 3000 {
		if len(blocks) > 0 && r.IntN(2) == 0 {
			i := r.IntN(len(blocks))
			p.LeaveAll(blocks[i].block)
			blocks = append(blocks[:i], blocks[i+1:]...)
		} else {
			var h held
			var docs []Doc
			for n := range r.IntN(4) {
				text := fmt.Sprintf("pattern%02d", r.IntN(40))
				d := Doc{Key: capture.Key{SessionID: fmt.Sprint(n)}, Pattern: p.Use([]byte(text))}
				if d.Pattern == 0 {
					text = ""
				}
				docs, h.texts = append(docs, d), append(h.texts, text)
			}
			h.block = NewBlock(docs)
			blocks = append(blocks, h)
		}
		used := map[string]bool{}
		for _, h := range blocks {
			for i, text := range h.texts {
				if n := h.block.Pattern(i); (n == 0) != (text == "") || n != 0 && p.Text(n) != text {
					t.Fatalf("a capture with the pattern %q has number %d", text, n)
				}
				used[text] = true
			}
		}
		delete(used, "")
		if got := len(p.Dump()) / 9; got != len(used) || len(p.numbers) != len(used) {
			t.Fatalf("%d patterns and %d numbers are held, and %d are used", got, len(p.numbers), len(used))
		}
		if p.bytes > most || p.bytes != len(used)*(patternCost+9) {
			t.Fatalf("%d patterns take %d bytes of %d", len(used), p.bytes, most)
		}
	}
}
