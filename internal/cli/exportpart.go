package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// part is a file that is written beside its place, and put there when it is whole.
// Where the server says which file it gives, the part of one that broke off stays, with
// what it is of beside it: FILE.part and FILE.part.of.
type part struct {
	file *os.File // nil for standard output
	name string   // where it belongs
	out  io.Writer
	size int64  // that has come
	tag  string // of what has come, by which the rest of the same bytes can be had; "" for none
}

// open makes the part before anything is asked of the server, so that a folder that
// does not exist is found out at once. Of a job that is gone on with, what has come
// already is taken up.
func (c *exportCmd) open(w *World) (*part, error) {
	if c.Output == "-" {
		return &part{out: w.Out}, nil
	}
	// Else it would be noticed when all of it has come.
	if known, err := os.Stat(c.Output); err == nil && known.IsDir() {
		return nil, usage("-o must name a file, and %s is a folder", c.Output)
	}
	p := &part{name: c.Output}
	tag := p.noted(c.Job, c.mark())
	flags := os.O_RDWR | os.O_CREATE
	if tag == "" {
		p.forget() // it is of what is written over now
		flags |= os.O_TRUNC
	}
	file, err := os.OpenFile(p.name+".part", flags, 0o666)
	if err != nil {
		return nil, fmt.Errorf("cannot write the file: %w", err)
	}
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("cannot write the file: %w", err), file.Close())
	}
	p.file, p.out, p.size, p.tag = file, file, size, tag
	return p, nil
}

// noted gives the tag of a part that is one of the job, "" when it is not.
func (p *part) noted(job, mark string) string {
	text, err := os.ReadFile(p.name + ".part.of")
	lines := strings.Split(string(text), "\n")
	if err != nil || job == "" || len(lines) < 4 || lines[0] != job || lines[1] != mark {
		return ""
	}
	return lines[2]
}

// begin takes an answer: the rest of the part, the same bytes from the first on, of
// which it passes over those that have come, or a whole that takes the part's place.
func (p *part) begin(file counted, job, mark string) error {
	if file.Partial {
		if file.Offset != p.size {
			return fmt.Errorf("the server gives the file from byte %d on, and not from %d", file.Offset, p.size)
		}
		return nil
	}
	if p.size > 0 && p.tag != "" && file.ETag == p.tag { // the file is not kept yet, and written once more
		_, err := io.CopyN(io.Discard, file, p.size)
		if errors.Is(err, io.EOF) && p.rewind() { // somebody has made the part longer than the file
			err = &brokenOff{io.ErrUnexpectedEOF}
		}
		return err
	}
	if p.size > 0 && !p.rewind() {
		return errors.New("what was written cannot be taken back")
	}
	// Not before the part is empty, or it would tell of other bytes.
	if p.tag = file.ETag; strings.HasPrefix(p.tag, "W/") {
		p.tag = "" // it promises no bytes
	}
	if p.file == nil || p.tag == "" {
		return nil
	}
	return os.WriteFile(p.name+".part.of", []byte(job+"\n"+mark+"\n"+p.tag+"\n"), 0o666)
}

// Write writes.
func (p *part) Write(b []byte) (int, error) {
	n, err := p.out.Write(b)
	p.size += int64(n)
	return n, err
}

// rewind begins again; false when what was written cannot be taken back.
func (p *part) rewind() bool {
	if p.file == nil {
		return p.size == 0
	}
	p.forget()
	_, err := p.file.Seek(0, io.SeekStart)
	if err != nil || p.file.Truncate(0) != nil {
		return false
	}
	p.size = 0
	return true
}

// forget removes what is known of the part.
func (p *part) forget() {
	p.tag = ""
	_ = os.Remove(p.name + ".part.of")
}

// keep puts the file where it belongs.
func (p *part) keep() error {
	if p.file == nil {
		return nil
	}
	if err := errors.Join(p.file.Sync(), p.file.Close()); err != nil {
		return err
	}
	if err := os.Rename(p.name+".part", p.name); err != nil {
		return err
	}
	p.file = nil
	p.forget()
	return nil
}

// abandon removes a part that was not kept, unless it can be gone on with.
func (p *part) abandon() {
	if p.file == nil {
		return
	}
	_ = p.file.Close()
	if p.tag == "" || p.size == 0 {
		_ = os.Remove(p.name + ".part")
		p.forget()
	}
}
