package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"time"

	"github.com/kinebase/kinebase/breaker"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/internal/blob"
	"github.com/kinebase/kinebase/internal/config"
	"github.com/kinebase/kinebase/internal/jobs"
	"github.com/kinebase/kinebase/internal/process"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/internal/webhooks"
	"github.com/kinebase/kinebase/upload"
)

// Files are where the bytes of motion files lie, and how they get there.
type Files struct {
	upload.Files
	// These are nil where files are sent to the server itself.
	Forms    upload.Forms
	Landings upload.Landings
	Composer upload.Composer
	Bucket   *breaker.Breaker                // of the bucket
	tidy     func() (removed int, err error) // nil where files are in a bucket
	close    func() error
}

// Close gives the folder or the connections back.
func (f *Files) Close() error { return f.close() }

// OpenFiles opens the bucket or the folder that is configured.
func OpenFiles(ctx context.Context, c config.Config, log *slog.Logger) (*Files, error) {
	return openFiles(ctx, c, log, nil)
}

func openFiles(ctx context.Context, c config.Config, log *slog.Logger, after breaker.Timer) (*Files, error) {
	if !c.S3.Endpoint.Set() {
		if c.Files == "" {
			return nil, errors.New("there is no folder to keep files in: name one with KINEBASE_FILES, or a bucket " +
				"with KINEBASE_S3_ENDPOINT")
		}
		disk, err := blob.OpenDisk(c.Files)
		if err != nil {
			return nil, err
		}
		return &Files{Files: disk, tidy: disk.Tidy, close: disk.Close}, nil
	}
	bucket, err := blob.OpenS3(ctx, blob.S3Options{
		Endpoint: c.S3.Endpoint.Reveal(), PublicEndpoint: c.S3.PublicEndpoint.Reveal(),
		Region: c.S3.Region, Bucket: c.S3.Bucket, Prefix: c.S3.Prefix,
		AccessKey: c.S3.AccessKeyID, SecretKey: c.S3.SecretKey.Reveal(), MaxSize: c.MaxUpload,
		Log: log, After: after,
	})
	if err != nil {
		return nil, err
	}
	return &Files{Files: bucket, Forms: bucket, Landings: bucket, Composer: bucket, Bucket: bucket.Breaker(),
		close: func() error { bucket.Close(); return nil }}, nil
}

// NewReader makes what reads motion files, in processes of their own, and hides this
// process from them.
func NewReader(c config.Config, log *slog.Logger) (*process.Runner, error) {
	r := &process.Runner{Binary: process.Program(), Memory: c.ReadMemory, Time: c.ReadTime, VideoMemory: c.VideoMemory,
		VideoTime: c.VideoProcessTime,
		Folders:   c.VideoFolders, Writable: c.VideoWritable, UID: c.ReaderUID, Log: log}
	guard(c, log)
	if c.VideoProcessor == "" {
		return r, nil
	}
	if runtime.GOOS == "windows" {
		return nil, errors.New("KINEBASE_VIDEO_PROCESSOR cannot be used on Windows: no program can be confined " +
			"there; a server on Linux or macOS that shares the database can process videos")
	}
	var err error
	if r.Video, err = process.ParseCommand(c.VideoProcessor); err != nil {
		return nil, fmt.Errorf("KINEBASE_VIDEO_PROCESSOR %w", err)
	}
	return r, checkFolders(c, log)
}

// work starts what is done behind the requests.
func (a *App) work(ctx context.Context, s *store.Store, files *Files, reader upload.Reader,
	downloads *export.ActiveDownloads) error {
	lite, server, err := s.QueueDB(ctx)
	if err != nil {
		return err
	}
	if lite != nil {
		a.closers = append(a.closers, lite.Close)
	} else {
		a.closers = append(a.closers, func() error { s.Breaker().Leave(server.Close); return nil })
	}
	sender := webhooks.New(webhooks.Options{Private: a.config.WebhookPrivate})
	a.closers = append(a.closers, sender.Close)
	workers, err := jobs.Start(ctx, jobs.Options{
		Webhooks: s, Sender: sender,
		SQLite: lite, Postgres: server, Await: s.AwaitJobs, Owner: lite != nil || s.Alone(),
		Organizations: s, Leases: s, Readings: s, Uploads: s, Pieces: s, Files: files,
		Composer: files.Composer, Tidy: files.tidy,
		Bucket: files.Bucket, Database: s.Breaker(), Reader: reader, Library: s, Landings: files.Landings, Exports: s,
		Copies: s, Results: s, Downloads: downloads, ExportBudget: export.Budget,
		Workers: a.config.Workers, ReadTime: max(a.config.ReadTime, a.config.VideoProcessTime), Log: a.log,
		Calls: a.calls.jobs,
	})
	if err != nil {
		return err
	}
	a.closers = append(a.closers, workers.Close)
	if files.Landings != nil {
		a.metrics.Gauge("kinebase_bucket_lost", "1 while the bucket does not answer or cannot be looked into.",
			func() float64 {
				if workers.BucketLost() {
					return 1
				}
				return 0
			})
	}
	return nil
}

// secrets gives what the forms of this server and of those beside it are signed with, and the name of the
// time since the store was restored.
func secrets(ctx context.Context, s *store.Store) (key, epoch []byte, err error) {
	fresh := make([]byte, 32)
	_, _ = rand.Read(fresh) // never fails
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if key, err = s.Secret(ctx, "uploads", fresh); err == nil {
		epoch, err = s.Epoch(ctx)
	}
	return key, epoch, err
}
