package store

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
)

// storedToken is a token as it is in the database.
type storedToken struct {
	organization.Token        // its Organization is not of the row
	hash               []byte // of the secret
}

var tokens = db.NewTable("token", []string{"organization"},
	db.Keyed(db.AsIs("id", func(t *storedToken) *organization.ID { return &t.ID })),
	db.AsIs("hash", func(t *storedToken) *[]byte { return &t.hash }),
	db.AsIs("name", func(t *storedToken) *string { return &t.Name }),
	permissions("permissions", func(t *storedToken) *organization.Permissions { return &t.Permissions }),
	db.Moment("created_at", func(t *storedToken) *time.Time { return &t.CreatedAt }),
	db.MaybeMoment("expires_at", func(t *storedToken) **time.Time { return &t.ExpiresAt }),
	db.AsNumber("life", func(t *storedToken) *time.Duration { return &t.Life },
		func(n int64) time.Duration { return time.Duration(n) * time.Microsecond }, time.Duration.Microseconds),
	db.MaybeMoment("last_used_at", func(t *storedToken) **time.Time { return &t.LastUsedAt }),
	db.MaybeMoment("revoked_at", func(t *storedToken) **time.Time { return &t.RevokedAt }))

// permissions is a column of permissions with commas between them.
func permissions[T any](name string, at func(*T) *organization.Permissions) db.Column[T] {
	return db.Column[T]{Name: name,
		Into: func(_ *T, c *db.Cell) any { return &c.Text },
		Settle: func(v *T, c *db.Cell) error {
			for p := range strings.SplitSeq(c.Text, ",") {
				*at(v) = append(*at(v), organization.Permission(p))
			}
			return nil
		},
		Value: func(v *T) any { return strings.Join(at(v).Strings(), ",") }}
}

func scanToken(r db.Rows, org db.ID) (t storedToken, err error) {
	t.Organization = org
	err = tokens.Scan(r, &t)
	return t, err
}

func noToken() error { return fault.New(fault.NotFound, "there is no such token") }

// findToken makes the statement that finds a token, and what it finds.
func findToken(org, token db.ID, lock string) (*storedToken, db.Statement) {
	t := new(storedToken)
	return t, db.Statement{
		SQL:  `SELECT ` + tokens.List + ` FROM token WHERE organization = $1 AND id = $2` + lock,
		Args: []any{org, token},
		Read: func(r db.Rows) (err error) {
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
func (s *Store) Token(ctx context.Context, sc organization.Scope, key organization.ID) (organization.Token, error) {
	org := sc.Organization
	t, find := findToken(org, key, "")
	err := s.engine.Once(ctx, org, find)
	return t.Token, db.ToFault(err)
}

// FindToken finds a token by its id alone.
func (s *Store) FindToken(ctx context.Context, key organization.ID) (organization.Token, error) {
	var org db.ID
	err := s.engine.Once(ctx, db.ID{}, db.One(db.Into(&org), `SELECT organization FROM token_index WHERE token = $1`,
		key))
	if errors.Is(err, db.ErrNoRow) {
		return organization.Token{}, noToken()
	}
	if err != nil {
		return organization.Token{}, db.ToFault(err)
	}
	return s.Token(ctx, organization.Scope{Organization: org}, key)
}

// Tokens lists those of the organization, by creation time, then id.
func (s *Store) Tokens(ctx context.Context, sc organization.Scope) ([]organization.Token, error) {
	org := sc.Organization
	var list []organization.Token
	err := s.engine.Once(ctx, org, db.Each(func(r db.Rows) error {
		t, err := scanToken(r, org)
		list = append(list, t.Token)
		return err
	}, `SELECT `+tokens.List+` FROM token WHERE organization = $1 ORDER BY created_at, id`, org))
	return list, db.ToFault(err)
}

// CreateToken keeps a new token.
func (s *Store) CreateToken(ctx context.Context, sc organization.Scope, t organization.Token, h organization.SecretHash,
	once *organization.Once[organization.Token]) error {
	org := sc.Organization
	key := t.ID
	if key == (db.ID{}) || org == (db.ID{}) {
		return fault.New(fault.BadRequest, "a token and its organization must have an id")
	}
	return writeOnce(ctx, s, org, once, &t, func(w *writeTx) (db.ID, error) {
		w.about("token", t.ID.String())
		return key, w.Do(
			tokens.Inserted(&storedToken{t, h[:]}, org),
			db.Exec(`INSERT INTO token_index (hash, organization, token) VALUES ($1, $2, $3)`, h[:], org, key))
	})
}

// ChangeToken reads the token, lets change decide and writes what it returns.
func (s *Store) ChangeToken(ctx context.Context, sc organization.Scope, key organization.ID,
	once *organization.Once[organization.Token],
	change func(organization.Token) (organization.Token, *organization.SecretHash, error)) (organization.Token, error) {
	org := sc.Organization
	var changed organization.Token
	err := writeOnce(ctx, s, org, once, &changed, func(w *writeTx) (db.ID, error) {
		t, find := findToken(org, key, " FOR UPDATE")
		if err := w.Do(find); err != nil {
			return db.ID{}, err
		}
		next, hash, err := change(t.Token)
		if err != nil {
			return db.ID{}, err
		}
		changed = next
		if hash == nil && reflect.DeepEqual(next, t.Token) {
			return key, nil
		}
		t.Token = next
		if hash != nil {
			t.hash = hash[:]
		}
		writes := []db.Statement{tokens.Updated(t, org)}
		if hash != nil {
			writes = append(writes, db.Exec(`UPDATE token_index SET hash = $2 WHERE token = $1`, key, t.hash))
		}
		if err := w.Do(writes...); err != nil {
			return db.ID{}, err
		}
		w.Then(s.tokens.forget)
		return key, nil
	})
	return changed, err
}
