package cli

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/kinebase/kinebase/internal/app"
	"github.com/kinebase/kinebase/internal/config"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/internal/telemetry"
)

// storeFlags name the store that a verb works on. Pointers tell a flag that was
// not given from one that was given empty.
type storeFlags struct {
	Data        *string `name:"data" placeholder:"DIR" help:"Folder of the embedded store (KINEBASE_DATA)."`
	DatabaseURL *string `name:"database-url" placeholder:"URL" help:"PostgreSQL to use instead of the embedded store (KINEBASE_DATABASE_URL)."`
}

// flags gives the flags that were given, as config.Source wants them.
func (f storeFlags) flags() map[string]string {
	return given(map[string]*string{"data": f.Data, "database-url": f.DatabaseURL})
}

func given(flags map[string]*string) map[string]string {
	values := map[string]string{}
	for name, value := range flags {
		if value != nil {
			values[name] = *value
		}
	}
	return values
}

// open opens the store, and makes and migrates it when it is new. It may be in
// use by a server at the same time.
func (f storeFlags) open(ctx context.Context, w *World) (*store.Store, error) {
	c, err := app.Configure(f.flags(), w.Env)
	if err != nil {
		return nil, err
	}
	if warning := w.misspelled(); warning != "" {
		_, _ = fmt.Fprintln(w.Err, "kinebase: "+warning)
	}
	return store.Open(ctx, storeOptions(c, w))
}

func storeOptions(c config.Config, w *World) store.Options {
	// A tool says what it did; of the store's own news only trouble matters.
	return store.Options{Data: c.Data, DatabaseURL: c.DatabaseURL.Reveal(), FileStorage: c.FileStorage,
		Log: telemetry.NewLog(w.Err, slog.LevelWarn, false)}
}

// with opens the store for one piece of work and closes it. What the work failed
// with counts before what closing failed with.
func (f storeFlags) with(ctx context.Context, w *World, work func(*store.Store) error) (err error) {
	s, err := f.open(ctx, w)
	if err != nil {
		return err
	}
	defer func() {
		if closed := s.Close(); err == nil {
			err = closed
		}
	}()
	return work(s)
}
