package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/kinebase/kinebase/backup"
	"github.com/kinebase/kinebase/internal/config"
	"github.com/kinebase/kinebase/internal/console"
	"github.com/kinebase/kinebase/internal/limit"
	"github.com/kinebase/kinebase/internal/process"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/web"
)

// Finding is what a doctor found.
type Finding struct {
	Check    string `json:"check"`
	Level    Level  `json:"level"`
	Says     string `json:"says"`
	Do       string `json:"do,omitempty"` // what to do about it; "" where there is nothing to do
	Repaired bool   `json:"repaired,omitempty"`
}

// Level is how bad a finding is.
type Level string

// The levels.
const (
	Fine    Level = "ok"
	Warning Level = "warning"
	Wrong   Level = "error"
)

// Doctor looks at everything that a server needs.
type Doctor struct {
	Config  config.Config
	Log     *slog.Logger
	Repair  bool // mend what can be mended safely
	Samples int  // so many originals and so many tables of each organization are read, others each time
	Found   func(Finding)

	store *store.Store
	files *Files
}

func (d *Doctor) tell(check string, level Level, do, format string, args ...any) {
	d.Found(Finding{Check: check, Level: level, Says: fmt.Sprintf(format, args...), Do: do})
}

// Examine goes through all checks, and goes on after each that fails. The error is that of a context that
// ended.
func (d *Doctor) Examine(ctx context.Context) (err error) {
	d.settings()
	d.folders()
	d.programs()
	d.redis(ctx)
	d.backups(ctx)
	d.provider(ctx)
	d.store, err = store.Open(ctx, store.Options{Data: d.Config.Data, DatabaseURL: d.Config.DatabaseURL.Reveal(),
		Log: d.Log})
	if err != nil {
		d.tell("store", Wrong, "Mend what the sentence says; where the store is damaged, restore a backup into an "+
			"empty place.", "The store cannot be opened: %v.", err)
		return ctx.Err()
	}
	defer func() { err = errors.Join(err, d.store.Close()) }()
	d.database(ctx)
	if d.files, err = OpenFiles(ctx, d.Config, d.Log); err != nil {
		d.tell("files", Wrong, "Mend what the sentence says: the server does not start without its files.",
			"The files cannot be used: %v.", err)
		return ctx.Err()
	}
	defer func() { err = errors.Join(err, d.files.Close()) }()
	if err := d.lookThrough(ctx); err != nil {
		d.tell("files", Wrong, "Try it again when the disk or the bucket answers.",
			"The files could not be looked through: %v.", err)
	}
	return ctx.Err()
}

// settings finds those that have no effect, or contradict each other.
func (d *Doctor) settings() {
	c := d.Config
	fine := true
	odd := func(condition bool, do, says string) {
		if condition {
			fine = false
			d.tell("settings", Warning, do, "%s", says)
		}
	}
	odd(c.S3.Endpoint.Set() && c.Files != "", "Unset KINEBASE_FILES, or KINEBASE_S3_ENDPOINT.",
		"KINEBASE_FILES has no effect beside a bucket.")
	odd(c.VideoProcessor == "" && len(c.VideoFolders)+len(c.VideoWritable) > 0,
		"Set KINEBASE_VIDEO_PROCESSOR, or unset the folders.",
		"Folders are named for a video processor, and there is none.")
	odd(c.MigrateDatabaseURL.Set() && !c.DatabaseURL.Set(), "Set KINEBASE_DATABASE_URL to the same database.",
		"KINEBASE_MIGRATE_DATABASE_URL is set, and no database that serves.")
	odd(c.MaxUpload > c.FileStorage && c.FileStorage > 0, "Lower KINEBASE_MAX_UPLOAD, or raise KINEBASE_FILE_STORAGE.",
		"A file may be larger than all files of an organization together.")
	odd(c.Backup != "" && c.BackupKeep < 2*c.BackupEvery,
		"Raise KINEBASE_BACKUP_KEEP to several times KINEBASE_BACKUP_EVERY.",
		"Backups are removed almost as soon as another one is made.")
	odd(c.OIDC.Audience != "" && c.OIDC.Audience == c.OIDC.ClientID,
		"Give the interface a name of its own at the provider, and set it as KINEBASE_OIDC_AUDIENCE.",
		"Access tokens are to be made for the same audience as sign-ins to the console: whatever the provider signs "+
			"for one could be taken for the other.")
	odd(c.OIDC.ClientID != "" && !c.OIDC.ClientSecret.Set(),
		"Make the client a confidential one at the provider, and set KINEBASE_OIDC_CLIENT_SECRET or _FILE.",
		"The console signs people in as a public client, without a secret.")
	odd(c.OIDC.Issuer.Set() && strings.HasPrefix(c.PublicURL.Reveal(), "http://"),
		"Put TLS before the server, and set KINEBASE_PUBLIC_URL to its address.",
		"People sign in by an OpenID provider, and their sessions go over HTTP.")
	odd(c.OIDC.ClientID != "" && !slices.Contains(c.OIDC.Scopes, "openid"), "Add openid to KINEBASE_OIDC_SCOPES.",
		"KINEBASE_OIDC_SCOPES has no openid, which is asked for all the same.")
	if fine {
		d.tell("settings", Fine, "", "The settings do not contradict each other.")
	}
}

