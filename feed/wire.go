package feed

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/payload"
)

// ParseKinds reads names of kinds with a comma between them.
func ParseKinds(s string) ([]Kind, error) {
	var kinds []Kind
	for word := range strings.SplitSeq(s, ",") {
		i := slices.IndexFunc(Kinds, func(k Kind) bool { return k.String() == word })
		if i < 0 {
			return nil, fault.New(fault.BadRequest,
				"kind must be capture, athlete or export, or several of them with a comma between.")
		}
		if !slices.Contains(kinds, Kinds[i]) {
			kinds = append(kinds, Kinds[i])
		}
	}
	return kinds, nil
}

// Cursors makes marks of one list into cursors and reads them. A cursor is sealed: positions are counted over all
// organizations, and no caller is to count the changes of others.
type Cursors struct {
	secret []byte
	list   string
	epoch  [epochBytes]byte
}

// epochBytes is how long the name of an epoch is.
const epochBytes = 8

// NewCursors makes cursors of a list, such as "changes", by a secret that all servers on a database share, and by the
// epoch of the store, of 8 bytes, or nil for a store that was never restored.
func NewCursors(secret []byte, list string, epoch []byte) Cursors {
	c := Cursors{secret: secret, list: list}
	copy(c.epoch[:], epoch)
	return c
}

// block is the cipher of an organization.
func (c Cursors) block(organization string) (cipher.Block, error) {
	mac := hmac.New(sha256.New, c.secret)
	mac.Write([]byte("kinebase cursor of " + c.list + " 1\x00" + organization))
	return aes.NewCipher(mac.Sum(nil))
}

// A cursor is two blocks of AES: the two numbers of the mark, then a block that is chained to it,
// of the epoch, 7 zeros, by which a cursor that was not made here is known, and the kinds.
const cursorBytes = 2 * aes.BlockSize

// Format gives the cursor of a mark: text of letters, digits, - and _.
func (c Cursors) Format(organization string, m Mark) (string, error) {
	block, err := c.block(organization)
	if err != nil {
		return "", err
	}
	var b [cursorBytes]byte
	binary.BigEndian.PutUint64(b[:], uint64(m.Position))
	binary.BigEndian.PutUint64(b[8:], uint64(m.Began))
	copy(b[aes.BlockSize:], c.epoch[:])
	b[cursorBytes-1] = byte(m.Told)
	cipher.NewCBCEncrypter(block, make([]byte, aes.BlockSize)).CryptBlocks(b[:], b[:])
	return base64.RawURLEncoding.EncodeToString(b[:]), nil
}

// Parse reads a cursor of the organization. One that another store has given, or this one before it was restored, is a
// fault.Gone; what is none of this list is a fault.BadRequest.
func (c Cursors) Parse(organization, cursor string) (Mark, error) {
	refusal := fault.New(fault.BadRequest,
		"after must be a cursor that an earlier page of this organization's %s has given.", c.list)
	b, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(b) != cursorBytes {
		return Mark{}, refusal
	}
	block, err := c.block(organization)
	if err != nil {
		return Mark{}, err
	}
	cipher.NewCBCDecrypter(block, make([]byte, aes.BlockSize)).CryptBlocks(b, b)
	m := Mark{Position: int64(binary.BigEndian.Uint64(b)), Began: int64(binary.BigEndian.Uint64(b[8:])),
		Told: Set(b[cursorBytes-1])}
	zeros := b[aes.BlockSize+epochBytes : cursorBytes-1]
	if !bytes.Equal(zeros, make([]byte, len(zeros))) || !SetOf(Kinds...).Holds(m.Told) || m.Position < 0 ||
		m.Began < 0 {
		return Mark{}, refusal
	}
	if [epochBytes]byte(b[aes.BlockSize:]) != c.epoch {
		return Mark{}, fault.New(fault.Gone,
			"The cursor is of another store, or of the time before this one was restored from a backup. Ask for "+
				"everything again, without after.")
	}
	return m, nil
}

// AppendJSON appends a change as the feed shows it, with what has changed as it is now where object says so.
func AppendJSON(b []byte, f *Change, object bool) []byte {
	b = payload.AppendString(append(b, `{"kind":`...), f.Kind.String())
	b = payload.AppendString(append(b, `,"id":`...), f.ID)
	change := "changed"
	if f.Deleted {
		change = "deleted"
	}
	b = payload.AppendString(append(b, `,"change":`...), change)
	b = payload.AppendTime(append(b, `,"changed_at":`...), &f.At)
	if object && !f.Deleted {
		b = append(b, `,"object":`...)
		switch f.Kind {
		case Capture:
			b = append(b, f.Capture...)
		case Athlete:
			b = athlete.AppendJSON(b, *f.Athlete)
		case Export:
			b = export.AppendJSON(b, *f.Export)
		}
	}
	return append(b, '}')
}
