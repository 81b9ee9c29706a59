package httpapi

import (
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/payload"
	"github.com/kinebase/kinebase/upload"
)

// reserveCapture keeps a place for a file and tells by which form it is sent.
func (a *api) reserveCapture(c *call) error {
	resumable, err := reserveParams(c.r.URL.RawQuery)
	if err != nil {
		return err
	}
	repeat, body, done, err := a.posted(c)
	if err != nil {
		return err
	}
	defer done()
	r, err := upload.New(body, c.start, a.UploadWindow)
	if err != nil {
		return err
	}
	if err := a.announced(r.FileSize, resumable); err != nil {
		return err
	}
	size := r.FileSize
	r.Resumable = resumable
	var answer []byte
	render := func(r upload.Reservation) ([]byte, error) {
		var err error
		answer, err = a.reserved(c, r, size, resumable)
		return keptAnswer("", "", answer), err
	}
	r, err = a.Uploads.Reserve(c.r.Context(), c.scope(), r, keep(repeat, render))
	switch {
	case err != nil:
		return err
	case repeat.Replayed():
		return c.replay(repeat.Replay)
	case repeat == nil:
		if _, err := render(r); err != nil {
			return err
		}
	}
	c.sendWritten("", "", answer)
	return nil
}

// reserved is the answer about a reservation.
func (a *api) reserved(c *call, r upload.Reservation, size int64, resumable bool) ([]byte, error) {
	var form upload.Form
	var err error
	if a.Forms != nil {
		form, err = a.Forms.Form(c.r.Context(), c.scope(), r)
	} else {
		form, err = a.ownForm(c, r)
	}
	if err != nil {
		return nil, err
	}
	b := payload.AppendString(append(make([]byte, 0, 1024), `{"session_id":`...), r.Capture.SessionID)
	b = payload.AppendString(append(b, `,"session_group_id":`...), r.Group)
	b = payload.AppendString(append(b, `,"upload_url":`...), form.URL)
	b = append(b, `,"upload_fields":{`...)
	for i, name := range slices.Sorted(maps.Keys(form.Fields)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = payload.AppendString(b, name)
		b = payload.AppendString(append(b, ':'), form.Fields[name])
	}
	b = payload.AppendTime(append(b, `},"upload_expires_at":`...), &r.Expires)
	b = append(b, `,"status":"NEW"`...)
	if resumable {
		place, err := a.resumableURL(c, r, size)
		if err != nil {
			return nil, err
		}
		b = payload.AppendString(append(b, `,"upload_resumable_url":`...), place)
	}
	return append(b, '}'), nil
}

// reserveParams reads include, which takes one word here.
func reserveParams(query string) (resumable bool, err error) {
	const include seen = 1
	var s seen
	err = eachParam(query, func(name, value string) error {
		if name != "include" {
			return nil
		}
		if err := s.once(include, name); err != nil {
			return err
		}
		if value != "resumable" {
			return fault.New(fault.BadRequest, "include must be resumable here.")
		}
		resumable = true
		return nil
	})
	return resumable, err
}

// announced refuses a size that a file may not have; one that comes in pieces must say it.
func (a *api) announced(size int64, resumable bool) error {
	switch {
	case resumable && a.Pieces == nil:
		return fault.New(fault.BadRequest, "This server takes files whole alone.")
	case resumable && size == 0:
		var p fault.Problems
		p.Add("file_size", "file_size is required with include=resumable: it tells when the file is whole")
		return p.Err()
	case size > a.MaxUpload:
		return fault.New(fault.PayloadTooLarge, "The file is larger than %d bytes.", a.MaxUpload)
	}
	return nil
}

// ownForm is the form that this server takes itself.
func (a *api) ownForm(c *call, r upload.Reservation) (upload.Form, error) {
	if len(a.UploadKey) == 0 {
		return upload.Form{}, fault.Busy(nil, 0, "No uploads are taken now. Nothing was changed.")
	}
	p := policy{Organization: c.caller.Organization, Session: r.Capture.SessionID, Expires: r.Expires.UnixMilli(),
		Max: a.MaxUpload}
	return upload.Form{URL: a.publicURL(c.r) + "/v1/uploads", Fields: p.fields(a.UploadKey)}, nil
}

// publicURL is what the caller writes before /v1. What proxies say about the way
// here is not believed: behind one that ends TLS the URL has to be configured.
func (a *api) publicURL(r *http.Request) string {
	if a.PublicURL != "" {
		return strings.TrimRight(a.PublicURL, "/")
	}
	scheme, host := "http://", r.Host
	if r.TLS != nil {
		scheme = "https://"
	}
	if here, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok && host == "" {
		host = here.String() // HTTP/1.0 need not name one
	}
	return scheme + host
}
