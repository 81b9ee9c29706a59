// Package label turns the names that motion files give to points and channels
// into names that can serve as columns: printable, one for each, no two alike.
package label

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean decodes a name as a file holds it. Padding by blanks and NULs goes. Bytes that are not UTF-8 are
// taken as Windows-1252, which old Windows programs wrote and which has all of Latin-1 that is a letter;
// control characters become blanks, because a name with one could be neither typed nor asked for.
func Clean(raw []byte) string {
	s := string(raw)
	if !utf8.ValidString(s) {
		runes := make([]rune, len(raw))
		for i, b := range raw {
			if runes[i] = rune(b); b >= 0x80 && b < 0xa0 {
				runes[i] = windows[b-0x80]
			}
		}
		s = string(runes)
	}
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
	return strings.TrimSpace(s)
}

// windows is what Windows-1252 has where Latin-1 has control characters, by the table
// of the WHATWG encoding standard; the five that it leaves open stay such.
var windows = [32]rune{
	'€', 0x81, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0x8d, 'Ž', 0x8f,
	0x90, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0x9d, 'ž', 'Ÿ',
}

// Distinct gives one name for each of n things, in their order: a thing without
// a name is called unnamed_<its place, from 1>, and a name that occurs again gets
// the suffix _2, _3 and so on, for both things are real and neither may be lost.
// It also says how many had no name and how many repeated an earlier one. Names
// beyond n are ignored.
func Distinct(names []string, n int) (distinct []string, unnamed, repeated int) {
	distinct = make([]string, n)
	taken := make(map[string]bool, n)
	for _, name := range names[:min(n, len(names))] {
		taken[name] = true
	}
	seen := make(map[string]int, n)
	for i := range distinct {
		name := ""
		if i < len(names) {
			name = names[i]
		}
		if name == "" {
			unnamed++
			name = "unnamed_" + strconv.Itoa(i+1)
			taken[name] = true
		} else if seen[name] > 0 {
			repeated++
		}
		distinct[i] = next(name, seen, taken)
	}
	return distinct, unnamed, repeated
}

// next gives name itself the first time, and after that the name with the first
// suffix that nothing else in the file bears.
func next(name string, seen map[string]int, taken map[string]bool) string {
	seen[name]++
	if seen[name] == 1 {
		return name
	}
	for {
		candidate := name + "_" + strconv.Itoa(seen[name])
		if !taken[candidate] {
			taken[candidate] = true
			seen[candidate]++
			return candidate
		}
		seen[name]++
	}
}

// Split takes apart what stands before the first colon of a name ("Ann:LASI"),
// where capture software puts the subject or the body segment. The prefix is
// empty when there is none, or nothing behind it.
func Split(name string) (prefix, rest string) {
	prefix, rest, _ = strings.Cut(name, ":")
	if prefix == "" || rest == "" {
		return "", name
	}
	return prefix, rest
}

// Prefixes gives the prefixes of the names, each once, in the order of first use.
func Prefixes(names []string) []string {
	var prefixes []string
	seen := map[string]bool{}
	for _, name := range names {
		if prefix, _ := Split(name); prefix != "" && !seen[prefix] {
			seen[prefix] = true
			prefixes = append(prefixes, prefix)
		}
	}
	return prefixes
}
