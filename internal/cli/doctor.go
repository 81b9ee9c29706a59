package cli

import (
	"context"
	"log/slog"

	"github.com/kinebase/kinebase/internal/app"
	"github.com/kinebase/kinebase/internal/telemetry"
)

type doctorCmd struct {
	Repair  bool `name:"repair" help:"Mend what can be mended safely: rights of folders, and files that nothing names."`
	Samples int  `name:"samples" default:"100" placeholder:"N" help:"How many original files and how many tables of each organization are read and held to their checksums, others each time (100)."`
	storeFlags
	jsonFlag
}

// Run examines everything that a server needs. Servers may be at work. It fails when something is wrong; a
// warning is no failure.
func (c *doctorCmd) Run(ctx context.Context, w *World) error {
	settings, err := app.Configure(c.flags(), w.Env)
	if err != nil {
		return err
	}
	findings := []app.Finding{}
	d := app.Doctor{Config: settings, Log: telemetry.NewLog(w.Err, slog.LevelError, false), Repair: c.Repair,
		Samples: c.Samples,
		Found:   func(f app.Finding) { findings = append(findings, f) }}
	if words := w.misspelled(); words != "" {
		d.Found(app.Finding{Check: "settings", Level: app.Warning, Says: words + ".",
			Do: "Correct the name, or unset it."})
	}
	if err := d.Examine(ctx); err != nil {
		return err
	}
	wrong := 0
	for _, f := range findings {
		if f.Level == app.Wrong && !f.Repaired {
			wrong++
		}
	}
	if c.JSON {
		err = w.json(findings)
	} else {
		err = c.print(w, findings)
	}
	if err == nil && wrong > 0 {
		return errReported
	}
	return err
}

func (c *doctorCmd) print(w *World, findings []app.Finding) error {
	for _, f := range findings {
		level := string(f.Level)
		if f.Repaired {
			level = "repaired"
		}
		if err := w.say("%-8s %s: %s", level, f.Check, f.Says); err != nil {
			return err
		}
		if f.Do != "" && !f.Repaired {
			if err := w.say("         → %s", f.Do); err != nil {
				return err
			}
		}
	}
	return nil
}
