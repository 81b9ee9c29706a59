package auditstream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/kinebase/kinebase/audit"
)

// Syslog sends each entry as a message of RFC 5424.
type Syslog struct{ network, address string }

// priority is the facility "log audit" (13) with the severity "notice" (5).
const priority = 13<<3 | 5

// Send sends the entries. Where messages travel in a stream, by TCP or a socket of that kind, the server has read all
// of them when it returns nil: Send says that nothing more comes and waits until the server ends the connection too.
// Datagrams are handed over; of those on a network nobody learns what became of them.
func (s *Syslog) Send(ctx context.Context, entries []audit.Streamed) (err error) {
	ctx, cancel := context.WithTimeout(ctx, audit.SendFor)
	defer cancel()
	conn, datagrams, err := s.dial(ctx)
	if err != nil {
		return err
	}
	stopped := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	defer func() {
		stopped()
		err = errors.Join(err, conn.Close())
	}()
	var b []byte
	for i := range entries {
		m, err := message(&entries[i])
		if err != nil {
			return err
		}
		if datagrams {
			if _, err := conn.Write(m); err != nil {
				return err
			}
			continue
		}
		// Octets are counted, by RFC 6587: a text with a line feed is one message too.
		b = append(append(strconv.AppendInt(b, int64(len(m)), 10), ' '), m...)
	}
	if datagrams {
		return nil
	}
	if _, err := conn.Write(b); err != nil {
		return err
	}
	return read(conn)
}

// read waits until the other side has read everything and ends the connection.
func read(conn net.Conn) error {
	half, ok := conn.(interface{ CloseWrite() error })
	if !ok {
		return errors.New("the connection cannot be ended on one side")
	}
	if err := half.CloseWrite(); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, conn); err != nil {
		return fmt.Errorf("the syslog server has not ended the connection, so it may not have read everything: %w", err)
	}
	return nil
}

// dial connects. A Unix socket takes datagrams or a stream.
func (s *Syslog) dial(ctx context.Context) (conn net.Conn, datagrams bool, err error) {
	var d net.Dialer
	if s.network != "unix" {
		conn, err = d.DialContext(ctx, s.network, s.address)
		return conn, s.network == "udp", err
	}
	if conn, err = d.DialContext(ctx, "unixgram", s.address); err == nil {
		return conn, true, nil
	}
	stream, streamErr := d.DialContext(ctx, "unix", s.address)
	if streamErr != nil {
		return nil, false, err
	}
	return stream, false, nil
}

// message makes RFC 5424 of an entry. The text is the entry's line.
func message(e *audit.Streamed) ([]byte, error) {
	text, err := line(e)
	if err != nil {
		return nil, err
	}
	host, err := os.Hostname()
	if err != nil || host == "" {
		host = "-"
	}
	head := fmt.Sprintf("<%d>1 %s %s kinebase %d audit - ", priority, e.At.UTC().Format("2006-01-02T15:04:05.000000Z"),
		printable(host, 255), os.Getpid())
	return append([]byte(head), text...), nil
}

// printable is a name as a header may have it: printable ASCII, and not too long.
func printable(name string, most int) string {
	name = strings.Map(func(r rune) rune {
		if r < '!' || r > '~' {
			return '_'
		}
		return r
	}, name)
	return name[:min(len(name), most)]
}