// programs looks at what is built in and what is run.
func (d *Doctor) programs() {
	if pages, err := console.NewPages(web.Dist()); err != nil || !pages.Built() {
		d.tell("console", Warning, "Build the program with make build, or make console first.",
			"The console is not built into this program; everything else works.")
	} else {
		d.tell("console", Fine, "", "The console is built in.")
	}
	if d.Config.VideoProcessor == "" {
		return
	}
	command, err := process.ParseCommand(d.Config.VideoProcessor)
	if err == nil {
		_, err = exec.LookPath(command[0])
	}
	if err == nil {
		err = checkFolders(d.Config, d.Log)
	}
	if err != nil {
		d.tell("video", Wrong, "Correct KINEBASE_VIDEO_PROCESSOR and its folders.",
			"The video processor cannot be run: %v.", err)
		return
	}
	d.tell("video", Fine, "", "The video processor is there.")
}

func (d *Doctor) redis(ctx context.Context) {
	if !d.Config.RedisURL.Set() {
		return
	}
	if err := limit.Answers(ctx, d.Config.RedisURL.Reveal()); err != nil {
		d.tell("redis", Wrong, "Start Redis, or correct KINEBASE_REDIS_URL; until then each server gives its share "+
			"of the limits.", "Redis does not answer: %v.", err)
		return
	}
	d.tell("redis", Fine, "", "Redis answers.")
}

// provider asks the OpenID provider.
func (d *Doctor) provider(ctx context.Context) {
	p := NewProvider(d.Config, d.Log)
	if p == nil {
		return
	}
	if err := p.Check(ctx); err != nil {
		d.tell("sign-in", Wrong,
			"Start the provider, or correct KINEBASE_OIDC_ISSUER to what it calls itself; until then nobody signs in "+
				"by it, and tokens count as ever.", "The OpenID provider cannot be asked: %v.", err)
		return
	}
	d.tell("sign-in", Fine, "", "The OpenID provider answers, and shows its keys.")
}

// backups looks whether there is a new one.
func (d *Doctor) backups(ctx context.Context) {
	if d.Config.Backup == "" {
		d.tell("backup", Warning, "Set KINEBASE_BACKUP, or run kinebase backup by a timer.",
			"No place for backups is set.")
		return
	}
	var m backup.Manifest
	place, err := OpenPlace(ctx, d.Config, d.Config.Backup, d.Log)
	if err == nil {
		m, _, err = backup.Check(ctx, place, "", false)
		err = errors.Join(err, place.Close())
	}
	if err != nil {
		d.tell("backup", Wrong, "Run kinebase backup, and see what it says.",
			"There is no backup that could be restored: %v.", err)
		return
	}
	level, says, do := judgeBackup(time.Since(m.Made), d.Config.BackupEvery)
	d.tell("backup", level, do, "%s", says)
}

// judgeBackup says what the age of the newest backup means, where one is to be made every so often: two may be missed.
func judgeBackup(age, every time.Duration) (level Level, says, do string) {
	old := age.Round(time.Second)
	if age > 2*every+time.Minute {
		return Wrong, fmt.Sprintf("The newest backup is %s old, and one is to be made every %s.", old, every),
			"Look for failed backups in the log of the servers, and run kinebase backup."
	}
	return Fine, fmt.Sprintf("The newest backup is whole and %s old.", old), ""
}

// folders looks at the folders of the store.
func (d *Doctor) folders() {
	folders := map[string]string{"the data folder": d.Config.Data}
	if !d.Config.S3.Endpoint.Set() {
		folders["the folder of files"] = d.Config.Files
	}
	for what, dir := range folders {
		if dir == "" || d.Config.DatabaseURL.Set() && dir == d.Config.Data {
			continue
		}
		d.folder(what, dir)
	}
}

func (d *Doctor) folder(what, dir string) {
	info, err := os.Stat(dir)
	if errors.Is(err, os.ErrNotExist) {
		return // it is made
	}
	if err == nil {
		var f *os.File
		if f, err = os.CreateTemp(dir, ".doctor-*"); err == nil {
			err = errors.Join(f.Close(), os.Remove(f.Name()))
		}
	}
	if err != nil {
		d.tell("permissions", Wrong, "Give the account of the server the folder: chown, chmod 700.",
			"In %s, %s, nothing can be written: %v.", what, dir, err)
		return
	}
	if open := info.Mode().Perm() & 0o077; open != 0 {
		f := Finding{Check: "permissions", Level: Warning,
			Says: fmt.Sprintf("Other accounts of the machine may look into %s, %s.", what, dir), Do: "chmod 700 " + dir}
		if d.Repair && os.Chmod(dir, 0o700) == nil {
			f.Repaired = true
		}
		d.Found(f)
	} else {
		d.tell("permissions", Fine, "", "%s is the server's alone.", dir)
	}
	d.space(what, dir)
}
