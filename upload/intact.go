package upload

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
)

// Intact reads a file as it came from end to end and says whether it still is what came: *Damaged when it is not. A file
// of which no checksum was made when it came is taken for intact.
func Intact(s Stored, original File) error {
	if s.SHA256 == "" {
		return nil
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(original, 0, original.Size())); err != nil {
		return err
	}
	if hex.EncodeToString(sum.Sum(nil)) == s.SHA256 {
		return nil
	}
	return &Damaged{Reason: "The stored file is not the one that came: its bytes have changed since, so that no number of it can be " +
		"trusted. Ask the server's operator to restore it from a backup, or upload it again as a new capture."}
}
