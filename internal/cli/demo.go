package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"strings"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/app"
	"github.com/kinebase/kinebase/internal/config"
	"github.com/kinebase/kinebase/internal/demo"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/organization"
)

type demoCmd struct {
	Listen *string `name:"listen" placeholder:"HOST:PORT" help:"Where to listen (KINEBASE_LISTEN; 127.0.0.1:8080 when nothing is said)."`
	Data   string  `name:"data" placeholder:"DIR" help:"An empty or new folder to keep the sample in; without it a temporary one, removed at the end."`
	Seed   uint64  `name:"seed" default:"1" help:"Another number makes another organization up."`
	Files  string  `name:"files" placeholder:"DIR" help:"Serve nothing: write the sample's motion files into an empty or new folder, with a kinebase.csv, to try imports and other programs with."`
	Env    string  `name:"env" placeholder:"FILE" help:"Write a file that sets KINEBASE_URL and KINEBASE_TOKEN in a shell; it is removed at the end."`
	jsonFlag
}

// sample is what a demo has made.
type sample struct {
	URL          string `json:"url"`
	Organization string `json:"organization"`
	Token        string `json:"token"`
	Capture      string `json:"capture"` // one whose motion has been read
}

// Run makes the sample, serves it and says how to ask for it.
func (c *demoCmd) Run(ctx context.Context, w *World) (err error) {
	if c.Files != "" {
		return c.write(w)
	}
	dir, remove, err := c.folder()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	settings, err := c.configure(dir, w)
	if err != nil {
		return err
	}
	// The address first: whoever finds the port taken should not have to wait for
	// the sample to learn of it.
	a, err := newApp(ctx, settings, w)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	made, err := c.fill(ctx, settings, w)
	if err != nil {
		return err
	}
	made.URL = "http://" + reachable(a.Addr()) + "/v1"

	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	select {
	case err := <-ended:
		return err
	case <-a.Ready():
	}
	if err := firstRead(ctx, a.Store(), made); err != nil {
		return err
	}
	if c.Env != "" {
		defer func() { err = errors.Join(err, os.Remove(c.Env)) }()
		if err := private(c.Env, made.variables()); err != nil {
			return fmt.Errorf("the file of variables cannot be written: %w", err)
		}
	}
	if err := c.tell(w, made, dir, a.HasConsole()); err != nil {
		return err
	}
	return <-ended
}

// folder gives an empty folder, and how it is left behind.
func (c *demoCmd) folder() (dir string, remove func() error, err error) {
	if c.Data == "" {
		dir, err = os.MkdirTemp("", "kinebase-demo-")
		return dir, func() error { return os.RemoveAll(dir) }, err
	}
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return "", nil, fmt.Errorf("the folder cannot be made: %w", err)
	}
	found, err := os.ReadDir(c.Data)
	if err != nil {
		return "", nil, fmt.Errorf("the folder cannot be read: %w", err)
	}
	if len(found) > 0 {
		return "", nil, fmt.Errorf("the folder %s is not empty, and a demo does not go among other data; what a demo "+
			"left there is served by: kinebase serve --data %s", c.Data, c.Data)
	}
	return c.Data, func() error { return nil }, nil
}

// configure takes the settings of a server but for its store: a sample must not
// end up in a real one that the environment names. Lines about every request
// would push the token off the screen, so only warnings are logged if nothing
// else is said.
func (c *demoCmd) configure(dir string, w *World) (config.Config, error) {
	flags := map[string]string{"data": dir}
	maps.Copy(flags, given(map[string]*string{"listen": c.Listen}))
	return app.Configure(flags, func(name string) (string, bool) {
		value, ok := w.Env(name)
		switch {
		case name == "KINEBASE_DATABASE_URL" || name == "KINEBASE_FILES" || strings.HasPrefix(name, "KINEBASE_S3_"):
			return "", false
		case name == "KINEBASE_LOG_LEVEL" && value == "":
			return "warn", true
		}
		return value, ok
	})
}

// batch is how many records go in at once.
const batch = 500

// fill makes the organization, its data and a token, the way that everything gets
// in: by import.
func (c *demoCmd) fill(ctx context.Context, settings config.Config, w *World) (made sample, err error) {
	s, err := store.Open(ctx, storeOptions(settings, w))
	if err != nil {
		return sample{}, err
	}
	defer func() {
		if closed := s.Close(); err == nil {
			err = closed
		}
	}()
	now := time.Now().UTC().Truncate(time.Millisecond)
	o := organization.Organization{ID: organization.NewID(), Name: demo.Name, CreatedAt: now}
	if err := s.CreateOrganization(ctx, o); err != nil {
		return sample{}, err
	}
	for records := demo.Records(c.Seed, now); len(records) > 0; {
		part := records[:min(batch, len(records))]
		records = records[len(part):]
		outcomes, err := s.Import(ctx, operator(o.ID), part, false)
		if err != nil {
			return sample{}, err
		}
		for _, outcome := range outcomes {
			if outcome.Err != nil {
				return sample{}, fault.Wrap(outcome.Err, fault.Internal, "the sample breaks a rule of the store")
			}
		}
	}
	token, secret, err := organization.NewToken(o.ID, "demo", organization.AllPermissions,
		organization.DefaultTokenLife, now)
	if err != nil {
		return sample{}, err
	}
	if err := s.CreateToken(ctx, operator(o.ID), token, secret.Hash(), nil); err != nil {
		return sample{}, err
	}
	made = sample{Organization: o.ID.String(), Token: string(secret)}
	made.Capture, err = c.bring(ctx, s, settings, o.ID, now)
	return made, err
}

// variables are lines of a shell that say where the sample is and who asks.
func (s sample) variables() string {
	return "export KINEBASE_URL=" + s.URL + "\nexport KINEBASE_TOKEN=" + s.Token + "\n"
}

// private writes a file that its owner alone may read. One of that name is replaced.
func private(name, text string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o600)
}

// tell prints how to ask for what was made: addresses that answer, and no others.
func (c *demoCmd) tell(w *World, made sample, dir string, console bool) error {
	if c.JSON {
		return w.json(made)
	}
	end := "Ctrl-C stops the server; the sample goes with it."
	if c.Data != "" {
		end = "Ctrl-C stops the server; the sample stays in " + dir + "."
	}
	root := made.URL[:len(made.URL)-len("/v1")]
	looking := "not in this program: make console says what it lacks"
	jump := ""
	if console {
		looking = root + "/ (sign in with the token)"
		jump = "\n  a jump     " + root + "/captures/" + made.Capture
	}
	copied := ""
	if c.Env != "" {
		copied = "\n\nThe first two lines are also in a file: . " + c.Env
	}
	frames := "/captures/" + made.Capture + "/frames?channels=C7,LKNE,RKNE&from=200&to=203"
	return w.say(`%s: %d made-up athletes, %s captures of two years, %d export jobs.

  console    %s
  reference  %s/docs
  token      %s%s

Try it in another shell:

  export KINEBASE_URL=%s
  export KINEBASE_TOKEN=%s
  curl -s -H "Authorization: Bearer $KINEBASE_TOKEN" "$KINEBASE_URL/captures?limit=3"
  curl -s -H "Authorization: Bearer $KINEBASE_TOKEN" "$KINEBASE_URL%s"%s

%s`,
		demo.Name, demo.Athletes, grouped(int64(demo.Captures+demo.Motions)), demo.Jobs,
		looking, root, made.Token, jump, made.URL, made.Token, frames, copied, end)
}
