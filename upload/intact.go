package upload

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
)

// Sum is the SHA-256 of a file, in hex.
func Sum(f File) (string, error) {
	h := sha256.New()
	// Each read of a file in a bucket may be a request.
	_, err := io.CopyBuffer(struct{ io.Writer }{h}, io.NewSectionReader(f, 0, f.Size()), make([]byte, 256<<10))
	return hex.EncodeToString(h.Sum(nil)), err
}

// Intact reads a file as it came from end to end and says whether it still is what came: *Damaged when it is
// not. A file of which no checksum was made when it came is taken for intact.
func Intact(s Stored, original File) error {
	if s.SHA256 == "" {
		return nil
	}
	if sum, err := Sum(original); err != nil || sum == s.SHA256 {
		return err
	}
	return &Damaged{Reason: "The stored file is not the one that came: its bytes have changed since, so that no " +
		"number of it can be " +
		"trusted. Ask the server's operator to restore it from a backup, or upload it again as a new capture."}
}
