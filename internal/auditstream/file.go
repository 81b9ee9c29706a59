package auditstream

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/kinebase/kinebase/audit"
)

// File appends entries to a file, one a line. The file is opened for each batch, so that whoever has moved it away
// finds a new one in its place and has nobody to tell.
type File struct{ Path string }

// fileMode lets the group read, as that of other logs does, for what ships them.
const fileMode = 0o640

// Send writes the entries and has them on the disk when it returns nil. A line that was cut off, by a full disk or a
// power failure, is taken away first: its entry comes again.
func (f *File) Send(_ context.Context, entries []audit.Streamed) (err error) {
	var b []byte
	for i := range entries {
		one, err := line(&entries[i])
		if err != nil {
			return err
		}
		b = append(append(b, one...), '\n')
	}
	if info, err := os.Stat(f.Path); err == nil && !info.Mode().IsRegular() {
		return pipe(f.Path, b)
	}
	file, err := os.OpenFile(f.Path, os.O_RDWR|os.O_CREATE|os.O_APPEND, fileMode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	whole, err := wholeLines(file, info.Size())
	if err != nil {
		return err
	}
	if whole < info.Size() {
		if err := file.Truncate(whole); err != nil {
			return err
		}
	}
	if _, err := file.Write(b); err != nil {
		return errors.Join(err, file.Truncate(whole))
	}
	return file.Sync()
}

// pipe writes into a pipe, which must have a reader, or into a device: neither has an end to look at.
func pipe(path string, b []byte) (err error) {
	file, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	_ = file.SetWriteDeadline(time.Now().Add(audit.SendFor)) // which not every device has
	_, err = file.Write(b)
	return err
}

// wholeLines is how many bytes of a file end with a line feed.
func wholeLines(file io.ReaderAt, size int64) (int64, error) {
	const part = 4096
	buffer := make([]byte, part)
	for size > 0 {
		from := max(0, size-part)
		b := buffer[:size-from]
		if _, err := file.ReadAt(b, from); err != nil {
			return 0, err
		}
		if at := bytes.LastIndexByte(b, '\n'); at >= 0 {
			return from + int64(at) + 1, nil
		}
		size = from
	}
	return 0, nil
}
