package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/intake"
)

func TestABarShowsHowFarAnImportIsAndFitsItsTerminal(t *testing.T) {
	half := intake.Progress{Bytes: 50e6, Total: 100e6, Records: 200_000}
	if got, want := bar(half, 4*time.Second, 80),
		" 50% [################-----------------] 50.0 MB of 100.0 MB  50,000/s  4s left"; got != want {
		t.Errorf("drawn is %q, want %q", got, want)
	}
	if got, want := bar(intake.Progress{Bytes: 50e6, Records: 200_000}, 4*time.Second, 80),
		"50.0 MB  200,000 records  50,000/s"; got != want {
		t.Errorf("without a total, drawn is %q, want %q", got, want)
	}
	for width := range 200 {
		for _, p := range []intake.Progress{half, {}, {Bytes: 7, Total: 5, Records: 1}} {
			if got := bar(p, time.Minute, width); len(got) >= max(width, 1) {
				t.Fatalf("a bar of %d columns for a terminal of %d: %q", len(got), width, got)
			}
		}
	}
}

func TestReportsStandAboveTheBarAndItGoesAtTheEnd(t *testing.T) {
	var out bytes.Buffer
	p := progress{out: &out, width: func() int { return 60 }, started: time.Now()}
	p.update(intake.Progress{Bytes: 1, Total: 2, Records: 1})
	p.line("m.ndjson:1: status: is required")
	p.clear()
	const erase = "\r\x1b[K"
	if got := out.String(); !strings.HasSuffix(got, erase+"m.ndjson:1: status: is required\n") ||
		strings.Count(got, erase) != 2 {
		t.Errorf("written is %q", got)
	}
}

func TestWithoutATerminalThereIsNoBar(t *testing.T) {
	var out bytes.Buffer
	p := progress{out: &out}
	p.update(intake.Progress{Bytes: 1, Total: 2, Records: 1})
	p.clear()
	if out.Len() > 0 {
		t.Errorf("written is %q", out.String())
	}
}

func TestTheBarOfAFolderShowsFilesBytesAndTheRateOfLate(t *testing.T) {
	p := progress{started: time.Unix(0, 0)}
	at := intake.Progress{Files: 1200, FoundFiles: 5000, FileBytes: 600e6, FoundBytes: 2400e6}
	if got, want := folderBar(at, 12e6, 90),
		"1,200 of 5,000 files [########-------------------------] 600.0 MB of 2400.0 MB  12.0 MB/s"; got != want {
		t.Errorf("drawn is %q, want %q", got, want)
	}
	for width := range 120 {
		if got := folderBar(at, 12e6, width); len(got) > max(width-1, 0) {
			t.Errorf("%q does not fit into %d", got, width)
		}
	}
	second := func(n int64) time.Time { return time.Unix(n, 0) }
	p.rate(second(10), 1000e6) // fast at first
	for n := int64(11); n < 40; n++ {
		p.rate(second(n), 1000e6+(n-10)*2e6)
	}
	if got := p.rate(second(40), 1000e6+30*2e6); got != 2e6 || len(p.marks) > 13 {
		t.Errorf("the rate is %v with %d marks", got, len(p.marks))
	}
}
