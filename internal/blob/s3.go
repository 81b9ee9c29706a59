package blob

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/kinebase/kinebase/breaker"
	"github.com/kinebase/kinebase/upload"
)

// partSize is in what pieces a large file is sent. S3 takes 10,000 of them.
const partSize = 16 << 20

// S3Options say where a bucket is.
type S3Options struct {
	Endpoint string // http:// or https:// and a host, perhaps with a port
	Region   string // asked of the server when empty
	Bucket   string

	AccessKey string
	SecretKey string

	// Prefix stands before every name, so that one bucket can serve several
	// installations. It ends with a slash, or is empty.
	Prefix string
	// PublicEndpoint is what callers send files to, when they reach the server of the
	// bucket under another address than we do; Endpoint when empty.
	PublicEndpoint string
	// MaxSize is how large a file that comes by a form may be, in bytes; MaxSize of
	// this package when 0.
	MaxSize int64

	Log   *slog.Logger  // hears when the bucket's server does not answer, and when it does again; nil for none
	After breaker.Timer // the clock of what is waited for an answer; time.AfterFunc when nil
}

// S3 keeps files as objects of a bucket.
type S3 struct {
	core      minio.Core
	asker     *minio.Client // asks the breaker's question, and is not watched itself
	breaker   *breaker.Breaker
	public    *minio.Client // signs for callers, and never sends anything
	transport *http.Transport
	options   S3Options
	parts     sync.Pool // of *[]byte, partSize long
}

var (
	_ upload.Files = (*S3)(nil)
	_ upload.Forms = (*S3)(nil)

	_ upload.Composer = (*S3)(nil)
)

// OpenS3 opens a bucket, and makes sure that it is there and that everything we do
// in it is allowed. The error is a text for the operator.
func OpenS3(ctx context.Context, o S3Options) (*S3, error) {
	if o.MaxSize == 0 {
		o.MaxSize = MaxSize
	}
	if o.PublicEndpoint == "" {
		o.PublicEndpoint = o.Endpoint
	}
	if o.AccessKey == "" || o.SecretKey == "" {
		return nil, errors.New("the bucket needs an access key and its secret key")
	}
	if o.Prefix != "" && (!strings.HasSuffix(o.Prefix, "/") || checkName(strings.TrimSuffix(o.Prefix, "/")) != nil) {
		return nil, fmt.Errorf("the prefix %q of the bucket must be names that each end with a slash, such as "+
			"kinebase/", o.Prefix)
	}
	s := &S3{options: o, transport: transport()}
	s.parts.New = func() any { b := make([]byte, partSize); return &b }
	s.breaker = breaker.New(breaker.Options{Name: "the bucket", Refusal: unreachable, Ask: s.ask, Log: o.Log,
		After: o.After})
	if err := s.connect(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// connect makes the clients. Nothing is watched while the bucket is probed: whoever starts
// says in words of its own that it cannot be reached.
func (s *S3) connect(ctx context.Context) error {
	plain, err := s.client(s.options.Endpoint, s.transport, retries)
	if err != nil {
		return err
	}
	if err := s.probe(ctx, minio.Core{Client: plain}); err != nil {
		return err
	}
	if s.asker, err = s.client(s.options.Endpoint, s.transport, 1); err != nil {
		return err
	}
	client, err := s.client(s.options.Endpoint, watched{s.transport, s.breaker}, retries)
	if err != nil {
		return err
	}
	s.core = minio.Core{Client: client}
	s.public, err = s.client(s.options.PublicEndpoint, s.transport, retries)
	return err
}

// Close ends the breaker's questions and gives back the connections that are not in use.
func (s *S3) Close() {
	s.breaker.Close()
	s.transport.CloseIdleConnections()
}

// transport is that of minio-go, but gives up sooner on a server that is not there.
func transport() *http.Transport {
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 5 * time.Second, KeepAlive: 15 * time.Second}).DialContext,
		MaxIdleConns:          64,
		MaxIdleConnsPerHost:   64,
		IdleConnTimeout:       time.Minute,
		TLSHandshakeTimeout:   10 * time.Second,
		ResponseHeaderTimeout: 2 * time.Minute, // a server copies a large object before it answers
		DisableCompression:    true,            // bytes are wanted as they are kept
	}
}

// retries is how often a call is tried, within three seconds. A caller that wants more
// comes again later.
const retries = 4

func (s *S3) client(endpoint string, transport http.RoundTripper, tries int) (*minio.Client, error) {
	u, err := url.Parse(endpoint)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.Trim(u.Path, "/") != "" ||
		u.RawQuery != "" || u.User != nil {
		return nil, fmt.Errorf("the address %q of the bucket's server must be http:// or https:// and a host, such "+
			"as https://s3.eu-central-1.amazonaws.com", endpoint)
	}
	client, err := minio.New(u.Host, &minio.Options{
		Creds:      credentials.NewStaticV4(s.options.AccessKey, s.options.SecretKey, ""),
		Secure:     u.Scheme == "https",
		Region:     s.options.Region,
		Transport:  transport,
		MaxRetries: tries,
	})
	if err != nil {
		return nil, fmt.Errorf("the address %q of the bucket's server: %w", endpoint, err)
	}
	return client, nil
}

