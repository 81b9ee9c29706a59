package blob

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/minio/minio-go/v7"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// Form signs a form by which the file of a reservation is sent to the bucket, until
// the reservation's end, and not beyond the largest size. The bucket answers 204,
// and cannot refuse a second file: that takes the place of the first. So what lands
// is to be adopted before it is read.
func (s *S3) Form(ctx context.Context, scope organization.Scope, r upload.Reservation) (upload.Form, error) {
	key, err := s.key(upload.LandingName(scope.Organization.String(), r.Capture.SessionID))
	if err != nil {
		return upload.Form{}, err
	}
	policy := minio.NewPostPolicy()
	err = errors.Join(
		policy.SetBucket(s.options.Bucket),
		policy.SetKey(key),
		policy.SetExpires(r.Expires.UTC()),
		policy.SetContentLengthRange(0, s.options.MaxSize),
		policy.SetSuccessStatusAction("204"),
	)
	if err != nil {
		return upload.Form{}, fmt.Errorf("the form of a bucket: %w", err)
	}
	u, fields, err := s.public.PresignedPostPolicy(ctx, policy)
	if err != nil {
		return upload.Form{}, tellS3(ctx, err)
	}
	return upload.Form{URL: u.String(), Fields: fields}, nil
}

// Landed calls each for every object that landed, in no order that means anything.
// An error of each ends it and is given back.
func (s *S3) Landed(ctx context.Context, each func(upload.Landing) error) error {
	return s.breaker.Do(ctx, func(ctx context.Context) error { return s.landed(ctx, each) })
}

func (s *S3) landed(ctx context.Context, each func(upload.Landing) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	list := minio.ListObjectsOptions{Prefix: s.options.Prefix + upload.LandingRoom, Recursive: true}
	for o := range s.core.ListObjectsIter(ctx, s.options.Bucket, list) {
		if o.Err != nil {
			return tellS3(ctx, o.Err)
		}
		name := strings.TrimPrefix(o.Key, s.options.Prefix)
		org, session, ok := upload.ParseLandingName(name)
		if !ok {
			continue // no form of ours led there
		}
		l := upload.Landing{Organization: org, SessionID: session, Name: name, ETag: strings.Trim(o.ETag, `"`),
			Size: o.Size, At: o.LastModified}
		if err := each(l); err != nil {
			return err
		}
	}
	return nil
}

// Adopt copies what landed to a name of its own, inside the bucket's server.
// upload.ErrChanged when another file landed since, upload.ErrNoFile when none is there
// any more; in neither case is there anything under the name.
func (s *S3) Adopt(ctx context.Context, l upload.Landing, name string) error {
	from, err := s.key(l.Name)
	if err != nil {
		return err
	}
	to, err := s.key(name)
	if err != nil {
		return err
	}
	if l.Size > s.options.MaxSize {
		return fault.New(fault.PayloadTooLarge, "The file has %d bytes, and at most %d are taken.", l.Size,
			s.options.MaxSize)
	}
	err = s.breaker.Do(ctx, func(ctx context.Context) error {
		return again(func() error {
			_, err := s.core.Client.CopyObject(ctx,
				minio.CopyDestOptions{Bucket: s.options.Bucket, Object: to},
				minio.CopySrcOptions{Bucket: s.options.Bucket, Object: from, MatchETag: l.ETag})
			return err
		})
	})
	return tellS3(ctx, err)
}

// Drop removes what landed, unread. What landed under the same name since goes with
// it; what is no longer there is no error.
func (s *S3) Drop(ctx context.Context, l upload.Landing) error {
	key, err := s.key(l.Name)
	if err != nil {
		return err
	}
	return s.remove(ctx, key)
}
