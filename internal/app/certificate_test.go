package app

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// issue writes a certificate of a number and its key.
func issue(t *testing.T, cert, key string, number int64) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{SerialNumber: big.NewInt(number), NotAfter: time.Now().Add(time.Hour),
		DNSNames: []string{"lab.example.org"}}
	raw, err := x509.CreateCertificate(rand.Reader, form, form, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: raw},
		key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Unix(number, 0) // two that are written in one moment are told apart
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
}

func TestACertificateIsReadAgainWhenItsFilesChange(t *testing.T) {
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	issue(t, cert, key, 1)
	c, err := loadCertificate(cert, key, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	clock := time.Now()
	c.now = func() time.Time { return clock }
	shows := func(when string, want int64) {
		t.Helper()
		clock = clock.Add(lookAgain)
		got, err := c.get(nil)
		if err != nil || got.Leaf.SerialNumber.Int64() != want {
			t.Errorf("%s the certificate is %v (%v), want number %d", when, got, err, want)
		}
	}
	shows("at first", 1)
	issue(t, cert, key, 2)
	shows("after a change", 2)
	issue(t, cert, filepath.Join(dir, "other.pem"), 3)
	shows("while its key is the old one's", 2)
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	shows("while the key is gone", 2)
	issue(t, cert, key, 4)
	shows("when both are there again", 4)
}
