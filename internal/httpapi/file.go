package httpapi

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/upload"
)

// The formats that a file can be had in beside its own.
var formats = map[string]bool{"c3d": true, "trc": true, "csv": true}

func (a *api) getFile(c *call) error {
	format := ""
	var locale csvLocale
	err := eachParam(c.r.URL.RawQuery, func(name, value string) (err error) {
		if name == "locale" {
			if locale.given {
				return fault.New(fault.BadRequest, "locale is given twice.")
			}
			locale, err = readLocale(value)
			return err
		}
		if name != "format" {
			return nil
		}
		if format != "" {
			return fault.New(fault.BadRequest, "format is given twice.")
		}
		if format = value; !formats[value] {
			return fault.New(fault.BadRequest, "format must be one of c3d, trc, csv.")
		}
		return nil
	})
	if err == nil {
		err = locale.judge(format == "csv")
	}
	if err != nil {
		return err
	}
	source := func(s upload.Stored) (string, error) { return s.Original, arrived(s) }
	if format != "" {
		source = readable
	}
	s, file, err := a.open(c, source)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	if format != "" {
		return a.sendConverted(c, s, file, format, locale)
	}
	return a.sendFile(c, s, file)
}

// damagedFile is what a caller hears of a file whose bytes have changed since it came. The log has its name.
func damagedFile(err error, name string) error {
	var d *upload.Damaged
	if !errors.As(err, &d) {
		return err
	}
	return fault.Wrap(fmt.Errorf("%s is damaged: %w", name, err), fault.Internal, "%s", d.Reason)
}

// stored gives what is known of the file of the capture in the path.
func (a *api) stored(c *call) (upload.Stored, error) {
	id, err := c.captureID()
	if err != nil {
		return upload.Stored{}, err
	}
	s, err := a.Uploads.Stored(c.r.Context(), c.scope(), id)
	return s, unknown(err, "capture")
}

// open opens one of a capture's files; nil when the source names none. A file may be replaced between the moment
// when its name was read and this one; then the name is read again.
func (a *api) open(c *call, source func(upload.Stored) (string, error)) (upload.Stored, upload.File, error) {
	for before := ""; ; {
		s, err := a.stored(c)
		if err != nil {
			return s, nil, err
		}
		name, err := source(s)
		if err != nil || name == "" {
			return s, nil, err
		}
		file, err := a.Files.Open(c.r.Context(), name)
		if !errors.Is(err, upload.ErrNoFile) || name == before {
			return s, file, err
		}
		before = name
	}
}

// arrived says, of a capture whose file is not there, why it is not.
func arrived(s upload.Stored) error {
	switch {
	case s.Original != "":
		return nil
	case s.FileName == "":
		return fault.New(fault.NotFound, "The capture never had a file.")
	case s.Capture.Status == capture.AwaitingUpload:
		return fault.New(fault.Conflict, "The capture's status is awaiting_upload: its file has not arrived yet.")
	}
	return fault.New(fault.Conflict, "The capture has no file. %s", reason(s.Capture))
}

// settled says, of a capture whose file has not been read, why that is so.
func settled(s upload.Stored) error {
	err := arrived(s)
	switch {
	case err != nil:
		return err
	case s.Info != nil && s.Capture.Status == capture.Completed:
		return nil
	case s.Capture.Status == capture.Error:
		return fault.New(fault.Conflict, "The capture's status is error: its file could not be read. %s",
			reason(s.Capture))
	}
	return fault.New(fault.Conflict,
		"The capture's status is %s: its file has not been read yet. Try again in a moment.", s.Capture.Status)
}

func reason(c capture.Capture) string {
	if c.Error == nil {
		return "Why is not known."
	}
	return *c.Error
}

// readable gives the file of a capture that can be converted: of a video that is
// what was made of it.
func readable(s upload.Stored) (string, error) {
	if err := settled(s); err != nil {
		return "", err
	}
	if s.Derived != "" {
		return s.Derived, nil
	}
	if kind, _ := motion.KindOf(s.FileName); kind == motion.MOV || kind == motion.MP4 {
		return "", fault.New(fault.Conflict,
			"The capture is a video that no motion was made of: it can be had only as it came.")
	}
	return s.Original, nil
}

// typeOf is the media type of a file as it came. None is one that a browser would
// run or show as a page.
func typeOf(name string) string {
	switch kind, _ := motion.KindOf(name); kind {
	case motion.MOV:
		return "video/quicktime"
	case motion.MP4:
		return "video/mp4"
	}
	return "application/octet-stream"
}

