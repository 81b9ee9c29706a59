package blob

import (
	"context"
	"fmt"
	"time"

	"github.com/minio/minio-go/v7"
	"golang.org/x/sync/errgroup"

	"github.com/kinebase/kinebase/upload"
)

const (
	// leastPart is how small a part of an object may be that is not the last one (Amazon S3, "Multipart upload
	// limits").
	leastPart = 5 << 20
	// copiesAtOnce is how many parts the bucket's server copies at a time.
	copiesAtOnce = 4
)

// Compose makes one object of others, one behind the other, by a multipart upload whose parts the bucket's server
// copies: none of their bytes comes here. done is false, and nothing was made, where a part would be too small for
// that. upload.ErrNoFile when one of the others is not there; an error leaves nothing behind that Erase does not find.
func (s *S3) Compose(ctx context.Context, name string, pieces []upload.Piece) (done bool, err error) {
	key, err := s.key(name)
	if err != nil {
		return false, err
	}
	size := int64(0)
	for i, p := range pieces {
		if size += p.Size; p.Size < leastPart && i < len(pieces)-1 {
			return false, nil
		}
	}
	if len(pieces) < 2 {
		return false, nil
	}
	err = s.breaker.Do(ctx, func(ctx context.Context) error { return s.compose(ctx, key, pieces) })
	if err != nil {
		return false, tellS3(ctx, err)
	}
	info, err := s.stat(ctx, key)
	if err == nil && info.Size != size {
		err = fmt.Errorf("the bucket's server made %d bytes of parts of %d", info.Size, size)
	}
	return err == nil, tellS3(ctx, err)
}

func (s *S3) compose(ctx context.Context, key string, pieces []upload.Piece) error {
	bucket := s.options.Bucket
	id, err := s.core.NewMultipartUpload(ctx, bucket, key,
		minio.PutObjectOptions{ContentType: "application/octet-stream"})
	if err != nil {
		return err
	}
	parts := make([]minio.CompletePart, len(pieces))
	var group errgroup.Group // one that fails ends no other: its server might go on, and bring a part back
	group.SetLimit(copiesAtOnce)
	for i, p := range pieces {
		group.Go(func() error {
			from, err := s.key(p.Name)
			if err != nil {
				return err
			}
			return again(func() (err error) {
				parts[i], err = s.core.CopyObjectPart(ctx, bucket, from, bucket, key, id, i+1, 0, p.Size, nil)
				return err
			})
		})
	}
	if err = group.Wait(); err == nil {
		_, err = s.core.CompleteMultipartUpload(ctx, bucket, key, id, parts, minio.PutObjectOptions{})
	}
	if err != nil {
		after, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		_ = s.core.AbortMultipartUpload(after, bucket, key, id) // else the parts are for the Erase of the name
	}
	return err
}
