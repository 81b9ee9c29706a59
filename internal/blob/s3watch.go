package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/minio/minio-go/v7"

	"github.com/kinebase/kinebase/breaker"
)

// How long an exchange with the bucket's server may go on without a byte in either
// direction. A server copies a large object before it answers.
const (
	silentRead  = 30 * time.Second
	silentWrite = 2 * time.Minute
)

var errSilent = errors.New("the bucket's server fell silent in the middle of an answer")

// Breaker is open while the bucket's server does not answer.
func (s *S3) Breaker() *breaker.Breaker { return s.breaker }

// ask is the breaker's question: whatever the bucket's server says of a small object, it
// is there.
func (s *S3) ask(ctx context.Context) error {
	_, err := s.asker.StatObject(ctx, s.options.Bucket, s.options.Prefix+probeName, minio.StatObjectOptions{})
	var answer minio.ErrorResponse
	if err == nil || errors.As(err, &answer) {
		return nil
	}
	return fmt.Errorf("the bucket's server: %w", err)
}

// watched is a transport whose exchanges are watched, for minio-go makes several of them
// for one call, and tries each again.
type watched struct {
	http.RoundTripper
	breaker *breaker.Breaker
}

// RoundTrip makes an exchange. While the breaker is open it makes none, and those under way
// end when it opens: minio-go begins some that no context of their caller ends, such as
// those that clean up after a failure.
func (t watched) RoundTrip(r *http.Request) (*http.Response, error) {
	call, leave, err := t.breaker.Enter(r.Context())
	if err != nil {
		if r.Body != nil {
			err = errors.Join(err, r.Body.Close())
		}
		return nil, err
	}
	limit := silentWrite
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		limit = silentRead
	}
	ctx, cancel := context.WithCancelCause(call)
	x := &exchange{leave: leave, cancel: cancel, watch: t.breaker.Watch(limit, func() { cancel(errSilent) })}
	r = r.WithContext(ctx)
	if r.Body != nil && r.Body != http.NoBody {
		r.Body = sent{r.Body, x.watch}
	}
	answer, err := t.RoundTripper.RoundTrip(r)
	if err != nil {
		if cause := context.Cause(ctx); errors.Is(cause, errSilent) {
			err = cause
		}
		x.end()
		return nil, err
	}
	x.watch.Moved()
	answer.Body = received{answer.Body, x, ctx}
	return answer, nil
}

// exchange is a request and its answer.
type exchange struct {
	leave  func()
	cancel context.CancelCauseFunc
	watch  *breaker.Watch
}

func (x *exchange) end() {
	x.watch.End()
	x.cancel(nil)
	x.leave()
}

// sent is the body of a request.
type sent struct {
	io.ReadCloser
	watch *breaker.Watch
}

// Read reads.
func (s sent) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p)
	if n > 0 {
		s.watch.Moved()
	}
	return n, err
}

// received is the body of an answer.
type received struct {
	io.ReadCloser
	x   *exchange
	ctx context.Context
}

// Read reads.
func (r received) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	if n > 0 {
		r.x.watch.Moved()
	}
	if err != nil && err != io.EOF && errors.Is(context.Cause(r.ctx), errSilent) {
		err = errSilent
	}
	return n, err
}

// Close ends the exchange.
func (r received) Close() error {
	err := r.ReadCloser.Close()
	r.x.end()
	return err
}
