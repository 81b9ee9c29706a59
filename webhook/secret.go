package webhook

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
	"time"
)

// Secret is what a receiver knows deliveries by: "whsec_" and 32 random bytes in base64. It is shown once,
// and kept, for it has to sign.
type Secret string

const (
	secretPrefix = "whsec_"
	secretBytes  = 32
)

// NewSecret makes a secret.
func NewSecret() Secret {
	b := make([]byte, secretBytes)
	_, _ = rand.Read(b) // never fails
	return Secret(secretPrefix + base64.StdEncoding.EncodeToString(b))
}

// key is what signs.
func (s Secret) key() []byte {
	b, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(string(s), secretPrefix))
	if err != nil { // NewSecret has made it
		return []byte(s)
	}
	return b
}

// Sign gives the value of webhook-signature for a message that is sent at a moment: one signature for each
// secret, with a blank between.
func Sign(id string, at time.Time, body []byte, secrets []Secret) string {
	signatures := make([]string, len(secrets))
	for i, s := range secrets {
		mac := hmac.New(sha256.New, s.key())
		mac.Write([]byte(id + "." + strconv.FormatInt(at.Unix(), 10) + "."))
		mac.Write(body)
		signatures[i] = "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	}
	return strings.Join(signatures, " ")
}
