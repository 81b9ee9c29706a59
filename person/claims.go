// Package person knows people whom an OpenID provider vouches for: what a token claims about one, which
// organization and role follow from it, and when what follows has ended.
package person

import (
	"crypto/sha256"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/kinebase/kinebase/organization"
)

// Claims are what a verified token says about a person.
type Claims struct {
	Issuer   string
	Subject  string // the person, as the issuer knows it
	SID      string // the person's session at the issuer; "" when the token does not say
	IssuedAt time.Time
	Expires  time.Time
	All      map[string]any // as JSON has them
}

// ID names the person of an issuer and subject, the same on every server. It is a UUID of version 8, out of their hash.
func ID(issuer, subject string) organization.ID {
	sum := sha256.Sum256([]byte("kinebase person\x00" + issuer + "\x00" + subject))
	id := uuid.UUID(sum[:16])
	id[6] = id[6]&0x0f | 0x80
	id[8] = id[8]&0x3f | 0x80
	return organization.ID(id)
}

// texts are the values of a claim: a text or a list of texts, called by its name, or by the names of the
// objects that it lies in with dots between them.
func (c Claims) texts(name string) []string {
	return texts(find(c.All, name))
}

// text is the first value of a claim; "" for none.
func (c Claims) text(name string) string {
	if all := c.texts(name); len(all) > 0 {
		return all[0]
	}
	return ""
}

func find(in map[string]any, name string) any {
	if v, ok := in[name]; ok {
		return v
	}
	for i := range len(name) { // a name of an object may have dots itself
		if name[i] != '.' {
			continue
		}
		if inner, ok := in[name[:i]].(map[string]any); ok {
			if v := find(inner, name[i+1:]); v != nil {
				return v
			}
		}
	}
	return nil
}

func texts(v any) (all []string) {
	switch v := v.(type) {
	case string:
		if v != "" {
			all = append(all, v)
		}
	case []any:
		for _, one := range v {
			if text, ok := one.(string); ok && text != "" {
				all = append(all, text)
			}
		}
	}
	return all
}

// longestName bounds the characters of a name that is shown.
const longestName = 64

// Name is what the token calls the person, for the person's own screen alone: it is kept nowhere else.
func (c Claims) Name() string {
	for _, claim := range []string{"name", "preferred_username", "email"} {
		if name := strings.ToValidUTF8(c.text(claim), ""); name != "" {
			if runes := []rune(name); len(runes) > longestName {
				name = string(runes[:longestName])
			}
			return name
		}
	}
	return c.Subject
}
