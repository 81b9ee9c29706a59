package cli_test

import (
	"bytes"
	"cmp"
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/store/db"

	"github.com/jackc/pgx/v5"
	_ "github.com/ncruces/go-sqlite3/driver"

	"github.com/kinebase/kinebase/internal/app"
	"github.com/kinebase/kinebase/internal/blob"
	"github.com/kinebase/kinebase/internal/console"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/openid"
	"github.com/kinebase/kinebase/web"
)

// patient is a store with a capture in it, and a server that has stopped.
type patient struct {
	*drill
	session string
}

func patients(t *testing.T, test func(p patient)) {
	drills(t, func(d *drill) {
		p := patient{d, d.capture(0, d.athlete("Ada"))}
		if err := d.app.Stop(); err != nil {
			d.Fatal(err)
		}
		test(p)
	})
}

// examined runs the doctor and gives its findings of a check.
func (p patient) examined(code int, check string, flags ...string) (found []app.Finding) {
	p.Helper()
	r := p.shell.run(append([]string{"doctor", "--json"}, flags...)...)
	if r.code != code {
		p.Fatalf("the doctor ended with %d, not %d:\n%s%s", r.code, code, r.out, r.err)
	}
	r.code = 0
	var all []app.Finding
	r.into(&all)
	for _, f := range all {
		if f.Level != app.Fine && f.Do == "" {
			p.Errorf("nothing is said of what to do: %+v", f)
		}
		if f.Check == check {
			found = append(found, f)
		}
	}
	return found
}

// finds holds the doctor to a finding.
func (p patient) finds(check string, level app.Level, says string, flags ...string) app.Finding {
	p.Helper()
	code := 0
	if level == app.Wrong {
		code = 1
	}
	found := p.examined(code, check, flags...)
	at := slices.IndexFunc(found,
		func(f app.Finding) bool { return f.Level == level && strings.Contains(f.Says, says) })
	if at < 0 {
		p.Fatalf("%s: no %s with %q in %+v", check, level, says, found)
	}
	return found[at]
}

// files are the paths of the files of captures.
func (p patient) files() (paths []string) {
	p.Helper()
	err := filepath.WalkDir(filepath.Join(p.shell.env["KINEBASE_DATA"], "files"),
		func(path string, e os.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() {
				paths = append(paths, path)
			}
			return err
		})
	return must(p.drill, paths, err)
}

// sql changes the embedded store under Kinebase.
func (p patient) sql(statements ...string) {
	p.Helper()
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(p.shell.env["KINEBASE_DATA"], db.FileName))
	must(p.drill, db, err)
	defer func() { _ = db.Close() }()
	for _, s := range statements {
		if _, err := db.ExecContext(p.Context(), s); err != nil {
			p.Fatalf("%s: %v", s, err)
		}
	}
}

func TestADoctorFindsNothingWrongWithAStoreThatIsWell(t *testing.T) {
	testkit.Long(t)
	patients(t, func(p patient) {
		r := p.shell.run("doctor").ok()
		if strings.Contains(r.out, "error ") || !strings.Contains(r.out, "No file of organization "+p.org) {
			t.Error(r.out)
		}
		p.finds("totals", app.Fine, "right")
		p.finds("strays", app.Fine, "named")
		p.finds("clock", app.Fine, "")
		if pages, err := console.NewPages(web.Dist()); err != nil || !pages.Built() {
			p.finds("console", app.Warning, "not built")
		} else {
			p.finds("console", app.Fine, "built in")
		}
		p.finds("backup", app.Warning, "No place")
		p.shell.env["KINEBASE_BACKUP"] = p.place
		p.finds("backup", app.Wrong, "no finished backup")
		p.shell.run("backup").ok()
		p.finds("backup", app.Fine, "whole")
	})
}

// copied makes a folder a copy of another, with its permissions.
func copied(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		there := filepath.Join(to, strings.TrimPrefix(path, from))
		if e.IsDir() {
			return os.Mkdir(there, info.Mode().Perm())
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(there, data, info.Mode().Perm())
	})
	if err != nil {
		t.Fatal(err)
	}
}

// keepsFilesIn has the patient's server use a bucket.
func (p patient) keepsFilesIn(b testkit.S3Bucket) {
	for name, value := range map[string]string{"ENDPOINT": b.Endpoint, "REGION": cmp.Or(b.Region, "us-east-1"),
		"BUCKET": b.Name, "ACCESS_KEY_ID": b.AccessKey, "SECRET_ACCESS_KEY": b.SecretKey} {
		p.shell.env["KINEBASE_S3_"+name] = value
	}
}

