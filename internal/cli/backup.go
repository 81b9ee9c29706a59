package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/kinebase/kinebase/backup"
	"github.com/kinebase/kinebase/internal/app"
	"github.com/kinebase/kinebase/internal/config"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/internal/telemetry"
)

type backupCmd struct {
	Place  string `arg:"" optional:"" placeholder:"PLACE" help:"A folder for the backups of this store, or s3://BUCKET/PREFIX at the service of KINEBASE_S3_ENDPOINT (KINEBASE_BACKUP)."`
	Verify bool   `name:"verify" help:"Make none; read the newest one from end to end and hold it to its checksums."`
	At     string `name:"at" placeholder:"ID" help:"With --verify: this one and not the newest."`
	Forget bool   `name:"forget" help:"Make none; give the place up for good: deletions are kept for it no more. The place may be the id of a place that is lost (see --places)."`
	Places bool   `name:"places" help:"Make none; list the places that deletions are kept for."`
	storeFlags
	jsonFlag
}

// Run makes a backup, or checks one. Servers may be at work on the store.
func (c *backupCmd) Run(ctx context.Context, w *World) (err error) {
	if c.At != "" && !c.Verify {
		return usage("--at names a backup to verify: say --verify too")
	}
	if c.Forget && c.Verify || c.Places && (c.Forget || c.Verify) {
		return usage("--verify, --forget and --places are each said alone")
	}
	switch {
	case c.Places:
		return c.places(ctx, w)
	case c.Forget && lostPlace.MatchString(c.Place):
		return c.forgetLost(ctx, w)
	}
	settings, place, err := openPlace(ctx, w, c.flags(), c.Place)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, place.Close()) }()
	if c.Forget {
		return c.forget(ctx, w, place)
	}
	if c.Verify {
		m, _, err := backup.Check(ctx, place, c.At, true)
		if err != nil {
			return err
		}
		if c.JSON {
			return w.json(m)
		}
		return w.say("The backup %s is whole: %d files, %d bytes, made %s.", m.ID, m.Files, m.Bytes,
			m.Made.Format(time.RFC3339))
	}
	return c.with(ctx, w, func(s *store.Store) (err error) {
		files, err := app.OpenFiles(ctx, settings, telemetry.NewLog(w.Err, slog.LevelWarn, false))
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, files.Close()) }()
		r, err := app.Backup(ctx, settings, s, files, place, Version())
		if errors.Is(err, backup.ErrElsewhere) {
			err = errors.New("another process makes a backup of this store just now")
		}
		if err != nil {
			return err
		}
		if c.JSON {
			return w.json(r)
		}
		missing := ""
		if r.Missing > 0 {
			missing = fmt.Sprintf("\n%d files that captures name are nowhere; kinebase doctor names them.", r.Missing)
		}
		for _, name := range r.Rotten {
			missing += fmt.Sprintf("\nThe file %s had changed in the place, where its disk may fail. It was copied "+
				"again, if the store has it; backups that have it are not whole otherwise.", name)
		}
		for _, name := range r.Unlike {
			missing += fmt.Sprintf("\nThe store has another file %s than it had: it may have changed there too. "+
				"kinebase doctor examines it.", name)
		}
		for _, id := range r.Damaged {
			missing += fmt.Sprintf("\nThe backup %s in the same place is damaged and cannot be restored; kinebase "+
				"backup --verify --at %s tells what is wrong. It goes when it is old.", id, id)
		}
		return w.say("Backed up as %[1]s\n  %[2]d files, of which %[3]d were copied (%[4]d bytes)%[5]s", r.ID, r.Files,
			r.Copied, r.CopiedBytes, missing)
	})
}

// openPlace opens the place that is given, or that of the settings.
func openPlace(ctx context.Context, w *World, flags map[string]string, where string) (config.Config, app.Place, error) {
	settings, err := app.Configure(flags, w.Env)
	if err != nil {
		return settings, app.Place{}, err
	}
	if where == "" {
		where = settings.Backup
	}
	if where == "" {
		return settings, app.Place{}, usage("name a place for backups: a folder, or s3://BUCKET/PREFIX")
	}
	place, err := app.OpenPlace(ctx, settings, where, telemetry.NewLog(w.Err, slog.LevelWarn, false))
	return settings, place, err
}

type restoreCmd struct {
	Place string `arg:"" optional:"" placeholder:"SRC" help:"The place of the backups (KINEBASE_BACKUP)."`
	At    string `name:"at" placeholder:"ID" help:"This backup and not the newest."`
	storeFlags
	jsonFlag
}

// Run restores a backup into an empty store.
func (c *restoreCmd) Run(ctx context.Context, w *World) (err error) {
	settings, place, err := openPlace(ctx, w, c.flags(), c.Place)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, place.Close()) }()
	r, err := app.Restore(ctx, settings, place, c.At, telemetry.NewLog(w.Err, slog.LevelWarn, false))
	if err != nil {
		return err
	}
	if c.JSON {
		return w.json(r)
	}
	if err := w.say("Restored %s, made %s: %d files, %d bytes. %d things that were erased since were erased again.",
		r.ID, r.Made.Format(time.RFC3339), r.Files, r.Bytes, r.ErasedAgain); err != nil {
		return err
	}
	for _, line := range r.Left {
		if err := w.say("%s", line); err != nil {
			return err
		}
	}
	return nil
}
