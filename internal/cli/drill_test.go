package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/backup"
	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/motion/c3d/c3dtest"
)

// drill is a server with something in it, a place for backups, and a shell in its environment.
type drill struct {
	*testing.T
	shell  *shell
	app    *apptest.App
	place  string
	org    string
	secret string
	client *client.Client
	files  map[string][]byte // what was sent, by capture
}

// drills runs a test on SQLite with a folder and on PostgreSQL with a bucket.
func drills(t *testing.T, test func(d *drill), set ...func(d *drill) apptest.Option) {
	drillsOn(t, []apptest.Engine{apptest.SQLite, apptest.PostgreSQL}, test, set...)
}

func drillsOn(t *testing.T, engines []apptest.Engine, test func(d *drill), set ...func(d *drill) apptest.Option) {
	for _, e := range engines {
		if e == apptest.PostgreSQL && testing.Short() {
			continue
		}
		t.Run(string(e), func(t *testing.T) {
			d := &drill{T: t, shell: newShell(t), place: filepath.Join(t.TempDir(), "backups"),
				files: map[string][]byte{}}
			if e == apptest.PostgreSQL {
				b := testkit.Bucket(t)
				delete(d.shell.env, "KINEBASE_DATA")
				d.shell.env["KINEBASE_DATABASE_URL"] = testkit.Postgres(t).Database(t)
				maps.Copy(d.shell.env, map[string]string{"KINEBASE_S3_ENDPOINT": b.Endpoint,
					"KINEBASE_S3_REGION": b.Region, "KINEBASE_S3_BUCKET": b.Name,
					"KINEBASE_S3_ACCESS_KEY_ID": b.AccessKey, "KINEBASE_S3_SECRET_ACCESS_KEY": b.SecretKey})
			}
			var options []apptest.Option
			for _, option := range set {
				options = append(options, option(d))
			}
			d.app = d.serve(options...)
			d.org = d.app.Organization()
			d.secret = d.app.Token(d.org)
			d.client = d.of(d.app)
			test(d)
		})
	}
}

// serve starts a server on the store of the shell.
func (d *drill) serve(set ...apptest.Option) *apptest.App {
	d.Helper()
	e, place := apptest.SQLite, map[string]string{}
	for name, value := range d.shell.env {
		switch name {
		case "KINEBASE_DATA":
			place["data"] = value
		case "KINEBASE_DATABASE_URL":
			e, place["database-url"] = apptest.PostgreSQL, value
		case "KINEBASE_FILES":
			place["files"] = value
		default:
			set = append(set, apptest.With(name, value))
		}
	}
	return apptest.Start(d, e, append(set, apptest.At(place))...)
}

func (d *drill) of(a *apptest.App) *client.Client {
	d.Helper()
	c, err := client.New(a.URL, d.secret)
	if err != nil {
		d.Fatal(err)
	}
	return c
}

// elsewhere makes the shell's store an empty one of the other engine, with files in a folder.
func (d *drill) elsewhere() {
	d.Helper()
	_, lite := d.shell.env["KINEBASE_DATA"]
	for name := range d.shell.env {
		if strings.HasPrefix(name, "KINEBASE_S3") || name == "KINEBASE_DATA" || name == "KINEBASE_DATABASE_URL" {
			delete(d.shell.env, name)
		}
	}
	if lite && !testing.Short() {
		d.shell.env["KINEBASE_DATABASE_URL"] = testkit.Postgres(d).Database(d)
		d.shell.env["KINEBASE_FILES"] = filepath.Join(d.TempDir(), "files")
	} else {
		d.shell.env["KINEBASE_DATA"] = filepath.Join(d.TempDir(), "other")
		delete(d.shell.env, "KINEBASE_FILES")
	}
}

func must[T any](d *drill, v T, err error) T {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
	return v
}

// athlete makes one.
func (d *drill) athlete(name string) string {
	d.Helper()
	a, err := d.client.CreateAthlete(d.Context(), client.AthleteFields{FirstName: &name})
	return must(d, a, err).ID
}

// capture reserves one, sends its file and waits until it was read.
func (d *drill) capture(n int, athletes ...string) string {
	d.Helper()
	r, err := d.client.Reserve(d.Context(),
		client.NewCapture{FileName: "walk.c3d", AthleteIDs: athletes, Activity: "jump", Movement: "squat"})
	must(d, r, err)
	file := c3dtest.File(c3dtest.Options{Points: c3dtest.Many("P", 3+n), Frames: 20 + n})
	testkit.Until(d, "the file is taken",
		func() bool { return d.client.Upload(d.Context(), r, bytes.NewReader(file)) == nil })
	testkit.Until(d, "the file was read", func() bool {
		c, err := d.client.Capture(d.Context(), r.SessionID)
		if must(d, c, err).Status == "error" {
			d.Fatalf("%s: %v", r.SessionID, *c.Error)
		}
		return c.Status == "completed"
	})
	d.files[r.SessionID] = file
	return r.SessionID
}

// rows are all rows of a store, by table, but what a restore changes.
func rows(t testing.TB, s *store.Store) map[string][]string {
	t.Helper()
	var text bytes.Buffer
	w := backup.NewRowWriter(&text)
	if _, err := s.Dump(t.Context(), w); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	r := backup.NewRowReader(&text)
	var head backup.Head
	for {
		h, job, row, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case h != nil:
			head = *h
		case job != nil:
			all["job"] = append(all["job"], job.Work+" "+job.Organization+" "+job.Subject)
		default:
			named := map[string]any{}
			for i, v := range row {
				if name := head.Columns[i]; name != "forgotten" && name != "last_used_at" {
					named[name] = v
				}
			}
			line, err := json.Marshal(named)
			if err != nil {
				t.Fatal(err)
			}
			if head.Table == "secret" && named["name"] == "epoch" { // each restore draws another one
				continue
			}
			all[head.Table] = append(all[head.Table], string(line))
		}
	}
	delete(all, "latest_moment")
	for _, lines := range all {
		slices.Sort(lines)
	}
	return all
}

// answers are what the interface says of everything there is.
func (d *drill) answers(a *apptest.App, export string) map[string]string {
	d.Helper()
	c, all := d.of(a), map[string]string{}
	for _, path := range []string{"/captures?limit=100", "/athletes", "/data/export/job/" + export,
		"/data/export/job/" + export + "/results"} {
		all[path] = string(a.Get(path, d.secret).Want(200).Body)
	}
	for session := range d.files {
		f, err := c.File(d.Context(), session, client.FileQuery{})
		if err != nil {
			d.Fatal(err)
		}
		body := must(d, f, err)
		data, err := io.ReadAll(body)
		all["file of "+session] = string(must(d, data, errors.Join(err, body.Close())))
		all["frames of "+session] = string(a.Get("/captures/"+session+"/frames", d.secret).Want(200).Body)
	}
	return all
}

func same(t testing.TB, what string, got, want map[string][]string) {
	t.Helper()
	for _, table := range slices.Sorted(maps.Keys(want)) {
		if !slices.Equal(got[table], want[table]) {
			t.Errorf("%s: %s has\n%.2000v\nand not\n%.2000v", what, table, strings.Join(got[table], "\n"),
				strings.Join(want[table], "\n"))
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: the tables are %v and not %v", what, slices.Sorted(maps.Keys(got)),
			slices.Sorted(maps.Keys(want)))
	}
}
