package cli

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/kinebase/kinebase/internal/app"
)

type healthcheckCmd struct {
	Listen  *string       `name:"listen" placeholder:"HOST:PORT" help:"Where the server listens (KINEBASE_LISTEN)."`
	Timeout time.Duration `name:"timeout" default:"5s" help:"How long to wait for the answer."`
	Wait    time.Duration `name:"wait" placeholder:"TIME" help:"How long to ask again until the server is ready, such as 30s; without it once."`
	jsonFlag
	secure bool // the server speaks HTTPS
}

// Run asks the server's /readyz. The exit code is 0 when it is ready.
func (c *healthcheckCmd) Run(ctx context.Context, w *World) error {
	// Where the data are is the server's business: whoever asks may not even have a home folder.
	flags := given(map[string]*string{"listen": c.Listen})
	flags["data"] = "."
	settings, err := app.Configure(flags, func(name string) (string, bool) {
		if name != "KINEBASE_LISTEN" && name != "KINEBASE_TLS_CERT" {
			return "", false
		}
		return w.Env(name)
	})
	if err != nil {
		return err
	}
	address := reachable(settings.Listen)
	c.secure = settings.TLSCert != ""
	status, code, err := c.ask(ctx, address)
	if err != nil {
		return err
	}
	if c.JSON {
		err = w.json(struct {
			Status string `json:"status"`
		}{status})
	} else if code == http.StatusOK {
		err = w.say("%s", status)
	}
	switch {
	case err != nil:
		return err
	case code == http.StatusOK:
		return nil
	case c.JSON:
		return errReported
	}
	return fmt.Errorf("the server at %s is not ready: %s", address, status)
}

// between is how long a wait is between two questions.
const between = 100 * time.Millisecond

// ask asks once, or until the server is ready or the wait is over.
func (c *healthcheckCmd) ask(ctx context.Context, address string) (status string, code int, err error) {
	over := time.After(c.Wait)
	for {
		one, cancel := context.WithTimeout(ctx, c.Timeout)
		status, code, err = askReady(one, address, c.secure)
		cancel()
		if err == nil && code == http.StatusOK || c.Wait == 0 {
			return status, code, err
		}
		select {
		case <-ctx.Done():
			return "", 0, ctx.Err()
		case <-over:
			return status, code, err
		case <-time.After(between):
		}
	}
}

// askReady gives what the server says of itself.
func askReady(ctx context.Context, address string, secure bool) (status string, code int, err error) {
	scheme := "http://"
	transport := &http.Transport{DisableKeepAlives: true} // no proxy: the server is on this machine
	if secure {
		// The certificate names the server as others call it. Nothing is sent but the question.
		scheme, transport.TLSClientConfig = "https://",
			&tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: true}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, scheme+address+"/readyz", nil)
	if err != nil {
		return "", 0, usage("%q is not an address to ask", address)
	}
	response, err := (&http.Client{Transport: transport}).Do(request)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "", 0, fmt.Errorf("the server at %s does not answer", address)
	case err != nil:
		return "", 0, fmt.Errorf("no server can be reached at %s", address)
	}
	defer func() { _ = response.Body.Close() }()
	var answer struct {
		Status string `json:"status"`
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, 1<<12)).Decode(&answer); err != nil || answer.Status == "" {
		return "", 0, fmt.Errorf("what answers at %s is not Kinebase", address)
	}
	return answer.Status, response.StatusCode, nil
}

// reachable is an address to call for one to listen on: "every address" is the
// machine itself.
func reachable(listen string) string {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return listen
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}
