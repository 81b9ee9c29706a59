package app

import (
	"strings"
	"testing"
	"time"
)

func TestADoctorSpeaksUpWhenTwoBackupsWereMissed(t *testing.T) {
	const every = 10 * time.Minute
	for age, want := range map[time.Duration]Level{0: Fine, every: Fine, 2*every + time.Minute: Fine,
		2*every + time.Minute + 1: Wrong, 1000 * time.Hour: Wrong} {
		level, says, do := judgeBackup(age, every)
		if level != want || (do == "") != (want == Fine) || (want == Wrong) != strings.Contains(says, "every 10m0s") {
			t.Errorf("of a backup that is %s old it says %s: %q %q", age, level, says, do)
		}
	}
}

func TestADoctorSpeaksUpBeforeADiskIsFull(t *testing.T) {
	for free, want := range map[uint64]Level{0: Wrong, noRoom - 1: Wrong, noRoom: Warning, littleRoom - 1: Warning,
		littleRoom: Fine, 1 << 50: Fine} {
		if level, do := judgeRoom(free); level != want || (do == "") != (want == Fine) {
			t.Errorf("with %d bytes left it says %s: %q", free, level, do)
		}
	}
}
