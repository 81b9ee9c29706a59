//go:build campaign

package e2e

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"sync"
	"testing"
)

// cutter stands between a server and its PostgreSQL, and cuts a connection at the Nth question
// to the database: before the question arrives, or after it was answered.
type cutter struct {
	nthCall
	dir string // the folder of its socket
}

// between gives a way into the same database through a cutter.
func between(t *testing.T, database string) (through string, c *cutter) {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	real := filepath.Join(query.Get("host"), ".s.PGSQL.5432")
	c = &cutter{dir: t.TempDir()}
	l, err := net.Listen("unix", filepath.Join(c.dir, ".s.PGSQL.5432"))
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			caller, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() { c.serve(caller, real) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		all.Wait() // the servers have ended by now, and their connections with them
	})
	query.Set("host", c.dir)
	u.RawQuery = query.Encode()
	return u.String(), c
}

// serve copies messages both ways until either side has ended. The messages are those of
// https://www.postgresql.org/docs/15/protocol-message-formats.html: a letter but for the first
// one of a connection, a length, a content.
func (c *cutter) serve(caller net.Conn, real string) {
	defer func() { _ = caller.Close() }()
	database, err := net.Dial("unix", real)
	if err != nil {
		return // the caller sees a database that is not there
	}
	defer func() { _ = database.Close() }()
	last := make(chan int, 1) // the answer that the caller does not get, counted by questions
	var back sync.WaitGroup
	back.Go(func() {
		defer func() { _ = caller.Close() }()
		answers(caller, database, last)
	})
	defer back.Wait()
	defer func() { _ = database.Close() }()

	if err := message(database, caller, 0); err != nil {
		return
	}
	for asked := 1; ; {
		kind := make([]byte, 1)
		if _, err := io.ReadFull(caller, kind); err != nil {
			return
		}
		question := kind[0] == 'Q' || kind[0] == 'S' // a simple query, or the end of a batch
		if question {
			asked++ // the first answer is to the greeting
			cut, answered := c.next()
			switch {
			case cut && !answered:
				return
			case cut:
				last <- asked
			}
		}
		if err := message(database, caller, kind[0]); err != nil {
			return
		}
	}
}

// answers copies what the database says until its connection ends, or until the last answer
// that the caller may get has been given.
func answers(caller io.Writer, database io.Reader, last <-chan int) {
	end := 0
	for given := 0; ; {
		kind := make([]byte, 1)
		if _, err := io.ReadFull(database, kind); err != nil {
			return
		}
		if kind[0] == 'Z' { // ready for the next question
			given++
			select {
			case end = <-last:
			default:
			}
			if end > 0 && given >= end {
				return
			}
		}
		if err := message(caller, database, kind[0]); err != nil {
			return
		}
	}
}

// message copies one message whose letter was read; 0 for none.
func message(to io.Writer, from io.Reader, kind byte) error {
	length := make([]byte, 4)
	if _, err := io.ReadFull(from, length); err != nil {
		return err
	}
	size := binary.BigEndian.Uint32(length)
	if size < 4 || size > 1<<30 {
		return fmt.Errorf("a message of %d bytes", size)
	}
	whole := make([]byte, 0, size+1)
	if kind != 0 {
		whole = append(whole, kind)
	}
	whole = append(whole, length...)
	start := len(whole)
	whole = whole[:start+int(size)-4]
	if _, err := io.ReadFull(from, whole[start:]); err != nil {
		return err
	}
	_, err := to.Write(whole)
	return err
}
