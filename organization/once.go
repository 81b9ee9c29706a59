package organization

// Repeat is what a request is known by that a caller may repeat safely: it carried an
// idempotency key.
type Repeat struct {
	Key  [32]byte // hash of method, path and key; it counts within the organization
	Body [32]byte // hash of the body: the same key with another body is fault.Unprocessable
	// Replay is set by the store when the request was answered before; the caller
	// sends it instead of the result.
	Replay []byte
}

// Replayed says whether the store found an answer of an earlier request.
func (r *Repeat) Replayed() bool { return r != nil && r.Replay != nil }

// Once is a request that writes a T and that a caller may repeat safely. The store keeps
// the answer in the transaction of its effect, and on a repetition gives that answer back
// instead of doing the work again. nil is a request without an idempotency key.
type Once[T any] struct {
	*Repeat
	// Render makes the answer to keep, inside the transaction, from what was written.
	Render func(written T) ([]byte, error)
}
