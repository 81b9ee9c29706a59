package turns

import (
	"math"
	"time"
)

// pace is how many turns a line gives while somebody waits, which is all that it can.
type pace struct {
	perSecond float64 // 0 while it is not known
	began     time.Time
	turns     int
	last      time.Time // when a turn was last counted
}

const (
	paceWindow = 250 * time.Millisecond // how long turns are counted for
	paceLife   = time.Second            // how long a pace counts once nobody waits
	leastLine  = 16                     // as many may wait at any pace
)

// begin says that somebody waits from now on.
func (p *pace) begin(now time.Time) {
	if now.Sub(p.last) > paceLife {
		p.perSecond = 0
	}
	p.began, p.turns, p.last = now, 0, now
}

// count counts a turn.
func (p *pace) count(now time.Time) {
	p.turns++
	p.last = now
	p.look(now)
}

// look ends the window when it is over. A window is given half of the weight.
func (p *pace) look(now time.Time) {
	long := now.Sub(p.began)
	if long < paceWindow {
		return
	}
	measured := float64(p.turns) / long.Seconds()
	if p.perSecond > 0 {
		measured = (measured + p.perSecond) / 2
	}
	p.perSecond = max(measured, 0.001) // known, however slow
	p.began, p.turns = now, 0
}

// served says how many are served within so long.
func (p *pace) served(now time.Time, within time.Duration) int {
	p.look(now)
	if p.perSecond == 0 {
		return math.MaxInt
	}
	return max(leastLine, int(p.perSecond*within.Seconds()))
}
