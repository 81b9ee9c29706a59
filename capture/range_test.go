package capture_test

import (
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
)

func TestABoundOfARangeIsADateOrATimeAndIsRoundedUpToTheMicrosecond(t *testing.T) {
	for text, want := range map[string]string{
		"2026-05-13":                            "2026-05-13T00:00:00Z",
		"0001-01-01":                            "0001-01-01T00:00:00Z",
		"9999-12-31":                            "9999-12-31T00:00:00Z",
		"2026-05-13T12:00":                      "2026-05-13T12:00:00Z",
		"2026-05-13T12:00:00.5+02:00":           "2026-05-13T10:00:00.5Z",
		"2026-05-13T12:00:00.1230000Z":          "2026-05-13T12:00:00.123Z",
		"2026-05-13T12:00:00.1239999Z":          "2026-05-13T12:00:00.124Z",
		"2026-05-13T12:00:00,1234560001":        "2026-05-13T12:00:00.123457Z",
		"2026-05-13T12:00:00.0000000000000001Z": "2026-05-13T12:00:00.000001Z",
		"1969-12-31T23:59:59.99999999Z":         "1970-01-01T00:00:00Z",
	} {
		got, ok := capture.ParseBound(text)
		if !ok || got.Format(time.RFC3339Nano) != want {
			t.Errorf("%s is read as %v, %v; want %s", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "2026", "2026-05", "2026-5-13", "2026-02-30", "2026-13-01", "20260513",
		"0000-01-01", "2026/05/13", "2026-05-13Z", "2026-05-13T", "1768000000", "+026-05-13"} {
		if got, ok := capture.ParseBound(text); ok {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

func FuzzParseBound(f *testing.F) {
	f.Add("2026-05-13T12:00:00.1239999+02:00")
	f.Add("2026-05-13")
	f.Add("2026-05-13 12:00")
	f.Fuzz(func(t *testing.T, s string) {
		bound, ok := capture.ParseBound(s)
		at, timed := capture.ParseTime(s)
		if blank := strings.Contains(s, " "); timed && ok == blank {
			t.Fatalf("%q is a time; a bound: %v", s, ok)
		}
		if timed && ok && (bound.Before(at) || bound.Sub(at) > time.Millisecond) {
			t.Fatalf("%q is the time %v and the bound %v", s, at, bound)
		}
		if ok && !bound.Equal(bound.Truncate(time.Microsecond)) {
			t.Fatalf("%q is the bound %v, between two microseconds", s, bound)
		}
	})
}
