package httpapi

import (
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
)

// The bounds of paging (interface, section 4.1).
const (
	defaultLimit = 100
	maxLimit     = 500
	maxOffset    = 1<<53 - 1 // the largest integer that every JSON reader keeps (RFC 7493, section 2.2)
)

// eachParam reads a query string strictly and gives take each name with its
// value, in order. url.URL.Query drops what it cannot read, and would so widen a
// filter in silence; here it is a fault.BadRequest.
func eachParam(query string, take func(name, value string) error) error {
	for query != "" {
		var pair string
		pair, query, _ = strings.Cut(query, "&")
		if pair == "" {
			continue
		}
		if strings.IndexByte(pair, ';') >= 0 {
			return fault.New(fault.BadRequest, "The query string must not hold a semicolon; write it as %%3B.")
		}
		name, value, _ := strings.Cut(pair, "=")
		name, err := unescape(name)
		if err != nil {
			return err
		}
		if value, err = unescape(value); err != nil {
			return err
		}
		if err := take(name, value); err != nil {
			return err
		}
	}
	return nil
}

func unescape(s string) (string, error) {
	s, err := url.QueryUnescape(s)
	switch {
	case err != nil:
		return "", fault.New(fault.BadRequest, "The query string holds a bad percent escape.")
	case !utf8.ValidString(s):
		return "", fault.New(fault.BadRequest, "The query string must be valid UTF-8.")
	case strings.IndexByte(s, 0) >= 0:
		return "", fault.New(fault.BadRequest, "The query string must not hold NUL characters.")
	}
	return s, nil
}

// ignoreParams reads the query of an operation that has no parameters: unknown
// ones are ignored, but a query string that cannot be read is refused all the
// same.
func (c *call) ignoreParams() error {
	return eachParam(c.r.URL.RawQuery, func(string, string) error { return nil })
}

// seen notes which defined parameters came, to refuse one that comes twice.
type seen uint16

// once refuses the parameter of this bit when it came before.
func (s *seen) once(bit seen, name string) error {
	if *s&bit != 0 {
		return fault.New(fault.BadRequest, "%s is given twice.", name)
	}
	*s |= bit
	return nil
}

// label reads an activity or a movement, folded as labels are compared.
func (s *seen) label(bit seen, name, value string, into *string) error {
	if err := s.once(bit, name); err != nil {
		return err
	}
	value, err := parseLabel(name, value)
	*into = capture.Fold(value)
	return err
}

// bound reads a bound of a range of time.
func (s *seen) bound(bit seen, name, value string, into **time.Time) (err error) {
	if err = s.once(bit, name); err == nil {
		*into, err = parseBound(name, value)
	}
	return err
}

func parseLimit(s string, most int64) (int, error) {
	n, ok := decimal(s, most)
	if !ok || n < 1 {
		return 0, fault.New(fault.BadRequest, "limit must be a whole number from 1 to %d.", most)
	}
	return int(n), nil
}

func parseOffset(s string) (int64, error) {
	n, ok := decimal(s, maxOffset)
	if !ok {
		return 0, fault.New(fault.BadRequest, "offset must be a whole number from 0 to %d.", int64(maxOffset))
	}
	return n, nil
}

// decimal reads ASCII digits and nothing else: no sign, no fraction, no space.
func decimal(s string, most int64) (int64, bool) {
	var n int64
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		if n = n*10 + int64(s[i]-'0'); n > most { // most × 10 fits an int64
			return 0, false
		}
	}
	return n, s != ""
}

// longestSearch is how many code points a search text has at the most.
const longestSearch = 128

// parseLabel reads a filter on activity or movement: at most as many code points as a label has, after trimming.
func parseLabel(name, s string) (string, error) { return atMost(capture.MaxLabel, name, s) }

func atMost(n int, name, s string) (string, error) {
	s = strings.TrimSpace(s)
	if utf8.RuneCountInString(s) > n {
		return "", fault.New(fault.BadRequest, "%s must be at most %d characters long.", name, n)
	}
	return s, nil
}

// parseBound reads a bound of a range of capture time.
func parseBound(name, s string) (*time.Time, error) {
	t, ok := capture.ParseBound(s)
	if !ok {
		return nil, fault.New(fault.BadRequest,
			"%s must be a date or a date and time of ISO 8601 in the years 1 to 9999, such as 2026-05-13 or "+
				"2026-05-13T12:00:00Z; write the + of a zone as %%2B.", name)
	}
	return &t, nil
}

// parseSearch reads q, trimmed and folded as what it is looked for in.
func parseSearch(s string) (string, error) {
	s, err := atMost(longestSearch, "q", s)
	return athlete.Fold(s), err
}

// plainID refuses an id that can be neither stored nor logged.
func plainID(name, s string) error {
	if !utf8.ValidString(s) {
		return fault.New(fault.BadRequest, "%s must be valid UTF-8.", name)
	}
	if strings.ContainsFunc(s, isControl) {
		return fault.New(fault.BadRequest, "%s must not hold control characters.", name)
	}
	return nil
}

func isControl(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }
