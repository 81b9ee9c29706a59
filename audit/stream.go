package audit

import (
	"context"
	"errors"
	"time"
)

// Streamed is an entry as it leaves the server: with the organization that it is of.
type Streamed struct {
	Organization string `json:"organization"`
	Entry
}

// Sink takes entries out of the server. Send returns nil when it has all of them, as far as it can know. What it was
// given before an error may be there already, and comes again. It keeps a sender waiting for SendFor at the most.
type Sink interface {
	Send(ctx context.Context, entries []Streamed) error
}

// SendFor bounds one Send. TurnFor is how long a server may stream before it says again that it still does: longer, so
// that no other takes over from one that waits for a slow sink.
const (
	SendFor = 20 * time.Second
	TurnFor = time.Minute
)

// Batch is how many entries are sent at a time. So many come again when a server dies between a Send and its note.
const Batch = 500

// ErrElsewhere says that another server streams.
var ErrElsewhere = errors.New("another server streams the audit log")

// Streams is a log that knows how far it was streamed.
type Streams interface {
	// Stream sends every entry that was not sent yet and notes how far it came, batch by batch. holder is a text of the
	// server's own. It is ErrElsewhere while it is another's turn. sent is how many entries the sink has taken.
	Stream(ctx context.Context, holder string, to Sink) (sent int, err error)
	// EndTurn says that a server streams no more.
	EndTurn(ctx context.Context, holder string) error
}
