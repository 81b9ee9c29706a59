package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/minio/minio-go/v7"

	"github.com/kinebase/kinebase/breaker"
)

// How an object is read. What is read here and there costs a request of firstRead
// each. Where reading goes on from where it was, twice as much is fetched every
// time, up to largestRead. Several places are followed at once, for a reader of
// Parquet goes through all columns side by side.
const (
	firstRead   = 64 << 10
	largestRead = 4 << 20
	maxGap      = 64 << 10 // skipped in going on, as readers do with padding and what they do not want
	maxHeld     = 8 << 20  // bytes in memory for an object
)

// object is an open object. It is safe for concurrent use.
type object struct {
	s      *S3
	ctx    context.Context
	cancel context.CancelFunc
	key    string
	etag   string
	size   int64

	mu      sync.Mutex
	windows []window // the one used last comes first
}

// window is a part of an object that is in memory. Its bytes do not change.
type window struct {
	from int64
	data []byte
}

func (w window) end() int64 { return w.from + int64(len(w.data)) }

// Size gives the size in bytes.
func (o *object) Size() int64 { return o.size }

// Close ends reads that are under way and forgets what is in memory.
func (o *object) Close() error {
	o.cancel()
	o.mu.Lock()
	defer o.mu.Unlock()
	o.windows = nil
	return nil
}

// ReadAt is io.ReaderAt.
func (o *object) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, errors.New("a file has no bytes before its beginning")
	}
	for n < len(p) {
		at := off + int64(n)
		if at >= o.size {
			return n, io.EOF
		}
		data, ahead := o.look(at)
		if data == nil {
			want := p[n:min(int64(len(p)), int64(n)+o.size-at)]
			if int64(len(want)) >= ahead { // nothing would be left over for later
				m := min(len(want), partSize)
				if err := o.fetch(want[:m], at); err != nil {
					return n, err
				}
				// Where it ended is remembered, so that going on counts as that.
				o.keep(window{at + int64(m), nil})
				n += m
				continue
			}
			data = make([]byte, min(ahead, o.size-at))
			if err := o.fetch(data, at); err != nil {
				return n, err
			}
			o.keep(window{at, data})
		}
		n += copy(p[n:], data)
	}
	return n, nil
}

// look gives what is in memory from at on; when that is nothing, how much to fetch.
func (o *object) look(at int64) (data []byte, ahead int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i, w := range o.windows {
		if at >= w.from && at < w.end() {
			o.windows = slices.Insert(slices.Delete(o.windows, i, i+1), 0, w)
			return w.data[at-w.from:], 0
		}
	}
	for i, w := range o.windows {
		if at >= w.end() && at-w.end() <= maxGap {
			o.windows = slices.Delete(o.windows, i, i+1) // the new one takes its place
			return nil, min(max(2*int64(len(w.data)), firstRead), largestRead)
		}
	}
	return nil, firstRead
}

// keep remembers a window, and forgets those that were not used for longest when
// there are too many.
func (o *object) keep(w window) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ctx.Err() != nil {
		return
	}
	o.windows = slices.Insert(o.windows, 0, w)
	held := 0
	for i, w := range o.windows {
		if held += len(w.data); held > maxHeld || i >= 64 {
			clear(o.windows[i:])
			o.windows = o.windows[:i]
			return
		}
	}
}

// fetch fills p from the object, on the second try if need be.
func (o *object) fetch(p []byte, at int64) (err error) {
	for range 2 {
		if err = o.get(p, at); err == nil {
			return nil
		}
		var answer minio.ErrorResponse
		if o.ctx.Err() != nil || errors.As(err, &answer) || breaker.Silent(err) {
			break // minio-go has tried it often enough
		}
	}
	return tellS3(o.ctx, err)
}

func (o *object) get(p []byte, at int64) error {
	return o.s.breaker.Do(o.ctx, func(ctx context.Context) error { return o.part(ctx, p, at) })
}

func (o *object) part(ctx context.Context, p []byte, at int64) (err error) {
	var opts minio.GetObjectOptions
	if err := opts.SetRange(at, at+int64(len(p))-1); err != nil {
		return err
	}
	if o.etag != "" {
		if err := opts.SetMatchETag(o.etag); err != nil {
			return err
		}
	}
	body, info, _, err := o.s.core.GetObject(ctx, o.s.options.Bucket, o.key, opts)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, body.Close()) }()
	if info.Size != int64(len(p)) {
		return fmt.Errorf("the bucket's server gave %d bytes where %d were asked for", info.Size, len(p))
	}
	_, err = io.ReadFull(body, p)
	return err
}
