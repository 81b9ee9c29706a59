package client

import (
	"fmt"
	"io"
)

// AnswerTooLarge is the error of an answer with more bytes than WithLargestAnswer allows.
type AnswerTooLarge struct{ Most int64 }

// Error says how many bytes are allowed.
func (a *AnswerTooLarge) Error() string {
	return fmt.Sprintf("the server's answer has more than the %d bytes that are read of one", a.Most)
}

// bounded is a body of which only so much is read.
type bounded struct {
	io.ReadCloser
	left, most int64
}

// Read is io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	if int64(len(p)) > b.left+1 { // one more byte tells whether there is more
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if int64(n) > b.left {
		n, err = int(b.left), &AnswerTooLarge{b.most}
	}
	b.left -= int64(n)
	return n, err
}
