package cli

import (
	"context"
	"strings"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/organization"
)

type tokenCreateCmd struct {
	Org     string   `name:"org" required:"" placeholder:"ID" help:"The organization that it speaks for."`
	Name    string   `name:"name" required:"" help:"What it is for, so that it can be told from others."`
	Role    string   `name:"role" required:"" xor:"grant" placeholder:"ROLE" help:"What it may do: viewer (read), editor (read and write) or admin (also manage tokens)."`
	Scopes  []string `name:"scopes" required:"" xor:"grant" placeholder:"SCOPE" help:"What it may do, one by one: ${scopes}."`
	Expires life     `name:"expires" default:"90d" placeholder:"LIFE" help:"How long it lives: a duration such as 1s, 12h, 90d or 2w, or never (default: ${default})."`
	storeFlags
	quietFlag `set:"quiet=the token"`
}

func (c *tokenCreateCmd) permissions() (organization.Permissions, error) {
	if c.Role == "" {
		return organization.ParsePermissions(c.Scopes)
	}
	granted, err := organization.Role(c.Role)
	if err != nil {
		return granted, usage("--%s, not %q", explain(err), c.Role) // "role must be one of …"
	}
	return granted, nil
}

// Run creates the token and shows its secret, this once.
func (c *tokenCreateCmd) Run(ctx context.Context, w *World) error {
	org, err := parseID("--org", c.Org)
	if err != nil {
		return err
	}
	permissions, err := c.permissions()
	if err != nil {
		return usage("%s", explain(err))
	}
	token, secret, err := organization.NewToken(org, c.Name, permissions, time.Duration(c.Expires), time.Now())
	if err != nil {
		return usage("%s", explain(err))
	}
	return c.with(ctx, w, func(s *store.Store) error {
		if err := exists(ctx, s, org); err != nil {
			return err
		}
		if err := s.CreateToken(acting(ctx, "token create", "token", token.ID.String()), operator(org), token,
			secret.Hash(), nil); err != nil {
			return err
		}
		return w.secret(token, secret, c.quietFlag)
	})
}

type tokenListCmd struct {
	Org string `name:"org" placeholder:"ID" help:"Only those of this organization."`
	storeFlags
	jsonFlag
}

// Run lists tokens by organization, oldest first.
func (c *tokenListCmd) Run(ctx context.Context, w *World) error {
	var only organization.ID
	if c.Org != "" {
		var err error
		if only, err = parseID("--org", c.Org); err != nil {
			return err
		}
	}
	return c.with(ctx, w, func(s *store.Store) error {
		tokens, err := tokensOf(ctx, s, only)
		if err != nil {
			return err
		}
		if c.JSON {
			return w.json(tokenItems(tokens))
		}
		if len(tokens) == 0 {
			return w.say("There is no token yet. Create one: kinebase token create --org ID --name NAME --role viewer")
		}
		now := time.Now()
		rows := make([][]string, len(tokens))
		for i, t := range tokens {
			rows[i] = []string{t.ID.String(), t.Organization.String(), t.Name,
				strings.Join(t.Permissions.Strings(), ","), state(t, now), day(t.LastUsedAt, "never")}
		}
		return w.table([]string{"ID", "ORGANIZATION", "NAME", "SCOPES", "STATE", "LAST USED (UTC)"}, rows)
	})
}

type tokenRevokeCmd struct {
	ID string `arg:"" help:"The token's id, as token list shows it."`
	storeFlags
	jsonFlag
}

// Run revokes the token. Doing so twice is no failure, and the first time stays.
func (c *tokenRevokeCmd) Run(ctx context.Context, w *World) error {
	id, err := parseID("the token's id", c.ID)
	if err != nil {
		return err
	}
	return c.with(ctx, w, func(s *store.Store) error {
		now := time.Now().UTC().Truncate(time.Millisecond)
		revoke := func(t organization.Token) (organization.Token, *organization.SecretHash, error) {
			if t.RevokedAt == nil {
				t.RevokedAt = &now
			}
			return t, nil, nil
		}
		token, err := changeToken(ctx, s, id, "token revoke", revoke)
		if err != nil {
			return err
		}
		if c.JSON {
			return w.json(struct {
				ID        string  `json:"id"`
				RevokedAt *string `json:"revoked_at"`
			}{token.ID.String(), stamp(token.RevokedAt)})
		}
		return w.say("The token %s (%s) is revoked.", token.Name, token.ID)
	})
}

type tokenRotateCmd struct {
	ID string `arg:"" help:"The token's id, as token list shows it."`
	storeFlags
	quietFlag `set:"quiet=the token"`
}

