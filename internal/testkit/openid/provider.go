// Package openid is a small OpenID provider for tests: it signs somebody in without asking, and can hang, be
// gone, rotate its keys and sign what no provider should.
package openid

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// Client is the client that the provider knows, and its secret.
const (
	Client   = "kinebase"
	Secret   = "the client's secret"
	Audience = "https://kinebase.example/api"
)

// Claims are those of a token, as JSON has them.
type Claims = map[string]any

// Provider is a provider on a port of this machine.
type Provider struct {
	Issuer string

	t      testing.TB
	lock   sync.Mutex
	key    *ecdsa.PrivateKey
	kid    int
	who    Claims
	change func(Claims) // of ID tokens
	codes  map[string]url.Values
	gone   bool
	hang   chan struct{} // not nil: answers wait for it
	asked  map[string]int
}

// Start runs a provider until the test ends.
func Start(t testing.TB) *Provider {
	t.Helper()
	p := &Provider{t: t, codes: map[string]url.Values{}, asked: map[string]int{}}
	p.Rotate()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", p.describe)
	mux.HandleFunc("GET /keys", p.keys)
	mux.HandleFunc("GET /authorize", p.authorize)
	mux.HandleFunc("POST /token", p.token)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.lock.Lock()
		p.asked[r.URL.Path]++
		gone, hang := p.gone, p.hang
		p.lock.Unlock()
		if hang != nil {
			select {
			case <-hang:
			case <-r.Context().Done():
				return
			}
		}
		if gone {
			http.Error(w, "gone", http.StatusBadGateway)
			return
		}
		mux.ServeHTTP(w, r)
	}))
	p.Issuer = s.URL
	t.Cleanup(func() { p.Hang(false); s.Close() })
	return p
}

// Person is who signs in from now on: the subject and other claims.
func (p *Provider) Person(subject string, more Claims) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.who = maps.Clone(more)
	if p.who == nil {
		p.who = Claims{}
	}
	p.who["sub"] = subject
}

// Change has a function change the claims of ID tokens, as an attacker might; nil ends that.
func (p *Provider) Change(change func(Claims)) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.change = change
}

// Rotate makes a new key, and forgets the one before.
func (p *Provider) Rotate() {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		p.t.Fatal(err)
	}
	p.lock.Lock()
	defer p.lock.Unlock()
	p.key, p.kid = key, p.kid+1
}

// Gone has the provider answer nothing but errors.
func (p *Provider) Gone(gone bool) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.gone = gone
}

// Hang has answers wait until it is called again with false.
func (p *Provider) Hang(hang bool) {
	p.lock.Lock()
	defer p.lock.Unlock()
	switch {
	case hang && p.hang == nil:
		p.hang = make(chan struct{})
	case !hang && p.hang != nil:
		close(p.hang)
		p.hang = nil
	}
}

// Asked is how often a path was asked for.
func (p *Provider) Asked(path string) int {
	p.lock.Lock()
	defer p.lock.Unlock()
	return p.asked[path]
}

// Sign signs claims by ES256, with the newest key.
func (p *Provider) Sign(c Claims) string {
	p.lock.Lock()
	key, kid := p.key, p.kid
	p.lock.Unlock()
	return p.SignWith(jose.ES256, key, fmt.Sprint("key-", kid), c)
}

// SignWith signs claims by any algorithm and key.
func (p *Provider) SignWith(algorithm jose.SignatureAlgorithm, key any, kid string, c Claims) string {
	p.t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: key},
		(&jose.SignerOptions{}).WithHeader("kid", kid).WithType("JWT"))
	if err != nil {
		p.t.Fatal(err)
	}
	payload, err := json.Marshal(c)
	if err != nil {
		p.t.Fatal(err)
	}
	signed, err := signer.Sign(payload)
	if err != nil {
		p.t.Fatal(err)
	}
	text, err := signed.CompactSerialize()
	if err != nil {
		p.t.Fatal(err)
	}
	return text
}

