package testkit

import (
	"bytes"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// DexSettings are what a Dex is told of, as JSON: see tools/dex.
type DexSettings struct {
	Connector string // the id of the connector that knows the people
	Clients   []DexClient
	People    []DexPerson
}

// DexClient is an application that people sign in to.
type DexClient struct {
	ID, Secret             string
	RedirectURIs           []string
	PostLogoutRedirectURIs []string
	BackchannelLogoutURI   string
	TrustedPeers           []string // the clients that may ask for tokens for this one
}

// DexPerson is somebody who can sign in.
type DexPerson struct {
	Email, Password, ID, Name string
	Groups                    []string
}

// Dex is the address of a Dex that is not started yet.
type Dex struct {
	Issuer string

	t      testing.TB
	socket *os.File
}

// NewDex takes a free port for a Dex, so that its clients can be made before it is started with their addresses.
// Without the program the test is skipped (see need.Missing), as it is in a short run.
func NewDex(t testing.TB) *Dex {
	t.Helper()
	Long(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	socket, err := listener.(*net.TCPListener).File()
	if err == nil {
		err = listener.Close() // the copy stays
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = socket.Close() })
	return &Dex{"http://" + listener.Addr().String() + "/dex", t, socket}
}

// Start runs it until the test ends. Whoever connects before it is up waits for it.
func (d *Dex) Start(s DexSettings) {
	d.t.Helper()
	told, err := json.Marshal(struct {
		Issuer string
		DexSettings
	}{d.Issuer, s})
	if err != nil {
		d.t.Fatal(err)
	}
	input, write, err := os.Pipe()
	if err != nil {
		d.t.Fatal(err)
	}
	defer func() { _ = input.Close() }()
	d.t.Cleanup(func() { _ = write.Close() })
	if _, err := write.Write(told); err != nil { // less than a pipe holds
		d.t.Fatal(err)
	}
	cmd := exec.Command(tool(d.t, "dex", "an OpenID provider"))
	cmd.Stdin, cmd.ExtraFiles = input, []*os.File{d.socket}
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	p, err := spawn(cmd, syscall.SIGKILL)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() {
		p.stop(syscall.SIGTERM, Patience)
		if d.t.Failed() {
			d.t.Logf("Dex says:\n%s", strings.TrimSpace(output.String()))
		}
	})
}
