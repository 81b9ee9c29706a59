package store

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
)

// storedToken is a token as it is in the database.
type storedToken struct {
	organization.Token        // its Organization is not of the row
	hash               []byte // of the secret
}

var tokens = newTable("token", []string{"organization"},
	keyed(uuid("id", func(t *storedToken) *string { return &t.ID })),
	asIs("hash", func(t *storedToken) *[]byte { return &t.hash }),
	asIs("name", func(t *storedToken) *string { return &t.Name }),
	permissions("permissions", func(t *storedToken) *organization.Permissions { return &t.Permissions }),
	moment("created_at", func(t *storedToken) *time.Time { return &t.CreatedAt }),
	maybeMoment("expires_at", func(t *storedToken) **time.Time { return &t.ExpiresAt }),
	asNumber("life", func(t *storedToken) *time.Duration { return &t.Life },
		func(n int64) time.Duration { return time.Duration(n) * time.Microsecond }, time.Duration.Microseconds),
	maybeMoment("last_used_at", func(t *storedToken) **time.Time { return &t.LastUsedAt }),
	maybeMoment("revoked_at", func(t *storedToken) **time.Time { return &t.RevokedAt }))

// permissions is a column of permissions with commas between them.
func permissions[T any](name string, at func(*T) *organization.Permissions) tableColumn[T] {
	return tableColumn[T]{name: name,
		into: func(_ *T, c *cell) any { return &c.text },
		settle: func(v *T, c *cell) error {
			for p := range strings.SplitSeq(c.text, ",") {
				*at(v) = append(*at(v), organization.Permission(p))
			}
			return nil
		},
		value: func(v *T) any { return strings.Join(at(v).Strings(), ",") }}
}

func scanToken(r rows, org id) (t storedToken, err error) {
	t.Organization = org.String()
	err = tokens.scan(r, &t)
	return t, err
}

func noToken() error { return fault.New(fault.NotFound, "there is no such token") }

// findToken makes the statement that finds a token, and what it finds.
func findToken(org, token id, lock string) (*storedToken, statement) {
	t := new(storedToken)
	return t, statement{
		sql:  `SELECT ` + tokens.list + ` FROM token WHERE organization = $1 AND id = $2` + lock,
		args: []any{org, token},
		read: func(r rows) (err error) {
			if !r.Next() {
				if err := r.Err(); err != nil {
					return err
				}
				return noToken()
			}
			*t, err = scanToken(r, org)
			return err
		},
	}
}

// Token finds one of the scope's organization.
func (s *Store) Token(ctx context.Context, sc organization.Scope, tokenID string) (organization.Token, error) {
	org, err := scope(sc)
	key, ok := parseID(tokenID)
	if err != nil || !ok {
		return organization.Token{}, noToken()
	}
	t, find := findToken(org, key, "")
	err = s.engine.once(ctx, org, find)
	return t.Token, toFault(err)
}

// FindToken finds a token by its id alone.
func (s *Store) FindToken(ctx context.Context, tokenID string) (organization.Token, error) {
	key, ok := parseID(tokenID)
	if !ok {
		return organization.Token{}, noToken()
	}
	var org id
	err := s.engine.once(ctx, id{}, one(into(&org), `SELECT organization FROM token_index WHERE token = $1`, key))
	if errors.Is(err, errNoRow) {
		return organization.Token{}, noToken()
	}
	if err != nil {
		return organization.Token{}, toFault(err)
	}
	return s.Token(ctx, organization.Scope{Organization: org.String()}, tokenID)
}

// Tokens lists those of the organization, by creation time, then id.
func (s *Store) Tokens(ctx context.Context, sc organization.Scope) ([]organization.Token, error) {
	org, err := scope(sc)
	if err != nil {
		return nil, err
	}
	var list []organization.Token
	err = s.engine.once(ctx, org, each(func(r rows) error {
		t, err := scanToken(r, org)
		list = append(list, t.Token)
		return err
	}, `SELECT `+tokens.list+` FROM token WHERE organization = $1 ORDER BY created_at, id`, org))
	return list, toFault(err)
}

// CreateToken keeps a new token.
func (s *Store) CreateToken(ctx context.Context, sc organization.Scope, t organization.Token, h organization.SecretHash, once *organization.Once) error {
	org, err := scope(sc)
	if err != nil {
		return err
	}
	key, ok := parseID(t.ID)
	if !ok {
		return fault.New(fault.BadRequest, "the token's id must be a UUID of 36 characters")
	}
	return s.writeOnce(ctx, org, once, func(w *writeTx) (any, id, error) {
		w.about("token", t.ID)
		return t, key, w.do(
			tokens.inserted(&storedToken{t, h[:]}, org),
			exec(`INSERT INTO token_index (hash, organization, token) VALUES ($1, $2, $3)`, h[:], org, key))
	})
}

// ChangeToken reads the token, lets change decide and writes what it returns.
func (s *Store) ChangeToken(ctx context.Context, sc organization.Scope, tokenID string, once *organization.Once, change func(organization.Token) (organization.Token, *organization.SecretHash, error)) (organization.Token, error) {
	org, err := scope(sc)
	key, ok := parseID(tokenID)
	if err != nil || !ok {
		return organization.Token{}, noToken()
	}
	var changed organization.Token
	err = s.writeOnce(ctx, org, once, func(w *writeTx) (any, id, error) {
		t, find := findToken(org, key, " FOR UPDATE")
		if err := w.do(find); err != nil {
			return nil, id{}, err
		}
		next, hash, err := change(t.Token)
		if err != nil {
			return nil, id{}, err
		}
		changed = next
		if hash == nil && reflect.DeepEqual(next, t.Token) {
			return next, key, nil
		}
		t.Token = next
		if hash != nil {
			t.hash = hash[:]
		}
		writes := []statement{tokens.updated(t, org)}
		if hash != nil {
			writes = append(writes, exec(`UPDATE token_index SET hash = $2 WHERE token = $1`, key, t.hash))
		}
		if err := w.do(writes...); err != nil {
			return nil, id{}, err
		}
		w.then(s.tokens.forget)
		return next, key, nil
	})
	return changed, err
}
