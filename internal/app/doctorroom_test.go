package app

import "testing"

func TestADoctorSpeaksUpBeforeADiskIsFull(t *testing.T) {
	for free, want := range map[uint64]Level{0: Wrong, noRoom - 1: Wrong, noRoom: Warning, littleRoom - 1: Warning,
		littleRoom: Fine, 1 << 50: Fine} {
		if level, do := judgeRoom(free); level != want || (do == "") != (want == Fine) {
			t.Errorf("with %d bytes left it says %s: %q", free, level, do)
		}
	}
}
