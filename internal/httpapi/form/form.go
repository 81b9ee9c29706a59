// Package form reads the multipart form by which a file is sent, strictly and as it comes. Source:
// RFC 7578 and RFC 2046.
package form

import (
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/payload"
)

// The bounds of a form beside its file.
const (
	Room      = 64 << 10 // bytes of everything before the file
	valueRoom = 8 << 10  // bytes of one field
)

// File is the field that holds the file.
const File = "file"

// Form is a form that is being read: nothing but the fields before the file is ever held.
type Form struct {
	body  *metered
	parts *multipart.Reader
}

// Open begins to read the body of a request as its header says it is. Errors are faults of the
// caller, here as everywhere in this package.
func Open(h http.Header, body io.Reader) (*Form, error) {
	wrong := fault.New(fault.UnsupportedMediaType, "The Content-Type must be multipart/form-data: send an HTML form.")
	if enc := h["Content-Encoding"]; len(enc) > 1 || len(enc) == 1 && enc[0] != "" {
		return nil, fault.New(fault.UnsupportedMediaType, "The form must not be compressed.")
	}
	types := h["Content-Type"]
	if len(types) != 1 {
		return nil, wrong
	}
	kind, params, err := mime.ParseMediaType(types[0])
	if kind != "multipart/form-data" {
		return nil, wrong
	}
	// RFC 2046, section 5.1.1, has it so.
	if boundary := params["boundary"]; err != nil || boundary == "" || len(boundary) > 70 {
		return nil, fault.New(fault.BadRequest,
			"The Content-Type must name a boundary of 1 to 70 characters; most programs do so by themselves when no "+
				"Content-Type is set by hand.")
	}
	m := &metered{r: body, left: Room}
	return &Form{body: m, parts: multipart.NewReader(m, params["boundary"])}, nil
}

// Fields reads everything before the file, which must be the fields that are wanted, and gives the
// file, of which nothing has been read.
func (f *Form) Fields(wanted []string) (fields map[string]string, file *multipart.Part, err error) {
	fields = map[string]string{}
	for {
		part, err := f.parts.NextRawPart()
		if err == io.EOF { // itself: one that is wrapped says that the form's end is missing
			return nil, nil, fault.New(fault.BadRequest,
				"The form has no file: send it in a field named file, after all of upload_fields.")
		}
		if err != nil {
			return nil, nil, f.Explain(err)
		}
		name := part.FormName()
		if enc := part.Header.Get("Content-Transfer-Encoding"); !plainEncoding(enc) {
			return nil, nil, fault.New(fault.BadRequest,
				"The field %s must be sent as it is, without a Content-Transfer-Encoding.", payload.Quote(name))
		}
		_, twice := fields[name]
		switch {
		case name == File:
			for _, want := range wanted {
				if _, ok := fields[want]; !ok {
					return nil, nil, fault.New(fault.BadRequest,
						"The form lacks the field %s before the file: send every one of upload_fields first, and the "+
							"file last.", want)
				}
			}
			return fields, part, nil
		case twice:
			return nil, nil, fault.New(fault.BadRequest, "The form has the field %s twice.", payload.Quote(name))
		case !slices.Contains(wanted, name):
			return nil, nil, fault.New(fault.BadRequest, "%s is not a field of this form; it has %s and file.",
				payload.Quote(name), strings.Join(wanted, ", "))
		}
		value, err := io.ReadAll(io.LimitReader(part, valueRoom+1))
		if err != nil {
			return nil, nil, f.Explain(err)
		}
		if len(value) > valueRoom {
			return nil, nil, fault.New(fault.BadRequest, "The field %s is too long.", name)
		}
		fields[name] = string(value)
	}
}

// plainEncoding says whether a field came as its own bytes. Other encodings were
// given up for forms (RFC 7578, section 4.7).
func plainEncoding(enc string) bool {
	switch strings.ToLower(enc) {
	case "", "7bit", "8bit", "binary":
		return true
	}
	return false
}

// Allow bounds the file and what may follow it, in bytes.
func (f *Form) Allow(n int64) { f.body.left = n }

// End makes sure that nothing comes after the file.
func (f *Form) End() error {
	part, err := f.parts.NextRawPart()
	switch {
	case err == io.EOF: // as above
		return nil
	case err != nil:
		return f.Explain(err)
	case part.FormName() == File:
		return fault.New(fault.BadRequest, "The form has two files; one reservation takes one file.")
	}
	return fault.New(fault.BadRequest,
		"The field %s comes after the file; send every one of upload_fields first, and the file last.",
		payload.Quote(part.FormName()))
}

// Explain says why a form could not be read. Nothing of it has been stored.
func (f *Form) Explain(err error) error {
	switch {
	case f.body.over:
		return fault.New(fault.BadRequest, "The fields before the file must be at most %d KiB together.", Room>>10)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fault.New(fault.BadRequest, "The file did not arrive in time; nothing was stored.")
	case errors.Is(f.body.err, io.EOF), errors.Is(f.body.err, io.ErrUnexpectedEOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fault.New(fault.BadRequest, "The form was cut short; nothing was stored.")
	}
	return fault.Wrap(err, fault.BadRequest,
		"The body is not a form that can be read (multipart/form-data); nothing was stored.")
}

// metered lets a number of bytes through, and remembers how the reading ended.
type metered struct {
	r    io.Reader
	left int64
	over bool
	err  error
}

var errOver = errors.New("more than was allowed")

// Read reads.
func (m *metered) Read(p []byte) (int, error) {
	if m.left <= 0 {
		m.over = true
		return 0, errOver
	}
	n, err := m.r.Read(p[:min(int64(len(p)), m.left)])
	m.left -= int64(n)
	if err != nil {
		m.err = err
	}
	return n, err
}
