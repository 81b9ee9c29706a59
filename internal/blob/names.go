// Package blob keeps files under names, as the port upload.Files asks: on a disk,
// or in a bucket of an S3 server, into which callers can also send files
// themselves by a presigned form.
package blob

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/kinebase/kinebase/fault"
)

// MaxSize is how large a file may be unless the operator says otherwise.
const MaxSize = 2 << 30

const (
	longestPart = 255  // bytes between two slashes: what file systems take
	longestName = 1024 // bytes: what S3 takes
)

// incoming is the room of files that are still being written. No name begins so.
const incoming = "incoming"

// checkName says why a name cannot be kept on every file system and in every
// bucket. Names are made by the program, so what is wrong here is no caller's fault.
func checkName(name string) error {
	if !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, "\x00\\") || len(name) > longestName {
		return fmt.Errorf("%q cannot be the name of a file: it must be relative and clean, of at most %d bytes", name,
			longestName)
	}
	for part := range strings.SplitSeq(name, "/") {
		if len(part) > longestPart {
			return fmt.Errorf("%q cannot be the name of a file: a part of it has more than %d bytes", name, longestPart)
		}
	}
	if first, _, _ := strings.Cut(name, "/"); first == incoming {
		return fmt.Errorf("%q cannot be the name of a file: %s is for files that are being written", name, incoming)
	}
	return nil
}

// source is what a Put reads from. It ends with its context, holds the file to the
// size that was promised, and keeps its own failures apart from those of the place
// that it is written to, which are told in other words.
type source struct {
	ctx  context.Context
	r    io.Reader
	size int64 // -1: not known
	n    int64
	err  error
}

func (s *source) Read(p []byte) (int, error) {
	if s.err = s.ctx.Err(); s.err != nil {
		return 0, s.err
	}
	n, err := s.r.Read(p)
	s.n += int64(n)
	switch {
	case s.size >= 0 && s.n > s.size:
		err = fault.New(fault.BadRequest, "The file is longer than the %d bytes that were announced.", s.size)
	case err == io.EOF && s.n < s.size:
		err = fault.Wrap(io.ErrUnexpectedEOF, fault.BadRequest,
			"The file ends after %d of the %d bytes that were announced.", s.n, s.size)
	}
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}
