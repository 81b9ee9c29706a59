package organization

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"hash/crc32"
	"math/big"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/kinebase/kinebase/fault"
)

// DefaultTokenLife is how long a token lives when nothing else is said.
const DefaultTokenLife = 90 * 24 * time.Hour

// Token is what is kept of an access token: everything but the secret.
type Token struct {
	ID           ID
	Organization ID
	Name         string
	Permissions  Permissions
	CreatedAt    time.Time
	ExpiresAt    *time.Time    // nil: never
	Life         time.Duration // what a rotation renews; 0: never expires
	LastUsedAt   *time.Time    // kept to the minute
	RevokedAt    *time.Time
}

// Secret is the string that a caller sends: "kb_", 43 base62 characters of
// randomness (256 bits) and 6 of checksum. It is shown once and never kept.
type Secret string

// SecretHash is the SHA-256 of a Secret: what is kept and looked up.
type SecretHash [sha256.Size]byte

const (
	secretPrefix   = "kb_" // of tokens
	linkPrefix     = "ks_" // of links to what is shared
	secretRandom   = 43
	secretChecksum = 6
	base62         = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// NewToken makes a token of the organization and its secret. The name is
// 1..128 characters; life 0 means that it never expires, and the shortest life
// is one second.
func NewToken(org ID, name string, ps Permissions, life time.Duration, now time.Time) (Token, Secret, error) {
	name = strings.TrimSpace(name)
	switch {
	case name == "":
		return Token{}, "", fault.New(fault.BadRequest, "name must not be empty")
	case utf8.RuneCountInString(name) > 128:
		return Token{}, "", fault.New(fault.BadRequest, "name must be at most 128 characters long")
	case hasControl(name):
		return Token{}, "", fault.New(fault.BadRequest, "name must not hold control characters")
	case life != 0 && life < time.Second:
		return Token{}, "", fault.New(fault.BadRequest, "the token must live for at least one second")
	}
	now = now.Truncate(time.Millisecond) // as times are shown, so that of two that look alike the ids decide
	t := Token{ID: NewID(), Organization: org, Name: name, Permissions: ps, CreatedAt: now, Life: life}
	return t.renewed(now), newSecret(secretPrefix), nil
}

// Rotated gives the token a new secret and its whole life again. A revoked token
// stays revoked: it is a fault.Conflict.
func (t Token) Rotated(now time.Time) (Token, Secret, error) {
	if t.RevokedAt != nil {
		return Token{}, "", fault.New(fault.Conflict, "the token is revoked and cannot be rotated; create a new one")
	}
	return t.renewed(now), newSecret(secretPrefix), nil
}

func (t Token) renewed(now time.Time) Token {
	t.ExpiresAt = nil
	if t.Life != 0 {
		at := now.Add(t.Life)
		t.ExpiresAt = &at
	}
	return t
}

// Valid says whether the token counts at the given moment.
func (t Token) Valid(now time.Time) bool {
	return t.RevokedAt == nil && (t.ExpiresAt == nil || now.Before(*t.ExpiresAt))
}

// Scope is the scope in which the token asks.
func (t Token) Scope() Scope { return Scope{Organization: t.Organization, Token: t.ID} }

// NewLinkSecret makes the secret of a link: as that of a token, with "ks_" before it, so that neither can be taken
// for the other.
func NewLinkSecret() Secret { return newSecret(linkPrefix) }

func newSecret(prefix string) Secret {
	limit := big.NewInt(int64(len(base62)))
	b := []byte(prefix)
	for range secretRandom {
		n, err := rand.Int(rand.Reader, limit)
		if err != nil { // crypto/rand never fails on supported systems; without it no secret may exist
			panic(err)
		}
		b = append(b, base62[n.Int64()])
	}
	return Secret(append(b, checksum(b)...))
}

// checksum is the CRC-32 of b in base62, most significant digit first. It lets
// a mistyped or cut token be refused without asking the store.
func checksum(b []byte) []byte {
	sum := crc32.ChecksumIEEE(b)
	out := make([]byte, secretChecksum)
	for i := secretChecksum - 1; i >= 0; i-- {
		out[i] = base62[sum%62]
		sum /= 62
	}
	return out
}

// ParseSecret checks the form and the checksum of what a caller sent.
func ParseSecret(s string) (Secret, bool) { return parseSecret(secretPrefix, s) }

// ParseLinkSecret does so for the secret of a link.
func ParseLinkSecret(s string) (Secret, bool) { return parseSecret(linkPrefix, s) }

func parseSecret(prefix, s string) (Secret, bool) {
	if len(s) != len(prefix)+secretRandom+secretChecksum || !strings.HasPrefix(s, prefix) {
		return "", false
	}
	body := s[:len(prefix)+secretRandom]
	return Secret(s), string(checksum([]byte(body))) == s[len(body):]
}

// Hash is what is kept of the secret.
func (s Secret) Hash() SecretHash { return sha256.Sum256([]byte(s)) }

// TokenStore keeps tokens.
type TokenStore interface {
	// Authenticate finds the token of a secret; fault.NotFound when there is none, or
	// when its life had ended at a moment that the store has seen, whatever the clock
	// says now. It may be revoked or expired. A fault.Forbidden comes with the token, whose organization is suspended
	// then. It is asked on every request and answers from memory
	// where that is exact: a revocation counts at once where it was made.
	Authenticate(ctx context.Context, h SecretHash) (Token, error)
	// Token finds one of the scope's organization.
	Token(ctx context.Context, s Scope, id ID) (Token, error)
	// Tokens lists those of the scope's organization, by creation time, then id.
	Tokens(ctx context.Context, s Scope) ([]Token, error)
	// FindToken finds a token by its id alone, for the operator's tools.
	FindToken(ctx context.Context, id ID) (Token, error)
	// CreateToken keeps a new token.
	CreateToken(ctx context.Context, s Scope, t Token, h SecretHash, once *Once[Token]) error
	// ChangeToken reads the token, lets change decide and writes what it returns,
	// with a new secret where the returned hash is not nil. Nothing is written when
	// change fails. An unchanged token is not written.
	ChangeToken(ctx context.Context, s Scope, id ID, once *Once[Token],
		change func(Token) (Token, *SecretHash, error)) (Token,
		error)
	// TokenUsed notes that the token was used. It is kept in memory and written in
	// batches, to the minute.
	TokenUsed(id Scope, at time.Time)
}
