package limit

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Rate is how much one key may ask. The zero value is "off": no limit.
type Rate struct {
	PerSecond int // tokens that come back in a second, 1..MaxPerSecond
	Burst     int // tokens in a full bucket, 1..MaxBurst
}

// The bounds of a rate. Redis keeps a bucket's time to 10 microseconds, which is
// the distance of two requests at the highest rate.
const (
	MaxPerSecond = 100_000
	MaxBurst     = 1_000_000
)

// The rates that count when nothing is configured. One token cannot take an
// organization's whole allowance: it takes four at full speed.
var (
	DefaultToken        = Rate{PerSecond: 500, Burst: 1_000}
	DefaultOrganization = Rate{PerSecond: 2_000, Burst: 4_000}
	DefaultFailures     = Rate{PerSecond: 10, Burst: 100}
)

// Off says whether there is no limit.
func (r Rate) Off() bool { return r == Rate{} }

// String gives the form that ParseRate reads: "off" or RATE:BURST.
func (r Rate) String() string {
	if r.Off() {
		return "off"
	}
	return strconv.Itoa(r.PerSecond) + ":" + strconv.Itoa(r.Burst)
}

// interval is the time in which one token comes back.
func (r Rate) interval() time.Duration { return time.Second / time.Duration(r.PerSecond) }

// refill is the time in which an empty bucket becomes full.
func (r Rate) refill() time.Duration {
	return time.Duration(r.Burst) * time.Second / time.Duration(r.PerSecond)
}

// ParseRate reads a setting: "off", RATE or RATE:BURST, where RATE is requests
// per second and BURST how many may come at once, twice the rate when it is not
// given. The error is one sentence that names the value and the rule.
func ParseRate(s string) (Rate, error) {
	if s == "off" {
		return Rate{}, nil
	}
	perSecond, burst, hasBurst := strings.Cut(s, ":")
	if !digits(perSecond) || hasBurst && !digits(burst) {
		return Rate{}, fmt.Errorf("%q is not a rate: write off, RATE or RATE:BURST in whole numbers, such as 50 or "+
			"50:100 (50 requests per second, 100 at once)", s)
	}
	var r Rate
	var ok bool
	if r.PerSecond, ok = within(perSecond, MaxPerSecond); !ok {
		return Rate{}, fmt.Errorf("%q is not a rate: RATE must be 1 to %d requests per second (off turns the "+
			"limit off)", s, MaxPerSecond)
	}
	if r.Burst = 2 * r.PerSecond; !hasBurst {
		return r, nil
	}
	if r.Burst, ok = within(burst, MaxBurst); !ok {
		return Rate{}, fmt.Errorf("%q is not a rate: BURST must be 1 to %d requests", s, MaxBurst)
	}
	return r, nil
}

// digits says whether s is ASCII digits and nothing else: strconv also takes signs.
func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// within reads digits as a number of 1..most.
func within(s string, most int) (int, bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil && n >= 1 && n <= most
}
