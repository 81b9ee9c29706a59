package limit

import (
	"errors"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kinebase/kinebase/fault"
)

func TestTooManyFailuresOfOneAddressAreRefusedForAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := NewFailures(NewMemory(), DefaultFailures)
		from := netip.MustParseAddr("192.0.2.1")
		for i := range DefaultFailures.Burst {
			if err := f.Note(t.Context(), from); err != nil {
				t.Fatalf("failure %d: %v", i+1, err)
			}
		}
		var refused *fault.Error
		if err := f.Note(t.Context(), from); !errors.As(err, &refused) || refused.Code != fault.TooManyRequests ||
			refused.RetryAfter != time.Second {
			t.Fatalf("failure 101 gives %v", err)
		}
		if err := f.Note(t.Context(), netip.MustParseAddr("192.0.2.2")); err != nil {
			t.Errorf("another address gets %v", err)
		}
		time.Sleep(refused.RetryAfter) // of the bubble's clock
		if err := f.Note(t.Context(), from); err != nil {
			t.Errorf("after the wait it was told: %v", err)
		}
	})
}

func TestAddressesOfOneSubscriberCountTogether(t *testing.T) {
	for name, c := range map[string]struct {
		a, b string
		same bool
	}{
		"one IPv6 network":       {"2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", true},
		"two IPv6 networks":      {"2001:db8:1:2::1", "2001:db8:1:3::1", false},
		"IPv4 written as IPv6":   {"192.0.2.1", "::ffff:192.0.2.1", true},
		"two mapped addresses":   {"::ffff:192.0.2.2", "::ffff:192.0.2.1", false},
		"two zones":              {"fe80::1%eth0", "fe80::2%eth1", true},
		"an IPv4 address a host": {"192.0.2.1", "192.0.2.2", false},
	} {
		t.Run(name, func(t *testing.T) {
			f := NewFailures(NewMemory(), slow(1))
			first, second := f.Note(t.Context(), netip.MustParseAddr(c.a)),
				f.Note(t.Context(), netip.MustParseAddr(c.b))
			if first != nil || (second != nil) != c.same {
				t.Errorf("the first gets %v, the second %v", first, second)
			}
		})
	}
}

func TestConnectionsWithoutAnAddressCountTogether(t *testing.T) {
	f := NewFailures(NewMemory(), slow(1))
	if f.Note(t.Context(), netip.Addr{}) != nil || f.Note(t.Context(), netip.Addr{}) == nil {
		t.Error("a bucket of one does not give exactly one")
	}
}

func TestFailuresAreNotCountedWhenLimitsAreOff(t *testing.T) {
	f := NewFailures(NewMemory(), Rate{})
	for range 1_000 {
		if err := f.Note(t.Context(), netip.MustParseAddr("192.0.2.1")); err != nil {
			t.Fatal(err)
		}
	}
}
