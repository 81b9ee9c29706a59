package bench

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// row is a line of the table.
type row struct {
	operation      string
	ours, baseline string
	ratio          string
	goal           string
	met            string
}

// direction says which side of a goal is good.
type direction int

const (
	atLeast direction = iota
	atMost
)

// judge says how a ratio stands to its goal; 0 is none.
func judge(ratio, goal float64, d direction) (text, met string) {
	switch {
	case goal == 0:
		return "", ""
	case d == atLeast && ratio >= goal, d == atMost && ratio <= goal:
		met = "met"
	default:
		met = "missed"
	}
	return []string{"≥ ", "≤ "}[d] + figure(goal), met
}

var heads = []string{"operation", "ours", "measured by", "ratio", "goal", ""}

func (r row) cells() []string {
	return []string{r.operation, r.ours, r.baseline, r.ratio, r.goal, r.met}
}

// text writes the table for a terminal.
func text(w io.Writer, rows []row) {
	widths := make([]int, len(heads))
	all := [][]string{heads}
	for _, r := range rows {
		all = append(all, r.cells())
	}
	for _, cells := range all {
		for i, c := range cells {
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	for _, cells := range all {
		var line strings.Builder
		for i, c := range cells {
			line.WriteString(c + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c)+2))
		}
		fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
	}
}

// markdown writes it for docs/performance.md.
func markdown(w io.Writer, rows []row) {
	fmt.Fprintln(w, "| "+strings.Join(heads, " | ")+" |")
	fmt.Fprintln(w, "|"+strings.Repeat("---|", len(heads)))
	for _, r := range rows {
		fmt.Fprintln(w, "| "+strings.Join(r.cells(), " | ")+" |")
	}
}

// The figures stand between these lines of docs/performance.md.
const beginFigures, endFigures = "<!-- figures: written by make bench -->\n", "<!-- end of figures -->\n"

// publish puts the figures into the page.
func publish(page, figures string) error {
	raw, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(raw), beginFigures)
	_, after, ok2 := strings.Cut(rest, endFigures)
	if !ok || !ok2 {
		return fmt.Errorf("%s has no place for figures", page)
	}
	return os.WriteFile(page, []byte(before+beginFigures+"\n"+figures+"\n"+endFigures+after), 0o644)
}

func median(values []float64) float64 {
	s := slices.Sorted(slices.Values(values))
	if len(s)%2 == 1 {
		return s[len(s)/2]
	}
	return (s[len(s)/2-1] + s[len(s)/2]) / 2
}

// figure writes a number with three digits that count.
func figure(f float64) string {
	switch {
	case f >= 100:
		return thousands(int64(f + 0.5))
	case f >= 10:
		return strconv.FormatFloat(f, 'f', 1, 64)
	default:
		return strconv.FormatFloat(f, 'f', 2, 64)
	}
}

func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func perSecond(f float64) string { return figure(f) + "/s" }

func milliseconds(f float64) string { return figure(f) + " ms" }