func (s *S3) key(name string) (string, error) {
	key := s.options.Prefix + name
	if len(key) > longestName {
		return "", fmt.Errorf("%q cannot be the name of a file: with the prefix it has more than %d bytes", name,
			longestName)
	}
	return key, checkName(name)
}

// Put sends a file of up to 16 MiB at once, and a larger one in parts of that
// size, of which at most two are in memory. What r fails with is given back as it
// is; ctx is looked at between two reads, too. A server that cannot be reached, or
// has no room, is a fault.Unavailable.
func (s *S3) Put(ctx context.Context, name string, r io.Reader, size int64) (int64, error) {
	key, err := s.key(name)
	if err != nil {
		return 0, err
	}
	if err := s.breaker.Do(ctx, func(context.Context) error { return nil }); err != nil {
		return 0, tellS3(ctx, err) // before anything is read
	}
	src := &source{ctx: ctx, r: r, size: size}
	var head []byte
	if size >= 0 && size < partSize {
		head = make([]byte, size+1) // the one more is for the end, or for what should not be there
	} else {
		pooled, _ := s.parts.Get().(*[]byte)
		defer s.parts.Put(pooled)
		head = *pooled
	}
	n, err := io.ReadFull(src, head)
	if src.err != nil {
		return 0, src.err
	}
	o := minio.PutObjectOptions{ContentType: "application/octet-stream", PartSize: partSize, NumThreads: 1}
	whole := err != nil // the file is at its end
	err = s.breaker.Do(ctx, func(ctx context.Context) error {
		if whole {
			return again(func() error {
				_, err := s.core.Client.PutObject(ctx, s.options.Bucket, key, bytes.NewReader(head[:n]), int64(n), o)
				return err
			})
		}
		// Without a size, so that the end of the file decides and not a number.
		_, err := s.core.Client.PutObject(ctx, s.options.Bucket, key, io.MultiReader(bytes.NewReader(head), src), -1, o)
		return err
	})
	if src.err == nil && err == nil {
		err = s.there(ctx, key)
	}
	if src.err == nil && err == nil {
		return src.n, nil
	}
	// The answer may have got lost and not the file. If this fails as well, it is
	// for the Erase that was planned with the name.
	after, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	_ = s.breaker.Do(after, func(ctx context.Context) error {
		return s.core.RemoveObject(ctx, s.options.Bucket, key, minio.RemoveObjectOptions{})
	})
	if src.err != nil {
		return 0, src.err
	}
	return 0, tellS3(ctx, err)
}

// there checks that an object that the server says it took is in the bucket. versitygw
// says so, and has nothing, when it makes the folder of an object at the moment at which
// another request removes that folder for being empty. The object is not sent again
// here: it is missing as well when an Erase came between, and then it must stay away.
func (s *S3) there(ctx context.Context, key string) error {
	_, err := s.stat(ctx, key)
	if errors.Is(tellS3(ctx, err), upload.ErrNoFile) {
		return minio.ErrorResponse{StatusCode: http.StatusConflict,
			Message: "the server took the object, and does not have it"}
	}
	return err
}

// again repeats what came into conflict with another request. S3 tells one to, and
// versitygw refuses a file while the folder that it belongs into is removed for
// being empty.
func again(do func() error) (err error) {
	for range 10 {
		var answer minio.ErrorResponse
		if err = do(); !errors.As(err, &answer) || answer.StatusCode != http.StatusConflict {
			return err
		}
	}
	return err
}

// stat asks for what the bucket says of an object.
func (s *S3) stat(ctx context.Context, key string) (info minio.ObjectInfo, err error) {
	err = s.breaker.Do(ctx, func(ctx context.Context) (err error) {
		info, err = s.core.StatObject(ctx, s.options.Bucket, key, minio.StatObjectOptions{})
		return err
	})
	return info, err
}

// Open gives a file. Reading it ends when ctx does.
func (s *S3) Open(ctx context.Context, name string) (upload.File, error) {
	key, err := s.key(name)
	if err != nil {
		return nil, err
	}
	info, err := s.stat(ctx, key)
	if err != nil {
		return nil, tellS3(ctx, err)
	}
	ctx, cancel := context.WithCancel(ctx)
	return &object{s: s, ctx: ctx, cancel: cancel, key: key, etag: info.ETag, size: info.Size}, nil
}

// Erase removes a file, and the parts of one whose Put died.
func (s *S3) Erase(ctx context.Context, name string) error {
	key, err := s.key(name)
	if err != nil {
		return err
	}
	// The parts first: a Put that is still at it fails then, and does not finish
	// after the file was removed.
	err = s.breaker.Do(ctx, func(ctx context.Context) error {
		return s.core.RemoveIncompleteUpload(ctx, s.options.Bucket, key)
	})
	if err = tellS3(ctx, err); err != nil && !errors.Is(err, upload.ErrNoFile) {
		return err
	}
	return s.remove(ctx, key)
}

func (s *S3) remove(ctx context.Context, key string) error {
	err := tellS3(ctx, s.breaker.Do(ctx, func(ctx context.Context) error {
		return s.core.RemoveObject(ctx, s.options.Bucket, key, minio.RemoveObjectOptions{})
	}))
	if errors.Is(err, upload.ErrNoFile) {
		return nil
	}
	return err
}
