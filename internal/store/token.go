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

const tokenColumns = `id, name, permissions, created_at, expires_at, life, last_used_at, revoked_at`

func scanToken(r rows, org id) (organization.Token, error) {
	var key id
	var permissions string
	var created, life int64
	var expires, used, revoked *int64
	t := organization.Token{Organization: org.String()}
	if err := r.Scan(&key, &t.Name, &permissions, &created, &expires, &life, &used, &revoked); err != nil {
		return t, err
	}
	t.ID, t.CreatedAt, t.Life = key.String(), fromMicros(created), time.Duration(life)*time.Microsecond
	t.ExpiresAt, t.LastUsedAt, t.RevokedAt = timeOrNil(expires), timeOrNil(used), timeOrNil(revoked)
	for _, p := range strings.Split(permissions, ",") {
		t.Permissions = append(t.Permissions, organization.Permission(p))
	}
	return t, nil
}

func noToken() error { return fault.New(fault.NotFound, "there is no such token") }

// findToken makes the statement that finds a token, and what it finds.
func findToken(org, token id, lock string) (*organization.Token, statement) {
	t := new(organization.Token)
	return t, statement{
		sql:  `SELECT ` + tokenColumns + ` FROM token WHERE organization = $1 AND id = $2` + lock,
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
	return *t, tell(err)
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
		return organization.Token{}, tell(err)
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
		list = append(list, t)
		return err
	}, `SELECT `+tokenColumns+` FROM token WHERE organization = $1 ORDER BY created_at, id`, org))
	return list, tell(err)
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
		return t, key, w.do(
			exec(`INSERT INTO token (organization, id, hash, name, permissions, created_at, expires_at, life, last_used_at, revoked_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
				org, key, h[:], t.Name, strings.Join(t.Permissions.Strings(), ","), micros(t.CreatedAt), microsOrNil(t.ExpiresAt), t.Life.Microseconds(), microsOrNil(t.LastUsedAt), microsOrNil(t.RevokedAt)),
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
		next, hash, err := change(*t)
		if err != nil {
			return nil, id{}, err
		}
		changed = next
		if hash == nil && reflect.DeepEqual(next, *t) {
			return next, key, nil
		}
		if err := w.do(exec(`UPDATE token SET name = $3, permissions = $4, expires_at = $5, life = $6, revoked_at = $7 WHERE organization = $1 AND id = $2`,
			org, key, next.Name, strings.Join(next.Permissions.Strings(), ","), microsOrNil(next.ExpiresAt), next.Life.Microseconds(), microsOrNil(next.RevokedAt))); err != nil {
			return nil, id{}, err
		}
		if hash != nil {
			if err := w.do(
				exec(`UPDATE token SET hash = $3 WHERE organization = $1 AND id = $2`, org, key, hash[:]),
				exec(`UPDATE token_index SET hash = $2 WHERE token = $1`, key, hash[:])); err != nil {
				return nil, id{}, err
			}
		}
		w.then(s.tokens.forget)
		return next, key, nil
	})
	return changed, err
}
