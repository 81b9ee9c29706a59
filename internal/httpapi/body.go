package httpapi

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/payload"
)

// maxBody is the largest body, in bytes.
const maxBody = 1 << 20

// Bodies of some size are held until they are answered, so what they take
// together is bounded: a caller who finds no room is told to come back. A body takes
// what has arrived of it: what is announced and not sent takes nothing.
const (
	smallBody  = 16 << 10 // held without asking
	bodiesRoom = 64 << 20
)

// body reads the whole body, after token, quota and scope were found good: a
// stranger cannot make the server hold anything.
func (c *call) body() ([]byte, error) {
	if err := mediaType(c.r.Header); err != nil {
		return nil, err
	}
	if c.r.ContentLength > maxBody {
		return nil, tooLarge()
	}
	// A length that a caller claims does not yet justify a megabyte of memory.
	b := bytes.NewBuffer(make([]byte, 0, min(max(c.r.ContentLength, 0), smallBody)+bytes.MinRead))
	c.pause() // how long the body takes is the caller's matter
	defer c.resume()
	_, err := b.ReadFrom(&heldBody{http.MaxBytesReader(c.w, c.r.Body, maxBody), c, 0})
	var over *http.MaxBytesError
	var full *fault.Error
	switch {
	case errors.As(err, &full):
	case err == nil:
		return b.Bytes(), nil
	case errors.As(err, &over):
		return nil, tooLarge()
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = fault.New(fault.BadRequest, "The body was cut short; nothing was changed.")
	case errors.Is(err, os.ErrDeadlineExceeded):
		err = fault.New(fault.BadRequest, "The body did not arrive in time; nothing was changed.")
	default: // a chunk that is none
		err = fault.Wrap(err, fault.BadRequest, "The body could not be read; nothing was changed.")
	}
	c.w.Header()["Connection"] = closing
	return nil, err
}

// heldBody counts what arrives of a body against the room for large ones.
type heldBody struct {
	io.Reader
	c       *call
	arrived int64
}

// bodyStep is how much a large body takes at a time.
const bodyStep = 64 << 10

// Read reads, and takes room for what was read before the next is.
func (h *heldBody) Read(p []byte) (int, error) {
	n, err := h.Reader.Read(p)
	h.arrived += int64(n)
	for h.arrived > max(smallBody, h.c.held) {
		if !h.c.bodies.Take(h.c.caller.Organization, bodyStep) {
			return n, fault.Busy(nil, time.Second, "The server is busy with large bodies. Nothing was changed.")
		}
		h.c.held += bodyStep
	}
	return n, err
}

// freeBody gives back the room that the call's body took.
func (c *call) freeBody() {
	if c.held > 0 {
		c.bodies.Put(c.caller.Organization, c.held)
		c.held = 0
	}
}

func tooLarge() error { return fault.New(fault.PayloadTooLarge, "The body is larger than 1 MiB.") }

// mediaType refuses what is not plain JSON in UTF-8. A missing Content-Type is
// taken as JSON. Asking for application/json also keeps pages of other sites from
// posting here without a preflight.
func mediaType(h http.Header) error {
	if enc := h["Content-Encoding"]; len(enc) > 1 || len(enc) == 1 && enc[0] != "" {
		return fault.New(fault.UnsupportedMediaType, "The body must not be compressed.")
	}
	types := h["Content-Type"]
	if len(types) == 0 {
		return nil
	}
	kind, params, err := mime.ParseMediaType(types[0])
	if len(types) > 1 || err != nil || kind != "application/json" {
		return fault.New(fault.UnsupportedMediaType, "The Content-Type must be application/json.")
	}
	if charset, ok := params["charset"]; ok && !strings.EqualFold(charset, "utf-8") {
		return fault.New(fault.UnsupportedMediaType, "The charset must be UTF-8.")
	}
	return nil
}

// object reads the body as one JSON object, and notes its hash for a repetition.
func (c *call) object(o *organization.Repeat) (payload.Object, error) {
	b, err := c.body()
	if err != nil {
		return payload.Object{}, err
	}
	if o != nil {
		o.Body = sha256.Sum256(b)
	}
	return payload.Parse(b)
}

// noFields reads the body of an operation that takes none: nothing, or an empty
// object, which many clients send because they must send something.
func (c *call) noFields(o *organization.Repeat) error {
	b, err := c.body()
	if err != nil {
		return err
	}
	if o != nil {
		o.Body = sha256.Sum256(b)
	}
	if len(b) == 0 {
		return nil
	}
	body, err := payload.Parse(b)
	if err != nil {
		return err
	}
	var p fault.Problems
	for _, m := range body.Members() {
		p.Add(m.Name, "%s is not a field here: this operation takes none", payload.Quote(m.Name))
	}
	return p.Err()
}
