package organization

// Once is a request that a caller may repeat safely: it carried an idempotency
// key. The store keeps the answer in the transaction of its effect, and on a
// repetition gives that answer back instead of doing the work again.
type Once struct {
	Key  [32]byte // hash of method, path and key; it counts within the organization
	Body [32]byte // hash of the body: the same key with another body is fault.Unprocessable
	// Render makes the answer to keep, inside the transaction, from what was
	// written (the athlete, the token).
	Render func(written any) ([]byte, error)
	// Replay is set by the store when the request was answered before; the caller
	// sends it instead of the result.
	Replay []byte
}

// Replayed says whether the store found an answer of an earlier request.
func (o *Once) Replayed() bool { return o != nil && o.Replay != nil }
