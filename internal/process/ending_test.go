package process

import "testing"

func TestACrashOfGosRuntimeIsTakenForAWantOfMemoryAndACrashOfOurCodeIsNot(t *testing.T) {
	const collector = "SIGSEGV: segmentation violation\nPC=0x438c3d m=4 sigcode=1 addr=0x0\n\ngoroutine 0 " +
		"gp=0xc000009860 m=4 [idle]:\nruntime.(*spanQueue).tryDrain(0x7f67, 0x43)\n"
	const ours = "panic: runtime error: invalid memory address or nil pointer dereference\n[signal SIGSEGV: " +
		"segmentation violation code=0x1 addr=0x0 pc=0x1]\n\ngoroutine 1 [running]:\nmain.main()\n"
	if !outOfMemory(collector) || outOfMemory(ours) {
		t.Errorf("the collector's crash: %t, ours: %t", outOfMemory(collector), outOfMemory(ours))
	}
}
