package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/kinebase/kinebase/internal/intake"
)

// progress writes report lines and, when width is set, a bar below them that is
// redrawn at most ten times a second.
type progress struct {
	out     io.Writer
	width   func() int // of the terminal; nil when there is none
	started time.Time
	drawn   time.Time // when the bar was drawn last; zero when none is there
	bytes   int64     // of a download
	marks   []mark    // of the last seconds, oldest first
}

// mark is how many bytes of motion files were done at a time.
type mark struct {
	at    time.Time
	bytes int64
}

// recent is the time over which a rate counts as the current one.
const recent = 10 * time.Second

// rate notes how many bytes are done and gives how many a second it has been of late.
func (p *progress) rate(now time.Time, bytes int64) float64 {
	if len(p.marks) == 0 {
		p.marks = append(p.marks, mark{p.started, 0})
	}
	p.marks = append(p.marks, mark{now, bytes})
	for len(p.marks) > 2 && now.Sub(p.marks[1].at) >= recent {
		p.marks = p.marks[1:]
	}
	first := p.marks[0]
	return float64(bytes-first.bytes) / max(now.Sub(first.at).Seconds(), 0.1)
}

// line writes one line of a report above the bar.
func (p *progress) line(text string) {
	p.clear()
	_, _ = fmt.Fprintln(p.out, printable(text))
}

// clear takes the bar away.
func (p *progress) clear() {
	if p.width != nil && !p.drawn.IsZero() {
		_, _ = io.WriteString(p.out, "\r\x1b[K")
		p.drawn = time.Time{}
	}
}

func (p *progress) update(at intake.Progress) {
	if p.width == nil {
		return
	}
	now := time.Now()
	if now.Sub(p.drawn) < 100*time.Millisecond {
		return
	}
	if at.FoundFiles > 0 {
		p.draw(now, folderBar(at, p.rate(now, at.FileBytes), p.width()))
	} else {
		p.draw(now, bar(at, now.Sub(p.started), p.width()))
	}
}

// draw redraws a bar.
func (p *progress) draw(now time.Time, bar string) {
	p.drawn = now
	_, _ = io.WriteString(p.out, "\r\x1b[K"+bar)
}

// folderBar draws how far the motion files of folders are, of those that were found
// so far, at so many bytes a second.
func folderBar(at intake.Progress, rate float64, width int) string {
	head := fmt.Sprintf("%s of %s files ", grouped(at.Files), grouped(at.FoundFiles))
	tail := fmt.Sprintf(" %s of %s  %s/s", megabytes(at.FileBytes), megabytes(at.FoundBytes), megabytes(int64(rate)))
	return drawn(float64(at.FileBytes)/float64(max(at.FoundBytes, 1)), head, tail, width)
}

// bar draws how far an import is in less than width columns.
func bar(at intake.Progress, elapsed time.Duration, width int) string {
	rate := grouped(int64(float64(at.Records)/max(elapsed.Seconds(), 0.1))) + "/s"
	if at.Total == 0 {
		return fit(fmt.Sprintf("%s  %s records  %s", megabytes(at.Bytes), grouped(at.Records), rate), width)
	}
	share := min(float64(at.Bytes)/float64(at.Total), 1)
	head := fmt.Sprintf("%3.0f%% ", share*100)
	tail := fmt.Sprintf(" %s of %s  %s", megabytes(at.Bytes), megabytes(at.Total), rate)
	if share > 0 && elapsed > 2*time.Second {
		left := time.Duration(float64(elapsed) * (1 - share) / share).Round(time.Second)
		tail += "  " + left.String() + " left"
	}
	return drawn(share, head, tail, width)
}

// drawn is a line of less than width columns, with a bar between its head and its
// tail when there is room for one.
func drawn(share float64, head, tail string, width int) string {
	room := min(width-len(head)-len(tail)-3, 40)
	if room < 5 {
		return fit(head+tail, width)
	}
	full := int(min(share, 1) * float64(room))
	return head + "[" + strings.Repeat("#", full) + strings.Repeat("-", room-full) + "]" + tail
}

// fit cuts a line so that the terminal does not wrap it.
func fit(s string, width int) string { return s[:min(len(s), max(width-1, 0))] }

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

// printable is text that cannot act on a terminal: what is reported holds names
// of files and fields that somebody else chose.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || unicode.IsGraphic(r) {
			return r
		}
		return unicode.ReplacementChar
	}, s)
}

// count is a number of things, as a sentence has it.
func count(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return grouped(n) + " " + thing + "s"
}

// grouped is a number with commas between thousands.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