// KeyID names the newest key.
func (p *Provider) KeyID() string {
	p.lock.Lock()
	defer p.lock.Unlock()
	return fmt.Sprint("key-", p.kid)
}

// Access makes the claims of an access token of an hour, with others over them.
func (p *Provider) Access(subject string, more Claims) Claims {
	now := time.Now().Unix()
	c := Claims{"iss": p.Issuer, "sub": subject, "aud": Audience, "iat": now, "exp": now + 3600}
	maps.Copy(c, more)
	return c
}

// Logout makes the claims of a logout token, with others over them.
func (p *Provider) Logout(more Claims) Claims {
	now := time.Now().Unix()
	c := Claims{"iss": p.Issuer, "aud": Client, "iat": now, "exp": now + 120, "jti": rand.Text(),
		"events": Claims{"http://schemas.openid.net/event/backchannel-logout": Claims{}}}
	maps.Copy(c, more)
	return c
}

func (p *Provider) describe(w http.ResponseWriter, _ *http.Request) {
	reply(w, map[string]any{"issuer": p.Issuer, "authorization_endpoint": p.Issuer + "/authorize",
		"token_endpoint": p.Issuer + "/token",
		"jwks_uri":       p.Issuer + "/keys", "end_session_endpoint": p.Issuer + "/end?realm=lab",
		"id_token_signing_alg_values_supported": []string{"ES256", "HS256", "none"}})
}

func (p *Provider) keys(w http.ResponseWriter, _ *http.Request) {
	p.lock.Lock()
	key := jose.JSONWebKey{Key: p.key.Public(), KeyID: fmt.Sprint("key-", p.kid), Algorithm: "ES256", Use: "sig"}
	p.lock.Unlock()
	reply(w, map[string]any{"keys": []any{key, map[string]string{"kty": "of a kind that nobody knows"}}})
}

func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	code := rand.Text()
	p.lock.Lock()
	p.codes[code] = q
	p.lock.Unlock()
	to, err := url.Parse(q.Get("redirect_uri"))
	if err != nil || q.Get("client_id") != Client || q.Get("response_type") != "code" ||
		q.Get("code_challenge_method") != "S256" || q.Get("state") == "" || q.Get("nonce") == "" {
		http.Error(w, "not a request of a sign-in", http.StatusBadRequest)
		return
	}
	to.RawQuery = url.Values{"code": {code}, "state": {q.Get("state")}, "iss": {p.Issuer}}.Encode()
	http.Redirect(w, r, to.String(), http.StatusFound)
}

func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	id, secret, basic := r.BasicAuth()
	if !basic {
		id, secret = r.PostFormValue("client_id"), r.PostFormValue("client_secret")
	} else if s, err := url.QueryUnescape(secret); err == nil {
		secret = s
	}
	p.lock.Lock()
	begun, ok := p.codes[r.PostFormValue("code")]
	delete(p.codes, r.PostFormValue("code"))
	who, change := maps.Clone(p.who), p.change
	p.lock.Unlock()
	sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	if !ok || id != Client || secret != Secret ||
		begun.Get("code_challenge") != base64.RawURLEncoding.EncodeToString(sum[:]) ||
		begun.Get("redirect_uri") != r.PostFormValue("redirect_uri") {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"error":"invalid_grant"}`))
		return
	}
	access := "opaque-" + rand.Text()
	now := time.Now().Unix()
	c := Claims{"iss": p.Issuer, "aud": Client, "iat": now, "exp": now + 3600, "nonce": begun.Get("nonce"),
		"at_hash": half(access)}
	maps.Copy(c, who)
	if change != nil {
		change(c)
	}
	reply(w, map[string]any{"access_token": access, "token_type": "Bearer", "expires_in": 300, "id_token": p.Sign(c)})
}

// half is the at_hash of an access token.
func half(token string) string {
	h := crypto.SHA256.New()
	h.Write([]byte(token))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:16])
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}
