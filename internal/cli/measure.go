package cli

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"time"

	"github.com/kinebase/kinebase/internal/app"
	"github.com/kinebase/kinebase/internal/jobs"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/internal/telemetry"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/movement"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

type measureCmd struct {
	Org     string `name:"org" placeholder:"ID" help:"Recordings of this organization."`
	All     bool   `name:"all" help:"Recordings of all organizations."`
	DryRun  bool   `name:"dry-run" help:"Write nothing; say how many values would change."`
	Workers int    `name:"workers" placeholder:"N" help:"How many recordings are measured at the same time; as many as there are processors when nothing is said."`
	storeFlags
	jsonFlag
}

// remeasured is what came of it.
type remeasured struct {
	Library    string `json:"library"`
	Recordings int64  `json:"recordings"` // that another version had measured
	Changed    int64  `json:"changed"`    // of them: with another value than before
	Values     int64  `json:"values"`     // events and metrics that are others, new or gone
	Failed     int64  `json:"failed"`     // recordings that could not be measured
}

// Run measures what another version of the library has measured. A server may be at it too.
func (c *measureCmd) Run(ctx context.Context, w *World) error {
	switch {
	case c.All == (c.Org != ""):
		return usage("say either --org ID or --all")
	case c.Workers < 0:
		return usage("--workers must not be below 0")
	case c.Workers == 0:
		c.Workers = runtime.NumCPU()
	}
	return c.with(ctx, w, func(s *store.Store) (err error) {
		organizations, err := c.organizations(ctx, s)
		if err != nil {
			return err
		}
		settings, err := app.Configure(c.flags(), w.Env)
		if err != nil {
			return err
		}
		log := telemetry.NewLog(w.Err, slog.LevelWarn, false)
		files, err := app.OpenFiles(ctx, settings, log)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, files.Close()) }()
		reader, err := app.NewReader(settings, log)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, reader.Close()) }()
		return c.measure(ctx, w, s, organizations,
			jobs.Recompute{Library: s, Files: files, Reader: app.WithNames(reader, s), Dry: c.DryRun})
	})
}

func (c *measureCmd) organizations(ctx context.Context, s *store.Store) ([]organization.Scope, error) {
	if c.Org != "" {
		org, err := parseID("--org", c.Org)
		if err != nil {
			return nil, err
		}
		return []organization.Scope{operator(org)}, exists(ctx, s, org)
	}
	all, err := s.Organizations(ctx)
	scopes := make([]organization.Scope, len(all))
	for i, o := range all {
		scopes[i] = operator(o.ID)
	}
	return scopes, err
}

// measure goes through the organizations.
func (c *measureCmd) measure(ctx context.Context, w *World, s *store.Store, organizations []organization.Scope,
	r jobs.Recompute) error {
	sum := remeasured{Library: movement.Read().Version}
	if !c.DryRun { // else a server of another version would undo it
		if err := s.Hold(ctx, sum.Library); err != nil {
			return err
		}
	}
	var total int64
	for _, scope := range organizations {
		n, err := s.CountOutdated(ctx, scope, sum.Library)
		if err != nil {
			return err
		}
		total += n
	}
	p := w.progress()
	var failure error
	for _, scope := range organizations {
		var place upload.Outdated
		ctx := acting(ctx, "measure", "organization", scope.Organization.String())
		for done := false; !done && failure == nil; {
			place, done, failure = r.Part(ctx, scope, place, 8*c.Workers, c.Workers, func(got jobs.Recomputed) {
				sum.add(got)
				if got.Err != nil && !errors.Is(got.Err, job.ErrLost) {
					p.line(got.SessionID + ": " + got.Err.Error())
				}
				p.of(sum.Recordings, total)
			})
		}
	}
	p.clear()
	if err := c.summarize(w, sum); err != nil {
		return err
	}
	switch {
	case errors.Is(failure, context.Canceled):
		return errors.New("stopped before it was done; run it again: what was measured stays")
	case failure != nil:
		return failure
	case sum.Failed > 0:
		return errReported
	}
	return nil
}

// add counts a recording.
func (s *remeasured) add(got jobs.Recomputed) {
	s.Recordings++
	switch {
	case errors.Is(got.Err, job.ErrLost): // changed meanwhile: the server measures it
	case got.Err != nil:
		s.Failed++
	case len(got.Columns) > 0:
		s.Changed++
		s.Values += int64(len(got.Columns))
	}
}

func (c *measureCmd) summarize(w *World, s remeasured) error {
	if c.JSON {
		return w.json(s)
	}
	verb, would := "Measured", "changed"
	if c.DryRun {
		verb, would = "Would measure", "would change"
	}
	return w.say("%s %s by version %s of the library: %s of %s %s; %s could not be measured.", verb,
		count(s.Recordings, "recording"), s.Library, count(s.Values, "value"), count(s.Changed, "recording"), would,
		grouped(s.Failed))
}

// of draws how many recordings of so many are done.
func (p *progress) of(done, total int64) {
	now := time.Now()
	if p.width == nil || now.Sub(p.drawn) < 100*time.Millisecond {
		return
	}
	rate := float64(done) / max(now.Sub(p.started).Seconds(), 0.1)
	p.draw(now, drawn(float64(done)/float64(max(total, 1)), grouped(done)+" of "+count(total, "recording")+" ",
		" "+grouped(int64(rate))+"/s", p.width()))
}
