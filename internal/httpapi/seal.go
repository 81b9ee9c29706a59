package httpapi

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
)

// An answer that shows a token's secret is kept for a repetition only encrypted,
// with a key that is made from the caller's own secret and the idempotency key
// and is kept nowhere. The database alone gives nothing away, and nobody but the
// caller who made the token can have the answer again.

// sealer makes the cipher of this call.
func (c *call) sealer(o *organization.Repeat) (cipher.AEAD, error) {
	key, err := hkdf.Key(sha256.New, []byte(c.caller.Secret), o.Key[:], "kinebase kept answer 1", 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// seal encrypts an answer: a random nonce, then the sealed bytes.
func (c *call) seal(o *organization.Repeat, answer []byte) ([]byte, error) {
	s, err := c.sealer(o)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, s.NonceSize(), s.NonceSize()+len(answer)+s.Overhead())
	_, _ = rand.Read(nonce) // never fails
	return s.Seal(nonce, nonce, answer, o.Body[:]), nil
}

// unseal is the reverse; it is a fault.Conflict for another caller.
func (c *call) unseal(o *organization.Repeat, sealed []byte) ([]byte, error) {
	s, err := c.sealer(o)
	if err != nil {
		return nil, err
	}
	if len(sealed) >= s.NonceSize() {
		if answer, err := s.Open(nil, sealed[:s.NonceSize()], sealed[s.NonceSize():], o.Body[:]); err == nil {
			return answer, nil
		}
	}
	return nil, fault.New(fault.Conflict,
		"This idempotency key was used by another token; what it was answered cannot be shown.")
}

// sendSecret ends a call that made a secret: with its answer, or with the one that
// was kept.
func (c *call) sendSecret(o *organization.Repeat, answer []byte, err error) error {
	if err != nil {
		return err
	}
	if o.Replayed() {
		if answer, err = c.unseal(o, o.Replay); err != nil {
			return err
		}
		c.w.Header()["Idempotency-Replayed"] = replayedTrue
	}
	c.send(200, answer)
	return nil
}
