package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/kinebase/kinebase/backup"
	"github.com/kinebase/kinebase/internal/blob"
	"github.com/kinebase/kinebase/internal/config"
	"github.com/kinebase/kinebase/internal/store"
)

// Place is where backups are, opened.
type Place struct {
	backup.Place
	close func() error
}

// Close gives it back.
func (p Place) Close() error { return p.close() }

const bucketPlace = "s3://"

// OpenPlace opens a folder, or s3://BUCKET/PREFIX at the service that the settings name.
func OpenPlace(ctx context.Context, c config.Config, where string, log *slog.Logger) (Place, error) {
	name, bucket := strings.CutPrefix(where, bucketPlace)
	if !bucket {
		return openFolder(c, where)
	}
	if !c.S3.Endpoint.Set() {
		return Place{}, errors.New("a bucket for backups is reached as that of files is: set KINEBASE_S3_ENDPOINT, " +
			"its keys and its bucket")
	}
	name, prefix, _ := strings.Cut(name, "/")
	if prefix != "" && !strings.HasSuffix(prefix, "/") {
		prefix += "/"
	}
	if name == c.S3.Bucket && (strings.HasPrefix(prefix, c.S3.Prefix) || strings.HasPrefix(c.S3.Prefix, prefix)) {
		return Place{}, errors.New("the place of backups must not be that of the files: choose another bucket, or a " +
			"prefix beside that of KINEBASE_S3_PREFIX")
	}
	s, err := blob.OpenS3(ctx, blob.S3Options{
		Endpoint: c.S3.Endpoint.Reveal(), PublicEndpoint: c.S3.PublicEndpoint.Reveal(), Region: c.S3.Region,
		Bucket: name, Prefix: prefix,
		AccessKey: c.S3.AccessKeyID, SecretKey: c.S3.SecretKey.Reveal(), MaxSize: 1 << 50, Log: log,
	})
	if err != nil {
		return Place{}, err
	}
	return Place{s, func() error { s.Close(); return nil }}, nil
}

func openFolder(c config.Config, where string) (Place, error) {
	dir, err := filepath.Abs(where)
	if err != nil {
		return Place{}, err
	}
	if c.Files != "" && !c.S3.Endpoint.Set() {
		files, err := filepath.Abs(c.Files)
		if err != nil {
			return Place{}, err
		}
		if inside(dir, files) || inside(files, dir) {
			return Place{}, fmt.Errorf("the folder of backups and that of the files, %s, must not lie in each other",
				files)
		}
	}
	d, err := blob.OpenDisk(dir)
	if err != nil {
		return Place{}, err
	}
	return Place{d, d.Close}, nil
}

// Backup makes a backup of a store.
func Backup(ctx context.Context, c config.Config, s *store.Store, files *Files, p backup.Place,
	program string) (backup.Report, error) {
	return backup.Make(ctx, s, files, p, backup.Options{Program: program, Landings: files.Landings, Keep: c.BackupKeep,
		Now: time.Now})
}

// Restore brings a backup into the store that the settings name, which must be empty.
func Restore(ctx context.Context, c config.Config, p backup.Place, id string, log *slog.Logger) (r backup.Restored,
	err error) {
	files, err := OpenFiles(ctx, c, log)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, files.Close()) }()
	errSome := errors.New("there are files already where this store keeps them: restore into an empty store")
	if err := files.Files.(lister).List(ctx, "", func(string, int64) error { return errSome }); err != nil {
		return r, err
	}
	to := store.Restore(store.Options{Data: c.Data, DatabaseURL: c.DatabaseURL.Reveal(), Log: log})
	defer func() { err = errors.Join(err, to.Close()) }()
	return backup.Restore(ctx, p, id, to, files)
}

// noteEvery is how long an erasure may be missing in the list beside the backups.
const noteEvery = 10 * time.Second

