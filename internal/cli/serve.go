package cli

import (
	"context"
	"log/slog"
	"maps"

	"github.com/kinebase/kinebase/internal/app"
	"github.com/kinebase/kinebase/internal/config"
	"github.com/kinebase/kinebase/internal/telemetry"
)

type serveCmd struct {
	Listen *string `name:"listen" placeholder:"HOST:PORT" help:"Where to listen (KINEBASE_LISTEN; 127.0.0.1:8080 when nothing is said)."`
	Backup *string `name:"backup" placeholder:"PLACE" help:"Where to keep backups: a folder or s3://BUCKET/PREFIX (KINEBASE_BACKUP; none are made when nothing is said)."`
	Every  *string `name:"every" placeholder:"TIME" help:"How often to make one, such as 10m (KINEBASE_BACKUP_EVERY)."`
	storeFlags
}

// Run serves until ctx ends, and then until every request under way is answered.
func (c *serveCmd) Run(ctx context.Context, w *World) error {
	flags := c.flags()
	maps.Copy(flags, given(map[string]*string{"listen": c.Listen, "backup": c.Backup, "every": c.Every}))
	settings, err := app.Configure(flags, w.Env)
	if err != nil {
		return err
	}
	a, err := newApp(ctx, settings, w)
	if err == nil {
		err = a.Run(ctx)
	}
	if err != nil { // for those who read the log alone, too
		logOf(settings, w).Error("the server failed", "error", explain(err))
	}
	return err
}

// newApp makes a server that logs to standard error.
func newApp(ctx context.Context, c config.Config, w *World) (*app.App, error) {
	log := logOf(c, w)
	if warning := w.misspelled(); warning != "" {
		log.Warn(warning)
	}
	return app.New(ctx, c, log, Version())
}

func logOf(c config.Config, w *World) *slog.Logger {
	return telemetry.NewLog(w.Err, c.LogLevel, c.LogFormat == config.JSON)
}
