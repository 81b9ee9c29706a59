package cli

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/kinebase/kinebase/audit"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/organization"
)

// oneOrg is a command about one organization.
type oneOrg struct {
	ID string `arg:"" help:"The organization's id."`
	storeFlags
}

// on does something with the organization, when its id can be read and check, if there is one, finds nothing wrong.
func (c *oneOrg) on(ctx context.Context, w *World, check func() error,
	do func(s *store.Store, id organization.ID) error) error {
	id, err := parseID("ID", c.ID)
	if err == nil && check != nil {
		err = check()
	}
	if err != nil {
		return err
	}
	return c.with(ctx, w, func(s *store.Store) error { return do(s, id) })
}

type orgRenameCmd struct {
	oneOrg
	Name string `arg:"" help:"What it is to be called. No two have the same name."`
}

// Run renames the organization.
func (c *orgRenameCmd) Run(ctx context.Context, w *World) error {
	var name string
	valid := func() (err error) {
		if name, err = organization.ValidName(c.Name); err != nil {
			return usage("%s", explain(err))
		}
		return nil
	}
	return c.on(ctx, w, valid, func(s *store.Store, id organization.ID) error {
		if err := s.RenameOrganization(acting(ctx, "org rename", "organization", id.String()), id, name); err != nil {
			return err
		}
		return w.say("The organization %s is called %s now.", id, name)
	})
}

type orgSuspendCmd struct {
	oneOrg
	Lift bool `name:"lift" help:"Take its tokens again."`
}

// Run suspends the organization, or lifts that.
func (c *orgSuspendCmd) Run(ctx context.Context, w *World) error {
	return c.on(ctx, w, nil, func(s *store.Store, id organization.ID) error {
		now := time.Now()
		at, act, what := &now, "org suspend", "refused, with 403"
		if c.Lift {
			at, act, what = nil, "org suspend --lift", "taken again"
		}
		if err := s.SuspendOrganization(acting(ctx, act, "organization", id.String()), id, at); err != nil {
			return err
		}
		return w.say("The tokens of the organization %s are %s.", id, what)
	})
}

func allowed(n *int64) string {
	if n == nil {
		return "as the settings say"
	}
	return strconv.FormatInt(*n, 10)
}

type orgQuotaCmd struct {
	oneOrg
	Captures *string `name:"captures" placeholder:"N" help:"How many captures it may have; 'default' for any number."`
	Files    *string `name:"files" placeholder:"SIZE" help:"What its files may take, such as 500GiB; 'default' for KINEBASE_FILE_STORAGE."`
	Exports  *string `name:"exports" placeholder:"SIZE" help:"What results of exports may take; 'default' for KINEBASE_EXPORT_STORAGE."`
}

// Run sets what is said, and leaves the rest.
func (c *orgQuotaCmd) Run(ctx context.Context, w *World) error {
	said := func() error {
		if c.Captures == nil && c.Files == nil && c.Exports == nil {
			return usage("say at least one of --captures, --files and --exports")
		}
		return nil
	}
	return c.on(ctx, w, said, func(s *store.Store, id organization.ID) error {
		if err := exists(ctx, s, id); err != nil {
			return err
		}
		u, err := s.Usage(ctx, operator(id))
		if err != nil {
			return err
		}
		for _, limit := range []struct {
			flag, text string
			given      *string
			to         **int64
		}{{"--captures", "a number", c.Captures, &u.Quota.Captures},
			{"--files", "a size such as 500GiB", c.Files, &u.Quota.FileBytes},
			{"--exports", "a size such as 20GiB", c.Exports, &u.Quota.ExportBytes}} {
			if limit.given == nil {
				continue
			}
			n, ok := amount(*limit.given, limit.flag != "--captures")
			if !ok {
				return usage("%s must be %s, or default, not %q", limit.flag, limit.text, *limit.given)
			}
			*limit.to = n
		}
		if err := s.SetQuota(acting(ctx, "org quota", "organization", id.String()), id, u.Quota); err != nil {
			return err
		}
		return w.say("The organization %s may have: captures %s, bytes of files %s, bytes of exports %s.", id,
			allowed(u.Quota.Captures), allowed(u.Quota.FileBytes), allowed(u.Quota.ExportBytes))
	})
}

// amount reads a number of at least one, perhaps a size; nil for default.
func amount(text string, size bool) (*int64, bool) {
	if text == "default" {
		return nil, true
	}
	factor := int64(1)
	if size {
		for unit, bytes := range map[string]int64{"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40} {
			if head, ok := strings.CutSuffix(text, unit); ok {
				text, factor = head, bytes
				break
			}
		}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 || n > (1<<60)/factor {
		return nil, false
	}
	n *= factor
	return &n, true
}

type orgDeleteCmd struct {
	oneOrg
	Name string `name:"name" required:"" placeholder:"NAME" help:"Its name, so that nothing is erased by a wrong id."`
}

// Run erases the organization.
func (c *orgDeleteCmd) Run(ctx context.Context, w *World) error {
	return c.on(ctx, w, nil, func(s *store.Store, id organization.ID) error {
		o, err := s.Organization(ctx, id)
		if err != nil {
			return err
		}
		if o.Name != c.Name {
			return usage("the organization %s is called %q and not %q; nothing was erased", id, o.Name, c.Name)
		}
		if err := s.DeleteOrganization(acting(ctx, audit.OrgDelete, "organization", id.String()), id); err != nil {
			return err
		}
		return w.say("Erased the organization %s. A server that runs erases its files now, else the next one that "+
			"starts.", id)
	})
}