// disposition has browsers save an answer under a name (RFC 6266): in ASCII for old
// ones, and as it is.
func disposition(name string) string {
	const plainMarks = "!#$&+-.^_`|~" // attr-char of RFC 5987, with letters and digits
	var plain, encoded strings.Builder
	for i := range len(name) {
		b := name[i]
		switch {
		case b >= '0' && b <= '9', b >= 'A' && b <= 'Z', b >= 'a' && b <= 'z', strings.IndexByte(plainMarks, b) >= 0:
			encoded.WriteByte(b)
		default:
			encoded.WriteString("%" + strings.ToUpper(hex.EncodeToString([]byte{b})))
		}
	}
	for _, r := range name {
		if r < ' ' || r > '~' || strings.ContainsRune(`"\%`, r) { // % would be decoded by some
			r = '_'
		}
		plain.WriteRune(r)
	}
	if plain.String() == name {
		return `attachment; filename="` + name + `"`
	}
	return `attachment; filename="` + plain.String() + `"; filename*=UTF-8''` + encoded.String()
}

// tagOf makes an entity tag of what determines an answer.
func tagOf(parts ...string) string {
	sum := hashed(parts...)
	return hex.EncodeToString(sum[:16])
}

// sendFile answers with a file as it came, or with a part of it.
func (a *api) sendFile(c *call, s upload.Stored, file upload.File) error {
	sum := s.SHA256
	if sum == "" { // it was stored without having been looked at; its name is used once
		h := sha256.Sum256([]byte(s.Original))
		sum = hex.EncodeToString(h[:])
	}
	whole := newRevocable(file, a.Now, func() (bool, error) {
		now, err := a.stored(c)
		return now.Original == s.Original, err
	})
	return c.sendParts(sum, typeOf(s.FileName), s.FileName, whole, file.Size())
}

// sendParts answers with what lies in storage whole, or with the part of it that is
// asked for.
func (c *call) sendParts(tag, kind, name string, file io.ReaderAt, size int64) error {
	h := c.w.Header()
	h["Cache-Control"] = revalidate
	c.set("Etag", `"`+tag+`"`)
	c.set("Content-Type", kind)
	c.set("Content-Disposition", disposition(name))
	r := c.r.Clone(c.r.Context())
	if part := oneRange(r.Header["Range"], size); part == "" {
		r.Header.Del("Range")
	} else {
		r.Header.Set("Range", part)
	}
	r.Header.Del("If-Match") // these two are for changes
	r.Header.Del("If-Unmodified-Since")
	w := &ranged{ResponseWriter: c.w, call: c, out: newPatientWriter(c.w)}
	http.ServeContent(w, r, "", time.Time{}, io.NewSectionReader(file, 0, size))
	switch {
	case w.refused == http.StatusRequestedRangeNotSatisfiable:
		h["Content-Type"] = typeJSON
		h["Cache-Control"] = noStore
		delete(h, "Content-Disposition")
		c.set("Content-Range", "bytes */"+strconv.FormatInt(size, 10))
		c.send(w.refused, appendFault(nil,
			fault.New(fault.BadRequest, "The file has %d bytes, and the Range lies outside of it.", size)))
	case w.refused > 0: // the file could not be read
		return fault.New(fault.Internal, "%s", unexpected)
	}
	return nil
}

// oneRange gives a Range as http.ServeContent understands it, and "" for one that is
// passed over (RFC 9110, section 14.2): of a unit other than bytes, or of several
// parts, which the whole may answer.
func oneRange(values []string, size int64) string {
	if len(values) != 1 || strings.Contains(values[0], ",") {
		return ""
	}
	unit, part, _ := strings.Cut(values[0], "=")
	if !strings.EqualFold(strings.TrimSpace(unit), "bytes") {
		return ""
	}
	first, last, pair := strings.Cut(strings.TrimSpace(part), "-")
	part = within(first, size) + "-" + within(last, size)
	if !pair || first+last == "" || strings.Trim(first+last, "0123456789") != "" || part == "-0" {
		// Text that is no range, and a range of the last 0 bytes, are outside of every file.
		// ServeContent would take signs, and answer the latter with bytes.
		part = strconv.FormatInt(size, 10) + "-"
	}
	return "bytes=" + part
}

// within gives a number of bytes of any length as one that ServeContent can read:
// beyond the end every place is like every other.
func within(digits string, size int64) string {
	if digits == "" {
		return ""
	}
	if n, err := strconv.ParseInt(digits, 10, 64); err == nil && n < size {
		return strconv.FormatInt(n, 10)
	}
	return strconv.FormatInt(size, 10)
}

// ranged is what http.ServeContent writes to: errors are ours to word.
type ranged struct {
	http.ResponseWriter
	call    *call
	out     io.Writer
	refused int
}

