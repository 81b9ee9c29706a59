package blob

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/minio/minio-go/v7"

	"github.com/kinebase/kinebase/fault"
)

// List calls each for every file whose name begins with prefix, in no order that means anything.
// Files that are still being written and landings are left out. An error of each ends it and is given back.
func (d *Disk) List(ctx context.Context, prefix string, each func(name string, size int64) error) error {
	from := "."
	if dir := path.Dir(prefix + "x"); dir != "." {
		from = dir
	}
	var own error
	err := fs.WalkDir(d.root.FS(), from, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil // it went meanwhile
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case entry.IsDir() && name == incoming:
			return fs.SkipDir
		case entry.IsDir() || !strings.HasPrefix(name, prefix):
			return nil
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil {
			own = each(name, info.Size())
			err = own
		}
		return err
	})
	if own != nil || ctx.Err() != nil {
		return errors.Join(own, ctx.Err())
	}
	if _, gone := d.root.Lstat(incoming); gone != nil && err == nil {
		err = gone // a disk that is not mounted must not look empty
	}
	return fault.System(err, "")
}

// List calls each for every object whose name begins with prefix, in no order that means anything.
// An error of each ends it and is given back.
func (s *S3) List(ctx context.Context, prefix string, each func(name string, size int64) error) error {
	return s.breaker.Do(ctx, func(ctx context.Context) error {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		for o := range s.core.ListObjectsIter(ctx, s.options.Bucket,
			minio.ListObjectsOptions{Prefix: s.options.Prefix + prefix, Recursive: true}) {
			if o.Err != nil {
				return tellS3(ctx, o.Err)
			}
			if strings.HasSuffix(o.Key, "/") {
				continue // a folder, as some servers have them
			}
			if err := each(strings.TrimPrefix(o.Key, s.options.Prefix), o.Size); err != nil {
				return err
			}
		}
		return nil
	})
}
