package cli

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// life is how long a token lives: a duration such as 90d, or never, which is 0.
type life time.Duration

var (
	lifeForm = regexp.MustCompile(`^([0-9]+[smhdw])+$`)
	lifePart = regexp.MustCompile(`([0-9]+)([smhdw])`)
)

var lifeUnits = map[string]time.Duration{
	"s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour, "w": 7 * 24 * time.Hour,
}

// longestLife is far beyond any use, and near enough that no sum overflows.
const longestLife = 100 * 365 * 24 * time.Hour

// UnmarshalText reads "never" or a sum of whole seconds, minutes, hours, days and
// weeks: 1s, 90d, 2w, 1d12h.
func (l *life) UnmarshalText(text []byte) error {
	s := strings.TrimSpace(string(text))
	if s == "never" {
		*l = 0
		return nil
	}
	if !lifeForm.MatchString(s) {
		return usage("%q is not a duration: write never or a duration such as 1s, 12h, 90d or 2w", s)
	}
	var sum time.Duration
	for _, part := range lifePart.FindAllStringSubmatch(s, -1) {
		unit := lifeUnits[part[2]]
		n, err := strconv.ParseInt(part[1], 10, 64)
		if err != nil || n > int64(longestLife/unit) {
			return usage("%q is too long: the longest life is 100 years; never is without end", s)
		}
		if sum += time.Duration(n) * unit; sum > longestLife {
			return usage("%q is too long: the longest life is 100 years; never is without end", s)
		}
	}
	if sum < time.Second {
		return usage("%q is too short: a token lives for at least a second", s)
	}
	*l = life(sum)
	return nil
}
