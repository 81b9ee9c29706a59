//go:build unix

package process

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"slices"

	"golang.org/x/sys/unix"
)

// line is the server's end of what it talks to a reader by.
type line struct{ *net.UnixConn }

// pair makes the two ends.
func pair() (ours *line, theirs *os.File, err error) {
	ends, err := sockets()
	if err != nil {
		return nil, nil, err
	}
	theirs = os.NewFile(uintptr(ends[1]), "socket")
	end := os.NewFile(uintptr(ends[0]), "socket")
	conn, err := net.FileConn(end)
	if err = errors.Join(err, end.Close()); err != nil {
		return nil, nil, errors.Join(err, theirs.Close())
	}
	return &line{conn.(*net.UnixConn)}, theirs, nil
}

// give has a child that is not started yet take the other end.
func give(child *exec.Cmd, theirs *os.File, _ *line) { child.ExtraFiles = []*os.File{theirs} }

// answered begins the talk with a child that was started.
func (l *line) answered(*os.Process) error { return nil }

// send sends a request with its files.
func (l *line) send(q request, files []*os.File) error {
	text, err := json.Marshal(q)
	if err != nil {
		return err
	}
	var fds []int
	for _, f := range files {
		fds = append(fds, int(f.Fd()))
	}
	text = append(text, '\n')
	n, _, err := l.WriteMsgUnix(text, unix.UnixRights(fds...), nil)
	if err == nil && n < len(text) {
		_, err = l.Write(text[n:])
	}
	return err
}

// socket is where a reader is asked.
const socket = 3

// receive waits for a request; io.EOF when there will be none.
func receive() (request, []*os.File, error) {
	text, rights := make([]byte, firstPart), make([]byte, unix.CmsgSpace(4*mostFiles))
	n, more, _, _, err := unix.Recvmsg(socket, text, rights, withDescriptors)
	for err == unix.EINTR {
		n, more, _, _, err = unix.Recvmsg(socket, text, rights, withDescriptors)
	}
	if err == nil && n == 0 {
		err = io.EOF
	}
	var q request
	if err != nil {
		return q, nil, err
	}
	text, err = rest(text[:n])
	if err == nil {
		err = json.Unmarshal(text, &q)
	}
	if err != nil {
		return q, nil, err
	}
	parts, err := unix.ParseSocketControlMessage(rights[:more])
	if err != nil {
		return q, nil, err
	}
	var files []*os.File
	for _, part := range parts {
		fds, err := unix.ParseUnixRights(&part)
		if err != nil {
			return q, files, err
		}
		for _, fd := range fds {
			files = append(files, os.NewFile(uintptr(fd), "file"))
		}
	}
	return q, files, nil
}

// rest reads a request to the end of its line.
func rest(text []byte) ([]byte, error) {
	for len(text) < largestRequest && !bytes.HasSuffix(text, []byte{'\n'}) {
		text = slices.Grow(text, firstPart)
		n, err := unix.Read(socket, text[len(text):cap(text)])
		switch {
		case err == unix.EINTR:
		case err != nil:
			return nil, err
		case n == 0:
			return nil, io.ErrUnexpectedEOF
		default:
			text = text[:len(text)+n]
		}
	}
	return text, nil
}

// write sends bytes to the server.
func write(text []byte) error {
	for len(text) > 0 {
		n, err := unix.Write(socket, text)
		if err != nil && err != unix.EINTR {
			return err
		}
		text = text[max(0, n):]
	}
	return nil
}
