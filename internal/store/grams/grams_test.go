package grams

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// made makes texts of a few bytes, so that many have what is looked for; some are empty, and some
// begin and end as all others do.
func made(r *rand.Rand, n int) []string {
	letters := 1 + r.IntN(6)
	word := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteByte("abcd\x00\xFE"[r.IntN(letters)])
		}
		return b.String()
	}
	head, tail := word(r.IntN(5)), word(r.IntN(3))
	texts := make([]string, n)
	rare := 1 + r.IntN(400)
	for i := range texts {
		switch {
		case r.IntN(20) == 0:
		case r.IntN(rare) > 0:
			texts[i] = head + tail + "\xFF"
		default:
			texts[i] = head + word(r.IntN(8)) + tail + "\xFF" + word(r.IntN(4)) + "\xFF"
		}
	}
	return texts
}

func TestAnIndexIsExactForThreeBytesAndMissesNothingOfMore(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 300 {
		texts := made(r, r.IntN(3000))
		x := New(len(texts), func(i int) []byte { return []byte(texts[i]) })
		for range 40 {
			wanted := made(r, 1)[0]
			wanted = strings.ReplaceAll(wanted, "\xFF", "")
			if wanted == "" {
				continue
			}
			set := make([]uint64, (len(texts)+63)/64)
			exact := x.Find(wanted, set)
			if exact != (len(wanted) <= 3) {
				t.Fatalf("%q is found exactly: %t", wanted, exact)
			}
			for i, text := range texts {
				has, found := strings.Contains(text, wanted), set[i/64]>>(i%64)&1 == 1
				if has && !found || exact && found && !has {
					t.Fatalf("%q in text %d, %q: %t, found %t", wanted, i, text, has, found)
				}
			}
		}
	}
}

func TestPartsFindWhatAPlainComparisonFindsWhileTextsComeAndChange(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 10 {
		var p Parts
		var texts []string
		at := func(i int) []byte { return []byte(texts[i]) }
		for range 12 {
			texts = append(texts, made(r, r.IntN(partTexts))...)
			if r.IntN(2) == 0 {
				p.Make(len(texts), at)
			}
			for range r.IntN(1 + r.IntN(3000)) {
				if len(texts) > 0 {
					i := r.IntN(len(texts))
					texts[i] = made(r, 1)[0]
					p.Change(i)
				}
			}
			if len(texts) > 0 && r.IntN(4) == 0 {
				i := r.IntN(len(texts))
				texts[i] = "\xFF"
				p.Drop(i)
			}
			if r.IntN(6) == 0 {
				p.Clean()
			}
			wanted := strings.ReplaceAll(made(r, 1)[0], "\xFF", "")
			if wanted == "" {
				continue
			}
			set := make([]uint64, (len(texts)+63)/64)
			p.Find(len(texts), wanted, at, set)
			for i, text := range texts {
				if has := strings.Contains(text, wanted); has != (set[i/64]>>(i%64)&1 == 1) {
					t.Fatalf("%q in text %d of %d, %q: %t", wanted, i, len(texts), text, has)
				}
			}
		}
	}
}

func TestTextsOfTooManyDifferentBytesHaveNoIndexAndAreFound(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	texts := make([][]byte, 20_000)
	for i := range texts {
		for range 40 {
			texts[i] = append(texts[i], byte(r.IntN(End)))
		}
		texts[i] = append(texts[i], End)
	}
	at := func(i int) []byte { return texts[i] }
	if New(len(texts), at) != nil {
		t.Error("there is an index")
	}
	var p Parts
	p.Make(len(texts), at)
	set := make([]uint64, (len(texts)+63)/64)
	p.Find(len(texts), string(texts[777][5:15]), at, set)
	if set[777/64]>>(777%64)&1 != 1 {
		t.Error("and the text is not found")
	}
}
