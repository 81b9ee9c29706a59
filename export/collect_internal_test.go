package export

import (
	"runtime/debug"
	"testing"
)

// percent is how much the heap may grow now.
func percent() int {
	now := debug.SetGCPercent(100)
	debug.SetGCPercent(now)
	return now
}

func TestTheCollectorRunsMoreOftenUntilTheLastWriterHasEnded(t *testing.T) {
	before := percent()
	defer debug.SetGCPercent(before)
	for at, while := range map[int]int{100: collectPercent, 400: collectPercent, 10: 10} {
		debug.SetGCPercent(at)
		first, second := collectMore(), collectMore()
		if percent() != while {
			t.Errorf("of %d it is %d while two write", at, percent())
		}
		if first(); percent() != while {
			t.Errorf("of %d it is %d while one writes", at, percent())
		}
		if second(); percent() != at {
			t.Errorf("of %d it is %d when both have ended", at, percent())
		}
	}
}
