package frames

import (
	"strings"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/payload"
)

// Select gives the columns that a list of names chooses, in the order of the list,
// each once. Names are set apart by commas, blanks around them do not count. One is
// that of a column or of a channel, whose columns it then stands for; case counts;
// a * stands for any characters, none too. A backslash takes its meaning from the
// comma, star or backslash behind it. An empty list chooses everything that the file has.
// A name or pattern that the file has nothing of chooses among the channels of its force
// platforms.
//
// A name or pattern that nothing has is a fault.BadRequest that says which.
func Select(info Info, list string) ([]string, error) {
	if strings.TrimSpace(list) == "" {
		var all []string
		for _, c := range info.Channels {
			all = append(all, c.Columns...)
		}
		return all, nil
	}
	var chosen []string
	have := map[string]bool{}
	take := func(p pattern, name string, columns []string) (found bool) {
		channel := p.matches(name)
		for _, column := range columns {
			if !channel && !p.matches(column) {
				continue
			}
			if found = true; !have[column] {
				have[column] = true
				chosen = append(chosen, column)
			}
		}
		return found
	}
	for _, p := range patterns(list) {
		found := false
		for _, c := range info.Channels {
			found = take(p, c.Name, c.Columns) || found
		}
		if !found { // what the file has comes first, so that a pattern means what it ever meant
			for _, c := range info.PlatformChannels() {
				found = take(p, c.Name, c.Columns) || found
			}
		}
		// Both are always given; asking for them is no mistake.
		found = found || p.matches("frame") || p.matches("time")
		if !found {
			return nil, fault.New(fault.BadRequest,
				"channels asks for %s, and this capture has no channel or column of that name: GET "+
					"/captures/{captureId}/motion lists them", payload.Quote(p.text))
		}
	}
	return chosen, nil
}

// pattern is a name in parts, between any two of which anything may stand.
type pattern struct {
	text  string
	parts []string
}

// patterns takes a list apart.
func patterns(list string) []pattern {
	var all []pattern
	var text, part strings.Builder
	var parts []string
	escaped := false // the last character of part was, and is not to be trimmed
	end := func() {
		last := part.String()
		if !escaped {
			last = strings.TrimRight(last, " \t")
		}
		parts = append(parts, last)
		all = append(all, pattern{strings.TrimSpace(text.String()), parts})
		text.Reset()
		part.Reset()
		parts = nil
	}
	for i := 0; i < len(list); i++ {
		c := list[i]
		if c == ',' {
			end()
			escaped = false
			continue
		}
		text.WriteByte(c)
		switch {
		case c == '\\' && i+1 < len(list):
			i++
			text.WriteByte(list[i])
			part.WriteByte(list[i])
			escaped = true
			continue
		case c == '*':
			parts = append(parts, part.String())
			part.Reset()
		case (c == ' ' || c == '\t') && part.Len() == 0 && parts == nil:
		default:
			part.WriteByte(c)
		}
		escaped = false
	}
	end()
	return all
}

// matches says whether a name is one that the pattern means.
func (p pattern) matches(name string) bool {
	first, last := p.parts[0], p.parts[len(p.parts)-1]
	if len(p.parts) == 1 {
		return name == first
	}
	if len(name) < len(first)+len(last) || !strings.HasPrefix(name, first) || !strings.HasSuffix(name, last) {
		return false
	}
	name = name[len(first) : len(name)-len(last)]
	for _, part := range p.parts[1 : len(p.parts)-1] {
		at := strings.Index(name, part)
		if at < 0 {
			return false
		}
		name = name[at+len(part):]
	}
	return true
}

// MaxValues is how many values one call gives at most.
const MaxValues = 1_000_000

// Limit holds a call of so many rows and columns to MaxValues; the fault.BadRequest
// says how to ask for less.
func Limit(rows, columns int) error {
	if values := int64(rows) * int64(columns); values > MaxValues {
		return fault.New(fault.BadRequest,
			"this asks for %d values, %d frames of %d columns, and at most %d are given in one call: ask for fewer "+
				"with channels, from and to, or every", values, rows, columns, MaxValues)
	}
	return nil
}
