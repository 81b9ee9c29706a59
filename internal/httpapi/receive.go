package httpapi

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/kinebase/kinebase/audit"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/httpapi/form"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/turns"
	"github.com/kinebase/kinebase/upload"
)

const (
	// slowestUpload is the least speed, in bytes a second, that a file must keep up on
	// average once the first quarter of an hour is over.
	slowestUpload = 64 << 10
	firstMinutes  = 15 * time.Minute
	// expected is how long a file is expected that is coming, and renewed how often it
	// is said that it still is: when a server dies, its files are not waited for long.
	expected = 5 * time.Minute
	renewed  = time.Minute
	// formEnd bounds what comes after the file.
	formEnd = 64 << 10
	// readOn is how long it is waited for more of a form that was refused, and
	// refusedRoom how much is still read of a form that is refused although it is
	// signed: many programs look at the answer only when everything was taken.
	readOn      = 5 * time.Second
	refusedRoom = 64 << 20
)

// receiveFile takes the form of this server's own. Its signature proves that it was made
// for the reservation.
func (a *api) receiveFile(c *call) error {
	if len(a.UploadKey) == 0 {
		return fault.Busy(nil, time.Second, "No uploads are taken now. Try again in a moment.")
	}
	c.pause()
	p, in, err := a.openUpload(c)
	if err != nil {
		return a.countBadForm(c, err)
	}
	c.resume()
	c.caller.Organization = p.Organization // for the log
	if c.start.UnixMilli() > p.Expires {
		err = fault.New(fault.Forbidden, "The time for uploading has passed; reserve another upload.")
	} else {
		err = a.store(c, p.Session, in)
	}
	a.received(c, err)
	return nil
}

// received answers about a file.
func (a *api) received(c *call, err error) {
	if err != nil {
		a.refuseForm(c, err)
		return
	}
	delete(c.w.Header(), "Content-Type")
	c.send(http.StatusNoContent, nil)
}

// incoming is a request that has been read up to its file.
type incoming struct {
	file    io.Reader
	size    int64 // -1: not known
	most    int64 // of the file, in bytes
	around  int64 // how much may come beside it
	explain func(error) error
	end     func() error // makes sure that nothing follows
}

// openUpload reads the form up to the file, and finds out whether it may be sent.
func (a *api) openUpload(c *call) (policy, *incoming, error) {
	if err := c.ignoreParams(); err != nil {
		return policy{}, nil, err
	}
	// Until the signature is known to be good, the server's usual deadline holds.
	slow := &switchable{Reader: c.r.Body}
	f, err := form.Open(c.r.Header, slow)
	if err != nil {
		return policy{}, nil, err
	}
	fields, file, err := f.Fields(formFields)
	if err != nil {
		return policy{}, nil, err
	}
	p, err := readPolicy(fields, a.UploadKey)
	if err != nil {
		return policy{}, nil, err
	}
	size := p.Max
	if c.r.ContentLength >= 0 {
		size = min(size, c.r.ContentLength)
	}
	slow.Reader = patientBody(c, size)
	f.Allow(p.Max + formEnd)
	return p, &incoming{file: file, size: -1, most: p.Max, around: form.Room + formEnd, explain: f.Explain, end: f.End},
		nil
}

// patientBody is a body that may take as long as a file of so many bytes may.
func patientBody(c *call, size int64) io.Reader {
	p := newPatient(c.w, firstMinutes+time.Duration(size/slowestUpload)*time.Second)
	p.moved()
	return patientReader{c.r.Body, p}
}

// switchable is a reader that becomes another one.
type switchable struct{ io.Reader }

// store puts the file where files are kept and gives it to its capture.
func (a *api) store(c *call, session string, in *incoming) error {
	var tooLarge error = fault.New(fault.PayloadTooLarge, "The file is larger than %d bytes.", in.most)
	if c.r.ContentLength > in.most+in.around {
		c.w.Header()["Connection"] = closing
		return tooLarge
	}
	ctx, s := c.r.Context(), organization.Scope{Organization: c.caller.Organization}
	name := upload.OriginalName(s.Organization.String())
	if err := a.Uploads.Expect(ctx, s, session, name, time.Now().Add(expected)); err != nil {
		return asSentence(unknown(err, "capture"))
	}
	room, err := a.Uploads.Room(ctx, s)
	if err == nil {
		err = room.Take(max(in.size, 0))
	}
	if err != nil {
		a.forget(ctx, c, s, name)
		return err
	}
	most := in.most
	if in.most = min(most, room.Left()); in.most < most {
		tooLarge = room.Take(in.most + 1)
	}
	c.pause()
	ctx = turns.UnderWay(ctx) // what has come of the file would be lost
	coming, stop := context.WithCancelCause(ctx)
	var renewing sync.WaitGroup
	renewing.Go(func() { a.renew(coming, stop, s, session, name) })
	defer renewing.Wait()
	defer stop(nil)
	size, sum, err := a.put(coming, name, in)
	if gone := context.Cause(coming); fault.Is(gone, fault.Conflict) || fault.Is(gone, fault.NotFound) {
		err = gone
	}
	// From here on the caller may hang up: the file has come, or it must go.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stall)
	defer cancel()
	if err == nil {
		err = a.Uploads.Arrive(ctx, s, session, name, size, sum)
	}
	if err != nil {
		a.forget(ctx, c, s, name)
		if errors.Is(err, errTooLarge) {
			return tooLarge
		}
		return asSentence(unknown(err, "capture"))
	}
	return nil
}

