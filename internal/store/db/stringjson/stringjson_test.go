package stringjson

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// likeUnmarshal holds Decode to encoding/json, for lists and for maps.
func likeUnmarshal(t *testing.T, text string) {
	t.Helper()
	if text == "" {
		return
	}
	var list, listed []string
	err, wanted := Decode(text, &list), json.Unmarshal([]byte(text), &listed)
	if (err == nil) != (wanted == nil) || !slices.Equal(list, listed) || (list == nil) != (listed == nil) {
		t.Fatalf("%q is the list %q (%v), and not %q (%v)", text, list, err, listed, wanted)
	}
	var all, mapped map[string]string
	err, wanted = Decode(text, &all), json.Unmarshal([]byte(text), &mapped)
	if (err == nil) != (wanted == nil) || !maps.Equal(all, mapped) || (all == nil) != (mapped == nil) {
		t.Fatalf("%q is the map %q (%v), and not %q (%v)", text, all, err, mapped, wanted)
	}
}

func TestListsAndMapsOfStringsAreReadAsEncodingJSONReadsThem(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	word := func() string {
		parts := []string{"", "team", "Größe", `"`, `\`, "<", ",", `":"`, "]", "}", "\n", "\u2028", "7", " "}
		return parts[r.IntN(len(parts))] + parts[r.IntN(len(parts))]
	}
	quick := 0
	for range 20_000 {
		list, all := []string{}, map[string]string{}
		for range r.IntN(4) {
			list = append(list, word())
			all[word()] = word()
		}
		for _, text := range []string{Encode(list), Encode(all)} {
			likeUnmarshal(t, text)
			if _, ok := plainJSON(text); ok {
				quick++
			}
			if len(text) > 0 { // and what is damaged
				at := r.IntN(len(text))
				likeUnmarshal(t, text[:at]+text[at+1:])
				likeUnmarshal(t, text[:at]+string(`"{}[],:a\`[r.IntN(9)])+text[at:])
			}
		}
	}
	if quick < 1000 {
		t.Errorf("only %d of 40,000 texts are read quickly", quick)
	}
}

func FuzzListsAndMapsOfStrings(f *testing.F) {
	for _, text := range []string{`["a","b"]`, `{"a":"b","c":"d"}`, `{"a","b"}`, `["a":"b"]`, `[""]`, `{"":""}`,
		`["a",]`, `["a" ]`, "[\"\x01\"]", "[\"\xff\"]", `{"a":"b","a":"c"}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		likeUnmarshal(t, text)
	})
}
