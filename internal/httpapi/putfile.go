package httpapi

import (
	"errors"
	"os"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
)

// putFile takes the file of a capture that awaits it as the body of the request: for
// whoever has a token and no use for a form.
func (a *api) putFile(c *call) error {
	name, err := fileNameParam(c.r.URL.RawQuery)
	if err != nil {
		return err
	}
	id, err := c.captureID()
	if err != nil {
		return err
	}
	if enc := c.r.Header["Content-Encoding"]; len(enc) > 1 || len(enc) == 1 && enc[0] != "" {
		c.w.Header()["Connection"] = closing
		return fault.New(fault.UnsupportedMediaType, "The file must not be compressed on its way.")
	}
	if len(c.r.Header["Content-Range"]) > 0 {
		// RFC 9110, section 14.4: who sends a part must not have it taken for the whole.
		c.w.Header()["Connection"] = closing
		return fault.New(fault.BadRequest, "The file must be sent whole: Content-Range is not taken here.")
	}
	if err = a.expected(c, id, name); err == nil {
		size := a.MaxUpload
		if c.r.ContentLength >= 0 {
			size = min(size, c.r.ContentLength)
		}
		err = a.store(c, id, &incoming{
			file: patientBody(c, size), size: c.r.ContentLength, most: a.MaxUpload,
			explain: explainFile, end: func() error { return nil },
		})
	}
	a.received(c, err)
	return nil
}

// expected says whether a file of that name may be sent. The store asks again for
// itself; this is what can be said before the first byte is read.
func (a *api) expected(c *call, id, name string) error {
	stored, err := a.Uploads.Stored(c.r.Context(), c.scope(), id)
	switch {
	case err != nil:
		return unknown(err, "capture")
	case stored.Original == "" && !stored.Expires.IsZero() && c.start.After(stored.Expires):
		return fault.New(fault.Conflict, "The file was not taken: the time for uploading has passed.")
	case name != "" && stored.FileName != "" && name != stored.FileName:
		return fault.New(fault.BadRequest, "file_name must be the name that the upload was reserved for.")
	}
	return nil
}

// fileNameParam reads file_name; "" when it is not given.
func fileNameParam(query string) (name string, err error) {
	var s seen
	err = eachParam(query, func(param, value string) error {
		if param != "file_name" {
			return nil
		}
		if err := s.once(1, param); err != nil {
			return err
		}
		var err error
		name, err = organization.ParseName(param, value)
		return err
	})
	return name, err
}

// explainFile says why a body could not be read to its end.
func explainFile(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return fault.New(fault.BadRequest, "The file did not arrive in time; nothing was stored.")
	}
	return fault.Wrap(err, fault.BadRequest, "The file was cut short; nothing was stored.")
}
