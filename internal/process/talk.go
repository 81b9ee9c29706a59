package process

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/upload"
)

// A reader and the server talk over a line, which is a pair of sockets without a name, or of pipes on
// Windows. A request is one line of JSON, and its files come with it as descriptors. The answer is the number
// of its bytes, 32 bits with the lowest first, and then JSON.

// request is what a reader is to do with a file.
type request struct {
	Name  string  `json:"name"`            // of the file: only its ending
	To    string  `json:"to,omitempty"`    // the format to write; "": tables
	Rate  float64 `json:"rate,omitempty"`  // above 0: see Runner.read and Runner.Convert
	Write int64   `json:"write,omitempty"` // how many bytes each file may get

	Measure *upload.Measured `json:"measure,omitempty"` // the files are those of Runner.measured
	Then    *upload.Measured `json:"then,omitempty"`    // as what Last will measure the recording that is read
	Last    bool             `json:"last,omitempty"`    // measure what was read last; the files are its tables
}

// result is what a reader says of a file.
type result struct {
	Info       json.RawMessage `json:"info,omitempty"`
	Rate       float64         `json:"rate,omitempty"`
	Made       *time.Time      `json:"made,omitempty"`
	Peak       int64           `json:"peak,omitempty"`       // the most memory that the child has had, in bytes
	Worn       bool            `json:"worn,omitempty"`       // the child has something left of the file
	Unreadable string          `json:"unreadable,omitempty"` // the file is to blame, and why
	Damaged    string          `json:"damaged,omitempty"`    // a motion table is
	Failed     string          `json:"failed,omitempty"`     // something else is
	Number     syscall.Errno   `json:"number,omitempty"`     // what the operating system said of that; 0: nothing
}

// refused is why there is no result; nil where there is one.
func (r result) refused() error {
	switch {
	case r.Unreadable != "":
		return &upload.Unreadable{Reason: r.Unreadable}
	case r.Damaged != "":
		return &upload.Damaged{Reason: r.Damaged}
	case r.Failed != "":
		return r.failure()
	}
	return nil
}

// failure is why a file was not read that is not to blame for it: an error of the
// operating system stays one.
func (r result) failure() error {
	if r.Number == 0 {
		return fmt.Errorf("reading a motion file: %s", r.Failed)
	}
	return fault.System(fmt.Errorf("reading a motion file: %s (%w)", r.Failed, r.Number), "")
}

const (
	firstPart      = 4 << 10  // of a request: all of it, unless an organization has many names of points
	largestRequest = 16 << 20 // far more than the names of all landmarks
	largestResult  = 64 << 20 // far more than anything that is told of a recording
	mostFiles      = 3        // the file and what is written
)

var errTalkative = errors.New("a result is larger than one can be")

// exchange sends a request and waits for its answer.
func exchange(conn *line, q request, files []*os.File) ([]byte, error) {
	if err := conn.send(q, files); err != nil {
		return nil, err
	}
	// What is read without asking for descriptors comes without them: the kernel closes
	// those that a child sends.
	var length [4]byte
	if _, err := io.ReadFull(conn, length[:]); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(length[:])
	if n > largestResult {
		return nil, errTalkative
	}
	text := make([]byte, n)
	_, err := io.ReadFull(conn, text)
	return text, err
}

// reply sends the answer.
func reply(got result) error {
	text, err := json.Marshal(got)
	if err != nil {
		return err
	}
	text = append(binary.LittleEndian.AppendUint32(nil, uint32(len(text))), text...)
	return write(text)
}