// Run gives the token a new secret and shows it, this once.
func (c *tokenRotateCmd) Run(ctx context.Context, w *World) error {
	id, err := parseID("the token's id", c.ID)
	if err != nil {
		return err
	}
	return c.with(ctx, w, func(s *store.Store) error {
		var secret organization.Secret
		rotate := func(t organization.Token) (organization.Token, *organization.SecretHash, error) {
			rotated, fresh, err := t.Rotated(time.Now())
			if err != nil {
				return t, nil, err
			}
			secret = fresh
			hash := fresh.Hash()
			return rotated, &hash, nil
		}
		token, err := changeToken(ctx, s, id, "token rotate", rotate)
		if err != nil {
			return err
		}
		return w.secret(token, secret, c.quietFlag)
	})
}

// changeToken changes a token that the operator names by its id alone. act is what the audit log calls that.
func changeToken(ctx context.Context, s *store.Store, id organization.ID, act string,
	change func(organization.Token) (organization.Token, *organization.SecretHash, error)) (organization.Token, error) {
	token, err := s.FindToken(ctx, id)
	if fault.Is(err, fault.NotFound) {
		return organization.Token{}, fault.New(fault.NotFound, "there is no token %s; kinebase token list shows them",
			id)
	}
	if err != nil {
		return organization.Token{}, err
	}
	return s.ChangeToken(acting(ctx, act, "token", id.String()), operator(token.Organization), id,
		nil, change)
}

// operator is the scope of the operator's own tools in an organization.
func operator(org organization.ID) organization.Scope {
	return organization.Scope{Organization: org}
}

// exists says in words when an organization does not.
func exists(ctx context.Context, s *store.Store, org organization.ID) error {
	_, err := s.Organization(ctx, org)
	if fault.Is(err, fault.NotFound) {
		return fault.New(fault.NotFound, "there is no organization %s; kinebase org list shows them", org)
	}
	return err
}

// tokensOf lists the tokens of one organization, or of all for the zero ID.
func tokensOf(ctx context.Context, s *store.Store, org organization.ID) ([]organization.Token, error) {
	if org != (organization.ID{}) {
		if err := exists(ctx, s, org); err != nil {
			return nil, err
		}
		return s.Tokens(ctx, operator(org))
	}
	organizations, err := s.Organizations(ctx)
	if err != nil {
		return nil, err
	}
	var all []organization.Token
	for _, o := range organizations {
		tokens, err := s.Tokens(ctx, operator(o.ID))
		if err != nil {
			return nil, err
		}
		all = append(all, tokens...)
	}
	return all, nil
}

// secret shows a token's secret.
func (w *World) secret(t organization.Token, secret organization.Secret, as quietFlag) error {
	switch {
	case as.Quiet:
		return w.say("%s", secret)
	case as.JSON:
		return w.json(struct {
			ID    string              `json:"id"`
			Token organization.Secret `json:"token"`
		}{t.ID.String(), secret})
	}
	return w.say("%s\n\nThis is the token %s (id %s), and it is shown this once: keep it now.\nIt may: %s. It "+
		"expires: %s.",
		secret, t.Name, t.ID, t.Permissions, day(t.ExpiresAt, "never"))
}

// state says in a word whether a token counts, and until when.
func state(t organization.Token, now time.Time) string {
	switch {
	case t.RevokedAt != nil:
		return "revoked " + day(t.RevokedAt, "")
	case !t.Valid(now):
		return "expired " + day(t.ExpiresAt, "")
	case t.ExpiresAt == nil:
		return "never expires"
	}
	return "until " + day(t.ExpiresAt, "")
}

// tokenItem is a token as the interface's own list shows it, with its organization.
type tokenItem struct {
	ID           string                   `json:"id"`
	Organization string                   `json:"organization"`
	Name         string                   `json:"name"`
	Scopes       organization.Permissions `json:"scopes"`
	CreatedAt    *string                  `json:"created_at"`
	ExpiresAt    *string                  `json:"expires_at"`
	LastUsedAt   *string                  `json:"last_used_at"`
	RevokedAt    *string                  `json:"revoked_at"`
}

func tokenItems(tokens []organization.Token) []tokenItem {
	items := make([]tokenItem, len(tokens))
	for i, t := range tokens {
		items[i] = tokenItem{t.ID.String(), t.Organization.String(), t.Name, t.Permissions, stamp(&t.CreatedAt),
			stamp(t.ExpiresAt), stamp(t.LastUsedAt), stamp(t.RevokedAt)}
	}
	return items
}