// WriteHeader notes the status.
func (w *ranged) WriteHeader(status int) {
	if status >= 400 {
		w.refused = status
		return
	}
	h := w.Header()
	if status == http.StatusNotModified {
		delete(h, "Content-Disposition")
		delete(h, "Accept-Ranges")
	}
	w.call.pause()
	w.call.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Write writes.
func (w *ranged) Write(b []byte) (int, error) {
	if w.refused > 0 {
		return len(b), nil
	}
	return w.out.Write(b)
}

// convertedShare is how many converted files are sent to an organization at a time: each
// is a temporary file until it was sent.
const convertedShare = 16

// sendConverted answers with the file in another format.
func (a *api) sendConverted(c *call, s upload.Stored, file upload.File, format string, locale csvLocale) error {
	name := s.FileName
	source := name
	if s.Derived != "" {
		source = path.Base(s.Derived)
	}
	rate, err := convertedBy(s)
	if err != nil {
		return err
	}
	h := c.w.Header()
	tag := locale.tag("file", s.Original, s.Derived, strconv.FormatFloat(rate, 'g', -1, 64), format)
	if c.fresh(tag) {
		return nil
	}
	if a.Convert == nil {
		return fault.New(fault.Conflict, "This server gives files only as they came.")
	}
	sent, err := c.acquire(a.converted, 1, "Many converted files of the organization are being sent already.")
	if err != nil {
		return err
	}
	defer sent()
	// A HEAD is made whole too: only then it is known whether there is anything to give.
	leave, err := c.acquire(a.converting, 1, "The server is busy with the files of others.")
	if err != nil {
		return err
	}
	defer leave()
	if s.Derived == "" {
		if err := upload.Intact(s, file); err != nil {
			return damagedFile(err, s.Original)
		}
	}
	out := &lazy{c: c, log: a.Log, begin: func() {
		leave() // the work is done; how long the caller takes for it is nobody else's matter
		if format == "csv" {
			c.set("Content-Type", "text/csv; charset=utf-8")
		} else {
			h["Content-Type"] = []string{"application/octet-stream"}
		}
		c.set("Content-Disposition", disposition(strings.TrimSuffix(name, path.Ext(name))+"."+format))
	}}
	// Nothing is written until all of it is there, which has a limit of its own.
	c.pause()
	_ = http.NewResponseController(c.w).SetWriteDeadline(time.Time{})
	var to io.Writer = out
	if locale.Comma {
		to = frames.NewRespeller(nil).Writer(out)
	}
	return out.end(a.Convert.Convert(c.r.Context(), c.scope(), source, file, format, rate, to))
}

// convertedBy is the rate by which a capture's file is written in another format, 0
// for its own. What was made of a video may tell none, and then has the video's.
func convertedBy(s upload.Stored) (float64, error) {
	if s.Rate > 0 || s.Derived == "" {
		return s.Rate, nil
	}
	info, err := storedInfo(s)
	if err != nil || info.Rate == nil || !info.Even {
		return 0, err
	}
	return *info.Rate, nil
}

// lazy is an answer of a length that is not known before: its head is written with
// its first byte, so that what fails before that is still an answer of its own.
type lazy struct {
	c     *call
	log   *slog.Logger
	begin func() // sets the header
	out   io.Writer
}

func (l *lazy) start() {
	l.begin()
	l.c.pause()
	l.c.status = http.StatusOK
	l.c.w.WriteHeader(http.StatusOK)
	if l.out = newPatientWriter(l.c.w); l.c.r.Method == http.MethodHead {
		l.out = io.Discard
	}
}

// Write writes.
func (l *lazy) Write(b []byte) (int, error) {
	if l.out == nil {
		l.start()
	}
	return l.out.Write(b)
}

// end ends the answer. One that failed halfway must not look whole: its connection
// is cut.
func (l *lazy) end(err error) error {
	var unreadable *upload.Unreadable
	var died *upload.Died
	switch {
	case err == nil && l.out == nil:
		l.start()
		return nil
	case err == nil:
		return nil
	case l.out != nil:
		if l.c.r.Context().Err() == nil { // the caller is still there
			l.log.ErrorContext(l.c.r.Context(), "an answer broke off", "request_id", l.c.id, "error", err)
		}
		panic(http.ErrAbortHandler)
	case errors.As(err, &unreadable):
		return fault.Wrap(err, fault.Conflict, "%s", unreadable.Reason)
	case errors.As(err, &died):
		return fault.Wrap(err, fault.Conflict, "%s", died.Reason)
	case errors.Is(err, context.DeadlineExceeded):
		return fault.Busy(err, stall, "It took too long. Try again later.")
	}
	return err
}
