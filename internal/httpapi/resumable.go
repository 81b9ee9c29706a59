package httpapi

import (
	"crypto/hmac"
	"encoding/base64"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/payload"
	"github.com/kinebase/kinebase/upload"
)

// Uploads that go on where they broke off speak tus 1.0: HEAD tells how many bytes have come, PATCH brings
// more. The reservation is the creation. The address has the policy of a form in it, signed, and stands for
// itself as a form does: no token is asked for, and any server on the database takes any piece.

const (
	tusVersion = "1.0.0"
	// statusChecksum is of the protocol: what came is not what its checksum says.
	statusChecksum = 460
	pieceType      = "application/offset+octet-stream"
)

var (
	tusVersions   = []string{tusVersion}
	tusExtensions = []string{"creation,expiration,checksum,termination"}
	tusSums       = []string{"md5,sha1,sha256"}
)

// uploadPattern is where pieces are sent.
const uploadPattern = "/v1/uploads/{uploadId}"

// meant is the request as its sender means it: by the protocol a sender that cannot send PATCH or DELETE names it in a
// header.
func (p *place) meant(r *http.Request) *http.Request {
	if r.Method != http.MethodPost || p.routes[0].Pattern != uploadPattern {
		return r
	}
	said := r.Header.Get("X-HTTP-Method-Override")
	if said != http.MethodPatch && said != http.MethodDelete {
		return r
	}
	patched := *r // the server keeps its own, by which it writes the answer
	patched.Method = said
	return &patched
}

// resumableURL is where the pieces of a reservation's file are sent.
func (a *api) resumableURL(c *call, r upload.Reservation, size int64) (string, error) {
	if len(a.UploadKey) == 0 {
		return "", fault.Busy(nil, time.Second, "No uploads are taken now. Nothing was changed.")
	}
	p := policy{Organization: c.caller.Organization, Session: r.Capture.SessionID, Expires: r.Expires.UnixMilli(),
		Max: size}
	text, err := json.Marshal(p)
	if err != nil {
		return "", err
	}
	sealed := base64.RawURLEncoding.EncodeToString(text)
	return a.publicURL(c.r) + "/v1/uploads/" + sealed + "." +
		base64.RawURLEncoding.EncodeToString(sign(a.UploadKey, resumed+sealed)), nil
}

// resumed stands before what is signed, so that no signature of a form is one of an address.
const resumed = "resumable "

// uploadID reads the address. Max of the policy is the size of the file.
func (a *api) uploadID(c *call) (policy, error) {
	h := c.w.Header()
	h["Tus-Resumable"] = tusVersions
	if err := c.ignoreParams(); err != nil {
		return policy{}, err
	}
	if a.Pieces == nil || len(a.UploadKey) == 0 {
		return policy{}, fault.Busy(nil, time.Second, "No uploads are taken now. Try again in a moment.")
	}
	forged := fault.New(fault.Forbidden,
		"The address was not made by this server, or it was changed; use upload_resumable_url as it was answered.")
	sealed, signature, _ := strings.Cut(c.path[0], ".")
	sum, err := base64.RawURLEncoding.DecodeString(signature)
	if err != nil || !hmac.Equal(sum, sign(a.UploadKey, resumed+sealed)) {
		return policy{}, a.countBadForm(c, forged)
	}
	var p policy
	text, err := base64.RawURLEncoding.DecodeString(sealed)
	if err == nil {
		err = json.Unmarshal(text, &p, json.RejectUnknownMembers(true))
	}
	if err != nil {
		return policy{}, a.countBadForm(c, forged)
	}
	c.caller.Organization = p.Organization // for the log
	if got := c.r.Header.Get("Tus-Resumable"); c.r.Method != http.MethodGet && got != tusVersion {
		h["Tus-Version"] = tusVersions
		return policy{}, fault.New(fault.PreconditionFailed, "Tus-Resumable must be %s.", tusVersion)
	}
	return p, nil
}

// coming reads the address, and asks how far the file has come.
func (a *api) coming(c *call) (p policy, got upload.Partial, err error) {
	if p, err = a.uploadID(c); err == nil {
		got, err = a.partial(c, p)
	}
	return p, got, err
}

// partial asks how far the file has come.
func (a *api) partial(c *call, p policy) (upload.Partial, error) {
	s := organization.Scope{Organization: p.Organization}
	got, err := a.Pieces.Partial(c.r.Context(), s, p.Session)
	if err != nil {
		return got, unknown(err, "capture")
	}
	if got.Expires.IsZero() {
		got.Expires = time.UnixMilli(p.Expires)
		if !got.Arrived && !c.start.Before(got.Expires) {
			return got, upload.Overdue()
		}
	}
	if got.Arrived {
		got.Received = p.Max
	}
	got.Size = p.Max
	return got, nil
}

// tell puts how far the file has come into the headers.
func tell(c *call, got upload.Partial) {
	c.set("Upload-Offset", decimalOf(got.Received))
	if !got.Arrived {
		c.set("Upload-Expires", got.Expires.UTC().Format(http.TimeFormat))
	}
}

// getUpload tells how far the file has come.
func (a *api) getUpload(c *call) error {
	p, got, err := a.coming(c)
	if err != nil {
		return err
	}
	tell(c, got)
	c.set("Upload-Length", decimalOf(p.Max))
	h := c.w.Header()
	h["Tus-Version"], h["Tus-Extension"], h["Tus-Checksum-Algorithm"] = tusVersions, tusExtensions, tusSums
	b := append([]byte(`{"offset":`), decimalOf(got.Received)...)
	b = append(append(b, `,"size":`...), decimalOf(p.Max)...)
	b = append(b, `,"expires_at":`...)
	if got.Arrived {
		b = append(b, "null"...)
	} else {
		b = payload.AppendTime(b, &got.Expires)
	}
	c.send(http.StatusOK, append(b, '}'))
	return nil
}

// endUpload ends a reservation at the sender's wish, and erases what has come.
func (a *api) endUpload(c *call) error {
	p, got, err := a.coming(c)
	if err != nil {
		return err
	}
	if got.Arrived {
		return fault.New(fault.Conflict, "The file has come already; delete the capture to have it erased.")
	}
	s := organization.Scope{Organization: p.Organization}
	if err := a.Uploads.TurnAway(c.r.Context(), s, p.Session, "The upload was ended by its sender."); err != nil {
		return unknown(err, "capture")
	}
	delete(c.w.Header(), "Content-Type")
	c.send(http.StatusNoContent, nil)
	return nil
}

// continueUpload takes more of a file.
func (a *api) continueUpload(c *call) error {
	p, err := a.uploadID(c)
	if err != nil {
		c.w.Header()["Connection"] = closing
		return err
	}
	got, err := a.takePieces(c, p)
	if err != nil {
		c.w.Header()["Connection"] = closing // what is still coming is not read
		if errors.Is(err, upload.ErrNoRoom) || errors.Is(err, upload.ErrOffset) {
			return asSentence(err)
		}
		return asSentence(unknown(err, "capture"))
	}
	tell(c, got)
	delete(c.w.Header(), "Content-Type")
	c.send(http.StatusNoContent, nil)
	return nil
}
