package httpapi

import (
	"context"
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"hash"
	"io"
	"mime"
	"strconv"
	"strings"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/turns"
	"github.com/kinebase/kinebase/upload"
)

func decimalOf(n int64) string { return strconv.FormatInt(n, 10) }

// bringing is one PATCH.
type bringing struct {
	*api
	c     *call
	s     organization.Scope
	p     policy
	at    int64 // where it begins
	body  *cutBody
	sum   hash.Hash // of what it brings, in the words of its checksum; nil without one
	want  []byte
	until time.Time
}

// takePieces takes what a PATCH brings, piece by piece, and says how far the file has come.
func (a *api) takePieces(c *call, p policy) (got upload.Partial, err error) {
	b := &bringing{api: a, c: c, s: organization.Scope{Organization: p.Organization}, p: p}
	if err := b.headers(); err != nil {
		return got, err
	}
	if got, err = a.partial(c, p); err != nil {
		return got, err
	}
	if got.Arrived || got.Received != b.at {
		return got, upload.Misplaced(got.Received, b.at)
	}
	left := p.Max - b.at
	if c.r.ContentLength > left {
		return got, fault.New(fault.PayloadTooLarge, "The file was announced with %d bytes, and more are coming.",
			p.Max)
	}
	if err := b.room(left); err != nil {
		return got, err
	}
	size := left
	if c.r.ContentLength >= 0 {
		size = c.r.ContentLength
	}
	c.pause()
	b.body = &cutBody{r: io.LimitReader(patientBody(c, size), left+1)}
	ctx := turns.UnderWay(c.r.Context()) // what has come is kept, whoever hangs up
	pieces, err := b.take(context.WithoutCancel(ctx))
	if b.sum != nil && err == nil {
		err = b.commit(context.WithoutCancel(ctx), pieces)
	}
	got.Received = b.at
	if !b.until.IsZero() {
		got.Expires = b.until
	}
	got.Arrived = got.Received == p.Max
	return got, err
}

// headers reads what is said of the bytes.
func (b *bringing) headers() error {
	h := b.c.r.Header
	kind, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil || kind != pieceType || h.Get("Content-Encoding") != "" {
		return fault.New(fault.UnsupportedMediaType, "The bytes must be sent as %s, and not compressed.", pieceType)
	}
	var ok bool
	if b.at, ok = decimal(h.Get("Upload-Offset"), maxOffset); !ok {
		return fault.New(fault.BadRequest, "Upload-Offset must be the number of bytes that have come.")
	}
	if said := h.Get("Upload-Length"); said != "" && said != decimalOf(b.p.Max) {
		return fault.New(fault.BadRequest, "Upload-Length must be the size for which the upload was reserved, %d.",
			b.p.Max)
	}
	said := h.Get("Upload-Checksum")
	if said == "" {
		return nil
	}
	name, sum, _ := strings.Cut(said, " ")
	makes := map[string]func() hash.Hash{"md5": md5.New, "sha1": sha1.New, "sha256": sha256.New}
	if makes[name] == nil {
		return fault.New(fault.BadRequest, "Upload-Checksum must be by md5, sha1 or sha256.")
	}
	if b.want, err = base64.StdEncoding.DecodeString(sum); err != nil {
		return fault.New(fault.BadRequest, "Upload-Checksum must be a name and a checksum in base64.")
	}
	b.sum = makes[name]()
	return nil
}

// room refuses a file that would not fit beside all others, those that are still coming among them.
func (b *bringing) room(left int64) error {
	ctx := b.c.r.Context()
	room, err := b.Uploads.Room(ctx, b.s)
	if err != nil || room.Allowed == 0 {
		return err
	}
	coming, err := b.Pieces.Incomplete(ctx, b.s)
	if err != nil {
		return err
	}
	room.Used += coming
	return room.Take(left)
}

// take stores what comes. With a checksum nothing is kept before all of it has come and is right: then it
// gives the pieces.
func (b *bringing) take(ctx context.Context) (held []upload.Piece, err error) {
	org := b.s.Organization.String()
	for begun := b.at; ; {
		name := upload.PieceName(org)
		if err := b.Uploads.Expect(ctx, b.s, b.p.Session, name, time.Now().Add(expected)); err != nil {
			return nil, err
		}
		from := io.LimitReader(b.body, upload.PieceBytes)
		if b.sum != nil {
			from = io.TeeReader(from, b.sum)
		}
		size, err := b.Files.Put(ctx, name, from, -1)
		piece := upload.Piece{Name: name, Size: size}
		switch {
		case err == nil && size > 0 && b.sum != nil:
			held = append(held, piece)
			begun += size
		case err == nil && size > 0:
			err = b.commit(ctx, []upload.Piece{piece})
		default:
			b.forget(ctx, b.c, b.s, name)
		}
		if err == nil && begun > b.p.Max {
			err = upload.TooLong(b.p.Max)
		}
		if err == nil && b.body.err != nil && !errors.Is(b.body.err, io.EOF) {
			err = explainFile(b.body.err)
			if b.sum == nil { // what has come of it is kept
				err = fault.Wrap(b.body.err, fault.BadRequest,
					"The bytes were cut short; what has come of them was kept.")
			}
		}
		if err != nil {
			b.drop(ctx, held, piece)
			return nil, err
		}
		if b.body.over() || b.body.n == b.c.r.ContentLength {
			return held, nil
		}
	}
}

// commit says that pieces have come, if they are what their checksum says.
func (b *bringing) commit(ctx context.Context, pieces []upload.Piece) error {
	if b.sum != nil && !hmac.Equal(b.sum.Sum(nil), b.want) {
		b.drop(ctx, pieces, upload.Piece{})
		return fault.New(fault.ChecksumMismatch, "What came is not what Upload-Checksum says; nothing of it was kept.")
	}
	if len(pieces) == 0 {
		return nil
	}
	b.until = time.Now().Add(b.UploadWindow)
	received, err := b.Pieces.Receive(ctx, b.s, b.p.Session, b.at, b.p.Max, pieces, b.until)
	if err != nil {
		b.drop(ctx, pieces, upload.Piece{})
		return err
	}
	b.at = received
	return nil
}

// drop has pieces erased that are not kept.
func (b *bringing) drop(ctx context.Context, held []upload.Piece, last upload.Piece) {
	if last.Size > 0 && b.sum != nil {
		held = append(held, last)
	}
	for _, piece := range held {
		b.forget(ctx, b.c, b.s, piece.Name)
	}
}

// cutBody is a body that ends where it breaks off: what has come before is worth keeping.
type cutBody struct {
	r   io.Reader
	n   int64 // that have come
	err error // why it ended; io.EOF where it was whole
}

// over says whether nothing more comes.
func (c *cutBody) over() bool { return c.err != nil }

// Read reads.
func (c *cutBody) Read(p []byte) (int, error) {
	if c.err != nil {
		return 0, io.EOF
	}
	n, err := c.r.Read(p)
	c.n += int64(n)
	if c.err = err; err != nil {
		err = io.EOF
	}
	return n, err
}
