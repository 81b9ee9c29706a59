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
		return appendAthlete(append(b, "\nathlete\n"...), r.Athlete)
	case r.Capture != nil:
		return appendCapture(append(b, "\ncapture\n"...), r.Capture)
	case r.Job != nil:
		return appendJob(append(b, "\nexport_job\n"...), r.Job)
	}
	return b
}

func appendAthlete(b []byte, a *athlete.Athlete) []byte {
	b = field(b, "first_name", a.FirstName)
	b = field(b, "last_name", a.LastName)
	if a.DateOfBirth != nil {
		b = field(b, "date_of_birth", a.DateOfBirth.UTC().Format(time.DateOnly))
	}
	b = field(b, "email", a.Email)
	b = field(b, "phone", a.Phone)
	b = field(b, "gender", a.Gender)
	b = field(b, "dominant_arm", a.DominantArm)
	b = field(b, "dominant_leg", a.DominantLeg)
	b = field(b, "activity", a.Activity)
	for _, p := range a.Positions {
		b = field(b, "positions", p)
	}
	b = field(b, "competition_level", a.CompetitionLevel)
	if a.Height != 0 {
		b = field(b, "height", strconv.Itoa(a.Height))
	}
	if a.Weight != 0 {
		b = field(b, "weight", strconv.Itoa(a.Weight))
	}
	b = entries(b, "custom_attributes", a.CustomAttributes)
	b = moment(b, "created_at", a.CreatedAt)
	return moment(b, "updated_at", a.UpdatedAt)
}

func appendCapture(b []byte, c *capture.Capture) []byte {
	for _, id := range c.AthleteIDs {
		b = field(b, "athlete_ids", id)
	}
	if c.Activity != nil {
		b = field(b, "activity", *c.Activity)
	}
	if c.Movement != nil {
		b = field(b, "movement", *c.Movement)
	}
	b = entries(b, "dimensions", c.Dimensions)
	b = field(b, "status", string(c.Status))
	if c.Error != nil {
		b = field(b, "error", *c.Error)
	}
	if c.CaptureTime != nil {
		b = moment(b, "capture_time", *c.CaptureTime)
	}
	if c.FPSDetected != nil {
		b = field(b, "fps_detected", strconv.FormatFloat(*c.FPSDetected, 'g', -1, 64))
	}
	return field(b, "source", c.Source)
}

func appendJob(b []byte, j *export.Job) []byte {
	b = field(b, "status", string(j.Status))
	b = field(b, "errorMessage", j.ErrorMessage)
	b = moment(b, "createdAt", j.CreatedAt)
	if j.CompletedAt != nil {
		b = moment(b, "completedAt", *j.CompletedAt)
	}
	return b
}

// field writes name, length and value: no two contents can run into each other.
func field(b []byte, name, value string) []byte {
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
		b = field(b, name+"."+k, m[k])
	}
	return b
}

func moment(b []byte, name string, t time.Time) []byte {
	if t.IsZero() {
		return b
	}
	return field(b, name, strconv.FormatInt(t.UnixMilli(), 10))
}
