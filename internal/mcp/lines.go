package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// longestLine is how long a message may be.
const longestLine = 4 << 20

// The errors of JSON-RPC that a line can be answered with before anybody knows what it asks for.
const (
	parseError     = -32700
	invalidRequest = -32600
)

// lines lets the messages of an assistant through, a line each, and answers every other line with an error of
// JSON-RPC. The library of the protocol takes such a line for the end of the conversation.
type lines struct {
	in   *bufio.Reader
	from io.Closer
	out  *shared
	rest []byte // of a message that was read in part
}

func newLines(in io.ReadCloser, out *shared) *lines {
	return &lines{in: bufio.NewReaderSize(in, 64<<10), from: in, out: out}
}

// Read is io.Reader.
func (l *lines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		line, long, err := l.next()
		if err != nil {
			return 0, err
		}
		code, reason := judge(line, long)
		if reason != "" {
			if err := l.out.refuse(code, reason); err != nil {
				return 0, err
			}
		} else if len(line) > 0 {
			l.rest = append(line, '\n')
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// Close closes what is read from.
func (l *lines) Close() error { return l.from.Close() }

// next reads a line, without the blanks around it. One that is too long is passed over to its end.
func (l *lines) next() (line []byte, long bool, err error) {
	for {
		part, err := l.in.ReadSlice('\n')
		if long = long || len(line)+len(part) > longestLine; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err == nil, errors.Is(err, io.EOF) && (len(line) > 0 || long):
			return bytes.TrimSpace(line), long, nil
		default:
			return nil, false, err
		}
	}
}

// judge says why a line is no message, "" when it is one or empty.
func judge(line []byte, long bool) (code int, reason string) {
	switch {
	case long:
		return parseError, fmt.Sprintf("Parse error: the line is longer than %d bytes.", longestLine)
	case len(line) == 0:
		return 0, ""
	case !json.Valid(line):
		return parseError, "Parse error: the line is not JSON. A message is one line of JSON."
	case line[0] != '{':
		return invalidRequest, "Invalid request: a message is a JSON object; messages come one by one."
	}
	if _, err := jsonrpc.DecodeMessage(line); err != nil {
		return invalidRequest, "Invalid request: the line is no message of JSON-RPC 2.0."
	}
	return 0, ""
}

// shared is an output that several write whole lines to.
type shared struct {
	io.WriteCloser
	lock sync.Mutex
}

// Write writes a line.
func (s *shared) Write(line []byte) (int, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.WriteCloser.Write(line)
}

// refuse answers a line of which nobody knows the id.
func (s *shared) refuse(code int, reason string) error {
	type problem struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	text, err := json.Marshal(struct {
		Version string  `json:"jsonrpc"`
		ID      *string `json:"id"`
		Error   problem `json:"error"`
	}{"2.0", nil, problem{code, reason}})
	if err == nil {
		_, err = s.Write(append(text, '\n'))
	}
	return err
}
