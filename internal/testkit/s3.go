package testkit

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// S3Bucket is an empty bucket of one test's own, and the way into it.
type S3Bucket struct {
	Endpoint  string // http://127.0.0.1:…
	Region    string
	Name      string
	AccessKey string
	SecretKey string
}

// S3Server is a versitygw over a folder, on a port that only this machine reaches.
type S3Server struct {
	address string
	secret  string
	dir     *folder
	proc    *process
	output  bytes.Buffer
	buckets int
}

// sharedS3 is the one server of a test process.
var sharedS3 struct {
	sync.Mutex
	server *S3Server
}

const (
	s3Region = "us-east-1"
	s3Access = "testkit"
)

// Bucket gives an empty bucket on an S3 server that the first test to ask starts
// and that ends with the test process. Without the server's program the test is
// skipped (see Missing), as it is in a short run.
func Bucket(t testing.TB) S3Bucket {
	t.Helper()
	sharedS3.Lock()
	defer sharedS3.Unlock()
	if sharedS3.server == nil {
		s := beginS3(t)
		atEnd(t, s.stop)
		sharedS3.server = s
	}
	return sharedS3.server.Bucket(t)
}

// S3 starts an S3 server of one test's own, which the test may Stop, and ends it with the
// test.
func S3(t testing.TB) *S3Server {
	t.Helper()
	s := beginS3(t)
	t.Cleanup(s.stop)
	return s
}

func beginS3(t testing.TB) *S3Server {
	t.Helper()
	Long(t)
	program := tool(t, "versitygw", "an S3 server")
	s, err := startS3(program)
	if err != nil {
		t.Fatalf("no S3 server: %v", err)
	}
	return s
}

// Bucket gives an empty bucket. One call at a time.
func (s *S3Server) Bucket(t testing.TB) S3Bucket {
	t.Helper()
	s.buckets++
	b := S3Bucket{"http://" + s.address, s3Region, fmt.Sprintf("test-%d", s.buckets), s3Access, s.secret}
	if err := s.make(t.Context(), b.Name); err != nil {
		t.Fatalf("no bucket: %v", err)
	}
	return b
}

// Stop freezes the server (SIGSTOP): connections stay open and new ones are taken by the
// kernel, but nothing is answered. It returns once it is frozen.
func (s *S3Server) Stop(t testing.TB) {
	t.Helper()
	if err := s.proc.freeze(); err != nil {
		t.Fatalf("the S3 server cannot be stopped: %v", err)
	}
}

// Cont lets a frozen server go on (SIGCONT).
func (s *S3Server) Cont(t testing.TB) {
	t.Helper()
	if err := s.proc.thaw(); err != nil {
		t.Fatalf("the S3 server cannot be continued: %v", err)
	}
}

// startS3 starts a server and returns once it answers. A free port may be taken by
// another between looking and using it; then another is tried.
func startS3(program string) (*S3Server, error) {
	dir, err := newFolder("s3", nil, false)
	if err != nil {
		return nil, err
	}
	s := &S3Server{secret: rand.Text(), dir: dir}
	for range 5 {
		if err = s.start(program); err == nil {
			return s, nil
		}
	}
	s.stop()
	return nil, err
}

func (s *S3Server) start(program string) error {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.address = free.Addr().String()
	if err := free.Close(); err != nil {
		return err
	}
	s.output.Reset()
	cmd := exec.Command(program, s.address, s3Region, s.dir.path)
	cmd.Dir = s.dir.path
	cmd.Stdout, cmd.Stderr = &s.output, &s.output
	// Nothing of the developer's settings may change a test; and keys are not for the
	// list of processes.
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.dir.path, "ROOT_ACCESS_KEY=" + s3Access,
		"ROOT_SECRET_KEY=" + s.secret}
	if s.proc, err = spawn(cmd, syscall.SIGKILL); err != nil {
		return err
	}
	up := until(Patience, func() bool { return !s.proc.running() || s.answers() })
	if !up || !s.proc.running() {
		s.proc.kill()
		return fmt.Errorf("versitygw does not come up; it says:\n%s", strings.TrimSpace(s.output.String()))
	}
	return nil
}

func (s *S3Server) answers() bool {
	client := http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Get("http://" + s.address + "/health")
	if err != nil {
		return false
	}
	_ = answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}

func (s *S3Server) make(ctx context.Context, bucket string) error {
	client, err := minio.New(s.address, &minio.Options{
		Creds:  credentials.NewStaticV4(s3Access, s.secret, ""),
		Region: s3Region, Transport: &http.Transport{DisableKeepAlives: true},
	})
	if err != nil {
		return err
	}
	return client.MakeBucket(ctx, bucket, minio.MakeBucketOptions{Region: s3Region})
}

// stop ends the server and removes its folder.
func (s *S3Server) stop() {
	if s.proc != nil && s.proc.running() {
		s.proc.kill()
	}
	s.dir.remove()
}
