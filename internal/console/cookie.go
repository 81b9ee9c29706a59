package console

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"net/http"
	"time"
)

const (
	cookieName = "kinebase_session"
	cookiePath = "/console"

	// life is how long a session lasts that is not used, and renewal how old it gets
	// before an answer renews it.
	life    = 12 * time.Hour
	renewal = 15 * time.Minute

	// longestCookie bounds the bytes of a cookie that are read.
	longestCookie = 512
)

// sealed is what the cookie holds: nothing is kept on the server, so that every
// server that has the key can read it.
type sealed struct {
	token  string
	until  time.Time // to the second
	secure bool      // it came by https, and goes back by nothing else
}

// sealer encrypts sessions under a key that all servers of a deployment share.
type sealer struct{ cipher.AEAD }

// purpose keeps this key apart from others that are made of the same one, and a
// sealed session from whatever else might be sealed.
const purpose = "kinebase console session 1"

func newSealer(shared []byte) (sealer, error) {
	key, err := hkdf.Key(sha256.New, shared, nil, purpose, 32)
	if err != nil {
		return sealer{}, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return sealer{}, err
	}
	gcm, err := cipher.NewGCM(block)
	return sealer{gcm}, err
}

// seal gives the value of a cookie: a random nonce, then the encrypted moment at
// which it ends, whether it is secure, and the token.
func (s sealer) seal(v sealed) string {
	plain := binary.BigEndian.AppendUint64(nil, uint64(v.until.Unix()))
	plain = append(plain, 0)
	if v.secure {
		plain[8] = 1
	}
	plain = append(plain, v.token...)
	nonce := make([]byte, s.NonceSize(), s.NonceSize()+len(plain)+s.Overhead())
	_, _ = rand.Read(nonce) // never fails
	return base64.RawURLEncoding.EncodeToString(s.Seal(nonce, nonce, plain, []byte(purpose)))
}

// open is the reverse; false for what is no session of this deployment, or one whose
// time is over.
func (s sealer) open(value string, now time.Time) (v sealed, ok bool) {
	if len(value) > longestCookie {
		return v, false
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(value)
	if err != nil || len(b) < s.NonceSize() {
		return v, false
	}
	plain, err := s.Open(nil, b[:s.NonceSize()], b[s.NonceSize():], []byte(purpose))
	if err != nil || len(plain) < 9 {
		return v, false
	}
	v = sealed{token: string(plain[9:]), until: time.Unix(int64(binary.BigEndian.Uint64(plain)), 0), secure: plain[8] == 1}
	return v, now.Before(v.until)
}

// set puts a session into an answer, for its whole life again.
func (s sealer) set(h http.Header, v sealed, now time.Time) {
	v.until = now.Add(life)
	c := cookie(s.seal(v), v.secure)
	c.MaxAge = int(life / time.Second)
	h.Add("Set-Cookie", c.String())
}

// clear takes the session away from the browser.
func clear(h http.Header) {
	c := cookie("", false)
	c.MaxAge = -1
	h.Add("Set-Cookie", c.String())
}

func cookie(value string, secure bool) *http.Cookie {
	return &http.Cookie{Name: cookieName, Value: value, Path: cookiePath, HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: secure}
}

// session gives the session of a request. Of several cookies of the name those count
// that open, as long as they are of one token: a neighbour below the same domain can
// plant a cookie, to have somebody work in an organization that is not theirs.
func (s sealer) session(r *http.Request, now time.Time) (v sealed, ok bool) {
	for _, c := range r.CookiesNamed(cookieName) {
		one, opens := s.open(c.Value, now)
		switch {
		case !opens:
		case ok && one.token != v.token:
			return sealed{}, false
		default:
			v, ok = one, true
		}
	}
	return v, ok
}
