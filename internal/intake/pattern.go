package intake

import "strings"

// pattern is a path in which * stands for any part of a name, and ** for any
// number of folders.
type pattern []string

func isPattern(path string) bool { return strings.Contains(path, "*") }

func newPattern(path string) pattern { return strings.Split(path, "/") }

// match goes through the parts of the path once for each of its own: however many
// stars there are, it takes no longer than their product.
func (p pattern) match(path string) bool {
	names := strings.Split(path, "/")
	// at[i] says whether what of p has been gone through matches the first i names.
	at := make([]bool, len(names)+1)
	at[0] = true
	for _, part := range p {
		next := make([]bool, len(names)+1)
		for i := range next {
			if part == "**" {
				next[i] = at[i] || i > 0 && next[i-1]
			} else {
				next[i] = i > 0 && at[i-1] && matchName(part, names[i-1])
			}
		}
		at = next
	}
	return at[len(names)]
}

// matchName matches one name: after a star that was too short, it is made longer.
func matchName(part, name string) bool {
	star, rest, i := -1, 0, 0
	for n := 0; n < len(name); {
		switch {
		case i < len(part) && part[i] == '*':
			star, rest = i, n
			i++
		case i < len(part) && part[i] == name[n]:
			i, n = i+1, n+1
		case star >= 0:
			rest++
			i, n = star+1, rest
		default:
			return false
		}
	}
	return strings.Trim(part[i:], "*") == ""
}
