package console

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// sealer encrypts what browsers keep for us, under a key that all servers of a deployment share and for one purpose:
// what was sealed for another one does not open.
type sealer struct {
	cipher.AEAD
	purpose []byte
}

func newSealer(shared []byte, purpose string) (sealer, error) {
	key, err := hkdf.Key(sha256.New, shared, nil, purpose, 32)
	if err != nil {
		return sealer{}, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return sealer{}, err
	}
	gcm, err := cipher.NewGCM(block)
	return sealer{gcm, []byte(purpose)}, err
}

// close gives a text: a random nonce, then the encrypted bytes.
func (s sealer) close(plain []byte) string {
	nonce := make([]byte, s.NonceSize(), s.NonceSize()+len(plain)+s.Overhead())
	_, _ = rand.Read(nonce) // never fails
	return base64.RawURLEncoding.EncodeToString(s.Seal(nonce, nonce, plain, s.purpose))
}

// uncover is the reverse; false for what was not sealed by this deployment for this purpose.
func (s sealer) uncover(text string) ([]byte, bool) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(b) < s.NonceSize() {
		return nil, false
	}
	plain, err := s.Open(nil, b[:s.NonceSize()], b[s.NonceSize():], s.purpose)
	return plain, err == nil
}
