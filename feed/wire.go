package feed

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/fault"
)

// ParseKinds reads names of kinds with a comma between them.
func ParseKinds(s string) ([]Kind, error) {
	var kinds []Kind
	for word := range strings.SplitSeq(s, ",") {
		i := slices.IndexFunc(Kinds, func(k Kind) bool { return k.String() == word })
		if i < 0 {
			return nil, fault.New(fault.BadRequest, "kind must be capture, athlete or export, or several of them with a comma between.")
		}
		if !slices.Contains(kinds, Kinds[i]) {
			kinds = append(kinds, Kinds[i])
		}
	}
	return kinds, nil
}

// Cursors makes marks into cursors and reads them. A cursor is sealed: positions are counted over all organizations,
// and no caller is to count the changes of others.
type Cursors struct{ secret []byte }

// NewCursors makes cursors by a secret that all servers on a database share.
func NewCursors(secret []byte) Cursors { return Cursors{secret} }

// block is the cipher of an organization.
func (c Cursors) block(organization string) (cipher.Block, error) {
	mac := hmac.New(sha256.New, c.secret)
	mac.Write([]byte("kinebase cursor of changes 1\x00" + organization))
	return aes.NewCipher(mac.Sum(nil))
}

// A cursor is two blocks of AES: the two numbers of the mark, then a block that is chained to it,
// of 15 zeros, by which a cursor that was not made here is known, and the kinds.
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
	b[cursorBytes-1] = byte(m.Told)
	cipher.NewCBCEncrypter(block, make([]byte, aes.BlockSize)).CryptBlocks(b[:], b[:])
	return base64.RawURLEncoding.EncodeToString(b[:]), nil
}

// Parse reads a cursor of the organization.
func (c Cursors) Parse(organization, cursor string) (Mark, error) {
	refusal := fault.New(fault.BadRequest, "after must be a cursor that an earlier page of this organization's changes has given.")
	b, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(b) != cursorBytes {
		return Mark{}, refusal
	}
	block, err := c.block(organization)
	if err != nil {
		return Mark{}, err
	}
	cipher.NewCBCDecrypter(block, make([]byte, aes.BlockSize)).CryptBlocks(b, b)
	m := Mark{Position: int64(binary.BigEndian.Uint64(b)), Began: int64(binary.BigEndian.Uint64(b[8:])), Told: Set(b[cursorBytes-1])}
	b[cursorBytes-1] = 0
	if [aes.BlockSize]byte(b[aes.BlockSize:]) != [aes.BlockSize]byte{} || !SetOf(Kinds...).Holds(m.Told) || m.Position < 0 || m.Began < 0 {
		return Mark{}, refusal
	}
	return m, nil
}
