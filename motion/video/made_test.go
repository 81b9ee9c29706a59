package video_test

import (
	"encoding/binary"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/motion/quality"
)

// metadata are keys with their values, as QuickTime has them in a box meta.
func metadata(version bool, pairs ...string) []byte {
	keys, items := []any{0, len(pairs) / 2}, []any{}
	for i := 0; i < len(pairs); i += 2 {
		keys = append(keys, box("mdta", pairs[i]))
		number := string(binary.BigEndian.AppendUint32(nil, uint32(i/2+1)))
		items = append(items, box(number, box("data", 1, 0, pairs[i+1])))
	}
	parts := []any{box("hdlr", 0, 0, "mdta", 0, 0, 0), box("keys", keys...), box("ilst", items...)}
	if version {
		parts = append([]any{0}, parts...)
	}
	return box("meta", parts...)
}

func seconds1904(t time.Time) int {
	return int(t.Sub(time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)) / time.Second)
}

func TestTheDateOfTheCameraCountsBeforeThatOfTheFile(t *testing.T) {
	copied := time.Date(2026, 6, 20, 18, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		minutes := rapid.SampledFrom([]int{0, 120, -300, 330, 345, 825, -570}).Draw(t, "zone")
		made := time.Unix(rapid.Int64Range(1e9, 2e9).Draw(t, "made"), 0).In(time.FixedZone("", 60*minutes))
		layout := rapid.SampledFrom([]string{"2006-01-02T15:04:05-0700", time.RFC3339, "2006-01-02T15:04:05-07:00",
			"2006-01-02 15:04:05 -0700"}).Draw(t, "layout")
		text := made.Format(layout)
		pairs := []string{"com.apple.quicktime.make", "Apple", "com.apple.quicktime.creationdate", text,
			"com.apple.quicktime.software", "19.1"}
		if rapid.Bool().Draw(t, "first") {
			pairs = append(pairs[2:4:4], pairs[:2]...)
		}
		meta := metadata(rapid.Bool().Draw(t, "version"), pairs...)
		short := binary.BigEndian.AppendUint16(nil, uint16(len(text)))
		beside := rapid.SampledFrom([][]byte{
			meta, box("udta", meta), box("udta", meta, 0), box("udta", box("\xa9mak", make([]byte, 9)), meta),
			box("udta", box("\xa9day", short, uint16(0x15c7), text), 0),
			box("udta", box("meta", 0, box("hdlr", 0, 0, "mdir", 0, 0, 0),
				box("ilst", box("\xa9day", box("data", 1, 0, text))))),
		}).Draw(t, "beside")
		m := movie{created: seconds1904(copied), beside: beside}
		if got := read(t, m.bytes()).Video.Created; !got.Equal(made) {
			t.Errorf("made at %v, want %v", got, made.UTC())
		}
	})
}

func TestADateThatDoesNotTellTheTimeIsNone(t *testing.T) {
	copied := time.Date(2026, 6, 20, 18, 0, 0, 0, time.UTC)
	for _, text := range []string{"", "2026", "2026-05-13", "2026-05-13T11:30:00", "yesterday", "0001-01-01T00:00:00Z",
		"\x00\x00"} {
		m := movie{created: seconds1904(copied), beside: metadata(false, "com.apple.quicktime.creationdate", text)}
		if got := read(t, m.bytes()).Video.Created; !got.Equal(copied) {
			t.Errorf("%q is taken for %v", text, got)
		}
	}
}

func TestDamagedMetadataAreNoDamageOfTheVideo(t *testing.T) {
	whole := metadata(false, "com.apple.quicktime.creationdate", "2026-05-13T11:30:00+0200")
	for at := range whole {
		for _, b := range []byte{0, 3, 255} {
			bad := append([]byte(nil), whole...)
			if bad[at] = b; at < 8 {
				continue // the length of the box itself
			}
			if rec := read(t, movie{beside: bad}.bytes()); rec.Frames != 100 || rec.Rate != 60 ||
				len(rec.Warnings) > 0 {
				t.Fatalf("byte %d is %d: %d frames at %v Hz, warnings %v", at, b, rec.Frames, rec.Rate, rec.Warnings)
			}
		}
	}
}

func TestPicturesOfANegativeTimeDoNotChangeTheRate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var times []int
		frames, bad := 0, 0
		for range rapid.IntRange(1, 5).Draw(t, "runs") {
			n := rapid.IntRange(1, 40).Draw(t, "pictures")
			times, frames = append(times, n, 256), frames+n
			if rapid.Bool().Draw(t, "negative") {
				times = append(times, 1, -rapid.IntRange(1, 100_000).Draw(t, "time"))
				frames, bad = frames+1, bad+1
			}
		}
		rec := read(t, movie{times: times}.bytes())
		if rec.Frames != frames || math.Abs(rec.Rate-60) > 1e-9 || rec.Warnings.Has(quality.TimesUneven) != (bad > 0) ||
			rec.Warnings.Has(quality.RateMissing) {
			t.Errorf("%d frames of %d at %v Hz, warnings %v", rec.Frames, frames, rec.Rate, rec.Warnings)
		}
	})
}
