package frames_test

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/frames"
)

func TestALocaleHasTheDecimalSignOfItsLanguageAndCountry(t *testing.T) {
	for tag, comma := range map[string]bool{
		"de": true, "de-DE": true, "DE-at": true, "fr": true, "fr-CA": true, "es": true, "pt-BR": true, "nb-NO": true,
		"no": true, "no-NO": true,
		"sv": true, "da-DK": true, "pl": true, "cs": true, "fi": true, "ru": true, "tr": true, "nl-BE": true,
		"it-IT": true, "uk": true,
		"en": false, "en-US": false, "en-GB": false, "de-CH": false, "de-LI": false, "it-CH": false, "es-MX": false,
		"es-419": false,
		"ja":     false, "zh-Hans-CN": false, "ko-KR": false, "he": false, "hi-IN": false, "de-u-nu-arab": true,
	} {
		if l, err := frames.ParseLocale(tag); err != nil || l.Comma != comma {
			t.Errorf("%s: a comma is %v, want %v; %v", tag, l.Comma, comma, err)
		}
	}
	for _, tag := range []string{"", "comma", "xx", "und", "*", "C", "de_DE", "de-DE.UTF-8", "tlh", "got", "x-de",
		"de,en", "de-" + strings.Repeat("x", 40), "german", "1"} {
		if l, err := frames.ParseLocale(tag); !fault.Is(err, fault.BadRequest) || l.Comma ||
			!strings.Contains(err.Error(), "locale must be a language tag") {
			t.Errorf("%q is taken: %v, %v", tag, l, err)
		}
	}
}

func TestADecimalCommaChangesNumbersAndNoText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.Bool(), 0, 5).Draw(t, "texts")
		columns := rapid.IntRange(max(1, len(texts)), 6).Draw(t, "columns")
		name := rapid.StringOf(rapid.RuneFrom([]rune("a.,;\"'\n\tä =-1")))
		var in []byte
		var want [][]string
		for row := range rapid.IntRange(1, 5).Draw(t, "rows") {
			var cells []string
			for i := range columns {
				if i > 0 {
					in = append(in, ',')
				}
				if row == 0 || i < len(texts) && texts[i] {
					s := name.Draw(t, "text")
					in = frames.AppendCell(in, s)
					if s != "" && strings.Contains("=+-@\t\r", s[:1]) {
						s = "'" + s
					}
					cells = append(cells, s)
					continue
				}
				was := len(in)
				in = frames.AppendNumber(in, rapid.Float64().Draw(t, "number"), 64, "")
				cells = append(cells, strings.ReplaceAll(string(in[was:]), ".", ","))
			}
			in, want = append(in, '\n'), append(want, cells)
		}
		if columns == 1 { // a line that is empty is none to encoding/csv
			t.Skip("one column")
		}
		var out bytes.Buffer
		to := frames.NewRespeller(texts).Writer(&out)
		for rest := in; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "piece")
			if _, err := to.Write(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if out.Len() != len(in) {
			t.Fatalf("%d bytes became %d", len(in), out.Len())
		}
		r := csv.NewReader(&out)
		r.Comma = ';'
		got, err := r.ReadAll()
		if err != nil || len(got) != len(want) {
			t.Fatalf("%d lines, want %d: %v", len(got), len(want), err)
		}
		for row := range want {
			for i := range want[row] {
				if got[row][i] != want[row][i] {
					t.Fatalf("line %d has %q, want %q", row, got[row], want[row])
				}
			}
		}
	})
}
