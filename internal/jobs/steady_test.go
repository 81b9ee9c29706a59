package jobs

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kinebase/kinebase/breaker"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/upload"
)

// outage is a bucket with a file. It falls silent for a while in the next calls, so many
// times.
type outage struct {
	upload.Files
	bucket *breaker.Breaker
	frozen atomic.Bool
	put    []byte
	left   int // outages that are to come
}

// outageTime is longer than the queue lets any step live.
const outageTime = 10 * time.Minute

func newOutage() *outage {
	o := &outage{}
	o.bucket = breaker.New(breaker.Options{Name: "the bucket", Refusal: "away", Ask: func(context.Context) error {
		if o.frozen.Load() {
			return errors.New("no answer")
		}
		return nil
	}})
	return o
}

// call hears nothing until the breaker ends it.
func (o *outage) call(ctx context.Context) error {
	return o.bucket.Do(ctx, func(ctx context.Context) error {
		if o.left == 0 {
			return nil
		}
		o.left--
		o.frozen.Store(true)
		time.AfterFunc(outageTime, func() { o.frozen.Store(false) })
		defer o.bucket.Watch(0, nil).End()
		<-ctx.Done()
		return ctx.Err()
	})
}

const content = "what is in the file"

func (o *outage) Put(ctx context.Context, _ string, r io.Reader, _ int64) (int64, error) {
	var err error
	if o.put, err = io.ReadAll(r); err != nil {
		return 0, err
	}
	return int64(len(o.put)), o.call(ctx)
}

func (o *outage) Open(ctx context.Context, _ string) (upload.File, error) {
	return ailing{bytes.NewReader([]byte(content)), o, ctx}, o.call(ctx)
}

func (o *outage) Erase(ctx context.Context, _ string) error { return o.call(ctx) }

type ailing struct {
	*bytes.Reader
	o   *outage
	ctx context.Context
}

func (a ailing) Size() int64  { return a.Reader.Size() }
func (a ailing) Close() error { return nil }
func (a ailing) ReadAt(p []byte, off int64) (int, error) {
	half := (len(p) + 1) / 2
	if n, err := a.Reader.ReadAt(p[:half], off); err != nil {
		return n, err
	}
	if err := a.o.call(a.ctx); err != nil {
		return half, err
	}
	n, err := a.Reader.ReadAt(p[half:], off+int64(half))
	return half + n, err
}

func TestWorkThatNobodyWaitsForOutlastsABucketThatDoesNotAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOutage()
		defer o.bucket.Close()
		s := steady{o, o.bucket}
		began := time.Now()
		o.left = 2
		f, err := s.Open(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len(content))
		o.left = 2
		if n, err := f.ReadAt(got, 0); err != nil || string(got[:n]) != content {
			t.Errorf("it read %q (%v)", got, err)
		}
		o.left = 2
		if n, err := s.Put(t.Context(), "b", bytes.NewReader([]byte(content)), -1); err != nil ||
			string(o.put) != content || n != int64(len(content)) {
			t.Errorf("it stored %q, %d bytes (%v)", o.put, n, err)
		}
		o.left = 2
		if err := s.Erase(t.Context(), "a"); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took < 8*outageTime || o.bucket.Opened() != 8 {
			t.Errorf("%d outages took %v", o.bucket.Opened(), took)
		}
		o.left = 1
		if _, err := s.Put(t.Context(), "b", io.MultiReader(bytes.NewReader([]byte(content))),
			-1); !breaker.Silent(err) || !fault.Is(err, fault.Unavailable) {
			t.Errorf("what cannot be read again: %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := s.Erase(ctx, "a"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("work that is ended while it waits: %v", err)
		}
		<-time.After(outageTime)
	})
}

func TestATableThatTheStorageCouldNotGiveIsNotTakenToBeDamaged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOutage()
		defer o.bucket.Close()
		b := &builder{Options: Options{Bucket: o.bucket}, direct: o}
		o.left = 3
		reason, err := b.look(t.Context(), "a", 1)
		if err != nil || reason != "Its motion table cannot be read." || o.bucket.Opened() != 3 {
			t.Errorf("of a file that is no table: %q (%v), after %d outages", reason, err, o.bucket.Opened())
		}
		for _, fails := range []error{fault.Busy(nil, time.Second, "away"), context.DeadlineExceeded} {
			b := &builder{direct: failing{fails}}
			if reason, err := b.look(t.Context(), "a", 1); !errors.Is(err, fails) || reason != "" {
				t.Errorf("of a storage that fails with %v: %q (%v)", fails, reason, err)
			}
		}
	})
}

// failing gives a file, and nothing of it.
type failing struct{ err error }

func (f failing) Open(context.Context, string) (upload.File, error)            { return f, nil }
func (f failing) Put(context.Context, string, io.Reader, int64) (int64, error) { return 0, f.err }
func (f failing) Erase(context.Context, string) error                          { return f.err }
func (f failing) ReadAt([]byte, int64) (int, error)                            { return 0, f.err }
func (f failing) Size() int64                                                  { return 1000 }
func (f failing) Close() error                                                 { return nil }
