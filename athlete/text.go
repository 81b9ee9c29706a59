package athlete

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxMarks is how many combining marks may follow each other. Languages need two
// or three, some transcriptions more; what floods a page with marks needs dozens.
const maxMarks = 8

// clean gives text as it is kept: trimmed of Unicode white space and in Unicode
// NFC. rule is empty, or what the text breaks, in words that follow the field's
// name ("must be …"). most counts code points of the text as it is kept, so that
// both databases and every client count the same. lines allows line feed and tab
// inside.
func clean(s string, most int, lines bool) (text, rule string) {
	s = strings.TrimSpace(s)
	// Marks are counted before normalizing too: NFC of a flood of them puts joiners
	// between, and would hide it.
	if rule := badRune(s, lines); rule != "" {
		return "", rule
	}
	s = norm.NFC.String(s)
	if utf8.RuneCountInString(s) > most {
		return "", fmt.Sprintf("must be at most %d characters long", most)
	}
	return s, badRune(s, lines)
}

// badRune looks for what no text may hold. It gives the broken rule, or "".
func badRune(s string, lines bool) string {
	marks := 0
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)):
			return "must be valid UTF-8"
		case lines && (r == '\n' || r == '\t'):
		case unicode.IsControl(r) && lines:
			return fmt.Sprintf("must not hold control characters other than line feed and tab (U+%04X)", r)
		case unicode.IsControl(r):
			return fmt.Sprintf("must not hold control characters (U+%04X)", r)
		case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
			return fmt.Sprintf("must not hold bidirectional overrides (U+%04X)", r)
		case r >= 0xFDD0 && r <= 0xFDEF, r&0xFFFE == 0xFFFE:
			return fmt.Sprintf("must not hold noncharacters (U+%04X)", r)
		}
		if !unicode.Is(unicode.M, r) {
			marks = 0
		} else if marks++; marks > maxMarks {
			return fmt.Sprintf("must not have more than %d combining marks in a row", maxMarks)
		}
	}
	return ""
}

// blank says whether nothing of the text can be seen: a name of zero-width
// joiners, fillers or spaces is no name.
func blank(s string) bool {
	for _, r := range s {
		if !unicode.In(r, unicode.White_Space, unicode.Z, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point,
			unicode.Variation_Selector) && r != '\u2800' {
			// the empty Braille pattern
			return false
		}
	}
	return true
}

// emailRule gives the rule that an address breaks, or "". Only what certainly is
// no address is refused: whether mail arrives is for mail to find out.
func emailRule(s string) string {
	local, domain, found := strings.Cut(s, "@")
	switch {
	case !found || local == "" || domain == "" || strings.Contains(domain, "@"):
		return "must have one @ with something on both sides"
	case strings.ContainsFunc(s, unicode.IsSpace):
		return "must not hold white space"
	case strings.ContainsAny(s, "<>"):
		return "must not hold < or >: only the address, without a name"
	}
	return ""
}

// keyRule gives the rule of the interface (section 2.2) that the key of a custom
// attribute breaks, or "". The reserved words are exact: "dob" is free.
func keyRule(key string) string {
	switch key {
	case "":
		return "must not be empty"
	case "first_name", "last_name", "date_of_birth", "email", "height", "weight", "DOB":
		return "is reserved"
	}
	for i := range len(key) {
		c := key[i]
		letter := c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '_'
		if i == 0 && !letter {
			return "must start with a letter from A to Z or _"
		}
		if !letter && c != '-' && (c < '0' || c > '9') {
			return "must hold only the letters A to Z, digits, _ and -"
		}
	}
	if len(key) > maxKey {
		return fmt.Sprintf("must be at most %d characters long", maxKey)
	}
	return ""
}

// Fold is how names and addresses are compared when they are searched and
// sorted: without case, in Unicode NFC. By way of the upper case, characters
// that have several lower-case forms come together (Greek final sigma).
func Fold(s string) string { return norm.NFC.String(strings.ToLower(strings.ToUpper(s))) }

// AttributeText gives the value of a custom attribute as it would be kept, to be
// compared with kept ones.
func AttributeText(s string) string { return norm.NFC.String(strings.TrimSpace(s)) }
