package limit

import (
	"context"
	"net/netip"
)

// Failures limits failed authentication by address. Guessing a token of 256
// random bits is hopeless; this is to spare the store and the log from whoever
// tries all the same.
type Failures struct {
	limiter Limiter
	rate    Rate
}

// NewFailures makes one. The limiter should be a Memory of its own: addresses can
// be made up by the million, and would push the buckets of tokens out of a shared
// one, while asking Redis would make a failure dearer than a success.
func NewFailures(limiter Limiter, rate Rate) *Failures {
	return &Failures{limiter: limiter, rate: rate}
}

// Note counts one failed attempt from an address. It gives nil while the failure
// may be answered as what it is, and a fault.TooManyRequests once there were too
// many.
//
// It is asked after a token was found to be wrong, and not before it is looked
// at: behind one address there may be a whole laboratory, and one broken script
// there must not lock out the others' good tokens.
func (f *Failures) Note(ctx context.Context, from netip.Addr) error {
	if f.rate.Off() {
		return nil
	}
	answer := f.limiter.Allow(ctx, "address:"+block(from), f.rate)
	if answer.Allowed {
		return nil
	}
	return tooMany(answer.RetryAfter, "Too many requests without a valid access token came from this address.")
}

// block names whom an address belongs to: an IPv4 address, or the 64 leading bits
// of an IPv6 address, since every subscriber has at least that many to choose
// from. Connections without an address (a unix socket) count together.
func block(a netip.Addr) string {
	a = a.Unmap() // ::ffff:192.0.2.1 is 192.0.2.1
	if a.Is6() {
		if p, err := a.WithZone("").Prefix(64); err == nil {
			return p.String()
		}
	}
	return a.String()
}
