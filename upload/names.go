package upload

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/organization"
)

// OriginalName makes a name for the file of a capture as it comes in. It tells
// the organization and nothing else.
func OriginalName(org string) string {
	return "original/org=" + org + "/" + organization.NewUUID()
}

// PieceName makes a name for a piece of a file that comes in pieces.
func PieceName(org string) string {
	return "piece/org=" + org + "/" + organization.NewUUID()
}

// DerivedName makes a name for what a video processor made of a file; extension
// has its dot.
func DerivedName(org, extension string) string {
	return "derived/org=" + org + "/" + organization.NewUUID() + extension
}

// TableName makes a name for a motion table, laid out so that programs that read
// folders of Parquet files find organization, activity and movement in the path
// (Hive's partitions). No name of a person is in it.
func TableName(org string, c capture.Capture) string { return tableName("motion", org, c) }

// SamplesName is TableName for the table of samples.
func SamplesName(org string, c capture.Capture) string { return tableName("samples", org, c) }

func tableName(room, org string, c capture.Capture) string {
	return room + "/org=" + org + "/activity=" + partition(c.Activity) + "/movement=" + partition(c.Movement) + "/" +
		stem(c.SessionID) + "." + organization.NewUUID()[24:] + ".parquet"
}

// unknownPartition is what Hive and those that follow it write for NULL.
const unknownPartition = "__HIVE_DEFAULT_PARTITION__"

// longest is how many bytes of a part of a name are kept readable: file systems
// take 255.
const longest = 160

// partition writes a label as a part of a path: folded, and percent-encoded where
// it is not plain.
func partition(label *string) string {
	if label == nil || capture.Fold(*label) == "" {
		return unknownPartition
	}
	return encode(capture.Fold(*label))
}

func stem(sessionID string) string { return encode(sessionID) }

// encode percent-encodes everything but letters, digits and - _ ., of which a
// leading dot would hide the file. What would be too long is cut and told apart by
// a hash of the whole.
func encode(s string) string {
	const hexDigits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.' &&
			i > 0 {
			b.WriteByte(c)
		} else {
			b.WriteString("%" + string(hexDigits[c>>4]) + string(hexDigits[c&15]))
		}
	}
	if b.Len() <= longest {
		return b.String()
	}
	sum := sha256.Sum256([]byte(s))
	return b.String()[:longest-33] + "~" + hex.EncodeToString(sum[:16])
}

// LandingName is where the file of a reservation lands in a bucket, and
// ParseLandingName reads it. Session ids of reservations are plain.
func LandingName(org, sessionID string) string { return LandingRoom + "org=" + org + "/" + sessionID }

// LandingRoom is the beginning of all landing names.
const LandingRoom = "landing/"

// ParseLandingName gives the organization and session id of a landing name.
func ParseLandingName(name string) (org, sessionID string, ok bool) {
	rest, landing := strings.CutPrefix(name, LandingRoom+"org=")
	org, sessionID, slash := strings.Cut(rest, "/")
	org, uuid := organization.ParseUUID(org)
	return org, sessionID, landing && slash && uuid && sessionID != "" && !strings.Contains(sessionID, "/")
}
