package blob_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/parquet-go/parquet-go"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/blob"
	"github.com/kinebase/kinebase/internal/blob/blobtest"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/upload"
)

func options(b testkit.S3Bucket) blob.S3Options {
	return blob.S3Options{Endpoint: b.Endpoint, Region: b.Region, Bucket: b.Name, AccessKey: b.AccessKey,
		SecretKey: b.SecretKey, Prefix: "kine base/"}
}

func openS3(t *testing.T, o blob.S3Options) *blob.S3 {
	t.Helper()
	s, err := blob.OpenS3(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// raw is a client of another kind: it sees all that is in the bucket.
func raw(t *testing.T, b testkit.S3Bucket) *minio.Client {
	t.Helper()
	c, err := minio.New(strings.TrimPrefix(b.Endpoint, "http://"), &minio.Options{
		Creds: credentials.NewStaticV4(b.AccessKey, b.SecretKey, ""), Region: b.Region,
		Transport: &http.Transport{DisableKeepAlives: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// objects lists what is in a bucket, parts of unfinished objects too.
func objects(t *testing.T, b testkit.S3Bucket) (names []string) {
	t.Helper()
	c := raw(t, b)
	for o := range c.ListObjectsIter(t.Context(), b.Name, minio.ListObjectsOptions{Recursive: true}) {
		if o.Err != nil {
			t.Fatal(o.Err)
		}
		names = append(names, o.Key)
	}
	for o := range c.ListIncompleteUploads(t.Context(), b.Name, "", true) {
		if o.Err != nil {
			t.Fatal(o.Err)
		}
		names = append(names, "parts of "+o.Key)
	}
	return names
}

// gate stands before an S3 server, counts, and can be closed.
type gate struct {
	*httptest.Server
	requests, bytes atomic.Int64
	shut            atomic.Bool
	broken          atomic.Int64 // how many answers are to break off in the middle
	lost            atomic.Int64 // how many objects are to be taken and not kept
}

func before(t *testing.T, b testkit.S3Bucket) *gate {
	t.Helper()
	target, err := url.Parse(b.Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	g := &gate{}
	transport := &http.Transport{DisableKeepAlives: true}
	proxy := &httputil.ReverseProxy{Transport: transport, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Host = r.In.Host // it is signed
	}, ModifyResponse: func(r *http.Response) error {
		if r.Request.Method == http.MethodGet && g.broken.Add(-1) >= 0 {
			r.Body = io.NopCloser(io.MultiReader(io.LimitReader(r.Body, 1000),
				reading(func() { panic(http.ErrAbortHandler) })))
		}
		return nil
	}}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if g.shut.Load() {
			panic(http.ErrAbortHandler)
		}
		if r.Method == http.MethodPut && g.lost.Add(-1) >= 0 {
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("ETag", `"0123456789abcdef"`)
			return
		}
		g.requests.Add(1)
		proxy.ServeHTTP(counting{w, &g.bytes}, r)
	}))
	t.Cleanup(g.Close)
	return g
}

// gated opens a bucket behind a gate.
func gated(t *testing.T, b testkit.S3Bucket) (*gate, *blob.S3) {
	t.Helper()
	g := before(t, b)
	o := options(b)
	o.Endpoint = g.URL
	return g, openS3(t, o)
}

type counting struct {
	http.ResponseWriter
	n *atomic.Int64
}

func (c counting) Write(p []byte) (int, error) {
	c.n.Add(int64(len(p)))
	return c.ResponseWriter.Write(p)
}

func (c counting) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// spent gives what went through since it was asked last.
func (g *gate) spent() (requests, bytes int64) { return g.requests.Swap(0), g.bytes.Swap(0) }

func TestABucketKeepsFiles(t *testing.T) {
	b := testkit.Bucket(t)
	s := openS3(t, options(b))
	blobtest.Run(t, s, func() []string { return objects(t, b) })
}

func TestABucketThatCannotBeUsedIsRefusedInWords(t *testing.T) {
	b := testkit.Bucket(t)
	versioned := testkit.Bucket(t)
	if err := raw(t, versioned).EnableVersioning(t.Context(), versioned.Name); err != nil {
		t.Fatal(err)
	}
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for want, change := range map[string]func(*blob.S3Options){
		"does not exist":                   func(o *blob.S3Options) { o.Bucket = "not-there" },
		"access key or its secret key":     func(o *blob.S3Options) { o.SecretKey = "wrong" },
		"the access key or its":            func(o *blob.S3Options) { o.AccessKey = "nobody" },
		"does not exist: make it":          func(o *blob.S3Options) { o.Bucket, o.Region = "not-there", "" },
		"cannot be reached":                func(o *blob.S3Options) { o.Endpoint = gone.URL },
		"must be http:// or https://":      func(o *blob.S3Options) { o.Endpoint = "s3.example.com" },
		"address \"ftp://a\" of the":       func(o *blob.S3Options) { o.PublicEndpoint = "ftp://a" },
		"needs an access key":              func(o *blob.S3Options) { o.SecretKey = "" },
		"must be names that each end with": func(o *blob.S3Options) { o.Prefix = "kinebase" },
		"keeps old versions":               func(o *blob.S3Options) { o.Bucket = versioned.Name },
	} {
		o := options(b)
		change(&o)
		s, err := blob.OpenS3(t.Context(), o)
		if err == nil {
			s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		} else {
			t.Log(err)
		}
	}
	if left := objects(t, b); len(left) > 0 {
		t.Errorf("in the bucket there is now %q", left)
	}
}

func TestAFileThatTheServerTookAndDoesNotHaveIsNotCalledKept(t *testing.T) {
	b := testkit.Bucket(t)
	g, s := gated(t, b)
	g.lost.Store(1)
	_, err := s.Put(t.Context(), "lost", strings.NewReader("x"), -1)
	if !fault.Is(err, fault.Unavailable) {
		t.Errorf("the server lost it, and Put says %v", err)
	}
	if _, err = s.Put(t.Context(), "lost", strings.NewReader("x"), -1); err != nil {
		t.Errorf("when the server keeps it: %v", err)
	}
	if left := objects(t, b); len(left) != 1 {
		t.Errorf("in the bucket there is %q", left)
	}
}

func TestABucketWithoutARegionTellsIt(t *testing.T) {
	o := options(testkit.Bucket(t))
	o.Region = ""
	s := openS3(t, o)
	if _, err := s.Form(t.Context(), anybody, reservation()); err != nil {
		t.Error(err)
	}
}

func TestAServerThatIsAwayIsUnavailableAndLosesNothing(t *testing.T) {
	testkit.Long(t)
	b := testkit.Bucket(t)
	g, s := gated(t, b)
	put := func(name string, r io.Reader) error {
		_, err := s.Put(t.Context(), name, r, -1)
		return err
	}
	if err := put("kept", blobtest.Bytes(1, 1<<20)); err != nil {
		t.Fatal(err)
	}
	f, err := s.Open(t.Context(), "kept")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()

	away := func(what string, err error) {
		t.Helper()
		var said *fault.Error
		if !errors.As(err, &said) || said.Code != fault.Unavailable || said.RetryAfter == 0 || said.Cause == nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	cut := reading(func() { g.shut.Store(true) })
	var all sync.WaitGroup // minio-go tries each for some seconds
	away("put, cut off in the middle",
		put("large", io.MultiReader(blobtest.Bytes(1, 20<<20), cut, blobtest.Bytes(2, 20<<20))))
	all.Go(func() { away("put", put("small", strings.NewReader("x"))) })
	all.Go(func() { _, err := f.ReadAt(make([]byte, 10), 0); away("read", err) })
	all.Go(func() { _, err := s.Open(t.Context(), "kept"); away("open", err) })
	all.Go(func() { away("erase", s.Erase(t.Context(), "kept")) })
	all.Go(func() { away("list", s.Landed(t.Context(), func(upload.Landing) error { return nil })) })
	all.Wait()

	g.shut.Store(false)
	if err := s.Erase(t.Context(), "large"); err != nil {
		t.Error(err)
	}
	if left := objects(t, b); len(left) != 1 {
		t.Errorf("in the bucket there is %q", left)
	}
	g.broken.Store(1)
	if n, err := f.ReadAt(make([]byte, 1<<20), 0); n != 1<<20 || err != nil {
		t.Errorf("after an answer that broke off: %d bytes, %v", n, err)
	}
}

func TestWhatADeadProcessSentHalfIsErasedByItsName(t *testing.T) {
	b := testkit.Bucket(t)
	s, dead := openS3(t, options(b)), minio.Core{Client: raw(t, b)}
	key := options(b).Prefix + "original/half"
	id, err := dead.NewMultipartUpload(t.Context(), b.Name, key, minio.PutObjectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := dead.PutObjectPart(t.Context(), b.Name, key, id, 1, strings.NewReader("half"), 4,
		minio.PutObjectPartOptions{}); err != nil {
		t.Fatal(err)
	}
	if left := objects(t, b); len(left) != 1 {
		t.Fatalf("the dead process left %q", left)
	}
	if err := s.Erase(t.Context(), "original/half"); err != nil {
		t.Error(err)
	}
	if left := objects(t, b); len(left) > 0 {
		t.Errorf("in the bucket there is still %q", left)
	}
}

func TestTheContextOfOpenEndsReading(t *testing.T) {
	s := openS3(t, options(testkit.Bucket(t)))
	if _, err := s.Put(t.Context(), "a", blobtest.Bytes(1, 1<<20), -1); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	f, err := s.Open(ctx, "a")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cancel()
	if _, err := f.ReadAt(make([]byte, 10), 0); !errors.Is(err, context.Canceled) {
		t.Errorf("reading gives %v", err)
	}
}

func TestAFileThatWasReplacedIsNotReadHalfAndHalf(t *testing.T) {
	s := openS3(t, options(testkit.Bucket(t)))
	for seed := range uint64(2) {
		f, err := s.Open(t.Context(), "a")
		if _, e := s.Put(t.Context(), "a", blobtest.Bytes(seed, 1<<20), -1); e != nil {
			t.Fatal(e)
		}
		if seed == 0 {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.ReadAt(make([]byte, 10), 1<<19); !errors.Is(err, upload.ErrChanged) {
			t.Errorf("reading gives %v", err)
		}
	}
}

// The figures are limits; what was measured is logged.
func TestReadingABucketAsksForNeitherTooMuchNorTooOften(t *testing.T) {
	b := testkit.Bucket(t)
	g, s := gated(t, b)
	const size = 64 << 20
	if _, err := s.Put(t.Context(), "large", blobtest.Bytes(3, size), size); err != nil {
		t.Fatal(err)
	}
	table := rows(t)
	if _, err := s.Put(t.Context(), "table", bytes.NewReader(table), -1); err != nil {
		t.Fatal(err)
	}
	measure := func(what, name string, mostRequests, mostBytes int64, read func(upload.File)) {
		t.Helper()
		f, err := s.Open(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		g.spent()
		read(f)
		requests, got := g.spent()
		t.Logf("%s: %d requests, %d KiB", what, requests, got>>10)
		if requests > mostRequests || got > mostBytes {
			t.Errorf("%s: %d requests and %d bytes, want at most %d and %d", what, requests, got, mostRequests,
				mostBytes)
		}
	}
	measure("64 MiB in pieces of 32 KiB", "large", 25, size, func(f upload.File) {
		if n, err := io.CopyBuffer(struct{ io.Writer }{io.Discard},
			struct{ io.Reader }{io.NewSectionReader(f, 0, size)}, make([]byte, 32<<10)); n != size || err != nil {
			t.Errorf("%d bytes, %v", n, err)
		}
	})
	measure("100 times 100 bytes here and there", "large", 100, 100*64<<10, func(f upload.File) {
		for i := range int64(100) {
			if _, err := f.ReadAt(make([]byte, 100), i*7919*4096%size); err != nil {
				t.Error(err)
			}
		}
	})
	measure("eight places side by side, 1 MiB each in pieces of 4 KiB", "large", 8*6, 8*3<<20, func(f upload.File) {
		p := make([]byte, 4<<10)
		for i := range int64(256) {
			for column := range int64(8) {
				if _, err := f.ReadAt(p, column*(8<<20)+i*int64(len(p))); err != nil {
					t.Error(err)
				}
			}
		}
	})
	measure("a download of the second half by HTTP", "large", 15, size/2+4<<20, func(f upload.File) {
		w := httptest.NewRecorder()
		w.Body = nil
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Range", "bytes=33554432-")
		info, err := os.Stat(".")
		if err != nil {
			t.Fatal(err)
		}
		http.ServeContent(w, r, "a", info.ModTime(), io.NewSectionReader(f, 0, f.Size()))
		if w.Code != http.StatusPartialContent || w.Header().Get("Content-Length") != "33554432" {
			t.Errorf("answered %d, %v", w.Code, w.Header())
		}
	})
	t.Logf("the table has %d KiB", len(table)>>10)
	measure("two of sixty columns of a table", "table", 20, int64(len(table))/8, func(f upload.File) {
		file, err := parquet.OpenFile(f, f.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, group := range file.RowGroups() {
			for _, column := range group.ColumnChunks()[10:12] {
				pages := column.Pages()
				for {
					page, err := pages.ReadPage()
					if err != nil {
						break
					}
					n += int(page.NumValues())
					parquet.Release(page)
				}
				if err := pages.Close(); err != nil {
					t.Error(err)
				}
			}
		}
		if n != 2*tableRows {
			t.Errorf("%d values, want %d", n, 2*tableRows)
		}
	})
}

const tableRows = 20000

// rows makes a table of sixty columns of float32.
func rows(t *testing.T) []byte {
	t.Helper()
	group := parquet.Group{}
	for i := range 60 {
		group["c"+string(rune('0'+i/10))+string(rune('0'+i%10))] = parquet.Leaf(parquet.FloatType)
	}
	var out bytes.Buffer
	w := parquet.NewWriter(&out, parquet.NewSchema("t", group))
	row := make(parquet.Row, 60)
	for i := range tableRows {
		for c := range row {
			row[c] = parquet.FloatValue(float32(i*7919%104729)/float32(c+3)).Level(0, 0, c)
		}
		if _, err := w.WriteRows([]parquet.Row{row}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
