package bench

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/kinebase/kinebase/internal/intake"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/internal/testkit/fixture"
	"github.com/kinebase/kinebase/organization"
)

// dataset is a filled store with the tables of the obvious implementation beside
// it. It is made once and kept for the next run.
type dataset struct {
	name          string // "spread, 1,000,000"
	organizations []fixture.Organization
	data, url     string // the store: a folder, or a database
	tables        string // the obvious tables: a file
	tablesURL     string // or a database
	made          made
}

// made is what is kept about a data set beside it.
type made struct {
	Secret   string  // a token of the largest organization
	Records  int     // athletes and captures
	Seconds  float64 // how long their import took
	Peak     int64   // the memory of the process that did it, in bytes
	Written  int64   // what it wrote to the disk, the log of the database included
	Cost     float64 // its processor time, in seconds
	Manifest int64   // bytes of the manifests
}

// shape is what a data set is made from.
type shape struct {
	name     string
	captures int
	times    fixture.Times
	athletes int // of the only organization, which has no captures; 0: as many as suit the captures
}

func (s shape) String() string { return s.name + ", " + thousands(int64(s.captures+s.athletes)) }

// organizations are five, of which the largest has 60 %.
func (s shape) organizations() []fixture.Organization {
	if s.athletes > 0 {
		return []fixture.Organization{{ID: fmt.Sprintf("0190f0e5-7b1c-7cc3-98c4-%012d", 1), Athletes: s.athletes}}
	}
	million := fixture.Million("")
	var list []fixture.Organization
	for i, share := range []int{60, 10, 10, 10, 10} {
		list = append(list, fixture.Organization{
			ID:       fmt.Sprintf("0190f0e5-7b1c-7cc3-98c4-%012d", i+1),
			Athletes: million.Athletes * s.captures / million.Captures * share / 100,
			Captures: s.captures * share / 100,
			Shared:   million.Shared,
			Times:    s.times,
		})
	}
	return list
}

// version changes with everything that a kept data set depends on.
func version() (string, error) {
	h := sha256.New()
	for _, dir := range []string{"../store/migrations", "../store/tally", "../testkit/fixture", "../../capture", "."} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil || d.IsDir():
				return err
			case dir == "." && path != "obviousfill_test.go",
				dir != "." && strings.HasSuffix(path, "_test.go"):
				return nil
			}
			b, err := os.ReadFile(path)
			_, _ = h.Write(b)
			return err
		})
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil))[:12], nil
}

