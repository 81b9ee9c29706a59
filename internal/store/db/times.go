package db

import "time"

// Micros is how a time is stored: microseconds since 1970, UTC.
func Micros(t time.Time) int64 { return t.UnixMicro() }

// FromMicros gives the time back.
func FromMicros(n int64) time.Time { return time.UnixMicro(n).UTC() }

// MicrosOrNil is Micros of a time that may be missing.
func MicrosOrNil(t *time.Time) *int64 {
	if t == nil {
		return nil
	}
	n := t.UnixMicro()
	return &n
}

// TimeOrNil gives it back.
func TimeOrNil(n *int64) *time.Time {
	if n == nil {
		return nil
	}
	t := FromMicros(*n)
	return &t
}
