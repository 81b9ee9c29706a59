package app

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"sync"
	"time"
)

// certificate is what the server proves to be itself with. It is read again when its files change,
// for connections that begin then; those that there are go on with what they have.
type certificate struct {
	cert, key string // files
	log       *slog.Logger
	now       func() time.Time

	mu      sync.Mutex
	current *tls.Certificate
	made    [2]time.Time // when the files were changed last
	sizes   [2]int64
	looked  time.Time
}

// lookAgain is how old what is known of the files may be.
const lookAgain = time.Second

func loadCertificate(cert, key string, log *slog.Logger) (*certificate, error) {
	c := &certificate{cert: cert, key: key, log: log, now: time.Now}
	if err := c.load(); err != nil {
		return nil, fmt.Errorf("KINEBASE_TLS_CERT and KINEBASE_TLS_KEY: %w", err)
	}
	return c, nil
}

// load reads the files if they are others than before.
func (c *certificate) load() error {
	var made [2]time.Time
	var sizes [2]int64
	for i, name := range []string{c.cert, c.key} {
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		made[i], sizes[i] = info.ModTime(), info.Size()
	}
	if c.current != nil && made == c.made && sizes == c.sizes {
		return nil
	}
	loaded, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		return err
	}
	c.current, c.made, c.sizes = &loaded, made, sizes
	return nil
}

// get gives the certificate for a new connection. Files that cannot be read, or do not belong
// together, which is so for a moment when one has been replaced, change nothing.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.now(); now.Sub(c.looked) >= lookAgain || now.Before(c.looked) {
		c.looked = now
		before := c.current
		if err := c.load(); err != nil {
			c.log.Warn("the certificate cannot be read again; the one before is used", "error", err)
		} else if c.current != before {
			c.log.Info("the certificate was read again", "ends", c.current.Leaf.NotAfter)
		}
	}
	return c.current, nil
}

// certify reads the certificate, where one is named.
func (a *App) certify() (err error) {
	if (a.config.TLSCert == "") != (a.config.TLSKey == "") {
		return errors.New("KINEBASE_TLS_CERT and KINEBASE_TLS_KEY are needed together")
	}
	if a.config.TLSCert != "" {
		a.certificate, err = loadCertificate(a.config.TLSCert, a.config.TLSKey, a.log)
	}
	return err
}

// scheme is how addresses of the server begin.
func (a *App) scheme() string {
	if a.certificate == nil {
		return "http://"
	}
	return "https://"
}

// serve answers until the server is closed.
func (a *App) serve() error {
	if a.certificate == nil {
		return a.server.Serve(a.listener)
	}
	a.server.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: a.certificate.get}
	// Deadlines and the end of connections are those of HTTP/1.1, with and without TLS.
	a.server.Protocols = new(http.Protocols)
	a.server.Protocols.SetHTTP1(true)
	return a.server.ServeTLS(a.listener, "", "")
}
