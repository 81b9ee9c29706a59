package quality

import "testing"

func TestAnUnreadableFileIsExplainedInOneBreath(t *testing.T) {
	for _, c := range []struct {
		err  *Unreadable
		want string
	}{
		{Empty(), "The file is empty (0 bytes). Export it again from the capture software."},
		{&Unreadable{Reason: "The file ends too early", Offset: 1234567, Hint: CopyAgain},
			"The file ends too early (at byte 1,234,567). Copy it again from where it came from, or export it again."},
		{&Unreadable{Reason: "There are no names", Line: 4}, "There are no names (line 4)."},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
}

func TestThousandsAreSetApart(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 65535: "65,535", 1234567: "1,234,567",
		-100: "-100", -1000: "-1,000"} {
		if got := Thousands(n); got != want {
			t.Errorf("Thousands(%d) = %q, want %q", n, got, want)
		}
	}
}
