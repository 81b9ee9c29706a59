package person

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/kinebase/kinebase/organization"
)

const (
	// KeepSignIn is how long it is noted that a sign-in was finished: longer than one may take.
	KeepSignIn = time.Hour
	// KeepSession is how long a session at an issuer is noted: longer than ours.
	KeepSession = 2 * LongestSession
)

// LongestSession is how long a person stays signed in to the console at most.
const LongestSession = 12 * time.Hour

// Presence is a person who has come in: by an access token for one request, or by a session.
type Presence struct {
	Organization organization.ID          `json:"o"`
	Person       organization.ID          `json:"p"`
	Subject      string                   `json:"s"`
	Name         string                   `json:"n"` // for the person's own screen alone
	Permissions  organization.Permissions `json:"r"`
	Began        time.Time                `json:"b"` // by the clock of the issuer, which also tells when it ended
	Until        time.Time                `json:"u"`
	Session      string                   `json:"i"`          // 128 random bits, of a session; "" for an access token
	At           Key                      `json:"a,omitzero"` // the session at the issuer; zero when it has none
}

// Key names what can be ended or used once: a session here, one at the issuer, a person, a sign-in. It is a
// hash, so that it says nothing about anybody.
type Key [sha256.Size]byte

// MarshalText gives hexadecimal digits.
func (k Key) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, k[:]), nil }

// UnmarshalText reads what MarshalText gives.
func (k *Key) UnmarshalText(text []byte) error {
	_, err := hex.Decode(k[:], text[:min(len(text), 2*len(k))])
	return err
}

func key(kind, issuer, name string) Key {
	return sha256.Sum256([]byte("kinebase " + kind + "\x00" + issuer + "\x00" + name))
}

// SessionAt is the key of a session at an issuer; zero for none.
func SessionAt(issuer, sid string) Key {
	if sid == "" {
		return Key{}
	}
	return key("session at", issuer, sid)
}

// Everywhere is the key of all sessions of a person.
func Everywhere(person organization.ID) Key { return key("person", "", person.String()) }

// Everybody is the key of whoever came in before a moment, such as a restore, which does not know what had ended by
// then.
func Everybody() Key { return key("everybody", "", "") }

// SignIn is the key of a sign-in that has begun, which is finished once.
func SignIn(state string) Key { return key("sign-in", "", state) }

// Keys are those of which any ends the presence.
func (p Presence) Keys() []Key {
	keys := []Key{Everywhere(p.Person), Everybody()}
	if p.Session != "" {
		keys = append(keys, p.Own())
	}
	if p.At != (Key{}) {
		keys = append(keys, p.At)
	}
	return keys
}

// Own is the key of this session alone.
func (p Presence) Own() Key { return key("session", "", p.Session) }

// NewSession makes a session of a presence: a new one at every sign-in, which ends when the token does or after
// LongestSession.
func (p Presence) NewSession(now time.Time) Presence {
	p.Session = rand.Text()
	if end := now.Add(LongestSession); end.Before(p.Until) {
		p.Until = end
	}
	return p
}

// Flow is a sign-in that has begun: what its end is held against.
type Flow struct {
	State    string `json:"s"`
	Nonce    string `json:"n"`
	Verifier string `json:"v"` // of the proof key (RFC 7636)
}

// NewFlow makes the three at random.
func NewFlow() Flow {
	return Flow{State: rand.Text(), Nonce: rand.Text(), Verifier: rand.Text() + rand.Text()}
}

// Ending is a sign-out that the issuer has told of.
type Ending struct {
	Key    Key
	Before time.Time // sessions that began later are others
	Known  bool      // it ends only what a sign-in here has noted: anybody may have said so
}

// Store knows organizations, and what has ended.
type Store interface {
	// Tenant finds the organization of an id or of a name; fault.NotFound when there is none, fault.Forbidden
	// when it is suspended. It answers from memory as TokenStore.Authenticate does.
	Tenant(ctx context.Context, named string) (organization.ID, error)
	// Ended gives the latest moment at which one of the keys was ended; zero when none was. It too answers from
	// memory.
	Ended(ctx context.Context, keys []Key) (time.Time, error)
	// End ends what the key names, if it began at or before a moment. It counts at once here, and on other
	// servers as the revocation of a token does.
	End(ctx context.Context, e Ending) error
	// Note notes a key for a time; false when it was noted before.
	Note(ctx context.Context, k Key, keep time.Duration) (first bool, err error)
}
