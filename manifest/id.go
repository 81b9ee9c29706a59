package manifest

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/field"
)

// Identity gives ids to the records of one file that came without one. The id
// is made from the organization, the content and how often that content stood
// in the file before, so that the same file read twice gives the same ids, and
// two equal lines of one file stay two records.
//
// It remembers eight bytes for every record that it named: 16 MiB of memory for
// a million, a little more while the table grows. Records that bring an id cost nothing. Two contents that agree in
// those eight bytes would only count each other's occurrences, the same way
// every time: their ids would still differ and still be stable.
type Identity struct {
	organization string
	seen         occurrences
	scratch      []byte
}

// NewIdentity starts a file of the organization.
func NewIdentity(organization string) *Identity {
	return &Identity{organization: organization}
}

// Assign gives the record an id unless it has one. Records must come in the
// order of the file, refused ones left out.
func (i *Identity) Assign(r Record) {
	id := r.id()
	if id == nil || *id != "" {
		return
	}
	i.scratch = appendContent(append(append(i.scratch[:0], "kinebase import 1\n"...), i.organization...), r)
	sum := sha256.Sum256(i.scratch)
	before := i.seen.add(binary.BigEndian.Uint64(sum[:]))
	*id = hashID(sha256.Sum256(binary.BigEndian.AppendUint64(sum[:], before)))
}

// FileID is the id of a motion file: made from the organization, the path
// relative to the imported folder (slashes, Unicode NFC) and the SHA-256 of the
// file's bytes.
func FileID(organization, path string, content [sha256.Size]byte) string {
	b := append(append([]byte("kinebase file 1\n"), organization...), '\n')
	b = append(append(b, path...), 0)
	return hashID(sha256.Sum256(append(b, content[:]...)))
}

// hashID makes a UUID of version 8 (RFC 9562, section 5.8) from a hash.
func hashID(sum [sha256.Size]byte) string {
	sum[6] = sum[6]&0x0f | 0x80
	sum[8] = sum[8]&0x3f | 0x80
	return uuid.UUID(sum[:16]).String()
}

// id is where the record keeps its id.
func (r Record) id() *string {
	switch {
	case r.Athlete != nil:
		return &r.Athlete.ID
	case r.Capture != nil:
		return &r.Capture.SessionID
	case r.Job != nil:
		return &r.Job.ID
	}
	return nil
}

// appendContent writes what a record says, not how its line was spelled: order
// of keys, spacing, escapes, null for absent, time zones and the default source
// make no difference. A field that is not set is left out, so that a field added
// to the format later does not change the id of lines that lack it. The ids of
// all earlier imports hang on this form: it must never change.
func appendContent(b []byte, r Record) []byte {
	switch {
	case r.Athlete != nil:
		return appendFields(append(b, "\nathlete\n"...), athlete.Fields, r.Athlete)
	case r.Capture != nil:
		return appendFields(append(b, "\ncapture\n"...), capture.Fields, r.Capture)
	case r.Job != nil:
		return appendFields(append(b, "\nexport_job\n"...), export.Fields, r.Job)
	}
	return b
}

// appendFields writes what is set of the fields of a record, in their order. The id, which is not set, is none of it.
func appendFields[T any](b []byte, fields []field.Field[T], v *T) []byte {
	for i := range fields {
		f := &fields[i]
		switch {
		case f.Text != nil:
			b = entry(b, f.Name, *f.Text(v))
		case f.Label != nil:
			if text := *f.Label(v); text != nil {
				b = entry(b, f.Name, *text)
			}
		case f.Number != nil:
			if n := *f.Number(v); n != 0 {
				b = entry(b, f.Name, strconv.Itoa(n))
			}
		case f.Real != nil:
			if n := *f.Real(v); n != nil {
				b = entry(b, f.Name, strconv.FormatFloat(*n, 'g', -1, 64))
			}
		case f.Day != nil:
			if day := *f.Day(v); day != nil {
				b = entry(b, f.Name, day.UTC().Format(time.DateOnly))
			}
		case f.Moment != nil:
			if at := *f.Moment(v); at != nil {
				b = moment(b, f.Name, *at)
			}
		case f.Time != nil:
			b = moment(b, f.Name, *f.Time(v))
		case f.List != nil:
			for _, text := range *f.List(v) {
				b = entry(b, f.Name, text)
			}
		case f.Map != nil:
			b = entries(b, f.Name, *f.Map(v))
		default:
			panic("manifest: nothing names a record by " + f.Name)
		}
	}
	return b
}

// entry writes name, length and value: no two contents can run into each other.
func entry(b []byte, name, value string) []byte {
	if value == "" {
		return b
	}
	b = append(append(b, name...), '=')
	b = binary.AppendUvarint(b, uint64(len(value)))
	return append(b, value...)
}

func entries(b []byte, name string, m map[string]string) []byte {
	if len(m) == 0 { // spares the sort's allocation on most lines
		return b
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		b = entry(b, name+"."+k, m[k])
	}
	return b
}

func moment(b []byte, name string, t time.Time) []byte {
	if t.IsZero() {
		return b
	}
	return entry(b, name, strconv.FormatInt(t.UnixMilli(), 10))
}
