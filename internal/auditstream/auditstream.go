// Package auditstream takes the audit log out of the server: into a file, an entry a line, or to a syslog server.
package auditstream

import (
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/kinebase/kinebase/audit"
)

// Ports where syslog servers listen unless an address says otherwise.
const (
	udpPort = "514"
	tcpPort = "601"
)

// Open makes a sink of an address: the absolute path of a file, or syslog+udp://HOST:PORT, syslog+tcp://HOST:PORT or
// syslog+unix:///PATH. Nothing is opened or connected to yet.
func Open(address string) (audit.Sink, error) {
	if filepath.IsAbs(address) {
		// A file may be missing, and come later; a folder would stay one.
		if info, err := os.Stat(address); err == nil && info.IsDir() || strings.HasSuffix(address, "/") {
			return nil, fmt.Errorf("%s is a folder: name a file in it", address)
		}
		return &File{Path: address}, nil
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, errAddress
	}
	host := func(port string) (string, error) {
		if u.Hostname() == "" || u.Path != "" || u.RawQuery != "" || u.User != nil {
			return "", errAddress
		}
		if u.Port() != "" {
			port = u.Port()
		}
		return net.JoinHostPort(u.Hostname(), port), nil
	}
	s := &Syslog{}
	switch u.Scheme {
	case "syslog+udp":
		s.network = "udp"
		s.address, err = host(udpPort)
	case "syslog+tcp":
		s.network = "tcp"
		s.address, err = host(tcpPort)
	case "syslog+unix":
		s.network, s.address = "unix", u.Path
		if u.Host != "" || !filepath.IsAbs(u.Path) {
			err = errAddress
		}
	default:
		err = errAddress
	}
	return s, err
}

var errAddress = fmt.Errorf("must be the absolute path of a file, or syslog+udp://HOST:%s, syslog+tcp://HOST:%s or "+
	"syslog+unix:///dev/log", udpPort, tcpPort)

// line is an entry as JSON, without a line feed.
func line(e *audit.Streamed) ([]byte, error) { return json.Marshal(e) }
