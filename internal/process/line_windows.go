package process

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"time"

	"golang.org/x/sys/windows"
)

// line is the server's end of what it talks to a reader by: its standard input and output.
type line struct {
	to, from *os.File       // pipes
	said     *os.File       // the reader's end of from
	child    windows.Handle // the reader, once it was started
}

// pair makes the two ends.
func pair() (ours *line, theirs *os.File, err error) {
	theirs, to, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	from, said, err := os.Pipe()
	if err != nil {
		return nil, nil, errors.Join(err, theirs.Close(), to.Close())
	}
	return &line{to: to, from: from, said: said}, theirs, nil
}

// give has a child that is not started yet take the other end.
func give(child *exec.Cmd, theirs *os.File, ours *line) {
	child.Stdin, child.Stdout = theirs, ours.said
}

// answered begins the talk with a child that was started.
func (l *line) answered(p *os.Process) (err error) {
	l.child, err = windows.OpenProcess(windows.PROCESS_DUP_HANDLE, false, uint32(p.Pid))
	return errors.Join(err, l.said.Close())
}

// Read reads what the reader answers.
func (l *line) Read(b []byte) (int, error) { return l.from.Read(b) }

// SetDeadline does nothing: a read of a pipe ends when the reader does.
func (l *line) SetDeadline(time.Time) error { return nil }

// Close closes it.
func (l *line) Close() error {
	if l.child != 0 {
		_ = windows.CloseHandle(l.child)
	}
	_ = l.said.Close() // it may be closed
	return errors.Join(l.to.Close(), l.from.Close())
}

// handed is a request with its files, as the reader knows them.
type handed struct {
	Request request   `json:"request"`
	Files   []uintptr `json:"files"`
}

// send sends a request, after its files were made the reader's too.
func (l *line) send(q request, files []*os.File) error {
	all := handed{Request: q}
	for _, f := range files {
		var theirs windows.Handle
		err := windows.DuplicateHandle(windows.CurrentProcess(), windows.Handle(f.Fd()), l.child, &theirs, 0, false,
			windows.DUPLICATE_SAME_ACCESS)
		if err != nil {
			return err
		}
		all.Files = append(all.Files, uintptr(theirs))
	}
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	_, err = l.to.Write(append(text, '\n'))
	return err
}

// asked is where a reader reads requests from.
var asked = bufio.NewReaderSize(os.Stdin, firstPart)

// receive waits for a request; io.EOF when there will be none.
func receive() (q request, files []*os.File, err error) {
	text, err := asked.ReadBytes('\n')
	if err != nil {
		return q, nil, io.EOF
	}
	var all handed
	if err := json.Unmarshal(text, &all); err != nil {
		return q, nil, err
	}
	for _, handle := range all.Files {
		files = append(files, os.NewFile(handle, "file"))
	}
	return all.Request, files, nil
}

// write sends bytes to the server.
func write(text []byte) error {
	_, err := os.Stdout.Write(text)
	return err
}
