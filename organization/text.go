package organization

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/kinebase/kinebase/fault"
)

func hasControl(s string) bool { return strings.ContainsFunc(s, unicode.IsControl) }

// ValidName checks an organization's name: 1..255 characters, no control
// characters. It gives the name trimmed.
func ValidName(name string) (string, error) {
	name = strings.TrimSpace(name)
	switch {
	case name == "":
		return "", fault.New(fault.BadRequest, "the organization's name must not be empty")
	case !utf8.ValidString(name) || hasControl(name):
		return "", fault.New(fault.BadRequest, "the organization's name must be UTF-8 text without control characters")
	case utf8.RuneCountInString(name) > 255:
		return "", fault.New(fault.BadRequest, "the organization's name must be at most 255 characters long")
	}
	return name, nil
}

// NameKey is what the names of two organizations have in common that are the same but for the case of their letters and
// the form in which Unicode has them.
func NameKey(name string) string {
	return norm.NFC.String(cases.Fold().String(norm.NFD.String(name)))
}

// ParseUUID reads a UUID of 36 characters in any case and gives it in lower
// case. Braces, "urn:" and other lengths, which UUID libraries accept, are not
// taken.
func ParseUUID(s string) (string, bool) {
	if len(s) != 36 {
		return "", false
	}
	b := []byte(s)
	for i, c := range b {
		switch {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if c != '-' {
				return "", false
			}
		case c >= '0' && c <= '9' || c >= 'a' && c <= 'f':
		case c >= 'A' && c <= 'F':
			b[i] = c + ('a' - 'A')
		default:
			return "", false
		}
	}
	return string(b), true
}

// ParseName trims an id that a caller may choose (a capture's, a job's) and
// checks it: UTF-8, no control characters, 1..255 code points. The field is named
// in the message.
func ParseName(field, s string) (string, error) {
	if !utf8.ValidString(s) {
		return "", fault.New(fault.BadRequest, "%s must be valid UTF-8", field)
	}
	// Control characters are looked for before trimming: some of them count as
	// white space and would be trimmed away unseen.
	if hasControl(s) {
		return "", fault.New(fault.BadRequest, "%s must not hold control characters", field)
	}
	s = strings.TrimSpace(s)
	switch n := utf8.RuneCountInString(s); {
	case n == 0:
		return "", fault.New(fault.BadRequest, "%s must not be blank", field)
	case n > 255:
		return "", fault.New(fault.BadRequest, "%s must be at most 255 characters long", field)
	}
	return s, nil
}
