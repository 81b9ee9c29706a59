package cli

import (
	"context"
	"errors"

	"github.com/kinebase/kinebase/internal/app"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/internal/store/db"
)

type migrateCmd struct {
	storeFlags
	jsonFlag
}

// Run opens the store, which is what migrates it, and closes it again. Where another
// database role owns the tables, it migrates as that one first.
func (c *migrateCmd) Run(ctx context.Context, w *World) error {
	settings, err := app.Configure(c.flags(), w.Env)
	if err != nil {
		return err
	}
	if settings.MigrateDatabaseURL.Set() && c.Data == nil {
		if !settings.DatabaseURL.Set() {
			return errors.New("KINEBASE_MIGRATE_DATABASE_URL is set, and KINEBASE_DATABASE_URL is not: it must name " +
				"the same database and the role that serves, which is granted what it needs")
		}
		if err := db.Migrate(ctx, settings.MigrateDatabaseURL.Reveal(), settings.DatabaseURL.Reveal(),
			storeOptions(settings, w).Log); err != nil {
			return err
		}
	}
	return c.with(ctx, w, func(*store.Store) error {
		if c.JSON {
			return w.json(struct {
				Migrated bool `json:"migrated"`
			}{true})
		}
		return w.say("The store is in the form that this version needs.")
	})
}
