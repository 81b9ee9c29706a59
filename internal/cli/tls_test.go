package cli_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// certify writes a certificate for this machine, of a number, and its key.
func certify(t *testing.T, cert, key string, number int64) *x509.CertPool {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{SerialNumber: big.NewInt(number), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	raw, err := x509.CreateCertificate(rand.Reader, form, form, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err == nil {
		err = errors.Join(
			os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}), 0o600),
			os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600))
	}
	known, parsed := x509.NewCertPool(), error(nil)
	if form, parsed = x509.ParseCertificate(raw); errors.Join(err, parsed) != nil {
		t.Fatal(err, parsed)
	}
	known.AddCert(form)
	return known
}

// TestAServerSpeaksHTTPSItselfAndGoesOnWhenItsCertificateIsReplaced is the whole server with the two settings: the
// healthcheck finds it, nothing but TLS 1.2 and later reaches it, and a connection lives over the change.
func TestAServerSpeaksHTTPSItselfAndGoesOnWhenItsCertificateIsReplaced(t *testing.T) {
	s := newShell(t)
	cert, key := filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	first := certify(t, cert, key, 1)
	s.env["KINEBASE_TLS_CERT"], s.env["KINEBASE_TLS_KEY"] = cert, key
	a := apptest.Start(t, apptest.SQLite, apptest.At(map[string]string{"data": s.env["KINEBASE_DATA"]}),
		apptest.Early(), apptest.With("KINEBASE_TLS_CERT", cert), apptest.With("KINEBASE_TLS_KEY", key))
	address := strings.TrimPrefix(a.Root, "http://")
	if out := s.run("healthcheck", "--listen", address, "--wait", "10m").ok().out; out != "ready\n" {
		t.Errorf("the healthcheck says %q", out)
	}
	_, secret := s.token(s.organization("Lab"), "--role", "viewer")

	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: first}}}
	ask := func() {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+address+"/v1/captures", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+secret)
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		if err = errors.Join(err, answer.Body.Close()); err != nil || answer.StatusCode != 200 ||
			answer.TLS.PeerCertificates[0].SerialNumber.Int64() != 1 {
			t.Errorf("the answer is %s: %s (%v)", answer.Status, body, err)
		}
	}
	ask()
	if _, err := tls.Dial("tcp", address, &tls.Config{RootCAs: first, MinVersion: tls.VersionTLS10,
		MaxVersion: tls.VersionTLS11}); err == nil {
		t.Error("TLS 1.1 reaches the server")
	}
	second := certify(t, cert, key, 2)
	testkit.Until(t, "the other certificate is shown", func() bool {
		conn, err := tls.Dial("tcp", address, &tls.Config{RootCAs: second})
		return err == nil && conn.Close() == nil
	})
	ask() // on the connection from before, whose certificate nobody has any more
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	if conn, err := tls.Dial("tcp", address, &tls.Config{RootCAs: second}); err != nil || conn.Close() != nil {
		t.Errorf("without its key's file the server shows no certificate: %v", err)
	}
}
