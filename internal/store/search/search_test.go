package search

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/tally"
)

var pieces = []string{"a", "A", "ab", "Ba", "é", "E\u0301", "ß", "ς", "Σ", "İ", "1f", "-", "_1", ".C3D", "😀", " ", "k",
	"\u212a"}

func text(r *rand.Rand, most int) string {
	var b strings.Builder
	for range r.IntN(most + 1) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func TestASegmentMatchesExactlyWhatAPlainComparisonMatches(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 300 {
		people, names := NewPeople(), map[uint32]string{}
		id := func(n int) [16]byte { return [16]byte{1, byte(n), byte(n >> 8)} }
		many := []int{20, 20, 3 * fewPeople, mostBytes + 200}[r.IntN(4)]
		if many > mostBytes { // beyond those that have a byte each
			for n := range mostBytes {
				people.Number(id(n))
			}
		}
		for range 3 * min(many, 3*fewPeople) { // some of them are called otherwise later, or are gone
			n, name := r.IntN(many), text(r, 3+min(many/100, 5))
			before := names[people.Number(id(n))]
			if changed := people.Name(id(n), name); changed != (athlete.Fold(before) != athlete.Fold(name)) {
				t.Fatalf("%q in place of %q counts as a change: %t", name, before, changed)
			}
			number, _ := people.Known(id(n))
			names[number] = name
		}
		prefix := text(r, 2)
		made := func(n int) (docs []Doc) {
			for i := range n {
				d := Doc{Key: capture.Key{Time: int64(i / 3),
					SessionID: fmt.Sprintf("%s%d%s", prefix, i%3, text(r, 4))}, Combination: uint32(1 + r.IntN(6)),
					File: text(r, 3)}
				for range r.IntN(4) {
					if n := uint32(r.IntN(1 + r.IntN(people.Len()))); !slices.Contains(d.Athletes, n) {
						d.Athletes = append(d.Athletes, n)
					}
				}
				docs = append(docs, d)
			}
			return docs
		}
		var docs [][]Doc
		var blocks []*Block
		for range 1 + r.IntN(8) {
			docs = append(docs, made(r.IntN(1+r.IntN(200))))
			blocks = append(blocks, NewBlock(docs[len(docs)-1]))
		}
		s := NewSegment(blocks)
		if r.IntN(4) == 0 {
			s.Forget()
		}
		for range r.IntN(8) { // blocks change: all of it, or labels and links alone
			k := r.IntN(len(docs))
			now := made(len(docs[k]))
			if r.IntN(2) == 0 {
				for i := range now {
					now[i].Key, now[i].File = docs[k][i].Key, docs[k][i].File
				}
			}
			docs[k] = now
			if !s.Replace(k, NewBlock(now)) {
				var again []*Block
				for i := range s.blocks {
					again = append(again, s.Block(i))
				}
				s = NewSegment(again)
			}
		}
		wanted := athlete.Fold(text(r, 3))
		if r.IntN(2) == 0 { // what many have
			wanted = athlete.Fold(text(r, 1))
		}
		if wanted == "" {
			continue
		}
		q := Query{Text: wanted, Labels: tally.NewSet(6), People: people.Find(wanted), One: -1}
		q.Labels.Put(uint32(1 + r.IntN(6)))
		if r.IntN(2) == 0 {
			q.Only = tally.NewSet(6)
			q.Only.Put(1)
			q.Only.Put(2)
		}
		if r.IntN(3) == 0 {
			q.One = int64(r.IntN(people.Len()))
		}
		q.Ready()
		m := s.Match(&q)
		var count, matching, rows int64
		has := func(s string) bool { return strings.Contains(athlete.Fold(s), wanted) }
		for k, docs := range docs {
			b, before := s.Block(k), rows
			for i, d := range docs {
				want := has(d.Key.SessionID) || has(d.File) || q.Labels.Has(d.Combination) ||
					slices.ContainsFunc(d.Athletes, func(n uint32) bool { return has(names[n]) })
				n := int64(max(1, len(d.Athletes)))
				if q.One >= 0 {
					want, n = want && slices.Contains(d.Athletes, uint32(q.One)), 1
				}
				want = want && q.Only.Has(d.Combination)
				if m.Has(k, i) != want || (q.MatchDoc(&d) == n) != want {
					t.Fatalf("%q in %+v: %t, alone %d, want %t", wanted, d, m.Has(k, i), q.MatchDoc(&d), want)
				}
				if at, ok := b.Find(d.Key); at != i && b.Key(at) != d.Key || !ok || b.Key(i) != d.Key {
					t.Fatalf("the key %+v of %d is found at %d", d.Key, i, at)
				}
				if want {
					count++
					matching++
					rows += n
					if got := b.Rows(&q, i); got != n {
						t.Fatalf("%+v takes %d rows, and not %d", d, got, n)
					}
				}
			}
			for i := range m.All(k) {
				if !m.Has(k, i) {
					t.Fatalf("capture %d of block %d is among all, and does not match", i, k)
				}
				count--
			}
			if got := m.RowsOf(&q, k, b); got != rows-before || m.Any(k) != (rows > before) {
				t.Fatalf("%d rows of block %d, any: %t, want %d", got, k, m.Any(k), rows-before)
			}
		}
		if count != 0 {
			t.Fatalf("%d captures more match than are among all", count)
		}
		count = matching
		if m.Docs != count || m.Rows != rows {
			t.Fatalf("%d captures and %d rows, want %d and %d", m.Docs, m.Rows, count, rows)
		}
	}
}

func TestANeedleIsFoundWhereBytesIndexFindsIt(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	few := []byte{0, 1, 'a', 'b', 0x80, 0xFF}
	random := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = few[r.IntN(1+r.IntN(len(few)))]
		}
		return b
	}
	for range 100_000 {
		text, s := random(1+r.IntN(6)), random(r.IntN(60))
		n := newNeedle(string(text))
		if got, want := n.index(s), bytes.Index(s, text); got != want {
			t.Fatalf("%q in %q: %d and not %d", text, s, got, want)
		}
	}
}

func TestFoldingASCIIIsFoldingAnything(t *testing.T) {
	var all []byte
	for c := range 0x80 {
		all = append(all, byte(c))
	}
	if got, want := Fold(string(all)), athlete.Fold(string(all)); got != want {
		t.Errorf("%q, and not %q", got, want)
	}
}

func TestWhatSomebodyWasCalledIsNotKept(t *testing.T) {
	p := NewPeople()
	p.Name([16]byte{1}, "Nobody Else")
	p.Name([16]byte{2}, "Other")
	p.Name([16]byte{1}, "")
	if strings.Contains(string(p.text), "nobody") || len(p.Find("nobody")) > 0 && p.Find("nobody").Has(0) {
		t.Errorf("the text is %q", p.text)
	}
	if !p.Find("other").Has(1) {
		t.Error("and the other one is not found any more")
	}
}