// forget has what came of a file that was not taken erased.
func (a *api) forget(ctx context.Context, c *call, s organization.Scope, name string) {
	if err := a.Uploads.Forget(audit.Without(ctx), s, name); err != nil {
		a.Log.WarnContext(ctx, "a file that nobody has stays until its time has passed", "request_id", c.id, "error",
			err)
	}
}

// renew says now and then that the file is still coming, and ends it when nobody
// waits for it any more.
func (a *api) renew(ctx context.Context, stop context.CancelCauseFunc, s organization.Scope, session, name string) {
	tick := time.NewTicker(renewed)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		err := a.Uploads.Expect(ctx, s, session, name, time.Now().Add(expected))
		if fault.Is(err, fault.Conflict) || fault.Is(err, fault.NotFound) {
			stop(err)
			return
		}
	}
}

var errTooLarge = errors.New("the file is too large")

// put stores the file, and gives its size and its SHA-256. An error of the body is
// told before one of the store that it has caused.
func (a *api) put(ctx context.Context, name string, in *incoming) (int64, string, error) {
	file := &hashed256{r: in.file, left: in.most, hash: sha256.New()}
	size, err := a.Files.Put(ctx, name, file, in.size)
	switch {
	case file.err != nil && !errors.Is(file.err, errTooLarge):
		return 0, "", in.explain(file.err)
	case file.err != nil:
		return 0, "", file.err
	case err != nil:
		return 0, "", err
	}
	return size, hex.EncodeToString(file.hash.Sum(nil)), in.end()
}

// hashed256 hashes a file on its way, and ends it when it is too large.
type hashed256 struct {
	r    io.Reader
	left int64
	hash hash.Hash
	err  error // other than io.EOF
}

// Read reads.
func (f *hashed256) Read(p []byte) (int, error) {
	n, err := f.r.Read(p)
	f.hash.Write(p[:n])
	if f.left -= int64(n); f.left < 0 {
		err = errTooLarge
	}
	if err != nil && !errors.Is(err, io.EOF) {
		f.err = err
	}
	return n, err
}

// asSentence makes a sentence of a message of the store about an upload.
func asSentence(err error) error {
	var f *fault.Error
	if errors.As(err, &f) && f.Code == fault.Conflict && f.Message != "" && !errors.Is(err, upload.ErrNoRoom) {
		return fault.Wrap(err, fault.Conflict, "The file was not taken: %s.", f.Message)
	}
	return err
}

// countBadForm counts a form that proves nothing against the address that it came
// from, as a request without a valid token counts.
func (a *api) countBadForm(c *call, err error) error {
	c.w.Header()["Connection"] = closing
	if fault.CodeOf(err) == fault.Internal {
		return err
	}
	from, _ := netip.ParseAddrPort(c.r.RemoteAddr)
	if full := a.Door.Failed(c.r.Context(), from.Addr()); full != nil {
		return full
	}
	return err
}

// refuseForm answers, and then reads on for a while, so that senders who look at an
// answer only when everything has been taken get to see it.
func (a *api) refuseForm(c *call, err error) {
	c.w.Header()["Connection"] = closing
	control := http.NewResponseController(c.w)
	_ = control.EnableFullDuplex() // else the server would read first and answer then
	_ = control.SetWriteDeadline(time.Now().Add(writeTime))
	a.refuse(c, err)
	_ = control.Flush()
	room := make([]byte, 32<<10)
	for read := 0; read < refusedRoom; {
		_ = control.SetReadDeadline(time.Now().Add(readOn))
		n, err := c.r.Body.Read(room)
		if read += n; err != nil {
			return
		}
	}
}
