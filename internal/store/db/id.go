package db

import (
	"encoding/hex"

	"github.com/kinebase/kinebase/organization"
)

// ID is a UUID as it is stored: 16 bytes, which PostgreSQL's uuid and a BLOB
// order alike. The zero id stands for nobody.
type ID [16]byte

// ParseID reads a lower-case UUID of 36 characters; ok is false for anything
// else and for the nil UUID, which names nobody.
func ParseID(s string) (v ID, ok bool) {
	s, ok = organization.ParseUUID(s)
	if !ok {
		return ID{}, false
	}
	var b [32]byte
	copy(b[:], s[:8])
	copy(b[8:], s[9:13])
	copy(b[12:], s[14:18])
	copy(b[16:], s[19:23])
	copy(b[20:], s[24:])
	_, err := hex.Decode(v[:], b[:])
	return v, err == nil && v != ID{}
}

// String gives the 36 characters.
func (v ID) String() string {
	var b [36]byte
	hex.Encode(b[:8], v[:4])
	hex.Encode(b[9:13], v[4:6])
	hex.Encode(b[14:18], v[6:8])
	hex.Encode(b[19:23], v[8:10])
	hex.Encode(b[24:], v[10:])
	b[8], b[13], b[18], b[23] = '-', '-', '-', '-'
	return string(b[:])
}

// NewID makes an id that nobody has.
func NewID() ID {
	v, ok := ParseID(organization.NewID())
	if !ok {
		panic("store: organization.NewID made no UUID")
	}
	return v
}
