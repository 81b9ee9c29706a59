package cli

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/app"
	"github.com/kinebase/kinebase/internal/intake"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/internal/telemetry"
	"github.com/kinebase/kinebase/organization"
)

// folderFlags say what is not in motion files, where no kinebase.csv says it either.
type folderFlags struct {
	Activity  *string  `name:"activity" placeholder:"NAME" help:"Activity of motion files, where no kinebase.csv beside them says another."`
	Movement  *string  `name:"movement" placeholder:"NAME" help:"Movement of motion files, likewise."`
	Dimension []string `name:"dimension" sep:"none" placeholder:"NAME=VALUE" help:"Movement dimension of motion files, likewise; may be given several times."`
	Athlete   []string `name:"athlete" sep:"none" placeholder:"WHO" help:"Athlete whom motion files belong to, likewise: an id, an e-mail or \"First Last\"; may be given several times."`
	Workers   int      `name:"workers" placeholder:"N" help:"How many motion files are read, or sent, at the same time; when nothing is said, as many as there are processors are read, and 4 sent."`
}

// labels reads the flags. They are for folders: where no path is one, somebody
// believes that they do something.
func (f *folderFlags) labels(paths []string) (capture.Capture, error) {
	texts := map[string]string{}
	for name, text := range map[string]*string{"activity": f.Activity, "movement": f.Movement} {
		if text != nil && strings.TrimSpace(*text) == "" {
			return capture.Capture{}, usage("--%s must not be empty", name)
		} else if text != nil {
			texts[name] = *text
		}
	}
	for _, d := range f.Dimension {
		name, value, found := strings.Cut(d, "=")
		name = strings.TrimSpace(name)
		switch {
		case !found || name == "" || strings.TrimSpace(value) == "":
			return capture.Capture{}, usage("--dimension must be NAME=VALUE, such as handedness=left, not %q", d)
		case !capture.IsDimension(name):
			return capture.Capture{}, usage("--dimension %q is not a movement dimension; there are %s", name,
				strings.Join(capture.DimensionNames(), ", "))
		case texts[name] != "":
			return capture.Capture{}, usage("--dimension %s must not be given twice", name)
		}
		texts[name] = value
	}
	if f.Workers < 0 {
		return capture.Capture{}, usage("--workers must not be below 0")
	}
	if given := len(texts)+len(f.Athlete)+f.Workers > 0; given && !anyFolder(paths) {
		return capture.Capture{},
			usage("--activity, --movement, --dimension, --athlete and --workers are for folders of motion files, and " +
				"no path is a folder")
	}
	labels, err := intake.Labels(texts)
	var wrong *fault.Error
	if errors.As(err, &wrong) && len(wrong.Problems) > 0 {
		p := wrong.Problems[0]
		flag := "--" + p.Field
		if capture.IsDimension(p.Field) {
			flag = "--dimension " + p.Field
		}
		return labels, usage("%s %s", flag, strings.TrimPrefix(p.Message, p.Field+" "))
	}
	return labels, err
}

func anyFolder(paths []string) bool {
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return true
		}
	}
	return false
}

// folders opens what folders of motion files need, nothing when no path is one; end
// gives it back.
func (c *importCmd) folders(ctx context.Context, w *World, s *store.Store, scope organization.Scope,
	labels capture.Capture) (f *intake.Folders, end func() error, err error) {
	end = func() error { return nil }
	if !anyFolder(c.Paths) {
		return nil, end, nil
	}
	labels.AthleteIDs, err = intake.FindAthletes(ctx, s, scope, c.Athlete...)
	var nobody *fault.Error
	if errors.As(err, &nobody) && nobody.Code == fault.BadRequest {
		err = errors.New("--athlete " + nobody.Message)
	}
	f = &intake.Folders{Store: s, Defaults: labels, Workers: c.Workers}
	if err != nil || c.DryRun {
		return f, end, err
	}
	settings, err := app.Configure(c.flags(), w.Env)
	if err != nil {
		return nil, end, err
	}
	log := telemetry.NewLog(w.Err, slog.LevelWarn, false)
	files, err := app.OpenFiles(ctx, settings, log)
	if err != nil {
		return nil, end, err
	}
	f.Files = files
	reader, err := app.NewReader(settings, log)
	if err != nil {
		return nil, end, errors.Join(err, files.Close())
	}
	f.Reader = app.WithHeights(app.WithNames(reader, s), s)
	return f, func() error { return errors.Join(reader.Close(), files.Close()) }, nil
}