// backups makes backups while the server runs.
type backups struct {
	*App
	store *store.Store
	files *Files

	place    *Place       // nil until it could be opened
	list     *backup.List // as far as it is known; nil: not read yet
	last     atomic.Int64 // when the newest backup was made, in seconds since 1970
	noted    atomic.Int64 // when the list was last up to date, in the same unit
	failures atomic.Int64
}

// keepBackups begins to make backups, where the settings say so.
func (a *App) keepBackups(ctx context.Context, s *store.Store, files *Files) {
	if a.config.Backup == "" {
		return
	}
	b := &backups{App: a, store: s, files: files}
	seconds := func(n *atomic.Int64) func() float64 { return func() float64 { return float64(n.Load()) } }
	a.metrics.Gauge("kinebase_backup_last_success_timestamp_seconds",
		"When the snapshot of the newest finished backup was taken; 0 where there is none.", seconds(&b.last))
	a.metrics.Gauge("kinebase_backup_erasures_noted_timestamp_seconds",
		"When the list of erasures beside the backups was last found complete; 0 until then.", seconds(&b.noted))
	a.metrics.Counter("kinebase_backup_failures_total",
		"Backups that this server could not make, and lists of erasures that it could not bring up to date.",
		seconds(&b.failures))
	ctx, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	a.closers = append(a.closers, func() error {
		stop()
		<-done
		if b.place != nil {
			return b.place.Close()
		}
		return nil
	})
	go func() {
		defer close(done)
		b.loop(ctx)
	}()
}

// loop looks every few seconds whether something was erased, and whether a backup is due.
func (b *backups) loop(ctx context.Context) {
	tick := time.NewTicker(min(noteEvery, b.config.BackupEvery))
	defer tick.Stop()
	for {
		if err := b.step(ctx); err != nil && ctx.Err() == nil && !errors.Is(err, backup.ErrElsewhere) {
			b.failures.Add(1)
			b.log.Error("the backup failed; it is tried again", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (b *backups) step(ctx context.Context) error {
	if b.place == nil {
		p, err := OpenPlace(ctx, b.config, b.config.Backup, b.log)
		if err != nil {
			return err
		}
		b.place = &p
	}
	if err := b.note(ctx); err != nil && !errors.Is(err, backup.ErrElsewhere) {
		return err
	}
	newest, err := backup.ReadManifest(ctx, b.place, "")
	var damaged *backup.Damaged
	if err != nil && !errors.As(err, &damaged) {
		return err
	}
	if err == nil {
		b.last.Store(newest.Made.Unix())
		if time.Since(newest.Made) < b.config.BackupEvery {
			return nil
		}
	}
	r, err := Backup(ctx, b.config, b.store, b.files, b.place, b.version)
	if err != nil {
		return err
	}
	b.last.Store(r.Made.Unix())
	for _, name := range r.Rotten {
		b.log.Warn("a file had changed in the place of backups; it was copied again if the store has it", "file", name)
	}
	for _, name := range r.Unlike {
		b.log.Warn("a file that had changed in the place of backups is another one in the store too", "file", name)
	}
	for _, id := range r.Damaged {
		b.log.Warn("a backup is damaged and cannot be restored; it goes when it is old", "backup", id)
	}
	b.log.Info("backed up", "backup", r.ID, "files", r.Files, "copied", r.Copied, "bytes", r.CopiedBytes, "missing",
		r.Missing, "removed", r.Removed)
	return nil
}

// note brings the list of erasures up to date. The place is asked only when there is something new.
func (b *backups) note(ctx context.Context) error {
	now := time.Now()
	if b.list != nil {
		fresh, err := b.store.Erasures(ctx, b.list)
		if err != nil {
			b.list = nil
			return err
		}
		if len(fresh) == 0 {
			b.noted.Store(now.Unix())
			return nil
		}
	}
	b.list = nil
	if _, err := backup.Note(ctx, b.store, b.place, time.Now); err != nil {
		return err
	}
	list, err := backup.ReadList(ctx, b.place)
	if err != nil {
		return err
	}
	b.list = list
	b.noted.Store(now.Unix())
	return nil
}