// get gives the data set of a shape, made where there is none. postgres is nil
// for SQLite.
func get(ctx context.Context, s shape, postgres *cluster, say func(string, ...any)) (*dataset, error) {
	v, err := version()
	if err != nil {
		return nil, err
	}
	engine := "sqlite"
	if postgres != nil {
		engine = "postgres"
	}
	if err := os.MkdirAll(folder(), 0o755); err != nil { // PostgreSQL's account must get through
		return nil, err
	}
	name := fmt.Sprintf("%s-%s-%d", engine, strings.ReplaceAll(s.name, " ", "-"), s.captures+s.athletes)
	dir := filepath.Join(folder(), name+"-"+v)
	d := &dataset{name: s.String(), organizations: s.organizations()}
	if postgres != nil {
		base := strings.ReplaceAll(name+"_"+v, "-", "_")
		d.url, d.tablesURL = postgres.url(base), postgres.url(base+"_obvious")
	} else {
		d.data, d.tables = filepath.Join(dir, "data"), filepath.Join(dir, "obvious.db")
	}
	note := filepath.Join(dir, "made.json")
	raw, err := os.ReadFile(note)
	if err == nil {
		return d, json.Unmarshal(raw, &d.made)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	// What an older version or a broken run left is of no use.
	old, _ := filepath.Glob(filepath.Join(folder(), name+"-*"))
	for _, o := range old {
		if err := os.RemoveAll(o); err != nil {
			return nil, err
		}
	}
	if postgres != nil {
		base := strings.ReplaceAll(name+"_"+v, "-", "_")
		if err := postgres.recreate(ctx, strings.ReplaceAll(name, "-", "_")+"_", base, base+"_obvious"); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	say("making the data set %s on %s", d.name, engine)
	if d.made, err = d.fill(ctx, dir); err != nil {
		return nil, err
	}
	o, err := openObvious(ctx, d.tables, d.tablesURL)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(o.fill(ctx, d.tablesURL, d.organizations), o.close()); err != nil {
		return nil, err
	}
	raw, err = json.Marshal(d.made)
	if err != nil {
		return nil, err
	}
	return d, os.WriteFile(note, raw, 0o600)
}

// fill makes the store by importing manifests in a process of its own.
func (d *dataset) fill(ctx context.Context, dir string) (made, error) {
	var m made
	var err error
	if m.Secret, err = prepare(ctx, d.data, d.url, d.organizations); err != nil {
		return m, err
	}
	j := job{Role: roleImport, Data: d.data, URL: d.url}
	for i, o := range d.organizations {
		path := filepath.Join(dir, fmt.Sprintf("manifest-%d.ndjson", i))
		if err := writeManifest(path, o); err != nil {
			return m, err
		}
		info, err := os.Stat(path)
		if err != nil {
			return m, err
		}
		m.Manifest += info.Size()
		m.Records += o.Len()
		j.Manifests = append(j.Manifests, manifestFile{o.ID, path})
		defer os.Remove(path)
	}
	c, err := start(j)
	if err != nil {
		return m, err
	}
	line, err := c.line()
	if err != nil {
		return m, errors.Join(err, c.end())
	}
	if _, err := fmt.Sscan(line, &m.Seconds, &m.Peak, &m.Written, &m.Cost); err != nil {
		return m, err
	}
	return m, c.end()
}

// prepare makes a store with organizations and a token of the first of them,
// whose secret it gives.
func prepare(ctx context.Context, data, url string, organizations []fixture.Organization) (secret string, err error) {
	s, err := store.Open(ctx, store.Options{Data: data, DatabaseURL: url})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	for _, o := range organizations {
		if err := s.CreateOrganization(ctx, organization.Organization{ID: organization.In(o.ID).Organization,
			Name: "Laboratory " + o.ID, CreatedAt: time.Now().UTC()}); err != nil {
			return "", err
		}
	}
	t, hidden, err := organization.NewToken(organization.In(organizations[0].ID).Organization, "bench",
		organization.AllPermissions, 0, time.Now().UTC())
	if err != nil {
		return "", err
	}
	return string(hidden), s.CreateToken(ctx, organization.Scope{Organization: t.Organization}, t, hidden.Hash(), nil)
}

func writeManifest(path string, o fixture.Organization) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(f, 1<<20)
	return errors.Join(o.WriteNDJSON(out), out.Flush(), f.Close())
}

// importManifests does what kinebase import does, and says how long it took and
// what memory.
func (j job) importManifests() error {
	ctx := context.Background()
	begun := time.Now()
	s, err := store.Open(ctx, store.Options{Data: j.Data, DatabaseURL: j.URL})
	if err != nil {
		return err
	}
	for _, m := range j.Manifests {
		im := intake.Import{Store: s, Series: s.Series(), Records: s.ImportRecords(),
			Scope: organization.In(m.Organization)}
		sum, err := im.Run(ctx, m.Path)
		if err == nil && sum.Failed > 0 {
			err = fmt.Errorf("%d records were refused", sum.Failed)
		}
		if err != nil {
			return errors.Join(err, s.Close())
		}
	}
	if err := s.Close(); err != nil {
		return err
	}
	took := time.Since(begun).Seconds()
	most, err := peak("self")
	if err != nil {
		return err
	}
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return err
	}
	cost := time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
	fmt.Println(strconv.FormatFloat(took, 'f', 3, 64), most, u.Oublock*512, strconv.FormatFloat(cost, 'f', 3, 64))
	return nil
}

// folder is where data sets are kept.
func folder() string {
	base := os.Getenv("BENCH_DIR")
	if base == "" {
		base = os.TempDir()
	}
	return filepath.Join(base, "kinebase-bench")
}
