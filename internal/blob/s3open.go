package blob

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/minio/minio-go/v7"

	"github.com/kinebase/kinebase/breaker"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/upload"
)

// probeName is an object that is written and removed to see whether that is
// allowed. It is always the same one: killed in between we leave it to the next.
const probeName = "probe"

// probeTime is how long all that the probe does may take: a server that is frozen is
// away like one that is not there.
const probeTime = 30 * time.Second

// unreachable is what callers hear while the bucket's server gives no answer.
const unreachable = "The server's storage for files cannot be reached."

// probe does once what the program will want to do.
func (s *S3) probe(ctx context.Context, core minio.Core) error {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	o := &s.options
	where := fmt.Sprintf("the bucket %q at %s", o.Bucket, o.Endpoint)
	// Listed first, because what is wrong with it is told in words. A HEAD of the
	// bucket has no body to tell it in.
	list := minio.ListObjectsOptions{Prefix: o.Prefix + upload.LandingRoom, Recursive: true, MaxKeys: 1}
	for found := range core.ListObjectsIter(ctx, o.Bucket, list) {
		if found.Err != nil {
			return s.refused(where, "listed", found.Err)
		}
		break
	}
	var err error
	if o.Region == "" {
		if o.Region, err = core.GetBucketLocation(ctx, o.Bucket); err != nil {
			return s.refused(where, "asked for its region (set the region)", err)
		}
	}
	// A server without versions says so by an error, and who may not ask is no worse
	// off than before.
	if v, err := core.GetBucketVersioning(ctx, o.Bucket); err == nil && v.Enabled() {
		return fmt.Errorf("%s keeps old versions, so that nothing in it could ever be erased: suspend its "+
			"versioning, or use another bucket", where)
	}
	key := o.Prefix + probeName
	_, err = core.Client.PutObject(ctx, o.Bucket, key, bytes.NewReader(nil), 0, minio.PutObjectOptions{})
	if err != nil {
		return s.refused(where, "written to", err)
	}
	if _, err = core.StatObject(ctx, o.Bucket, key, minio.StatObjectOptions{}); err != nil &&
		!errors.Is(tellS3(ctx, err), upload.ErrNoFile) {
		return s.refused(where, "read", err) // missing is right: another server probes as well
	}
	if err = core.RemoveObject(ctx, o.Bucket, key, minio.RemoveObjectOptions{}); err != nil {
		return s.refused(where, "erased from", err)
	}
	// A large file is sent in parts, and those of a server that died are erased: by what the next one finds here.
	if _, err = core.NewMultipartUpload(ctx, o.Bucket, key, minio.PutObjectOptions{}); err != nil {
		return s.refused(where, "written to in parts", err)
	}
	for found := range core.ListIncompleteUploads(ctx, o.Bucket, key, true) {
		if found.Err != nil {
			return s.refused(where, "asked for unfinished uploads", found.Err)
		}
		if found.Key != key {
			continue
		}
		err = core.AbortMultipartUpload(ctx, o.Bucket, key, found.UploadID)
		if err != nil && !errors.Is(tellS3(ctx, err), upload.ErrNoFile) { // another server probes as well
			return s.refused(where, "cleared of unfinished uploads", err)
		}
	}
	return nil
}

// refused says to the operator what went wrong. It is a fault.Away when the server
// could not be reached or failed.
func (s *S3) refused(where, what string, err error) error {
	var answer minio.ErrorResponse
	switch {
	case !errors.As(err, &answer):
		return fault.Away(fmt.Errorf("%s cannot be reached: %w", where, err))
	case answer.Code == minio.NoSuchBucket:
		return fmt.Errorf("%s does not exist: make it, or correct its name", where)
	case answer.Code == "InvalidAccessKeyId" || answer.Code == "XAdminUserNotFound" || // the second is versitygw's
		answer.Code == "SignatureDoesNotMatch":
		return fmt.Errorf("%s cannot be %s, for the access key or its secret key is wrong: %w", where, what, err)
	case answer.StatusCode == http.StatusForbidden:
		return fmt.Errorf("%s cannot be %s with this access key: %w", where, what, err)
	case answer.StatusCode >= http.StatusInternalServerError:
		return fault.Away(fmt.Errorf("%s cannot be %s: %w", where, what, err))
	default:
		return fmt.Errorf("%s cannot be %s: %w", where, what, err)
	}
}

// tellS3 says what a caller may hear of a server that failed. ctx is the caller's
// own: when it ended, that is the whole story.
func tellS3(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if breaker.Silent(err) {
		return err
	}
	var answer minio.ErrorResponse
	if !errors.As(err, &answer) {
		return fault.Busy(err, 5*time.Second, unreachable)
	}
	switch {
	case answer.Code == minio.NoSuchKey || answer.Code == minio.NoSuchUpload:
		return fmt.Errorf("%w (%w)", upload.ErrNoFile, err)
	case answer.StatusCode == http.StatusPreconditionFailed || answer.Code == minio.PreconditionFailed:
		return fmt.Errorf("%w (%w)", upload.ErrChanged, err)
	case answer.StatusCode == http.StatusInsufficientStorage || answer.Code == "QuotaExceeded" ||
		answer.Code == "XMinioStorageFull" || answer.Code == "XMinioAdminBucketQuotaExceeded":
		return fault.Busy(err, 5*time.Second, "The server's storage for files is full. Nothing was stored.")
	case answer.StatusCode >= 500 || answer.StatusCode == http.StatusTooManyRequests ||
		answer.StatusCode == http.StatusConflict || answer.Code == "SlowDown" || answer.Code == "RequestTimeout":
		return fault.Busy(err, 5*time.Second, "The server's storage for files is busy.")
	}
	return err
}
