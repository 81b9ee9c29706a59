package organization

import (
	"encoding/hex"

	"github.com/google/uuid"

	"github.com/kinebase/kinebase/fault"
)

// ID is a UUID in its 16 bytes, which PostgreSQL's uuid and a BLOB order as their texts are ordered. The zero ID stands
// for nobody.
type ID [16]byte

// ParseID reads a lower-case UUID of 36 characters; ok is false for anything
// else and for the nil UUID, which names nobody.
func ParseID(s string) (v ID, ok bool) {
	s, ok = ParseUUID(s)
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

// NewID makes an ID: a UUIDv7, so that new rows lie beside each other.
func NewID() ID { return ID(uuid.Must(uuid.NewV7())) }

// NewUUID is NewID as text.
func NewUUID() string { return NewID().String() }

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

// Text is String, and "" for the zero ID.
func (v ID) Text() string {
	if v == (ID{}) {
		return ""
	}
	return v.String()
}

// MarshalText gives the 36 characters.
func (v ID) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads what MarshalText gives.
func (v *ID) UnmarshalText(text []byte) error {
	id, ok := ParseID(string(text))
	if !ok {
		return fault.New(fault.BadRequest, "an id must be a UUID of 36 characters, and not the nil UUID")
	}
	*v = id
	return nil
}
