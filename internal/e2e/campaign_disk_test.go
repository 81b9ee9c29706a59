//go:build campaign

package e2e

import (
	"os"
	"path/filepath"
	"testing"
)

// TestCampaignADiskIsFullAtEveryLevel lives a day on a disk with room for a little more at each
// level, from nothing to more than a day needs. What does not fit is refused; once there is
// room, the day goes on to its end.
func TestCampaignADiskIsFullAtEveryLevel(t *testing.T) {
	const levels, step = 200, 16 << 10
	disk := mount(t)
	disk.again(0, "size=64m")
	place := disk.place()
	m := machineAt(t, place)
	m.home = disk.dir // temporary files too
	_, secret := m.token(m.organization())
	s := m.serve()
	kept := residents(t, s.client(secret))
	ballast := filepath.Join(disk.dir, "ballast")
	refused := int64(0)
	for n := range rounds(t, levels) {
		level := n * levels / rounds(t, levels)
		fillDisk(t, ballast)
		info, err := os.Stat(ballast)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(ballast, max(0, info.Size()-int64(level*step))); err != nil {
			t.Fatal(err)
		}
		d := &day{t: t, client: s.client(secret), number: level}
		d.relief = func() {
			if err := os.Remove(ballast); err != nil && !os.IsNotExist(err) {
				t.Error(err)
			}
		}
		d.live()
		d.relief()
		noneLeft(t, func() []string { return filesBelow(t, filepath.Join(place["data"], "files")) })
		kept.inspect(s.client(secret))
		if t.Failed() {
			t.Fatalf("at level %d\n%s", level, tail(s.logs()))
		}
		refused += d.refused.Load()
	}
	s.kill()
	kept.inspect(m.serve().client(secret))
	t.Logf("%d levels, %d refusals, nothing lost, nothing left behind", rounds(t, levels), refused)
}
