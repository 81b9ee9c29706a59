package cli

import (
	"context"
	"time"

	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/organization"
)

type orgCreateCmd struct {
	Name string `arg:"" help:"What the organization is called."`
	ID   string `name:"id" placeholder:"UUID" help:"The id to give it; made when absent."`
	storeFlags
	quietFlag `set:"quiet=the id"`
}

// Run creates the organization.
func (c *orgCreateCmd) Run(ctx context.Context, w *World) error {
	o := organization.Organization{ID: organization.NewID(), CreatedAt: time.Now().UTC().Truncate(time.Millisecond)}
	var err error
	if o.Name, err = organization.ValidName(c.Name); err != nil {
		return usage("%s", explain(err))
	}
	if c.ID != "" {
		if o.ID, err = parseID("--id", c.ID); err != nil {
			return err
		}
	}
	return c.with(ctx, w, func(s *store.Store) error {
		if err := s.CreateOrganization(acting(ctx, "org create", "organization", o.ID.String()), o); err != nil {
			return err
		}
		if c.JSON {
			return w.json(struct {
				ID   string `json:"id"`
				Name string `json:"name"`
			}{o.ID.String(), o.Name})
		}
		if c.Quiet {
			return w.say("%s", o.ID)
		}
		return w.say("Created the organization %s\n  id: %s\nNext, a token: kinebase token create --org %s --name "+
			"NAME --role editor", o.Name, o.ID, o.ID)
	})
}

type orgListCmd struct {
	storeFlags
	jsonFlag
}

// Run lists all organizations, oldest first.
func (c *orgListCmd) Run(ctx context.Context, w *World) error {
	return c.with(ctx, w, func(s *store.Store) error {
		all, err := s.Organizations(ctx)
		if err != nil {
			return err
		}
		if c.JSON {
			type item struct {
				ID        string  `json:"id"`
				Name      string  `json:"name"`
				CreatedAt *string `json:"created_at"`
				Suspended *string `json:"suspended_at"`
			}
			items := make([]item, len(all))
			for i, o := range all {
				items[i] = item{o.ID.String(), o.Name, stamp(&o.CreatedAt), stamp(o.SuspendedAt)}
			}
			return w.json(items)
		}
		if len(all) == 0 {
			return w.say("There is no organization yet. Create one: kinebase org create NAME")
		}
		rows := make([][]string, len(all))
		for i, o := range all {
			rows[i] = []string{o.ID.String(), o.Name, day(&o.CreatedAt, ""), day(o.SuspendedAt, "-")}
		}
		return w.table([]string{"ID", "NAME", "CREATED (UTC)", "SUSPENDED"}, rows)
	})
}

// noID is the UUID of zeros.
const noID = "00000000-0000-0000-0000-000000000000"

// parseID reads a UUID that a flag or an argument holds.
func parseID(name, value string) (organization.ID, error) {
	id, ok := organization.ParseID(value)
	if value == noID {
		return id, usage("%s must not be the UUID of zeros, which names nobody", name)
	}
	if !ok {
		return id, usage("%s must be a UUID such as 0190f0e5-7b1c-7cc3-98c4-dc0c0c07398f, not %q", name, value)
	}
	return id, nil
}
