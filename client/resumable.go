package client

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// UploadProgress is how far a file has come that is sent in pieces.
type UploadProgress struct {
	Offset    int64      `json:"offset"`     // bytes that have come
	Size      int64      `json:"size"`       // bytes of the file
	ExpiresAt *time.Time `json:"expires_at"` // until when more is waited for; nil once all have come
}

// PieceBytes is how much of a file SendResumable sends at a time.
const PieceBytes = 16 << 20

// GetUpload asks how much has come of a file that is sent to a reservation's ResumableURL.
func (c *Client) GetUpload(ctx context.Context, place string, options ...CallOption) (*UploadProgress, error) {
	var p UploadProgress
	call := &call{method: http.MethodGet, plain: true}
	return &p, c.try(ctx, call, options, func() error {
		resp, err := c.tus(ctx, c.http, call, place, nil, 0)
		if err != nil {
			return err
		}
		return errors.Join(json.NewDecoder(resp.Body).Decode(&p), resp.Body.Close())
	})
}

// ContinueUpload sends bytes of the file that begin at offset, which must be as many as have come. What comes of them
// before a connection breaks is kept: GetUpload says how much.
func (c *Client) ContinueUpload(ctx context.Context, place string, offset int64, bytes *io.SectionReader,
	options ...CallOption) error {
	call := &call{method: http.MethodPatch, plain: true}
	return c.try(ctx, call, options, func() error {
		call.header.Set("Upload-Offset", strconv.FormatInt(offset, 10))
		call.header.Set("Content-Type", "application/offset+octet-stream")
		if _, err := bytes.Seek(0, io.SeekStart); err != nil {
			return err
		}
		resp, err := c.tus(ctx, c.long, call, place, bytes, bytes.Size())
		if err != nil {
			return err
		}
		return resp.Body.Close()
	})
}

// EndUpload gives an upload up: what has come is erased, and the capture has the status error.
func (c *Client) EndUpload(ctx context.Context, place string, options ...CallOption) error {
	call := &call{method: http.MethodDelete, plain: true}
	return c.try(ctx, call, options, func() error {
		resp, err := c.tus(ctx, c.http, call, place, nil, 0)
		if err != nil {
			return err
		}
		return resp.Body.Close()
	})
}

// tus asks an address of its own, without a token: it stands for itself.
func (c *Client) tus(ctx context.Context, by *http.Client, call *call, place string, body io.Reader,
	size int64) (*http.Response, error) {
	if size > 0 {
		body = io.NopCloser(body)
	} else if body != nil {
		body = http.NoBody
	}
	req, err := http.NewRequestWithContext(ctx, call.method, place, body)
	if err != nil {
		return nil, err
	}
	maps.Copy(req.Header, call.header)
	req.ContentLength = size
	req.Header.Set("Tus-Resumable", "1.0.0")
	req.Header.Set("User-Agent", c.agent)
	resp, err := by.Do(req)
	if err != nil {
		return nil, err
	}
	return resp, call.judge(resp)
}

// fruitless is how often in a row SendResumable tries without a byte coming, and pause the wait after the first time.
const (
	fruitless = 8
	pause     = 500 * time.Millisecond
)

// SendResumable sends a file to a reservation's ResumableURL, in pieces, and goes on where it was when a
// connection breaks or a server dies, also where an earlier call was. A connection on which no byte goes for two
// minutes counts as broken. It gives up when nothing has come eight times in a row, and at once when the file cannot be
// read. progress, when not nil, is told how many bytes have come. The server has the file when it
// returns nil; it is read after that.
func (c *Client) SendResumable(ctx context.Context, place string, file io.ReaderAt, progress func(sent int64)) error {
	_, err := c.BringResumable(ctx, place, file, progress)
	return err
}

// BringResumable does what SendResumable does, and says whether the last bytes of the file came by this call. Of
// several that send the same file at once, one has brought it.
func (c *Client) BringResumable(ctx context.Context, place string, file io.ReaderAt,
	progress func(sent int64)) (brought bool, err error) {
	at, tries := int64(-1), 0
	from := &watchedFile{ReaderAt: file}
	for {
		p, err := c.GetUpload(ctx, place)
		if err == nil && p.Offset > at {
			at, tries = p.Offset, 0
			if progress != nil {
				progress(at)
			}
		}
		for err == nil && at < p.Size {
			n := min(PieceBytes, p.Size-at)
			err = c.piece(ctx, place, at, from, n)
			// Without an answer the bytes may have come; 409 says that another one's have.
			var refused *Error
			taken := errors.As(err, &refused) && refused.Status == http.StatusConflict
			brought = at+n == p.Size && !taken
			if err == nil {
				at, tries = at+n, 0
				if progress != nil {
					progress(at)
				}
			}
		}
		var refused *Error
		switch {
		case err == nil:
			return brought, nil
		case ctx.Err() != nil:
			return false, ctx.Err()
		case from.failure() != nil:
			return false, from.failure()
		case errors.As(err, &refused) && refused.Status < 500 && refused.Status != http.StatusConflict &&
			refused.Status != http.StatusTooManyRequests && refused.Status != http.StatusBadRequest:
			return false, err
		}
		if tries++; tries == fruitless {
			return false, err
		}
		if err := c.retry.sleep(ctx, pause<<(tries-1)); err != nil {
			return false, err
		}
	}
}

// stalled is after how long a connection counts as broken on which nothing goes: one whose other end is gone, as when
// a laptop was moved, does not say so.
const stalled = 2 * time.Minute

// piece sends bytes of a file, as long as any go.
func (c *Client) piece(ctx context.Context, place string, at int64, file *watchedFile, size int64) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	timer := time.AfterFunc(c.stalled, func() { stop(errStalled) })
	defer timer.Stop()
	file.gone(func() { timer.Reset(c.stalled) })
	err := c.ContinueUpload(ctx, place, at, io.NewSectionReader(file, at, size))
	if err != nil && errors.Is(context.Cause(ctx), errStalled) {
		return errStalled
	}
	return err
}

var errStalled = errors.New("the connection stands still")

// watchedFile tells when it is read, and keeps what reading failed with apart from what sending did.
type watchedFile struct {
	io.ReaderAt

	mu   sync.Mutex
	tell func()
	err  error
}

// ReadAt is io.ReaderAt.
func (w *watchedFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := w.ReaderAt.ReadAt(p, off)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil && err != io.EOF && w.err == nil {
		w.err = err
	}
	w.tell()
	return n, err
}

func (w *watchedFile) gone(tell func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tell = tell
}

func (w *watchedFile) failure() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}