// contradictions are settings that do not go together, by what is said of them. Those of sign-in stand on their own
// below.
var contradictions = map[string]map[string]string{
	"A file may be larger": {"FILE_STORAGE": "1MiB", "MAX_UPLOAD": "2GiB"},
	"KINEBASE_FILES has no effect": {"FILES": "/tmp/files", "S3_ENDPOINT": "http://127.0.0.1:1", "S3_BUCKET": "b",
		"S3_ACCESS_KEY_ID": "k", "S3_SECRET_ACCESS_KEY": "s"},
	"Folders are named for a video": {"VIDEO_FOLDERS": "/opt/pose"},
	"KINEBASE_MIGRATE_DATABASE_URL": {"MIGRATE_DATABASE_URL": "postgres://owner@db.example.org/kinebase"},
	"Backups are removed almost":    {"BACKUP": "/nowhere", "BACKUP_EVERY": "1h", "BACKUP_KEEP": "90m"},
	"KINEBASE_OIDC_SCOPES has no openid": {"OIDC_ISSUER": "http://127.0.0.1:1", "OIDC_CLIENT_ID": "kinebase",
		"OIDC_SCOPES": "profile", "OIDC_ROLE_MAP": "a=admin", "PUBLIC_URL": "https://kb.example"},
}

// TestADoctorFindsWhatIsBroken breaks one thing after the other, each in a copy of one store.
func TestADoctorFindsWhatIsBroken(t *testing.T) {
	testkit.Long(t)
	d := &drill{T: t, shell: newShell(t), files: map[string][]byte{}}
	d.app = d.serve()
	d.org = d.app.Organization()
	d.secret = d.app.Token(d.org)
	d.client = d.of(d.app)
	well := patient{d, d.capture(0)}
	if err := d.app.Stop(); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(p patient){
		"a file is missing": func(p patient) {
			for _, path := range p.files() {
				if strings.Contains(path, "original") {
					_ = os.Remove(path)
				}
			}
			p.finds("missing", app.Wrong, p.session)
		},
		"a file has other bytes": func(p patient) {
			for _, path := range p.files() {
				if strings.Contains(path, "original") {
					data, err := os.ReadFile(path)
					must(p.drill, data, err)[7] ^= 1
					_ = os.WriteFile(path, data, 0o600)
				}
			}
			p.finds("checksums", app.Wrong, p.session)
		},
		"a table is cut off": func(p patient) {
			for _, path := range p.files() {
				if strings.HasSuffix(path, ".parquet") {
					if err := os.Truncate(path, 1000); err != nil {
						p.Fatal(err)
					}
				}
			}
			p.finds("tables", app.Wrong, p.session)
		},
		"a byte of a table is another": func(p patient) {
			for _, path := range p.files() {
				if strings.HasSuffix(path, ".parquet") {
					data, err := os.ReadFile(path)
					must(p.drill, data, err)[len(data)/5] ^= 1
					_ = os.WriteFile(path, data, 0o600)
				}
			}
			p.finds("tables", app.Wrong, p.session)
		},
		"a table is of the time before tables had checksums": func(p patient) {
			old, err := os.ReadFile(filepath.Join("..", "..", "frames", "testdata", "plain.parquet"))
			for _, path := range p.files() {
				if strings.HasSuffix(path, ".parquet") {
					_ = os.WriteFile(path, must(p.drill, old, err), 0o600)
				}
			}
			p.finds("plain", app.Fine, p.session)
		},
		"a file is there that nothing names": func(p patient) {
			before := p.files()
			path := filepath.Join(p.shell.env["KINEBASE_DATA"], "files", "original", "org="+p.org, "stray")
			if err := os.WriteFile(path, []byte("stray"), 0o600); err != nil {
				p.Fatal(err)
			}
			foreign := filepath.Join(p.shell.env["KINEBASE_DATA"], "files", "original", "somebody's")
			if err := os.WriteFile(foreign, []byte("not ours"), 0o600); err != nil {
				p.Fatal(err)
			}
			p.finds("strays", app.Warning, "stray")
			if f := p.finds("strays", app.Warning, "stray", "--repair"); !f.Repaired {
				p.Errorf("%+v", f)
			}
			p.finds("strays", app.Fine, "")
			if after := p.files(); len(after) != len(before)+1 {
				p.Errorf("the repair left %v", after)
			}
		},
		"a sum is wrong": func(p patient) {
			p.sql(`UPDATE recording_bytes SET bytes = bytes + 5`)
			p.finds("totals", app.Wrong, "bytes of files")
		},
		"a capture is gone behind the lists": func(p patient) {
			p.sql(`DELETE FROM capture`)
			p.finds("totals", app.Wrong, "0 captures")
		},
		"the database is damaged": func(p patient) {
			p.sql(`PRAGMA wal_checkpoint(TRUNCATE)`)
			path := filepath.Join(p.shell.env["KINEBASE_DATA"], db.FileName)
			data, err := os.ReadFile(path)
			for at := 5; at < len(must(p.drill, data, err))/4096; at += 3 {
				copy(data[4096*at:], bytes.Repeat([]byte{0x5a}, 60))
			}
			_ = os.WriteFile(path, data, 0o600)
			r := p.shell.run("doctor")
			if r.code != 1 || !strings.Contains(r.out, "restore") {
				p.Errorf("the doctor ended with %d: %s", r.code, r.out)
			}
		},
		"others may look into the folder": func(p patient) {
			if err := os.Chmod(p.shell.env["KINEBASE_DATA"], 0o755); err != nil {
				p.Fatal(err)
			}
			p.finds("permissions", app.Warning, "may look into")
			p.finds("permissions", app.Warning, "may look into", "--repair")
			if found := p.examined(0, "permissions"); slices.ContainsFunc(found,
				func(f app.Finding) bool { return f.Level != app.Fine }) {
				p.Errorf("after the repair: %+v", found)
			}
		},
		"two organizations have names that differ in case alone": func(p patient) {
			p.sql(`INSERT INTO organization (id, name, created_at) VALUES (randomblob(16), 'Twin', 1), (randomblob(16), 'twin', 2)`)
			p.finds("names", app.Warning, "twin")
		},
		"the clock is behind": func(p patient) {
			p.sql(`INSERT INTO latest_moment (one, moment) VALUES (1, 0) ON CONFLICT DO NOTHING`,
				`UPDATE latest_moment SET moment = `+sqlMicros(time.Now().Add(time.Hour)))
			p.finds("clock", app.Wrong, "apart")
		},
		"Redis is away": func(p patient) {
			p.shell.env["KINEBASE_REDIS_URL"] = "redis://127.0.0.1:1"
			p.finds("redis", app.Wrong, "does not answer")
		},
		"there is no video processor": func(p patient) {
			p.shell.env["KINEBASE_VIDEO_PROCESSOR"] = "/nowhere/run {input} {output}"
			p.finds("video", app.Wrong, "cannot be run")
		},
		"settings contradict each other": func(p patient) {
			for says, settings := range contradictions {
				for name, value := range settings {
					p.shell.env["KINEBASE_"+name] = value
				}
				r := p.shell.run("doctor")
				if line := strings.Index(r.out, "settings: "+says); line < 0 ||
					!strings.Contains(strings.SplitN(r.out[line:], "\n", 3)[1], "→ ") {
					p.Errorf("with %v nothing is said of %q:\n%s%s", settings, says, r.out, r.err)
				}
				for name := range settings {
					delete(p.shell.env, "KINEBASE_"+name)
				}
			}
		},
		"the OpenID provider is away, and its settings contradict each other": func(p patient) {
			for name, value := range map[string]string{"OIDC_ISSUER": "http://127.0.0.1:1",
				"OIDC_CLIENT_ID": "kinebase", "OIDC_AUDIENCE": "kinebase", "OIDC_ROLE_MAP": "a=admin",
				"PUBLIC_URL": "http://kb.example"} {
				p.shell.env["KINEBASE_"+name] = value
			}
			p.finds("sign-in", app.Wrong, "cannot be asked")
			code := p.examined(1, "settings")
			for _, says := range []string{"same audience", "public client", "over HTTP"} {
				if !slices.ContainsFunc(code,
					func(f app.Finding) bool { return f.Level == app.Warning && strings.Contains(f.Says, says) }) {
					p.Errorf("nothing is said of %q: %+v", says, code)
				}
			}
		},
		"people sign in": func(p patient) {
			at := openid.Start(p)
			for name, value := range map[string]string{"OIDC_ISSUER": at.Issuer, "OIDC_CLIENT_ID": "kinebase",
				"OIDC_CLIENT_SECRET": "secret", "OIDC_ROLE_MAP": "a=admin", "PUBLIC_URL": "https://kb.example"} {
				p.shell.env["KINEBASE_"+name] = value
			}
			p.finds("sign-in", app.Fine, "shows its keys")
		},
		"the bucket is away": func(p patient) {
			p.keepsFilesIn(testkit.S3Bucket{Endpoint: "http://127.0.0.1:1", Name: "b", AccessKey: "k", SecretKey: "s"})
			p.finds("files", app.Wrong, "cannot be reached")
		},
		"the bucket refuses the key": func(p patient) {
			b := testkit.Bucket(p.T)
			b.SecretKey = "another " + b.SecretKey
			p.keepsFilesIn(b)
			p.finds("files", app.Wrong, "cannot be used")
		},
		"the key of the bucket may only read": func(p patient) {
			p.keepsFilesIn(testkit.Bucket(p.T).Allowing(t, []string{"s3:ListBucket"}, []string{"s3:GetObject"}))
			p.finds("files", app.Wrong, "cannot be written to with this access key")
		},
		"a bucket lacks a file, and has one that nothing names": func(p patient) {
			b := testkit.Bucket(p.T)
			p.keepsFilesIn(b)
			bucket, err := blob.OpenS3(p.Context(), blob.S3Options{Endpoint: b.Endpoint, Region: b.Region,
				Bucket: b.Name, AccessKey: b.AccessKey, SecretKey: b.SecretKey})
			defer must(p.drill, bucket, err).Close()
			kept := map[string]string{"original/org=" + p.org + "/stray": "stray"}
			for _, path := range p.files() {
				data, err := os.ReadFile(path)
				_, name, _ := strings.Cut(filepath.ToSlash(path), "/files/")
				kept[name] = string(must(p.drill, data, err))
			}
			put := func(originals bool) {
				for name, text := range kept {
					if strings.HasPrefix(name, "original/") == originals {
						_, err := bucket.Put(p.Context(), name, strings.NewReader(text), int64(len(text)))
						must(p.drill, name, err)
					}
				}
			}
			put(false)
			p.finds("missing", app.Wrong, p.session)
			put(true)
			p.finds("missing", app.Fine, "")
			p.finds("strays", app.Warning, "stray")
			if f := p.finds("strays", app.Warning, "stray", "--repair"); !f.Repaired {
				p.Errorf("%+v", f)
			}
			p.finds("strays", app.Fine, "")
		},
		"nothing can be written into the folder of files": func(p patient) {
			p.shell.env["KINEBASE_FILES"] = "/proc/self"
			p.finds("permissions", app.Wrong, "nothing can be written")
		},
		"the newest backup is cut off": func(p patient) {
			p.shell.env["KINEBASE_BACKUP"] = p.place
			p.shell.run("backup").ok()
			paths, err := filepath.Glob(filepath.Join(p.place, "backups", "*", "manifest.json"))
			if err := os.Truncate(must(p.drill, paths, err)[0], 40); err != nil {
				p.Fatal(err)
			}
			p.finds("backup", app.Wrong, "cut off")
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := &drill{T: t, shell: newShell(t), place: filepath.Join(t.TempDir(), "backups"), org: well.org}
			copied(t, well.shell.env["KINEBASE_DATA"], d.shell.env["KINEBASE_DATA"])
			p := patient{d, well.session}
			spoil(p)
		})
	}
}

func sqlMicros(at time.Time) string { return strconv.FormatInt(at.UnixMicro(), 10) }

func TestADoctorFindsATableWithoutItsWall(t *testing.T) {
	testkit.Long(t)
	d := &drill{T: t, shell: newShell(t)}
	delete(d.shell.env, "KINEBASE_DATA")
	url := testkit.Postgres(t).Database(t)
	d.shell.env["KINEBASE_DATABASE_URL"], d.shell.env["KINEBASE_FILES"] = url, t.TempDir()
	if err := os.Chmod(d.shell.env["KINEBASE_FILES"], 0o700); err != nil {
		t.Fatal(err)
	}
	d.shell.organization("A")
	p := patient{d, ""}
	p.finds("wall", app.Fine, "")
	p.finds("role", app.Warning, "could turn")
	conn, err := pgx.Connect(t.Context(), url)
	must(d, conn, err)
	defer func() { _ = conn.Close(t.Context()) }()
	if _, err := conn.Exec(t.Context(), `ALTER TABLE athlete NO FORCE ROW LEVEL SECURITY`); err != nil {
		t.Fatal(err)
	}
	p.finds("wall", app.Wrong, "athlete")
}
