package capture

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
	"unicode/utf8"
)

// row makes a random capture and one of its athletes.
func row(r *rand.Rand) (c Capture, athleteID string) {
	text := func() *string {
		words := []string{"jump", "größe", `"`, `,"capture_time":null`, `,"athlete_id":null`, "\n", "\u2028", "a\\", ""}
		t := words[r.IntN(len(words))] + words[r.IntN(len(words))]
		if r.IntN(4) == 0 {
			return nil
		}
		return &t
	}
	c = Capture{SessionID: "s" + *first(text()), Status: Statuses[r.IntN(len(Statuses))], Activity: text(),
		Movement: text(), Error: text()}
	if r.IntN(3) > 0 {
		at := time.UnixMicro(r.Int64N(4e15) - 1e15)
		c.CaptureTime = &at
	}
	if r.IntN(2) == 0 {
		fps := float64(r.IntN(100000)) / 100
		c.FPSDetected = &fps
	}
	if r.IntN(3) > 0 {
		athleteID = "0190f0e5-7b1c-7cc3-98c4-000000000001"
	}
	return c, athleteID
}

func first(s *string) *string {
	if s == nil {
		return new(string)
	}
	return s
}

func TestAPatternMakesTheRowAgainByteForByte(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	shared := 0
	for range 20_000 {
		c, athlete := row(r)
		ready := c.AppendJSON(nil, athlete)
		pattern, ok := c.Key().AppendPattern([]byte("x"), ready, athlete)
		if !ok {
			t.Fatalf("no pattern of %s", ready)
		}
		if got := c.Key().AppendRow(nil, string(pattern[1:]), athlete); string(got) != string(ready) {
			t.Fatalf("%s became %s", ready, got)
		}
		other, _ := row(r)
		other.Status, other.Activity, other.Movement, other.Error, other.FPSDetected = c.Status, c.Activity, c.Movement,
			c.Error, c.FPSDetected
		same, ok := other.Key().AppendPattern(nil, other.AppendJSON(nil, ""), "")
		if ok && string(same) == string(pattern[1:]) {
			shared++
		}
		if other.SessionID != c.SessionID {
			if _, ok := other.Key().AppendPattern(nil, ready, athlete); ok {
				t.Fatalf("the row %s passes for that of %q", ready, other.SessionID)
			}
		}
	}
	if shared < 19_000 {
		t.Errorf("of 20,000 captures that say the same %d share a pattern", shared)
	}
}

func FuzzWhateverHasAPatternIsMadeAgain(f *testing.F) {
	f.Add([]byte(`{"session_id":"s","athlete_id":null,"capture_time":null}`), "s", int64(math.MaxInt64))
	f.Add([]byte("{\"session_id\":\"s\",\"athlete_id\":null,\xff\"capture_time\":null}"), "s", int64(-1))
	f.Fuzz(func(t *testing.T, row []byte, session string, at int64) {
		if !utf8.ValidString(session) || at < -1e17 {
			return
		}
		k := Key{Time: at, SessionID: session}
		if pattern, ok := k.AppendPattern(nil, row, ""); ok &&
			string(k.AppendRow(nil, string(pattern), "")) != string(row) {
			t.Fatalf("%q became %q", row, k.AppendRow(nil, string(pattern), ""))
		}
	})
}
