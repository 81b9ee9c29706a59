package httpapi

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/frames"
)

func TestAKeptFileIsGivenInEachLocaleAndNeverInThatOfAnother(t *testing.T) {
	s := newUploads()
	f := walks(t, s)
	get := giver(t, f, s)
	const path = "job%201/results?format=csv"
	point := get("GET", path)
	comma := []byte(point.body)
	result := f.result
	frames.NewRespeller(export.TextColumns(result.Columns)).Change(comma)
	wants := map[string]string{"": point.body, "&locale=en": point.body, "&locale=de": string(comma),
		"&locale=fr-FR": string(comma), "&bom=1&locale=pt-BR": "\ufeff" + string(comma)}
	if !strings.Contains(point.body, ".") || string(comma) == point.body {
		t.Fatalf("there is nothing to tell apart in %.200q", point.body)
	}
	streamed := map[string]string{}
	for query, want := range wants {
		got := get("GET", path+query)
		if got.status != 200 || got.body != want {
			t.Errorf("%q, written for the caller: %d %.300q", query, got.status, got.body)
		}
		streamed[query] = got.header.Get("Etag")
	}
	if streamed[""] != streamed["&locale=en"] || streamed["&locale=de"] != streamed["&locale=fr-FR"] ||
		streamed[""] == streamed["&locale=de"] || streamed["&locale=de"] == streamed["&bom=1&locale=pt-BR"] {
		t.Errorf("the tags are %q", streamed)
	}

	s.files["kept"] = []byte(point.body)
	f.kept = map[export.Format]export.Kept{export.CSV: {Name: "kept", Writers: export.Writers}}
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	for query, want := range wants {
		whole := get("GET", path+query)
		if whole.status != 200 || whole.body != want || whole.header.Get("Etag") != streamed[query] ||
			whole.header.Get("Content-Length") != fmt.Sprint(len(want)) {
			t.Errorf("%q, kept: %d %v", query, whole.status, whole.header)
		}
		for range 20 {
			from := r.IntN(len(want))
			to := from + r.IntN(len(want)-from)
			part := get("GET", path+query, "Range", fmt.Sprintf("bytes=%d-%d", from, to), "If-Range", streamed[query])
			if part.status != 206 || part.body != want[from:to+1] {
				t.Errorf("seed %d: bytes %d to %d of %q: %d %.100q", seed, from, to, query, part.status, part.body)
			}
		}
		for other, tag := range streamed {
			part := get("GET", path+query, "Range", "bytes=1-2", "If-Range", tag)
			if same := wants[other] == want; same != (part.status == 206) {
				t.Errorf("a part of %q that began as %q: %d", query, other, part.status)
			}
		}
	}
}

func TestAPartThatLiesBeforeTheLastIsReadOnceMoreFromTheBeginning(t *testing.T) {
	const point = "a,b,c\n1.5,\"x,.\",2.5\n"
	const comma = "a;b;c\n1,5;\"x,.\";2,5\n"
	file := &respelled{file: strings.NewReader(point)}
	for _, at := range []int64{8, 3, 15, 0, 9, 2} {
		p := make([]byte, 4)
		if n, err := file.ReadAt(p, at); n != 4 || err != nil || string(p) != comma[at:at+4] {
			t.Errorf("at %d: %q, %v", at, p[:n], err)
		}
	}
}
