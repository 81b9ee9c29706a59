package parquetfile

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// A sealed file has a checksum, CRC-32C, of each column of each row group, in a note of its index, and one of the index
// in front of that: 8 bytes by which it is known, and 4 of the sum over everything behind it. Other readers
// of Parquet pass over both.
const (
	sumsKey   = "kinebase.crc32c"
	sealMark  = "KBcrc32c"
	sealBytes = len(sealMark) + 4
	endBytes  = 8 // the length of the index, and PAR1
)

// firstTail is how much of a file is read for its index before its length is known: most indices are shorter.
const firstTail = 32 << 10

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ErrDamaged is in each error that says that the bytes of a file are not those that were written.
var ErrDamaged = errors.New("the file has other bytes than were written")

func seal(index ...[]byte) []byte {
	sum := uint32(0)
	for _, part := range index {
		sum = crc32.Update(sum, castagnoli, part)
	}
	return binary.LittleEndian.AppendUint32([]byte(sealMark), sum)
}

// Tail is the index of a file in memory.
type Tail struct {
	Window
	sealed bool
}

// ReadTail reads the index of a file of that many bytes. Where the index has a checksum, it has been compared.
func ReadTail(r io.ReaderAt, size int64) (*Tail, error) {
	t := &Tail{}
	if err := t.read(r, size, min(size, firstTail)); err != nil {
		return nil, err
	}
	if len(t.Bytes) < endBytes || !bytes.HasSuffix(t.Bytes, magic) {
		return nil, fmt.Errorf("%w: it does not end as a Parquet file", ErrDamaged)
	}
	index := endBytes + int64(binary.LittleEndian.Uint32(t.Bytes[len(t.Bytes)-endBytes:]))
	whole := index + int64(sealBytes)
	if index > size {
		return nil, fmt.Errorf("%w: its index is said to be larger than the file", ErrDamaged)
	}
	if whole = min(whole, size); whole > int64(len(t.Bytes)) {
		if err := t.read(r, size, whole); err != nil {
			return nil, err
		}
	}
	begins := int64(len(t.Bytes)) - index
	if sealed := begins - int64(sealBytes); sealed >= 0 && bytes.HasPrefix(t.Bytes[sealed:], []byte(sealMark)) {
		if t.sealed = true; !bytes.Equal(seal(t.Bytes[begins:]), t.Bytes[sealed:begins]) {
			return nil, fmt.Errorf("%w: its index", ErrDamaged)
		}
	}
	return t, nil
}

func (t *Tail) read(r io.ReaderAt, size, n int64) error {
	t.Bytes, t.At = make([]byte, n), size-n
	if got, err := r.ReadAt(t.Bytes, t.At); got < len(t.Bytes) {
		return fmt.Errorf("reading the index of a Parquet file: %w", err)
	}
	return nil
}

// Sums are the checksums of the columns of a file's row groups. The zero value is that of a file that has none.
type Sums struct {
	values  []byte
	columns int
}

// Sums gives the checksums of a file of so many row groups and columns, whose notes lookup gives. A file that
// was written without any has none; one in which only some of what belongs to them is there is damaged.
func (t *Tail) Sums(lookup func(string) (string, bool), groups, columns int) (Sums, error) {
	note, ok := lookup(sumsKey)
	if !ok && !t.sealed {
		return Sums{}, nil
	}
	values, err := base64.StdEncoding.DecodeString(note)
	if err != nil || !ok || !t.sealed || len(values) != 4*groups*columns {
		return Sums{}, fmt.Errorf("%w: its checksums", ErrDamaged)
	}
	return Sums{values, columns}, nil
}

// Kept says whether the file has checksums.
func (s Sums) Kept() bool { return s.columns > 0 }

// Check compares the pages of a column in a row group with their checksum.
func (s Sums) Check(group, column int, pages []byte) error {
	if !s.Kept() {
		return nil
	}
	at := 4 * (group*s.columns + column)
	if crc32.Checksum(pages, castagnoli) != binary.LittleEndian.Uint32(s.values[at:]) {
		return fmt.Errorf("%w: column %d of row group %d", ErrDamaged, column, group)
	}
	return nil
}
