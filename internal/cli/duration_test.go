package cli

import (
	"testing"
	"time"
)

func TestALifeIsASumOfWholeUnitsOrNever(t *testing.T) {
	const day = 24 * time.Hour
	for text, want := range map[string]time.Duration{
		"1s": time.Second, "90m": 90 * time.Minute, "12h": 12 * time.Hour, "90d": 90 * day, "2w": 14 * day,
		"1d12h": 36 * time.Hour, "1w1d1h1m1s": 8*day + time.Hour + time.Minute + time.Second, "never": 0,
		" 5s ": 5 * time.Second,
	} {
		var l life
		if err := l.UnmarshalText([]byte(text)); err != nil || time.Duration(l) != want {
			t.Errorf("%q is %v (%v), want %v", text, time.Duration(l), err, want)
		}
	}
}

func TestWhatIsNoLifeIsRefusedWithARule(t *testing.T) {
	for _, text := range []string{
		"", "0", "0s", "0d", "90", "d", "-1d", "1.5d", "1 d", "1y", "1M", "Never", "forever", "101w1y",
		"36501d", "99999999999999999999s", "18446744073709551617s", "5000w5000w",
	} {
		var l life
		if err := l.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is taken as %v", text, time.Duration(l))
		} else if _, ok := err.(usageError); !ok {
			t.Errorf("%q: the error is a %T, want one of usage", text, err)
		}
	}
}
