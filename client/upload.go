package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"time"
)

// NewCapture is a motion file or a video that will be sent. Only FileName is
// needed, and Camera for a video.
type NewCapture struct {
	AthleteIDs  []string          // at most 16
	GroupID     string            // a UUID; "" for a group of its own
	Activity    string            // "" when it is not known
	Movement    string            // the same
	Dimensions  map[string]string // of the movement, such as handedness
	Camera      map[string]any    // how the cameras were set up; kept and never interpreted
	FileName    string            // without a path; its ending tells its kind
	FileSize    int64             // bytes; with it Reserve also gives a ResumableURL. 0: it is sent whole
	CaptureTime *time.Time        // nil for what the file knows, else now
}

// Reservation is a place that is kept for a file, and the form by which it is
// sent.
type Reservation struct {
	SessionID    string            `json:"session_id"`
	GroupID      string            `json:"session_group_id"`
	UploadURL    string            `json:"upload_url"`
	UploadFields map[string]string `json:"upload_fields"`
	ExpiresAt    time.Time         `json:"upload_expires_at"`
	Status       string            `json:"status"` // NEW

	// ResumableURL is where the file may be sent in pieces, by SendResumable; "" unless its size was said.
	ResumableURL string `json:"upload_resumable_url,omitempty"`
}

// Reserve keeps a place for a file. Upload sends it.
func (c *Client) Reserve(ctx context.Context, n NewCapture, options ...CallOption) (*Reservation, error) {
	body := map[string]any{"file_name": n.FileName}
	if len(n.AthleteIDs) > 0 {
		body["athlete_ids"] = n.AthleteIDs
	}
	if n.GroupID != "" {
		body["session_group_id"] = n.GroupID
	}
	attributes := map[string]string{}
	maps.Copy(attributes, n.Dimensions)
	for name, value := range map[string]string{"activity": n.Activity, "movement": n.Movement} {
		if value != "" {
			attributes[name] = value
		}
	}
	if len(attributes) > 0 {
		body["movement_attributes"] = attributes
	}
	if n.Camera != nil {
		body["camera_configuration"] = n.Camera
	}
	if n.CaptureTime != nil {
		body["capture_time"] = n.CaptureTime.UTC().Format(timeFormat)
	}
	q := url.Values{}
	if n.FileSize > 0 {
		body["file_size"] = n.FileSize
		q.Set("include", "resumable")
	}
	var r Reservation
	if err := c.do(ctx, &call{method: http.MethodPost, path: "/captures", query: q, body: encode(body)},
		&r, options...); err != nil {
		return nil, err
	}
	return &r, nil
}

// timeFormat is how times are written: UTC with milliseconds.
const timeFormat = "2006-01-02T15:04:05.000Z"

// Upload sends the file of a reservation, from where it stands to its end, to the
// server or to the bucket that the reservation names. It takes as long as ctx
// lets it. The server has the file when it returns nil; it is read after that, see
// Capture.Status.
//
// An error between the first byte and the last leaves nothing behind, and the
// same reservation can be used again until it expires. A file that has come
// already is an *Error with the status 409.
func (c *Client) Upload(ctx context.Context, r *Reservation, file io.ReadSeeker, options ...CallOption) error {
	start, end, err := extent(file)
	if err != nil {
		return err
	}
	// The length is said, for a bucket takes no form without it.
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	for _, name := range slices.Sorted(maps.Keys(r.UploadFields)) {
		if err := w.WriteField(name, r.UploadFields[name]); err != nil {
			return err
		}
	}
	if _, err := w.CreateFormFile("file", "file"); err != nil {
		return err
	}
	head := form.Len()
	if err := w.Close(); err != nil {
		return err
	}
	call := &call{method: http.MethodPost, plain: true} // a form is used once anyway
	return c.try(ctx, call, options, func() error {
		if _, err := file.Seek(start, io.SeekStart); err != nil {
			return fmt.Errorf("the file: %w", err)
		}
		body := io.MultiReader(bytes.NewReader(form.Bytes()[:head]), io.LimitReader(file, end-start),
			bytes.NewReader(form.Bytes()[head:]))
		req, err := http.NewRequestWithContext(ctx, call.method, r.UploadURL, io.NopCloser(body))
		if err != nil {
			return err
		}
		maps.Copy(req.Header, call.header)
		req.ContentLength = int64(form.Len()) + end - start
		req.Header.Set("Content-Type", w.FormDataContentType())
		req.Header.Set("User-Agent", c.agent) // and no token: the form may go to a bucket of somebody else
		return c.bring(call, req)
	})
}

// PutFile sends the file of a capture that awaits it, from where it stands to its end,
// through the server, also when files lie in a bucket. It is as Upload otherwise.
func (c *Client) PutFile(ctx context.Context, id string, file io.ReadSeeker, options ...CallOption) error {
	start, end, err := extent(file)
	if err != nil {
		return err
	}
	call := &call{method: http.MethodPut, path: "/captures/" + segment(id) + "/file"}
	return c.try(ctx, call, options, func() error {
		if _, err := file.Seek(start, io.SeekStart); err != nil {
			return fmt.Errorf("the file: %w", err)
		}
		req, err := http.NewRequestWithContext(ctx, call.method, c.base+call.path,
			io.NopCloser(io.LimitReader(file, end-start)))
		if err != nil {
			return err
		}
		maps.Copy(req.Header, call.header)
		req.Header.Set("Authorization", "Bearer "+c.token)
		req.Header.Set("User-Agent", c.agent)
		req.Header.Set("Content-Type", "application/octet-stream")
		if req.ContentLength = end - start; end == start {
			req.Body = http.NoBody // net/http takes a length of 0 for one that is not known
		}
		return c.bring(call, req)
	})
}

// bring sends a file, however long that takes, as long as any of it goes; there is nothing in a good answer.
func (c *Client) bring(call *call, req *http.Request) error {
	ctx, stop := context.WithCancelCause(req.Context())
	defer stop(nil)
	timer := time.AfterFunc(c.stalled, func() { stop(errStalled) })
	defer timer.Stop()
	req = req.WithContext(ctx)
	if req.Body != http.NoBody {
		req.Body = &watchedBody{req.Body, func() { timer.Reset(c.stalled) }}
	}
	resp, err := c.long.Do(req)
	if errors.Is(context.Cause(ctx), errStalled) {
		err = errors.Join(errStalled, err)
	}
	if err != nil {
		return err
	}
	if err := call.judge(resp); err != nil {
		return err
	}
	return resp.Body.Close()
}

// watchedBody tells when it is read.
type watchedBody struct {
	io.ReadCloser
	tell func()
}

// Read is io.Reader.
func (w *watchedBody) Read(p []byte) (int, error) {
	w.tell()
	return w.ReadCloser.Read(p)
}

// extent is from where to where a file is sent.
func extent(file io.Seeker) (start, end int64, err error) {
	if start, err = file.Seek(0, io.SeekCurrent); err == nil {
		end, err = file.Seek(0, io.SeekEnd)
	}
	if err != nil {
		err = fmt.Errorf("the file: %w", err)
	}
	return start, end, err
}
