package limit

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestARateIsReadAsItIsWritten(t *testing.T) {
	for text, want := range map[string]Rate{
		"off":            {},
		"50":             {50, 100},
		"50:100":         {50, 100},
		"50:10":          {50, 10},
		"1:1":            {1, 1},
		"0050:0100":      {50, 100},
		"100000:1000000": {MaxPerSecond, MaxBurst},
	} {
		if got, err := ParseRate(text); err != nil || got != want {
			t.Errorf("ParseRate(%q) = %v, %v; want %v", text, got, err, want)
		}
	}
}

func TestAWrongRateIsRefusedWithItsRule(t *testing.T) {
	const form, rate, burst = "write off, RATE or RATE:BURST", "RATE must be 1 to 100000", "BURST must be 1 to 1000000"
	for text, rule := range map[string]string{
		"": form, "Off": form, "on": form, " 50": form, "50 ": form, "50:": form, ":": form, ":100": form,
		"50:100:2": form,
		"-1":       form, "+50": form, "50:-1": form, "0x10": form, "1e3": form, "50/s": form, "5.5": form, "٥٠": form,
		"1_000": form,
		"0":     rate, "0:5": rate, "100001": rate, "99999999999999999999": rate,
		"50:0": burst, "50:1000001": burst, "50:99999999999999999999": burst,
	} {
		got, err := ParseRate(text)
		if err == nil {
			t.Errorf("ParseRate(%q) = %v", text, got)
		} else if !strings.Contains(err.Error(), rule) {
			t.Errorf("ParseRate(%q) says %q and not %q", text, err, rule)
		}
	}
}

func TestARateThatIsPrintedIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Rate{rapid.IntRange(1, MaxPerSecond).Draw(t, "rate"), rapid.IntRange(1, MaxBurst).Draw(t, "burst")}
		if got, err := ParseRate(r.String()); err != nil || got != r {
			t.Errorf("%v is read back as %v, %v", r, got, err)
		}
	})
	for _, r := range []Rate{{}, DefaultToken, DefaultOrganization, DefaultFailures} {
		if got, err := ParseRate(r.String()); err != nil || got != r {
			t.Errorf("%v is read back as %v, %v", r, got, err)
		}
	}
}
